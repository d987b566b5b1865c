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
#define HEADS (NLMSG_ALIGN(NLMSG_HDRLEN + GENL_HDRLEN) + NLMSG_ALIGNTO)

struct sock {
	struct mnl_socket *nl;
	unsigned int seq;
	uint16_t family;
	size_t size;		/* of the request */
	size_t queued;		/* bytes of requests that go out together */
	unsigned int first;	/* number of the first of them */
	bool plain;		/* sent without saying to whom */
	bool quiet;		/* explanations are not printed */
	char out[MESSAGE_MAX];
	char in[MESSAGE_MAX];
	struct answer answer;
};

/* ---- asking -------------------------------------------------------------------- */

static struct nlmsghdr *begin_at(struct sock *s, size_t at, uint16_t family,
				 uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(s->out + at);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = family;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	nlh->nlmsg_seq = ++s->seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = KTAP_GENL_VERSION;
	return nlh;
}

static struct nlmsghdr *begin(struct sock *s, uint16_t family, uint8_t cmd,
			      uint16_t flags)
{
	return begin_at(s, 0, family, cmd, flags);
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

static void answer_reset(struct answer *a)
{
	a->error = 0;
	a->text[0] = 0;
	a->attr = NO_ATTR;
	a->cookie = 0;
	memset(a->tb, 0, sizeof(a->tb));
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
	answer_reset(&s->answer);
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

static struct nlmsghdr *put_raw(struct sock *s, size_t at,
				const struct raw *raw)
{
	struct nlmsghdr *nlh = begin_at(s, at, s->family, raw->cmd,
					NLM_F_ACK | raw->flags);
	struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	genl->reserved = raw->reserved;
	memcpy(mnl_nlmsg_get_payload_tail(nlh), raw->bytes, raw->size);
	nlh->nlmsg_len += raw->size;
	return nlh;
}

struct answer *request_raw(struct sock *s, const struct raw *raw)
{
	return exchange(s, put_raw(s, 0, raw), NULL, NULL);
}

/* ---- several requests at once ------------------------------------------------------- */

bool queue_raw(struct sock *s, const struct raw *raw)
{
	const struct nlmsghdr *nlh;

	if (!s->queued)
		s->first = s->seq + 1;
	else if (s->seq - s->first + 1 == QUEUE_MAX ||
		 MESSAGE_MAX - s->queued < raw->size + HEADS)
		return false;
	nlh = put_raw(s, s->queued, raw);
	s->queued += NLMSG_ALIGN(nlh->nlmsg_len);
	return true;
}

/**
 * struct flight - requests that went out together
 * @nr: how many
 * @left: of them, without an answer so far
 * @of: the one that the answer in the socket belongs to
 * @answered: each of them
 */
struct flight {
	unsigned int nr, left, of;
	bool answered[QUEUE_MAX];
};

/* Return: whether that was the last about its request. */
static bool take_part(struct sock *s, const struct nlmsghdr *nlh,
		      unsigned int *of, unsigned int nr)
{
	/* the rest of a dump comes when the others have their answers */
	if (*of != nr)
		answer_reset(&s->answer);
	*of = nr;
	if (nlh->nlmsg_type == NLMSG_ERROR)
		take_error(s, nlh);
	else if (nlh->nlmsg_type != NLMSG_DONE)
		take_reply(&s->answer, nlh);
	return nlh->nlmsg_type == NLMSG_ERROR ||
	       nlh->nlmsg_type == NLMSG_DONE;
}

static int take_parts(struct sock *s, struct flight *f, answer_fn fn, void *ctx)
{
	const struct nlmsghdr *nlh;
	unsigned int nr;
	int left;

	left = mnl_socket_recvfrom(s->nl, s->in, sizeof(s->in));
	if (left < 0)
		return -errno;
	for (nlh = (void *)s->in; mnl_nlmsg_ok(nlh, left);
	     nlh = mnl_nlmsg_next(nlh, &left)) {
		nr = nlh->nlmsg_seq - s->first;
		if (nr >= f->nr || f->answered[nr])
			die("an answer to nothing that was asked");
		if (!take_part(s, nlh, &f->of, nr))
			continue;
		f->answered[nr] = true;
		f->left--;
		fn(ctx, nr, &s->answer);
	}
	return 0;
}

static void give_up(struct sock *s, const struct flight *f, int err,
		    answer_fn fn, void *ctx)
{
	unsigned int i;

	answer_reset(&s->answer);
	s->answer.error = err;
	for (i = 0; i < f->nr; i++)
		if (!f->answered[i])
			fn(ctx, i, &s->answer);
}

void queue_send(struct sock *s, answer_fn fn, void *ctx)
{
	struct flight f = { .nr = s->seq - s->first + 1 };
	int err = 0;

	f.left = f.nr;
	f.of = f.nr;
	if (mnl_socket_sendto(s->nl, s->out, s->queued) < 0)
		err = -errno;
	s->queued = 0;
	while (!err && f.left)
		err = take_parts(s, &f, fn, ctx);
	if (err)
		give_up(s, &f, err, fn, ctx);
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

void sock_room(struct sock *s, unsigned int bytes)
{
	setsockopt(mnl_socket_get_fd(s->nl), SOL_SOCKET, SO_RCVBUFFORCE, &bytes,
		   sizeof(bytes));
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
