// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as a file for 'ktap load'. Each line is text without its
 * end and without blanks around it, is counted, and is a definition or refused
 * with a reason; what is accepted is accepted again, and means the same, when its
 * canonical form is read from a file.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spec/listed.h"
#include "spec/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
	if (!ok)
		abort();
}

static char *canonical(const char *text, struct diag *d)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;

	if (spec_parse(text, d, &spec)) {
		require(d->code != DIAG_OK && d->message);
		return NULL;
	}
	return spec->kind == SPEC_PROBE ? spec_canonical(spec) : NULL;
}

/* A file of one line: read, it is the line. */
static void check_alone(char *line)
{
	struct listed in = { .f = fmemopen(line, strlen(line), "r") };
	struct diag d = {};
	char *text, *again;

	require(in.f && listed_next(&in, &d, &text) == 1);
	again = canonical(text, &d);
	require(again && !strcmp(again, line));
	require(!listed_next(&in, &d, &text) && in.number == 1);
	free(again);
	listed_deinit(&in);
	fclose(in.f);
}

static void check_line(const char *text)
{
	size_t length = strlen(text);
	struct diag d = {};
	char *line;

	require(!strchr(text, '\n') && length <= LISTED_BYTES_MAX);
	require(!length || (!strchr(" \t", text[0]) &&
			    !strchr(" \t\r", text[length - 1])));
	line = *text ? canonical(text, &d) : NULL;
	if (line)
		check_alone(line);
	free(line);
	diag_clear(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* fmemopen() takes no empty file, and nothing that it may not write */
	_cleanup_free_ uint8_t *copy = malloc(size + 1);
	struct listed in = {};
	struct diag d = {};
	unsigned int lines = 0;
	char *text = NULL;
	int ret;

	if (!size)
		return 0;
	memcpy(copy, data, size);
	in.f = fmemopen(copy, size, "r");
	require(copy && in.f);
	while ((ret = listed_next(&in, &d, &text)) > 0) {
		require(in.number == ++lines);
		check_line(text);
	}
	if (ret)
		require(ret == -EINVAL && d.message && in.number == lines + 1);
	diag_clear(&d);
	listed_deinit(&in);
	fclose(in.f);
	return 0;
}
