// SPDX-License-Identifier: GPL-2.0
/* Control: what the module lists. A list that changed is read again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wire/ctl_call.h"
#include "base/array.h"

/**
 * struct list - a list that is being read
 * @rows: array; owned
 * @nr: rows in it
 * @size: bytes of a row
 * @fill: take a row from the attributes; 0, -EBADMSG, -ENOMEM
 * @deinit: release what a row owns; it may be half filled
 */
struct list {
	char *rows;
	size_t nr;
	size_t size;
	int (*fill)(void *row, const struct nlattr *const *attrs);
	void (*deinit)(void *row);
};

static void list_clear(void *list)
{
	struct list *l = list;

	while (l->nr)
		l->deinit(l->rows + --l->nr * l->size);
	free(l->rows);
	l->rows = NULL;
}

static int list_add(void *list, const struct nlattr *const *attrs)
{
	struct list *l = list;
	char *rows;

	rows = array_grow(l->rows, l->nr, l->size);
	if (!rows)
		return -ENOMEM;
	l->rows = rows;
	memset(l->rows + l->nr * l->size, 0, l->size);
	l->nr++;
	return l->fill(l->rows + (l->nr - 1) * l->size, attrs);
}

static int list_read(struct ctl *ctl, struct list *l, struct diag *d)
{
	int err = genl_dump(&ctl->genl, list_add, list_clear, l);

	if (err)
		list_clear(l);
	ctl->attr = 0;
	return err ? ctl_failed(ctl, err, d) : 0;
}

/* A copy of a string attribute; NULL where there is none. */
static int copy_str(const struct nlattr *attr, char **ret)
{
	const char *s = NULL;

	if (genl_get_str(attr, &s))
		return -EBADMSG;
	*ret = s ? strdup(s) : NULL;
	return s && !*ret ? -ENOMEM : 0;
}

/* ---- probes ---- */

static void probe_deinit(void *row)
{
	struct ctl_probe *p = row;

	free(p->name);
	free(p->module);
	free(p->symbol);
	free(p->hook);
	free(p->frame_hook);
}

/* The kernel has "MODULE:SYMBOL" where it follows a module. */
static int split_module(struct ctl_probe *p)
{
	char *colon = p->symbol ? strchr(p->symbol, ':') : NULL;

	if (!colon || (p->type != KTAP_TYPE_KPROBE &&
		       p->type != KTAP_TYPE_KRETPROBE))
		return 0;
	p->module = strndup(p->symbol, colon - p->symbol);
	memmove(p->symbol, colon + 1, strlen(colon));
	return p->module ? 0 : -ENOMEM;
}

static int probe_numbers(struct ctl_probe *p, const struct nlattr *const *attrs)
{
	uint8_t enabled = 0;

	if (!attrs[KTAP_A_ID] || genl_get_u32(attrs[KTAP_A_ID], &p->id) ||
	    genl_get_u32(attrs[KTAP_A_TYPE], &p->type) ||
	    genl_get_u32(attrs[KTAP_A_FLAGS], &p->flags) ||
	    genl_get_u64(attrs[KTAP_A_ADDR], &p->address) ||
	    genl_get_u64(attrs[KTAP_A_OFFSET], &p->offset) ||
	    genl_get_u8(attrs[KTAP_A_ENABLED], &enabled) ||
	    genl_get_u32(attrs[KTAP_A_NR_SESSIONS], &p->nr_sessions) ||
	    genl_get_u32(attrs[KTAP_A_RECORD_MAX], &p->record_max) ||
	    genl_get_u64(attrs[KTAP_A_COST], &p->cost) ||
	    genl_get_u32(attrs[KTAP_A_BLOB_SIZE], &p->blob_size) ||
	    genl_get_u32(attrs[KTAP_A_OWNER_PID], &p->owner_pid) ||
	    genl_get_u32(attrs[KTAP_A_MAXACTIVE], &p->maxactive) ||
	    genl_get_u64(attrs[KTAP_A_PERIOD], &p->period) ||
	    genl_get_u32(attrs[KTAP_A_FILE_STATE], &p->file_state))
		return -EBADMSG;
	p->enabled = enabled;
	p->each_cpu = attrs[KTAP_A_EACH_CPU];
	p->waiting = attrs[KTAP_A_WAITING];
	p->overloaded = attrs[KTAP_A_OVERLOADED];
	p->locked_down = attrs[KTAP_A_LOCKED_DOWN];
	return 0;
}

static int probe_fill(void *row, const struct nlattr *const *attrs)
{
	struct ctl_probe *p = row;
	int err;

	if (!attrs[KTAP_A_NAME])
		return -EBADMSG;
	err = probe_numbers(p, attrs);
	if (!err)
		err = copy_str(attrs[KTAP_A_NAME], &p->name);
	if (!err)
		err = copy_str(attrs[KTAP_A_SYMBOL], &p->symbol);
	if (!err)
		err = split_module(p);
	if (!err)
		err = copy_str(attrs[KTAP_A_HOOK], &p->hook);
	if (!err)
		err = copy_str(attrs[KTAP_A_FRAME_HOOK], &p->frame_hook);
	return err;
}

int ctl_probes_get(struct ctl *ctl, struct diag *d, struct ctl_probes *ret)
{
	struct list l = {
		.size = sizeof(*ret->probes),
		.fill = probe_fill,
		.deinit = probe_deinit,
	};
	int err;

	genl_begin(&ctl->genl, KTAP_CMD_PROBE_GET);
	err = list_read(ctl, &l, d);
	*ret = (struct ctl_probes){ (struct ctl_probe *)l.rows, l.nr };
	return err;
}

void ctl_probes_deinit(struct ctl_probes *probes)
{
	while (probes->nr)
		probe_deinit(&probes->probes[--probes->nr]);
	free(probes->probes);
	probes->probes = NULL;
}

/* ---- accounting ---- */

static void stats_deinit(void *row)
{
	struct ctl_stats *s = row;

	free(s->name);
}

static int stats_fill(void *row, const struct nlattr *const *attrs)
{
	struct ctl_stats *s = row;

	if (!attrs[KTAP_A_ID] || genl_get_u32(attrs[KTAP_A_ID], &s->id) ||
	    genl_get_u64(attrs[KTAP_A_SESSION], &s->session) ||
	    genl_get_u32(attrs[KTAP_A_CPU], &s->cpu) ||
	    genl_get_u64(attrs[KTAP_A_MISSED], &s->missed) ||
	    genl_get_u32(attrs[KTAP_A_NR_SESSIONS], &s->nr_sessions))
		return -EBADMSG;
	s->is_total = !attrs[KTAP_A_SESSION];
	s->overloaded = attrs[KTAP_A_OVERLOADED];
	s->locked_down = attrs[KTAP_A_LOCKED_DOWN];
	if (s->is_total && !attrs[KTAP_A_NAME])
		return -EBADMSG;
	genl_get_struct(attrs[KTAP_A_COUNTS], &s->counts, sizeof(s->counts));
	s->is_return = attrs[KTAP_A_RETURNS];
	genl_get_struct(attrs[KTAP_A_RETURNS], &s->returns, sizeof(s->returns));
	s->has_frames = attrs[KTAP_A_FRAMES];
	genl_get_struct(attrs[KTAP_A_FRAMES], &s->frames, sizeof(s->frames));
	s->has_state = attrs[KTAP_A_STATE];
	genl_get_struct(attrs[KTAP_A_STATE], &s->state, sizeof(s->state));
	return copy_str(attrs[KTAP_A_NAME], &s->name);
}

int ctl_stats_get(struct ctl *ctl, bool verbose, struct diag *d,
		  struct ctl_stats_list *ret)
{
	struct list l = {
		.size = sizeof(*ret->rows),
		.fill = stats_fill,
		.deinit = stats_deinit,
	};
	int err;

	genl_begin(&ctl->genl, KTAP_CMD_STATS_GET);
	if (verbose)
		genl_put(&ctl->genl, KTAP_A_VERBOSE, NULL, 0);
	err = list_read(ctl, &l, d);
	*ret = (struct ctl_stats_list){ (struct ctl_stats *)l.rows, l.nr };
	return err;
}

void ctl_stats_deinit(struct ctl_stats_list *list)
{
	while (list->nr)
		stats_deinit(&list->rows[--list->nr]);
	free(list->rows);
	list->rows = NULL;
}

/* ---- sessions ---- */

static void session_deinit(void *row)
{
	struct ctl_session *s = row;

	free(s->comm);
	free(s->module);
}

static int session_fill(void *row, const struct nlattr *const *attrs)
{
	struct ctl_session *s = row;
	uint32_t state = 0;
	int err;

	if (!attrs[KTAP_A_SESSION] || !attrs[KTAP_A_OWNER_COMM] ||
	    genl_get_u64(attrs[KTAP_A_SESSION], &s->session) ||
	    genl_get_u32(attrs[KTAP_A_OWNER_PID], &s->pid) ||
	    genl_get_u32(attrs[KTAP_A_NR_PROBES], &s->nr_probes) ||
	    genl_get_u64(attrs[KTAP_A_RING_BYTES], &s->ring_bytes) ||
	    genl_get_u32(attrs[KTAP_A_MODULE_STATE], &state))
		return -EBADMSG;
	s->state = state;
	err = copy_str(attrs[KTAP_A_OWNER_COMM], &s->comm);
	return err ? err : copy_str(attrs[KTAP_A_PROBE_MODULE], &s->module);
}

int ctl_sessions_get(struct ctl *ctl, struct diag *d, struct ctl_sessions *ret)
{
	struct list l = {
		.size = sizeof(*ret->sessions),
		.fill = session_fill,
		.deinit = session_deinit,
	};
	int err;

	genl_begin(&ctl->genl, KTAP_CMD_SESSION_GET);
	err = list_read(ctl, &l, d);
	*ret = (struct ctl_sessions){ (struct ctl_session *)l.rows, l.nr };
	return err;
}

void ctl_sessions_deinit(struct ctl_sessions *sessions)
{
	while (sessions->nr)
		session_deinit(&sessions->sessions[--sessions->nr]);
	free(sessions->sessions);
	sessions->sessions = NULL;
}
