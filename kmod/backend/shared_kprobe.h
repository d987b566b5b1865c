/* SPDX-License-Identifier: GPL-2.0 */
/* One struct kprobe for all probes at an address. */
#ifndef KTAP_SHARED_KPROBE_H
#define KTAP_SHARED_KPROBE_H

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/types.h>

struct ktap_kprobe;
struct ktap_probe;
struct ktap_site;

/**
 * struct ktap_shared_kprobe - a kprobe, and the probes that it serves
 * @first: site of the first member; ktap_kprobe.next has that of each further one. NULL
 *	only before the first one has joined (RCU)
 * @kp: kprobe; enabled while a member is armed
 * @end: the link that is NULL
 * @users: members, and probes that are about to become one
 * @nr_on: armed members
 * @asked: address that the first user requested; 0: it requested a symbol. The kernel may
 *	have put @kp behind an instruction at that address (ENDBR)
 * @by_addr: link in the table by @kp's address
 * @by_asked: link in the table by @asked
 * @rcu: for freeing it
 */
struct ktap_shared_kprobe {
	const struct ktap_site *first;
	struct kprobe kp;
	const struct ktap_site **end;
	unsigned int users;
	unsigned int nr_on;
	unsigned long asked;
	struct hlist_node by_addr;
	struct hlist_node by_asked;
	struct rcu_head rcu;
};

int ktap_shared_kprobe_join(struct ktap_kprobe *k, unsigned long addr);
int ktap_shared_kprobe_move(struct ktap_kprobe *k, unsigned long addr);
void ktap_shared_kprobe_leave(struct ktap_probe **probes, int nr);
int ktap_shared_kprobe_arm(struct ktap_kprobe *k);
void ktap_shared_kprobe_disarm(struct ktap_kprobe *k);

#endif /* KTAP_SHARED_KPROBE_H */
