/* SPDX-License-Identifier: GPL-2.0 */
/*
 * JSON, written as it goes: commas, quotes and escapes are this file's only
 * care. What comes out is always valid JSON, whatever bytes go in; nesting is
 * the caller's duty.
 *
 *	json_init(&j, &buf);
 *	json_object(&j);
 *	json_key(&j, "hits");
 *	json_u64(&j, 5);
 *	json_object_end(&j);
 *
 * Text that is valid UTF-8 stays as it is. A byte that belongs to no valid
 * character is written as the code point of its value, \u0080 to \u00ff.
 * Integers are written in full, also those that a double cannot hold.
 */
#ifndef KTAP_BASE_JSON_H
#define KTAP_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define JSON_DEPTH_MAX 64

/*
 * Of the form of what ktap prints, in each line's member "v": ktap-json(5). It changes
 * when a member goes, or means something else; not when one comes.
 */
#define JSON_VERSION	1

/**
 * struct json - a writer
 * @out: where to; @out->failed also tells of nesting that is too deep
 * @depth: open objects and arrays
 * @used: bit per depth: there is a member already
 * @keyed: a key was written, its value is due
 */
struct json {
	struct buf *out;
	unsigned int depth;
	uint64_t used;
	bool keyed;
};

/**
 * json_init() - begin to write
 * @j: writer; may be uninitialised; it owns nothing and needs no release
 * @out: where to; must live as long as @j; its content stays and is appended to
 *
 * Values outside all objects and arrays get no comma between them.
 */
void json_init(struct json *j, struct buf *out);

/**
 * json_object() - open an object, which is the next value
 * @j: writer
 *
 * The members follow, each a json_key() and a value, then json_object_end(). If
 * JSON_DEPTH_MAX levels would be open, @j->out->failed is set.
 */
void json_object(struct json *j);

/**
 * json_object_end() - close the innermost object
 * @j: writer; the innermost open level is an object
 */
void json_object_end(struct json *j);

/**
 * json_array() - open an array, which is the next value
 * @j: writer
 *
 * The elements follow, then json_array_end(). The limit of json_object() applies.
 */
void json_array(struct json *j);

/**
 * json_array_end() - close the innermost array
 * @j: writer; the innermost open level is an array
 */
void json_array_end(struct json *j);

/**
 * json_key() - write the key of a member
 * @j: writer; the innermost open level is an object
 * @key: string; not NULL; escaped as a value is
 *
 * Exactly one value must follow.
 */
void json_key(struct json *j, const char *key);

/**
 * json_str() - write a C string
 * @j: writer
 * @s: string; NULL is written as null
 */
void json_str(struct json *j, const char *s);

/**
 * json_string() - write bytes as a string
 * @j: writer
 * @s: bytes, which may contain NUL and need no NUL at their end
 * @size: how many
 */
void json_string(struct json *j, const char *s, size_t size);

/**
 * json_u64() - write an unsigned integer in full
 * @j: writer
 * @value: the integer
 */
void json_u64(struct json *j, uint64_t value);

/**
 * json_i64() - write a signed integer in full
 * @j: writer
 * @value: the integer
 */
void json_i64(struct json *j, int64_t value);

/**
 * json_wide() - write an integer of 128 bits in full
 * @j: writer
 * @value: the integer
 */
void json_wide(struct json *j, __int128 value);

/**
 * json_hex() - write an integer as a string in hexadecimal, such as "0x1f"
 * @j: writer
 * @value: an address, or another number that people read in that base
 */
void json_hex(struct json *j, uint64_t value);

/**
 * json_real() - write a real number with the shortest digits for it
 * @j: writer
 * @value: the number; null is written unless it is finite
 * @size: bytes of its type, as for fmt_real()
 */
void json_real(struct json *j, long double value, unsigned int size);

/**
 * json_ns() - write a time as a number of seconds with nine decimals
 * @j: writer
 * @ns: the time in nanoseconds; may be negative
 */
void json_ns(struct json *j, int64_t ns);

/**
 * json_bool() - write true or false
 * @j: writer
 * @value: which
 */
void json_bool(struct json *j, bool value);

/**
 * json_null() - write null
 * @j: writer
 */
void json_null(struct json *j);

/**
 * json_written() - the caller writes the next value itself
 * @j: writer, to whose @out the caller appends valid JSON
 */
void json_written(struct json *j);

#endif /* KTAP_BASE_JSON_H */
