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

static void put_line(const struct buf *b)
{
	fwrite(buf_str(b), 1, b->size, stdout);
	putchar('\n');
}

void print_line(const char *fmt, ...)
{
	_cleanup_buf_ struct buf text = BUF_INIT, line = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	shown_put(&line, buf_str(&text), text.size, SHOWN_BACKSLASH);
	put_line(&line);
}

void print_source(const char *margin, const char *text, size_t length)
{
	_cleanup_buf_ struct buf line = BUF_INIT;

	buf_puts(&line, margin);
	shown_put(&line, text, length, SHOWN_SOURCE);
	put_line(&line);
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
