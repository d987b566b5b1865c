/* SPDX-License-Identifier: GPL-2.0 */
/* Frames of stacks, and the functions that they are in. */
#ifndef KTAP_PLACE_STACK_H
#define KTAP_PLACE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/ktap.h>

#include "place/ksyms.h"

/**
 * stack_next() - find the next stack, in the form of sessions and recordings
 * @s: stack
 *
 * Return: where it ends.
 */
static inline const struct ktap_stack *stack_next(const struct ktap_stack *s)
{
	return (const void *)(s->frames + s->nr);
}

/**
 * frame_is_return() - whether a frame is a return address
 * @s: stack
 * @i: index of the frame
 *
 * Return: false: it is the instruction that is executed next.
 */
bool frame_is_return(const struct ktap_stack *s, unsigned int i);

/**
 * frame_place() - an address in the function that a frame belongs to
 * @ks: symbols
 * @s: stack
 * @i: index of the frame
 *
 * A compiler ends a function with a call if the callee does not return. The return address is
 * then the first byte of the next function.
 *
 * Return: the frame; or if it is a return address and a symbol begins there, the byte before
 *	it, which belongs to the call.
 */
uint64_t frame_place(const struct ksyms *ks, const struct ktap_stack *s, unsigned int i);

/**
 * frame_symbol() - find the function that a frame belongs to
 * @ks: symbols, or NULL
 * @s: stack
 * @i: index of the frame
 *
 * Return: as ksyms_by_address(); the distance to the frame may be the size of the function.
 */
const struct ksym *frame_symbol(const struct ksyms *ks, const struct ktap_stack *s,
				unsigned int i);

/**
 * frame_inlined() - the functions that were inlined where a frame of a stack is
 * @ks: symbols, or NULL
 * @s: stack
 * @i: index of the frame
 * @ret: their names, the innermost one first; unchanged if there is none
 *
 * Return: how many.
 */
size_t frame_inlined(const struct ksyms *ks, const struct ktap_stack *s, unsigned int i,
		     const char *const **ret);

#endif /* KTAP_PLACE_STACK_H */
