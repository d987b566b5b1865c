/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fuzz: chance against the module, for fuzz.guest. All of it is from a seed:
 * the same one makes the same messages, programs and calls again, as long as
 * what they depend on comes back in the same order, which it does with one
 * process.
 */
#ifndef KTAP_TESTS_FUZZER_H
#define KTAP_TESTS_FUZZER_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../nlraw/nlraw.h"
#include "../tell/chance.h"
#include "../tell/tell.h"

/* ---- what is asked for ----------------------------------------------------------- */

/**
 * struct order - a run, as the command line has it
 * @seed: of all chance
 * @count: messages, programs or calls of each process; 0: until @seconds
 * @seconds: or so long
 * @processes: at once
 */
struct order {
	uint64_t seed;
	unsigned long count;
	unsigned int seconds;
	unsigned int processes;
};

void fuzz_netlink(const struct order *o);
void fuzz_programs(const struct order *o);
void fuzz_calls(const struct order *o);

/* ---- processes ------------------------------------------------------------------- */

/*
 * go_on() - whether a process that did @done has more to do. Time begins with
 * the first look at it, or with in_processes().
 */
bool go_on(const struct order *o, unsigned long done);

/*
 * in_processes() - @body in each process of an order, with the number of the
 * process. All have to end well.
 */
void in_processes(const struct order *o, const char *topic,
		  void (*body)(const struct order *o, unsigned int nr));

/*
 * start_hits() - a process that is hit by what is probed, until killed;
 * start_reads() - by what is probed of the kernel alone
 */
int start_hits(void);
int start_reads(void);
void stop_hits(int pid);

/* Functions of this program to probe. */
long hit_me(long n);
long hit_args(long a, long b, long c, long d, long e, long f);

/* is_clean() - nothing is left of a run: probes, sessions, memory. */
void is_clean(struct sock *s, uint64_t memory, const char *topic);
uint64_t memory_now(struct sock *s);

/* ---- messages -------------------------------------------------------------------- */

#define NR_SLOTS	16
#define NR_FDS		9
#define NR_ADDRESSES	8

/**
 * struct world - what values may name
 * @nr: of the process
 * @ids: probes that it made, by slot; 0: none
 * @fds: descriptors of all kinds
 * @addresses: of code, data and nothing
 * @offset: of hit_me() in its file
 */
struct world {
	unsigned int nr;
	uint32_t ids[NR_SLOTS];
	int fds[NR_FDS];
	uint64_t addresses[NR_ADDRESSES];
	uint64_t offset;
};

void world_open(struct world *w, unsigned int nr);

/**
 * struct message - to send
 * @slot: where the id that comes back belongs, or -1
 */
struct message {
	struct raw raw;
	int slot;
	uint8_t bytes[RAW_MAX];
};

/* message_make() - valid to a degree. */
void message_make(struct message *m, struct chance *c, const struct world *w);

#endif /* KTAP_TESTS_FUZZER_H */
