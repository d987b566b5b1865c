/* SPDX-License-Identifier: GPL-2.0 */
/* Which lines of a function or of a file have code. */
#ifndef KTAP_CLI_LISTING_H
#define KTAP_CLI_LISTING_H

#include "define/points.h"

/**
 * struct listing - lines to show
 * @base: the line that they count from; 0: they are those of the file
 * @end: the last one of the function; 0: of the file's that is not known
 * @copies: places where the function was inlined
 * @rows: what has code, by file, line and address; each once
 */
struct listing {
	int base;
	int end;
	size_t copies;
	struct debug_rows rows;
};

/**
 * listing_find() - what has code of the function or file that a place names
 * @p: the place; errors point into it
 * @range: only these lines, as they count
 * @ret: on success; release with listing_deinit()
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM.
 */
int listing_find(struct points *p, const struct line_range *range,
		 struct listing *ret);

/**
 * listing_deinit() - release the rows of a listing
 * @listing: what listing_find() returned; its rows must not be used after this
 */
void listing_deinit(struct listing *listing);

#endif /* KTAP_CLI_LISTING_H */
