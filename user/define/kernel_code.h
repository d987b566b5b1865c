/* SPDX-License-Identifier: GPL-2.0 */
/* The code of the kernel that runs: from its memory, or from the file of -k. */
#ifndef KTAP_DEFINE_KERNEL_CODE_H
#define KTAP_DEFINE_KERNEL_CODE_H

#include "define/define.h"
#include "object/kcore.h"

/**
 * struct kernel_code - where code is read; zeros before it is opened
 * @memory: the kernel's memory; NULL: @file
 * @file: the file of -k
 * @slide: what is added to addresses of the file
 */
struct kernel_code {
	struct kcore *memory;
	struct binary *file;
	uint64_t slide;
};

/**
 * kernel_code_open() - open the code of the kernel
 * @df: definer, with symbols. With -k the code of the kernel is read from the file, and the code
 *	of modules is not there
 * @d: on failure
 * @ret: release with kernel_code_close(), also on failure
 *
 * Return: 0; -EINVAL: the file is not of this kernel; or as kcore_open() and binary_open().
 */
int kernel_code_open(struct definer *df, struct diag *d, struct kernel_code *ret);

/**
 * kernel_code_read() - copy code
 * @code: code of the kernel
 * @address: run-time address of the first byte
 * @buf: filled
 * @size: how many bytes
 *
 * Return: 0; -ENODATA: it cannot be read.
 */
int kernel_code_read(const struct kernel_code *code, uint64_t address, void *buf, size_t size);

/**
 * kernel_code_close() - release the code of the kernel
 * @code: all zero afterwards
 */
void kernel_code_close(struct kernel_code *code);

#endif /* KTAP_DEFINE_KERNEL_CODE_H */
