/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reasons for refusing a request. Any file may fill a refusal. netlink.c alone turns it
 * into extack.
 */
#ifndef KTAP_REFUSED_H
#define KTAP_REFUSED_H

#include <linux/types.h>

/**
 * struct ktap_refused - explanation of an error
 * @text: string for extack; NULL: the errno is enough. It must be static: formatted
 *	extack strings exist since 6.3 only (commit 51c352bdbcd2), and all kernels are to
 *	report the same
 * @attr: KTAP_A_* that is invalid, reported if the request contains it; 0: none
 * @amount: bytes or ns that exceeded a limit, sent as the extack cookie; 0: none
 */
struct ktap_refused {
	const char *text;
	int attr;
	u64 amount;
};

/**
 * ktap_refuse_amount() - refuse a request because of an amount
 * @refused: overwritten; NULL: no explanation is needed
 * @err: error
 * @attr: KTAP_A_* that is invalid, or 0
 * @amount: bytes or ns, or 0
 * @text: static string, or NULL
 *
 * Context: any.
 * Return: @err.
 */
static inline int ktap_refuse_amount(struct ktap_refused *refused, int err,
				     int attr, u64 amount, const char *text)
{
	if (refused)
		*refused = (struct ktap_refused){ text, attr, amount };
	return err;
}

/**
 * ktap_refuse() - refuse a request
 * @refused: overwritten; NULL: no explanation is needed
 * @err: error
 * @attr: KTAP_A_* that is invalid, or 0
 * @text: static string, or NULL
 *
 * Context: any.
 * Return: @err.
 */
static inline int ktap_refuse(struct ktap_refused *refused, int err, int attr,
			      const char *text)
{
	return ktap_refuse_amount(refused, err, attr, 0, text);
}

#endif /* KTAP_REFUSED_H */
