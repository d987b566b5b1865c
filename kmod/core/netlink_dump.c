// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps. The kernel calls a dump function once per message buffer. So each keeps a cursor
 * in cb->args and resumes by ids and numbers, never by pointers.
 */
#include <linux/cpumask.h>

#include "compat.h"
#include "core/access.h"
#include "core/netlink_request.h"
#include "core/probe.h"
#include "core/session.h"
#include "core/state_table.h"
#include "frame/calls.h"

/**
 * ktap_dump_start() - .start of every dump
 * @cb: dump
 *
 * Context: process.
 * Return: 0 or -EPERM.
 */
int ktap_dump_start(struct netlink_callback *cb)
{
	struct ktap_refused refused = {};
	int err;

	cb->min_dump_alloc = KTAP_PROBE_MESSAGE;
	err = ktap_netlink_allowed(cb->skb, &refused);
	if (err)
		ktap_tell_refused(cb->extack, NULL, &refused);
	return err;
}

static void *begin(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &ktap_family, NLM_F_MULTI, cmd);
}

/* Ends a message, or removes it if it did not fit. */
static int end(struct sk_buff *skb, void *head, int err)
{
	if (err)
		genlmsg_cancel(skb, head);
	else
		genlmsg_end(skb, head);
	return err;
}

/* ---- probes ---------------------------------------------------------------- */

static int dump_probe(struct sk_buff *skb, struct netlink_callback *cb,
		      const struct ktap_probe *p,
		      enum ktap_addresses addresses)
{
	void *head = begin(skb, cb, KTAP_CMD_PROBE_GET);

	return head ? end(skb, head, ktap_put_probe(skb, p, addresses)) :
		      -EMSGSIZE;
}

/**
 * ktap_dump_probes() - dump all probes
 * @skb: buffer
 * @cb: dump; args[0] is the next id
 *
 * Context: process.
 * Return: bytes in @skb, or a negative errno.
 */
int ktap_dump_probes(struct sk_buff *skb, struct netlink_callback *cb)
{
	/* checked per message: another process may read the rest */
	enum ktap_addresses addresses = ktap_addresses(cb->skb);
	struct ktap_probe *p;

	mutex_lock(&ktap_lock);
	while ((p = ktap_probe_next(cb->args[0]))) {
		if (dump_probe(skb, cb, p, addresses))
			break;
		cb->args[0] = p->id + 1;
	}
	mutex_unlock(&ktap_lock);
	return skb->len;
}

/* ---- sessions --------------------------------------------------------------- */

static int put_probe_module(struct sk_buff *skb, const struct ktap_session *s)
{
	if (!s->module)
		return 0;
	return nla_put_string(skb, KTAP_A_PROBE_MODULE, s->module) ?:
	       nla_put_u32(skb, KTAP_A_MODULE_STATE, s->module_state);
}

static int put_session(struct sk_buff *skb, struct ktap_session *s)
{
	if (ktap_put_u64(skb, KTAP_A_SESSION, s->number) ||
	    nla_put_u32(skb, KTAP_A_OWNER_PID, s->owner_pid) ||
	    nla_put_string(skb, KTAP_A_OWNER_COMM, s->owner_comm) ||
	    nla_put_u32(skb, KTAP_A_NR_PROBES, s->nr_attached) ||
	    ktap_put_u64(skb, KTAP_A_RING_BYTES, ktap_session_ring_bytes(s)) ||
	    put_probe_module(skb, s))
		return -EMSGSIZE;
	return 0;
}

/**
 * ktap_dump_sessions() - dump all sessions
 * @skb: buffer
 * @cb: dump; args[0] is the number of the last session dumped
 *
 * Context: process.
 * Return: bytes in @skb, or a negative errno.
 */
int ktap_dump_sessions(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct ktap_session *s;
	void *head;

	mutex_lock(&ktap_lock);
	while ((s = ktap_session_next(cb->args[0]))) {
		head = begin(skb, cb, KTAP_CMD_SESSION_GET);
		if (!head || end(skb, head, put_session(skb, s)))
			break;
		cb->args[0] = s->number;
	}
	mutex_unlock(&ktap_lock);
	return skb->len;
}

/* ---- accounting ------------------------------------------------------------- */

/*
 * Cursor of a stats dump: the probe, whether its totals are done, the current attachment
 * (by the number of its session, or 0 for "enable"), the next CPU.
 */
enum { AT_PROBE, AT_TOTALS_DONE, AT_SESSION, AT_CPU };

static u64 attach_key(const struct ktap_attach *a)
{
	return a->counting ? 0 : a->session->number;
}

static int dump_totals(struct sk_buff *skb, struct netlink_callback *cb,
		       const struct ktap_probe *p)
{
	void *head = begin(skb, cb, KTAP_CMD_STATS_GET);
	struct ktap_returns returns;
	struct ktap_counts counts;
	struct ktap_frames frames;
	struct ktap_state_counts state;
	bool has_state = p->prog->info.has_state;

	if (!head)
		return -EMSGSIZE;
	ktap_probe_counts(p, &counts);
	if (p->backend->returns)
		p->backend->returns(p, &returns);
	if (p->site.calls)
		ktap_calls_stats(p->site.calls, &frames);
	if (has_state)
		ktap_state_counts(&p->prog->info, &state);
	return end(skb, head,
		   (p->backend->returns &&
		    nla_put(skb, KTAP_A_RETURNS, sizeof(returns), &returns)) ||
		   (p->site.calls &&
		    nla_put(skb, KTAP_A_FRAMES, sizeof(frames), &frames)) ||
		   (has_state &&
		    nla_put(skb, KTAP_A_STATE, sizeof(state), &state)) ||
		   (p->overloaded && nla_put_flag(skb, KTAP_A_OVERLOADED)) ||
		   (p->locked_down && nla_put_flag(skb, KTAP_A_LOCKED_DOWN)) ||
		   nla_put_u32(skb, KTAP_A_ID, p->id) ||
		   nla_put_string(skb, KTAP_A_NAME, p->name) ||
		   nla_put(skb, KTAP_A_COUNTS, sizeof(counts), &counts) ||
		   ktap_put_u64(skb, KTAP_A_MISSED, ktap_probe_missed(p)) ||
		   nla_put_u32(skb, KTAP_A_NR_SESSIONS, ktap_probe_nr_sessions(p)) ?
		   -EMSGSIZE : 0);
}

static int dump_cell(struct sk_buff *skb, struct netlink_callback *cb,
		     const struct ktap_attach *a, u32 cpu)
{
	struct ktap_counts counts;
	void *head;

	ktap_attach_counts(a, cpu, &counts);
	if (!counts.hits)
		return 0;
	head = begin(skb, cb, KTAP_CMD_STATS_GET);
	if (!head)
		return -EMSGSIZE;
	return end(skb, head,
		   nla_put_u32(skb, KTAP_A_ID, a->probe->id) ||
		   ktap_put_u64(skb, KTAP_A_SESSION, attach_key(a)) ||
		   nla_put_u32(skb, KTAP_A_CPU, cpu) ||
		   nla_put(skb, KTAP_A_COUNTS, sizeof(counts), &counts) ?
		   -EMSGSIZE : 0);
}

/* The attachment with the smallest key that is at least @key, or NULL. */
static const struct ktap_attach *next_attach(const struct ktap_probe *p,
					     u64 key)
{
	const struct ktap_attach *a, *best = NULL;

	list_for_each_entry(a, &p->attachments, of_probe)
		if (attach_key(a) >= key &&
		    (!best || attach_key(a) < attach_key(best)))
			best = a;
	return best;
}

static int dump_attached(struct sk_buff *skb, struct netlink_callback *cb,
			 const struct ktap_probe *p)
{
	const struct ktap_attach *a;
	int err;

	while ((a = next_attach(p, cb->args[AT_SESSION]))) {
		if (attach_key(a) != cb->args[AT_SESSION])
			cb->args[AT_CPU] = 0;
		cb->args[AT_SESSION] = attach_key(a);
		for (; cb->args[AT_CPU] < nr_cpu_ids; cb->args[AT_CPU]++) {
			if (!cpu_possible(cb->args[AT_CPU]))
				continue;
			err = dump_cell(skb, cb, a, cb->args[AT_CPU]);
			if (err)
				return err;
		}
		cb->args[AT_SESSION]++;
		cb->args[AT_CPU] = 0;
	}
	return 0;
}

static int dump_stats_of(struct sk_buff *skb, struct netlink_callback *cb,
			 const struct ktap_probe *p, bool verbose)
{
	int err;

	if (cb->args[AT_PROBE] != p->id) {
		cb->args[AT_PROBE] = p->id;
		cb->args[AT_TOTALS_DONE] = 0;
		cb->args[AT_SESSION] = 0;
		cb->args[AT_CPU] = 0;
	}
	if (!cb->args[AT_TOTALS_DONE]) {
		err = dump_totals(skb, cb, p);
		if (err)
			return err;
		cb->args[AT_TOTALS_DONE] = 1;
	}
	return verbose ? dump_attached(skb, cb, p) : 0;
}

/**
 * ktap_dump_stats() - dump the counts of all probes or of one
 * @skb: buffer
 * @cb: dump; args[] as the enum above
 *
 * Context: process.
 * Return: bytes in @skb, or a negative errno.
 */
int ktap_dump_stats(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nlattr **attrs = ktap_dump_attrs(cb);
	bool verbose = attrs && attrs[KTAP_A_VERBOSE];
	u32 only = attrs && attrs[KTAP_A_ID] ? nla_get_u32(attrs[KTAP_A_ID]) : 0;
	struct ktap_probe *p;
	u32 id;

	mutex_lock(&ktap_lock);
	id = max_t(u32, cb->args[AT_PROBE], only);
	while ((p = ktap_probe_next(id))) {
		if (only && p->id != only)
			break;
		if (dump_stats_of(skb, cb, p, verbose))
			break;
		id = p->id + 1;
		cb->args[AT_PROBE] = id;
		cb->args[AT_TOTALS_DONE] = 0;
		cb->args[AT_SESSION] = 0;
		cb->args[AT_CPU] = 0;
		if (only)
			break;
	}
	mutex_unlock(&ktap_lock);
	return skb->len;
}
