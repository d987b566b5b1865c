// SPDX-License-Identifier: GPL-2.0
/* Definitions that a file lists. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "spec/listed.h"

/*
 * As in kprobe_events a comment may follow a definition. As in a shell it is behind a blank:
 * names of Rust's closures have a '#' in them.
 */
static char *trim(char *line)
{
	bool quoted = false;
	char *end;

	line += strspn(line, " \t");
	for (end = line; *end && *end != '\n'; end++) {
		if (quoted && *end == '\\' && end[1] != '\n')
			end++;
		else if (*end == '"')
			quoted = !quoted;
		else if (*end == '#' && !quoted && (end == line || strchr(" \t", end[-1])))
			break;
	}
	while (end > line && strchr(" \t\r", end[-1]))
		end--;
	*end = '\0';
	return line;
}

/*
 * The next line, with its end. A file may be one line that never ends, or no
 * text at all: /dev/zero is both.
 */
static int read_line(struct listed *l, struct diag *d)
{
	struct buf *line = &l->line;
	int c;

	buf_clear(line);
	while ((c = getc_unlocked(l->f)) != EOF && c != '\n') {
		if (!c)
			return diag_set(d, -EINVAL, DIAG_INPUT_NUL);
		if (line->size == LISTED_BYTES_MAX)
			return diag_set(d, -EINVAL, DIAG_INPUT_LONG,
					LISTED_BYTES_MAX);
		buf_putc(line, (char)c);
	}
	if (c == EOF && !line->size)
		return 0;
	buf_putc(line, '\n');
	return line->failed ? diag_no_memory(d) : 1;
}

int listed_next(struct listed *l, struct diag *d, char **text)
{
	int ret = read_line(l, d);

	if (ret)
		l->number++;
	if (ret > 0)
		*text = trim(l->line.data);
	return ret;
}

void listed_deinit(struct listed *l)
{
	buf_deinit(&l->line);
}
