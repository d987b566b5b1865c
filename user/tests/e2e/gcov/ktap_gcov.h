/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What gcc 12 and 13 put into an object that is compiled with -fprofile-arcs: its
 * counters, and calls of these functions.
 */
#ifndef KTAP_GCOV_H
#define KTAP_GCOV_H

#include <linux/types.h>

#define GCOV_COUNTERS 8

struct gcov_info;

struct gcov_fn_info {
	const struct gcov_info *key;
	u32 ident;
	u32 lineno_checksum;
	u32 cfg_checksum;
	/* of the only kind that -fprofile-arcs makes */
	struct {
		u32 nr;
		s64 *values;
	} arcs;
};

struct gcov_info {
	u32 version;
	struct gcov_info *next;
	u32 stamp;
	u32 checksum;
	const char *filename;

	void (*merge[GCOV_COUNTERS])(s64 *counters, u32 n);
	u32 nr;
	const struct gcov_fn_info *const *functions;
};

void __gcov_init(struct gcov_info *info);
void __gcov_exit(void);
void __gcov_merge_add(s64 *counters, u32 n);

#endif /* KTAP_GCOV_H */
