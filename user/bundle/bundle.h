/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of a bundle: probes that were compiled where the debug information is, for a
 * machine that has none. ktap.bundle(5) describes the bytes.
 *
 * A bundle says what each probe does, in which file it is, and which build of that file
 * it was compiled for. Its addresses of the kernel are the addresses in the kernel's file:
 * the machine that uses the bundle adds the distance between the file and its memory.
 */
#ifndef KTAP_BUNDLE_BUNDLE_H
#define KTAP_BUNDLE_BUNDLE_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/param.h"

#define BUNDLE_VERSION	2
#define BUNDLE_NO_PARAMS 1	/* version of a bundle without parameters */
#define BUNDLE_ID_MAX	32

enum bundle_object_kind {
	BUNDLE_KERNEL = 1,
	BUNDLE_MODULE = 2,	/* of the kernel that precedes it */
	BUNDLE_PROGRAM = 3,	/* or a library */
};

/**
 * struct bundle_object - a file that probes are in
 * @kind: what it is
 * @name: of the kernel its release, or how its file was called; of a module its name; of
 *	a program its path on the machine that is probed; owned
 * @id: its build-id
 * @id_size: bytes of @id
 * @id_at: where it is: an address of the kernel, or an offset in the file of a program; 0:
 *	the bundle does not say
 * @anchor: kernel: address of KTAP_ANCHOR in the file
 */
struct bundle_object {
	enum bundle_object_kind kind;
	char *name;
	uint8_t id[BUNDLE_ID_MAX];
	size_t id_size;
	uint64_t id_at;
	uint64_t anchor;
};

/**
 * struct bundle_fix - an instruction whose immediate is completed on the target
 * @in_entry: it is in the entry program
 * @insn: its number there
 * @is_negative: the distance is subtracted
 */
struct bundle_fix {
	bool in_entry;
	bool is_negative;
	uint16_t insn;
};

/**
 * struct bundle_patch - an instruction with the value of a parameter
 * @in_entry: it is in the entry program
 * @insn: its number there
 * @param: number of the parameter
 */
struct bundle_patch {
	bool in_entry;
	uint16_t insn;
	uint32_t param;
};

#define BUNDLE_F_GLOB		(1U << 0)	/* see struct definition */
#define BUNDLE_F_EVENTS		(1U << 1)
#define BUNDLE_F_JOINS		(1U << 2)
#define BUNDLE_F_ENTRY		(1U << 3)	/* see struct place */
#define BUNDLE_F_SYSCALL	(1U << 4)
#define BUNDLE_F_AT_RET		(1U << 5)
#define BUNDLE_F_FRAME		(1U << 6)
#define BUNDLE_F_FRAME_OFFSET	(1U << 7)
#define BUNDLE_F_UNIQUE		(1U << 8)	/* no other function has the name @symbol */
#define BUNDLE_F_EACH_CPU	(1U << 9)
#define BUNDLE_F_ALL		((1U << 10) - 1)

/**
 * struct bundle_point - one probe
 * @definition: number of the definition that it is of
 * @object: number of the file that it is in
 * @type: enum ktap_type
 * @flags: BUNDLE_F_*
 * @name: of the event; owned
 * @symbol: function for display, and to look the place up; owned; or NULL
 * @lookup: symbol from which a module's place is counted, where @symbol is not unique;
 *	owned; or NULL
 * @lookup_offset: bytes from @lookup
 * @offset: bytes from @symbol
 * @address: in the file
 * @file_offset: program: byte of the file
 * @ref_offset: program: byte of the file that counts the users of a USDT probe
 * @frame_address: kernel: entry of the function, in the file
 * @frame_offset: the same from @symbol, or in the file of a program
 * @maxactive: calls that are followed at once; 0: the default
 * @length: watchpoint: bytes
 * @access: watchpoint: KTAP_ACCESS_*
 * @period: timer: ns between two ticks
 * @insns: program; owned
 * @nr_insns: how many
 * @entry_insns: program at the entry; owned; or NULL
 * @nr_entry_insns: how many
 * @frame_regs: registers that are kept at the entry
 * @nr_frame_regs: how many
 * @fixes: instructions that have addresses of the kernel; owned
 * @nr_fixes: how many
 * @patches: instructions that have values of parameters; owned
 * @nr_patches: how many
 * @blob: encoded layout; owned
 * @blob_size: bytes of @blob
 */
struct bundle_point {
	uint32_t definition;
	uint32_t object;
	uint32_t type;
	uint32_t flags;
	char *name;
	char *symbol;
	char *lookup;
	uint64_t lookup_offset;
	uint64_t offset;
	uint64_t address;
	uint64_t file_offset;
	uint64_t ref_offset;
	uint64_t frame_address;
	uint64_t frame_offset;
	uint32_t maxactive;
	uint32_t length;
	uint32_t access;
	uint64_t period;
	struct ktap_insn *insns;
	size_t nr_insns;
	struct ktap_insn *entry_insns;
	size_t nr_entry_insns;
	uint8_t frame_regs[KTAP_NR_FRAME_REGS];
	size_t nr_frame_regs;
	struct bundle_fix *fixes;
	size_t nr_fixes;
	struct bundle_patch *patches;
	size_t nr_patches;
	void *blob;
	size_t blob_size;
};

/**
 * struct bundle - probes for other machines
 * @arch: architecture of all files
 * @maker: version of ktap that made it; owned
 * @definitions: as they were typed; owned
 * @nr_definitions: how many
 * @objects: files; owned
 * @nr_objects: how many
 * @params: parameters of the definitions, with their defaults
 * @points: probes; those of a definition follow each other; owned
 * @nr_points: how many
 */
struct bundle {
	enum ktap_arch arch;
	char *maker;
	char **definitions;
	size_t nr_definitions;
	struct bundle_object *objects;
	size_t nr_objects;
	struct params params;
	struct bundle_point *points;
	size_t nr_points;
};

/**
 * bundle_free() - release a bundle
 * @b: the bundle; or NULL
 */
void bundle_free(struct bundle *b);
DEFINE_CLEANUP(struct bundle, bundle_free)

/**
 * bundle_string() - copy a string that may be missing
 * @to: gets the copy, which is the caller's, or NULL
 * @from: the string; NULL: there is none
 *
 * Return: false: no memory.
 */
bool bundle_string(char **to, const char *from);

/**
 * bundle_put_id() - write a build-id as people read it
 * @b: where
 * @id: its bytes
 * @size: how many; 0: "none" is written
 */
void bundle_put_id(struct buf *b, const uint8_t *id, size_t size);

/**
 * bundle_add_definition() - append a definition
 * @b: bundle
 * @text: as it was typed; copied
 *
 * Return: 0, -ENOMEM.
 */
int bundle_add_definition(struct bundle *b, const char *text);

/**
 * bundle_add_object() - append a file
 * @b: bundle
 *
 * Return: the object, empty; NULL: no memory.
 */
struct bundle_object *bundle_add_object(struct bundle *b);

/**
 * bundle_add_point() - append a probe
 * @b: bundle
 *
 * Return: the probe, empty; NULL: no memory.
 */
struct bundle_point *bundle_add_point(struct bundle *b);

/**
 * bundle_set_param() - choose the value of a parameter
 * @b: bundle, whose programs get the value
 * @index: of the parameter, whose @value was set
 */
void bundle_set_param(struct bundle *b, size_t index);

/**
 * bundle_encode() - a bundle as the bytes of its file
 * @b: bundle
 * @ret: bytes; malloc'ed
 * @size: how many
 *
 * Return: 0, -ENOMEM.
 */
int bundle_encode(const struct bundle *b, void **ret, size_t *size);

/**
 * bundle_decode() - read the bytes of a bundle, which may be damaged or hostile
 * @path: what to call it in messages
 * @bytes: the file
 * @size: bytes
 * @d: on failure: what is wrong with it
 * @ret: on success; release with bundle_free()
 *
 * What is accepted refers to nothing outside of itself: numbers of definitions, files,
 * parameters and instructions are in range, and strings are plain. Programs are for the
 * kernel to verify.
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int bundle_decode(const char *path, const void *bytes, size_t size,
		  struct diag *d, struct bundle **ret);

/**
 * bundle_open() - read the file of a bundle
 * @path: file
 * @d: on failure
 * @ret: on success; release with bundle_free()
 *
 * Return: as bundle_decode(), or the error of opening the file.
 */
int bundle_open(const char *path, struct diag *d, struct bundle **ret);

/**
 * bundle_save() - write the file of a bundle
 * @b: bundle
 * @path: file, which is replaced in one step when all of it was written; "-" is standard
 *	output
 * @d: on failure
 * @size: bytes that were written
 *
 * Return: 0, or a negative errno.
 */
int bundle_save(const struct bundle *b, const char *path, struct diag *d,
		size_t *size);

/**
 * bundle_is_one() - whether a word stands for a bundle where a definition may stand
 * @word: the word
 *
 * Return: true if it ends in ".ktap", and is a file or contains no blank.
 */
bool bundle_is_one(const char *word);

#endif /* KTAP_BUNDLE_BUNDLE_H */
