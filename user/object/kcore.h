/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory of the running kernel, of which this process may read the code: /proc/kcore.
 * It is an ELF core file, with a segment for each range of addresses (fs/proc/kcore.c).
 */
#ifndef KTAP_OBJECT_KCORE_H
#define KTAP_OBJECT_KCORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"

struct kcore;

/**
 * kcore_open() - open the memory of the running kernel
 * @path: file; NULL: /proc/kcore
 * @d: on failure
 * @ret: on success; release with kcore_free()
 *
 * The file needs CAP_SYS_RAWIO, CONFIG_PROC_KCORE, and no lockdown of confidentiality.
 *
 * Return: 0; -EINVAL: it is no core file; -ENOMEM; or the error of open().
 */
int kcore_open(const char *path, struct diag *d, struct kcore **ret);

/**
 * kcore_read() - read memory of the kernel
 * @k: the memory
 * @address: of the first byte
 * @buf: filled
 * @size: how many bytes
 *
 * Return: 0; -ENODATA: the file does not have all of them, or they cannot be read.
 */
int kcore_read(const struct kcore *k, uint64_t address, void *buf, size_t size);

/**
 * kcore_free() - close the memory of the kernel
 * @k: memory, or NULL
 */
void kcore_free(struct kcore *k);
DEFINE_CLEANUP(struct kcore, kcore_free)

#endif /* KTAP_OBJECT_KCORE_H */
