/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ktap.data, version 2, byte by byte. Private to record/ and its tests.
 *
 * struct file_head, then sections: struct file_section, a payload of @length
 * bytes, zeros up to a multiple of 8. Integers have the byte order of the
 * machine that recorded; a reader takes only its own.
 *
 * Sections come in this order: one MACHINE first; PROBE before the first DATA
 * that has its records; CLOCK, DATA, SYMBOLS, TOTALS and STOPPED as they come; one
 * END last. A
 * section of a type that a reader does not know is skipped. A payload may grow
 * at its end: a reader takes what it knows, and what is missing is zero.
 *
 * Two checksums a section, so that a file that was cut inside of one can be
 * told from a damaged one, and what lies before the cut can be used.
 */
#ifndef KTAP_RECORD_FORMAT_H
#define KTAP_RECORD_FORMAT_H

#include <linux/ktap.h>
#include <stddef.h>
#include <stdint.h>

#define FILE_MAGIC	"KTAPDATA"
#define FILE_ORDER	0x01020304U
#define FILE_ORDER_OTHER 0x04030201U
#define FILE_VERSION	2	/* 1: without KTAP_REC_AGAIN */

/**
 * struct file_head - starts the file
 * @magic: FILE_MAGIC, without the NUL
 * @order: FILE_ORDER
 * @version: FILE_VERSION; grows when an old reader would misread
 * @size: bytes up to the first section, a multiple of 8; may grow
 * @sum: file_sum() of these @size bytes, itself taken as 0
 */
struct file_head {
	char magic[8];
	uint32_t order;
	uint32_t version;
	uint32_t size;
	uint32_t sum;
};

#define FILE_HEAD_MAX	4096

enum file_section_type {
	SECTION_MACHINE = 1,	/* struct file_machine */
	SECTION_PROBE = 2,	/* struct file_probe, name, blob */
	SECTION_DATA = 3,	/* bytes of a ring; @cpu and @position */
	SECTION_CLOCK = 4,	/* struct file_clock */
	SECTION_TOTALS = 5,	/* struct file_totals, struct ktap_counts */
	SECTION_END = 6,	/* nothing */
	SECTION_SYMBOLS = 7,	/* lines as in /proc/kallsyms */
	SECTION_STOPPED = 8,	/* struct file_stopped */
};

/**
 * struct file_section - starts a section
 * @type: enum file_section_type
 * @head_sum: file_sum() of this structure, itself taken as 0
 * @length: bytes of the payload
 * @sum: file_sum() of the payload and the zeros behind it
 * @cpu: DATA: whose ring; else 0
 * @position: DATA: where on that ring; else 0
 */
struct file_section {
	uint32_t type;
	uint32_t head_sum;
	uint64_t length;
	uint32_t sum;
	uint32_t cpu;
	uint64_t position;
};

#define FILE_MACHINE_F_OVERWRITE (1U << 0)

/* struct file_machine - struct machine, see datafile.h */
struct file_machine {
	char release[72];
	char hostname[72];
	uint32_t arch;
	uint32_t clock;
	uint64_t clock_hz;
	uint64_t ring_size;
	uint32_t subbuf_size;
	uint32_t nr_cpus;
	uint32_t flags;
	uint32_t build_id_size;
	uint8_t build_id[24];
};

/**
 * struct file_probe - starts the payload of PROBE
 * @id: of its records
 * @name_size: bytes of the name with its NUL; zeros up to a multiple of 8
 *	follow it, and then the blob to the end
 */
struct file_probe {
	uint32_t id;
	uint32_t name_size;
};

struct file_clock {
	uint64_t raw;
	uint64_t mono;
	uint64_t real;
};

/**
 * struct file_totals - starts the payload of TOTALS
 * @id: probe
 * @counts_size: bytes of struct ktap_counts behind this
 * @missed: hits the kernel itself skipped
 *
 * Behind the counts: 64 bits, the calls that were not followed to their return. Older
 * files end before them, and older readers pass them over.
 */
struct file_totals {
	uint32_t id;
	uint32_t counts_size;
	uint64_t missed;
};

/**
 * struct file_stopped - the recording was ended from outside
 * @reason: enum datafile_reason
 * @reserved: zero
 */
struct file_stopped {
	uint32_t reason;
	uint32_t reserved;
};

_Static_assert(sizeof(struct file_head) == 24, "file format");
_Static_assert(sizeof(struct file_section) == 32, "file format");
_Static_assert(sizeof(struct file_machine) == 208, "file format");
_Static_assert(sizeof(struct file_totals) == 16, "file format");

/* file_sum() - the checksum of this file: the low half of 64-bit XXH3. */
uint32_t file_sum(const void *data, size_t size);

/* file_section_sum() - what head_sum should be. */
uint32_t file_section_sum(const struct file_section *s);

/* file_padding() - zeros behind @size bytes. */
static inline unsigned int file_padding(uint64_t size)
{
	return -size & 7;
}

#endif /* KTAP_RECORD_FORMAT_H */
