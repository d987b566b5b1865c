// SPDX-License-Identifier: GPL-2.0
/* Simulated environment for the plain C files of the module. */
#include "hit/env.h"

#define NR_REGIONS	16
#define GARBAGE		0xa5

ENV_THREAD struct env_world env_world;

static ENV_THREAD struct region {
	u64 addr;
	const u8 *bytes;
	size_t size;
} regions[NR_REGIONS];

static ENV_THREAD unsigned int nr_regions;

static int mapped_byte(u64 addr, bool user)
{
	const struct region *m;

	/* a user address is user memory, whatever access was requested */
	if (user && addr >= ENV_USER_TOP)
		return -1;
	for (m = regions; m < regions + nr_regions; m++)
		if (addr - m->addr < m->size)
			return m->bytes[addr - m->addr];
	return -1;
}

/* The byte at an address, or -1 if it is not mapped or not resident. */
static int byte_of(u64 addr, enum env_memory memory)
{
	if (env_world.absent && addr >= env_world.absent &&
	    addr < ENV_USER_TOP)
		return -1;
	return env_world.byte(addr, memory != ENV_ANY);
}

void env_reset(void)
{
	env_world = (struct env_world){ .byte = mapped_byte, .quiet = ~0ULL };
	nr_regions = 0;
}

void env_set_task(u32 tid, u32 tgid, const char *comm)
{
	memset(env_world.comm, 0, sizeof(env_world.comm));
	memcpy(env_world.comm, comm, strnlen(comm, KTAP_COMM_LEN - 1));
	env_world.tid = tid;
	env_world.tgid = tgid;
}

void env_map(u64 addr, const void *bytes, size_t size)
{
	if (WARN_ON(nr_regions == NR_REGIONS))
		return;
	regions[nr_regions++] = (struct region){ addr, bytes, size };
}

int env_read(void *dst, u64 addr, u32 size, enum env_memory memory)
{
	u8 *to = dst;
	u32 i;

	for (i = 0; i < size; i++) {
		int byte = byte_of(addr + i, memory);

		if (byte < 0) {
			memset(dst, GARBAGE, size);
			return -EFAULT;
		}
		to[i] = byte;
	}
	return 0;
}

long env_string(char *dst, u64 addr, u32 max, enum env_memory memory)
{
	u32 len;

	memset(dst, GARBAGE, max);
	for (len = 0; len < max; len++) {
		int byte = byte_of(addr + len, memory);

		if (byte < 0)
			return -EFAULT;
		dst[len] = byte;
		if (!byte)
			return len;
	}
	return max;
}

static u64 bring_all_in(void)
{
	u64 absent = env_world.absent;

	env_world.absent = 0;
	return absent;
}

int env_read_waiting(struct ktap_user_wait *wait, void *dst, u64 addr, u32 size)
{
	u64 absent = bring_all_in();
	int err = env_read(dst, addr, size, ENV_USER);

	(void)wait;
	env_world.absent = absent;
	return err;
}

long env_string_waiting(struct ktap_user_wait *wait, char *dst, u64 addr,
			u32 max)
{
	u64 absent = bring_all_in();
	long len = env_string(dst, addr, max, ENV_USER);

	(void)wait;
	env_world.absent = absent;
	return len;
}
