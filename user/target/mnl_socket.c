// SPDX-License-Identifier: GPL-2.0
/* In place of libmnl: sockets. See mnl.c. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <stdlib.h>
#include <unistd.h>

struct mnl_socket {
	int fd;
};

struct mnl_socket *mnl_socket_open2(int bus, int flags)
{
	struct mnl_socket *nl = malloc(sizeof(*nl));

	if (!nl)
		return NULL;
	nl->fd = socket(AF_NETLINK, SOCK_RAW | flags, bus);
	if (nl->fd < 0) {
		free(nl);
		return NULL;
	}
	return nl;
}

int mnl_socket_bind(struct mnl_socket *nl, unsigned int groups, pid_t pid)
{
	const struct sockaddr_nl address = {
		.nl_family = AF_NETLINK, .nl_groups = groups, .nl_pid = pid,
	};

	return bind(nl->fd, (const struct sockaddr *)&address, sizeof(address));
}

int mnl_socket_close(struct mnl_socket *nl)
{
	int err = close(nl->fd);

	free(nl);
	return err;
}

int mnl_socket_setsockopt(const struct mnl_socket *nl, int type, void *buf,
			  socklen_t len)
{
	return setsockopt(nl->fd, SOL_NETLINK, type, buf, len);
}

ssize_t mnl_socket_sendto(const struct mnl_socket *nl, const void *req,
			  size_t size)
{
	static const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	return sendto(nl->fd, req, size, 0, (const struct sockaddr *)&kernel,
		      sizeof(kernel));
}

/* A message that does not fit, or that is not from netlink, is an error. */
ssize_t mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t size)
{
	struct sockaddr_nl from;
	struct iovec part = { .iov_base = buf, .iov_len = size };
	struct msghdr message = {
		.msg_name = &from, .msg_namelen = sizeof(from),
		.msg_iov = &part, .msg_iovlen = 1,
	};
	ssize_t got = recvmsg(nl->fd, &message, 0);

	if (got < 0)
		return got;
	if (message.msg_flags & MSG_TRUNC) {
		errno = ENOSPC;
		return -1;
	}
	if (message.msg_namelen != sizeof(from)) {
		errno = EINVAL;
		return -1;
	}
	return got;
}
