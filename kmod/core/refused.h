/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why a request is refused. Whoever refuses fills it in; netlink.c tells it to
 * the sender, and nobody else knows how.
 */
#ifndef KTAP_REFUSED_H
#define KTAP_REFUSED_H

#include <linux/types.h>

/**
 * struct ktap_refused - a refusal beside its error
 * @text: for people; NULL: the error says it all. It must be static: netlink of
 *	6.1 has no room for a formatted one (it came with 6.3, commit
 *	51c352bdbcd2), and every kernel shall say the same
 * @attr: KTAP_A_* that is at fault, told if the request has it; 0: none
 * @amount: what was too much, bytes or ns, as the cookie; 0: nothing to tell
 */
struct ktap_refused {
	const char *text;
	int attr;
	u64 amount;
};

/**
 * ktap_refuse_amount() - refuse something, and say how much it was
 * @refused: filled, whatever it said before; NULL: nobody asks
 * @err: the error
 * @attr: KTAP_A_* that is at fault, or 0
 * @amount: bytes or ns, or 0
 * @text: static, or NULL
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

/* ktap_refuse() - as ktap_refuse_amount(), of nothing that has an amount */
static inline int ktap_refuse(struct ktap_refused *refused, int err, int attr,
			      const char *text)
{
	return ktap_refuse_amount(refused, err, attr, 0, text);
}

#endif /* KTAP_REFUSED_H */
