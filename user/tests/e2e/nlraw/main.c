// SPDX-License-Identifier: GPL-2.0
/* nlraw: a table of attempts, and how the outcome is told. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

const struct ktap_insn good_prog[3] = {
	REG(0, 0), STORE(0, 8, 0, NOBIT), END()
};

static const struct {
	const char *name;
	void (*try)(void);
} attempts[] = {
	{ "messages", try_messages },
	{ "programs", try_programs },
	{ "places", try_places },
	{ "returns", try_returns },
	{ "hooks", try_hooks },
	{ "blobs", try_blobs },
	{ "lifetimes", try_lifetimes },
	{ "armed", try_armed },
	{ "groups", try_groups },
	{ "many", try_many },
	{ "ids", try_all_ids },
	{ "rights", try_rights },
	{ "device", try_device },
	{ "maps", try_maps },
	{ "tails", try_tails },
	{ "shortage", try_shortage },
	{ "lockdown", try_lockdown },
};

/* ---- telling ----------------------------------------------------------------------- */

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

void die(const char *what)
{
	printf("not ok - nlraw: %s: %s\n", what, strerror(errno));
	fflush(stdout);
	exit(1);
}

/* ---- sessions ---------------------------------------------------------------------- */

int xioctl(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) < 0 ? -errno : 0;
}

int session_open(void)
{
	struct ktap_session_setup setup = { .subbuf_size = 4096,
					    .ring_size = 16384,
					    .flags = KTAP_SESSION_F_SELF };
	int fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);

	if (fd < 0 || xioctl(fd, KTAP_IOC_SETUP, &setup))
		die("/dev/ktap");
	return fd;
}

int session_attach(int fd, uint32_t id)
{
	struct ktap_session_attach arg = { .id = id };

	return xioctl(fd, KTAP_IOC_ATTACH, &arg);
}

int session_detach(int fd, uint32_t id)
{
	struct ktap_session_attach arg = { .id = id };

	return xioctl(fd, KTAP_IOC_DETACH, &arg);
}

int main(int argc, char **argv)
{
	size_t i;
	int n, found = 0;

	for (n = 1; n < argc; n++)
		for (i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
			if (!strcmp(argv[n], attempts[i].name)) {
				attempts[i].try();
				found++;
			}
	ok(found == argc - 1 && found, "nlraw: all of what was asked for");
	return 0;
}
