// SPDX-License-Identifier: GPL-2.0
/* Which hook serves a probe, requests for many at once, modules to wait for. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>
#include <unistd.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

#define NAME A_STR(KTAP_A_NAME, "hook")
#define HOOK(name) A_STR(KTAP_A_HOOK, name)
#define NO_ENTRY "not the entry of a function that ftrace can trace"
#define NO_REGS "the program reads registers that an ftrace hook does not have"
#define NO_FTRACE "this kernel has no ftrace"

/* No entry is reached with flags (x86) or pstate (arm64) as arguments. */
#ifdef __aarch64__
#define LAST_REG KTAP_ARM64_PSTATE
#define FIRST_ARG KTAP_ARM64_X0
#else
#define LAST_REG KTAP_X86_64_FLAGS
#define FIRST_ARG KTAP_X86_64_DI
#endif
#define ARG_PROG A_BIN(KTAP_A_PROG, first_arg, sizeof(first_arg))

static const struct ktap_insn first_arg[] = {
	REG(0, FIRST_ARG), STORE(0, 8, 0, NOBIT), END()
};

static const struct ktap_insn last_reg[] = {
	REG(0, LAST_REG), STORE(0, 8, 0, NOBIT), END()
};

static const struct {
	const char *what;
	struct attr attrs[4];
	const char *text;
} refused[] = {
	{ "inside of a function",
	  { GOOD_PLACE, ARG_PROG, A_U64(KTAP_A_OFFSET, 64), A_END },
	  NO_ENTRY },
	{ "registers that are not saved",
	  { GOOD_PLACE, A_BIN(KTAP_A_PROG, last_reg, sizeof(last_reg)), A_END },
	  NO_REGS },
};

static bool has_ftrace(struct sock *s)
{
	const struct answer *a = request(s, KTAP_CMD_INFO_GET, ATTRS(A_END));

	return mnl_attr_get_u64(a->tb[KTAP_A_FEATURES]) & KTAP_FEATURE_FTRACE;
}

static void try_refused(struct sock *s)
{
	const char *none = has_ftrace(s) ? NULL : NO_FTRACE;
	const struct answer *a;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		const char *text = none ? none : refused[i].text;

		a = request(s, KTAP_CMD_PROBE_NEW,
			    ATTRS(NAME, GOOD_TYPE, HOOK("ftrace"),
				  refused[i].attrs[0], refused[i].attrs[1],
				  refused[i].attrs[2]));
		is_error(a->error, -EOPNOTSUPP, "hook: %s: error",
			 refused[i].what);
		is(a->attr, KTAP_A_HOOK, "hook: %s: attribute at fault",
		   refused[i].what);
		ok(!strcmp(a->text, text), "hook: %s: \"%s\"", refused[i].what,
		   a->text);
	}
	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(NAME, GOOD_TYPE, HOOK("int3"), GOOD_PLACE, GOOD_PROG,
			  A_END));
	is_error(a->error, -EINVAL, "hook: of no such kind: error");
	ok(!strcmp(a->text, "unknown hook: use ftrace or kprobe"),
	   "hook: of no such kind: \"%s\"", a->text);
	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(NAME, A_U32(KTAP_A_TYPE, KTAP_TYPE_TIMER),
			  HOOK("ftrace"), GOOD_PLACE, GOOD_PROG, A_END));
	is_error(a->error, -EOPNOTSUPP, "hook: of a timer: error");
	is(a->attr, KTAP_A_HOOK, "hook: of a timer: attribute at fault");
	ok(!strcmp(a->text, "the ftrace hook serves function entries only"),
	   "hook: of a timer: \"%s\"", a->text);
	is(limits(s)->nr_probes, 0, "hook: no probe is left");
}

/* ---- who serves ------------------------------------------------------------ */

static int new_with(struct sock *s, const char *name, const char *hook)
{
	const struct answer *a;

	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS({ KTAP_A_NAME, strlen(name) + 1, name }, GOOD_TYPE,
			  GOOD_PLACE, ARG_PROG,
			  { hook ? KTAP_A_HOOK : 0,
			    hook ? strlen(hook) + 1 : 0, hook },
			  A_END));
	return a->error ? a->error : (int)answer_u32(a, KTAP_A_ID);
}

static void is_served(struct sock *s, int id, const char *hook)
{
	const struct answer *a = request(s, KTAP_CMD_PROBE_GET,
					 ATTRS(A_U32(KTAP_A_ID, id), A_END));
	const char *got = a->tb[KTAP_A_HOOK] ?
			  mnl_attr_get_str(a->tb[KTAP_A_HOOK]) : "";

	ok(!strcmp(got, hook), "hook: %s serves: %s", hook, got);
}

static void try_serving(struct sock *s)
{
	is_served(s, new_with(s, "any", NULL),
		  has_ftrace(s) ? "ftrace" : "kprobe");
	is_served(s, new_with(s, "kprobe", "kprobe"), "kprobe");
	if (has_ftrace(s))
		is_served(s, new_with(s, "ftrace", "ftrace"), "ftrace");
	probe_forget(s);
}

/* ---- many at once ---------------------------------------------------------- */

#define SLOW (KTAP_ARM_MAX + 1)

static int set_many(struct sock *s, const uint32_t *ids, size_t nr, bool on)
{
	return request(s, KTAP_CMD_PROBE_SET,
		       ATTRS(A_BIN(KTAP_A_IDS, ids, nr * sizeof(*ids)),
			     A_U8(KTAP_A_ENABLED, on), A_END))->error;
}

static bool is_enabled(struct sock *s, uint32_t id)
{
	const struct answer *a = request(s, KTAP_CMD_PROBE_GET,
					 ATTRS(A_U32(KTAP_A_ID, id), A_END));

	return mnl_attr_get_u8(a->tb[KTAP_A_ENABLED]);
}

/* Arming one takes its time everywhere, which that of some kprobes does not. */
static int new_slow(struct sock *s, const char *name)
{
	const struct answer *a;

	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS({ KTAP_A_NAME, strlen(name) + 1, name },
			  A_U32(KTAP_A_TYPE, KTAP_TYPE_KRETPROBE), HOOK("kprobe"),
			  GOOD_PLACE, GOOD_PROG, A_END));
	return a->error ? a->error : (int)answer_u32(a, KTAP_A_ID);
}

static void make_slow(struct sock *s, uint32_t *ids)
{
	char name[] = "slow00";
	int i;

	for (i = 0; i < SLOW; i++) {
		name[4] = '0' + i / 10;
		name[5] = '0' + i % 10;
		ids[i] = new_slow(s, name);
	}
}

static int do_many(int fd, unsigned long cmd, const uint32_t *ids, uint32_t nr,
		   uint32_t *done)
{
	struct ktap_session_attach_many arg = {
		.ids = (uintptr_t)ids, .nr = nr, .done = ~0U,
	};
	int err = xioctl(fd, cmd, &arg);

	*done = arg.done;
	return err;
}

static void try_set(struct sock *s, const uint32_t *ids)
{
	uint32_t twice[] = { ids[0], ids[1], ids[0] };
	uint32_t absent[] = { ids[0], 65535 };

	is_error(set_many(s, ids, SLOW, true), -E2BIG,
		 "many: more kprobes than a request may arm");
	is(is_enabled(s, ids[0]), false, "many: none of them was");
	is_error(set_many(s, absent, 2, true), -ENOENT, "many: one is no probe");
	is_error(set_many(s, twice, 3, true), -EINVAL, "many: one twice");
	is(is_enabled(s, ids[0]), false, "many: none was set");
	is_error(set_many(s, ids, KTAP_ARM_MAX, true), 0, "many: as many as may");
	is(is_enabled(s, ids[KTAP_ARM_MAX - 1]), true, "many: they were");
	is_error(set_many(s, ids, SLOW, true), 0, "many: and one more");
	is_error(set_many(s, ids, 0, true), 0, "many: none at all");
	is_error(set_many(s, ids, KTAP_ARM_MAX, false), 0, "many: off again");
	is_error(set_many(s, ids, SLOW, false), 0, "many: all of them");
}

static void try_attach(const uint32_t *ids)
{
	uint32_t twice[] = { ids[0], ids[1], ids[0], ids[2] }, done;
	struct ktap_session_attach_many arg = { .ids = (uintptr_t)ids };
	int fd = session_open();

	is_error(do_many(fd, KTAP_IOC_ATTACH_MANY, ids, SLOW, &done), 0,
		 "many: a session attaches");
	is(done, KTAP_ARM_MAX, "many: as many as one call may");
	is_error(do_many(fd, KTAP_IOC_ATTACH_MANY, ids + done, 1, &done), 0,
		 "many: and the last");
	is_error(do_many(fd, KTAP_IOC_ATTACH_MANY, ids, 3, &done), -EEXIST,
		 "many: not again");
	is_error(do_many(fd, KTAP_IOC_DETACH_MANY, twice, 4, &done), 0,
		 "many: one twice is detached");
	is(done, 4, "many: with the others");
	is_error(do_many(fd, KTAP_IOC_DETACH_MANY, ids, SLOW, &done), 0,
		 "many: all are detached");
	is_error(do_many(fd, KTAP_IOC_ATTACH_MANY, NULL, 1, &done), -EFAULT,
		 "many: ids from nowhere");
	is_error(do_many(fd, KTAP_IOC_ATTACH_MANY, NULL, 0, &done), 0,
		 "many: none at all");
	arg.nr = KTAP_ATTACH_MAX + 1;
	is_error(xioctl(fd, KTAP_IOC_ATTACH_MANY, &arg), -EINVAL,
		 "many: too many");
	arg.nr = 1;
	arg.flags = 1;
	is_error(xioctl(fd, KTAP_IOC_DETACH_MANY, &arg), -EINVAL,
		 "many: a flag that is none");
	close(fd);
}

/* ---- modules --------------------------------------------------------------- */

static void try_waiting(struct sock *s)
{
	const struct answer *a;
	uint32_t id;

	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(NAME, GOOD_TYPE, GOOD_PROG,
			  A_STR(KTAP_A_SYMBOL, "no_such_module:function"),
			  A_U32(KTAP_A_FLAGS, KTAP_PROBE_F_WAIT), A_END));
	is_error(a->error, 0, "waiting: for a module");
	id = answer_u32(a, KTAP_A_ID);
	is_error(probe_enable(s, id, true), 0, "waiting: is enabled");
	a = request(s, KTAP_CMD_PROBE_GET, ATTRS(A_U32(KTAP_A_ID, id), A_END));
	ok(a->tb[KTAP_A_WAITING], "waiting: is told");
	is_error(probe_enable(s, id, false), 0, "waiting: is disabled");
	is_error(probe_del(s, id), 0, "waiting: is deleted");
	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(NAME, GOOD_TYPE, GOOD_PROG,
			  A_STR(KTAP_A_SYMBOL, "no_such_function"),
			  A_U32(KTAP_A_FLAGS, KTAP_PROBE_F_WAIT), A_END));
	is_error(a->error, -ENOENT, "waiting: but not for the kernel");
}

void try_hooks(void)
{
	struct sock *s = sock_open();
	uint32_t ids[SLOW];

	try_refused(s);
	try_serving(s);
	make_slow(s, ids);
	try_set(s, ids);
	try_attach(ids);
	probe_forget(s);
	try_waiting(s);
	sock_close(s);
}
