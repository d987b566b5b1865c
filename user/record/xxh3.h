/* SPDX-License-Identifier: GPL-2.0 */
/* XXH3, by the CPU where the library can choose: AVX2 takes a third of the instructions. */
#ifndef KTAP_RECORD_XXH3_H
#define KTAP_RECORD_XXH3_H

#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

#endif /* KTAP_RECORD_XXH3_H */
