/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of the kernel that were inlined where the frames of a stack are. */
#ifndef KTAP_DEFINE_FRAMES_H
#define KTAP_DEFINE_FRAMES_H

#include <stdint.h>

#include "base/diag.h"
#include "place/ksyms.h"

/**
 * frames_inlined() - have symbols know the functions that were inlined
 * @ks: symbols of the kernel
 * @vmlinux: its file, whose debug information is read
 * @slide: added to addresses of the file
 * @d: on failure
 *
 * Return: 0; -ENOENT: the file has no debug information; or as debug_open().
 */
int frames_inlined(struct ksyms *ks, const char *vmlinux, uint64_t slide,
		   struct diag *d);

#endif /* KTAP_DEFINE_FRAMES_H */
