// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that both the kernel and the interpreter in user space can read: pages of
 * this process at a fixed address, and those of the module ktap_image. Around
 * the first and behind the second nothing is mapped.
 */
#include <string.h>
#include <sys/mman.h>

#include "hit/cost.h"
#include "programs.h"

#define USER_IMAGE	0x200000000ULL
/* Below it nothing else is mapped in a program whose place is random. */
#define USER_EMPTY	0x500000000000ULL
/* Kernel addresses start here, however many levels page tables have. */
#define KERNEL_FROM	0xff00000000000000ULL

struct spent memory_spent;

static uint64_t kernel_image;

/* The same as in the module. */
static uint8_t image_byte(uint32_t i)
{
	return i % (i & 4096 ? 1021 : 61) == 60 ? 0 : i * 2654435761U >> 24 | 1;
}

static int known_byte(u64 addr, bool user)
{
	if (addr - USER_IMAGE < IMAGE_SIZE)
		return image_byte(addr - USER_IMAGE);
	if (addr < USER_EMPTY ||
	    (addr >= ENV_USER_TOP && addr < KERNEL_FROM))
		return -1;
	if (addr >= KERNEL_FROM && user)
		return -1;
	if (addr >= KERNEL_FROM && addr - kernel_image < IMAGE_SIZE)
		return image_byte(addr - kernel_image);
	if (addr >= KERNEL_FROM && addr - kernel_image < IMAGE_SIZE + 4096)
		return -1;
	memory_spent.strange = true;
	return -1;
}

static int priced_byte(u64 addr, bool user)
{
	int byte = known_byte(addr, user);

	memory_spent.ps += byte < 0 ? KTAP_PRICE_FAULT * 1000 : KTAP_PRICE_BYTE;
	return byte;
}

void memory_open(uint64_t image)
{
	uint8_t *at = mmap((void *)USER_IMAGE, IMAGE_SIZE,
			   PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			   -1, 0);
	uint32_t i;

	if (at != (void *)USER_IMAGE || mlock(at, IMAGE_SIZE))
		die("memory at a fixed address");
	for (i = 0; i < IMAGE_SIZE; i++)
		at[i] = image_byte(i);
	kernel_image = image;
	env_reset();
	env_world.byte = priced_byte;
}

uint64_t memory_address(struct chance *c)
{
	uint64_t from = kernel_image && chance_of(c, 50) ? kernel_image :
							   USER_IMAGE;

	switch (chance_below(c, 10)) {
	case 0:
		return chance_odd(c);
	case 1:
		return from + IMAGE_SIZE - chance_below(c, 80);
	case 2:
		return from + 4096 * chance_below(c, 5) - chance_below(c, 40);
	default:
		return from + chance_below(c, IMAGE_SIZE);
	}
}
