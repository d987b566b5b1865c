/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The world of kmod/hit/verify.c, fetch.c and ring.c in user space: what
 * kmod/hit/env.h is to them in the kernel. It is the one that the pure suites of
 * KUnit have, under the language of the kernel.
 */
#ifndef KTAP_TESTS_ENV_USER_H
#define KTAP_TESTS_ENV_USER_H

#include <assert.h>
#include <errno.h>
#include <linux/ktap.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/cdefs.h>

/* ---- the language of the kernel --------------------------------------- */

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define noinline	__attribute__((__noinline__))
#define __percpu
#define __uninitialized	/* everything is looked at */
#define BUILD_BUG_ON(x)	static_assert(!(x), #x)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define ALIGN(x, a)	(((x) + ((__typeof__(x))(a) - 1)) & \
			 ~((__typeof__(x))(a) - 1))

/*
 * Every access and barrier that the code marks is a point for an interrupt.
 * What each is for is said where the code uses it.
 */
#define READ_ONCE(x) \
	({ env_point(); __atomic_load_n(&(x), __ATOMIC_RELAXED); })
#define WRITE_ONCE(x, v) \
	({ env_point(); __atomic_store_n(&(x), v, __ATOMIC_RELAXED); })
#define smp_store_release(p, v) \
	({ env_point(); __atomic_store_n(p, v, __ATOMIC_RELEASE); })
#define smp_load_acquire(p) \
	({ env_point(); __atomic_load_n(p, __ATOMIC_ACQUIRE); })
/* also for the compiler */
#define smp_wmb() \
	({ env_point(); __atomic_thread_fence(__ATOMIC_RELEASE); })
#define smp_rmb() \
	({ env_point(); __atomic_thread_fence(__ATOMIC_ACQUIRE); })
/* for the compiler only */
#define barrier() \
	({ env_point(); __atomic_signal_fence(__ATOMIC_SEQ_CST); })

#define WARN_ON(x)	({ assert(!(x)); false; })
#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))

#define ENV_THREAD	__thread	/* a thread is a CPU */

/* In one piece, for a signal handler that interrupts. */
static inline u64 world_xchg(u64 *p, u64 new)
{
	return __atomic_exchange_n(p, new, __ATOMIC_RELAXED);
}

static inline u64 world_cmpxchg(u64 *p, u64 old, u64 new)
{
	__atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	return old;
}

static inline u64 world_add(u64 *p, u64 n)
{
	return __atomic_add_fetch(p, n, __ATOMIC_RELAXED);
}

#include "../../kunit/pure/world.h"

#endif /* KTAP_TESTS_ENV_USER_H */
