/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories and files of our own: what is another user's, or could be written by
 * another, is neither read nor written, and no link is followed.
 */
#ifndef KTAP_BASE_OWNED_H
#define KTAP_BASE_OWNED_H

#include <stdbool.h>
#include <stddef.h>

/**
 * owned_enter() - a directory of ours
 * @at: directory that it is in, which is closed; AT_FDCWD: any, and links are followed
 * @name: its name there
 * @make: make it, where there is none
 *
 * Return: a descriptor; -EPERM: it is not ours; why it cannot be opened; @at, where
 * that is negative.
 */
int owned_enter(int at, const char *name, bool make);

/**
 * owned_map() - a file of ours, to be read
 * @at: directory
 * @name: its name there
 * @max: more bytes it does not have
 * @data: its bytes; munmap() them
 * @size: how many; not 0
 *
 * Nobody may write to such a file: a new one takes its name.
 *
 * Return: whether there is one.
 */
bool owned_map(int at, const char *name, size_t max, const void **data,
	       size_t *size);

#endif /* KTAP_BASE_OWNED_H */
