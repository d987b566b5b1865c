// SPDX-License-Identifier: GPL-2.0
/* Generic netlink: see genl.h. libmnl knows no extack; that is read here. */
#include "wire/genl.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#define DUMP_TRIES 10

/* ---- the socket ---- */

int genl_init(struct genl *g)
{
	int on = 1, err;

	g->family = GENL_ID_CTRL;
	g->version = 1;
	g->nl = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!g->nl)
		return -errno;
	if (mnl_socket_bind(g->nl, 0, MNL_SOCKET_AUTOPID) < 0) {
		err = -errno;
		genl_deinit(g);
		return err;
	}
	/* A kernel that has neither refuses without a text. */
	mnl_socket_setsockopt(g->nl, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(g->nl, NETLINK_CAP_ACK, &on, sizeof(on));
	return 0;
}

void genl_deinit(struct genl *g)
{
	if (g->nl)
		mnl_socket_close(g->nl);
	g->nl = NULL;
}

static int take_family(void *ctx, const struct nlattr *const *attrs)
{
	const struct nlattr *id = attrs[CTRL_ATTR_FAMILY_ID];
	struct genl *g = ctx;

	if (!id || mnl_attr_validate(id, MNL_TYPE_U16) < 0)
		return -EBADMSG;
	g->family = mnl_attr_get_u16(id);
	return 0;
}

int genl_resolve(struct genl *g, const char *name, uint8_t version)
{
	int err;

	genl_begin(g, CTRL_CMD_GETFAMILY);
	genl_put_str(g, CTRL_ATTR_FAMILY_NAME, name);
	err = genl_call(g, take_family, g);
	if (!err && g->family == GENL_ID_CTRL)
		err = -EBADMSG;
	g->version = version;
	return err;
}

/* ---- requests ---- */

void genl_begin(struct genl *g, uint8_t cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(g->request);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = g->family;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = g->version;
	g->overflow = false;
}

void genl_put(struct genl *g, uint16_t type, const void *data, size_t size)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)g->request;

	if (size > UINT16_MAX - MNL_ATTR_HDRLEN ||
	    !mnl_attr_put_check(nlh, sizeof(g->request), type, size, data))
		g->overflow = true;
}

void genl_put_str(struct genl *g, uint16_t type, const char *s)
{
	genl_put(g, type, s, strlen(s) + 1);
}

void genl_put_u8(struct genl *g, uint16_t type, uint8_t value)
{
	genl_put(g, type, &value, sizeof(value));
}

void genl_put_u32(struct genl *g, uint16_t type, uint32_t value)
{
	genl_put(g, type, &value, sizeof(value));
}

void genl_put_u64(struct genl *g, uint16_t type, uint64_t value)
{
	genl_put(g, type, &value, sizeof(value));
}

/* ---- refusals ---- */

/* The attribute of our request that holds the byte at @offset; 0: none. */
static unsigned int attr_at(const struct genl *g, uint32_t offset)
{
	const struct nlattr *attr;
	uint32_t start;

	mnl_attr_for_each(attr, g->sent, sizeof(struct genlmsghdr)) {
		start = (const char *)attr - (const char *)g->sent;
		if (offset >= start &&
		    offset < start + MNL_ALIGN(mnl_attr_get_len(attr)))
			return mnl_attr_get_type(attr);
	}
	return 0;
}

static void take_text(struct genl *g, const struct nlattr *attr)
{
	size_t size = strnlen(mnl_attr_get_payload(attr),
			      mnl_attr_get_payload_len(attr));

	if (size >= sizeof(g->text))
		size = sizeof(g->text) - 1;
	memcpy(g->text, mnl_attr_get_payload(attr), size);
	g->text[size] = '\0';
}

/* extack: attributes behind what an error or the end of a dump starts with */
static void take_extack(struct genl *g, const struct nlmsghdr *nlh, size_t at)
{
	const struct nlattr *attr;
	uint32_t value;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) ||
	    at > mnl_nlmsg_get_payload_len(nlh))
		return;
	mnl_attr_for_each(attr, nlh, at) {
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			take_text(g, attr);
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_COOKIE &&
		    mnl_attr_get_payload_len(attr) == sizeof(g->cookie))
			g->cookie = mnl_attr_get_u64(attr);
		if (mnl_attr_get_payload_len(attr) != sizeof(value))
			continue;
		value = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_OFFS)
			g->attr = attr_at(g, value);
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MISS_TYPE)
			g->attr = value;
	}
}

void genl_forget(struct genl *g)
{
	g->refused = false;
	g->attr = 0;
	g->text[0] = '\0';
	g->cookie = 0;
}

int genl_error(struct genl *g, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);
	size_t size = sizeof(*e);

	genl_forget(g);
	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*e))
		return -EBADMSG;
	if (e->error >= 0)
		return 0;
	/* without CAP_ACK, the payload of our request comes back first */
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		size += MNL_ALIGN(e->msg.nlmsg_len) - sizeof(e->msg);
	g->refused = true;
	take_extack(g, nlh, size);
	return e->error;
}

static int take_done(struct genl *g, const struct nlmsghdr *nlh)
{
	int error;

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(error))
		return 0;
	memcpy(&error, mnl_nlmsg_get_payload(nlh), sizeof(error));
	if (error >= 0)
		return 0;
	g->refused = true;
	take_extack(g, nlh, sizeof(error));
	return error;
}

/* ---- answers ---- */

/**
 * struct exchange - what came to one request
 * @g: socket
 * @fn: takes answers
 * @ctx: for @fn
 * @ended: the last message came
 * @torn: the list changed while it was read
 * @err: the first thing that went wrong
 */
struct exchange {
	struct genl *g;
	genl_answer_fn fn;
	void *ctx;
	bool ended;
	bool torn;
	int err;
};

int genl_attrs(const struct nlmsghdr *nlh, const struct nlattr **attrs)
{
	const struct nlattr *attr;

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(struct genlmsghdr))
		return -EBADMSG;
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) < GENL_ATTRS)
			attrs[mnl_attr_get_type(attr)] = attr;
	return 0;
}

static int take_answer(struct exchange *x, const struct nlmsghdr *nlh)
{
	const struct nlattr *attrs[GENL_ATTRS] = {};
	int err = genl_attrs(nlh, attrs);

	return err || !x->fn ? err : x->fn(x->ctx, attrs);
}

static void take_message(struct exchange *x, const struct nlmsghdr *nlh)
{
	int err = 0;

	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		x->torn = true;
	switch (nlh->nlmsg_type) {
	case NLMSG_ERROR:
		err = genl_error(x->g, nlh);
		x->ended = true;
		break;
	case NLMSG_DONE:
		err = take_done(x->g, nlh);
		x->ended = true;
		break;
	default:
		/* what follows is read all the same: it belongs to us */
		if (nlh->nlmsg_type >= NLMSG_MIN_TYPE && !x->err)
			err = take_answer(x, nlh);
	}
	if (!x->err)
		x->err = err;
}

/* libmnl takes a length of more than 31 bits for a small one. */
bool genl_message_ok(const struct nlmsghdr *nlh, int left)
{
	return mnl_nlmsg_ok(nlh, left) && nlh->nlmsg_len <= INT32_MAX;
}

static int receive(struct exchange *x)
{
	struct genl *g = x->g;
	const struct nlmsghdr *nlh;
	ssize_t got;
	int left;

	got = mnl_socket_recvfrom(g->nl, g->answer, sizeof(g->answer));
	if (got < 0)
		return errno == EINTR ? 0 : -errno;
	left = got;
	nlh = (const struct nlmsghdr *)g->answer;
	if (!genl_message_ok(nlh, left))
		return -EBADMSG;
	/* What came too late for an earlier request is not for this one. */
	for (; genl_message_ok(nlh, left) && !x->ended;
	     nlh = mnl_nlmsg_next(nlh, &left))
		if (nlh->nlmsg_seq == g->seq)
			take_message(x, nlh);
	return 0;
}

static int exchange(struct exchange *x, uint16_t flags)
{
	struct genl *g = x->g;
	struct nlmsghdr *nlh = (struct nlmsghdr *)g->request;
	int err = 0;

	genl_forget(g);
	if (g->overflow)
		return -EMSGSIZE;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = ++g->seq;
	g->sent = nlh;
	if (mnl_socket_sendto(g->nl, nlh, nlh->nlmsg_len) < 0)
		return -errno;
	while (!x->ended && !err)
		err = receive(x);
	return err ? err : x->err;
}

int genl_call(struct genl *g, genl_answer_fn fn, void *ctx)
{
	struct exchange x = { .g = g, .fn = fn, .ctx = ctx };

	return exchange(&x, NLM_F_ACK);
}

int genl_dump(struct genl *g, genl_answer_fn fn, void (*reset)(void *ctx),
	      void *ctx)
{
	int i, err;

	for (i = 0; i < DUMP_TRIES; i++) {
		struct exchange x = { .g = g, .fn = fn, .ctx = ctx };

		err = exchange(&x, NLM_F_DUMP);
		if (err || !x.torn)
			return err;
		reset(ctx);
	}
	return -EAGAIN;
}

int genl_get_u8(const struct nlattr *attr, uint8_t *ret)
{
	if (attr && mnl_attr_get_payload_len(attr) != sizeof(*ret))
		return -EBADMSG;
	if (attr)
		*ret = mnl_attr_get_u8(attr);
	return 0;
}

int genl_get_u32(const struct nlattr *attr, uint32_t *ret)
{
	if (attr && mnl_attr_get_payload_len(attr) != sizeof(*ret))
		return -EBADMSG;
	if (attr)
		*ret = mnl_attr_get_u32(attr);
	return 0;
}

int genl_get_u64(const struct nlattr *attr, uint64_t *ret)
{
	if (attr && mnl_attr_get_payload_len(attr) != sizeof(*ret))
		return -EBADMSG;
	if (attr)
		*ret = mnl_attr_get_u64(attr);
	return 0;
}

int genl_get_str(const struct nlattr *attr, const char **ret)
{
	size_t size = attr ? mnl_attr_get_payload_len(attr) : 0;
	const char *s = attr ? mnl_attr_get_payload(attr) : NULL;

	if (attr && (!size || s[size - 1]))
		return -EBADMSG;
	if (attr)
		*ret = s;
	return 0;
}

void genl_get_struct(const struct nlattr *attr, void *ret, size_t size)
{
	size_t got = attr ? mnl_attr_get_payload_len(attr) : 0;

	memset(ret, 0, size);
	if (got)
		memcpy(ret, mnl_attr_get_payload(attr), got < size ? got : size);
}
