// SPDX-License-Identifier: GPL-2.0
/*
 * The uprobe backends of a kernel that has no uprobes.
 */
#include "backend/uprobe.h"

static int refuse(struct ktap_probe_args *args, struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG_ATTR(extack, args->attrs[KTAP_A_TYPE],
			    "this kernel has no uprobes: CONFIG_UPROBES (selected by CONFIG_UPROBE_EVENTS)");
	return -EOPNOTSUPP;
}

const struct ktap_backend ktap_uprobe_backend = {
	.name = "uprobe",
	.check = refuse,
};

const struct ktap_backend ktap_uretprobe_backend = {
	.name = "uretprobe",
	.check = refuse,
};
