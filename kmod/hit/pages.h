/* SPDX-License-Identifier: GPL-2.0 */
/* Pages that hits write and user space maps: rings and the tables of maps. */
#ifndef KTAP_PAGES_H
#define KTAP_PAGES_H

#include <linux/mm_types.h>

/**
 * struct ktap_pages - zeroed pages of a CPU's node
 * @page: pages
 * @nr: length of @page
 */
struct ktap_pages {
	struct page **page;
	unsigned int nr;
};

int ktap_pages_alloc(struct ktap_pages *p, unsigned int nr, unsigned int cpu);
void ktap_pages_free(struct ktap_pages *p);
int ktap_pages_map(const struct ktap_pages *p, struct vm_area_struct *vma,
		   unsigned long first, bool writable);

#endif /* KTAP_PAGES_H */
