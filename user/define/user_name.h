/* SPDX-License-Identifier: GPL-2.0 */
/* Names for frames of user stacks: what live and recorded stacks have in common. */
#ifndef KTAP_DEFINE_USER_NAME_H
#define KTAP_DEFINE_USER_NAME_H

#include <linux/ktap.h>
#include <stdint.h>

#include "base/buf.h"
#include "object/binary.h"
#include "place/ksyms.h"

/**
 * struct user_name - the symbol of a frame, and the memory of its name
 * @text: name
 * @sym: symbol
 */
struct user_name {
	struct buf text;
	struct ksym sym;
};

/**
 * user_frame_file() - get the number of the file of a frame
 * @frame: frame of a user stack
 *
 * Return: the number; 0: the frame is in no file; not below KTAP_USER_FILES_MAX: it is in the
 *	vDSO, or in a file without a number.
 */
static inline uint32_t user_frame_file(uint64_t frame)
{
	return frame >> KTAP_USER_FILE_SHIFT;
}

/**
 * user_frame_offset() - get the byte of the file that a frame is
 * @frame: frame of a user stack
 *
 * Return: its offset in the file.
 */
static inline uint64_t user_frame_offset(uint64_t frame)
{
	return frame & ((1ULL << KTAP_USER_FILE_SHIFT) - 1);
}

/**
 * user_name_plain() - append a name to a buffer so that it cannot end a line, a name or a frame
 * @to: buffer
 * @text: name of a file or a function, from anywhere
 *
 * Recordings have printable ASCII only, so each other byte becomes '_'.
 */
void user_name_plain(struct buf *to, const char *text);

/**
 * user_name_find() - find the function that has a byte, or else the byte before it
 * @bin: file
 * @address: ELF virtual address; after a call that does not return it is in the next function
 *
 * Return: the symbol, as binary_sym_at(); NULL: none covers it, or it has no size and the file
 * is stripped, so it may end anywhere.
 */
const struct binary_sym *user_name_find(struct binary *bin, uint64_t address);

/**
 * user_name_symbol() - name a frame by a symbol
 * @n: name, whose memory is used again
 * @frame: frame
 * @distance: bytes from the address of @sym to the frame
 * @sym: symbol
 * @file: name of its file; must live as long as the result
 *
 * Return: the symbol, valid until the next call for @n; NULL: no memory.
 */
const struct ksym *user_name_symbol(struct user_name *n, uint64_t frame, uint64_t distance,
				    const struct binary_sym *sym, const char *file);

/**
 * user_name_place() - name a frame by its place, "[FILE+0xOFFSET]"
 * @n: name, whose memory is used again
 * @frame: frame
 * @file: name of its file; NULL: it is not known
 *
 * Return: as user_name_symbol().
 */
const struct ksym *user_name_place(struct user_name *n, uint64_t frame, const char *file);

#endif /* KTAP_DEFINE_USER_NAME_H */
