// SPDX-License-Identifier: GPL-2.0
/*
 * A writer of the ring that is interrupted by another at each of its machine
 * instructions in turn: a breakpoint is the interrupt. Covers what
 * kring_nest_test cannot: the plain stores between the points.
 * needs: kmod/hit/ring.c user/tests/kring/rig.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "kring/rig.h"

#ifdef __x86_64__

#define SUBBUF	512U
#define BYTES	(4 * SUBBUF)
#define ID	KTAP_REC_FIRST_PROBE
#define TRAP_FLAG 0x100

static struct rig rig;
static unsigned long failures;

static noinline void put(u32 payload)
{
	if (rig_write(&rig, ID, payload))
		failures++;
}

/* ---- traps ------------------------------------------------------------------ */

/*
 * To step through all of the writer for each of its instructions would take
 * minutes. So it is stepped through once, to learn the instructions; then each
 * gets a breakpoint in its turn.
 */
#define STEPS_MAX	8192
#define BREAKPOINT	0xcc
#define BREAKPOINT_TRAP	3	/* the processor's number of that exception */

extern u8 __executable_start[], etext[];

/* struct step - an instruction of the writer, and how often it ran before */
static struct step {
	u8 *at;
	unsigned int before;
} steps[STEPS_MAX];

static unsigned int nr_steps;

/*
 * struct trap - what a trap is for
 * @learning: stepping through put(), @inside or not yet, until @back
 * @at: the breakpoint, with what it replaces in @saved
 * @passes: how often it is passed before the interrupt comes
 */
static struct {
	bool learning;
	bool inside;
	u8 *back;
	u8 *at;
	u8 saved;
	unsigned int passes;
	bool done;
} trap;

/* struct jump - what the clock does at an interrupt, and at its end */
static const struct jump {
	u64 before;
	u64 after;
} jumps[] = {
	{ 0, 0 },
	{ 1ULL << 33, 0 },
	{ -(1ULL << 33), 1ULL << 33 },
	{ 1ULL << 33, -(1ULL << 33) },
};

static const struct jump *jump;

static void learn(u8 *at, u8 *const *stack)
{
	unsigned int i, before = 0;

	if (at == (u8 *)put) {
		trap.inside = true;
		trap.back = *stack;
	} else if (at == trap.back) {
		trap.inside = false;
	}
	if (!trap.inside || at < __executable_start || at >= etext ||
	    nr_steps == STEPS_MAX)
		return;
	for (i = 0; i < nr_steps; i++)
		before += steps[i].at == at;
	steps[nr_steps++] = (struct step){ at, before };
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (trap.learning) {
		learn((u8 *)regs[REG_RIP], (u8 **)regs[REG_RSP]);
	} else if (regs[REG_TRAPNO] != BREAKPOINT_TRAP) {
		/* one instruction further: set it again */
		*trap.at = BREAKPOINT;
		regs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	} else {
		*trap.at = trap.saved;
		regs[REG_RIP]--;
		if (trap.passes--) {
			regs[REG_EFL] |= TRAP_FLAG;
			return;
		}
		trap.done = true;
		env_world.clock += jump->before;
		put(64);
		env_world.clock += jump->after;
	}
}

/* Below the red zone. */
static inline void trap_on(void)
{
	__asm__ __volatile__("sub $128, %%rsp\n\t"
			     "pushfq\n\t"
			     "orq $0x100, (%%rsp)\n\t"
			     "popfq\n\t"
			     "lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}

static inline void trap_off(void)
{
	__asm__ __volatile__("sub $128, %%rsp\n\t"
			     "pushfq\n\t"
			     "andq $~0x100, (%%rsp)\n\t"
			     "popfq\n\t"
			     "lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}

static void trap_setup(void)
{
	struct sigaction sa = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
	uintptr_t start = (uintptr_t)__executable_start & ~4095UL;

	sigemptyset(&sa.sa_mask);
	assert_int_equal(sigaction(SIGTRAP, &sa, NULL), 0);
	assert_int_equal(mprotect((void *)start, (uintptr_t)etext - start,
				  PROT_READ | PROT_WRITE | PROT_EXEC), 0);
}

/* ---- scenarios ------------------------------------------------------------ */

static void fast(void)
{
	put(64);
}

static void first(void)
{
}

static void other_task(void)
{
	put(64);
	env_set_task(2, 2, "second name");
}

static void known_task(void)
{
	other_task();
	put(64);
	env_set_task(1, 1, "test");
}

static void far_time(void)
{
	put(64);
	env_world.clock += 1ULL << 31;
}

static void lost_before(void)
{
	put(64);
	put(SUBBUF);
	put(SUBBUF);
	put(SUBBUF);
}

static void padding(void)
{
	put(200);
	put(200);
}

static void full(void)
{
	put(64);
	rig.cons.tail = rig.prod->head - BYTES;
}

static const struct {
	const char *name;
	void (*prepare)(void);
} scenarios[] = {
	{ "fast", fast },
	{ "first", first },
	{ "another task", other_task },
	{ "a known task", known_task },
	{ "far time", far_time },
	{ "lost before", lost_before },
	{ "padding", padding },
	{ "full", full },
};

static const char *account(void)
{
	struct rig_reader r = {};
	const char *problem = rig_read(&r, &rig);
	const struct rig_sums sums = {
		.tried = rig.serial, .read = r.events, .failed = failures,
		.told = r.lost,
	};

	return problem ? problem : rig_account(&rig, &sums);
}

static void prepare(unsigned int i, bool quick)
{
	env_reset();
	env_set_task(1, 1, "test");
	env_world.step = 1;
	failures = 0;
	rig_init(&rig, BYTES, SUBBUF, 0, false);
	rig.quick = quick;
	rig.wild = true;
	env_world.clock = 1ULL << 40;
	scenarios[i].prepare();
}

static void learn_steps(unsigned int i, bool quick)
{
	prepare(i, quick);
	nr_steps = 0;
	trap.learning = true;
	trap_on();
	put(72);
	trap_off();
	trap.learning = false;
	rig_deinit(&rig);
	/* a writer takes more than 50, and all of them were kept */
	assert_in_range(nr_steps, 50, STEPS_MAX - 1);
}

static void interrupt_at(unsigned int i, bool quick, const struct step *step)
{
	const char *problem;

	prepare(i, quick);
	trap.at = step->at;
	trap.saved = *step->at;
	trap.passes = step->before;
	trap.done = false;
	*trap.at = BREAKPOINT;
	put(72);
	*trap.at = trap.saved;
	/* with what is remembered now */
	put(64);
	env_set_task(2, 2, "second name");
	put(64);
	problem = trap.done ? account() : "the interrupt did not come";
	if (problem)
		fail_msg("%s%s, jump %u, interrupt at instruction %u (%p): %s",
			 scenarios[i].name, quick ? ", quick" : "",
			 (unsigned int)(jump - jumps), (unsigned int)(step - steps),
			 (void *)step->at, problem);
	rig_deinit(&rig);
}

static void test_interrupt_at_every_instruction(void **state)
{
	unsigned int i, k, quick;

	trap_setup();
	for (i = 0; i < 2 * ARRAY_SIZE(scenarios); i++) {
		quick = i % 2;
		learn_steps(i / 2, quick);
		for (k = 0; k < nr_steps * ARRAY_SIZE(jumps); k++) {
			jump = &jumps[k % ARRAY_SIZE(jumps)];
			interrupt_at(i / 2, quick, &steps[k / ARRAY_SIZE(jumps)]);
		}
	}
	signal(SIGTRAP, SIG_DFL);
}

#else

static void test_interrupt_at_every_instruction(void **state)
{
	print_message("# it steps through code of x86\n");
	skip();
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interrupt_at_every_instruction),
	};

	return cmocka_run_group_tests_name("kring_step", tests, NULL, NULL);
}
