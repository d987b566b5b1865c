// SPDX-License-Identifier: GPL-2.0
/*
 * The interpreter on real kernel memory: valid addresses, invalid ones, and strings that
 * end at an unmapped page. User memory is tested end to end, because a KUnit case runs in
 * a kernel thread.
 */
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "hit/fetch.h"
#include "insn.h"
#include "suites.h"
#include "hit/verify.h"

#define PAYLOAD_MAX 8192

/* Never mapped: non-canonical on x86, in a hole on arm64. */
#define NOWHERE 0xdead000000000000ULL

static int run(struct kunit *test, const struct ktap_insn *insns, u32 nr,
	       u8 *payload)
{
	struct ktap_prog_info info;
	struct pt_regs regs = {};
	struct ktap_frame frame = { .regs = &regs };
	u32 at;
	int len;

	KUNIT_ASSERT_EQ_MSG(test, ktap_verify(insns, nr, NULL, &info, &at), 0,
			    "instruction %u", at);
	memset(payload, 0xaa, PAYLOAD_MAX);
	preempt_disable();
	len = ktap_fetch_run(insns, &info, &frame, payload, NULL);
	preempt_enable();
	return len;
}

#define RUN(payload, ...) \
	run(test, PROGRAM(__VA_ARGS__), PROGRAM_LEN(__VA_ARGS__), payload)

static u8 *payload_alloc(struct kunit *test)
{
	u8 *p = kunit_kzalloc(test, PAYLOAD_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	return p;
}

static void memory_kernel_integer(struct kunit *test)
{
	static s32 value = -5;
	u8 *p = payload_alloc(test);

	KUNIT_EXPECT_EQ(test, RUN(p, IMM(0, (u64)&value),
				  LOAD(1, 0, 0, 4, SIGNED), STORE(1, 8, 0, 0),
				  FAULTS(1, 8), END()), 16);
	KUNIT_EXPECT_EQ(test, *(s64 *)p, -5LL);
	KUNIT_EXPECT_EQ(test, p[8], 0);
}

static void memory_bad_address_is_marked(struct kunit *test)
{
	u8 *p = payload_alloc(test);

	KUNIT_EXPECT_EQ(test, RUN(p, IMM(0, NOWHERE), LOAD(1, 0, 0, 8, 0),
				  ALUI(2, 1, ADD, 7), STORE(2, 8, 0, 3),
				  FAULTS(1, 8), END()), 16);
	KUNIT_EXPECT_EQ(test, *(u64 *)p, 0ULL);
	KUNIT_EXPECT_EQ(test, p[8], 1 << 3);
}

static void memory_stack_word(struct kunit *test)
{
	u8 *p = payload_alloc(test);
	u64 words[4] = { 11, 22, 33, 44 };
	struct pt_regs regs = { .sp = (unsigned long)words };
	struct ktap_frame frame = { .regs = &regs };
	static const struct ktap_insn prog[] = {
		STACK(0, 2), STORE(0, 8, 0, 0), STACK(0, KTAP_STACK_WORDS - 1),
		STORE(0, 8, 8, 1), FAULTS(1, 16), END(),
	};
	struct ktap_prog_info info;
	u32 at;

	KUNIT_ASSERT_EQ(test,
			ktap_verify(prog, ARRAY_SIZE(prog), NULL, &info, &at), 0);
	preempt_disable();
	ktap_fetch_run(prog, &info, &frame, p, NULL);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, *(u64 *)p, 33ULL);
	KUNIT_EXPECT_EQ_MSG(test, p[16], 2, "beyond the stack");
}

/* A page that is followed by an unmapped one (the guard page of vmalloc). */
static void memory_kernel_string_to_the_border(struct kunit *test)
{
	char *page = vmalloc(PAGE_SIZE);
	u8 *p = payload_alloc(test);
	const struct ktap_string *s = (void *)p;
	int len;

	KUNIT_ASSERT_NOT_NULL(test, page);
	memset(page, 'x', PAGE_SIZE);
	strscpy(page + PAGE_SIZE - 6, "abcde", 6);
	len = RUN(p, IMM(0, (u64)page + PAGE_SIZE - 6), STRING(0, 64, 0, 0),
		  END());
	KUNIT_EXPECT_EQ(test, len, 16);
	KUNIT_EXPECT_EQ(test, s->len, 6);
	KUNIT_EXPECT_EQ(test, s->flags, 0);
	KUNIT_EXPECT_STREQ(test, (char *)p + 4, "abcde");

	page[PAGE_SIZE - 1] = 'f'; /* no NUL before the unmapped page */
	RUN(p, IMM(0, (u64)page + PAGE_SIZE - 6), STRING(0, 64, 0, 0), END());
	KUNIT_EXPECT_EQ(test, s->flags, KTAP_STRING_F_FAULT);
	KUNIT_EXPECT_EQ(test, s->len, 0);

	RUN(p, IMM(0, (u64)page), STRING(0, 10, 0, 0), END());
	KUNIT_EXPECT_EQ(test, s->flags, KTAP_STRING_F_CUT);
	KUNIT_EXPECT_STREQ(test, (char *)p + 4, "xxxxxxxxx");
	vfree(page);
}

/* Expects @len characters and a NUL, read with limit @max. */
static void expect_string(struct kunit *test, u8 *p, const char *at, u32 len,
			  u32 max)
{
	const struct ktap_string *s = (void *)p;
	u32 kept = min(len, max - 1), end = sizeof(*s) + kept + 1;
	int size = RUN(p, IMM(0, (u64)at), STRING(0, max, 0, 0), END());

	KUNIT_ASSERT_EQ(test, (u32)size, ALIGN(end, 8));
	KUNIT_ASSERT_EQ(test, s->len, kept + 1);
	KUNIT_ASSERT_EQ(test, s->flags,
			len > kept ? KTAP_STRING_F_CUT : 0);
	KUNIT_ASSERT_EQ(test, memcmp(s + 1, at, kept), 0);
	KUNIT_ASSERT_NULL(test, memchr_inv(p + end - 1, 0, size - end + 1));
}

/* All lengths and alignments; the bytes after the string are unmapped, or other data. */
static void memory_strings_of_all_lengths(struct kunit *test)
{
	char *page = vmalloc(PAGE_SIZE), *end = page + PAGE_SIZE, *object;
	u8 *p = payload_alloc(test);
	u32 len, max, gap;

	KUNIT_ASSERT_NOT_NULL(test, page);
	for (len = 0; len < 40; len++) {
		for (gap = 0; gap < 9; gap++) {
			memset(page, 'x', PAGE_SIZE);
			end[-1 - (int)gap] = 0;
			for (max = 1; max < 44; max++)
				expect_string(test, p, end - 1 - gap - len, len,
					      max);
		}
		object = kmalloc(len + 1, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, object);
		memset(object, 'y', len);
		object[len] = 0;
		expect_string(test, p, object, len, 64);
		kfree(object);
	}
	vfree(page);
}

/* A KUnit case runs in a kernel thread, which has no user memory. */
static void memory_of_no_user(struct kunit *test)
{
	u8 *p = payload_alloc(test);
	const struct ktap_string *s = (void *)p;

	KUNIT_ASSERT_NULL(test, current->mm);
	RUN(p, IMM(0, 0x1000), STRING(0, 64, 0, USER), LOAD(1, 0, 0, 8, USER),
	    STORE(1, 8, 8, 0), FAULTS(1, 16), END());
	KUNIT_EXPECT_EQ(test, s->flags, KTAP_STRING_F_FAULT);
	KUNIT_EXPECT_EQ(test, p[16], 1);
}

static void memory_comm(struct kunit *test)
{
	u8 *p = payload_alloc(test);

	KUNIT_EXPECT_EQ(test, RUN(p, COMM(0), END()), TASK_COMM_LEN);
	KUNIT_EXPECT_STREQ(test, (char *)p, current->comm);
}

static void memory_filter(struct kunit *test)
{
	u8 *p = payload_alloc(test);

	KUNIT_EXPECT_EQ(test, RUN(p, IMM(0, 0), FILTER(0), END()),
			KTAP_FETCH_FILTERED);
	KUNIT_EXPECT_EQ(test, RUN(p, IMM(0, 1), FILTER(0), END()), 0);
	KUNIT_EXPECT_EQ_MSG(test,
			    RUN(p, IMM(0, NOWHERE), LOAD(0, 0, 0, 8, 0),
				FILTER(0), END()),
			    KTAP_FETCH_FILTERED, "what is not known does not pass");
}

static struct kunit_case memory_cases[] = {
	KUNIT_CASE(memory_kernel_integer),
	KUNIT_CASE(memory_bad_address_is_marked),
	KUNIT_CASE(memory_stack_word),
	KUNIT_CASE(memory_kernel_string_to_the_border),
	KUNIT_CASE(memory_strings_of_all_lengths),
	KUNIT_CASE(memory_of_no_user),
	KUNIT_CASE(memory_comm),
	KUNIT_CASE(memory_filter),
	{}
};

struct kunit_suite ktap_memory_suite = {
	.name = "ktap_memory",
	.test_cases = memory_cases,
};
