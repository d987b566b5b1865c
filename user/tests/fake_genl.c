// SPDX-License-Identifier: GPL-2.0
/* The kernel behind libmnl's sockets: see fake_genl.h. */
#include "fake_genl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fake_genl fake;

struct mnl_socket {
	int unused;
};

static struct mnl_socket the_socket;

void fake_reset(void (*handle)(uint8_t cmd, const struct nlattr *const *attrs))
{
	memset(&fake, 0, sizeof(fake));
	fake.loaded = true;
	fake.handle = handle;
}

/* ---- answers ---- */

static const struct nlmsghdr *request(void)
{
	return (const struct nlmsghdr *)fake.request;
}

struct nlmsghdr *fake_message(uint16_t type, uint16_t flags, uint32_t seq,
			      size_t extra)
{
	struct fake_datagram *dg = &fake.queue[fake.tail];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(dg->bytes + dg->size);

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = flags;
	nlh->nlmsg_seq = seq;
	if (extra)
		mnl_nlmsg_put_extra_header(nlh, extra);
	return nlh;
}

struct nlmsghdr *fake_answer(uint16_t flags)
{
	return fake_message(request()->nlmsg_type, flags, request()->nlmsg_seq,
			    sizeof(struct genlmsghdr));
}

void fake_end(const struct nlmsghdr *nlh)
{
	struct fake_datagram *dg = &fake.queue[fake.tail];

	dg->size += NLMSG_ALIGN(nlh->nlmsg_len);
	if (dg->size > sizeof(dg->bytes))
		abort();
}

void fake_next_datagram(void)
{
	if (fake.queue[fake.tail].size || fake.queue[fake.tail].error)
		fake.tail++;
	if (fake.tail == 64)
		abort();
}

void fake_ack(void)
{
	struct nlmsghdr *nlh = fake_message(NLMSG_ERROR, NLM_F_CAPPED,
					    request()->nlmsg_seq,
					    sizeof(struct nlmsgerr));

	fake_end(nlh);
	fake_next_datagram();
}

void fake_done(int error, const char *text)
{
	struct nlmsghdr *nlh = fake_message(NLMSG_DONE, NLM_F_MULTI,
					    request()->nlmsg_seq, sizeof(error));

	memcpy(mnl_nlmsg_get_payload(nlh), &error, sizeof(error));
	if (text) {
		nlh->nlmsg_flags |= NLM_F_ACK_TLVS;
		mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, text);
	}
	fake_end(nlh);
	fake_next_datagram();
}

/* Offset of an attribute in the request, as the kernel counts it. */
static uint32_t offset_of(unsigned int type)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, request(), sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == type)
			return (const char *)attr - fake.request;
	abort();
}

void fake_refuse(int error, const char *text, unsigned int attr,
		 unsigned int missing, bool capped)
{
	size_t body = request()->nlmsg_len - sizeof(struct nlmsghdr);
	struct nlmsghdr *nlh;
	struct nlmsgerr *e;

	nlh = fake_message(NLMSG_ERROR, capped ? NLM_F_CAPPED : 0,
			   request()->nlmsg_seq,
			   sizeof(*e) + (capped ? 0 : body));
	e = mnl_nlmsg_get_payload(nlh);
	e->error = error;
	memcpy(&e->msg, fake.request, sizeof(e->msg) + (capped ? 0 : body));
	if (text || attr || missing)
		nlh->nlmsg_flags |= NLM_F_ACK_TLVS;
	if (text)
		mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, text);
	if (attr)
		mnl_attr_put_u32(nlh, NLMSGERR_ATTR_OFFS, offset_of(attr));
	if (missing)
		mnl_attr_put_u32(nlh, NLMSGERR_ATTR_MISS_TYPE, missing);
	fake_end(nlh);
	fake_next_datagram();
}

void fake_cookie(uint64_t number)
{
	struct fake_datagram *dg = &fake.queue[fake.tail - 1];
	struct nlmsghdr *nlh = (struct nlmsghdr *)dg->bytes;

	mnl_attr_put(nlh, NLMSGERR_ATTR_COOKIE, sizeof(number), &number);
	dg->size = NLMSG_ALIGN(nlh->nlmsg_len);
}

void fake_receive_error(int error)
{
	fake_next_datagram();
	fake.queue[fake.tail].error = error;
	fake_next_datagram();
}

/* ---- what libmnl would do ---- */

struct mnl_socket *mnl_socket_open2(int bus, int flags)
{
	if (bus != NETLINK_GENERIC)
		abort();
	if (fake.open_errno) {
		errno = fake.open_errno;
		return NULL;
	}
	fake.open++;
	return &the_socket;
}

int mnl_socket_bind(struct mnl_socket *nl, unsigned int groups, pid_t pid)
{
	errno = fake.bind_errno;
	return fake.bind_errno ? -1 : 0;
}

int mnl_socket_close(struct mnl_socket *nl)
{
	fake.open--;
	return 0;
}

int mnl_socket_setsockopt(const struct mnl_socket *nl, int type, void *buf,
			  socklen_t len)
{
	fake.options |= 1U << type;
	return 0;
}

static void answer_nlctrl(void)
{
	struct nlmsghdr *nlh;

	if (!fake.loaded) {
		fake_refuse(-ENOENT, NULL, 0, 0, true);
		return;
	}
	nlh = fake_answer(0);
	mnl_attr_put_u16(nlh, CTRL_ATTR_FAMILY_ID, FAKE_FAMILY);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, KTAP_GENL_NAME);
	fake_end(nlh);
	fake_ack();
}

/* The request at hand. */
static void carry_out(void)
{
	const struct nlattr *attrs[KTAP_A_MAX + 1] = {};
	const struct genlmsghdr *genl;
	const struct nlattr *attr;

	if (request()->nlmsg_type == GENL_ID_CTRL) {
		answer_nlctrl();
		return;
	}
	if (request()->nlmsg_type != FAKE_FAMILY)
		abort();
	mnl_attr_for_each(attr, request(), sizeof(*genl))
		attrs[mnl_attr_get_type(attr)] = attr;
	genl = mnl_nlmsg_get_payload(request());
	if (genl->version != KTAP_GENL_VERSION || fake.nr_cmds == 64)
		abort();
	fake.cmds[fake.nr_cmds++] = genl->cmd;
	fake.handle(genl->cmd, attrs);
	fake_next_datagram();
}

/* As the kernel does, one request of the message after the other. */
ssize_t mnl_socket_sendto(const struct mnl_socket *nl, const void *buf,
			  size_t size)
{
	const struct nlmsghdr *nlh = buf;
	int left = size;

	if (fake.send_errno) {
		errno = fake.send_errno;
		return -1;
	}
	fake.nr_sends++;
	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		memcpy(fake.request, nlh, nlh->nlmsg_len);
		carry_out();
	}
	return size;
}

/* A test that waits for more than was queued would hang: it aborts. */
ssize_t mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t size)
{
	struct fake_datagram *dg = &fake.queue[fake.head];

	if (fake.head >= fake.tail || dg->size > size)
		abort();
	fake.head++;
	if (dg->error) {
		errno = dg->error;
		return -1;
	}
	memcpy(buf, dg->bytes, dg->size);
	return dg->size;
}
