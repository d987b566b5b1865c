/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions that a file lists: one a line, comments from '#' on, as in
 * kprobe_events.
 */
#ifndef KTAP_SPEC_LISTED_H
#define KTAP_SPEC_LISTED_H

#include <stdio.h>

#include "base/buf.h"
#include "base/diag.h"

/* Far above what the kernel takes for a program and its description. */
#define LISTED_BYTES_MAX ((size_t)65536)

/**
 * struct listed - a file that lists definitions, while it is read
 * @f: file
 * @line: the last line
 * @number: of that line, from 1
 */
struct listed {
	FILE *f;
	struct buf line;
	unsigned int number;
};

/**
 * listed_next() - the next line
 * @l: file
 * @d: why it cannot be taken; @l->number is its number then, too
 * @text: the line's definition, without blanks around it; "" if it has none.
 *        Valid until the next call.
 *
 * Whether the file could be read is ferror()'s to say.
 *
 * Return: 1; 0 at the end; -EINVAL, -ENOMEM.
 */
int listed_next(struct listed *l, struct diag *d, char **text);

/**
 * listed_deinit() - release the last line
 * @l: file
 *
 * The text that listed_next() returned becomes invalid. The file stays open.
 */
void listed_deinit(struct listed *l);

#endif /* KTAP_SPEC_LISTED_H */
