// SPDX-License-Identifier: GPL-2.0
/* What becomes of a request that the kernel, or netlink, does not take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "fake_genl.h"
#include "wire/ctl.h"

/* struct refusal - how a request is refused; @error 0: it is not */
struct refusal {
	int error;
	const char *text;
	unsigned int attr;
	unsigned int missing;
	bool uncapped;
};

static struct refusal refusal;

static void handle(uint8_t cmd, const struct nlattr *const *attrs)
{
	struct nlmsghdr *nlh;

	if (cmd != KTAP_CMD_INFO_GET && refusal.error) {
		fake_refuse(refusal.error, refusal.text, refusal.attr,
			    refusal.missing, !refusal.uncapped);
		return;
	}
	nlh = fake_answer(0);
	mnl_attr_put_u32(nlh, KTAP_A_ABI, KTAP_ABI);
	mnl_attr_put_u32(nlh, KTAP_A_ID, 42);
	fake_end(nlh);
	fake_ack();
}

static const struct ktap_insn insns[] = {
	{ .op = KTAP_OP_REG, .imm = KTAP_X86_64_DI }, { .op = KTAP_OP_END },
};

static const struct ctl_probe_new small_probe = {
	.name = "g:e", .type = KTAP_TYPE_KPROBE, .symbol = "f",
	.offset = 4, .insns = insns, .nr_insns = 2,
};

static struct ctl *open_ctl(void)
{
	struct ctl *ctl = NULL;

	fake_reset(handle);
	refusal = (struct refusal){};
	assert_int_equal(ctl_open(NULL, &ctl), 0);
	return ctl;
}

static void expect(struct diag *d, enum diag_code code, const char *text)
{
	assert_int_equal(d->code, code);
	assert_non_null(strstr(d->message, text));
	diag_clear(d);
}

static void test_refused(void **state)
{
	static const struct {
		struct refusal refusal;
		enum diag_code code;
		const char *message;
		unsigned int want;
	} rows[] = {
		{ { -EEXIST, "the name is taken", KTAP_A_NAME, 0, false },
		  DIAG_CTL_REFUSED, "the name is taken", KTAP_A_NAME },
		{ { -EINVAL, "bad program", KTAP_A_PROG, 0, true },
		  DIAG_CTL_REFUSED, "bad program", KTAP_A_PROG },
		{ { -EINVAL, "no type", 0, KTAP_A_TYPE, false },
		  DIAG_CTL_REFUSED, "no type", KTAP_A_TYPE },
		{ { -EPERM, "lockdown forbids kprobes", 0, 0, true },
		  DIAG_CTL_REFUSED, "lockdown forbids kprobes", 0 },
		{ { -EILSEQ, NULL, KTAP_A_SYMBOL, 0, false },
		  DIAG_CTL_FAILED, "Invalid or incomplete", KTAP_A_SYMBOL },
		{ { -EBUSY, NULL, 0, 0, true },
		  DIAG_CTL_FAILED, "busy", 0 },
	};
	struct ctl *ctl = open_ctl();
	struct diag d = {};
	uint32_t id;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		refusal = rows[i].refusal;
		assert_int_equal(ctl_probe_new(ctl, &small_probe, &d, &id),
				 refusal.error);
		assert_int_equal(ctl_attr(ctl), rows[i].want);
		expect(&d, rows[i].code, rows[i].message);
	}
	/* the next success leaves no attribute at fault */
	refusal.error = 0;
	assert_int_equal(ctl_probe_new(ctl, &small_probe, &d, &id), 0);
	assert_int_equal(ctl_attr(ctl), 0);
	ctl_close(ctl);
}

/* A text longer than anybody would write is cut, not overrun. */
static void test_long_text(void **state)
{
	struct ctl *ctl = open_ctl();
	struct diag d = {};
	char text[1000];

	memset(text, 'x', sizeof(text));
	text[999] = '\0';
	refusal = (struct refusal){ .error = -ENOENT, .text = text };
	assert_int_equal(ctl_probe_del(ctl, 1, &d), -ENOENT);
	assert_in_range(strlen(d.message), 100, 999);
	diag_clear(&d);
	ctl_close(ctl);
}

static void test_too_large(void **state)
{
	struct ctl_probe_new req = small_probe;
	struct ktap_insn *many = calloc(5000, sizeof(*many));
	struct ctl *ctl = open_ctl();
	struct diag d = {};
	uint32_t id;

	req.insns = many;
	req.nr_insns = 2500;
	assert_int_equal(ctl_probe_new(ctl, &req, &d, &id), -EMSGSIZE);
	expect(&d, DIAG_CTL_TOO_LARGE, "does not fit");
	req.nr_insns = 5000;
	assert_int_equal(ctl_probe_new(ctl, &req, &d, &id), -EMSGSIZE);
	expect(&d, DIAG_CTL_TOO_LARGE, "does not fit");
	assert_int_equal(fake.nr_cmds, 1);
	req.nr_insns = KTAP_PROG_MAX;
	assert_int_equal(ctl_probe_new(ctl, &req, &d, &id), 0);
	free(many);
	ctl_close(ctl);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_long_text),
		cmocka_unit_test(test_too_large),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
