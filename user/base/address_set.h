/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses that were met: a hash table. */
#ifndef KTAP_BASE_ADDRESS_SET_H
#define KTAP_BASE_ADDRESS_SET_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct address_set - addresses; zeros are an empty set
 * @table: them, 0 where it is free; owned
 * @room: places of @table: a power of two, or 0
 * @nr: how many addresses there are
 */
struct address_set {
	uint64_t *table;
	size_t room;
	size_t nr;
};

/**
 * address_set_add() - add an address
 * @s: set
 * @address: not 0
 *
 * Return: 1: it is new; 0: the set has it; -ENOMEM.
 */
int address_set_add(struct address_set *s, uint64_t address);

/**
 * address_set_deinit() - release the addresses
 * @s: empty afterwards
 */
void address_set_deinit(struct address_set *s);

#endif /* KTAP_BASE_ADDRESS_SET_H */
