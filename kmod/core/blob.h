/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_BLOB_H
#define KTAP_BLOB_H

#include <linux/sizes.h>
#include <linux/types.h>

#define KTAP_BLOB_MAX	SZ_1M	/* bytes per probe */

struct ktap_probe;
struct ktap_refused;

int ktap_blob_init(struct ktap_probe *p, u32 size,
		   struct ktap_refused *refused);
void ktap_blob_free(struct ktap_probe *p);
int ktap_blob_put(struct ktap_probe *p, u32 offset, const void *data, u32 size,
		  struct ktap_refused *refused);

#endif /* KTAP_BLOB_H */
