/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ktap.data, version 2: written while the recording runs, read anywhere.
 *
 * The file is a fixed header and then checksummed sections with an 8-byte
 * aligned payload: MACHINE (kernel release, build-id, arch, clock), PROBE (id,
 * name, blob), DATA (cpu, position, bytes), CLOCK (raw, mono, real), TOTALS
 * (id, counts, missed, unfollowed), STACKS, SYMBOLS (of addresses in the data), STOPPED (why), END. record/format.h has every byte. A file that was
 * cut anywhere decodes up to the cut.
 */
#ifndef KTAP_RECORD_DATAFILE_H
#define KTAP_RECORD_DATAFILE_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* struct machine - where a recording was made */
struct machine {
	char release[65];
	char hostname[65];
	enum ktap_arch arch;
	uint8_t build_id[20];
	unsigned int build_id_size;
	unsigned int nr_cpus;
	enum ktap_clock clock;
	uint64_t clock_hz;
	uint32_t subbuf_size;
	uint64_t ring_size;
	bool overwrite;
};

/* machine_from_session() - this machine, and the session whose answer to
 * KTAP_IOC_SETUP is @setup. A kernel that does not show its build-id is
 * recorded without one.
 */
void machine_from_session(const struct ktap_session_setup *setup,
			  struct machine *ret);

/* ---- writing ---- */

struct datafile_writer;

/*
 * Each of these returns 0 or a negative errno. When one failed, the file ends
 * with what was written before, and all further ones fail as well.
 */
/* datafile_create() - a new file, see record/create.h for what becomes of one of
 * that name; "-" is standard output.
 */
int datafile_create(const char *path, const struct machine *m, struct diag *d,
		    struct datafile_writer **ret);
int datafile_probe(struct datafile_writer *w, uint32_t id, const char *name,
		   const void *blob, size_t size, struct diag *d);
int datafile_clock(struct datafile_writer *w,
		   const struct ktap_session_state *now, struct diag *d);
int datafile_data(struct datafile_writer *w, unsigned int cpu,
		  uint64_t position, const void *data, size_t size,
		  struct diag *d);
int datafile_totals(struct datafile_writer *w, uint32_t id,
		    const struct ktap_counts *counts, uint64_t missed,
		    uint64_t unfollowed, struct diag *d);
/**
 * datafile_stacks() - stacks, before the records with their ids
 * @w: recording
 * @stacks: as KTAP_DATA_STACKS has them
 * @size: bytes
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_stacks(struct datafile_writer *w, const void *stacks, size_t size,
		    struct diag *d);
/* datafile_symbols() - lines in the format of /proc/kallsyms. */
int datafile_symbols(struct datafile_writer *w, const char *text, size_t size,
		     struct diag *d);
/* enum datafile_reason - why a recording ended before its time */
enum datafile_reason {
	DATAFILE_NOT_STOPPED,
	DATAFILE_LOCKDOWN,	/* kernel lockdown was raised */
};

/* datafile_stopped() - that it did, for those who read it. */
int datafile_stopped(struct datafile_writer *w, enum datafile_reason reason,
		     struct diag *d);
/* datafile_is_stream() - somebody may read while we write, and waits for CLOCK. */
bool datafile_is_stream(const struct datafile_writer *w);
/* datafile_finish() - write END and close; the writer is gone either way. @size:
 * bytes that were written, or NULL.
 */
int datafile_finish(struct datafile_writer *w, uint64_t *size, struct diag *d);

/* ---- reading ---- */

struct datafile_probe {
	uint32_t id;
	const char *name;
	const void *blob;
	size_t blob_size;
};

/**
 * struct datafile_batch - bytes of one ring
 * @cpu: whose
 * @position: of the first byte on that ring
 * @data: aligned to 8
 * @size: a multiple of 8
 * @cut: the file ends inside of it, so the last record may not be whole
 */
struct datafile_batch {
	unsigned int cpu;
	uint64_t position;
	const void *data;
	size_t size;
	bool cut;
};

/* struct datafile_part - stacks that came together, one after the other */
struct datafile_part {
	const void *data;
	size_t size;
};

struct datafile_total {
	uint32_t id;
	struct ktap_counts counts;
	uint64_t missed;
	uint64_t unfollowed;
};

/**
 * struct datafile - a recording; all pointers are into its bytes
 * @machine: where it was made
 * @probes: those it has records of
 * @nr_probes: how many
 * @batches: in file order
 * @nr_batches: how many
 * @clocks: moments at which the clocks were read, in file order
 * @nr_clocks: how many
 * @stacks: in file order
 * @nr_stacks: how many
 * @totals: accounting, where the recording came to its end
 * @nr_totals: how many
 * @symbols: lines as in /proc/kallsyms, of all such sections; owned
 * @symbols_size: bytes
 * @stopped: why it ended before its time; may be none of these, of a later ktap
 * @complete: END was seen
 * @cut_at: !complete: offset of the first byte that was not used
 * @cut_reason: !complete: "cut short", "bad checksum", ...
 * @bytes: the whole file
 * @size: how many
 * @map: @bytes where they are a mapping of this one, else NULL
 * @forgotten: offset before which pages were let go
 * @kept: bytes of sections that came through a pipe; owned
 * @nr_kept: how many
 */
struct datafile {
	struct machine machine;
	struct datafile_probe *probes;
	size_t nr_probes;
	struct datafile_batch *batches;
	size_t nr_batches;
	struct ktap_session_state *clocks;
	size_t nr_clocks;
	struct datafile_part *stacks;
	size_t nr_stacks;
	struct datafile_total *totals;
	size_t nr_totals;
	char *symbols;
	size_t symbols_size;
	enum datafile_reason stopped;
	bool complete;
	uint64_t cut_at;
	const char *cut_reason;
	const unsigned char *bytes;
	size_t size;
	void *map;
	size_t forgotten;
	void **kept;
	size_t nr_kept;
};

/**
 * datafile_open() - map a recording and check all of it
 * @path: file
 * @d: on failure
 * @ret: on success, also for a file that is cut or damaged further on: then
 *	what lies before that place, see @complete
 *
 * Return: 0, -EINVAL for what is no recording that can be read, or what
 * opening the file said.
 */
int datafile_open(const char *path, struct diag *d, struct datafile **ret);

/* datafile_is_pipe() - @path, "-" for standard input, is for datafile_stream(). */
bool datafile_is_pipe(const char *path);

/* datafile_section_fn - a section came: batches, clocks and stacks are only its own. */
typedef int (*datafile_section_fn)(void *ctx, const struct datafile *f,
				   struct diag *d);

/**
 * datafile_stream() - read a recording while it comes
 * @path: of a FIFO, or "-"
 * @fn: takes sections
 * @ctx: for @fn
 * @d: on failure
 * @ret: all but what was in the batches, clocks and stacks
 *
 * Return: as datafile_open(), or what @fn said.
 */
int datafile_stream(const char *path, datafile_section_fn fn, void *ctx,
		    struct diag *d, struct datafile **ret);

/* datafile_parse() - the same for bytes in memory, which stay the caller's;
 * @path is for the messages.
 */
int datafile_parse(const char *path, const void *bytes, size_t size,
		   struct diag *d, struct datafile **ret);

/* datafile_forget() - the bytes before @until are not needed for now: their
 * pages may go, so that reading does not fill the memory.
 */
void datafile_forget(struct datafile *f, const void *until);

void datafile_close(struct datafile *f);

#endif /* KTAP_RECORD_DATAFILE_H */
