/* SPDX-License-Identifier: GPL-2.0 */
/* One batch as live events, where nothing has to wait for company. */
#ifndef KTAP_TESTS_ONE_BATCH_H
#define KTAP_TESTS_ONE_BATCH_H

#include "decode/decode.h"

/* one_batch() - live_batch(), and all that comes of it. Return: as both have it. */
static inline int one_batch(struct decoder *dec, unsigned int cpu,
			    uint64_t position, const void *data, size_t size,
			    event_fn fn, void *ctx, struct diag *d)
{
	const struct datafile_batch b = {
		.cpu = cpu, .position = position, .data = data, .size = size,
	};
	struct live *live;
	int err = live_create(dec, NULL, d, &live);

	if (err)
		return err;
	err = live_batch(live, &b, d);
	if (!err)
		err = live_flush(live, UINT64_MAX, fn, ctx, d);
	live_destroy(live);
	return err;
}

#endif /* KTAP_TESTS_ONE_BATCH_H */
