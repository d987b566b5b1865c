// SPDX-License-Identifier: GPL-2.0
/* Messages to the module, by hand. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

#include "uraw.h"

static int sock = -1;
static uint16_t family;
static _Alignas(8) char out[65536], in[65536];
static char text[256];
static const struct nlattr *tb[KTAP_A_MAX + 1];

/* ---- messages ---------------------------------------------------------------- */

static struct nlmsghdr *begin(uint16_t type, uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *nlh = (void *)out;
	struct genlmsghdr *genl = NLMSG_DATA(nlh);

	memset(out, 0, NLMSG_HDRLEN + GENL_HDRLEN);
	nlh->nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN;
	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	genl->cmd = cmd;
	genl->version = 1;
	return nlh;
}

static void put(struct nlmsghdr *nlh, int type, const void *data, size_t len)
{
	struct nlattr *a = (void *)(out + nlh->nlmsg_len);

	*a = (struct nlattr){ .nla_len = NLA_HDRLEN + len, .nla_type = type };
	memset(a + 1, 0, NLA_ALIGN(len));
	memcpy(a + 1, data, len);
	nlh->nlmsg_len += NLA_ALIGN(a->nla_len);
}

static void put_u32(struct nlmsghdr *nlh, int type, uint32_t v)
{
	put(nlh, type, &v, sizeof(v));
}

static void put_u64(struct nlmsghdr *nlh, int type, uint64_t v)
{
	put(nlh, type, &v, sizeof(v));
}

static void parse(const void *from, const void *end, int max,
		  const struct nlattr **ret)
{
	const struct nlattr *a = from;

	memset(ret, 0, (max + 1) * sizeof(*ret));
	while ((const char *)a + NLA_HDRLEN <= (const char *)end &&
	       a->nla_len >= NLA_HDRLEN) {
		int type = a->nla_type & NLA_TYPE_MASK;

		if (type <= max)
			ret[type] = a;
		a = (const void *)((const char *)a + NLA_ALIGN(a->nla_len));
	}
}

static const void *data(const struct nlattr *a)
{
	return (const char *)a + NLA_HDRLEN;
}

static void copy_text(char *to, size_t size, const char *from)
{
	size_t len = strnlen(from, size - 1);

	memcpy(to, from, len);
	to[len] = 0;
}

static int take_error(const struct nlmsghdr *nlh)
{
	const struct nlattr *ext[NLMSGERR_ATTR_MAX + 1];
	const struct nlmsgerr *e = NLMSG_DATA(nlh);

	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS) {
		parse(e + 1, (const char *)nlh + nlh->nlmsg_len,
		      NLMSGERR_ATTR_MAX, ext);
		if (ext[NLMSGERR_ATTR_MSG])
			copy_text(text, sizeof(text),
				  data(ext[NLMSGERR_ATTR_MSG]));
	}
	return e->error;
}

/* The first reply's attributes go to @into; further ones are passed over. */
static int exchange(struct nlmsghdr *nlh, const struct nlattr **into, int max)
{
	static _Alignas(8) char reply[16384];
	bool have = false;
	ssize_t left;

	text[0] = 0;
	memset(into, 0, (max + 1) * sizeof(*into));
	if (send(sock, nlh, nlh->nlmsg_len, 0) < 0)
		return -errno;
	for (;;) {
		left = recv(sock, in, sizeof(in), 0);
		if (left < 0)
			die("recv");
		for (nlh = (void *)in; NLMSG_OK(nlh, left);
		     nlh = NLMSG_NEXT(nlh, left)) {
			if (nlh->nlmsg_type == NLMSG_ERROR)
				return take_error(nlh);
			if (nlh->nlmsg_type == NLMSG_DONE)
				return 0;
			if (have)
				continue;
			have = true;
			memcpy(reply, nlh, nlh->nlmsg_len);
			parse(reply + NLMSG_HDRLEN + GENL_HDRLEN,
			      reply + nlh->nlmsg_len, max, into);
		}
	}
}

static void connect_family(void)
{
	const struct nlattr *ctrl[CTRL_ATTR_MAX + 1];
	struct nlmsghdr *nlh;
	int one = 1;

	if (sock >= 0)
		return;
	sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (sock < 0)
		die("socket");
	setsockopt(sock, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	setsockopt(sock, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	nlh = begin(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	put(nlh, CTRL_ATTR_FAMILY_NAME, KTAP_GENL_NAME, sizeof(KTAP_GENL_NAME));
	if (exchange(nlh, ctrl, CTRL_ATTR_MAX) || !ctrl[CTRL_ATTR_FAMILY_ID])
		die("family ktap: is the module loaded?");
	family = *(const uint16_t *)data(ctrl[CTRL_ATTR_FAMILY_ID]);
}

const char *why(void)
{
	return text;
}

/* ---- this program as a file ---------------------------------------------------- */

static int self_fd(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("/proc/self/exe");
	return fd;
}

uint64_t file_offset(const void *at)
{
	const Elf64_Phdr *ph = (const void *)getauxval(AT_PHDR);
	unsigned long n = getauxval(AT_PHNUM);
	uint64_t addr = (uintptr_t)at;

	for (; n; n--, ph++)
		if (ph->p_type == PT_LOAD && addr - ph->p_vaddr < ph->p_filesz)
			return addr - ph->p_vaddr + ph->p_offset;
	die("an address in no segment of the file");
}

bool has_breakpoint(const void *at)
{
	uint32_t there;

	if (pread(self_fd(), &there, sizeof(there), file_offset(at)) !=
	    sizeof(there))
		die("reading the program");
	return memcmp(&there, at, sizeof(there));
}

/* ---- probes -------------------------------------------------------------------- */

static void put_frame(struct nlmsghdr *nlh, const struct want *w)
{
	if (!w->frame)
		return;
	put(nlh, KTAP_A_FRAME_REGS, w->frame, w->nr_frame);
	put_u64(nlh, KTAP_A_FRAME_OFFSET,
		w->entry_at ? file_offset(w->entry_at) : 0);
}

static void put_place(struct nlmsghdr *nlh, const struct want *w)
{
	if (w->symbol) {
		put(nlh, KTAP_A_SYMBOL, w->symbol, strlen(w->symbol) + 1);
		put_u64(nlh, KTAP_A_OFFSET, w->offset);
		return;
	}
	if (w->fd != NO_FD)
		put_u32(nlh, KTAP_A_FD, w->fd ? w->fd : self_fd());
	if (!w->no_offset)
		put_u64(nlh, KTAP_A_OFFSET,
			w->at ? file_offset(w->at) : w->offset);
	if (w->ref || w->ref_offset)
		put_u64(nlh, KTAP_A_REF_OFFSET,
			w->ref ? file_offset(w->ref) : w->ref_offset);
	if (w->path)
		put(nlh, KTAP_A_PATH, w->path, strlen(w->path) + 1);
}

int probe(const struct want *w)
{
	struct nlmsghdr *nlh;
	int err;

	connect_family();
	nlh = begin(family, KTAP_CMD_PROBE_NEW, 0);
	put(nlh, KTAP_A_NAME, "uraw", 5);
	put_u32(nlh, KTAP_A_FLAGS, w->stays ? 0 : KTAP_PROBE_F_TRANSIENT);
	put_u32(nlh, KTAP_A_TYPE, w->type ? w->type : KTAP_TYPE_UPROBE);
	put(nlh, KTAP_A_PROG, w->prog, w->nr * sizeof(*w->prog));
	if (w->entry)
		put(nlh, KTAP_A_ENTRY_PROG, w->entry,
		    w->nr_entry * sizeof(*w->entry));
	if (w->maxactive)
		put_u32(nlh, KTAP_A_MAXACTIVE, w->maxactive);
	put_place(nlh, w);
	put_frame(nlh, w);
	err = exchange(nlh, tb, KTAP_A_MAX);
	return err ? err : *(const int *)data(tb[KTAP_A_ID]);
}

static int on_probe(uint32_t id, uint8_t cmd, const bool *on)
{
	struct nlmsghdr *nlh = begin(family, cmd, 0);
	uint8_t state = on && *on;

	put_u32(nlh, KTAP_A_ID, id);
	if (on)
		put(nlh, KTAP_A_ENABLED, &state, 1);
	return exchange(nlh, tb, KTAP_A_MAX);
}

void probe_del(uint32_t id)
{
	if (on_probe(id, KTAP_CMD_PROBE_DEL, NULL))
		die("PROBE_DEL");
}

int probe_enable(uint32_t id, bool on)
{
	return on_probe(id, KTAP_CMD_PROBE_SET, &on);
}

static uint64_t u64_of(int type)
{
	uint64_t v = 0;

	if (tb[type])
		memcpy(&v, data(tb[type]), sizeof(v));
	return v;
}

static void text_of(int type, char *to, size_t size)
{
	copy_text(to, size, tb[type] ? data(tb[type]) : "");
}

uint64_t features(void)
{
	connect_family();
	if (exchange(begin(family, KTAP_CMD_INFO_GET, 0), tb, KTAP_A_MAX))
		die("INFO_GET");
	return u64_of(KTAP_A_FEATURES);
}

void probe_show(uint32_t id, struct shown *ret)
{
	if (on_probe(id, KTAP_CMD_PROBE_GET, NULL))
		die("PROBE_GET");
	ret->offset = u64_of(KTAP_A_OFFSET);
	ret->ref = u64_of(KTAP_A_REF_OFFSET);
	text_of(KTAP_A_PATH, ret->path, sizeof(ret->path));
	text_of(KTAP_A_HOOK, ret->hook, sizeof(ret->hook));
	text_of(KTAP_A_FRAME_HOOK, ret->frame_hook, sizeof(ret->frame_hook));
	ret->waiting = tb[KTAP_A_WAITING];
}

static void get_stats(uint32_t id)
{
	struct nlmsghdr *nlh = begin(family, KTAP_CMD_STATS_GET, NLM_F_DUMP);

	put_u32(nlh, KTAP_A_ID, id);
	if (exchange(nlh, tb, KTAP_A_MAX) || !tb[KTAP_A_COUNTS])
		die("STATS_GET");
}

struct ktap_frames frames_of(uint32_t id)
{
	struct ktap_frames frames;

	get_stats(id);
	if (!tb[KTAP_A_FRAMES])
		die("no frames");
	memcpy(&frames, data(tb[KTAP_A_FRAMES]), sizeof(frames));
	return frames;
}

void probe_stats(uint32_t id, struct ktap_counts *counts,
		 struct ktap_returns *returns)
{
	get_stats(id);
	memcpy(counts, data(tb[KTAP_A_COUNTS]), sizeof(*counts));
	if (!returns)
		return;
	if (!tb[KTAP_A_RETURNS])
		die("no returns");
	memcpy(returns, data(tb[KTAP_A_RETURNS]), sizeof(*returns));
}
