// SPDX-License-Identifier: GPL-2.0
/*
 * Access checks for netlink requests.
 *
 * netlink_capable() requires the capability of both the process that opened the socket
 * and the process that sends. Otherwise an unprivileged process could have a privileged
 * one write its bytes to a socket, and they would act, or disclose addresses, with the
 * rights of the privileged one.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/netlink.h>

#include "core/access.h"
#include "core/refused.h"

/**
 * ktap_netlink_allowed() - check that the sender may use this family
 * @request: message
 * @refused: filled when the request is refused
 *
 * Context: process.
 * Return: 0 or -EPERM.
 */
int ktap_netlink_allowed(const struct sk_buff *request,
			 struct ktap_refused *refused)
{
	if (netlink_capable(request, CAP_PERFMON) ||
	    netlink_capable(request, CAP_SYS_ADMIN))
		return 0;
	return ktap_refuse(refused, -EPERM, 0,
			   "CAP_PERFMON or CAP_SYS_ADMIN is needed");
}

/*
 * kptr_restrict is not exported, so its rule is read off what %pK prints. At 2 it prints
 * zeros for every process, and at 1 for a process without CAP_SYSLOG or one that runs
 * setuid. An error pointer is never hashed, so zeros have no other cause.
 */
static bool restricted(void)
{
	char text[2 * sizeof(void *) + 1];

	snprintf(text, sizeof(text), "%pK", ERR_PTR(-1));
	return text[0] == '0';
}

/**
 * ktap_addresses() - may kernel addresses be reported to this process?
 * @request: the message that is answered, or that began the dump
 *
 * Applies to addresses in descriptions of probes. It is the rule of
 * kallsyms_show_value(), which is not exported, for the opener of the socket and for the
 * task that is served. One exception: a module cannot read what perf_event_paranoid
 * allows to processes without CAP_SYSLOG.
 *
 * Context: process that is served.
 * Return: KTAP_ADDRESSES_SHOWN, or the reason why not.
 */
enum ktap_addresses ktap_addresses(const struct sk_buff *request)
{
	if (!netlink_capable(request, CAP_SYSLOG))
		return KTAP_ADDRESSES_CAPABILITY;
	return restricted() ? KTAP_ADDRESSES_RESTRICTED : KTAP_ADDRESSES_SHOWN;
}

/**
 * ktap_opener_sees_addresses() - may kernel addresses be reported to who opens a file?
 *
 * The rule of ktap_addresses(), for the task itself.
 *
 * Context: process that opens the file.
 * Return: whether they may.
 */
bool ktap_opener_sees_addresses(void)
{
	return capable(CAP_SYSLOG) && !restricted();
}
