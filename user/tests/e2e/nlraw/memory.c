// SPDX-License-Identifier: GPL-2.0
/*
 * What takes memory is refused above the module's limit and above what is
 * there; what was refused leaves nothing charged; and a session whose rings were
 * refused takes smaller ones.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

#define TOO_MUCH "the memory of all probes and sessions would exceed the module's memory_max"
#define NOT_THERE "the kernel has too little available memory"

#define RETURN_TYPE A_U32(KTAP_A_TYPE, KTAP_TYPE_KRETPROBE)
#define LONG	900	/* instructions; two of them fit in a message */
#define MANY	1500
#define FILL	20000

static struct ktap_insn long_prog[LONG];

void set_limit(const char *name, uint64_t bytes)
{
	char path[80];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/ktap/parameters/%s", name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%llu\n", (unsigned long long)bytes) < 0 || fclose(f))
		die(path);
}

static void refused(const struct answer *a, int error, const char *text,
		    const char *what)
{
	is_error(a->error, error, "memory: %s: error", what);
	ok(!strcmp(a->text, text), "memory: %s: \"%s\"", what, a->text);
	ok(a->cookie > 0, "memory: %s: %llu bytes were wanted", what,
	   (unsigned long long)a->cookie);
}

/* Stores the same register again and again: allowed, and as long as it gets. */
static void make_long(void)
{
	int i;

	long_prog[0] = (struct ktap_insn)REG(0, 0);
	for (i = 1; i < LONG - 1; i++)
		long_prog[i] = (struct ktap_insn)STORE(0, 8, 0, NOBIT);
	long_prog[LONG - 1] = (struct ktap_insn)END();
}

static const struct answer *new_long(struct sock *s, int nr)
{
	char name[16];

	snprintf(name, sizeof(name), "long%d", nr);
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_BIN(KTAP_A_NAME, name, strlen(name) + 1),
			     RETURN_TYPE, GOOD_PLACE,
			     A_BIN(KTAP_A_PROG, long_prog, sizeof(long_prog)),
			     A_BIN(KTAP_A_ENTRY_PROG, long_prog,
				   sizeof(long_prog)), A_END));
}

static const struct answer *new_text(struct sock *s)
{
	static const struct ktap_insn text[] = {
		REG(0, 0), STRING(0, 4096, 0, 0), END()
	};

	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_STR(KTAP_A_NAME, "text"), GOOD_TYPE, GOOD_PLACE,
			     A_BIN(KTAP_A_PROG, text, sizeof(text)), A_END));
}

/* As many and as large instances as one probe can have. */
static const struct answer *new_instances(struct sock *s, int nr)
{
	static const struct ktap_insn fits[] = {
		REG(0, 0), STORE(0, 8, KTAP_ENTRY_MAX - 8, NOBIT), END()
	};
	char name[16];

	snprintf(name, sizeof(name), "many%d", nr);
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_BIN(KTAP_A_NAME, name, strlen(name) + 1),
			     RETURN_TYPE, GOOD_PLACE, GOOD_PROG,
			     A_BIN(KTAP_A_ENTRY_PROG, fits, sizeof(fits)),
			     A_U32(KTAP_A_MAXACTIVE, 4096), A_END));
}

static const struct answer *new_blob(struct sock *s)
{
	return request(s, KTAP_CMD_PROBE_NEW,
		       ATTRS(A_STR(KTAP_A_NAME, "blob"), GOOD_TYPE, GOOD_PLACE,
			     GOOD_PROG, A_U32(KTAP_A_BLOB_SIZE, 1 << 20), A_END));
}

/* ---- the module's limit ------------------------------------------------------------ */

static void try_limit(struct sock *s)
{
	uint64_t base = limits(s)->memory_total;

	/* one page more: the probe itself fits, what it wants does not */
	set_limit("memory_max", base + 4096 + 64);
	refused(new_long(s, 0), -ENOSPC, TOO_MUCH, "above the limit: a program");
	refused(new_text(s), -ENOSPC, TOO_MUCH, "above the limit: scratch");
	refused(new_blob(s), -ENOSPC, TOO_MUCH, "above the limit: metadata");
	refused(new_instances(s, 0), -ENOSPC, TOO_MUCH,
		"above the limit: instances");
	set_limit("memory_max", base + 1);
	refused(new_blob(s), -ENOSPC, TOO_MUCH, "above the limit: a probe");
	set_limit("memory_max", 0);
	is(limits(s)->memory_total, base, "memory: nothing is charged for those");
	is_error(new_long(s, 0)->error, 0, "memory: below the limit: a program");
	is_error(new_text(s)->error, 0, "memory: below the limit: scratch");
	ok(limits(s)->program_total >= 2 * sizeof(long_prog),
	   "memory: %llu bytes of programs",
	   (unsigned long long)limits(s)->program_total);
	ok(limits(s)->scratch_total >= 4 * 4096,
	   "memory: %llu bytes of scratch",
	   (unsigned long long)limits(s)->scratch_total);
	probe_forget(s);
	sleep(3); /* scratch shrinks a second later */
	is(limits(s)->program_total, 0, "memory: no program is left");
	is(limits(s)->scratch_total, 0, "memory: no scratch is left");
	is(limits(s)->memory_total, base, "memory: nothing else is left");
}

/* ---- what is there ----------------------------------------------------------------- */

static void try_available(struct sock *s)
{
	uint64_t base = limits(s)->memory_total;
	const struct answer *a = NULL;
	int i;

	set_limit("memory_max", 1ULL << 50);
	set_limit("return_total_max", 1ULL << 50);
	for (i = 0; i < MANY; i++) {
		a = new_instances(s, i);
		if (a->error)
			break;
	}
	printf("#   %d probes\n", i);
	refused(a, -ENOMEM, NOT_THERE, "instances until there is no more");
	probe_forget(s);
	set_limit("return_total_max", 0);
	set_limit("memory_max", 0);
	is(limits(s)->memory_total, base, "memory: all that was charged is given back");
}

/* ---- rings --------------------------------------------------------------------------- */

static void try_rings(struct sock *s)
{
	struct ktap_session_setup small = { .subbuf_size = 4096,
					    .ring_size = 16384 };
	struct ktap_session_setup large = { .ring_size = 1 << 30 };
	uint64_t base = limits(s)->memory_total;
	int fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/ktap");
	is_error(xioctl(fd, KTAP_IOC_SETUP, &large), -ENOSPC,
		 "memory: rings above the limit");
	set_limit("memory_max", 1ULL << 50);
	set_limit("ring_total_max", 1ULL << 50);
	is_error(xioctl(fd, KTAP_IOC_SETUP, &large), -ENOMEM,
		 "memory: rings of more than there is");
	set_limit("ring_total_max", 0);
	set_limit("memory_max", 0);
	is(limits(s)->memory_total, base, "memory: nothing is charged for those");
	is_error(xioctl(fd, KTAP_IOC_SETUP, &small), 0,
		 "memory: after that the session takes smaller ones");
	ok(limits(s)->ring_total > 0, "memory: which are charged");
	is_error(xioctl(fd, KTAP_IOC_SETUP, &small), -EBUSY,
		 "memory: and no others");
	close(fd);
	is(limits(s)->memory_total, base, "memory: no ring is left");
}

void try_memory(void)
{
	struct sock *s = sock_open();

	make_long();
	sleep(3); /* what those before had of scratch */
	try_limit(s);
	try_available(s);
	try_rings(s);
	sock_close(s);
}

/* ---- many ------------------------------------------------------------------------------ */

void try_many_long(void)
{
	struct sock *s = sock_open();
	int i;

	make_long();
	for (i = 0; i < MANY; i++)
		if (new_long(s, i)->error)
			break;
	is(i, MANY, "memory: return probes of two long programs");
	sock_close(s);
}

void try_fill(void)
{
	struct sock *s = sock_open();
	const struct answer *a = NULL;
	int i;

	make_long();
	set_limit("memory_max", 1ULL << 50);
	set_limit("return_total_max", 1ULL << 50);
	for (i = 0; i < FILL; i++) {
		a = new_long(s, i);
		if (a->error)
			break;
	}
	printf("#   %d probes\n", i);
	refused(a, -ENOMEM, NOT_THERE, "probes until there is no more");
	set_limit("return_total_max", 0);
	set_limit("memory_max", 0);
	sock_close(s);
}

/* Each scope has half a MiB. */
void try_scopes(void)
{
	struct ktap_session_scope scope = { .pid = getpid() };
	struct sock *s = sock_open();
	uint64_t base = limits(s)->memory_total;
	int fd[200], i, error = 0;

	for (i = 0; i < 200; i++) {
		fd[i] = session_open();
		error = xioctl(fd[i], KTAP_IOC_SCOPE, &scope);
		if (error)
			break;
	}
	printf("#   %d scopes\n", i);
	is_error(error, -ENOMEM, "memory: scopes until there is no more");
	is(limits(s)->scope_total, (uint64_t)i << 19, "memory: what they take");
	while (i >= 0)
		close(fd[i--]);
	is(limits(s)->memory_total, base, "memory: no scope is left");
	sock_close(s);
}
