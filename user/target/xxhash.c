// SPDX-License-Identifier: GPL-2.0
/* The functions of libxxhash that ktap uses, compiled from its header. */
#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include <xxhash.h>
