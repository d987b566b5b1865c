/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arming: what fires follows what is wanted. Under ktap_lock probes are only
 * marked; backends are called here, without it.
 */
#ifndef KTAP_ARMING_H
#define KTAP_ARMING_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct ktap_attach;
struct ktap_probe;

/**
 * struct ktap_arming - probes that are armed and disarmed one at a time
 * @lock: held while a backend prepares, arms, disarms or removes; taken before
 *	ktap_lock
 * @idle: probes that nobody wants any more; under ktap_lock
 * @nr_idle: how many
 * @work: disarms those, and removes what is deleted
 */
struct ktap_arming {
	struct mutex lock; /* of the backends' calls */
	struct list_head idle;
	u32 nr_idle;
	struct work_struct work;
};

/* All probes but those whose hits may sleep: the waits for them are bounded. */
extern struct ktap_arming ktap_kernel_arming;

/* All work of ours: one item that waits long holds up no other. */
extern struct workqueue_struct *ktap_wq;

void ktap_arming_join(struct ktap_probe *p);
void ktap_arming_enter(void);
void ktap_arming_leave(void);

int ktap_probes_arm(struct ktap_probe **list, int nr);
int ktap_arm_for(struct ktap_attach **list, int nr);
int ktap_arming_widen(struct ktap_probe *p, const struct ktap_attach *a);

void ktap_idle_mark(struct ktap_probe *p);
void ktap_idle_queue(struct ktap_probe *p);
void ktap_idle_begin(struct ktap_probe *p);
void ktap_idle_wait(struct ktap_probe *p);

int ktap_arming_init(void);
void ktap_arming_exit(void);

#endif /* KTAP_ARMING_H */
