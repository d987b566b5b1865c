/* SPDX-License-Identifier: GPL-2.0 */
/*
 * torture: load for torture.guest. A loop is a process that does one thing
 * again and again, by chance from a seed of its own, and counts how often it
 * went round. 'fire' is the load whose calls are counted.
 */
#ifndef KTAP_TESTS_TORTURE_H
#define KTAP_TESTS_TORTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../tell/chance.h"

/* ---- loops --------------------------------------------------------------------- */

/**
 * struct loop - what is done again and again
 * @name: the loop's
 * @can: whether this kernel can do it; NULL: each can
 * @begin: done once before the first round, or NULL
 * @step: one round. Return: whether it did what it is for.
 * @end: done after the last one, or NULL
 */
struct loop {
	const char *name;
	bool (*can)(void);
	void (*begin)(struct chance *c);
	bool (*step)(struct chance *c);
	void (*end)(void);
};

/* Each file has a table of them, which ends with a name NULL. */
extern const struct loop probe_loops[];
extern const struct loop tool_loops[];
extern const struct loop word_loops[];
extern const struct loop machine_loops[];
extern const struct loop tracer_loops[];
extern const struct loop user_loops[];

/* ---- the load that is counted --------------------------------------------------- */

int fire(unsigned int seconds, uint64_t seed);
int fire_once(void);
int fire_spin(unsigned int ms);

/*
 * judge() - a round, by files: events and their calls, numbers before it, and
 * after it. Records that were overwritten, or -1 where none may be.
 */
int judge(char **files, long overwritten);

/* Functions of this program that are probed; their calls are counted. */
long u_torture(long n);
long u_deep(long n);

/* ---- what loops share ------------------------------------------------------------- */

#define PARAMETERS "/sys/module/ktap_torture/parameters/"

/* write_file() - Return: whether all of @text was taken. */
bool write_file(const char *path, const char *text);
/* read_file() - the first line, or "" */
void read_file(const char *path, char *line, int size);
bool exists(const char *path);
void sleep_ms(unsigned int ms);
/* now_ms() - of CLOCK_MONOTONIC, which nobody steps */
long now_ms(void);

/* start() - a command, its output thrown away. Return: its pid, or -1. */
int start(const char *const *argv);
/* await() - its end, or its death after @ms. Return: status as of wait(). */
int await(int pid, unsigned int ms);
/* run() - a command that ends by itself. Return: whether it succeeded. */
bool run(const char *const *argv);

#define RUN(...) run((const char *const[]){ __VA_ARGS__, NULL })

#endif /* KTAP_TESTS_TORTURE_H */
