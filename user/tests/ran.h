/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions compiled, and run by the module's own verifier and interpreter
 * over memory and registers that are known. For tests that need both files.
 */
#ifndef KTAP_TESTS_RAN_H
#define KTAP_TESTS_RAN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "env_user.h"
#include "hit/fetch.h"
#include "tests/built.h"
#include "hit/verify.h"
#include "ready.h"

#define X86 KTAP_ARCH_X86_64

/* Symbols: of the test's own setup. */
static struct ksyms *ks;

/* Table for state, where a test has one. */
static const struct ktap_state *ran_state;

static inline void build(struct built *b, const char *text, enum ktap_arch arch)
{
	struct diag d = {};

	if (built_init(b, ks, text, arch, &d))
		fail_msg("%s: %s", text, d.message);
}

#define KERNEL	0xffff888000001000ULL
#define USERLAND 0x00007f0000001000ULL
#define TASK_NAME 0xffff888000003000ULL

/* struct memory - memory at KERNEL */
struct memory {
	u64 user_text;		/* 0: USERLAND */
	u64 self;		/* 8: KERNEL + 16 */
	u64 number;		/* 16 */
	char text[16];		/* 24 */
	u64 nowhere;		/* 40: 0xdead000000000000 */
};

static const struct memory memory = {
	.user_text = USERLAND,
	.self = KERNEL + 16,
	.number = 0xfedcba9876543210,
	.text = "kernel text",
	.nowhere = 0xdead000000000000,
};

static const char user_text[] = "user text";
static const char task_name[16] = "worker";

/* struct hit - one record: the payload after a program ran */
struct hit {
	struct built b;
	u8 payload[KTAP_RECORD_MAX];
	int len;
};

/* Both sides know where strings begin; what is shown else is whole words. */
static inline void check_fixed_size(const struct layout *layout,
				    const struct ktap_prog_info *info)
{
	assert_int_equal(layout->fixed_size,
			 info->nr_strings ? info->fixed_size :
					    ALIGN(info->fixed_size, 8));
}

static inline void run_any(struct hit *h, const char *text)
{
	static const u64 stack[] = { 10, 11, 12, 13 };
	struct env_regs regs = { .stack = stack, .nr_stack = 4 };
	struct ktap_frame frame = { .regs = &regs };
	struct ktap_prog_info info;
	struct ktap_insn *ready;
	enum ktap_refusal why;
	u32 at;

	build(&h->b, text, X86);
	env_reset();
	env_map(KERNEL, &memory, sizeof(memory));
	env_map(USERLAND, user_text, sizeof(user_text));
	env_map(TASK_NAME, task_name, sizeof(task_name));
	env_set_task(7, 7, "worker");
	env_world.ctx[KTAP_CTX_TID] = 7;
	env_world.ctx[KTAP_CTX_TGID] = 7;
	env_world.ctx[KTAP_CTX_COMM] = TASK_NAME;
	regs.r[KTAP_X86_64_DI] = KERNEL;
	regs.r[KTAP_X86_64_SI] = 0x8899aabbccddeeff;
	regs.r[KTAP_X86_64_DX] = 100;
	regs.r[KTAP_X86_64_CX] = (u64)-7;
	regs.r[KTAP_X86_64_R8] = 3;
	why = ktap_verify(h->b.program->insns, h->b.program->nr_insns, NULL, &info,
			  &at);
	if (why)
		fail_msg("%s: %u: %s", text, at, ktap_refusal_text(why));
	check_fixed_size(h->b.program->layout, &info);
	info.state = ran_state;
	ready = ready_program(h->b.program->insns, h->b.program->nr_insns);
	h->len = ktap_fetch_run(ready, &info, &frame, h->payload, NULL);
	free(ready);
}

/* The same, for what makes a record. */
static inline void run(struct hit *h, const char *text)
{
	run_any(h, text);
	assert_true(h->len >= 0);
}

static inline u64 number(const struct hit *h, const char *name)
{
	const struct field *f = built_field(&h->b, name);
	u64 value = 0;

	memcpy(&value, h->payload + f->offset, f->size);
	return value;
}

static inline bool faulted(const struct hit *h, const char *name)
{
	const struct layout *layout = h->b.program->layout;
	u64 mask = 0;

	memcpy(&mask, h->payload + layout->faults_offset, layout->faults_size);
	return mask >> built_field(&h->b, name)->fault & 1;
}

static inline struct ktap_string slot(const struct hit *h, const struct field *f)
{
	struct ktap_string s;

	memcpy(&s, h->payload + f->offset, sizeof(s));
	return s;
}

/* Where the text of @name is: strings stand in the order of the fields. */
static inline const char *string(const struct hit *h, const char *name)
{
	const struct layout *layout = h->b.program->layout;
	size_t at = layout->fixed_size, i;

	for (i = 0; i < layout->nr_fields; i++) {
		const struct field *f = &layout->fields[i];

		if (!strcmp(f->name, name))
			break;
		if (f->kind == FIELD_STRING)
			at += slot(h, f).len;
	}
	return (const char *)h->payload + at;
}

#endif /* KTAP_TESTS_RAN_H */
