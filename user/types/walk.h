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

/* typed_walk() - hand the values of @t to @out, in order */
void typed_walk(const struct typed *t, const struct typed_out *out, void *ctx);

/* typed_size() - bytes of the type @id; 0: none, or not known */
uint64_t typed_size(const struct btf *btf, uint32_t id);

/* typed_is_number() - it is an integer, an enumeration or a pointer. */
bool typed_is_number(const struct btf *btf, uint32_t id);

/* typed_is_text() - the array @id consists of letters: of char, or of what is
 * called "signed char" or "unsigned char" there. u8 is a number.
 */
bool typed_is_text(const struct btf *btf, uint32_t id);

/* typed_is_letter() - the type is char, also behind typedefs. */
bool typed_is_letter(const struct btf *btf, uint32_t id);

/* typed_is_code() - it is a pointer to a function. */
bool typed_is_code(const struct btf *btf, uint32_t id);

/* typed_has_names() - a number that is shown by a name: an enumerator, true or
 * false, a function.
 */
bool typed_has_names(const struct btf *btf, uint32_t id);

/* typed_code() - @fn is called with the offset of each address of a function in the
 * first @size bytes of the type @id; what it returns ends the search if not 0.
 */
int typed_code(const struct btf *btf, uint32_t id, uint64_t size,
	       int (*fn)(void *ctx, uint64_t offset), void *ctx);

#endif /* KTAP_TYPES_WALK_H */
