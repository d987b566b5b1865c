/* SPDX-License-Identifier: GPL-2.0 */
/* Elements of an array, counted by the compiler. */
#ifndef KTAP_UTIL_ARRAY_H
#define KTAP_UTIL_ARRAY_H

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* KTAP_UTIL_ARRAY_H */
