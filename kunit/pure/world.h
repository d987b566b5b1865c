/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Simulated environment for kmod/hit/verify.c, fetch.c and ring.c, in place of
 * kmod/hit/env.h. A test sets registers, memory, clock and task in env_world. It may have
 * a function called at every point at which an interrupt could change what the code under
 * test uses. The pure suites use it in the kernel, so that they do not depend on the
 * architecture; the unit tests use it in user space.
 */
#ifndef KTAP_KUNIT_PURE_WORLD_H
#define KTAP_KUNIT_PURE_WORLD_H

#ifdef __KERNEL__
#include <asm/barrier.h>
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktap.h>
#include <linux/string.h>
#include <linux/types.h>

#define ENV_THREAD	/* cases run one after the other */

/*
 * There are no concurrent writers: an interrupt is a call at one of the points. The
 * compiler's atomic operations would be library functions on some architectures.
 */
static inline u64 world_xchg(u64 *p, u64 new)
{
	u64 old = *p;

	*p = new;
	return old;
}

static inline u64 world_cmpxchg(u64 *p, u64 old, u64 new)
{
	u64 was = *p;

	if (was == old)
		*p = new;
	return was;
}

static inline u64 world_add(u64 *p, u64 n)
{
	return *p += n;
}

#ifndef __uninitialized
#define __uninitialized	/* all of it is compared */
#endif
#endif

#include "hit/spot.h"
#include "hit/state_cell.h"
#include "hit/user_regs.h"

#define ENV_NOPROBE(fn) struct env_noprobe_##fn

/* ---- the world ------------------------------------------------------------ */

#define ENV_NR_REGS	34	/* as many as on arm64 */
#define ENV_USER_TOP	0x800000000000ULL	/* user memory is below */
#define KTAP_STACK_WORDS 2048

/* struct env_regs - registers of a hit, and the stack they point to */
struct env_regs {
	u64 r[ENV_NR_REGS];
	const u64 *stack;
	u32 nr_stack;
};

typedef const struct env_regs ktap_regs;

/**
 * struct env_seen - values that the code under test has read
 * @clock: raw counter
 * @comm: comm of the task, which another CPU may change at any time
 */
struct env_seen {
	u64 clock;
	u64 comm[2];
};

/**
 * struct env_world - state of the environment
 * @point: called at every point at which an interrupt may come; NULL: none comes
 * @clock: raw counter, if @tick is NULL
 * @step: added to @clock at each read
 * @tick: returns the raw counter instead; must be async-signal-safe if signal handlers
 *	write records
 * @seen: values that were read last
 * @quiet: value of env_quiet(); env_reset() makes it unlimited
 * @mono_offset: CLOCK_MONOTONIC less raw counter
 * @tid: current thread
 * @tgid: its process
 * @comm: its comm
 * @ctx: values of KTAP_OP_CTX, by enum ktap_ctx
 * @byte: memory: returns the byte at an address, or -1 for a fault
 * @absent: user memory from this address on is not resident; 0: all is resident
 * @frame: returns a stored value of a frame by number; NULL: no frame is stored
 * @no_entry: hits that found no frame
 * @wakes: calls of ktap_ring_wake()
 * @state: operations on state, by enum ktap_state_count
 * @kstack: kernel stack
 * @nr_kstack: its frames
 * @ustack: user stack
 * @nr_ustack: its frames
 * @no_ustack: the kernel has no user stacks
 * @map: what is mapped at an address; NULL: nothing is
 * @hijacked: the return address that a uretprobe has replaced; NULL: there is none
 * @fp_tells_sp: see ENV_USER_FP_TELLS_SP
 * @counter: reads the counter of an event; NULL: there are no counters
 */
struct env_world {
	void (*point)(void);
	u64 clock;
	u64 step;
	u64 (*tick)(void);
	struct env_seen seen;
	u64 quiet;
	u64 mono_offset;
	u32 tid;
	u32 tgid;
	u64 comm[2];
	u64 ctx[KTAP_CTX_MAX + 1];
	int (*byte)(u64 addr, bool user);
	u64 absent;
	bool (*frame)(u64 cfa, u64 nr, u64 *ret);
	unsigned int no_entry;
	unsigned int wakes;
	unsigned int state[KTAP_NR_STATE_COUNTS];
	const u64 *kstack;
	u32 nr_kstack;
	const u64 *ustack;
	u32 nr_ustack;
	bool no_ustack;
	bool (*map)(u64 at, struct ktap_user_map *m);
	bool (*hijacked)(u64 sp, u64 *ip);
	bool fp_tells_sp;
	bool (*counter)(u64 event, u64 *ret);
};

extern ENV_THREAD struct env_world env_world;

/* env_reset() - reset the environment: no memory, a clock that stays at 0 */
void env_reset(void);

/* env_set_task() - change the current task */
void env_set_task(u32 tid, u32 tgid, const char *comm);

/* env_map() - map memory at an address; @bytes must stay valid until env_reset() */
void env_map(u64 addr, const void *bytes, size_t size);

static inline void env_point(void)
{
	if (unlikely(env_world.point))
		env_world.point();
}

/* ---- the hooks of ring.c -------------------------------------------------- */

static inline u64 env_cmpxchg(u64 *p, u64 old, u64 new)
{
	env_point();
	return world_cmpxchg(p, old, new);
}

static inline bool env_try_cmpxchg(u64 *p, u64 old, u64 new)
{
	return env_cmpxchg(p, old, new) == old;
}

static inline bool env_try_cmpxchg_shared(u64 *p, u64 old, u64 new)
{
	return env_cmpxchg(p, old, new) == old;
}

static inline void env_inc_shared(u64 *p)
{
	env_point();
	world_add(p, 1);
}

static inline u64 env_xchg(u64 *p, u64 new)
{
	env_point();
	return world_xchg(p, new);
}

static inline void env_add(u64 *p, u64 n)
{
	env_point();
	world_add(p, n);
}

static inline u32 env_fls(u64 value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

static inline bool env_clock_is_raw(void)
{
	return true;
}

static inline u64 env_clock(void)
{
	u64 now;

	env_point();
	if (env_world.tick)
		now = env_world.tick();
	else /* the interrupt comes before or after the read, not within */
		now = world_add(&env_world.clock, env_world.step);
	env_world.seen.clock = now;
	return now;
}

static inline u64 env_clock_raw(void)
{
	return env_clock();
}

static inline u64 env_clock_pair(u64 *mono)
{
	u64 now = env_clock();

	*mono = now + env_world.mono_offset;
	return now;
}

static inline u64 env_quiet(u64 now)
{
	(void)now;
	return env_world.quiet;
}

typedef const struct env_world ktap_task;

static inline ktap_task *env_task(void)
{
	return &env_world;
}

static inline u32 env_tid(ktap_task *task)
{
	env_point();
	return task->tid;
}

static inline u64 env_comm_half(ktap_task *task, unsigned int half)
{
	env_world.seen.comm[half] = task->comm[half];
	return task->comm[half];
}

static inline u32 env_tgid(ktap_task *task)
{
	return task->tgid;
}

/* ---- the hooks of fetch.c ------------------------------------------------- */

static inline u64 env_reg(ktap_regs *regs, u64 index)
{
	return regs->r[index];
}

static inline u16 env_reg_offset(u64 index)
{
	return index;
}

static inline u64 env_reg_at(ktap_regs *regs, u16 offset)
{
	return regs->r[offset];
}

static inline unsigned int env_nr_regs(void)
{
	return ENV_NR_REGS;
}

static inline void env_comm(void *dst)
{
	memcpy(dst, env_world.comm, sizeof(env_world.comm));
}

struct ktap_user_wait {
	unsigned int cpu;
};

static inline u64 env_ctx(u64 what, const struct ktap_user_wait *wait)
{
	return wait && what == KTAP_CTX_CPU ? wait->cpu : env_world.ctx[what];
}

/*
 * Same as in the kernel: after a fault @dst is undefined, and so are the bytes of @dst
 * after the NUL of a string, up to @max.
 */
enum env_memory {
	ENV_ANY,
	ENV_USER,
};

int env_read(void *dst, u64 addr, u32 size, enum env_memory memory);
long env_string(char *dst, u64 addr, u32 max, enum env_memory memory);

static inline int env_value(u64 *value, u64 addr, u32 size,
			    enum env_memory memory)
{
	*value = 0;
	return env_read(value, addr, size, memory);
}

/* The same for a hit that waits for memory: all of it is resident. */
int env_read_waiting(struct ktap_user_wait *wait, void *dst, u64 addr, u32 size);
long env_string_waiting(struct ktap_user_wait *wait, char *dst, u64 addr,
			u32 max);

#define ENV_USER_STACK	0x7fff00000000ULL	/* user stacks begin here */

static inline u64 env_stack_at(ktap_regs *regs, u64 n)
{
	(void)regs;
	return ENV_USER_STACK + 8 * n;
}

static inline int env_stack_word(ktap_regs *regs, u64 n, u64 *ret,
				 enum env_memory memory)
{
	if (memory != ENV_ANY)
		return env_read(ret, env_stack_at(regs, n), 8, memory);
	if (n >= regs->nr_stack)
		return -EFAULT;
	*ret = regs->stack[n];
	return 0;
}

struct ktap_trail_use;

/* A stack of @max frames at most out of what a test has set. */
static inline void env_kstack(ktap_regs *regs, const struct ktap_spot *spot,
			      struct ktap_stack *s, u32 max, struct ktap_trail_use *use)
{
	u32 i;

	s->end = env_world.nr_kstack > max ? KTAP_STACK_DEPTH :
					     KTAP_STACK_COMPLETE;
	for (i = 0; i < max && i < env_world.nr_kstack; i++)
		s->frames[i] = env_world.kstack[i];
	s->nr = i;
	if (spot && spot->ip && s->nr)
		s->frames[0] = spot->ip;
	(void)regs;
	(void)use;
}

static inline u64 env_kstack_find(const struct ktap_trail_use *use, ktap_regs *regs)
{
	(void)use;
	(void)regs;
	return 0;
}

/* The same of a caller, whose frame is the first one, or hidden. */
static inline void env_kstack_of_caller(const struct ktap_caller *caller,
					struct ktap_stack *s, u32 max)
{
	const struct ktap_spot spot = {
		.ip = ktap_caller_shows(caller) ? caller->ip : 0,
	};

	env_kstack(NULL, &spot, s, max, NULL);
}

/* ---- user stacks ------------------------------------------------------------ */

#define ENV_USER_SIG		{ .fp = 0, .sp = 8, .ip = 16, .lr = 24 }
#define ENV_USER_FP_TELLS_SP	(env_world.fp_tells_sp)
#define ENV_SIGRETURN		0x5161517e7a7ULL /* code that returns from a signal handler */

static inline bool env_has_ustack(void)
{
	return !env_world.no_ustack;
}

static inline void env_ustack(struct ktap_stack *s, u32 max)
{
	u32 i;

	s->flags = KTAP_STACK_F_USER;
	s->end = env_world.nr_ustack > max ? KTAP_STACK_DEPTH :
					     KTAP_STACK_COMPLETE;
	for (i = 0; i < max && i < env_world.nr_ustack; i++)
		s->frames[i] = env_world.ustack[i];
	s->nr = i;
}

static inline bool env_user_map(u64 at, struct ktap_user_map *m, struct ktap_user_note *note)
{
	if (!env_world.map || !env_world.map(at, m))
		return false;
	if (note) {
		note->way.nr = 1;
		note->says.start = m->start;
	}
	return true;
}

static inline bool env_user_return(u64 sp, u64 *ip)
{
	return env_world.hijacked && env_world.hijacked(sp, ip);
}

static inline int env_user_word(u64 addr, u64 *ret)
{
	return env_value(ret, addr, sizeof(*ret), ENV_USER);
}

static inline u64 env_user_address(u64 address)
{
	return address & (ENV_USER_TOP - 1);
}

static inline u64 env_user_call_sp(u64 cfa, u64 ra_at)
{
	return env_world.fp_tells_sp ? ra_at : cfa;
}

static inline bool env_user_sigreturn(u64 code)
{
	return code == ENV_SIGRETURN;
}

struct ktap_calls;

static inline bool env_frame(struct ktap_calls *calls, u64 cfa, u64 nr,
			     u64 *ret)
{
	(void)calls;
	return env_world.frame && env_world.frame(cfa, nr, ret);
}

static inline void env_no_entry(struct ktap_calls *calls)
{
	(void)calls;
	env_world.no_entry++;
}

/* A task is a word of kernel memory: when it started. */
static inline bool env_task_start(u64 task, u64 *ret)
{
	return task >= ENV_USER_TOP && !env_value(ret, task, sizeof(*ret), ENV_ANY);
}

static inline void env_state_count(struct ktap_state_cell __percpu *cells,
				   unsigned int what)
{
	(void)cells;
	env_world.state[what]++;
}

struct ktap_counter;

static inline bool env_counter(const struct ktap_counter *counter, u64 event,
			       const struct ktap_user_wait *wait, u64 *ret)
{
	(void)counter;
	(void)wait;
	return env_world.counter && env_world.counter(event, ret);
}

#endif /* KTAP_KUNIT_PURE_WORLD_H */
