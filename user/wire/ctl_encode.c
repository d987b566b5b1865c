// SPDX-License-Identifier: GPL-2.0
/* Requests that are not sent, but stored. */
#include <errno.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "wire/ctl_call.h"

int ctl_encode_new(const struct ctl_probe_new *req, void **ret, size_t *size)
{
	_cleanup_free_ struct genl *g = calloc(1, sizeof(*g));
	struct ctl_probe_new without_blob = *req;
	const struct nlmsghdr *nlh;
	const char *attrs;

	if (!g)
		return -ENOMEM;
	without_blob.blob_size = 0;
	ctl_put_new(g, &without_blob);
	if (g->overflow)
		return -EMSGSIZE;
	nlh = (const struct nlmsghdr *)g->request;
	attrs = mnl_nlmsg_get_payload_offset(nlh, GENL_HDRLEN);
	*size = (const char *)mnl_nlmsg_get_payload_tail(nlh) - attrs;
	*ret = malloc(*size);
	if (!*ret)
		return -ENOMEM;
	memcpy(*ret, attrs, *size);
	return 0;
}
