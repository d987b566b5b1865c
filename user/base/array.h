/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays: how many elements, and room for more of them. */
#ifndef KTAP_BASE_ARRAY_H
#define KTAP_BASE_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/* Elements of an array, counted by the compiler. */
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/**
 * array_grow() - room for one more element
 * @array: from the heap, always grown by this function; NULL when @nr is 0
 * @nr: elements that it has; the room doubles at powers of two
 * @size: of an element
 *
 * Return: the array, perhaps moved; or NULL: no memory, and @array is as it
 *	was.
 */
static inline void *array_grow(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	return reallocarray(array, nr ? 2 * nr : 1, size);
}

#endif /* KTAP_BASE_ARRAY_H */
