/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_PLACE_BLACKLIST_H
#define KTAP_PLACE_BLACKLIST_H

#include <stdbool.h>
#include <stdint.h>

/* blacklist_has() - the kernel forbids kprobes at @address: by its list, or by
 * that in the file @path. False where that cannot be read.
 */
bool blacklist_has(const char *path, uint64_t address);

#endif /* KTAP_PLACE_BLACKLIST_H */
