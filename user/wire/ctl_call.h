/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What ctl.c and ctl_list.c share: the client from inside, and exchanges whose
 * failure becomes a diag. Private to wire/.
 */
#ifndef KTAP_WIRE_CTL_CALL_H
#define KTAP_WIRE_CTL_CALL_H

#include "wire/ctl.h"
#include "wire/genl.h"

/**
 * struct ctl - the client
 * @genl: its socket; transient probes live as long as it is open
 * @batch: room for several requests, once it was needed
 * @attr: attribute at fault in the last refusal
 * @cost_max: ns that a hit may take, when that was last asked; 0: not told
 */
struct ctl {
	struct genl genl;
	struct genl_batch *batch;
	unsigned int attr;
	uint64_t cost_max;
};

/* ctl_failed() - explain what genl_call() or genl_dump() returned. */
int ctl_failed(struct ctl *ctl, int err, struct diag *d);

/* ctl_hint_number() - what the number means that came with refusal @err, if any. */
void ctl_hint_number(int err, uint64_t number, uint64_t cost_max,
		     struct diag *d);

/* ctl_put_new() - the message of a request for a probe. */
void ctl_put_new(struct genl *g, const struct ctl_probe_new *req);

/* ctl_blob_inline() - bytes of its blob that go with it, if there is room. */
size_t ctl_blob_inline(const struct ctl_probe_new *req);

/* ctl_upload() - the rest of the blob; when that fails the probe is removed. */
int ctl_upload(struct ctl *ctl, uint32_t id, const struct ctl_probe_new *req,
	       struct diag *d);

/* ctl_take_id() - a genl_answer_fn: the id of a probe, to a u32. */
int ctl_take_id(void *ctx, const struct nlattr *const *attrs);

#endif /* KTAP_WIRE_CTL_CALL_H */
