/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that were inlined where the frames of a stack are. */
#ifndef KTAP_DEFINE_FRAMES_H
#define KTAP_DEFINE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "place/ksyms.h"

struct frames;

/**
 * frames_open() - read the debug information of a kernel, a program or a library
 * @path: file
 * @alone: as debug_open_alone(): a separate debug file is not searched for
 * @slide: added to addresses of the file
 * @d: on failure
 * @ret: on success; release with frames_free()
 *
 * Return: 0; -ENOENT: the file has no debug information; or as debug_open().
 */
int frames_open(const char *path, bool alone, uint64_t slide, struct diag *d,
		struct frames **ret);

/**
 * frames_find() - the functions that were inlined at an address
 * @f: debug information
 * @address: of an instruction, with the slide
 * @ret: their names, the innermost one first; valid as long as @f; unchanged if there is none
 *
 * Return: how many; 0 also without memory.
 */
size_t frames_find(struct frames *f, uint64_t address, const char *const **ret);

/**
 * frames_free() - release debug information
 * @f: debug information, or NULL
 */
void frames_free(struct frames *f);
DEFINE_CLEANUP(struct frames, frames_free)

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
