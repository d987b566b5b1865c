/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ktap.data, version 2: written while the recording runs, read anywhere.
 *
 * The file is a fixed header and then checksummed sections with an 8-byte
 * aligned payload: MACHINE (kernel release, build-id, arch, clock), PROBE (id,
 * name, blob), DATA (cpu, position, bytes), CLOCK (raw, mono, real), TOTALS
 * (id, counts, missed, unfollowed), STACKS, SYMBOLS (of addresses in the data),
 * FILE (of user stacks: number, build-id, code, name), MAP (rows of hits that were added
 * up), STOPPED (why), END.
 * include/uapi/linux/ktap_data.h has every byte. A file that was cut anywhere decodes
 * up to the cut.
 */
#ifndef KTAP_RECORD_DATAFILE_H
#define KTAP_RECORD_DATAFILE_H

#include <linux/ktap.h>
#include <linux/ktap_data.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/**
 * machine_from_session() - describe this machine and a session
 * @setup: reply of KTAP_IOC_SETUP for the session
 * @ret: filled
 *
 * A kernel that does not show its build-id in /sys/kernel/notes, or has one of more than 20
 * bytes, is recorded without one. Names are cut to 64 bytes.
 */
void machine_from_session(const struct ktap_session_setup *setup,
			  struct machine *ret);

/* ---- writing ---- */

struct datafile_writer;

/*
 * Each of these returns 0 or a negative errno. When one failed, the file ends
 * with what was written before, and all further ones fail as well.
 */

/**
 * datafile_create() - begin a recording with its header and MACHINE
 * @path: file, or "-" for standard output; copied. See created_open() for links and pipes,
 *	and created_publish() for a file that has the name already.
 * @m: machine; not kept
 * @d: on failure
 * @ret: on success; release with datafile_finish()
 *
 * On failure a new file is removed.
 *
 * Return: 0, or the negative errno of created_open(), of writing or of created_publish().
 */
int datafile_create(const char *path, const struct machine *m, struct diag *d,
		    struct datafile_writer **ret);

/**
 * datafile_prepare() - as datafile_create(), but the file gets its name later
 * @path: likewise
 * @m: likewise
 * @d: likewise
 * @ret: likewise; call datafile_publish() before datafile_finish(), or the file is removed
 *
 * Return: 0, or the negative errno of created_open() or of writing.
 */
int datafile_prepare(const char *path, const struct machine *m, struct diag *d,
		     struct datafile_writer **ret);

/**
 * datafile_publish() - give a prepared file its name
 * @w: writer
 * @d: on failure
 *
 * Return: 0, or the negative errno of created_publish().
 */
int datafile_publish(struct datafile_writer *w, struct diag *d);

/**
 * datafile_probe() - write a probe, before the first data that has its records
 * @w: recording
 * @id: of its records
 * @name: of its events
 * @blob: its encoded layout
 * @size: bytes of @blob
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_probe(struct datafile_writer *w, uint32_t id, const char *name,
		   const void *blob, size_t size, struct diag *d);

/**
 * datafile_clock() - write a moment at which the clocks were read
 * @w: recording
 * @now: reply of KTAP_IOC_STATE; @raw, @mono and @real are written
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_clock(struct datafile_writer *w,
		   const struct ktap_session_state *now, struct diag *d);

/**
 * datafile_data() - write bytes of a ring
 * @w: recording
 * @cpu: whose ring
 * @position: of the first byte on that ring; a multiple of 8
 * @data: bytes, which are written without a copy
 * @size: how many; a multiple of 8
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_data(struct datafile_writer *w, unsigned int cpu,
		  uint64_t position, const void *data, size_t size,
		  struct diag *d);

/**
 * datafile_totals() - write the accounting of a probe, at the end of the recording
 * @w: recording
 * @id: of the probe
 * @counts: outcomes of its hits
 * @missed: hits that the kernel itself skipped
 * @unfollowed: calls that were not followed to their return
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_totals(struct datafile_writer *w, uint32_t id,
		    const struct ktap_counts *counts, uint64_t missed,
		    uint64_t unfollowed, struct diag *d);

/**
 * datafile_marks() - write the outcomes of the marks, if there were any
 * @w: recording
 * @marks: reply of KTAP_IOC_MARKS
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_marks(struct datafile_writer *w, const struct ktap_marks *marks,
		   struct diag *d);

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

/**
 * datafile_symbols() - write symbols of addresses in the data
 * @w: recording
 * @text: lines in the format of /proc/kallsyms, each with its newline; only printable
 *	ASCII, tabs and newlines: with other bytes in it, readers stop at this section
 * @size: bytes of @text
 * @d: on failure
 *
 * Readers join the lines of all calls.
 *
 * Return: 0 or a negative errno.
 */
int datafile_symbols(struct datafile_writer *w, const char *text, size_t size,
		     struct diag *d);

/**
 * struct datafile_file - a file that user stacks have frames in
 * @nr: its number in the frames
 * @name: last part of its path
 * @id: build-id
 * @id_size: bytes of it; 0: it has none
 * @code: its executable segments
 * @nr_code: how many
 * @copy: of a file that was read: the memory of these pointers; else not used
 */
struct datafile_file {
	uint32_t nr;
	const char *name;
	const uint8_t *id;
	size_t id_size;
	const struct ktap_data_code *code;
	size_t nr_code;
	void *copy;
};

/**
 * datafile_file() - write a file that user stacks have frames in
 * @w: recording
 * @file: the file; its name has printable ASCII characters only, and its build-id is not
 *	longer than KTAP_DATA_FILE_ID_MAX
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_file(struct datafile_writer *w, const struct datafile_file *file,
		  struct diag *d);

/**
 * struct datafile_map - rows into which hits were added up
 * @id: of their probe
 * @nr_words: words of each row
 * @nr_rows: how many
 * @rows: struct ktap_data_row, one after the other; of a file that was read: they lie within
 *	@size
 * @size: bytes of @rows
 */
struct datafile_map {
	uint32_t id;
	uint32_t nr_words;
	uint64_t nr_rows;
	const void *rows;
	size_t size;
};

/**
 * datafile_map() - write rows of a map, after their stacks
 * @w: recording
 * @map: rows, to be added to the rows of earlier calls with the same id
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_map(struct datafile_writer *w, const struct datafile_map *map,
		 struct diag *d);

/* enum datafile_reason - why a recording ended before its time */
enum datafile_reason {
	DATAFILE_NOT_STOPPED,
	DATAFILE_LOCKDOWN,	/* kernel lockdown was raised */
};

/**
 * datafile_stopped() - write that the recording ended before its time
 * @w: recording
 * @reason: why; readers get it as @stopped of struct datafile
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int datafile_stopped(struct datafile_writer *w, enum datafile_reason reason,
		     struct diag *d);

/**
 * datafile_is_stream() - whether a reader may take the recording while it is written
 * @w: recording
 *
 * Such a reader waits for CLOCK before it shows events. So read the clocks, then all rings,
 * and then write that moment with datafile_clock().
 *
 * Return: false: the output is a new file; true: it is a FIFO, a character device or
 *	standard output, or another descriptor that the path stands for.
 */
bool datafile_is_stream(const struct datafile_writer *w);

/**
 * datafile_finish() - write END, close the file and free the writer
 * @w: recording, which is freed on failure too; NULL: nothing is done, and @size is not set
 * @size: bytes that were written, also on failure; or NULL
 * @d: on failure
 *
 * Return: 0, or the negative errno of this or of an earlier write.
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
 * @began: CLOCK_MONOTONIC of the first of them, also of those that a pipe had; 0: there was none
 * @ended: of the last
 * @stacks: in file order
 * @nr_stacks: how many
 * @totals: accounting, where the recording came to its end
 * @nr_totals: how many
 * @marks: outcomes of the marks, where the recording came to its end
 * @symbols: lines as in /proc/kallsyms, of all such sections; owned
 * @symbols_size: bytes
 * @files: those that user stacks have frames in, in file order; owned
 * @nr_files: how many
 * @maps: rows of hits that were added up, in file order
 * @nr_maps: how many
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
	uint64_t began;
	uint64_t ended;
	struct datafile_part *stacks;
	size_t nr_stacks;
	struct datafile_total *totals;
	size_t nr_totals;
	struct ktap_marks marks;
	char *symbols;
	size_t symbols_size;
	struct datafile_file *files;
	size_t nr_files;
	struct datafile_map *maps;
	size_t nr_maps;
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

/**
 * datafile_is_pipe() - whether a recording is to be read with datafile_stream()
 * @path: file, or "-" for standard input
 *
 * Return: true if it is a FIFO, or standard input is a FIFO or a socket; false also if it
 *	cannot be found.
 */
bool datafile_is_pipe(const char *path);

/* datafile_section_fn - a section came: batches, clocks and stacks are only its own. */
typedef int (*datafile_section_fn)(void *ctx, const struct datafile *f,
				   struct diag *d);

/**
 * struct datafile_source - where a recording comes from
 * @path: of a FIFO, or "-"; with @read, what to call it in messages
 * @read: reads as read(2) does, and returns a negative errno on failure; NULL: @path is
 *	opened and read
 * @ctx: for @read
 */
struct datafile_source {
	const char *path;
	ssize_t (*read)(void *ctx, void *to, size_t size);
	void *ctx;
};

/**
 * datafile_stream() - read a recording while it comes
 * @from: where from
 * @fn: takes sections
 * @ctx: for @fn
 * @d: on failure
 * @ret: all but what was in the batches, clocks and stacks
 *
 * Return: as datafile_open(), or what @fn said.
 */
int datafile_stream(const struct datafile_source *from, datafile_section_fn fn,
		    void *ctx, struct diag *d, struct datafile **ret);

/**
 * datafile_parse() - check a recording in memory
 * @path: what to call it in messages
 * @bytes: the recording, which must live as long as *@ret; datafile_close() does not free it
 * @size: how many
 * @d: on failure
 * @ret: as datafile_open(); release with datafile_close()
 *
 * Return: 0, -EINVAL for what is no recording that can be read, -ENOMEM.
 */
int datafile_parse(const char *path, const void *bytes, size_t size,
		   struct diag *d, struct datafile **ret);

/**
 * datafile_forget() - release the memory of bytes that are not needed for now
 * @f: recording; without a mapping no memory is released
 * @until: in @f->bytes or at their end: the bytes before it are not needed
 *
 * It keeps memory from growing with the recording. Pointers to these bytes remain valid:
 * the kernel reads the pages from the file again when they are touched.
 */
void datafile_forget(struct datafile *f, const void *until);

/**
 * datafile_close() - release a recording
 * @f: recording, or NULL
 *
 * Everything that points into it becomes invalid. Bytes that were given to
 * datafile_parse() stay the caller's.
 */
void datafile_close(struct datafile *f);

#endif /* KTAP_RECORD_DATAFILE_H */
