/* SPDX-License-Identifier: GPL-2.0 */
/* Symbols of the kernel that a recording was made on. */
#ifndef KTAP_DEFINE_RECORDED_H
#define KTAP_DEFINE_RECORDED_H

#include "base/diag.h"
#include "place/ksyms.h"
#include "record/datafile.h"

/**
 * recorded_symbols() - the symbols of a kernel at the addresses that it had
 * @vmlinux: file of the kernel
 * @inlined: the symbols know functions that were inlined, from its debug information
 * @f: recording. If KTAP_ANCHOR is among its symbols, the symbols come from the file; if it
 *	has symbols without that, and @inlined is set, they are its own
 * @d: on failure
 * @ret: symbols; release with ksyms_free()
 *
 * Return: 0; -EINVAL if it is another kernel, or the recording does not say where it was;
 * -ENOENT if @inlined needs debug information that is missing; or why the file cannot be read.
 */
int recorded_symbols(const char *vmlinux, bool inlined, const struct datafile *f,
		     struct diag *d, struct ksyms **ret);

#endif /* KTAP_DEFINE_RECORDED_H */
