/* SPDX-License-Identifier: GPL-2.0 */
/* Memory of a ring, and waking its reader. */
#ifndef KTAP_RINGMEM_H
#define KTAP_RINGMEM_H

#include <linux/irq_work.h>
#include <linux/sizes.h>
#include <linux/wait.h>

#include "hit/pages.h"
#include "hit/ring.h"

#define KTAP_RING_DEFAULT	SZ_1M	/* bytes of data per CPU */

/**
 * struct ktap_waiter - wait queue of a session's readers
 * @queue: wait queue of poll
 * @waiting: a reader waits; writers read the queue only then
 */
struct ktap_waiter {
	wait_queue_head_t queue;
	bool waiting;
};

/**
 * struct ktap_ringmem - a ring with its pages
 * @ring: writer's side
 * @wake: wakes readers from a context in which that is allowed
 * @waiter: wait queue
 * @cons: consumer page
 * @pages: consumer page, producer page, data
 * @bytes: charge to the budget
 */
struct ktap_ringmem {
	struct ktap_ring ring;
	struct irq_work wake;
	struct ktap_waiter *waiter;
	struct ktap_ring_consumer *cons;
	struct ktap_pages pages;
	u64 bytes;
};

/**
 * ktap_waiter_begin() - announce that a reader is about to look and then wait
 * @w: waiter; the reader is in its queue, or joins it with poll_wait()
 *
 * The reader looks at the rings afterwards. It sees the new records, or their writer wakes it.
 *
 * Context: process.
 */
static inline void ktap_waiter_begin(struct ktap_waiter *w)
{
	WRITE_ONCE(w->waiting, true);
	smp_mb(); /* E: set waiting before reading rings; pairs with ktap_ring_wake() */
}

struct ktap_ringmem_args {
	u64 size;
	u32 subbuf_size;
	u32 watermark;
	bool overwrite;
	struct ktap_waiter *waiter;
};

struct ktap_ringmem *ktap_ringmem_create(unsigned int cpu,
					 const struct ktap_ringmem_args *args);
void ktap_ringmem_destroy(struct ktap_ringmem *m);
int ktap_ringmem_map(struct ktap_ringmem *m, struct vm_area_struct *vma,
		     unsigned long page);
bool ktap_ringmem_ready(const struct ktap_ringmem *m);
u64 ktap_ringmem_bytes(const struct ktap_ringmem_args *args);

#endif /* KTAP_RINGMEM_H */
