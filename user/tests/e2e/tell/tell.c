// SPDX-License-Identifier: GPL-2.0
/* The outcome of attempts, as TAP without numbers: lib.sh numbers it. */
#include "tell.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void tell(bool good, const char *format, va_list ap)
{
	printf("%sok - ", good ? "" : "not ");
	vprintf(format, ap);
	putchar('\n');
}

void ok(bool good, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	tell(good, format, ap);
	va_end(ap);
	fflush(stdout);
}

void is(long long got, long long want, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	tell(got == want, format, ap);
	va_end(ap);
	if (got != want)
		printf("#   got %lld, wanted %lld\n", got, want);
	fflush(stdout);
}

static const char *error_name(int error)
{
	return error ? strerrorname_np(-error) : "success";
}

void is_error(int got, int want, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	tell(got == want, format, ap);
	va_end(ap);
	if (got != want)
		printf("#   got %s, wanted %s\n", error_name(got),
		       error_name(want));
	fflush(stdout);
}

void is_text(const char *got, const char *want, const char *what)
{
	ok(!strcmp(got, want), "%s", what);
	if (strcmp(got, want))
		printf("#   got \"%s\", wanted \"%s\"\n", got, want);
	fflush(stdout);
}

void die(const char *what)
{
	printf("not ok - %s: %s: %s\n", program_invocation_short_name, what,
	       strerror(errno));
	fflush(stdout);
	_exit(1);
}

int tell_main(int argc, char **argv, const struct attempt *attempts)
{
	int n, found = 0;

	for (n = 1; n < argc; n++) {
		const struct attempt *a = attempts;

		while (a->name && strcmp(argv[n], a->name))
			a++;
		if (!a->name)
			continue;
		a->try();
		found++;
	}
	ok(found == argc - 1 && found, "%s: all of what was asked for",
	   program_invocation_short_name);
	return 0;
}

uint64_t kernel_symbol(const char *name)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long long at;
	char line[1024], word[512];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %*c %511s", &at, word) == 2 &&
		    !strcmp(word, name)) {
			fclose(f);
			return at;
		}
	die(name);
}
