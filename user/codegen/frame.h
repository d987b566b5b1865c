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

/**
 * lower_frame() - the value that a register had at the entry of the function
 * @l: lowering; @l->frame gets the register, unless it has it or the probe is at the entry
 * @e: TERM_FRAME
 * @ret: on success: its node; the caller's
 *
 * At the entry the node reads the register. Elsewhere in the function it reads what the
 * kernel stored at the entry, and finds that by the CFA.
 *
 * Return: 0; -EINVAL: the entry of the function is not known, the probe is at a return, or
 *	more than KTAP_NR_FRAME_REGS registers are needed; -ENOMEM.
 */
int lower_frame(struct lower *l, const struct term *e, struct node **ret);

/**
 * node_has() - whether a value depends on an operation
 * @n: node; or NULL
 * @op: operation
 *
 * Return: true if @n or one of its operands is an @op; false for NULL.
 */
bool node_has(const struct node *n, enum ktap_op op);

#endif /* KTAP_CODEGEN_FRAME_H */
