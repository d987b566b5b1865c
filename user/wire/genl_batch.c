// SPDX-License-Identifier: GPL-2.0
/* Several requests in one send: see genl.h. */
#include <errno.h>
#include <linux/netlink.h>
#include <string.h>

#include "wire/genl.h"

void genl_batch_begin(struct genl_batch *b, struct genl *g)
{
	b->g = g;
	b->size = 0;
	b->nr = 0;
}

int genl_batch_add(struct genl_batch *b)
{
	struct genl *g = b->g;
	struct nlmsghdr *nlh = (struct nlmsghdr *)g->request;
	size_t size = MNL_ALIGN(nlh->nlmsg_len);

	if (g->overflow)
		return -EMSGSIZE;
	if (b->nr == GENL_BATCH || size > sizeof(b->bytes) - b->size)
		return -ENOSPC;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	nlh->nlmsg_seq = ++g->seq;
	memcpy(b->bytes + b->size, g->request, size);
	b->outcome[b->nr] = (struct genl_outcome){ 0 };
	b->at[b->nr++] = b->size;
	b->size += size;
	return 0;
}

static struct nlmsghdr *request_at(struct genl_batch *b, size_t index)
{
	return (struct nlmsghdr *)(b->bytes + b->at[index]);
}

/* The acknowledgement of a request, which is the last of its answers. */
static void take_end(struct genl_batch *b, size_t index,
		     const struct nlmsghdr *nlh)
{
	struct genl_outcome *o = &b->outcome[index];
	struct genl *g = b->g;
	int err;

	g->sent = request_at(b, index);
	err = genl_error(g, nlh);
	o->ended = true;
	if (!err || o->err)
		return;
	o->err = err;
	o->refused = g->refused;
	o->attr = g->attr;
	memcpy(o->text, g->text, sizeof(o->text));
	o->cookie = g->cookie;
}

/* Return: whether it was the last answer to one of the requests. */
static bool take_message(struct genl_batch *b, const struct nlmsghdr *nlh,
			 genl_batch_fn fn, void *ctx)
{
	size_t index = nlh->nlmsg_seq - request_at(b, 0)->nlmsg_seq;
	const struct nlattr *attrs[GENL_ATTRS] = {};
	struct genl_outcome *o;
	int err;

	if (index >= b->nr || b->outcome[index].ended)
		return false;
	o = &b->outcome[index];
	if (nlh->nlmsg_type == NLMSG_ERROR) {
		take_end(b, index, nlh);
	} else if (nlh->nlmsg_type >= NLMSG_MIN_TYPE) {
		err = genl_attrs(nlh, attrs);
		if (!err)
			err = fn(ctx, index, attrs);
		if (!o->err)
			o->err = err;
	}
	return o->ended;
}

/* Return: how many requests came to their end, or negative. */
static int receive(struct genl_batch *b, genl_batch_fn fn, void *ctx)
{
	struct genl *g = b->g;
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)g->answer;
	ssize_t got;
	int left, ended = 0;

	got = mnl_socket_recvfrom(g->nl, g->answer, sizeof(g->answer));
	if (got < 0)
		return errno == EINTR ? 0 : -errno;
	left = got;
	if (!genl_message_ok(nlh, left))
		return -EBADMSG;
	for (; genl_message_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		ended += take_message(b, nlh, fn, ctx);
	return ended;
}

static int send_all(struct genl_batch *b, genl_batch_fn fn, void *ctx)
{
	size_t ended = 0;
	int got;

	if (mnl_socket_sendto(b->g->nl, b->bytes, b->size) < 0)
		return -errno;
	while (ended < b->nr) {
		got = receive(b, fn, ctx);
		if (got < 0)
			return got;
		ended += got;
	}
	return 0;
}

int genl_batch_call(struct genl_batch *b, genl_batch_fn fn, void *ctx)
{
	int err = b->nr ? send_all(b, fn, ctx) : 0;

	genl_forget(b->g);
	return err;
}
