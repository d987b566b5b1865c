/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How scripts/bench/cpus.c and hits.c talk to the plugins of QEMU beside them: the
 * distances in nops of seven bytes, which mean nothing to a processor.
 */
#ifndef KTAP_BENCH_MARKS_H
#define KTAP_BENCH_MARKS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MARK_BEGIN	0x7061746b	/* "ktap" */
#define MARK_END	0x7061746c

#define MARK(distance) \
	({ __asm__ volatile("nopl %c0(%%rax)" : : "i"(distance) : "memory"); })

/* Is the instruction, @data of @size bytes, that mark? */
static inline bool mark_is(const void *data, size_t size, uint32_t mark)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x80 };

	return size == sizeof(nop) + sizeof(mark) &&
	       !memcmp(data, nop, sizeof(nop)) &&
	       !memcmp((const uint8_t *)data + sizeof(nop), &mark, sizeof(mark));
}

#endif /* KTAP_BENCH_MARKS_H */
