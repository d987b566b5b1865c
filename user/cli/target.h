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
#include "decode/decode.h"
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
 * @has_state: it stores or loads state: ...
 * @state_before: ... counts of that when the session began
 * @state: ... and during the session
 * @overloaded: the module's guard took it away from the session
 * @locked_down: kernel lockdown did
 * @file_state: enum ktap_file_state, as it was last reported
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
	bool has_state;
	struct ktap_state_counts state_before;
	struct ktap_state_counts state;
	bool overloaded;
	bool locked_down;
	uint32_t file_state;
	const struct ktap_session_map *map;
};

struct targets {
	struct target *target;
	size_t nr;
};

/**
 * targets_deinit() - release a list of probes
 * @t: probes; the list is empty after this
 *
 * The kernel's probes stay.
 */
void targets_deinit(struct targets *t);

/**
 * targets_define() - add the probes that words define
 * @t: appended to
 * @df: definer; with KTAP_PROBE_F_TRANSIENT in @df->flags the kernel removes the probes
 *	when @df->ctl is closed
 * @words: each word is one definition, or the file of a bundle
 * @d: on failure; its hint names a missing "--" or missing quotes, if these explain it
 *
 * It stops at the first word that fails. Probes of the words before it stay in @t and in
 * the kernel.
 *
 * Return: 0, or the error of define_compile(), define_add() or bundle_use().
 */
int targets_define(struct targets *t, struct definer *df,
		   const struct words *words, struct diag *d);

/**
 * targets_choose() - add the probes of the values of -e
 * @t: appended to; an event that it has already is not added again
 * @df: definer, with a connection to the module
 * @words: each word is the name or pattern of events that exist, and otherwise a definition
 *	or the file of a bundle
 * @d: on failure
 *
 * Events that this call defines match no word of the same call. It stops at the first word
 * that fails.
 *
 * Return: 0 or a negative errno.
 */
int targets_choose(struct targets *t, struct definer *df,
		   const struct words *words, struct diag *d);

/**
 * targets_all() - add all events that are defined, except those of running commands
 * @t: appended to
 * @df: definer, with a connection to the module
 * @d: on failure
 *
 * Return: 0; -ENOENT: there is none; or another negative errno.
 */
int targets_all(struct targets *t, struct definer *df, struct diag *d);

/**
 * targets_describe() - add all probes to a decoder
 * @t: probes
 * @dec: decoder
 * @d: on failure
 *
 * Return: as decoder_probe().
 */
int targets_describe(const struct targets *t, struct decoder *dec, struct diag *d);

/**
 * targets_times() - read errors and time of the system calls that are timed, so far
 * @t: probes; those with @timed get @errors and @time_ns, which count from the beginning
 *	of the probe
 * @ctl: control
 * @d: on failure
 *
 * If no probe is timed, the module is not asked.
 *
 * Return: 0 or a negative errno.
 */
int targets_times(struct targets *t, struct ctl *ctl, struct diag *d);

/**
 * targets_event() - add up the points of an event
 * @t: probes
 * @first: index of a probe
 * @ret: filled: that probe, with the counts of all probes of its name; it owns nothing
 *
 * Return: whether @first is the first point of its event; else @ret is undefined.
 */
bool targets_event(const struct targets *t, size_t first, struct target *ret);

/**
 * targets_note_files() - say which programs are no longer those that probes were made for
 * @t: probes; @file_state is set
 * @ctl: control
 *
 * It is called before and after the session, and tells what is new. If no probe is in a
 * program, the module is not asked. Without an answer nothing is said.
 */
void targets_note_files(struct targets *t, struct ctl *ctl);

/**
 * targets_missed() - count what is no hit, although it should be one
 * @t: probes; before the session @missed_before, @unfollowed_before and @state_before are
 *	set, after it @missed, @unfollowed and @state
 * @ctl: control
 * @end: the session has ended
 * @d: on failure
 *
 * That is what the kernel skipped, and calls that there was no room to follow to their
 * return. It is called once before and once after the session: the difference is what
 * happened during it.
 *
 * Return: 0 or a negative errno.
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

/**
 * targets_locked_down() - whether the session lost probes because lockdown was raised
 * @t: probes
 *
 * It is known from the last targets_disarmed(); the module is not asked.
 *
 * Return: true if so.
 */
bool targets_locked_down(const struct targets *t);

#endif /* KTAP_CLI_TARGET_H */
