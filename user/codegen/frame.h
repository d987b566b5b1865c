/* SPDX-License-Identifier: GPL-2.0 */
/* What a probe inside of a function wants to know of the function's entry. */
#ifndef KTAP_CODEGEN_FRAME_H
#define KTAP_CODEGEN_FRAME_H

#include <linux/ktap.h>
#include <stdbool.h>
#include <stdint.h>

struct term;
struct lower;
struct node;

/**
 * struct frame_regs - registers that the kernel keeps at the entry
 * @regs: enum ktap_reg_*, each once
 * @nr: how many
 */
struct frame_regs {
	uint8_t regs[KTAP_NR_FRAME_REGS];
	unsigned int nr;
};

/* lower_frame() - TERM_FRAME. At the entry it is the register itself. */
int lower_frame(struct lower *l, const struct term *e, struct node **ret);

/* node_has_frame() - does it depend on the function's entry? NULL: no. */
bool node_has_frame(const struct node *n);

#endif /* KTAP_CODEGEN_FRAME_H */
