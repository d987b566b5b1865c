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
 * @f: recording, with the address of KTAP_ANCHOR among its symbols
 * @d: on failure
 * @ret: symbols; release with ksyms_free()
 *
 * Return: 0; -EINVAL if it is another kernel, or the recording has no such address; or why
 * the file cannot be read.
 */
int recorded_symbols(const char *vmlinux, const struct datafile *f, struct diag *d,
		     struct ksyms **ret);

#endif /* KTAP_DEFINE_RECORDED_H */
