// SPDX-License-Identifier: GPL-2.0
#include "define/running.h"

#include "place/ksyms.h"
#include "wire/ctl.h"

/* 0 also where addresses are not for who asks. */
static uint64_t epoch_of(void *ctx)
{
	struct ctl *ctl = ctx;
	struct ctl_info info;

	if (!ctl || ctl_info(ctl, NULL, &info) || info.addresses != KTAP_ADDRESSES_SHOWN)
		return 0;
	return info.symbols;
}

int running_symbols(struct ctl *ctl, struct diag *d, struct ksyms **ret)
{
	return ksyms_load_running(&(struct ksyms_epoch){ .get = epoch_of, .ctx = ctl }, d, ret);
}

bool running_symbols_follow(struct ctl *ctl, struct ksyms *ks)
{
	return ctl && ksyms_follow(ks, &(struct ksyms_epoch){ .get = epoch_of, .ctx = ctl });
}
