/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How scripts/bench/cpus.c talks to scripts/bench/lines.c: the distances in nops
 * of seven bytes, which mean nothing to a processor.
 */
#ifndef KTAP_BENCH_MARKS_H
#define KTAP_BENCH_MARKS_H

#define MARK_BEGIN	0x7061746b	/* "ktap" */
#define MARK_END	0x7061746c

#define MARK(distance) \
	({ __asm__ volatile("nopl %c0(%%rax)" : : "i"(distance) : "memory"); })

#endif /* KTAP_BENCH_MARKS_H */
