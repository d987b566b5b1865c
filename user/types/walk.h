/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes and their type to values: one walk, whatever the values become. Tables
 * were checked, see typetab_read(); the bytes can be any.
 */
#ifndef KTAP_TYPES_WALK_H
#define KTAP_TYPES_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/* What tables call floating-point numbers of 16 bytes: x87's, which end with 6 that
 * mean nothing, and IEEE 754's binary128.
 */
#define TYPED_X87 "long double"
#define TYPED_QUAD "_Float128"

/* Structures inside of structures that are shown, where nothing else is said. */
#define TYPED_DEPTH 2

/**
 * enum typed_kind - what a value is
 * @TYPED_UNSIGNED: number
 * @TYPED_SIGNED: number, with its sign
 * @TYPED_CHAR: number, of a letter
 * @TYPED_BOOL: number, 0 or 1
 * @TYPED_ENUM: text, the names of enumerators as "A|B|0x8"; and number
 * @TYPED_POINTER: number, an address
 * @TYPED_CODE: number, the address of a function
 * @TYPED_REAL: real
 * @TYPED_WIDE: number and high, 128 bits
 * @TYPED_TEXT: text
 * @TYPED_UNKNOWN: it had no value
 * @TYPED_LEFT_OUT: it is too deep, or not known
 */
enum typed_kind {
	TYPED_UNSIGNED,
	TYPED_SIGNED,
	TYPED_CHAR,
	TYPED_BOOL,
	TYPED_ENUM,
	TYPED_POINTER,
	TYPED_CODE,
	TYPED_REAL,
	TYPED_WIDE,
	TYPED_TEXT,
	TYPED_UNKNOWN,
	TYPED_LEFT_OUT,
	TYPED_NR
};

/**
 * struct typed_value - one value
 * @real: a floating-point number
 * @kind: which members mean something
 * @declared: what its type says, where the bytes are no such value: TYPED_BOOL for a
 *	bool that is 7, TYPED_ENUM for a number without a name, TYPED_REAL for what is
 *	no number; else @kind
 * @number: sign-extended if it has a sign
 * @high: the 64 bits above @number
 * @size: of a number and of @real where it was: bytes of its type
 * @text: not NUL-terminated
 * @length: its bytes
 * @is_cut: there is more of the text
 */
struct typed_value {
	long double real;
	enum typed_kind kind;
	enum typed_kind declared;
	uint64_t number;
	uint64_t high;
	unsigned int size;
	const char *text;
	size_t length;
	bool is_cut;
};

/**
 * struct typed_out - what becomes of values
 * @begin: a structure or an array begins
 * @end: it ends; @is_cut: before its end
 * @next: before each member, whose name may be "", and each element: NULL
 * @value: what is no structure and no array
 */
struct typed_out {
	void (*begin)(void *ctx, bool is_array);
	void (*end)(void *ctx, bool is_array, bool is_cut);
	void (*next)(void *ctx, const char *name);
	void (*value)(void *ctx, const struct typed_value *v);
};

/* struct typed_hole - bytes that have no value */
struct typed_hole {
	uint32_t offset;
	uint32_t size;
};

/**
 * struct typed - something that has a type
 * @btf: table
 * @id: number in it
 * @data: its bytes
 * @size: how many there are, which may be less than it has
 * @bit_width: a number in the low bits of @data; 0: it is as its type has it
 * @holes: what of it is unknown, in order; NULL: nothing
 * @nr_holes: how many
 * @depth: structures inside of structures that are shown
 */
struct typed {
	const struct btf *btf;
	uint32_t id;
	const void *data;
	size_t size;
	unsigned int bit_width;
	const struct typed_hole *holes;
	size_t nr_holes;
	unsigned int depth;
};

/**
 * typed_walk() - call functions for the values of something that has a type, in order
 * @t: the bytes and their type; checked by typetab_read() where they come from elsewhere
 * @out: functions to be called; none may be NULL
 * @ctx: for @out
 *
 * What a function gets is valid until it returns. The walk is limited: where values, names
 * and enumerators are too many together, the rest is cut, as if the bytes ended there.
 */
void typed_walk(const struct typed *t, const struct typed_out *out, void *ctx);

/**
 * typed_size() - get the size of a type
 * @btf: table
 * @id: number of the type
 *
 * Return: bytes, behind typedefs and qualifiers; 8 for a pointer; 0: it has none, or it is not
 *	known.
 */
uint64_t typed_size(const struct btf *btf, uint32_t id);

/**
 * typed_is_number() - check whether a type is one number of up to 8 bytes
 * @btf: table
 * @id: number of the type
 *
 * Return: true if it is an integer, a bool, an enumeration or a pointer, also behind typedefs.
 */
bool typed_is_number(const struct btf *btf, uint32_t id);

/**
 * typed_is_text() - check whether a type is an array of characters
 * @btf: table
 * @id: number of the type
 *
 * Its elements are char, also behind typedefs; or an integer of one byte that no typedef
 * names, such as "signed char" or "unsigned char": u8 is a number, and so is bool.
 *
 * Return: true if it is one.
 */
bool typed_is_text(const struct btf *btf, uint32_t id);

/**
 * typed_is_letter() - check whether a type is char
 * @btf: table
 * @id: number of the type
 *
 * Only the integer that the table calls "char" is, also behind typedefs: "signed char" is not.
 *
 * Return: true if it is.
 */
bool typed_is_letter(const struct btf *btf, uint32_t id);

/**
 * typed_is_code() - check whether a type is a pointer to a function
 * @btf: table
 * @id: number of the type
 *
 * Return: true if it is one, also behind typedefs.
 */
bool typed_is_code(const struct btf *btf, uint32_t id);

/**
 * typed_has_names() - check whether the numbers of a type can be shown by names
 * @btf: table
 * @id: number of the type
 *
 * The names are names of enumerators, true and false, or names of functions.
 *
 * Return: true if it is an enumeration, a bool or a pointer to a function.
 */
bool typed_has_names(const struct btf *btf, uint32_t id);

/**
 * typed_code() - find the addresses of functions in a value
 * @btf: table
 * @id: type of the value
 * @size: bytes of the value that there are; an address that does not fit in is not found
 * @fn: called for each address, in order; @offset: its first byte in the value. A value other
 *	than 0 ends the search.
 * @ctx: for @fn
 *
 * The search ends silently after 65536 members and elements.
 *
 * Return: 0, or what @fn returned.
 */
int typed_code(const struct btf *btf, uint32_t id, uint64_t size,
	       int (*fn)(void *ctx, uint64_t offset), void *ctx);

/**
 * typed_used() - find the bits of a value that mean something
 * @btf: table
 * @id: type of the value
 * @mask: filled: a bit is 0 where no member, no element and no number of the value is
 * @size: bytes of the value that there are, and of @mask
 *
 * A value with more than 65536 members and elements is taken as used in full.
 */
void typed_used(const struct btf *btf, uint32_t id, void *mask, size_t size);

#endif /* KTAP_TYPES_WALK_H */
