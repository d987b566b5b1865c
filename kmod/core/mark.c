// SPDX-License-Identifier: GPL-2.0
/* Marks: texts of user space in the rings of all sessions that record. */
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include "core/mark.h"
#include "core/probe.h"
#include "core/session.h"

/**
 * struct mark - a mark on its way through the sessions
 * @text: text, with NULs behind it
 * @size: its bytes
 * @marks: its outcomes in all sessions
 */
struct mark {
	const char *text;
	u32 size;
	struct ktap_marks *marks;
};

/*
 * Rings are freed after the session left the list, for which ktap_lock is needed. While
 * preemption is disabled this writer is like a hit: others nest in it.
 */
static void mark_session(struct ktap_session *s, void *ctx)
{
	const struct mark *m = ctx;
	struct ktap_ringmem *mem;

	if (!s->nr_recording)
		return;
	preempt_disable();
	mem = ktap_session_mem(s, smp_processor_id());
	if (!mem) {
		s->marks.lost_no_ring++;
		m->marks->lost_no_ring++;
	} else if (ktap_ring_mark(&mem->ring, m->text, m->size)) {
		s->marks.recorded++;
		m->marks->recorded++;
	} else {
		s->marks.lost_full++;
		m->marks->lost_full++;
	}
	preempt_enable();
}

/**
 * ktap_mark() - put a mark into every session that records
 * @text: text without NUL, with NULs behind it up to a multiple of 8 bytes
 * @size: bytes of the text, from 1 to KTAP_MARK_MAX
 * @ret: filled: number of sessions for each outcome
 *
 * The last attachment of a session settles under ktap_lock. So its rings and the number of
 * its marks do not change after KTAP_IOC_DETACH.
 *
 * Context: process, without ktap_lock.
 */
void ktap_mark(const char *text, u32 size, struct ktap_marks *ret)
{
	struct mark m = { .text = text, .size = size, .marks = ret };

	*ret = (struct ktap_marks){};
	mutex_lock(&ktap_lock);
	ktap_session_each(mark_session, &m);
	mutex_unlock(&ktap_lock);
}
