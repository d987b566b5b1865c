// SPDX-License-Identifier: GPL-2.0
/* Calls for user stacks: tables that lead hits anywhere, and the files that hits met. */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "calls.h"

#define ROWS_MAX	600	/* the index has another shape from 257 on */
#define RULES_MAX	16

static uint32_t pcs[ROWS_MAX];
static uint16_t rows[ROWS_MAX];
static struct ktap_user_rule rules[RULES_MAX];

/* Files that processes of the run map, and such as cannot be mapped. */
static int some_file(struct chance *c)
{
	static const char *const paths[] = {
		"/proc/self/exe", "/proc/self/exe", "/proc/self/exe", "/bin/sh", "/dev/zero", "/",
		"/proc/version",
	};

	return open(paths[chance_below(c, 7)], O_RDONLY | O_CLOEXEC);
}

/* From the frame or far from it, so that reads fault and go in circles. */
static int16_t some_words(struct chance *c)
{
	return chance_of(c, 70) ? (int)chance_below(c, 9) - 4 : (int16_t)chance_next(c);
}

/* Return: the number of rows. */
static uint32_t make_rows(struct chance *c, uint32_t nr_rules)
{
	uint32_t nr = chance_of(c, 90) ? 1 + chance_below(c, 40) : chance_below(c, ROWS_MAX + 1);
	uint32_t at = chance_of(c, 80) ? 0 : chance_next(c), i;

	for (i = 0; i < nr; i++) {
		pcs[i] = at;
		rows[i] = some_number(c, chance_below(c, nr_rules ? nr_rules : 1));
		/* some descend, and some wrap */
		at += chance_of(c, 99) ? 1 + chance_below(c, 1U << chance_below(c, 20)) : 0;
	}
	return nr;
}

int do_user_table(struct chance *c)
{
	struct ktap_session_table t = {
		.pcs = (uintptr_t)some_pointer(c, pcs), .rows = (uintptr_t)some_pointer(c, rows),
		.rules = (uintptr_t)some_pointer(c, rules), .file = chance_next(c),
		.nr_rules = 1 + chance_below(c, RULES_MAX), .fd = some_file(c),
	};
	unsigned int i;
	int fd = t.fd, ret;

	for (i = 0; i < RULES_MAX; i++)
		rules[i] = (struct ktap_user_rule){
			.kind = chance_of(c, 99) ? chance_below(c, __KTAP_USER_RULES) :
						   chance_next(c),
			.cfa = some_words(c), .fp = some_words(c), .ra = some_words(c),
		};
	t.nr_rows = make_rows(c, t.nr_rules);
	if (chance_of(c, 3))
		t.nr_rows = chance_odd(c);
	if (chance_of(c, 3))
		t.nr_rules = chance_odd(c);
	if (chance_of(c, 3))
		t.fd = *some_session(c);
	ret = ioctl(*some_session(c), KTAP_IOC_USER_TABLE, some_pointer(c, &t));
	if (fd >= 0)
		close(fd);
	return ret;
}

int do_user_files(struct chance *c)
{
	static struct ktap_user_file files[64];
	struct ktap_session_files arg = {
		.files = (uintptr_t)some_pointer(c, files),
		.room = some_number(c, chance_below(c, 65)),
		.from = some_number(c, chance_below(c, 8)),
		.nr = chance_next(c), .total = chance_next(c),
	};

	/* no more than there is room for here, or a good call writes beyond it */
	if (arg.room > 64)
		arg.files = 0;
	return ioctl(*some_session(c), KTAP_IOC_USER_FILES, some_pointer(c, &arg));
}
