/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One writer that is never interrupted, over the rig: what the plain tests of
 * the ring share. Tests name single.c and rig.c among their needs.
 */
#ifndef KTAP_TESTS_KRING_SINGLE_H
#define KTAP_TESTS_KRING_SINGLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kring/rig.h"

#define SUBBUF	1024U
#define BYTES	(4 * SUBBUF)
#define HEAD	sizeof(struct ktap_rec_head)
#define FIRST	sizeof(struct ktap_rec_subbuf)

extern struct rig rig;
extern struct rig_reader reader;

/* What the reader read so far. */
extern struct rig_event events[4096];
extern unsigned int nr_events;

/* Fixtures: a ring of BYTES in keep-oldest mode, a clock that ticks. */
int single_setup(void **state);
int single_teardown(void **state);

#define SINGLE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, single_setup, single_teardown)

/* make() - another ring in its place. */
void make(u64 bytes, u32 subbuf, u32 watermark, bool overwrite);

/* put() - a record of @size bytes in all; enum ktap_ring_failure, or 0. */
unsigned long put(u32 size);
void put_ok(u32 size);

/* read_all() - what is published must be right. */
void read_all(void);

#endif /* KTAP_TESTS_KRING_SINGLE_H */
