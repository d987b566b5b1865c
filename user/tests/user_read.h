/* SPDX-License-Identifier: GPL-2.0 */
/* What a walk of a user stack says that it has used. */
#ifndef KTAP_TESTS_USER_READ_H
#define KTAP_TESTS_USER_READ_H

#include "env_user.h"

/* Has it used a byte of the word? */
static inline bool read_uses(const struct ktap_user_read *read, u64 at)
{
	for (u32 i = 0; i < read->nr; i++)
		if (read->words[i].at < at + 8 && at < read->words[i].at + 8)
			return true;
	return false;
}

/* Has it noted the mapping that begins there? */
static inline bool read_notes(const struct ktap_user_read *read, u64 start)
{
	for (u32 i = 0; i < read->nr_notes; i++)
		if (read->notes[i].says.start == start)
			return true;
	return false;
}

#endif /* KTAP_TESTS_USER_READ_H */
