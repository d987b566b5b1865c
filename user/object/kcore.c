// SPDX-License-Identifier: GPL-2.0
#include "object/kcore.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUNNING "/proc/kcore"

/**
 * struct kcore - an open core file
 * @fd: file
 * @elf: its headers
 * @nr: segments
 */
struct kcore {
	int fd;
	Elf *elf;
	size_t nr;
};

/* The file has no size that is true: libelf must not map it. */
static int read_headers(struct kcore *k)
{
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	k->elf = elf_begin(k->fd, ELF_C_READ, NULL);
	if (!k->elf || !gelf_getehdr(k->elf, &header) || header.e_type != ET_CORE ||
	    elf_getphdrnum(k->elf, &k->nr))
		return -EINVAL;
	return 0;
}

int kcore_open(const char *path, struct diag *d, struct kcore **ret)
{
	_cleanup_(kcore_freep) struct kcore *k = calloc(1, sizeof(*k));
	int err;

	if (!path)
		path = RUNNING;
	if (!k)
		return diag_no_memory(d);
	k->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (k->fd < 0) {
		err = -errno;
		return diag_set(d, err, DIAG_KCORE_OPEN, path, strerror(-err));
	}
	err = read_headers(k);
	if (err)
		return diag_set(d, err, DIAG_KCORE_FORMAT, path);
	*ret = take_ptr(k);
	return 0;
}

void kcore_free(struct kcore *k)
{
	if (!k)
		return;
	elf_end(k->elf);
	if (k->fd >= 0)
		close(k->fd);
	free(k);
}

static bool find_segment(const struct kcore *k, uint64_t address, size_t size,
			 GElf_Phdr *ret)
{
	for (size_t i = 0; i < k->nr; i++)
		if (gelf_getphdr(k->elf, i, ret) && ret->p_type == PT_LOAD &&
		    address >= ret->p_vaddr && size <= ret->p_memsz &&
		    address - ret->p_vaddr <= ret->p_memsz - size)
			return true;
	return false;
}

int kcore_read(const struct kcore *k, uint64_t address, void *buf, size_t size)
{
	GElf_Phdr segment;
	size_t done = 0;
	ssize_t n;

	if (!find_segment(k, address, size, &segment))
		return -ENODATA;
	while (done < size) {
		n = pread(k->fd, (char *)buf + done, size - done,
			  segment.p_offset + (address - segment.p_vaddr) + done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -ENODATA;
		done += n;
	}
	return 0;
}
