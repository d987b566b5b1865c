// SPDX-License-Identifier: GPL-2.0
/* Paths of control groups that $cgroup is compared with: the kernel knows them by ID. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "define/debug.h"
#include "place/cgroups.h"

/* struct search - paths in one definition */
struct search {
	const struct definer *df;
	struct terms *terms;
	struct diag *d;
};

static int at_path(struct search *s, const struct term *e, int err)
{
	diag_at(s->d, s->terms->text, e->at.start, e->at.length);
	return err;
}

static int no_cgroup(struct search *s, const struct term *e, int err)
{
	if (err == -ENOMEM)
		return diag_no_memory(s->d);
	if (err == -ENODEV) {
		diag_set(s->d, err, DIAG_CGROUP_NONE);
		diag_hint(s->d, "mount -t cgroup2 none /sys/fs/cgroup");
	} else {
		diag_set(s->d, err, DIAG_CGROUP, e->text, strerror(-err));
		diag_hint(s->d, "'find /sys/fs/cgroup -type d' lists them; $cgroup is the ID");
	}
	return at_path(s, e, err);
}

/* @e, a text, becomes the ID. */
static int take_id(struct search *s, struct term *e)
{
	uint64_t id;
	int err;

	if (s->df->foreign) {
		diag_set(s->d, -EINVAL, DIAG_CGROUP_ELSEWHERE);
		diag_hint(s->d, "compare $cgroup with a parameter, which is given where the probes are used");
		return at_path(s, e, -EINVAL);
	}
	err = cgroups_id(e->text, &id);
	if (err)
		return no_cgroup(s, e, err);
	e->kind = TERM_IMM;
	e->value = (int64_t)id;
	e->is_unsigned = true;
	return 0;
}

static bool is_cgroup(const struct search *s, const struct term *e)
{
	const struct term_arg *arg = e->kind == TERM_NAME ?
				     terms_find_arg(s->terms, e->text) : NULL;

	return term_is_cgroup(arg ? arg->term : e);
}

static int search(struct search *s, struct term *e)
{
	int err = 0;

	if (!e)
		return 0;
	if (e->kind == TERM_BINARY && (e->op == OP_EQ || e->op == OP_NE)) {
		if (is_cgroup(s, e->base) && e->right->kind == TERM_TEXT)
			return take_id(s, e->right);
		if (is_cgroup(s, e->right) && e->base->kind == TERM_TEXT)
			return take_id(s, e->base);
	}
	err = search(s, e->base);
	if (!err)
		err = search(s, e->right);
	return err ? err : search(s, e->third);
}

int define_cgroups(const struct definer *df, struct terms *terms, struct diag *d)
{
	struct search s = { df, terms, d };
	int err = search(&s, terms->filter);

	for (size_t i = 0; !err && i < terms->nr_args; i++)
		err = search(&s, terms->args[i].term);
	for (size_t i = 0; !err && i < terms->nr_stores; i++)
		err = search(&s, terms->stores[i]);
	return err;
}
