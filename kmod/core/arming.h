/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arming: makes the set of probes that fire match the set of probes that are attached.
 * Requests mark probes under ktap_lock; backends are called without it.
 */
#ifndef KTAP_ARMING_H
#define KTAP_ARMING_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct ktap_attach;
struct ktap_probe;

/**
 * struct ktap_arming - probes that are armed and disarmed under one lock
 * @lock: held while a backend loads, arms, disarms or removes; taken before ktap_lock
 * @idle: probes without attachments; under ktap_lock
 * @nr_idle: length of @idle
 * @work: disarms idle probes and removes deleted ones
 */
struct ktap_arming {
	struct mutex lock; /* serialises the calls of backends */
	struct list_head idle;
	u32 nr_idle;
	struct work_struct work;
};

/* All probes whose hits cannot sleep: each wait under this lock is bounded. */
extern struct ktap_arming ktap_kernel_arming;

/* ktap's workqueue: an item that waits does not delay other items. */
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
