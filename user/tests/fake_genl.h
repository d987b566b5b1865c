/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel behind libmnl's sockets, for tests: it takes the place of libmnl's
 * mnl_socket_*() functions, so that requests end here, and answers as the test
 * says. Attributes are still libmnl's.
 */
#ifndef KTAP_TESTS_FAKE_GENL_H
#define KTAP_TESTS_FAKE_GENL_H

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/ktap.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_FAMILY	0x1d

/* struct fake_datagram - bytes that recvfrom will give, or its errno */
struct fake_datagram {
	char bytes[16384];
	size_t size;
	int error;
};

/**
 * struct fake_genl - the kernel
 * @request: the last request to the family; first, and so aligned
 * @loaded: nlctrl knows the family
 * @handle: answers a request to the family with the fake_*() functions below
 * @open_errno: opening fails with it; likewise the other two
 * @bind_errno: binding
 * @send_errno: sending
 * @options: socket options that were set, as bits
 * @open: sockets that are open
 * @cmds: commands of all of them
 * @nr_cmds: how many
 * @nr_sends: messages that they came in, with those to nlctrl
 * @queue: datagrams to be received
 * @head: next one to be received
 * @tail: where the next answer goes
 */
struct fake_genl {
	char request[65536];
	bool loaded;
	void (*handle)(uint8_t cmd, const struct nlattr *const *attrs);
	int open_errno;
	int bind_errno;
	int send_errno;
	uint32_t options;
	int open;
	uint8_t cmds[64];
	size_t nr_cmds;
	size_t nr_sends;
	struct fake_datagram queue[64];
	size_t head;
	size_t tail;
};

extern struct fake_genl fake;

/* fake_reset() - a kernel with the module, without answers. */
void fake_reset(void (*handle)(uint8_t cmd, const struct nlattr *const *attrs));

/* fake_answer() - start an answer to the request at hand, in the datagram at
 * hand; attributes go behind it. @flags: NLM_F_MULTI, ...
 */
struct nlmsghdr *fake_answer(uint16_t flags);

/* fake_message() - the same for any message: type, sequence, extra header. */
struct nlmsghdr *fake_message(uint16_t type, uint16_t flags, uint32_t seq,
			      size_t extra);

/* fake_end() - the message is complete. */
void fake_end(const struct nlmsghdr *nlh);

/* fake_next_datagram() - what follows is received separately. */
void fake_next_datagram(void);

/* fake_ack() - the request is carried out. */
void fake_ack(void);

/* fake_done() - the list ends; @error is 0 or negative, @text may be NULL. */
void fake_done(int error, const char *text);

/**
 * fake_refuse() - refuse the request
 * @error: negative
 * @text: extack, or NULL
 * @attr: attribute of the request that is at fault, or 0
 * @missing: attribute that is missing, or 0
 * @capped: the request does not come back with the error
 */
void fake_refuse(int error, const char *text, unsigned int attr,
		 unsigned int missing, bool capped);

/* fake_cookie() - add a number to the last refusal. */
void fake_cookie(uint64_t number);

/* fake_receive_error() - recvfrom fails once. */
void fake_receive_error(int error);

#endif /* KTAP_TESTS_FAKE_GENL_H */
