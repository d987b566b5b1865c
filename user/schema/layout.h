/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the bytes of a record mean. The layout, with the definition and the
 * place, travels as the probe's blob: through the kernel, and in ktap.data.
 * The same encoding serves both: little-endian tag, length, value.
 */
#ifndef KTAP_SCHEMA_LAYOUT_H
#define KTAP_SCHEMA_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/aggregate.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "types/walk.h"

struct btf;

enum field_kind {
	FIELD_INT = 1,		/* size bytes at offset */
	FIELD_STRING = 2,	/* struct ktap_string at offset */
	FIELD_COMM = 3,		/* KTAP_COMM_LEN bytes at offset */
	FIELD_LITERAL = 4,	/* nothing: the text is in the field */
	FIELD_STRUCT = 5,	/* the first size bytes of what has a type */
	FIELD_UNKNOWN = 6,	/* nothing: at this point it has no value */
};

enum field_format {
	FORMAT_UNSIGNED = 1,
	FORMAT_SIGNED = 2,
	FORMAT_HEX = 3,
	FORMAT_CHAR = 4,
	FORMAT_TEXT = 5,
	FORMAT_SYMBOL = 6,	/* an address: function and offset */
	FORMAT_SYMSTR = 7,	/* the same, in quotes */
	FORMAT_ERRNO = 8,	/* an error, or a number */
	FORMAT_TYPE = 9,	/* as its type says */
	FORMAT_STACK = 10,	/* id of a stack of the kernel */
	FORMAT_USTACK = 11,	/* id of a stack of a program */
	FORMAT_CGROUP = 12,	/* id of a control group: its path */
};

#define FIELD_NO_FAULT (-1)

struct field {
	char *name;
	enum field_kind kind;
	enum field_format format;
	unsigned int size;	/* of what is at @offset: strings have 4 */
	unsigned int offset;	/* from the end of the record's header */
	int fault;		/* bit of the fault mask, or FIELD_NO_FAULT */
	unsigned int count;	/* elements of an array; 0: it is none */
	unsigned int bit_offset; /* of a bit-field */
	unsigned int bit_width;	/* 0: it is none */
	char *text;		/* FIELD_LITERAL */
	struct aggregate aggregate; /* its role, where hits are aggregated */
	bool frame;		/* it needs what was at the function's entry */
	bool state;		/* it needs what another probe stored: ... */
	unsigned int absent;	/* ... bit of the fault mask that says that it has not */
	struct typed_hole *holes; /* FIELD_STRUCT: what is not known, in order; owned */
	size_t nr_holes;
	uint32_t type;		/* in the layout's types: of FIELD_STRUCT, and of
				 * a FIELD_INT that has names; 0: none
				 */
};

/**
 * field_bytes() - bytes that a field takes before the first string of a record
 * @f: field
 *
 * Return: bytes of all its elements; a string counts as its struct ktap_string, without its
 *	characters.
 */
static inline uint64_t field_bytes(const struct field *f)
{
	return (uint64_t)f->size * (f->count ? f->count : 1);
}

/**
 * field_is_stack() - whether a field has the id of a stack
 * @f: field
 *
 * Return: true for a stack of the kernel, and for one of a program.
 */
static inline bool field_is_stack(const struct field *f)
{
	return f->format == FORMAT_STACK || f->format == FORMAT_USTACK;
}

/**
 * field_is_signed() - whether a number is added up as a signed one
 * @f: field
 *
 * A register without a type looks as one of type x64, and is signed: errors are more frequent
 * than large numbers.
 *
 * Return: whether it is.
 */
bool field_is_signed(const struct field *f);

/**
 * struct layout - meaning of a probe's records, and of the probe itself
 * @definition: the text that made the probe, in canonical form
 * @symbol: function it is in, or NULL
 * @module: its module, or NULL
 * @path: program or library, or NULL
 * @calls: of code that was inlined, the calls that it came through; or NULL
 * @offset: bytes from @symbol
 * @address: run-time address, 0 where hidden; with @path as its symbols have it
 * @types: table of the types that fields have; owned; NULL: none has any
 * @fields: in the order of the arguments, which is the order of the strings
 * @nr_fields: how many
 * @fixed_size: bytes before the first string
 * @faults_offset: where the fault mask is
 * @faults_size: its bytes; 0: there is none
 * @aggregates: hits are added up by key, and not recorded
 * @silent: hits only store values for other probes, and make no records
 * @is_return: of a return probe: ...
 * @return_offset: ... where the address returned to is, ...
 * @return_size: ... and its bytes, 8 or 4, with a sign
 * @has_frame: some fields need what was at the function's entry: ...
 * @no_entry: ... bit of the fault mask that says that it is not known
 */
struct layout {
	char *definition;
	char *symbol;
	char *module;
	char *path;
	char *calls;
	uint64_t offset;
	uint64_t address;
	struct btf *types;
	struct field *fields;
	size_t nr_fields;
	unsigned int fixed_size;
	unsigned int faults_offset;
	unsigned int faults_size;
	bool aggregates;
	bool silent;
	bool is_return;
	unsigned int return_offset;
	unsigned int return_size;
	bool has_frame;
	unsigned int no_entry;
};

/**
 * layout_free() - release a layout with its fields, strings and types
 * @layout: layout, or NULL
 */
void layout_free(struct layout *layout);
DEFINE_CLEANUP(struct layout, layout_free)

/**
 * layout_encode() - encode a layout as a blob
 * @layout: layout, which is not checked; needs a definition, and each field needs a name
 * @ret: the blob; malloc'ed; NULL on failure
 * @size: bytes of the blob
 *
 * Return: 0 or -ENOMEM.
 */
int layout_encode(const struct layout *layout, void **ret, size_t *size);

/**
 * layout_alike() - whether the records of two probes mean the same
 * @a: layout
 * @b: layout
 * Return: whether only their definitions and places differ; false also without memory.
 */
bool layout_alike(const struct layout *a, const struct layout *b);

/**
 * layout_aggregates() - whether hits of a probe are added up by key
 * @blob: its encoded layout
 * @size: bytes
 *
 * Return: whether they are; false also if the layout cannot be decoded.
 */
bool layout_aggregates(const void *blob, size_t size);

/**
 * layout_silent() - whether hits of a probe only store values for other probes
 * @blob: its encoded layout
 * @size: bytes
 *
 * Return: whether they do; false also if the layout cannot be decoded.
 */
bool layout_silent(const void *blob, size_t size);

/**
 * layout_has_stacks() - whether records of a probe have stacks
 * @blob: its encoded layout
 * @size: bytes
 *
 * Return: whether they have; false also if the layout cannot be decoded.
 */
bool layout_has_stacks(const void *blob, size_t size);

/**
 * layout_has_ustacks() - whether records of a probe have stacks of programs
 * @blob: its encoded layout
 * @size: bytes
 *
 * Return: whether they have; false also if the layout cannot be decoded.
 */
bool layout_has_ustacks(const void *blob, size_t size);

/**
 * layout_address_at() - where an encoded layout has the address of its probe
 * @blob: encoded layout
 * @size: bytes
 *
 * Return: offset of 64 bits, little-endian; 0: it has no address.
 */
size_t layout_address_at(const void *blob, size_t size);

/**
 * layout_decode() - decode and check a blob, which may be damaged or hostile
 * @blob: encoded layout; not kept
 * @size: bytes of @blob
 * @d: on failure: what is wrong with it
 * @ret: on success; release with layout_free()
 *
 * What is accepted is consistent: fields, the fault mask and the address returned to lie
 * inside the fixed part of a record, and types are in the table. Items of an unknown tag
 * are skipped.
 *
 * Return: 0; -EBADMSG: the blob is damaged or has a later version; -ENOMEM.
 */
int layout_decode(const void *blob, size_t size, struct diag *d,
		  struct layout **ret);

#endif /* KTAP_SCHEMA_LAYOUT_H */
