// SPDX-License-Identifier: GPL-2.0
/* Lines on stdout. */
#include "cli/print.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/shown.h"
#include "cli/pager.h"

/* Some line was not printed, because memory lacked. */
static bool lacked;

void print_buf(const struct buf *b)
{
	if (b->failed) {
		lacked = true;
		return;
	}
	fwrite(buf_str(b), 1, b->size, stdout);
	putchar('\n');
}

bool print_lacked(void)
{
	return lacked;
}

void print_line(const char *fmt, ...)
{
	_cleanup_buf_ struct buf text = BUF_INIT, line = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	line.failed = text.failed;
	shown_put(&line, buf_str(&text), text.size, SHOWN_BACKSLASH);
	print_buf(&line);
}

void print_source(const char *margin, const char *text, size_t length)
{
	_cleanup_buf_ struct buf line = BUF_INIT;

	buf_puts(&line, margin);
	shown_put(&line, text, length, SHOWN_SOURCE);
	print_buf(&line);
}

void print_definition(const char *text)
{
	if (on_terminal())
		print_line("%s", text);
	else
		puts(text);
}

static bool any_block;

void print_block(void)
{
	if (any_block)
		putchar('\n');
	any_block = true;
}

void print_first_block(void)
{
	any_block = false;
}
