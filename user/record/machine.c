// SPDX-License-Identifier: GPL-2.0
/* Who we are: what a recording says of the machine that made it. */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>

#include "record/datafile.h"
#include "util/cleanup.h"

#define KERNEL_NOTES	"/sys/kernel/notes"

#if defined(__x86_64__)
#define MACHINE_ARCH	KTAP_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE_ARCH	KTAP_ARCH_ARM64
#else
#error "the module exists for x86_64 and arm64 only"
#endif

static size_t note_align(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

unsigned int machine_build_id(const void *notes, size_t size, uint8_t ret[20])
{
	const unsigned char *at = notes;
	size_t name, desc;
	Elf64_Nhdr n;

	while (size >= sizeof(n)) {
		memcpy(&n, at, sizeof(n));
		at += sizeof(n);
		size -= sizeof(n);
		name = note_align(n.n_namesz);
		desc = note_align(n.n_descsz);
		if (name > size || desc > size - name)
			return 0;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_descsz <= 20 &&
		    n.n_namesz == 4 && !memcmp(at, "GNU", 4)) {
			memcpy(ret, at + name, n.n_descsz);
			return n.n_descsz;
		}
		at += name + desc;
		size -= name + desc;
	}
	return 0;
}

static unsigned int own_build_id(uint8_t ret[20])
{
	_cleanup_close_ int fd = open(KERNEL_NOTES, O_RDONLY | O_CLOEXEC);
	char notes[4096];
	ssize_t size;

	if (fd < 0)
		return 0;
	size = read(fd, notes, sizeof(notes));
	return size > 0 ? machine_build_id(notes, size, ret) : 0;
}

static void copy_name(char to[65], const char *from)
{
	size_t size = strnlen(from, 64);

	memcpy(to, from, size);
	to[size] = '\0';
}

void machine_from_session(const struct ktap_session_setup *setup,
			  struct machine *ret)
{
	struct utsname u = {};

	/* fails for a bad pointer only */
	uname(&u);
	*ret = (struct machine){
		.arch = MACHINE_ARCH,
		.nr_cpus = setup->nr_cpus,
		.clock = setup->clock,
		.clock_hz = setup->clock_hz,
		.subbuf_size = setup->subbuf_size,
		.ring_size = setup->ring_size,
		.overwrite = setup->flags & KTAP_SESSION_F_OVERWRITE,
	};
	copy_name(ret->release, u.release);
	copy_name(ret->hostname, u.nodename);
	ret->build_id_size = own_build_id(ret->build_id);
}
