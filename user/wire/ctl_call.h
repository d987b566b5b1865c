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

/**
 * ctl_failed() - explain an error of genl_call() or genl_dump()
 * @ctl: client; its @genl is as the call left it; ctl_attr() is set
 * @err: negative errno that the call returned
 * @d: where to explain it
 *
 * Return: @err.
 */
int ctl_failed(struct ctl *ctl, int err, struct diag *d);

/**
 * ctl_hint_number() - explain the number that came with a refusal
 * @err: negative errno of the refusal: after -E2BIG and -EDQUOT the number is ns of a hit,
 *	else bytes
 * @number: the number; 0: there is none, and no hint is added
 * @cost_max: limit of the module for a hit, in ns
 * @d: where the hint is added
 */
void ctl_hint_number(int err, uint64_t number, uint64_t cost_max,
		     struct diag *d);

/**
 * ctl_put_new() - build the message of a request for a probe, without sending it
 * @g: socket; its request is replaced; @g->overflow is set if the message has no room
 * @req: request; the first ctl_blob_inline() bytes of its blob are part of the message
 */
void ctl_put_new(struct genl *g, const struct ctl_probe_new *req);

/**
 * ctl_blob_inline() - get how much of the blob is part of the first message
 * @req: request
 *
 * Return: bytes, at most KTAP_BLOB_CHUNK; 0: there is no blob, or its first chunk does not
 *	fit in a message with the programs.
 */
size_t ctl_blob_inline(const struct ctl_probe_new *req);

/**
 * ctl_upload() - send the rest of the blob, after the message of ctl_put_new()
 * @ctl: client
 * @id: of the probe that this message created
 * @req: the same request
 * @d: on failure
 *
 * On failure the probe is deleted, ctl_attr() has the attribute at fault in the upload,
 * and @ctl->genl.cookie the number that came with the refusal, or 0.
 *
 * Return: 0, also if there is no rest; what genl_call() returned.
 */
int ctl_upload(struct ctl *ctl, uint32_t id, const struct ctl_probe_new *req,
	       struct diag *d);

/**
 * ctl_take_id() - take the id of a probe from an answer; a genl_answer_fn
 * @ctx: a uint32_t; unchanged if the answer has no id
 * @attrs: of the answer
 *
 * Return: 0 or -EBADMSG.
 */
int ctl_take_id(void *ctx, const struct nlattr *const *attrs);

#endif /* KTAP_WIRE_CTL_CALL_H */
