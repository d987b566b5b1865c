/* SPDX-License-Identifier: GPL-2.0 */
/* Sorting large arrays by numbers. */
#ifndef KTAP_BASE_SORT_H
#define KTAP_BASE_SORT_H

#include <stddef.h>

/**
 * sort_by_u64() - sort by a number of 64 bits, in a tenth of the time of qsort()
 * @array: what is sorted; hundreds of elements or less are better sorted by qsort()
 * @nr: elements
 * @size: of one
 * @offset: of the number in it
 *
 * What has the same number stays in its order.
 *
 * Return: 0, or -ENOMEM, and @array is as it was.
 */
int sort_by_u64(void *array, size_t nr, size_t size, size_t offset);

#endif /* KTAP_BASE_SORT_H */
