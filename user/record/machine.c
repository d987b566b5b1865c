// SPDX-License-Identifier: GPL-2.0
/* Who we are: what a recording says of the machine that made it. */
#include <string.h>
#include <sys/utsname.h>

#include "arch/arch.h"
#include "base/elf_id.h"
#include "record/datafile.h"

#define KERNEL_NOTES	"/sys/kernel/notes"

static void copy_name(char to[65], const char *from)
{
	size_t size = strnlen(from, 64);

	memcpy(to, from, size);
	to[size] = '\0';
}

void machine_from_session(const struct ktap_session_setup *setup,
			  struct machine *ret)
{
	uint8_t id[ELF_ID_MAX];
	struct utsname u = {};

	/* fails for a bad pointer only */
	uname(&u);
	*ret = (struct machine){
		.arch = arch_native(),
		.nr_cpus = setup->nr_cpus,
		.clock = setup->clock,
		.clock_hz = setup->clock_hz,
		.subbuf_size = setup->subbuf_size,
		.ring_size = setup->ring_size,
		.overwrite = setup->flags & KTAP_SESSION_F_OVERWRITE,
	};
	copy_name(ret->release, u.release);
	copy_name(ret->hostname, u.nodename);
	ret->build_id_size = elf_id_of_notes(KERNEL_NOTES, id);
	if (ret->build_id_size > sizeof(ret->build_id))
		ret->build_id_size = 0;
	memcpy(ret->build_id, id, ret->build_id_size);
}
