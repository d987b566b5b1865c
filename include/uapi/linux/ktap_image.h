/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The image of a probe module: the probes that "ktap module" compiled, as ktap.ko reads
 * them when the module is loaded. They are in the section KTAP_IMAGE_SECTION of the module.
 *
 * struct ktap_image_head, then its objects, then its parameters, then its probes. Objects
 * and probes are structures with a size, which is a multiple of 8, and what follows it in
 * that size. Integers are in the byte order of the machine. Reserved members are zero.
 */
#ifndef _UAPI_LINUX_KTAP_IMAGE_H
#define _UAPI_LINUX_KTAP_IMAGE_H

#include <linux/types.h>

#define KTAP_IMAGE_SECTION	".ktap.image"
#define KTAP_IMAGE_MAGIC	"KTAPIMAG"	/* without its NUL */
#define KTAP_IMAGE_VERSION	3
#define KTAP_IMAGE_OLDEST	2	/* version without maps, which is read too */
#define KTAP_IMAGE_MAX		(64U << 20)	/* bytes */
#define KTAP_IMAGE_ID_MAX	32	/* bytes of a build-id */
#define KTAP_IMAGE_PARAMS_MAX	16	/* parameters of an image */
#define KTAP_IMAGE_NAME_MAX	32	/* bytes of the name of a parameter, with its NUL */

/*
 * Slots are parameters of the template for parameters of probes: slot N is named
 * KTAP_IMAGE_SLOT_NAME with the decimal N + 10, and has this level plus N.
 */
#define KTAP_IMAGE_SLOT_NAME	"ktap_parameter_slot_of_probe_%u"
#define KTAP_IMAGE_SLOT_LEVEL	64

/**
 * struct ktap_image_head - begin of an image
 * @magic: KTAP_IMAGE_MAGIC
 * @version: KTAP_IMAGE_VERSION; changes when an older ktap.ko would misread
 * @sum: CRC-32 (IEEE 802.3) of all @size bytes, with this member 0
 * @size: bytes of the image; a template has only the head
 * @arch: enum ktap_arch
 * @nr_objects: files that the probes are in
 * @nr_probes: probes; 0: a template
 * @nr_params: parameters of the probes
 * @anchor: address of the function KTAP_ANCHOR in the file of the kernel; 0: no probe is in
 *	the kernel
 */
struct ktap_image_head {
	char magic[8];
	__u32 version;
	__u32 sum;
	__u64 size;
	__u32 arch;
	__u32 nr_objects;
	__u32 nr_probes;
	__u32 nr_params;
	__u64 anchor;
};

/**
 * enum ktap_image_kind - what the probes of an object are in
 * @KTAP_IMAGE_KERNEL: the kernel
 * @KTAP_IMAGE_PROGRAM: a program or a library
 */
enum ktap_image_kind {
	KTAP_IMAGE_KERNEL = 1,
	KTAP_IMAGE_PROGRAM = 2,
};

/**
 * struct ktap_image_object - a file that probes are in
 * @size: bytes, with what follows
 * @kind: enum ktap_image_kind
 * @id_at: where the build-id is: an address in the file of the kernel, or an offset in the
 *	file of the program
 * @id_size: bytes of the build-id
 * @reserved: zero
 * @id: the build-id
 *
 * Followed by a string: the path of the program, or the release of the kernel.
 */
struct ktap_image_object {
	__u32 size;
	__u32 kind;
	__u64 id_at;
	__u32 id_size;
	__u32 reserved;
	__u8 id[KTAP_IMAGE_ID_MAX];
};

/**
 * enum ktap_image_param_kind - how the value of a parameter is read and shown
 * @KTAP_IMAGE_UNSIGNED: decimal
 * @KTAP_IMAGE_SIGNED: decimal, with a sign
 * @KTAP_IMAGE_HEX: hexadecimal, without a sign
 */
enum ktap_image_param_kind {
	KTAP_IMAGE_UNSIGNED = 1,
	KTAP_IMAGE_SIGNED = 2,
	KTAP_IMAGE_HEX = 3,
};

/**
 * struct ktap_image_param - a number that is chosen when the module is loaded
 * @kind: enum ktap_image_param_kind
 * @size: bytes of the value: 1, 2, 4 or 8
 * @value: the default, extended to 64 bits with its sign
 * @name: the name, with a NUL
 */
struct ktap_image_param {
	__u32 kind;
	__u32 size;
	__u64 value;
	char name[KTAP_IMAGE_NAME_MAX];
};

#define KTAP_IMAGE_FIX_ENTRY	(1U << 31)	/* in the entry program */
#define KTAP_IMAGE_FIX_NEGATIVE	(1U << 30)	/* the distance is subtracted */
#define KTAP_IMAGE_FIX_INSN	0xffffU		/* number of the instruction */

/* The same of a patch, which has the number of a parameter above that of the instruction. */
#define KTAP_IMAGE_PATCH_ENTRY	KTAP_IMAGE_FIX_ENTRY
#define KTAP_IMAGE_PATCH_SHIFT	16
#define KTAP_IMAGE_PATCH_PARAM	0xffU		/* after the shift */

/**
 * struct ktap_image_probe - a probe
 * @size: bytes, with what follows
 * @object: number of the object that it is in
 * @nr_fixes: instructions whose immediate value is an address of the kernel
 * @attrs_size: bytes of netlink attributes
 * @blob_size: bytes of the description of its records
 * @address_at: offset in that description of an address of the kernel, u64; 0: it has none
 * @nr_patches: instructions that have the value of a parameter
 * @map_size: bytes of struct ktap_session_map: hits are aggregated; 0: they are recorded
 *
 * Followed by @nr_fixes __u32, @nr_patches __u32, the attributes of KTAP_CMD_PROBE_NEW, the
 * description, and the map, each padded with zeros to a multiple of 8 bytes. Addresses of
 * the kernel are as in its file. KTAP_A_FD is ignored: the file of the object is opened. Of
 * the map, the replies are zero, and so is @key_size: keys are as large as the largest
 * payload of the probe.
 */
struct ktap_image_probe {
	__u32 size;
	__u32 object;
	__u32 nr_fixes;
	__u32 attrs_size;
	__u32 blob_size;
	__u32 address_at;
	__u32 nr_patches;
	__u32 map_size;
};

#endif /* _UAPI_LINUX_KTAP_IMAGE_H */
