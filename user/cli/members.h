/* SPDX-License-Identifier: GPL-2.0 */
/* Members of JSON objects, and objects as lines of stdout. */
#ifndef KTAP_CLI_MEMBERS_H
#define KTAP_CLI_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"

/**
 * member_u64() - write a member that is an unsigned integer
 * @j: writer, in an object
 * @key: name of the member
 * @value: the integer
 */
void member_u64(struct json *j, const char *key, uint64_t value);

/**
 * member_wide() - write a member that is an integer of 128 bits
 * @j: writer, in an object
 * @key: name of the member
 * @value: the integer
 */
void member_wide(struct json *j, const char *key, __int128 value);

/**
 * member_digits() - write a member that is an integer, for readers that have doubles
 * @j: writer, in an object
 * @key: name of the member
 * @value: the integer
 * @text: as a string of decimal digits
 */
void member_digits(struct json *j, const char *key, __int128 value, bool text);

/**
 * member_real() - write a member that is a finite floating-point number
 * @j: writer, in an object
 * @key: name of the member
 * @value: the number
 */
void member_real(struct json *j, const char *key, double value);

/**
 * member_hex() - write a member that is an address
 * @j: writer, in an object
 * @key: name of the member
 * @value: the address; it becomes a string of hexadecimal digits after "0x"
 */
void member_hex(struct json *j, const char *key, uint64_t value);

/**
 * member_bool() - write a member that is true or false
 * @j: writer, in an object
 * @key: name of the member
 * @value: the value
 */
void member_bool(struct json *j, const char *key, bool value);

/**
 * member_str() - write a member that is a string
 * @j: writer, in an object
 * @key: name of the member
 * @value: the string, with any bytes; NULL: the member is null
 */
void member_str(struct json *j, const char *key, const char *value);

/**
 * struct json_line - one object on a line of its own
 * @json: for its members
 * @text: what is printed at the end
 */
struct json_line {
	struct json json;
	struct buf text;
};

/**
 * json_line_begin() - open an object whose first member is "v": JSON_VERSION
 * @line: line, not initialized; json_line_end() releases it
 *
 * Members are written with @line->json. It points into @line, so @line must not be moved.
 */
void json_line_begin(struct json_line *line);

/**
 * json_line_end() - close the object, and print it on stdout
 * @line: line that json_line_begin() began; its memory is released
 *
 * stdout is not flushed. This function does not report that memory ran out: then it prints
 * a line that is not complete.
 */
void json_line_end(struct json_line *line);

#endif /* KTAP_CLI_MEMBERS_H */
