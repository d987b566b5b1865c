/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a bundle: struct bundle_head, then items (base/items.h) whose tags are
 * below. All numbers are little-endian. Objects and definitions are numbered from 0 in the
 * order of the file. ktap.bundle(5) describes the same bytes.
 *
 * Private to bundle/ and its tests.
 */
#ifndef KTAP_BUNDLE_FORMAT_H
#define KTAP_BUNDLE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define BUNDLE_MAGIC	"KTAPBNDL"

/* The head: offsets and bytes */
#define HEAD_VERSION	8	/* u32 */
#define HEAD_ZERO	12	/* u32 */
#define HEAD_SIZE	16	/* u64, of the whole file */
#define HEAD_SUM	24	/* u64, XXH3 of all that follows the head */
#define HEAD_BYTES	32

enum bundle_tag {
	TAG_ARCH = 1,	/* u64, enum ktap_arch */
	TAG_MAKER,	/* string */
	TAG_OBJECT,	/* items: OBJECT_* */
	TAG_DEFINITION,	/* string */
	TAG_POINT,	/* items: POINT_* */
	TAG_PARAM,	/* items: PARAM_ITEM_* */
	TAG_NR
};

enum object_tag {
	OBJECT_KIND = 1, /* u64, enum bundle_object_kind */
	OBJECT_NAME,	/* string */
	OBJECT_ID,	/* bytes */
	OBJECT_ANCHOR,	/* u64 */
	OBJECT_ID_AT,	/* u64 */
};

/* Parameters are numbered from 0 in the order of the file. */
enum param_tag {
	PARAM_ITEM_NAME = 1, /* string */
	PARAM_ITEM_KIND, /* u64, enum param_kind */
	PARAM_ITEM_SIZE, /* u64, bytes */
	PARAM_ITEM_VALUE, /* u64, extended with its sign */
};

enum point_tag {
	POINT_DEFINITION = 1, /* u64 */
	POINT_OBJECT,	/* u64 */
	POINT_TYPE,	/* u64 */
	POINT_FLAGS,	/* u64 */
	POINT_NAME,	/* string */
	POINT_SYMBOL,	/* string */
	POINT_LOOKUP,	/* string */
	POINT_LOOKUP_OFFSET, /* u64 */
	POINT_OFFSET,	/* u64 */
	POINT_ADDRESS,	/* u64 */
	POINT_FILE_OFFSET, /* u64 */
	POINT_REF_OFFSET, /* u64 */
	POINT_FRAME_ADDRESS, /* u64 */
	POINT_FRAME_OFFSET, /* u64 */
	POINT_MAXACTIVE, /* u64 */
	POINT_LENGTH,	/* u64 */
	POINT_ACCESS,	/* u64 */
	POINT_INSNS,	/* instructions of 16 bytes: u8 op, dst, a, b, size, flags,
			 * u16 off, u64 imm
			 */
	POINT_ENTRY_INSNS, /* the same */
	POINT_FRAME_REGS, /* bytes: enum ktap_reg_* */
	POINT_FIX,	/* u8 FIX_*, u8 zero, u16 instruction */
	POINT_BLOB,	/* bytes: the layout, as the kernel keeps it */
	POINT_PERIOD,	/* u64 */
	POINT_PATCH,	/* u8 PATCH_*, u8 zero, u16 instruction, u32 parameter */
	POINT_NR
};

#define FIX_IN_ENTRY	1
#define FIX_NEGATIVE	2
#define FIX_BYTES	4
#define PATCH_IN_ENTRY	1
#define PATCH_BYTES	8
#define INSN_BYTES	16

/**
 * bundle_sum() - the checksum of a bundle: XXH3 of 64 bits without a seed
 * @bytes: all that follows the head
 * @size: how many bytes
 *
 * Return: the checksum.
 */
uint64_t bundle_sum(const void *bytes, size_t size);

#endif /* KTAP_BUNDLE_FORMAT_H */
