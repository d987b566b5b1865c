// SPDX-License-Identifier: GPL-2.0
/* Errors, notes and progress, for a person who reads stderr. */
#include "cli/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOLD_RED	"\033[1;31m"
#define GREEN		"\033[32m"
#define PLAIN		"\033[0m"

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

static void put_source(const char *source)
{
	fputs("  ", stderr);
	for (; *source; source++) {
		bool control = (unsigned char)*source < ' ' && *source != '\t';

		fputc(control ? '?' : *source, stderr);
	}
	fputc('\n', stderr);
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
	fputs("  ", stderr);
	for (; *hint; hint++) {
		fputc(*hint, stderr);
		if (*hint == '\n')
			fputs("  ", stderr);
	}
}

int say_failure(struct diag *d, const char *where)
{
	int status = d->code ? diag_exit_status(d) : DIAG_EXIT_FAILED;

	fflush(stdout);
	fputs(colour() ? BOLD_RED "ktap:" PLAIN " " : "ktap: ", stderr);
	if (where)
		fprintf(stderr, "%s: ", where);
	fprintf(stderr, "%s\n", d->message ? d->message : "out of memory");
	if (d->source) {
		put_source(d->source);
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
	va_list ap;

	fflush(stdout);
	fputs("ktap: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int say_output(struct diag *d, int err)
{
	return diag_set(d, err, DIAG_OUTPUT_WRITE, strerror(-err));
}

int say_close(int status)
{
	_cleanup_diag_ struct diag d = { 0 };
	bool failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout))
		failed = true;
	if (!failed || errno == EPIPE || status)
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
