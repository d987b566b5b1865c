/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User memory that is not resident: a hit of user code waits for it, for a bounded time.
 * Without this file such memory would be a fault.
 */
#ifndef KTAP_USER_WAIT_H
#define KTAP_USER_WAIT_H

#include <linux/types.h>

/**
 * struct ktap_user_wait - a hit that may wait
 * @cpu: CPU of the hit; it may run on another one after it waited
 * @until: end of its waiting time, in jiffies
 * @over: it waits no more: its time is over, or the task is being killed
 */
struct ktap_user_wait {
	unsigned int cpu;
	unsigned long until;
	bool over;
};

int ktap_user_wait_start(void);
void ktap_user_wait_exit(void);
void ktap_user_wait_begin(struct ktap_user_wait *wait);
int ktap_user_read(struct ktap_user_wait *wait, void *dst, u64 addr, u32 size);
long ktap_user_string(struct ktap_user_wait *wait, char *dst, u64 addr,
		      u32 max);

#endif /* KTAP_USER_WAIT_H */
