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

/* reader_head() - check the head in @bytes; sets @r->version, and @r->at to its end. */
int reader_head(struct reader *r, const char *path, const void *bytes,
		size_t size, struct diag *d);

/* reader_section() - the section at @r->at of @r->f's bytes. Return: 1 to go on, 0
 * at the end of what can be used, -ENOMEM.
 */
int reader_section(struct reader *r);

/* reader_no_machine() - there was nothing to use. Return: -EINVAL. */
int reader_no_machine(const char *path, const struct datafile *f,
		      struct diag *d);

#endif /* KTAP_RECORD_READER_H */
