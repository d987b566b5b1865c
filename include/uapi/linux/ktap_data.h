/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * ktap.data, byte by byte: what "ktap record" and the device of a probe module write.
 *
 * struct ktap_data_head, then sections: struct ktap_data_section, a payload of @length
 * bytes, zeros up to a multiple of 8. Integers have the byte order of the machine that
 * recorded; a reader takes only its own.
 *
 * Sections come in this order: one MACHINE first; PROBE before the first DATA that has its
 * records; STACKS before the first DATA or MAP that has their ids; CLOCK, DATA, SYMBOLS,
 * FILE, MAP, TOTALS, MARKS and STOPPED as they come; one END last. A reader skips a section
 * of a type that it does not know. A payload may grow at its end: a reader takes what it
 * knows, and what is missing is zero.
 *
 * Each section has two checksums, so that a file that was cut inside a section can be told
 * from a damaged one, and what precedes the cut can be used. In version 2 a checksum is the
 * low half of the 64-bit XXH3 hash, in version 3 it is CRC-32 (IEEE 802.3). Nothing else
 * differs: the tool writes version 2, because that hash costs it less, and the module writes
 * version 3, because kernels have no XXH3.
 */
#ifndef _UAPI_LINUX_KTAP_DATA_H
#define _UAPI_LINUX_KTAP_DATA_H

#include <linux/types.h>

#define KTAP_DATA_MAGIC		"KTAPDATA"	/* without its NUL */
#define KTAP_DATA_ORDER		0x01020304U
#define KTAP_DATA_ORDER_OTHER	0x04030201U
#define KTAP_DATA_XXH3		2	/* version; 1: without KTAP_REC_AGAIN */
#define KTAP_DATA_CRC32		3	/* version */

/**
 * struct ktap_data_head - begin of the file
 * @magic: KTAP_DATA_MAGIC
 * @order: KTAP_DATA_ORDER
 * @version: KTAP_DATA_*; grows when an old reader would misread
 * @size: bytes up to the first section, a multiple of 8; may grow
 * @sum: checksum of these @size bytes, with this member 0
 */
struct ktap_data_head {
	char magic[8];
	__u32 order;
	__u32 version;
	__u32 size;
	__u32 sum;
};

enum ktap_data_type {
	KTAP_DATA_MACHINE = 1,	/* struct ktap_data_machine */
	KTAP_DATA_PROBE = 2,	/* struct ktap_data_probe, name, blob */
	KTAP_DATA_DATA = 3,	/* bytes of a ring; @cpu and @position */
	KTAP_DATA_CLOCK = 4,	/* struct ktap_data_clock */
	KTAP_DATA_TOTALS = 5,	/* struct ktap_data_totals, struct ktap_counts, u64 */
	KTAP_DATA_END = 6,	/* nothing */
	KTAP_DATA_SYMBOLS = 7,	/* lines as in /proc/kallsyms */
	KTAP_DATA_STOPPED = 8,	/* struct ktap_data_stopped */
	KTAP_DATA_STACKS = 9,	/* struct ktap_stack, one after the other */
	KTAP_DATA_MARKS = 10,	/* struct ktap_marks, if there were any */
	KTAP_DATA_FILE = 11,	/* struct ktap_data_file, struct ktap_data_code, name */
	KTAP_DATA_MAP = 12,	/* struct ktap_data_map, rows */
};

/**
 * struct ktap_data_section - begin of a section
 * @type: enum ktap_data_type
 * @head_sum: checksum of this structure, with this member 0
 * @length: bytes of the payload
 * @sum: checksum of the payload and of the zeros after it
 * @cpu: DATA: whose ring; else 0
 * @position: DATA: where on that ring; else 0
 */
struct ktap_data_section {
	__u32 type;
	__u32 head_sum;
	__u64 length;
	__u32 sum;
	__u32 cpu;
	__u64 position;
};

#define KTAP_DATA_F_OVERWRITE	(1U << 0)
#define KTAP_DATA_NAME_SIZE	72
#define KTAP_DATA_ID_SIZE	24
#define KTAP_DATA_ID_MAX	20	/* bytes that it may use */

/**
 * struct ktap_data_machine - the machine and the session
 * @release: of the kernel, padded with NUL
 * @hostname: likewise
 * @arch: enum ktap_arch
 * @clock: enum ktap_clock
 * @clock_hz: nominal frequency of the raw counter
 * @ring_size: bytes of a ring
 * @subbuf_size: bytes of a sub-buffer
 * @nr_cpus: CPU numbers are below this
 * @flags: KTAP_DATA_F_*
 * @build_id_size: bytes of @build_id that are used, at most KTAP_DATA_ID_MAX
 * @build_id: of the kernel
 */
struct ktap_data_machine {
	char release[KTAP_DATA_NAME_SIZE];
	char hostname[KTAP_DATA_NAME_SIZE];
	__u32 arch;
	__u32 clock;
	__u64 clock_hz;
	__u64 ring_size;
	__u32 subbuf_size;
	__u32 nr_cpus;
	__u32 flags;
	__u32 build_id_size;
	__u8 build_id[KTAP_DATA_ID_SIZE];
};

/**
 * struct ktap_data_probe - begin of the payload of PROBE
 * @id: of its records
 * @name_size: bytes of the name with its NUL; zeros up to a multiple of 8 follow it, and
 *	then the blob up to the end
 */
struct ktap_data_probe {
	__u32 id;
	__u32 name_size;
};

/**
 * struct ktap_data_clock - the clocks, all read at the same moment
 * @raw: raw counter
 * @mono: CLOCK_MONOTONIC, in nanoseconds
 * @real: CLOCK_REALTIME, in nanoseconds
 */
struct ktap_data_clock {
	__u64 raw;
	__u64 mono;
	__u64 real;
};

/**
 * struct ktap_data_totals - begin of the payload of TOTALS
 * @id: probe
 * @counts_size: bytes of struct ktap_counts, which follows
 * @missed: hits that the kernel itself skipped
 *
 * After the counts: 64 bits, the calls that were not followed to their return. Older files
 * end before them, and older readers ignore them.
 */
struct ktap_data_totals {
	__u32 id;
	__u32 counts_size;
	__u64 missed;
};

/**
 * struct ktap_data_stopped - the recording was ended from outside
 * @reason: 1: kernel lockdown was raised
 * @reserved: zero
 */
struct ktap_data_stopped {
	__u32 reason;
	__u32 reserved;
};

#define KTAP_DATA_FILE_ID_MAX	32
#define KTAP_DATA_CODE_MAX	64	/* segments of a file */

/**
 * struct ktap_data_file - begin of the payload of FILE: a file that user stacks have frames in
 * @file: its number in the frames, see KTAP_USER_FILE_SHIFT
 * @nr_code: how many struct ktap_data_code follow, at most KTAP_DATA_CODE_MAX
 * @name_size: bytes of the name with its NUL, which follows them: the last part of the path
 * @build_id_size: bytes of @build_id that are used; 0: it has none
 * @build_id: of the file
 */
struct ktap_data_file {
	__u32 file;
	__u32 nr_code;
	__u32 name_size;
	__u32 build_id_size;
	__u8 build_id[KTAP_DATA_FILE_ID_MAX];
};

/**
 * struct ktap_data_code - an executable segment of a file
 * @offset: its first byte in the file
 * @address: ELF virtual address of that byte
 * @size: bytes
 */
struct ktap_data_code {
	__u64 offset;
	__u64 address;
	__u64 size;
};

#define KTAP_DATA_NO_KEY	(~0U)

/**
 * struct ktap_data_map - begin of the payload of MAP: rows into which hits of a probe were added up
 * @id: of the probe
 * @nr_words: words of the values of each row, as in struct ktap_map_slot
 * @nr_rows: how many struct ktap_data_row follow
 *
 * Rows of several sections with one @id, and rows with one key, are to be added up.
 */
struct ktap_data_map {
	__u32 id;
	__u32 nr_words;
	__u64 nr_rows;
};

/**
 * struct ktap_data_row - a row; its words follow, then its key, then zeros up to a multiple of 8
 * @count: hits
 * @key_size: bytes of the key, which is the payload of a record with zeros for the values;
 *	KTAP_DATA_NO_KEY: it has none, and counts the hits that found all rows taken
 * @reserved: zero
 */
struct ktap_data_row {
	__u64 count;
	__u32 key_size;
	__u32 reserved;
	__u64 words[];
};

#endif /* _UAPI_LINUX_KTAP_DATA_H */
