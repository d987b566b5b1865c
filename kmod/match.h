/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Glob patterns over strings of a known length.
 */
#ifndef KTAP_MATCH_H
#define KTAP_MATCH_H

#include "env.h"

bool ktap_match(const char *pattern, u32 pattern_len, const char *text,
		u32 text_len);

#endif /* KTAP_MATCH_H */
