/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rig's ring as the tool sees it: its reader (wire/ring.c) and its decoder
 * (decode/cursor.c), over what the module's writer wrote. Tests name decoded.c
 * and rig.c among their needs.
 */
#ifndef KTAP_TESTS_KRING_DECODED_H
#define KTAP_TESTS_KRING_DECODED_H

#include "decode/cursor.h"
#include "kring/rig.h"
#include "wire/ring.h"

/**
 * struct decoded - what was decoded so far
 * @ring: reader
 * @cursor: decoder
 * @track: its clock; a tick is a nanosecond, so that the time of an event is its
 *	raw counter ...
 * @mono_offset: ... and this
 * @rig: whose writer knows better
 * @lost_at: time of losses whose record has not come yet
 * @losses: those were told
 * @events: records of probes
 * @marks: marks
 * @mark: text of the last one
 * @lost: sum of the losses told
 * @serial: of the last event
 * @event: called for each record of a probe; may be NULL
 * @ctx: for @event
 * @problem: what is wrong
 */
struct decoded {
	struct ring ring;
	struct cursor cursor;
	struct clock_track track;
	u64 mono_offset;
	const struct rig *rig;
	u64 lost_at;
	bool losses;
	u64 events;
	u64 marks;
	char mark[KTAP_MARK_MAX + 1];
	u64 lost;
	u64 serial;
	void (*event)(void *ctx, u64 serial);
	void *ctx;
	const char *problem;
};

/* decoded_init() - @copy: in overwrite mode, room for a sub-buffer. */
void decoded_init(struct decoded *d, struct rig *rig, void *copy);

/**
 * decoded_read() - decode all that is published, and compare it with what the
 * writers had read of clock and task
 * @d: what was decoded before
 *
 * Return: NULL, or what is wrong.
 */
const char *decoded_read(struct decoded *d);

#endif /* KTAP_TESTS_KRING_DECODED_H */
