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

/**
 * genl_init() - open the socket
 * @g: all zeros; release with genl_deinit()
 *
 * Requests go to nlctrl at first: see genl_resolve().
 *
 * Return: 0; a negative errno: there is no socket to close.
 */
int genl_init(struct genl *g);

/**
 * genl_deinit() - close the socket
 * @g: all zeros is allowed; @g itself is not freed, and genl_init() may open it again
 */
void genl_deinit(struct genl *g);

/**
 * genl_resolve() - find the family to which all later requests go
 * @g: socket after genl_init(): requests must still go to nlctrl, so this works only once
 * @name: of the family
 * @version: of the family, for the header of requests
 *
 * Return: 0; -ENOENT: the kernel does not have the family, or not in this network
 *	namespace; else as genl_call().
 */
int genl_resolve(struct genl *g, const char *name, uint8_t version);

/**
 * genl_begin() - begin a request, in place of the last one
 * @g: socket
 * @cmd: command of the family
 *
 * Then come genl_put() and the like, and genl_call(), genl_dump() or genl_batch_add().
 */
void genl_begin(struct genl *g, uint8_t cmd);

/**
 * genl_put() - append an attribute to the request
 * @g: socket after genl_begin(); without room @g->overflow is set, the attribute is missing,
 *	and sending the request fails with -EMSGSIZE
 * @type: of the attribute
 * @data: its bytes, which are copied; NULL is allowed if @size is 0
 * @size: how many; 0: the attribute is a flag
 */
void genl_put(struct genl *g, uint16_t type, const void *data, size_t size);

/**
 * genl_put_str() - append an attribute with a string and its NUL
 * @g: as for genl_put()
 * @type: of the attribute
 * @s: string; not NULL
 */
void genl_put_str(struct genl *g, uint16_t type, const char *s);

/**
 * genl_put_u8() - append an attribute with a number of 8 bits
 * @g: as for genl_put()
 * @type: of the attribute
 * @value: number
 */
void genl_put_u8(struct genl *g, uint16_t type, uint8_t value);

/**
 * genl_put_u32() - append an attribute with a number of 32 bits
 * @g: as for genl_put()
 * @type: of the attribute
 * @value: number, sent in the byte order of the machine
 */
void genl_put_u32(struct genl *g, uint16_t type, uint32_t value);

/**
 * genl_put_u64() - append an attribute with a number of 64 bits
 * @g: as for genl_put()
 * @type: of the attribute
 * @value: number, sent in the byte order of the machine
 */
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

/**
 * genl_batch_begin() - begin a batch without requests
 * @b: batch; may be uninitialised; earlier requests and outcomes are forgotten
 * @g: socket; must live as long as @b is used
 */
void genl_batch_begin(struct genl_batch *b, struct genl *g);

/**
 * genl_batch_add() - copy the request of the socket to the batch
 * @b: batch; its socket has a request after genl_begin()
 *
 * Return: 0; -ENOSPC: the batch is full, and the request is for the next one; -EMSGSIZE:
 *	the request did not fit in a message.
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
 * socket: then the outcomes are not all known. In both cases the socket remembers no
 * refusal: the outcomes do.
 */
int genl_batch_call(struct genl_batch *b, genl_batch_fn fn, void *ctx);

/* ---- between genl.c and genl_batch.c ---- */

/**
 * genl_message_ok() - check that a whole message is in a buffer
 * @nlh: start of the message, at a multiple of 4 bytes
 * @left: bytes of the buffer from there on
 *
 * Return: true: it is.
 */
bool genl_message_ok(const struct nlmsghdr *nlh, int left);

/**
 * genl_attrs() - sort the attributes of an answer by their types
 * @nlh: answer, for which genl_message_ok() is true
 * @attrs: GENL_ATTRS pointers, NULL at first; each is set to the attribute of that type, in
 *	the answer; NULL stays where there is none
 *
 * Types from GENL_ATTRS on are skipped. Of several attributes of a type the last one counts.
 *
 * Return: 0; -EBADMSG: the answer has no header of generic netlink.
 */
int genl_attrs(const struct nlmsghdr *nlh, const struct nlattr **attrs);

/**
 * genl_forget() - forget what the kernel said to the last request
 * @g: socket; @g->refused, @g->attr, @g->text and @g->cookie are as without a refusal
 */
void genl_forget(struct genl *g);

/**
 * genl_error() - read an NLMSG_ERROR, which also acknowledges requests
 * @g: socket; @g->sent is the request that it is about; @g->refused, @g->attr, @g->text and
 *	@g->cookie are set
 * @nlh: message, for which genl_message_ok() is true
 *
 * Return: 0: the request was carried out; the negative errno of the kernel, with
 *	@g->refused; -EBADMSG without @g->refused: the message is too short.
 */
int genl_error(struct genl *g, const struct nlmsghdr *nlh);

/**
 * genl_get_u8() - read a number of 8 bits
 * @attr: attribute of an answer; NULL: *@ret is unchanged
 * @ret: number; unchanged on failure
 *
 * Return: 0, also without an attribute; -EBADMSG: it has another size.
 */
int genl_get_u8(const struct nlattr *attr, uint8_t *ret);

/**
 * genl_get_u32() - read a number of 32 bits
 * @attr: as for genl_get_u8()
 * @ret: number; unchanged on failure
 *
 * Return: 0, also without an attribute; -EBADMSG: it has another size.
 */
int genl_get_u32(const struct nlattr *attr, uint32_t *ret);

/**
 * genl_get_u64() - read a number of 64 bits
 * @attr: as for genl_get_u8()
 * @ret: number; unchanged on failure
 *
 * Return: 0, also without an attribute; -EBADMSG: it has another size.
 */
int genl_get_u64(const struct nlattr *attr, uint64_t *ret);

/**
 * genl_get_str() - read a string
 * @attr: as for genl_get_u8()
 * @ret: string in the answer, valid until the next one is received; unchanged on failure
 *
 * Return: 0, also without an attribute; -EBADMSG: it does not end in a NUL.
 */
int genl_get_str(const struct nlattr *attr, const char **ret);

/**
 * genl_get_struct() - read a structure that may grow at its end
 * @attr: attribute of an answer; NULL: all of @ret is zero
 * @ret: filled; members that the sender does not have are zero
 * @size: bytes of @ret; bytes of the attribute past them are ignored
 */
void genl_get_struct(const struct nlattr *attr, void *ret, size_t size);

#endif /* KTAP_WIRE_GENL_H */
