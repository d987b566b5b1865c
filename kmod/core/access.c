// SPDX-License-Identifier: GPL-2.0
/*
 * Who may see what. Both the process that opened the socket and the one that is
 * served must have the right: else bytes that a privileged process was made to
 * write on somebody's socket would act, or tell, with its rights.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/netlink.h>

#include "core/access.h"
#include "core/refused.h"

/**
 * ktap_netlink_allowed() - may the sender do anything here?
 * @request: message
 * @refused: where a refusal is explained
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
 * The sysctl kptr_restrict is not exported, but what %pK prints is its rule: of
 * a process with CAP_SYSLOG zeros where it is 2, and, where it is 1, of one that
 * runs setuid. An error pointer is never hashed, so nothing else makes zeros.
 */
static bool restricted(void)
{
	char text[2 * sizeof(void *) + 1];

	snprintf(text, sizeof(text), "%pK", ERR_PTR(-1));
	return text[0] == '0';
}

/**
 * ktap_addresses() - may kernel addresses be told that nobody asked to be read?
 * @request: message that is answered, or began the dump
 *
 * As kallsyms_show_value(), which is not exported, would say of the opener of
 * the socket and of the task that is served, but for one thing: what
 * perf_event_paranoid allows to those without CAP_SYSLOG a module cannot learn.
 *
 * Context: process, that which is served.
 * Return: KTAP_ADDRESSES_SHOWN, or why not.
 */
enum ktap_addresses ktap_addresses(const struct sk_buff *request)
{
	if (!netlink_capable(request, CAP_SYSLOG))
		return KTAP_ADDRESSES_CAPABILITY;
	return restricted() ? KTAP_ADDRESSES_RESTRICTED : KTAP_ADDRESSES_SHOWN;
}
