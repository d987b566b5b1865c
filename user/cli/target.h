/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The probes of one session: events that exist, and definitions that live as
 * long as the command.
 */
#ifndef KTAP_CLI_TARGET_H
#define KTAP_CLI_TARGET_H

#include <linux/ktap.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"
#include "define/define.h"

/**
 * struct target - one probe of the session
 * @id: the kernel's number for it
 * @name: event
 * @blob: its layout, encoded; owned
 * @blob_size: bytes
 * @counts: what became of its hits in this session
 * @missed_before: hits that the kernel had skipped when the session began
 * @missed: and during the session
 * @type: enum ktap_type of it
 * @unfollowed_before: calls whose return was not followed when the session began
 * @unfollowed: and during the session
 * @timed: it is a system call whose time is counted: ...
 * @errors: ... calls that returned an error
 * @time_ns: ... and the time in all of them
 * @overloaded: the module's guard took it away from the session
 * @locked_down: kernel lockdown did
 * @map: map that its hits are aggregated in; NULL: they are recorded
 */
struct target {
	uint32_t id;
	char *name;
	void *blob;
	size_t blob_size;
	struct ktap_counts counts;
	uint64_t missed_before;
	uint64_t missed;
	uint32_t type;
	uint64_t unfollowed_before;
	uint64_t unfollowed;
	bool timed;
	uint64_t errors;
	uint64_t time_ns;
	bool overloaded;
	bool locked_down;
	const struct ktap_session_map *map;
};

struct targets {
	struct target *target;
	size_t nr;
};

void targets_deinit(struct targets *t);

/* targets_define() - one definition per word; what is added goes with the ctl. */
int targets_define(struct targets *t, struct definer *df,
		   const struct words *words, struct diag *d);

/* targets_choose() - what -e says: an event that exists, else a definition. */
int targets_choose(struct targets *t, struct definer *df,
		   const struct words *words, struct diag *d);

/* targets_all() - every event that is defined. */
int targets_all(struct targets *t, struct definer *df, struct diag *d);

/* targets_times() - of those that are timed, so far. */
int targets_times(struct targets *t, struct ctl *ctl, struct diag *d);

/* targets_missed() - what is no hit, because the kernel skipped it, or because there was
 * no room to follow a call to its return: once before and once after the session (@end).
 */
int targets_missed(struct targets *t, struct ctl *ctl, bool end,
		   struct diag *d);

/**
 * targets_disarmed() - which the module took away; say so of those that are new
 * @t: probes
 * @ctl: control
 * @d: on failure
 *
 * Return: how many there are in all, or negative.
 */
int targets_disarmed(struct targets *t, struct ctl *ctl, struct diag *d);

/* targets_locked_down() - some went because kernel lockdown was raised. */
bool targets_locked_down(const struct targets *t);

#endif /* KTAP_CLI_TARGET_H */
