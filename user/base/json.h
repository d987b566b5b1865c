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

void json_init(struct json *j, struct buf *out);

void json_object(struct json *j);
void json_object_end(struct json *j);
void json_array(struct json *j);
void json_array_end(struct json *j);

void json_key(struct json *j, const char *key);

/* json_str() - a C string; NULL is written as null. */
void json_str(struct json *j, const char *s);
void json_string(struct json *j, const char *s, size_t size);
void json_u64(struct json *j, uint64_t value);
void json_i64(struct json *j, int64_t value);
/**
 * json_wide() - write an integer of 128 bits in full
 * @j: writer
 * @value: the integer
 */
void json_wide(struct json *j, __int128 value);
/* json_hex() - an address, or what else people read in that base: a text. */
void json_hex(struct json *j, uint64_t value);
/* json_real() - the shortest digits for it; null for what is not finite. */
void json_real(struct json *j, long double value, unsigned int size);
/* json_ns() - nanoseconds as a number of seconds with nine decimals. */
void json_ns(struct json *j, int64_t ns);
void json_bool(struct json *j, bool value);
void json_null(struct json *j);
/**
 * json_written() - the caller writes the next value itself
 * @j: writer, to whose @out the caller appends valid JSON
 */
void json_written(struct json *j);

#endif /* KTAP_BASE_JSON_H */
