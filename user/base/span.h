/* SPDX-License-Identifier: GPL-2.0 */
/* Where something stands in the text of a definition. */
#ifndef KTAP_BASE_SPAN_H
#define KTAP_BASE_SPAN_H

#include <stddef.h>

/* struct span - bytes [start, start + length) of the definition's text */
struct span {
	size_t start;
	size_t length;
};

#endif /* KTAP_BASE_SPAN_H */
