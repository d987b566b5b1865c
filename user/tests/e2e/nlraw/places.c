// SPDX-License-Identifier: GPL-2.0
/* Places that the kernel refuses, and how that is explained. */
#include <errno.h>
#include <string.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

#define KERNEL_FORBIDS "the kernel forbids a kprobe here: blacklisted, patched at run time, or not code"
#define NO_SYMBOL "no such symbol in this kernel, or its memory has been freed"

static const struct {
	const char *what;
	struct attr place[3];
	int error;
	int attr;
	const char *text;
} places[] = {
	{ "no such symbol", { A_STR(KTAP_A_SYMBOL, "no_such_symbol"), A_END },
	  ENOENT, KTAP_A_SYMBOL, NO_SYMBOL },
	{ "empty symbol", { A_STR(KTAP_A_SYMBOL, ""), A_END },
	  ENOENT, KTAP_A_SYMBOL, NO_SYMBOL },
	{ "no such module", { A_STR(KTAP_A_SYMBOL, "no_such_module:vfs_read"),
			      A_END },
	  ENOENT, KTAP_A_SYMBOL, NO_SYMBOL },
	{ "symbol of all kinds of bytes",
	  { A_STR(KTAP_A_SYMBOL, "%s%n\x01\xff"), A_END },
	  ENOENT, KTAP_A_SYMBOL, NO_SYMBOL },
	{ "function of the kprobes themselves",
	  { A_STR(KTAP_A_SYMBOL, "kprobe_int3_handler"), A_END },
	  EINVAL, KTAP_A_SYMBOL, KERNEL_FORBIDS },
	{ "our own hit path", { A_STR(KTAP_A_SYMBOL, "ktap:ktap_hit"), A_END },
	  EINVAL, KTAP_A_SYMBOL, KERNEL_FORBIDS },
	{ "ours, by its name", { A_STR(KTAP_A_SYMBOL, "ktap:ktap_lockdown"), A_END },
	  EINVAL, NO_ATTR, "ktap does not probe itself" },
	{ "data", { A_STR(KTAP_A_SYMBOL, "jiffies"), A_END },
	  EINVAL, KTAP_A_SYMBOL, KERNEL_FORBIDS },
	{ "inside of an instruction",
	  { GOOD_PLACE, A_U64(KTAP_A_OFFSET, 1), A_END },
	  EILSEQ, KTAP_A_SYMBOL, "not on an instruction boundary" },
	{ "address in user space", { A_U64(KTAP_A_ADDR, 0x1000), A_END },
	  ENOENT, KTAP_A_ADDR, NO_SYMBOL },
	{ "address that is no address",
	  { A_U64(KTAP_A_ADDR, 0xdead000000000000), A_END },
	  ENOENT, KTAP_A_ADDR, NO_SYMBOL },
	{ "last address", { A_U64(KTAP_A_ADDR, ~0ULL), A_END },
	  ENOENT, KTAP_A_ADDR, NO_SYMBOL },
	/* with both, the address is probed and the symbol is shown */
	{ "good symbol, bad address",
	  { GOOD_PLACE, A_U64(KTAP_A_ADDR, 1), A_END },
	  ENOENT, KTAP_A_ADDR, NO_SYMBOL },
};

#define WATCH(addr, length, access) \
	A_U64(KTAP_A_ADDR, addr), A_U32(KTAP_A_LENGTH, length), \
	A_U32(KTAP_A_ACCESS, access)
#define SOMEWHERE 0xffffffff81000000ULL
#define ENTRY_AREA 0xfffffe0000000000ULL

static const struct ktap_insn no_prog[] = { END() };

static const struct {
	const char *what;
	uint32_t type;
	struct attr place[4];
	bool regs;
	int error;
	const char *text;
} others[] = {
	{ "tracepoint without a name", KTAP_TYPE_TRACEPOINT, { A_END }, false,
	  EINVAL, "the message lacks the tracepoint's name" },
	{ "tracepoint with an address", KTAP_TYPE_TRACEPOINT,
	  { A_STR(KTAP_A_SYMBOL, "sys_enter"), A_U64(KTAP_A_ADDR, 8), A_END },
	  false, EINVAL, "a tracepoint has a name and no address" },
	{ "tracepoint with an offset", KTAP_TYPE_TRACEPOINT,
	  { A_STR(KTAP_A_SYMBOL, "sys_enter"), A_U64(KTAP_A_OFFSET, 8), A_END },
	  false, EINVAL, "a tracepoint has a name and no address" },
	{ "no such tracepoint", KTAP_TYPE_TRACEPOINT,
	  { A_STR(KTAP_A_SYMBOL, "sys_entr"), A_END }, false, ENOENT,
	  "no tracepoint of this name in this kernel and its modules" },
	{ "registers at a tracepoint", KTAP_TYPE_TRACEPOINT,
	  { A_STR(KTAP_A_SYMBOL, "sys_enter"), A_END }, true, EINVAL,
	  "this kind of probe has no registers" },
	{ "system call without a number", KTAP_TYPE_SYSCALL, { A_END }, false,
	  EINVAL, "the message lacks the system call's number" },
	{ "return of one without a number", KTAP_TYPE_SYSRET,
	  { A_STR(KTAP_A_SYMBOL, "__x64_sys_read"), A_END }, false, EINVAL,
	  "the message lacks the system call's number" },
	{ "a number beyond all calls", KTAP_TYPE_SYSCALL,
	  { A_U32(KTAP_A_SYSCALL, KTAP_SYSCALLS_MAX), A_END }, false, EINVAL,
	  "no system call has this number" },
	{ "the largest number", KTAP_TYPE_SYSRET,
	  { A_U32(KTAP_A_SYSCALL, UINT32_MAX), A_END }, false, EINVAL,
	  "no system call has this number" },
	{ "inside of a system call", KTAP_TYPE_SYSCALL,
	  { A_U32(KTAP_A_SYSCALL, 3), A_U64(KTAP_A_OFFSET, 4), A_END }, false,
	  EINVAL, "a system call takes no offset" },
	{ "the time of what is no call", KTAP_TYPE_SYSCALL,
	  { A_U32(KTAP_A_SYSCALL, 3),
	    A_U32(KTAP_A_FLAGS, KTAP_PROBE_F_TIMES), A_END }, false, EINVAL,
	  "only returns of system calls are timed" },
#ifdef __x86_64__
	{ "other registers at a system call", KTAP_TYPE_SYSCALL,
	  { A_U32(KTAP_A_SYSCALL, 3), A_END }, true, EINVAL,
	  "only the first argument, the value and the return address can be read here" },
	{ "other registers at its return", KTAP_TYPE_SYSRET,
	  { A_U32(KTAP_A_SYSCALL, 3), A_END }, true, EINVAL,
	  "only the first argument, the value and the return address can be read here" },
#endif
	{ "watch without a length", KTAP_TYPE_WATCHPOINT,
	  { A_U64(KTAP_A_ADDR, SOMEWHERE), A_U32(KTAP_A_ACCESS, 2), A_END },
	  false, EINVAL,
	  "the message lacks the address, length or access to watch" },
	{ "watch 3 bytes", KTAP_TYPE_WATCHPOINT,
	  { WATCH(SOMEWHERE, 3, 2), A_END }, false, EINVAL,
	  "1, 2, 4 or 8 bytes can be watched" },
	{ "watch 0 bytes", KTAP_TYPE_WATCHPOINT,
	  { WATCH(SOMEWHERE, 0, 2), A_END }, false, EINVAL,
	  "1, 2, 4 or 8 bytes can be watched" },
	{ "watch 16 bytes", KTAP_TYPE_WATCHPOINT,
	  { WATCH(SOMEWHERE, 16, 2), A_END }, false, EINVAL,
	  "1, 2, 4 or 8 bytes can be watched" },
	{ "watch user memory", KTAP_TYPE_WATCHPOINT,
	  { WATCH(0x10000, 8, 2), A_END }, false, EINVAL,
	  "only memory of the kernel can be watched" },
	{ "watch across words", KTAP_TYPE_WATCHPOINT,
	  { WATCH(SOMEWHERE + 4, 8, 2), A_END }, false, EINVAL,
	  "the address is not a multiple of the length" },
	{ "watch the execution of 2 bytes", KTAP_TYPE_WATCHPOINT,
	  { WATCH(SOMEWHERE, 2, 4), A_END }, false, EINVAL,
	  "the length must be 1 to watch execution" },
	{ "watch reads", KTAP_TYPE_WATCHPOINT,
	  { WATCH(SOMEWHERE, 8, 1), A_END }, false, EINVAL,
	  "this machine cannot watch reads without writes" },
	{ "watch nothing", KTAP_TYPE_WATCHPOINT,
	  { WATCH(SOMEWHERE, 8, 0), A_END }, false, EINVAL,
	  "the access must be w, rw or x" },
	{ "watch the entry code's memory", KTAP_TYPE_WATCHPOINT,
	  { WATCH(ENTRY_AREA, 8, 2), A_END }, false, EINVAL,
	  "the kernel forbids a hardware breakpoint here: entry code, or blacklisted" },
	{ "timer without a period", KTAP_TYPE_TIMER,
	  { { KTAP_A_EACH_CPU, 0, NULL }, A_END }, false, EINVAL,
	  "the message lacks the timer's period" },
	{ "timer of 0 ns", KTAP_TYPE_TIMER, { A_U64(KTAP_A_PERIOD, 0), A_END },
	  false, EINVAL, "the period of a timer must be 100 us or more" },
	{ "timer that is just too fast", KTAP_TYPE_TIMER,
	  { A_U64(KTAP_A_PERIOD, KTAP_TIMER_MIN - 1), A_END }, false, EINVAL,
	  "the period of a timer must be 100 us or more" },
	{ "timer that is just too slow", KTAP_TYPE_TIMER,
	  { A_U64(KTAP_A_PERIOD, KTAP_TIMER_MAX + 1), A_END }, false, EINVAL,
	  "the period of a timer must be a day or less" },
	{ "the longest period", KTAP_TYPE_TIMER,
	  { A_U64(KTAP_A_PERIOD, ~0ULL), A_END }, false, EINVAL,
	  "the period of a timer must be a day or less" },
	{ "timer with a symbol", KTAP_TYPE_TIMER,
	  { A_U64(KTAP_A_PERIOD, KTAP_TIMER_MIN),
	    A_STR(KTAP_A_SYMBOL, "vfs_read"), A_END }, true, EINVAL,
	  "a timer has no place in the code" },
	{ "timer with an address", KTAP_TYPE_TIMER,
	  { A_U64(KTAP_A_PERIOD, KTAP_TIMER_MIN), A_U64(KTAP_A_ADDR, SOMEWHERE),
	    A_END }, false, EINVAL, "a timer has no place in the code" },
	{ "timer with an offset", KTAP_TYPE_TIMER,
	  { A_U64(KTAP_A_PERIOD, KTAP_TIMER_MIN), A_U64(KTAP_A_OFFSET, 1),
	    A_END }, false, EINVAL, "a timer has no place in the code" },
};

static void try_other_places(struct sock *s)
{
	const struct answer *a;
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const struct ktap_insn *prog = others[i].regs ? good_prog : no_prog;
		size_t size = others[i].regs ? sizeof(good_prog) : sizeof(no_prog);
		const struct attr *p = others[i].place;

		a = request(s, KTAP_CMD_PROBE_NEW,
			    ATTRS(A_STR(KTAP_A_NAME, "place"),
				  A_U32(KTAP_A_TYPE, others[i].type),
				  A_BIN(KTAP_A_PROG, prog, size),
				  p[0], p[1], p[2], p[3]));
		is_error(a->error, -others[i].error, "place: %s: error",
			 others[i].what);
		ok(!strcmp(a->text, others[i].text), "place: %s: \"%s\"",
		   others[i].what, a->text);
	}
}

/* The fifth is one too many for x86. */
static void try_slots(struct sock *s)
{
	const struct answer *a = NULL;
	int i;

	for (i = 0; i < 5; i++) {
		char name[] = "watch0";

		name[5] += i;
		a = request(s, KTAP_CMD_PROBE_NEW,
			    ATTRS(A_STR(KTAP_A_NAME, name),
				  A_U32(KTAP_A_TYPE, KTAP_TYPE_WATCHPOINT),
				  A_BIN(KTAP_A_PROG, no_prog, sizeof(no_prog)),
				  WATCH(SOMEWHERE, 8, 2), A_END));
		is_error(a->error, i < 4 ? 0 : -ENOSPC, "place: slot %d", i);
	}
	is(a->attr, KTAP_A_ADDR, "place: no slot: attribute at fault");
	ok(!strcmp(a->text, "all hardware breakpoints are in use"),
	   "place: no slot: \"%s\"", a->text);
	probe_forget(s);
}

void try_places(void)
{
	struct sock *s = sock_open();
	const struct answer *a;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		a = request(s, KTAP_CMD_PROBE_NEW,
			    ATTRS(A_STR(KTAP_A_NAME, "place"), GOOD_TYPE,
				  GOOD_PROG, places[i].place[0],
				  places[i].place[1], places[i].place[2]));
		is_error(a->error, -places[i].error, "place: %s: error",
			 places[i].what);
		is(a->attr, places[i].attr, "place: %s: attribute at fault",
		   places[i].what);
		ok(!strcmp(a->text, places[i].text), "place: %s: \"%s\"",
		   places[i].what, a->text);
	}
	try_other_places(s);
	try_slots(s);
	is(limits(s)->nr_probes, 0, "places: no probe is left");
	sock_close(s);
}
