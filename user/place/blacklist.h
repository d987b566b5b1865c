/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_PLACE_BLACKLIST_H
#define KTAP_PLACE_BLACKLIST_H

#include <stdbool.h>
#include <stdint.h>

/**
 * blacklist_has() - whether a list of the kernel forbids kprobes at an address
 * @path: file in the format of the kernel's list; NULL: the list of the running kernel,
 *	/sys/kernel/debug/kprobes/blacklist
 * @address: run-time address
 *
 * A line of the list begins with the range "0xSTART-0xEND", which ends before END.
 *
 * Return: true if a range has @address; false: none has it, or the list cannot be read.
 */
bool blacklist_has(const char *path, uint64_t address);

#endif /* KTAP_PLACE_BLACKLIST_H */
