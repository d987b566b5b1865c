/* SPDX-License-Identifier: GPL-2.0 */
/*
 * uraw: a program that probes itself, for uprobe_raw.guest. It speaks to the
 * module in raw messages, so that it needs neither the tool nor a library, and
 * prints what came of it as the guest's TAP.
 */
#ifndef KTAP_TESTS_URAW_H
#define KTAP_TESTS_URAW_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../../../kunit/insn.h"
#include "../tell/tell.h"

/* ---- registers ------------------------------------------------------------- */

#ifdef __x86_64__
#define R_ARG1	KTAP_X86_64_DI
#define R_ARG2	KTAP_X86_64_SI
#define R_RET	KTAP_X86_64_AX
#define R_SP	KTAP_X86_64_SP
#define R_PC	KTAP_X86_64_IP
#else
#define R_ARG1	KTAP_ARM64_X0
#define R_ARG2	(KTAP_ARM64_X0 + 1)
#define R_RET	KTAP_ARM64_X0
#define R_SP	KTAP_ARM64_SP
#define R_PC	KTAP_ARM64_PC
#endif

/* ---- probes ------------------------------------------------------------------ */

/**
 * struct want - a probe to ask for
 * @type: 0: KTAP_TYPE_UPROBE
 * @fd: file; 0: this program's; NO_FD: say none
 * @at: code of this program; or NULL:
 * @offset: byte of the file
 * @no_offset: say none
 * @ref: counter of users in this program, or NULL:
 * @ref_offset: byte of the file, or 0: none
 * @prog: program
 * @nr: its instructions
 * @entry: entry program, or NULL
 * @nr_entry: its instructions
 * @maxactive: or 0
 * @path: to show, or NULL
 * @stays: when this program has gone
 * @symbol: function of the kernel instead, for KTAP_TYPE_KPROBE: @offset is from
 *	there
 * @frame: registers to keep at the entry of the function, or NULL
 * @nr_frame: how many
 * @entry_at: code of this program, where that is; in the kernel it is @symbol
 */
struct want {
	uint32_t type;
	int fd;
	const void *at;
	uint64_t offset;
	bool no_offset;
	const void *ref;
	uint64_t ref_offset;
	const struct ktap_insn *prog;
	uint32_t nr;
	const struct ktap_insn *entry;
	uint32_t nr_entry;
	uint32_t maxactive;
	const char *path;
	bool stays;
	const char *symbol;
	const uint8_t *frame;
	uint32_t nr_frame;
	const void *entry_at;
};

#define NO_FD	(-1)

#define PROG(...) .prog = PROGRAM(__VA_ARGS__), .nr = PROGRAM_LEN(__VA_ARGS__)
#define ENTRY_PROG(...)							\
	.entry = PROGRAM(__VA_ARGS__), .nr_entry = PROGRAM_LEN(__VA_ARGS__)

/* Two arguments, as they are. */
#define ARGS_PROG PROG(REG(0, R_ARG1), STORE(0, 8, 0, NOBIT),		\
		       REG(1, R_ARG2), STORE(1, 8, 8, NOBIT), END())

/* A string of at most 64 bytes at the first argument. */
#define STRING_PROG PROG(REG(0, R_ARG1), STRING(0, 64, 0, 0), END())

/* probe() - Return: its id, or a negative errno. */
int probe(const struct want *want);
#define PROBE(...) probe(&(const struct want){ __VA_ARGS__ })

void probe_del(uint32_t id);
int probe_enable(uint32_t id, bool on);
/* features() - KTAP_FEATURE_* of the module. */
uint64_t features(void);
/* why() - the explanation of the last refusal, or "". */
const char *why(void);

struct shown {
	uint64_t offset;
	uint64_t ref;
	char path[256];
	char hook[16];
	char frame_hook[16];
	bool waiting;
};

void probe_show(uint32_t id, struct shown *ret);
/* probe_stats() - totals; of a return probe also @returns, or NULL. */
void probe_stats(uint32_t id, struct ktap_counts *counts,
		 struct ktap_returns *returns);
/* frames_of() - what is counted of a probe with frames. */
struct ktap_frames frames_of(uint32_t id);

/* file_offset() - of a byte of this program. */
uint64_t file_offset(const void *at);
/* has_breakpoint() - does this process' code differ from the file there? */
bool has_breakpoint(const void *at);

/* ---- sessions ------------------------------------------------------------------ */

struct session;

/* session() - that takes its own hits too. */
struct session *session(void);
void session_close(struct session *s);
int attach(struct session *s, uint32_t id);
int detach(struct session *s, uint32_t id);
int scope(struct session *s, pid_t pid);
struct ktap_counts counts_of(struct session *s, uint32_t id);

/**
 * struct hit - a record
 * @id: of the probe
 * @tid: who hit
 * @time: raw counter
 * @nr: in the order of finding
 * @size: bytes of payload
 * @payload: what the program stored
 */
struct hit {
	uint32_t id;
	uint32_t tid;
	uint64_t time;
	uint32_t nr;
	uint32_t size;
	uint8_t payload[1024] __attribute__((aligned(8)));
};

/* hits() - all records since the last call, in the order of time. */
unsigned int hits(struct session *s, const struct hit **ret);
/* only_hit() - the only record since the last call. */
const struct hit *only_hit(struct session *s, const char *what);
uint64_t word(const struct hit *h, unsigned int off);
/* string() - that a struct ktap_string at @off tells of; the first of @h. */
const char *string(const struct hit *h, unsigned int off);
unsigned int string_flags(const struct hit *h, unsigned int off);

/* ---- what is probed ------------------------------------------------------------ */

#define TARGET __attribute__((noinline, noclone, noipa))

long target(long a, long b);
long target_string(const char *s);
extern const char target_nops[], target_ret[], target_trap[];
void call_nops(void);
extern volatile unsigned short target_users;

/* ---- what is tried ---------------------------------------------------------------- */

void try_values(void);
void try_memory(void);
void try_refusals(void);
void try_tasks(void);
void try_scope(void);
void try_many(void);
void try_returns(void);
void try_frames(void);
void try_kernel_frames(void);
void leave_frame(void);
void try_absent(void);
/* never_back() - leaves calls pending and waits for the end of the input. */
void never_back(void);

/* child() - a process that runs @fn and ends. Return: pid. */
pid_t child(void (*fn)(void));
void reap(pid_t pid);
/* fork_here() - goes on in a child, and then here. */
void fork_here(void);

#endif /* KTAP_TESTS_URAW_H */
