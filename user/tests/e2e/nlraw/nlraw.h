/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nlraw: hostile users of the module, for netlink.guest. Speaks to it in raw
 * messages and system calls, as no honest tool would, and prints what came of
 * it as the guest's TAP. Every explanation that the kernel gave is printed as
 * a comment "# extack: TEXT", so that the host sees which were never reached.
 */
#ifndef KTAP_TESTS_NLRAW_H
#define KTAP_TESTS_NLRAW_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../tell/tell.h"

/**
 * fewer() - how often something is done
 * @nr: where there is time
 *
 * Return: @nr, or a quarter of it where the environment has NLRAW_BRIEF.
 */
unsigned int fewer(unsigned int nr);

/** is_brief() - whether this is a brief try: NLRAW_BRIEF. */
bool is_brief(void);

/* ---- requests ----------------------------------------------------------------- */

/* struct attr - an attribute, as the sender pleases; type 0 ends a list */
struct attr {
	uint16_t type;
	uint16_t len;
	const void *data;
};

#define A_U8(t, v)	{ t, 1, (uint8_t[]){ v } }
#define A_U32(t, v)	{ t, 4, (uint32_t[]){ v } }
#define A_U64(t, v)	{ t, 8, (uint64_t[]){ v } }
#define A_STR(t, s)	{ t, sizeof(s), s }
#define A_BIN(t, p, n)	{ t, n, p }
#define A_END		{ 0, 0, NULL }

#define ATTRS(...)	((const struct attr[]){ __VA_ARGS__ })

#define NO_ATTR		(-1)
#define ANSWER_MAX	16384

/**
 * struct answer - what came back
 * @error: negative errno, or 0
 * @text: extack's, or ""
 * @attr: type of the attribute at fault, or NO_ATTR
 * @cookie: what else came with a refusal
 * @tb: attributes of the reply, by type; NULL where there was none
 */
struct answer {
	int error;
	char text[256];
	int attr;
	uint64_t cookie;
	const struct nlattr *tb[KTAP_A_MAX + 1];
	char reply[ANSWER_MAX];
};

struct sock;

struct sock *sock_open(void);
/* sock_find() - the same, or NULL where there is no such family. */
struct sock *sock_find(void);
void sock_close(struct sock *s);

/* sock_listen() - join the multicast group. Return: 0 or negative errno. */
int sock_listen(struct sock *s);

/* sock_plain() - from now on write to it, as to any descriptor. */
void sock_plain(struct sock *s);

/*
 * sock_quiet() - print no explanations; an answer that does not come in time is
 * -EAGAIN.
 */
void sock_quiet(struct sock *s, unsigned int seconds);

/* sock_room() - for answers that nobody has read yet. */
void sock_room(struct sock *s, unsigned int bytes);

/* request() - with acknowledgement; the answer is valid until the next. */
struct answer *request(struct sock *s, uint8_t cmd, const struct attr *attrs);

/**
 * struct raw - a message
 * @cmd: of the family
 * @flags: NLM_F_*, beside those of a request that wants an acknowledgement
 * @reserved: of the header of generic netlink
 * @bytes: whatever follows it
 * @size: of that, at most RAW_MAX
 */
struct raw {
	uint8_t cmd;
	uint16_t flags;
	uint16_t reserved;
	const void *bytes;
	size_t size;
};

#define RAW_MAX		(120 << 10)

struct answer *request_raw(struct sock *s, const struct raw *raw);

#define QUEUE_MAX	16

/*
 * queue_raw() - one more that goes out with others, in one message to the socket.
 * Return: false, and it is not taken, where there are QUEUE_MAX or no room is left.
 */
bool queue_raw(struct sock *s, const struct raw *raw);

/* What came of the request @nr of those; the answer is valid until this returns. */
typedef void (*answer_fn)(void *ctx, unsigned int nr, const struct answer *a);

/* queue_send() - those that were queued, one at least; @fn for each, in any order. */
void queue_send(struct sock *s, answer_fn fn, void *ctx);

/* request_bytes() - whatever follows the header of generic netlink. */
struct answer *request_bytes(struct sock *s, uint8_t cmd, uint16_t reserved,
			     const void *bytes, size_t size);

typedef void (*dump_fn)(void *ctx, const struct nlattr *const *tb);

/* dump() - every message of a dump to @fn. Return: its error. */
int dump(struct sock *s, uint8_t cmd, const struct attr *attrs, dump_fn fn,
	 void *ctx);

uint32_t answer_u32(const struct answer *a, int type);
const struct ktap_limits *limits(struct sock *s);

/* set_limit() - a parameter of the module; 0: the module chooses. */
void set_limit(const char *name, uint64_t bytes);

/* ---- probes ----------------------------------------------------------------------- */

/* What every good PROBE_NEW has; a name of one's own comes first. */
#define GOOD_PLACE A_STR(KTAP_A_SYMBOL, "vfs_read")
#define GOOD_TYPE A_U32(KTAP_A_TYPE, KTAP_TYPE_KPROBE)
#define GOOD_PROG A_BIN(KTAP_A_PROG, good_prog, sizeof(good_prog))

extern const struct ktap_insn good_prog[3];
extern const struct ktap_insn stack_prog[3];

/* probe_new() - a good one. Return: its id, or a negative errno. */
int probe_new(struct sock *s, const char *name, uint32_t flags,
	      uint32_t blob_size);
int probe_del(struct sock *s, uint32_t id);
int probe_enable(struct sock *s, uint32_t id, bool on);
bool probe_exists(struct sock *s, uint32_t id);
/* probe_forget() - all of them. */
void probe_forget(struct sock *s);

/* set_return_total_max() - the module's limit; 0: its own. */
void set_return_total_max(uint64_t bytes);

/* ---- sessions --------------------------------------------------------------------- */

/* session_open() - /dev/ktap with the smallest rings. Return: fd. */
int session_open(void);
int session_attach(int fd, uint32_t id);
int session_detach(int fd, uint32_t id);

/* xioctl() - Return: 0 or a negative errno. */
int xioctl(int fd, unsigned long cmd, void *arg);

/* ---- actors ------------------------------------------------------------------------ */

#define CAP(cap)	(1ULL << (cap))

/* set_caps() - the capabilities in effect; others can be had back. */
void set_caps(uint64_t caps);
/* in_a_child() - an attempt in a process of its own, which has to end well. */
void in_a_child(const char *topic, void (*attempt)(void));

/* ---- what is tried; one file each ---------------------------------------------- */

void try_messages(void);
void try_programs(void);
void try_costs(void);
void try_places(void);
void try_returns(void);
void try_frames(void);
void try_hooks(void);
void try_blobs(void);
void try_lifetimes(void);
void try_armed(void);
void try_groups(void);
void try_many(void);
void try_all_ids(void);
void try_crowd(void);
void try_rights(void);
void try_who(void);
void try_device(void);
void try_maps(void);
void try_tables(void);
void try_tails(void);
void try_shortage(void);
void try_coming(void);
void try_memory(void);
void try_many_long(void);
void try_fill(void);
void try_scopes(void);
void try_lockdown(void);

#endif /* KTAP_TESTS_NLRAW_H */
