// SPDX-License-Identifier: GPL-2.0
/* Control: many probes with few messages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/ctl_call.h"

static int take_new(void *ctx, size_t index, const struct nlattr *const *attrs)
{
	struct ctl_new *ret = ctx;

	return ctl_take_id(&ret[index].id, attrs);
}

/* Return: how many of them the batch took. */
static size_t fill(struct ctl *ctl, const struct ctl_probe_new *reqs, size_t nr,
		   struct ctl_new *ret)
{
	struct genl_batch *b = ctl->batch;
	size_t i;
	int err;

	genl_batch_begin(b, &ctl->genl);
	for (i = 0; i < nr && i < CTL_BATCH; i++) {
		ret[i] = (struct ctl_new){ 0 };
		ctl_put_new(&ctl->genl, &reqs[i]);
		err = genl_batch_add(b);
		if (!err)
			continue;
		if (i)
			break;
		/* alone it fits nowhere */
		ret[0].err = -EMSGSIZE;
		return 1;
	}
	return i;
}

static void finish(struct ctl *ctl, const struct ctl_probe_new *req,
		   const struct genl_outcome *o, struct ctl_new *ret)
{
	struct diag d = { 0 };

	ret->err = o->err;
	ret->attr = o->attr;
	memcpy(ret->text, o->text, sizeof(ret->text));
	ret->number = o->cookie;
	ret->cost_max = ctl->cost_max;
	if (!ret->err && !ret->id)
		ret->err = -EBADMSG;
	if (!ret->err) {
		ret->err = ctl_upload(ctl, ret->id, req, &d);
		ret->attr = ret->err ? ctl->attr : 0;
		ret->number = ret->err ? ctl->genl.cookie : 0;
	}
	if (ret->err)
		ret->id = 0;
	if (d.message)
		snprintf(ret->text, sizeof(ret->text), "%s", d.message);
	diag_clear(&d);
}

int ctl_probes_new(struct ctl *ctl, const struct ctl_probe_new *reqs, size_t nr,
		   struct ctl_new *ret, struct diag *d)
{
	size_t sent, i;
	int err;

	if (!ctl->batch)
		ctl->batch = malloc(sizeof(*ctl->batch));
	if (!ctl->batch)
		return diag_no_memory(d);
	sent = fill(ctl, reqs, nr, ret);
	err = genl_batch_call(ctl->batch, take_new, ret);
	if (err) {
		/* what was made by then goes; first the reason: that may be refused */
		ctl_failed(ctl, err, d);
		for (i = 0; i < sent; i++)
			if (ret[i].id)
				ctl_probe_del(ctl, ret[i].id, NULL);
		return err;
	}
	for (i = 0; i < ctl->batch->nr; i++)
		finish(ctl, &reqs[i], &ctl->batch->outcome[i], &ret[i]);
	return sent;
}

int ctl_new_diag(const struct ctl_new *result, struct diag *d)
{
	if (result->text[0]) {
		diag_set(d, result->err, DIAG_CTL_REFUSED, result->text);
		if (!ctl_event_of(result->err, result->attr, result->number))
			ctl_hint_number(result->err, result->number, result->cost_max,
					d);
		return result->err;
	}
	if (result->err == -EMSGSIZE)
		return diag_set(d, result->err, DIAG_CTL_TOO_LARGE);
	return diag_set(d, result->err, DIAG_CTL_FAILED, strerror(-result->err));
}
