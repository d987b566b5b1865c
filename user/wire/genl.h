/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink by the message: build a request, send it, take the answers,
 * and learn from extack why it was refused. Knows no command of any family;
 * libmnl does the bytes. Private to wire/.
 */
#ifndef KTAP_WIRE_GENL_H
#define KTAP_WIRE_GENL_H

#include <libmnl/libmnl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GENL_ATTRS	64	/* attribute types that answers may have */
#define GENL_REQUEST	(32 * 1024)
#define GENL_ANSWER	(64 * 1024)

/**
 * struct genl - a socket and the exchange at hand
 * @nl: socket
 * @request: bytes of the request; aligned, since a pointer is in front of it
 * @answer: bytes of answers
 * @family: id that requests go to
 * @version: of the family
 * @seq: of the request
 * @sent: the request that an answer is about
 * @overflow: the request did not fit
 * @refused: the kernel said no; else an error is ours or the socket's
 * @attr: attribute at fault in the last request, or 0
 * @text: what the kernel said to it, or ""
 * @cookie: a number that came with it, or 0
 */
struct genl {
	struct mnl_socket *nl;
	char request[GENL_REQUEST];
	char answer[GENL_ANSWER];
	uint16_t family;
	uint8_t version;
	uint32_t seq;
	const struct nlmsghdr *sent;
	bool overflow;
	bool refused;
	unsigned int attr;
	char text[256];
	uint64_t cookie;
};

/* genl_answer_fn - takes an answer: its attributes by type, NULL where it has
 * none. Negative: it makes no sense, or there is no memory.
 */
typedef int (*genl_answer_fn)(void *ctx, const struct nlattr *const *attrs);

/* genl_init() - open the socket; requests go to nlctrl at first. */
int genl_init(struct genl *g);
void genl_deinit(struct genl *g);

/* genl_resolve() - find the family that requests go to from here on. -ENOENT. */
int genl_resolve(struct genl *g, const char *name, uint8_t version);

void genl_begin(struct genl *g, uint8_t cmd);
void genl_put(struct genl *g, uint16_t type, const void *data, size_t size);
void genl_put_str(struct genl *g, uint16_t type, const char *s);
void genl_put_u8(struct genl *g, uint16_t type, uint8_t value);
void genl_put_u32(struct genl *g, uint16_t type, uint32_t value);
void genl_put_u64(struct genl *g, uint16_t type, uint64_t value);

/**
 * genl_call() - send the request, and wait until it is carried out
 * @g: with a request
 * @fn: takes the answers; NULL: they do not matter
 * @ctx: for @fn
 *
 * Return: 0; what the kernel said (@g->refused); what @fn said; -EMSGSIZE when
 * the request did not fit; -EBADMSG; what the socket said.
 */
int genl_call(struct genl *g, genl_answer_fn fn, void *ctx);

/**
 * genl_dump() - send the request for a list
 * @g: with a request
 * @fn: takes the answers
 * @reset: forget what was taken: the list changed on the way, it comes again
 * @ctx: for both
 *
 * Return: as genl_call(); -EAGAIN when the list did not come to rest.
 */
int genl_dump(struct genl *g, genl_answer_fn fn, void (*reset)(void *ctx),
	      void *ctx);

#define GENL_BATCH	64		/* requests of one batch */
#define GENL_BATCH_BYTES (64 * 1024)	/* and their bytes, at most */

/**
 * struct genl_outcome - what became of one request of a batch
 * @ended: the last of its answers came
 * @err: 0, or what the kernel or the taker of answers said
 * @refused: the kernel said no
 * @attr: attribute at fault, or 0
 * @text: what the kernel said to it, or ""
 * @cookie: a number that came with it, or 0
 */
struct genl_outcome {
	bool ended;
	int err;
	bool refused;
	unsigned int attr;
	char text[256];
	uint64_t cookie;
};

/**
 * struct genl_batch - requests that are sent together
 * @g: socket
 * @bytes: of the requests; aligned, since numbers are in front of it
 * @size: how many
 * @at: where each begins
 * @outcome: of each, after genl_batch_call()
 * @nr: requests
 */
struct genl_batch {
	struct genl *g;
	size_t size;
	size_t nr;
	size_t at[GENL_BATCH];
	char bytes[GENL_BATCH_BYTES];
	struct genl_outcome outcome[GENL_BATCH];
};

/* genl_batch_begin() - forget what there was. */
void genl_batch_begin(struct genl_batch *b, struct genl *g);

/* genl_batch_add() - take the request of the socket. -ENOSPC: the batch is
 * full; -EMSGSIZE: the request is too large.
 */
int genl_batch_add(struct genl_batch *b);

/* genl_batch_fn - as genl_answer_fn, of the request at @index. */
typedef int (*genl_batch_fn)(void *ctx, size_t index,
			     const struct nlattr *const *attrs);

/**
 * genl_batch_call() - send all, and wait until each is carried out or refused
 * @b: batch
 * @fn: takes the answers
 * @ctx: for @fn
 *
 * Return: 0, also when requests were refused; or what went wrong with the
 * socket: then the outcomes are not all known.
 */
int genl_batch_call(struct genl_batch *b, genl_batch_fn fn, void *ctx);

/* ---- between genl.c and genl_batch.c ---- */

/* genl_message_ok() - a whole message is at @nlh, in @left bytes. */
bool genl_message_ok(const struct nlmsghdr *nlh, int left);

/* genl_attrs() - the attributes of an answer, by type. -EBADMSG. */
int genl_attrs(const struct nlmsghdr *nlh, const struct nlattr **attrs);

/* genl_error() - what an NLMSG_ERROR says of @g->sent: 0 when it is carried
 * out; else it is in @g->refused and what follows.
 */
int genl_error(struct genl *g, const struct nlmsghdr *nlh);

/* Attributes of answers. Each is 0 or -EBADMSG; one that is not there leaves
 * *@ret alone.
 */
int genl_get_u8(const struct nlattr *attr, uint8_t *ret);
int genl_get_u32(const struct nlattr *attr, uint32_t *ret);
int genl_get_u64(const struct nlattr *attr, uint64_t *ret);
int genl_get_str(const struct nlattr *attr, const char **ret);

/* genl_get_struct() - a structure that grows: what the other side does not
 * have is zero, what it has more is left out.
 */
void genl_get_struct(const struct nlattr *attr, void *ret, size_t size);

#endif /* KTAP_WIRE_GENL_H */
