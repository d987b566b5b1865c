// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded, it has ktap.ko say that it does not know KTAP_IOC_TIE: that bit is cleared in
 * each answer that has features.
 */
#include <dlfcn.h>
#include <linux/ktap.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	ssize_t (*real)(int fd, struct msghdr *msg, int flags) = dlsym(RTLD_NEXT, "recvmsg");
	const struct nlattr wanted = { NLA_HDRLEN + 8, KTAP_A_FEATURES };
	ssize_t n = real(fd, msg, flags);
	char *bytes = msg->msg_iov->iov_base, *at;
	unsigned long long features;

	at = n > 0 ? memmem(bytes, n, &wanted, sizeof(wanted)) : NULL;
	if (at && at + wanted.nla_len <= bytes + n) {
		memcpy(&features, at + NLA_HDRLEN, sizeof(features));
		features &= ~KTAP_FEATURE_TIE;
		memcpy(at + NLA_HDRLEN, &features, sizeof(features));
	}
	return n;
}
