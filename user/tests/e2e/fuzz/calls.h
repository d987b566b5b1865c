/* SPDX-License-Identifier: GPL-2.0 */
/* Calls on sessions: what calls.c shares with the files that have more of them. */
#ifndef KTAP_TESTS_FUZZ_CALLS_H
#define KTAP_TESTS_FUZZ_CALLS_H

#include "fuzzer.h"

#define NR_PROBES	14

/* some_session() - a descriptor, which may be closed: -1 */
int *some_session(struct chance *c);

/* some_pointer() - mostly @good; or nothing, what cannot be read, the kernel's. */
void *some_pointer(struct chance *c, void *good);

/* some_number() - mostly @good */
uint64_t some_number(struct chance *c, uint64_t good);

/*
 * make_probes() - of all kinds whose hits use what sessions share: rings, maps, stacks, state.
 * The first one is of the function that a session which does nothing wrong counts.
 */
void make_probes(struct sock *s, uint32_t *ids);

/* ---- calls; each returns what the system does -------------------------------------- */

/* do_user_table() - unwind information of a file, mostly of a good shape and wrong */
int do_user_table(struct chance *c);
int do_user_files(struct chance *c);

#endif /* KTAP_TESTS_FUZZ_CALLS_H */
