// SPDX-License-Identifier: GPL-2.0
/*
 * Control: ktap's own requests and their answers. Lists are in ctl_list.c, and
 * messages in genl.c.
 */
#include "wire/ctl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "wire/ctl_call.h"
#include "wire/loaded.h"

#define MODULE_DIR "/sys/module/ktap"
#define INLINE_MAX (24 * 1024)	/* bytes of programs and blob in one request */

DEFINE_CLEANUP(struct ctl, ctl_close)

/* ---- failures ---- */

void ctl_hint_number(int err, uint64_t number, uint64_t cost_max,
		     struct diag *d)
{
	if (!number)
		return;
	/* what is too dear is refused with one of these, and memory never */
	if (err == -E2BIG || err == -EDQUOT)
		diag_hint(d, "it could take %llu ns, and the limit is %llu",
			  (unsigned long long)number,
			  (unsigned long long)cost_max);
	else
		diag_hint(d, "it would take %llu bytes",
			  (unsigned long long)number);
}

/* Of what is too dear or too large the number is ns or bytes. */
uint64_t ctl_event_of(int err, unsigned int attr, uint64_t number)
{
	if (err == -E2BIG || err == -ENOSPC || err == -ENOMEM ||
	    (attr != KTAP_A_PROG && attr != KTAP_A_ENTRY_PROG))
		return 0;
	return number;
}

int ctl_failed(struct ctl *ctl, int err, struct diag *d)
{
	const struct genl *g = &ctl->genl;

	ctl->attr = g->refused ? g->attr : 0;
	if (g->refused && g->text[0]) {
		diag_set(d, err, DIAG_CTL_REFUSED, g->text);
		if (!ctl_event_of(err, g->attr, g->cookie))
			ctl_hint_number(err, g->cookie, ctl->cost_max, d);
		return err;
	}
	if (g->refused)
		return diag_set(d, err, DIAG_CTL_FAILED, strerror(-err));
	switch (err) {
	case -ENOMEM:
		return diag_set(d, err, DIAG_NO_MEMORY);
	case -EBADMSG:
		return diag_set(d, err, DIAG_CTL_BAD_ANSWER);
	case -EMSGSIZE:
		return diag_set(d, err, DIAG_CTL_TOO_LARGE);
	case -EAGAIN:
		return diag_set(d, err, DIAG_CTL_UNSETTLED);
	default:
		return diag_set(d, err, DIAG_CTL_SOCKET, strerror(-err));
	}
}

static int call(struct ctl *ctl, genl_answer_fn fn, void *ctx, struct diag *d)
{
	int err = genl_call(&ctl->genl, fn, ctx);

	ctl->attr = 0;
	return err ? ctl_failed(ctl, err, d) : 0;
}

unsigned int ctl_attr(const struct ctl *ctl)
{
	return ctl->attr;
}

uint64_t ctl_event(const struct ctl *ctl, int err)
{
	return ctl_event_of(err, ctl->attr, ctl->genl.cookie);
}

/* ---- open ---- */

static int no_family(struct ctl *ctl, int err, struct diag *d)
{
	if (err != -ENOENT)
		return ctl_failed(ctl, err, d);
	if (access(MODULE_DIR, F_OK))
		return not_loaded(err, d);
	diag_set(d, err, DIAG_WIRE_NOT_LOADED);
	diag_hint(d, "it is loaded, but answers only in the initial network namespace");
	return err;
}

static int hello(struct ctl *ctl, struct diag *d)
{
	struct ctl_info info;
	struct diag why = {};
	int err;

	err = ctl_info(ctl, &why, &info);
	if (!err && info.abi != KTAP_ABI) {
		err = diag_set(d, -EPROTO, info.abi > KTAP_ABI ?
			       DIAG_CTL_OLD_TOOL : DIAG_CTL_OLD_MODULE,
			       info.abi, KTAP_ABI);
	} else if (err == -EPERM) {
		diag_set(d, err, DIAG_WIRE_NO_CAPABILITY);
		diag_hint(d, "run it as root");
	} else if (err && d && d->code == DIAG_OK) {
		*d = why;
		return err;
	}
	diag_clear(&why);
	return err;
}

int ctl_open(struct diag *d, struct ctl **ret)
{
	_cleanup_(ctl_closep) struct ctl *ctl = calloc(1, sizeof(*ctl));
	int err;

	if (!ctl)
		return diag_no_memory(d);
	err = genl_init(&ctl->genl);
	if (err)
		return diag_set(d, err, DIAG_CTL_SOCKET, strerror(-err));
	err = genl_resolve(&ctl->genl, KTAP_GENL_NAME, KTAP_GENL_VERSION);
	if (err)
		return no_family(ctl, err, d);
	err = hello(ctl, d);
	if (!err)
		*ret = take_ptr(ctl);
	return err;
}

void ctl_close(struct ctl *ctl)
{
	if (!ctl)
		return;
	genl_deinit(&ctl->genl);
	free(ctl->batch);
	free(ctl);
}

/* ---- info ---- */

/* struct info - the answer, and whether there was one */
struct info {
	struct ctl_info *ret;
	bool came;
};

static int take_info(void *ctx, const struct nlattr *const *attrs)
{
	struct ctl_info *info = ((struct info *)ctx)->ret;
	uint32_t arch = 0, clock = 0, addresses = 0;
	const char *version = "";

	if (!attrs[KTAP_A_ABI] || genl_get_u32(attrs[KTAP_A_ABI], &info->abi))
		return -EBADMSG;
	((struct info *)ctx)->came = true;
	/* with another ABI the rest may mean anything */
	if (info->abi != KTAP_ABI)
		return 0;
	if (genl_get_str(attrs[KTAP_A_MODULE_VERSION], &version) ||
	    genl_get_u32(attrs[KTAP_A_ARCH], &arch) ||
	    genl_get_u64(attrs[KTAP_A_FEATURES], &info->features) ||
	    genl_get_u32(attrs[KTAP_A_CLOCK], &clock) ||
	    genl_get_u32(attrs[KTAP_A_ADDRESSES], &addresses))
		return -EBADMSG;
	info->arch = arch;
	info->clock = clock;
	info->addresses = addresses;
	memcpy(info->version, version,
	       strnlen(version, sizeof(info->version) - 1));
	genl_get_struct(attrs[KTAP_A_LIMITS], &info->limits,
			sizeof(info->limits));
	info->has_offsets = attrs[KTAP_A_OFFSETS];
	if (info->has_offsets)
		genl_get_struct(attrs[KTAP_A_OFFSETS], &info->offsets,
				sizeof(info->offsets));
	if (attrs[KTAP_A_SYMBOLS] &&
	    genl_get_u64(attrs[KTAP_A_SYMBOLS], &info->symbols))
		return -EBADMSG;
	if (attrs[KTAP_A_ANCHOR])
		return genl_get_u64(attrs[KTAP_A_ANCHOR], &info->anchor);
	return 0;
}

int ctl_info(struct ctl *ctl, struct diag *d, struct ctl_info *ret)
{
	struct info info = { .ret = ret };
	int err;

	*ret = (struct ctl_info){};
	genl_begin(&ctl->genl, KTAP_CMD_INFO_GET);
	err = call(ctl, take_info, &info, d);
	if (!err && !info.came)
		err = diag_set(d, -EBADMSG, DIAG_CTL_BAD_ANSWER);
	if (!err)
		ctl->cost_max = ret->limits.hit_cost_max;
	return err;
}

static int take_unwinder(void *ctx, const struct nlattr *const *attrs)
{
	uint32_t *ret = ctx;

	return attrs[KTAP_A_UNWINDER] ? genl_get_u32(attrs[KTAP_A_UNWINDER], ret) : 0;
}

int ctl_unwinder(struct ctl *ctl, struct diag *d, uint32_t *ret)
{
	*ret = 0;
	genl_begin(&ctl->genl, KTAP_CMD_INFO_GET);
	genl_put(&ctl->genl, KTAP_A_VERBOSE, NULL, 0);
	return call(ctl, take_unwinder, ret, d);
}

/* ---- probes ---- */

int ctl_probe_del(struct ctl *ctl, uint32_t id, struct diag *d)
{
	genl_begin(&ctl->genl, KTAP_CMD_PROBE_DEL);
	genl_put_u32(&ctl->genl, KTAP_A_ID, id);
	return call(ctl, NULL, NULL, d);
}

int ctl_probes_del(struct ctl *ctl, const uint32_t *ids, size_t nr,
		   struct diag *d)
{
	genl_begin(&ctl->genl, KTAP_CMD_PROBE_DEL);
	genl_put(&ctl->genl, KTAP_A_IDS, ids, nr * sizeof(*ids));
	return call(ctl, NULL, NULL, d);
}

int ctl_probes_enable(struct ctl *ctl, const uint32_t *ids, size_t nr, bool on,
		      struct diag *d)
{
	genl_begin(&ctl->genl, KTAP_CMD_PROBE_SET);
	genl_put(&ctl->genl, KTAP_A_IDS, ids, nr * sizeof(*ids));
	genl_put_u8(&ctl->genl, KTAP_A_ENABLED, on);
	return call(ctl, NULL, NULL, d);
}

int ctl_take_id(void *ctx, const struct nlattr *const *attrs)
{
	return genl_get_u32(attrs[KTAP_A_ID], ctx);
}

/* What only some types of probes have. */
static void put_special(struct genl *g, const struct ctl_probe_new *req)
{
	if (req->path) {
		genl_put_u32(g, KTAP_A_FD, req->fd);
		genl_put_str(g, KTAP_A_PATH, req->path);
	}
	if (req->ref_offset)
		genl_put_u64(g, KTAP_A_REF_OFFSET, req->ref_offset);
	if (req->nr_entry_insns)
		genl_put(g, KTAP_A_ENTRY_PROG, req->entry_insns,
			 req->nr_entry_insns * sizeof(*req->entry_insns));
	if (req->maxactive)
		genl_put_u32(g, KTAP_A_MAXACTIVE, req->maxactive);
	if (req->length)
		genl_put_u32(g, KTAP_A_LENGTH, req->length);
	if (req->access)
		genl_put_u32(g, KTAP_A_ACCESS, req->access);
	if (req->period)
		genl_put_u64(g, KTAP_A_PERIOD, req->period);
	if (req->each_cpu)
		genl_put(g, KTAP_A_EACH_CPU, NULL, 0);
	if (req->hook)
		genl_put_str(g, KTAP_A_HOOK, req->hook);
	if (req->type == KTAP_TYPE_SYSCALL || req->type == KTAP_TYPE_SYSRET)
		genl_put_u32(g, KTAP_A_SYSCALL, req->syscall);
}

size_t ctl_blob_inline(const struct ctl_probe_new *req)
{
	size_t insns = (req->nr_insns + req->nr_entry_insns) *
		       sizeof(*req->insns);
	size_t chunk = req->blob_size < KTAP_BLOB_CHUNK ? req->blob_size :
							  KTAP_BLOB_CHUNK;

	return insns + chunk <= INLINE_MAX ? chunk : 0;
}

void ctl_put_new(struct genl *g, const struct ctl_probe_new *req)
{
	size_t chunk = ctl_blob_inline(req);

	genl_begin(g, KTAP_CMD_PROBE_NEW);
	genl_put_str(g, KTAP_A_NAME, req->name);
	genl_put_u32(g, KTAP_A_TYPE, req->type);
	if (req->flags)
		genl_put_u32(g, KTAP_A_FLAGS, req->flags);
	if (req->address)
		genl_put_u64(g, KTAP_A_ADDR, req->address);
	if (req->symbol)
		genl_put_str(g, KTAP_A_SYMBOL, req->symbol);
	if (req->symbol || req->path)
		genl_put_u64(g, KTAP_A_OFFSET, req->offset);
	put_special(g, req);
	if (req->nr_frame_regs)
		genl_put(g, KTAP_A_FRAME_REGS, req->frame_regs,
			 req->nr_frame_regs);
	if (req->nr_frame_regs && req->frame_address)
		genl_put_u64(g, KTAP_A_FRAME_ADDR, req->frame_address);
	if (req->nr_frame_regs && req->has_frame_offset)
		genl_put_u64(g, KTAP_A_FRAME_OFFSET, req->frame_offset);
	genl_put(g, KTAP_A_PROG, req->insns,
		 req->nr_insns * sizeof(*req->insns));
	if (req->blob_size)
		genl_put_u32(g, KTAP_A_BLOB_SIZE, req->blob_size);
	if (chunk)
		genl_put(g, KTAP_A_BLOB_DATA, req->blob, chunk);
}

static int define(struct ctl *ctl, const struct ctl_probe_new *req,
		  struct diag *d, uint32_t *ret_id)
{
	uint32_t id = 0;
	int err;

	ctl_put_new(&ctl->genl, req);
	err = call(ctl, ctl_take_id, &id, d);
	if (!err && !id)
		err = diag_set(d, -EBADMSG, DIAG_CTL_BAD_ANSWER);
	*ret_id = id;
	return err;
}

int ctl_upload(struct ctl *ctl, uint32_t id, const struct ctl_probe_new *req,
	       struct diag *d)
{
	size_t at = ctl_blob_inline(req), size = req->blob_size, chunk;
	struct genl *g = &ctl->genl;
	unsigned int attr;
	uint64_t number;
	int err = 0;

	for (; at < size && !err; at += chunk) {
		chunk = size - at < KTAP_BLOB_CHUNK ? size - at : KTAP_BLOB_CHUNK;
		genl_begin(g, KTAP_CMD_BLOB_PUT);
		genl_put_u32(g, KTAP_A_ID, id);
		genl_put_u32(g, KTAP_A_BLOB_OFFSET, at);
		genl_put(g, KTAP_A_BLOB_DATA, (const char *)req->blob + at,
			 chunk);
		err = call(ctl, NULL, NULL, d);
	}
	if (err) {
		attr = ctl->attr;
		number = g->cookie;
		ctl_probe_del(ctl, id, NULL);
		ctl->attr = attr;
		g->cookie = number;
	}
	return err;
}

int ctl_probe_new(struct ctl *ctl, const struct ctl_probe_new *req,
		  struct diag *d, uint32_t *ret_id)
{
	uint32_t id;
	int err;

	err = define(ctl, req, d, &id);
	if (!err)
		err = ctl_upload(ctl, id, req, d);
	if (!err)
		*ret_id = id;
	return err;
}

/* ---- blobs ---- */

/* struct chunk - a part of a blob that is being read */
struct chunk {
	struct buf *blob;
	size_t size;
};

static int take_chunk(void *ctx, const struct nlattr *const *attrs)
{
	const struct nlattr *data = attrs[KTAP_A_BLOB_DATA];
	struct chunk *c = ctx;

	if (!data)
		return 0;
	c->size = mnl_attr_get_payload_len(data);
	buf_put(c->blob, mnl_attr_get_payload(data), c->size);
	return c->blob->failed ? -ENOMEM : 0;
}

int ctl_blob_get(struct ctl *ctl, uint32_t id, struct diag *d, void **ret,
		 size_t *ret_size)
{
	_cleanup_buf_ struct buf blob = BUF_INIT;
	struct chunk c = { .blob = &blob };
	size_t size;
	int err;

	do {
		c.size = 0;
		genl_begin(&ctl->genl, KTAP_CMD_BLOB_GET);
		genl_put_u32(&ctl->genl, KTAP_A_ID, id);
		genl_put_u32(&ctl->genl, KTAP_A_BLOB_OFFSET, blob.size);
		err = call(ctl, take_chunk, &c, d);
		if (err)
			return err;
	} while (c.size);
	size = blob.size;
	*ret = buf_take(&blob);
	if (!*ret)
		return diag_no_memory(d);
	*ret_size = size;
	return 0;
}
