/* SPDX-License-Identifier: GPL-2.0 */
/* Sections of a recording, one after the other. Private to record/. */
#ifndef KTAP_RECORD_READER_H
#define KTAP_RECORD_READER_H

#include "base/cleanup.h"
#include "record/datafile.h"
#include "record/format.h"

DEFINE_CLEANUP(struct datafile, datafile_close)

/**
 * struct reader - where in the file we are
 * @f: what was found so far
 * @at: offset of the next section
 * @version: of the file
 * @machine: it was seen
 */
struct reader {
	struct datafile *f;
	size_t at;
	uint32_t version;
	bool machine;
};

/**
 * reader_head() - check the head of the file
 * @r: on success @version is set, and @at to the offset of the first section
 * @path: what to call the file in messages
 * @bytes: begin of the file
 * @size: bytes there, which are at least the head unless the file is shorter
 * @d: on failure
 *
 * Return: 0; -EINVAL: it is empty or no recording, it is cut short or damaged in its head,
 *	or it has another byte order or a later version.
 */
int reader_head(struct reader *r, const char *path, const void *bytes,
		size_t size, struct diag *d);

/**
 * reader_section() - check the next section, and add it to the recording
 * @r: reader, after reader_head(); the section is at @at of the bytes of @f
 *
 * Probes, batches, stacks and maps point into the bytes of @f, everything else is copied. A
 * section of an unknown type is skipped. If the file ends within DATA, the whole words of 8
 * bytes are used. END sets @complete of @f, and the caller stops there.
 *
 * Return: 1: @at is the next section; 0: the rest cannot be used, and @cut_at and
 *	@cut_reason of @f say from where on and why; -ENOMEM.
 */
int reader_section(struct reader *r);

/**
 * reader_no_machine() - report a recording that ends before its MACHINE
 * @path: what to call the file in messages
 * @f: recording; the message has its @cut_at and @cut_reason
 * @d: gets the message; or NULL
 *
 * Return: -EINVAL.
 */
int reader_no_machine(const char *path, const struct datafile *f,
		      struct diag *d);

#endif /* KTAP_RECORD_READER_H */
