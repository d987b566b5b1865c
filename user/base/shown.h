/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text from elsewhere on its way to a person: names and paths of debug
 * information, lines of source, symbols, names of tasks, what a recording
 * says. Who wrote it cannot break the line or steer the terminal.
 */
#ifndef KTAP_BASE_SHOWN_H
#define KTAP_BASE_SHOWN_H

#include "base/buf.h"

/* What stays as it is in a line that people copy: paths have it, too. */
#define SHOWN_BACKSLASH '\1'
/* And in a line of source. */
#define SHOWN_SOURCE '\2'

/**
 * shown_put() - @s with escapes of C for all that a terminal would not show
 * @out: where
 * @s: bytes
 * @size: how many
 * @quote: also escaped where it occurs; 0: none; or SHOWN_*
 */
void shown_put(struct buf *out, const char *s, size_t size, char quote);

/**
 * shown_puts() - shown_put() for a string outside quotes
 * @out: where
 * @s: string; not NULL
 */
void shown_puts(struct buf *out, const char *s);

/**
 * shown_xml() - the same for XML, between tags or as an attribute
 * @out: where
 * @s: text
 * @quote: as for shown_put()
 */
void shown_xml(struct buf *out, const char *s, char quote);

#endif /* KTAP_BASE_SHOWN_H */
