/* SPDX-License-Identifier: GPL-2.0 */
/* A module behind struct session_io, for tests: its rings are plain memory. */
#ifndef KTAP_TESTS_FAKE_SESSION_H
#define KTAP_TESTS_FAKE_SESSION_H

#include "ring_builder.h"
#include "wire/session_io.h"

#define FAKE_FD		77
#define FAKE_CPUS	3
#define FAKE_SUBBUF	4096
#define FAKE_RING	(4 * FAKE_SUBBUF)

/**
 * struct fake_session - the module
 * @open_errno: open fails with it
 * @fail: this ioctl fails ...
 * @fail_errno: ... with it
 * @map_errno: mmap of a ring that is there fails with it
 * @cpus: CPUs that have a ring
 * @setup: what SETUP was asked
 * @attach: argument of the last ATTACH or DETACH, or the first id of the many
 * @attach_most: how many of the many are attached
 * @scope: argument of the last SCOPE
 * @rates: argument of the last RATES
 * @mark: text of the last MARK
 * @generation: answer of STATE
 * @stacks: table of stacks, of a page, or NULL
 * @maps: mappings that exist
 * @opens: descriptors that are open
 * @ring: consumer page, producer page and data of each CPU
 * @rb: what is written to each ring
 */
struct fake_session {
	int open_errno;
	unsigned long fail;
	int fail_errno;
	int map_errno;
	unsigned int cpus;
	struct ktap_session_setup setup;
	struct ktap_session_attach attach;
	uint32_t attach_most;
	struct ktap_session_scope scope;
	struct ktap_session_rates rates;
	char mark[KTAP_MARK_MAX + 1];
	uint32_t generation;
	struct ktap_stacks_head *stacks;
	int maps;
	int opens;
	unsigned char *ring[FAKE_CPUS];
	struct ring_builder rb[FAKE_CPUS];
};

extern struct fake_session module;
extern const struct session_io fake_io;

/* fake_start(), fake_stop() - set-up and teardown of a cmocka test. */
int fake_start(void **state);
int fake_stop(void **state);

struct ktap_ring_producer *fake_producer(unsigned int cpu);

/* fake_events() - write @n records on @cpu and publish them. */
void fake_events(unsigned int cpu, unsigned int n);

#endif /* KTAP_TESTS_FAKE_SESSION_H */
