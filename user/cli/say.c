// SPDX-License-Identifier: GPL-2.0
/* Errors, notes and progress, for a person who reads stderr. */
#include "cli/say.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "cli/print.h"
#include "cli/signals.h"

#define BOLD_RED	"\033[1;31m"
#define GREEN		"\033[32m"
#define PLAIN		"\033[0m"

#define PATIENCE_NS	1000000000ULL	/* short waits are no news */
#define PAUSE_NS	2500000000ULL

static bool colour(void)
{
	const char *no = getenv("NO_COLOR");

	return isatty(STDERR_FILENO) && !(no && *no);
}

/* Bytes inside a UTF-8 character take no column of their own. */
static bool continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/*
 * Names come from files and command lines: what would steer the terminal, but
 * for what is in @keep, is shown as '?'.
 */
static void put_plain(const char *text, const char *keep)
{
	size_t left = strlen(text), n;
	uint32_t c;

	for (; left; text += n, left -= n) {
		n = utf8_get(text, left, &c);
		if (n && (utf8_printable(c) || (c < ' ' && strchr(keep, c)))) {
			fwrite(text, 1, n, stderr);
		} else {
			fputc('?', stderr);
			n = n ? n : 1;
		}
	}
}

/* What is longer is cut: nobody reads a megabyte for the word that is wrong. */
#define TEXT_MAX	800
#define SOURCE_MAX	400
#define SOURCE_BEFORE	100
#define DOTS		"..."

/* A text of which the beginning says what it is about. */
static void put_cut(const char *text)
{
	_cleanup_free_ char *cut = NULL;
	size_t size = TEXT_MAX;

	if (strlen(text) <= TEXT_MAX) {
		put_plain(text, "");
		return;
	}
	while (size && continuation(text[size]))
		size--;
	cut = strndup(text, size);
	put_plain(cut ? cut : "", "");
	fputs(DOTS, stderr);
}

/* Leave of a long line what is around the column. */
static void cut_source(struct diag *d)
{
	size_t size = strlen(d->source), start = 0, end;
	char *cut;

	if (size <= SOURCE_MAX)
		return;
	if (d->column > SOURCE_BEFORE)
		start = d->column - SOURCE_BEFORE;
	if (start > size - SOURCE_MAX)
		start = size - SOURCE_MAX;
	end = start + SOURCE_MAX;
	while (start && continuation(d->source[start]))
		start--;
	while (end < size && continuation(d->source[end]))
		end++;
	if (asprintf(&cut, "%s%.*s%s", start ? DOTS : "", (int)(end - start),
		     d->source + start, end < size ? DOTS : "") < 0)
		return;
	free(d->source);
	d->source = cut;
	d->column = d->column - start + (start ? strlen(DOTS) : 0);
	if (d->column + d->length > strlen(cut))
		d->length = strlen(cut) - d->column;
}

/* Blanks up to @column: a tab stays a tab, so that both lines move alike. */
static size_t put_margin(const char *source, size_t column)
{
	size_t i;

	fputs("  ", stderr);
	for (i = 0; i < column && source[i]; i++) {
		if (!continuation(source[i]))
			fputc(source[i] == '\t' ? '\t' : ' ', stderr);
	}
	return i;
}

static void put_marker(const struct diag *d)
{
	size_t at = put_margin(d->source, d->column);

	fputs(colour() ? GREEN "^" : "^", stderr);
	for (size_t i = 1; i < d->length && d->source[at]; i++) {
		if (!d->source[++at])
			break;
		if (!continuation(d->source[at]))
			fputc('~', stderr);
	}
	if (colour())
		fputs(PLAIN, stderr);
}

/* The first line goes beside the marker, more of them below it. */
static void put_hint(const char *hint)
{
	size_t length;

	for (; *hint; hint += length) {
		_cleanup_free_ char *line = NULL;

		length = strcspn(hint, "\n");
		line = strndup(hint, length);
		fputs("  ", stderr);
		put_cut(line ? line : "");
		if (hint[length]) {
			fputc('\n', stderr);
			length++;
		}
	}
}

int say_failure(struct diag *d, const char *where)
{
	int status = d->code ? diag_exit_status(d) : DIAG_EXIT_FAILED;

	fflush(stdout);
	fputs(colour() ? BOLD_RED "ktap:" PLAIN " " : "ktap: ", stderr);
	if (where) {
		put_plain(where, "");
		fputs(": ", stderr);
	}
	put_cut(d->message ? d->message : "out of memory");
	fputc('\n', stderr);
	if (d->source) {
		cut_source(d);
		fputs("  ", stderr);
		put_plain(d->source, "\t");
		fputc('\n', stderr);
		put_marker(d);
	}
	if (d->hint)
		put_hint(d->hint);
	if (d->source || d->hint)
		fputc('\n', stderr);
	diag_clear(d);
	return status;
}

void say_note(const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	fflush(stdout);
	fputs("ktap: ", stderr);
	put_plain(text ? text : "out of memory", "");
	fputc('\n', stderr);
}

static bool quiet;

void say_quiet(void)
{
	quiet = true;
}

/* Calls come about once per second: after a longer pause it is another wait. */
bool say_waiting(const char *what)
{
	static uint64_t began, last;
	static bool said;
	uint64_t now = now_ns();

	if (!began || now - last > PAUSE_NS)
		began = now;
	last = now;
	if (!said && !quiet && now - began >= PATIENCE_NS) {
		said = true;
		say_note("waiting for the debuginfod server %s: DEBUGINFOD_TIMEOUT sets for how long",
			 what);
	}
	return signals_seen();
}

int say_output(struct diag *d, int err)
{
	return diag_set(d, err, DIAG_OUTPUT_WRITE, strerror(-err));
}

/* Nobody reads that pipe any more: a write that failed before need not say why. */
static bool reader_left(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

int say_close(int status)
{
	_cleanup_diag_ struct diag d = { 0 };
	bool left = reader_left(), failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout))
		failed = true;
	if (!status && print_lacked()) {
		diag_no_memory(&d);
		return say_failure(&d, NULL);
	}
	if (!failed || left || errno == EPIPE || status)
		return status;
	say_output(&d, errno ? -errno : -EIO);
	return say_failure(&d, NULL);
}

void progress_init(struct progress *p, const char *what, size_t total,
		   bool quiet)
{
	*p = (struct progress){
		.what = what,
		.total = total,
		.off = quiet || !isatty(STDERR_FILENO),
	};
	clock_gettime(CLOCK_MONOTONIC, &p->next);
	p->next.tv_sec++;
}

void progress_deinit(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}

void progress_step(struct progress *p, size_t done)
{
	struct timespec now;

	if (p->off)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec < p->next.tv_sec ||
	    (now.tv_sec == p->next.tv_sec && now.tv_nsec < p->next.tv_nsec))
		return;
	p->next = now;
	p->next.tv_sec++;
	p->shown = true;
	if (p->total)
		fprintf(stderr, "\r\033[Kktap: %zu of %zu %s", done, p->total,
			p->what);
	else
		fprintf(stderr, "\r\033[Kktap: %zu %s", done, p->what);
}

void progress_step_fn(void *ctx, size_t done)
{
	progress_step(ctx, done);
}
