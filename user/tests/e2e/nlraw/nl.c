// SPDX-License-Identifier: GPL-2.0
/* Messages to the module and what comes back, extack included. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "nlraw.h"

#define MESSAGE_MAX (128 << 10)

struct sock {
	struct mnl_socket *nl;
	unsigned int seq;
	uint16_t family;
	size_t size;		/* of the request */
	bool plain;		/* sent without saying to whom */
	bool quiet;		/* explanations are not printed */
	char out[MESSAGE_MAX];
	char in[MESSAGE_MAX];
	struct answer answer;
};

/* ---- asking -------------------------------------------------------------------- */

static struct nlmsghdr *begin(struct sock *s, uint16_t family, uint8_t cmd,
			      uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(s->out);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = family;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = ++s->seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = KTAP_GENL_VERSION;
	return nlh;
}

static void put_attrs(struct nlmsghdr *nlh, const struct attr *a)
{
	for (; a && a->type; a++)
		mnl_attr_put(nlh, a->type, a->len, a->data);
}

static int send_request(struct sock *s, const struct nlmsghdr *nlh)
{
	s->size = nlh->nlmsg_len;
	if (s->plain)
		return write(mnl_socket_get_fd(s->nl), nlh, s->size) < 0 ?
		       -errno : 0;
	return mnl_socket_sendto(s->nl, nlh, nlh->nlmsg_len) < 0 ? -errno : 0;
}

/* ---- answers --------------------------------------------------------------------- */

/* The type of the attribute that lies at an offset of the request. */
static int attr_at(const struct sock *s, uint32_t offset)
{
	const struct nlattr *attr = (const void *)(s->out + offset);

	if (offset + sizeof(*attr) > s->size)
		return NO_ATTR;
	return mnl_attr_get_type(attr);
}

static void take_error(struct sock *s, const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	struct answer *a = &s->answer;
	const struct nlattr *attr;

	a->error = err->error;
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	/* NETLINK_CAP_ACK: nothing of the request comes between */
	mnl_attr_for_each(attr, nlh, sizeof(*err)) {
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			snprintf(a->text, sizeof(a->text), "%s",
				 mnl_attr_get_str(attr));
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_OFFS)
			a->attr = attr_at(s, mnl_attr_get_u32(attr));
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_COOKIE)
			a->cookie = mnl_attr_get_u64(attr);
	}
	if (a->text[0] && !s->quiet)
		printf("# extack: %s\n", a->text);
}

static void parse(const struct nlmsghdr *nlh, const struct nlattr **tb)
{
	const struct nlattr *attr;

	memset(tb, 0, (KTAP_A_MAX + 1) * sizeof(*tb));
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) <= KTAP_A_MAX)
			tb[mnl_attr_get_type(attr)] = attr;
}

static void take_reply(struct answer *a, const struct nlmsghdr *nlh)
{
	if (nlh->nlmsg_len > sizeof(a->reply))
		die("a reply that is too large");
	memcpy(a->reply, nlh, nlh->nlmsg_len);
	parse((const void *)a->reply, a->tb);
}

/* Until the acknowledgement, or the end of a dump. */
static void receive(struct sock *s, dump_fn fn, void *ctx)
{
	const struct nlattr *tb[KTAP_A_MAX + 1];
	const struct nlmsghdr *nlh;
	int left;

	for (;;) {
		left = mnl_socket_recvfrom(s->nl, s->in, sizeof(s->in));
		if (left < 0) {
			s->answer.error = -errno;
			return;
		}
		for (nlh = (void *)s->in; mnl_nlmsg_ok(nlh, left);
		     nlh = mnl_nlmsg_next(nlh, &left)) {
			if (nlh->nlmsg_type == NLMSG_ERROR) {
				take_error(s, nlh);
				return;
			}
			if (nlh->nlmsg_type == NLMSG_DONE)
				return;
			take_reply(&s->answer, nlh);
			parse(nlh, tb);
			if (fn)
				fn(ctx, tb);
		}
	}
}

static struct answer *exchange(struct sock *s, const struct nlmsghdr *nlh,
			       dump_fn fn, void *ctx)
{
	s->answer.error = 0;
	s->answer.text[0] = 0;
	s->answer.attr = NO_ATTR;
	s->answer.cookie = 0;
	memset(s->answer.tb, 0, sizeof(s->answer.tb));
	s->answer.error = send_request(s, nlh);
	if (!s->answer.error)
		receive(s, fn, ctx);
	return &s->answer;
}

struct answer *request(struct sock *s, uint8_t cmd, const struct attr *attrs)
{
	struct nlmsghdr *nlh = begin(s, s->family, cmd, NLM_F_ACK);

	put_attrs(nlh, attrs);
	return exchange(s, nlh, NULL, NULL);
}

struct answer *request_raw(struct sock *s, const struct raw *raw)
{
	struct nlmsghdr *nlh = begin(s, s->family, raw->cmd,
				     NLM_F_ACK | raw->flags);
	struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	genl->reserved = raw->reserved;
	memcpy(mnl_nlmsg_get_payload_tail(nlh), raw->bytes, raw->size);
	nlh->nlmsg_len += raw->size;
	return exchange(s, nlh, NULL, NULL);
}

struct answer *request_bytes(struct sock *s, uint8_t cmd, uint16_t reserved,
			     const void *bytes, size_t size)
{
	return request_raw(s, &(struct raw){ .cmd = cmd, .reserved = reserved,
					     .bytes = bytes, .size = size });
}

int dump(struct sock *s, uint8_t cmd, const struct attr *attrs, dump_fn fn,
	 void *ctx)
{
	struct nlmsghdr *nlh = begin(s, s->family, cmd, NLM_F_ACK | NLM_F_DUMP);

	put_attrs(nlh, attrs);
	return exchange(s, nlh, fn, ctx)->error;
}

/* ---- sockets ----------------------------------------------------------------------- */

/* What the kernel says of ktap's family under @type, or NULL. */
static const struct nlattr *family_attr(struct sock *s, uint16_t type)
{
	struct nlmsghdr *nlh = begin(s, GENL_ID_CTRL, CTRL_CMD_GETFAMILY,
				     NLM_F_ACK);
	const struct nlattr *attr;
	struct answer *a;

	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, KTAP_GENL_NAME);
	a = exchange(s, nlh, NULL, NULL);
	if (a->error)
		return NULL;
	mnl_attr_for_each(attr, (const struct nlmsghdr *)a->reply,
			  sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

int sock_listen(struct sock *s)
{
	const struct nlattr *groups = family_attr(s, CTRL_ATTR_MCAST_GROUPS);
	const struct nlattr *group, *attr;
	int id;

	if (!groups)
		return -ENOENT;
	mnl_attr_for_each_nested(group, groups)
		mnl_attr_for_each_nested(attr, group) {
			if (mnl_attr_get_type(attr) != CTRL_ATTR_MCAST_GRP_ID)
				continue;
			id = mnl_attr_get_u32(attr);
			return mnl_socket_setsockopt(s->nl,
						     NETLINK_ADD_MEMBERSHIP,
						     &id, sizeof(id)) ?
				       -errno : 0;
		}
	return -ENOENT;
}

struct sock *sock_find(void)
{
	struct sock *s = calloc(1, sizeof(*s));
	const struct nlattr *family;
	int one = 1;

	if (!s)
		die("memory");
	s->nl = mnl_socket_open(NETLINK_GENERIC);
	if (!s->nl || mnl_socket_bind(s->nl, 0, MNL_SOCKET_AUTOPID) < 0)
		die("netlink socket");
	mnl_socket_setsockopt(s->nl, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(s->nl, NETLINK_CAP_ACK, &one, sizeof(one));
	family = family_attr(s, CTRL_ATTR_FAMILY_ID);
	if (!family) {
		sock_close(s);
		return NULL;
	}
	s->family = mnl_attr_get_u16(family);
	return s;
}

struct sock *sock_open(void)
{
	struct sock *s = sock_find();

	if (!s)
		die("family ktap: is the module loaded?");
	return s;
}

void sock_plain(struct sock *s)
{
	s->plain = true;
}

void sock_quiet(struct sock *s, unsigned int seconds)
{
	struct timeval limit = { .tv_sec = seconds };

	s->quiet = true;
	setsockopt(mnl_socket_get_fd(s->nl), SOL_SOCKET, SO_RCVTIMEO, &limit,
		   sizeof(limit));
}

void sock_close(struct sock *s)
{
	mnl_socket_close(s->nl);
	free(s);
}

/* ---- common requests -------------------------------------------------------------- */

uint32_t answer_u32(const struct answer *a, int type)
{
	return a->tb[type] ? mnl_attr_get_u32(a->tb[type]) : 0;
}

const struct ktap_limits *limits(struct sock *s)
{
	struct answer *a = request(s, KTAP_CMD_INFO_GET, NULL);

	if (a->error || !a->tb[KTAP_A_LIMITS])
		die("limits");
	return mnl_attr_get_payload(a->tb[KTAP_A_LIMITS]);
}

int probe_new(struct sock *s, const char *name, uint32_t flags,
	      uint32_t blob_size)
{
	struct answer *a = request(s, KTAP_CMD_PROBE_NEW,
				   ATTRS(A_BIN(KTAP_A_NAME, name,
					       strlen(name) + 1),
					 GOOD_TYPE, GOOD_PLACE, GOOD_PROG,
					 A_U32(KTAP_A_FLAGS, flags),
					 A_U32(KTAP_A_BLOB_SIZE, blob_size),
					 A_END));

	return a->error ? a->error : (int)answer_u32(a, KTAP_A_ID);
}

int probe_del(struct sock *s, uint32_t id)
{
	return request(s, KTAP_CMD_PROBE_DEL, ATTRS(A_U32(KTAP_A_ID, id), A_END))->error;
}

int probe_enable(struct sock *s, uint32_t id, bool on)
{
	return request(s, KTAP_CMD_PROBE_SET,
		       ATTRS(A_U32(KTAP_A_ID, id), A_U8(KTAP_A_ENABLED, on),
			     A_END))->error;
}

bool probe_exists(struct sock *s, uint32_t id)
{
	return !request(s, KTAP_CMD_PROBE_GET,
			ATTRS(A_U32(KTAP_A_ID, id), A_END))->error;
}

struct ids {
	uint32_t id[70000];
	unsigned int nr;
};

static void keep_id(void *ctx, const struct nlattr *const *tb)
{
	struct ids *ids = ctx;

	if (tb[KTAP_A_ID])
		ids->id[ids->nr++] = mnl_attr_get_u32(tb[KTAP_A_ID]);
}

void probe_forget(struct sock *s)
{
	static struct ids ids;
	unsigned int i;

	ids.nr = 0;
	dump(s, KTAP_CMD_PROBE_GET, NULL, keep_id, &ids);
	for (i = 0; i < ids.nr; i++)
		probe_del(s, ids.id[i]);
}
