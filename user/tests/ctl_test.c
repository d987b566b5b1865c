// SPDX-License-Identifier: GPL-2.0
/* The control client against a kernel that lives in fake_genl.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "fake_genl.h"
#include "wire/ctl.h"

/**
 * struct module - what the fake module does
 * @abi: it speaks
 * @refuse: this command is refused ...
 * @after: ... but for so many times
 * @error: with this
 * @text: and this, or NULL
 * @attr: the attribute at fault, or 0
 * @missing: the attribute that is missing, or 0
 * @uncapped: with the request behind the error
 * @cookie: the number that comes with it, or 0
 * @fail_receive: the socket fails with it after the refusal, or 0
 * @limits_size: bytes of struct ktap_limits that it tells
 * @blob: what was put, or is to be got
 * @blob_size: bytes of it
 */
static struct module {
	uint32_t abi;
	uint8_t refuse;
	unsigned int after;
	int error;
	const char *text;
	unsigned int attr;
	unsigned int missing;
	bool uncapped;
	uint64_t cookie;
	int fail_receive;
	size_t limits_size;
	uint32_t unwinder;
	char blob[20000];
	size_t blob_size;
} module;

static void answer_info(void)
{
	struct { struct ktap_limits limits; uint64_t more; } l = {
		.limits = { .ring_default = 1 << 20, .probes_max = 65520, .nr_probes = 3 },
		.more = 1,
	};
	struct nlmsghdr *nlh = fake_answer(0);

	mnl_attr_put_u32(nlh, KTAP_A_ABI, module.abi);
	mnl_attr_put_strz(nlh, KTAP_A_MODULE_VERSION, "1.2-3-gabc");
	mnl_attr_put_u32(nlh, KTAP_A_ARCH, KTAP_ARCH_ARM64);
	mnl_attr_put_u64(nlh, KTAP_A_FEATURES, KTAP_FEATURE_KPROBE);
	mnl_attr_put_u32(nlh, KTAP_A_CLOCK, KTAP_CLOCK_CNTVCT);
	mnl_attr_put(nlh, KTAP_A_LIMITS, module.limits_size, &l);
	mnl_attr_put_u64(nlh, KTAP_A_ANCHOR, 0xffffffff81234560);
	mnl_attr_put_u64(nlh, KTAP_A_SYMBOLS, 0x123456789a);
	if (module.unwinder)
		mnl_attr_put_u32(nlh, KTAP_A_UNWINDER, module.unwinder);
	mnl_attr_put_u32(nlh, 90, 1); /* of a later module */
	mnl_attr_put_u32(nlh, 100, 1);
	fake_end(nlh);
}

static void take_chunk(const struct nlattr *const *attrs)
{
	size_t size = mnl_attr_get_payload_len(attrs[KTAP_A_BLOB_DATA]);

	assert_true(size && size <= KTAP_BLOB_CHUNK);
	memcpy(module.blob + module.blob_size,
	       mnl_attr_get_payload(attrs[KTAP_A_BLOB_DATA]), size);
	module.blob_size += size;
}

static void take_blob(const struct nlattr *const *attrs)
{
	assert_int_equal(mnl_attr_get_u32(attrs[KTAP_A_ID]), 42);
	assert_int_equal(mnl_attr_get_u32(attrs[KTAP_A_BLOB_OFFSET]), module.blob_size);
	take_chunk(attrs);
}

static void answer_blob(const struct nlattr *const *attrs)
{
	size_t at = mnl_attr_get_u32(attrs[KTAP_A_BLOB_OFFSET]);
	size_t size = module.blob_size - at;
	struct nlmsghdr *nlh = fake_answer(0);

	assert_int_equal(mnl_attr_get_u32(attrs[KTAP_A_ID]), 42);
	assert_true(at <= module.blob_size);
	mnl_attr_put_u32(nlh, KTAP_A_ID, 42);
	mnl_attr_put_u32(nlh, KTAP_A_BLOB_OFFSET, at);
	if (size > KTAP_BLOB_CHUNK)
		size = KTAP_BLOB_CHUNK;
	if (size)
		mnl_attr_put(nlh, KTAP_A_BLOB_DATA, size, module.blob + at);
	fake_end(nlh);
}

static void handle(uint8_t cmd, const struct nlattr *const *attrs)
{
	struct nlmsghdr *nlh;

	if (cmd == module.refuse && !module.after--) {
		fake_refuse(module.error, module.text, module.attr,
			    module.missing, !module.uncapped);
		if (module.cookie)
			fake_cookie(module.cookie);
		if (module.fail_receive)
			fake_receive_error(module.fail_receive);
		return;
	}
	switch (cmd) {
	case KTAP_CMD_INFO_GET:
		answer_info();
		break;
	case KTAP_CMD_PROBE_NEW:
		if (attrs[KTAP_A_BLOB_DATA])
			take_chunk(attrs);
		nlh = fake_answer(0);
		mnl_attr_put_u32(nlh, KTAP_A_ID, 42);
		fake_end(nlh);
		break;
	case KTAP_CMD_BLOB_PUT:
		take_blob(attrs);
		break;
	case KTAP_CMD_BLOB_GET:
		answer_blob(attrs);
		break;
	default:
		break;
	}
	fake_next_datagram();
	fake_ack();
}

static int start(void **state)
{
	memset(&module, 0, sizeof(module));
	module.abi = KTAP_ABI;
	module.limits_size = sizeof(struct ktap_limits);
	fake_reset(handle);
	return 0;
}

static int stop(void **state)
{
	assert_int_equal(fake.open, 0);
	return 0;
}

static struct ctl *open_ctl(void)
{
	struct ctl *ctl = NULL;
	struct diag d = {};

	assert_int_equal(ctl_open(&d, &ctl), 0);
	assert_int_equal(d.code, DIAG_OK);
	return ctl;
}

static void expect(struct diag *d, enum diag_code code, const char *text)
{
	assert_int_equal(d->code, code);
	assert_non_null(strstr(d->message, text));
	diag_clear(d);
}

/* The attribute of the last request, or NULL. */
static const struct nlattr *sent(unsigned int type)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, (struct nlmsghdr *)fake.request,
			  sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

/* ---- open ---- */

static void test_open(void **state)
{
	struct ctl *ctl = open_ctl();

	assert_true(fake.options & 1U << NETLINK_EXT_ACK);
	assert_int_equal(fake.nr_cmds, 1);
	assert_int_equal(fake.cmds[0], KTAP_CMD_INFO_GET);
	assert_int_equal(fake.open, 1);
	ctl_close(ctl);
	ctl_close(NULL);
}

static void open_fails(int err, enum diag_code code, const char *text,
		       const char *hint)
{
	struct ctl *ctl = NULL;
	struct diag d = {};

	assert_int_equal(ctl_open(&d, &ctl), err);
	assert_null(ctl);
	assert_int_equal(fake.open, 0);
	if (hint)
		assert_string_equal(d.hint, hint);
	expect(&d, code, text);
	/* nobody has to want the text */
	fake.tail = 0;
	fake.head = 0;
	memset(fake.queue, 0, sizeof(fake.queue));
	module.after = 0;
	assert_int_equal(ctl_open(NULL, &ctl), err);
}

static void test_not_loaded(void **state)
{
	fake.loaded = false;
	open_fails(-ENOENT, DIAG_WIRE_NOT_LOADED, "not loaded", "modprobe ktap");
}

static void test_not_permitted(void **state)
{
	module.refuse = KTAP_CMD_INFO_GET;
	module.error = -EPERM;
	module.text = "whatever the kernel says";
	open_fails(-EPERM, DIAG_WIRE_NO_CAPABILITY, "CAP_PERFMON", "run it as root");
}

static void test_abi(void **state)
{
	module.abi = KTAP_ABI + 1;
	open_fails(-EPROTO, DIAG_CTL_OLD_TOOL, "update the tool", NULL);
	fake_reset(handle);
	module.abi = KTAP_ABI - 1;
	open_fails(-EPROTO, DIAG_CTL_OLD_MODULE, "update the module", NULL);
}

static void answer_other_abi(uint8_t cmd, const struct nlattr *const *attrs)
{
	struct nlmsghdr *nlh = fake_answer(0);

	mnl_attr_put_u32(nlh, KTAP_A_ABI, module.abi);
	mnl_attr_put_u8(nlh, KTAP_A_ARCH, 3); /* another type than ours */
	fake_end(nlh);
	fake_next_datagram();
	fake_ack();
}

/* Only the number is looked at where the ABI differs. */
static void test_abi_only(void **state)
{
	fake_reset(answer_other_abi);
	module.abi = UINT32_MAX;
	open_fails(-EPROTO, DIAG_CTL_OLD_TOOL, "ABI 4294967295 and this tool ABI 2", NULL);
}

static void test_socket_errors(void **state)
{
	fake.open_errno = EPROTONOSUPPORT;
	open_fails(-EPROTONOSUPPORT, DIAG_CTL_SOCKET, "Protocol not supported", NULL);
	fake.open_errno = 0;
	fake.bind_errno = ENOMEM;
	open_fails(-ENOMEM, DIAG_CTL_SOCKET, "Cannot allocate", NULL);
	fake.bind_errno = 0;
	fake.send_errno = ECONNREFUSED;
	open_fails(-ECONNREFUSED, DIAG_CTL_SOCKET, "refused", NULL);
}

/* ---- info ---- */

static void check_info(size_t limits_size, uint32_t nr_probes)
{
	struct ctl *ctl = open_ctl();
	struct ctl_info info;

	module.limits_size = limits_size;
	assert_int_equal(ctl_info(ctl, NULL, &info), 0);
	assert_int_equal(info.abi, KTAP_ABI);
	assert_string_equal(info.version, "1.2-3-gabc");
	assert_int_equal(info.arch, KTAP_ARCH_ARM64);
	assert_int_equal(info.features, KTAP_FEATURE_KPROBE);
	assert_int_equal(info.clock, KTAP_CLOCK_CNTVCT);
	assert_int_equal(info.limits.ring_default, 1 << 20);
	assert_int_equal(info.limits.nr_probes, nr_probes);
	assert_true(info.anchor == 0xffffffff81234560);
	assert_true(info.symbols == 0x123456789a);
	ctl_close(ctl);
}

/* A module that knows more limits, and one that knows fewer. */
static void test_info(void **state)
{
	check_info(sizeof(struct ktap_limits), 3);
	fake_reset(handle);
	check_info(sizeof(struct ktap_limits) + 8, 3);
	fake_reset(handle);
	check_info(8, 0);
}

/* An older module sends no such attribute. */
static void test_unwinder(void **state)
{
	struct ctl *ctl = open_ctl();
	uint32_t unwinder = 99;

	assert_null(sent(KTAP_A_VERBOSE));
	assert_int_equal(ctl_unwinder(ctl, NULL, &unwinder), 0);
	assert_int_equal(unwinder, 0);
	assert_non_null(sent(KTAP_A_VERBOSE));
	module.unwinder = KTAP_UNWINDER_RECORDS;
	assert_int_equal(ctl_unwinder(ctl, NULL, &unwinder), 0);
	assert_int_equal(unwinder, KTAP_UNWINDER_RECORDS);
	ctl_close(ctl);
}

/* ---- probes ---- */

static const struct ktap_insn insns[] = {
	{ .op = KTAP_OP_REG, .imm = KTAP_X86_64_DI }, { .op = KTAP_OP_END },
};

static struct ctl_probe_new small_probe(void)
{
	return (struct ctl_probe_new){
		.name = "g:e", .type = KTAP_TYPE_KPROBE, .symbol = "f",
		.offset = 4, .insns = insns, .nr_insns = 2,
	};
}

static void test_probe_new(void **state)
{
	struct ctl_probe_new req = small_probe();
	struct ctl *ctl = open_ctl();
	uint32_t id = 0;

	assert_int_equal(ctl_probe_new(ctl, &req, NULL, &id), 0);
	assert_int_equal(id, 42);
	assert_string_equal(mnl_attr_get_str(sent(KTAP_A_NAME)), "g:e");
	assert_int_equal(mnl_attr_get_u32(sent(KTAP_A_TYPE)), KTAP_TYPE_KPROBE);
	assert_string_equal(mnl_attr_get_str(sent(KTAP_A_SYMBOL)), "f");
	assert_int_equal(mnl_attr_get_u64(sent(KTAP_A_OFFSET)), 4);
	assert_int_equal(mnl_attr_get_payload_len(sent(KTAP_A_PROG)), sizeof(insns));
	assert_memory_equal(mnl_attr_get_payload(sent(KTAP_A_PROG)), insns, sizeof(insns));
	assert_null(sent(KTAP_A_ADDR));
	assert_null(sent(KTAP_A_FLAGS));
	assert_null(sent(KTAP_A_BLOB_SIZE));

	req.symbol = NULL;
	req.address = 0xffffffff81000000;
	req.flags = KTAP_PROBE_F_TRANSIENT;
	assert_int_equal(ctl_probe_new(ctl, &req, NULL, &id), 0);
	assert_int_equal(mnl_attr_get_u64(sent(KTAP_A_ADDR)), 0xffffffff81000000);
	assert_int_equal(mnl_attr_get_u32(sent(KTAP_A_FLAGS)), KTAP_PROBE_F_TRANSIENT);
	assert_null(sent(KTAP_A_SYMBOL));
	assert_null(sent(KTAP_A_OFFSET));
	ctl_close(ctl);
}

/* A blob of two whole chunks and a rest. */
static char *make_blob(size_t size)
{
	char *blob = malloc(size);
	size_t i;

	for (i = 0; i < size; i++)
		blob[i] = i % 251;
	return blob;
}

static void test_blob(void **state)
{
	static const size_t sizes[] = { 1, 8191, 8192, 8193, 16384, 20000 };
	struct ctl_probe_new req = small_probe();
	struct ctl *ctl;
	size_t i, got_size;
	uint32_t id;
	char *blob;
	void *got;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		start(NULL);
		ctl = open_ctl();
		blob = make_blob(sizes[i]);
		req.blob = blob;
		req.blob_size = sizes[i];
		assert_int_equal(ctl_probe_new(ctl, &req, NULL, &id), 0);
		assert_int_equal(module.blob_size, sizes[i]);
		assert_memory_equal(module.blob, blob, sizes[i]);
		assert_int_equal(fake.nr_cmds, 1 + (sizes[i] + 8191) / 8192);
		assert_int_equal(ctl_blob_get(ctl, 42, NULL, &got, &got_size), 0);
		assert_int_equal(got_size, sizes[i]);
		assert_memory_equal(got, blob, sizes[i]);
		free(got);
		free(blob);
		ctl_close(ctl);
	}
}

/* The second chunk is refused: the probe goes, the reason stays. */
static void test_rollback(void **state)
{
	struct ctl_probe_new req = small_probe();
	struct ctl *ctl = open_ctl();
	struct diag d = {};
	uint32_t id = 7;
	char *blob = make_blob(20000);

	req.blob = blob;
	req.blob_size = 20000;
	module.refuse = KTAP_CMD_BLOB_PUT;
	module.after = 1;
	module.error = -ENOSPC;
	module.text = "all blobs together are too large";
	module.attr = KTAP_A_BLOB_DATA;
	assert_int_equal(ctl_probe_new(ctl, &req, &d, &id), -ENOSPC);
	assert_int_equal(id, 7);
	assert_int_equal(ctl_attr(ctl), KTAP_A_BLOB_DATA);
	assert_int_equal(fake.nr_cmds, 5);
	assert_int_equal(fake.cmds[4], KTAP_CMD_PROBE_DEL);
	assert_int_equal(mnl_attr_get_u32(sent(KTAP_A_ID)), 42);
	expect(&d, DIAG_CTL_REFUSED, "all blobs together are too large");
	free(blob);
	ctl_close(ctl);
}

/* sent() gave KTAP_A_IDS of these two. */
static void is_many(const uint32_t *ids)
{
	const struct nlattr *got = sent(KTAP_A_IDS);

	assert_int_equal(mnl_attr_get_payload_len(got), 2 * sizeof(*ids));
	assert_memory_equal(mnl_attr_get_payload(got), ids, 2 * sizeof(*ids));
}

/* Five in one message; the third is refused, and no other suffers. */
static void test_batch(void **state)
{
	struct ctl_probe_new reqs[5];
	struct ctl_new results[5];
	struct ctl *ctl = open_ctl();
	size_t sends = fake.nr_sends, i;
	struct diag d = {};
	char blob[5] = "blob";

	for (i = 0; i < 5; i++)
		reqs[i] = small_probe();
	reqs[4].blob = blob;
	reqs[4].blob_size = sizeof(blob);
	module.refuse = KTAP_CMD_PROBE_NEW;
	module.after = 2;
	module.error = -EILSEQ;
	module.text = "not on an instruction boundary";
	module.attr = KTAP_A_OFFSET;
	assert_int_equal(ctl_probes_new(ctl, reqs, 5, results, &d), 5);
	assert_int_equal(fake.nr_sends, sends + 1);
	for (i = 0; i < 5; i++) {
		assert_int_equal(results[i].id, i == 2 ? 0 : 42);
		assert_int_equal(results[i].err, i == 2 ? -EILSEQ : 0);
	}
	assert_int_equal(results[2].attr, KTAP_A_OFFSET);
	assert_int_equal(ctl_new_diag(&results[2], &d), -EILSEQ);
	expect(&d, DIAG_CTL_REFUSED, "not on an instruction boundary");
	assert_memory_equal(module.blob, blob, sizeof(blob));
	ctl_close(ctl);
}

/* What is too much for one message goes with the next. */
static void test_batch_of_large(void **state)
{
	static struct ktap_insn many[900];
	struct ctl_probe_new reqs[8];
	struct ctl_new results[8];
	struct ctl *ctl = open_ctl();
	size_t i, done = 0, sends = fake.nr_sends;
	int n;

	for (i = 0; i < 8; i++) {
		reqs[i] = small_probe();
		reqs[i].insns = many;
		reqs[i].nr_insns = 900;
	}
	while (done < 8) {
		n = ctl_probes_new(ctl, reqs + done, 8 - done, results, NULL);
		assert_true(n > 0);
		for (i = 0; i < (size_t)n; i++)
			assert_int_equal(results[i].id, 42);
		done += n;
	}
	/* 14400 bytes each, in 65536 */
	assert_int_equal(fake.nr_sends, sends + 2);
	assert_int_equal(fake.nr_cmds, 1 + 8);
	ctl_close(ctl);
}

/* The socket fails: that is not any one request's fault. */
static void test_batch_without_socket(void **state)
{
	struct ctl_probe_new req = small_probe();
	struct ctl *ctl = open_ctl();
	struct ctl_new result;
	struct diag d = {};

	fake.send_errno = ENOBUFS;
	assert_int_equal(ctl_probes_new(ctl, &req, 1, &result, &d), -ENOBUFS);
	expect(&d, DIAG_CTL_SOCKET, "");
	ctl_close(ctl);
}

/* An earlier refusal, in the batch or before, is not why the socket fails. */
static void test_batch_after_refusal(void **state)
{
	struct ctl_probe_new reqs[3] = { small_probe(), small_probe(), small_probe() };
	struct ctl_new results[3];
	struct ctl *ctl = open_ctl();
	struct diag d = {};

	module.refuse = KTAP_CMD_PROBE_DEL;
	module.error = -ENOENT;
	module.text = "there is no such probe";
	module.attr = KTAP_A_ID;
	assert_int_equal(ctl_probe_del(ctl, 1, NULL), -ENOENT);
	fake.send_errno = ENOBUFS;
	assert_int_equal(ctl_probes_new(ctl, reqs, 3, results, &d), -ENOBUFS);
	expect(&d, DIAG_CTL_SOCKET, "");
	assert_int_equal(ctl_attr(ctl), 0);
	fake.send_errno = 0;
	module.refuse = KTAP_CMD_PROBE_NEW;
	module.attr = KTAP_A_NAME;
	module.after = 1;
	module.fail_receive = ENOBUFS;
	assert_int_equal(ctl_probes_new(ctl, reqs, 3, results, &d), -ENOBUFS);
	expect(&d, DIAG_CTL_SOCKET, "");
	ctl_close(ctl);
}

/* What refuses the rest of a blob is at fault, not what took its beginning. */
static void test_batch_upload(void **state)
{
	struct ctl_probe_new req = small_probe();
	struct ctl *ctl = open_ctl();
	struct ctl_new result;
	struct diag d = {};
	char *blob = make_blob(20000);

	req.blob = blob;
	req.blob_size = 20000;
	module.refuse = KTAP_CMD_BLOB_PUT;
	module.error = -ENOSPC;
	module.text = "all blobs together are too large";
	module.attr = KTAP_A_BLOB_DATA;
	module.cookie = 4711;
	assert_int_equal(ctl_probes_new(ctl, &req, 1, &result, &d), 1);
	assert_int_equal(result.err, -ENOSPC);
	assert_int_equal(result.attr, KTAP_A_BLOB_DATA);
	assert_int_equal(result.number, 4711);
	ctl_new_diag(&result, &d);
	assert_non_null(strstr(d.hint, "4711 bytes"));
	expect(&d, DIAG_CTL_REFUSED, "all blobs together are too large");
	free(blob);
	ctl_close(ctl);
}

static void test_set_and_del(void **state)
{
	static const uint32_t many[] = { 17, 19 };
	struct ctl *ctl = open_ctl();

	assert_int_equal(ctl_probes_enable(ctl, many, 2, true, NULL), 0);
	assert_int_equal(fake.cmds[1], KTAP_CMD_PROBE_SET);
	is_many(many);
	assert_int_equal(mnl_attr_get_u8(sent(KTAP_A_ENABLED)), 1);
	assert_int_equal(ctl_probes_enable(ctl, many, 2, false, NULL), 0);
	assert_int_equal(mnl_attr_get_u8(sent(KTAP_A_ENABLED)), 0);
	assert_int_equal(ctl_probe_del(ctl, 18, NULL), 0);
	assert_int_equal(fake.cmds[3], KTAP_CMD_PROBE_DEL);
	assert_int_equal(mnl_attr_get_u32(sent(KTAP_A_ID)), 18);
	assert_int_equal(ctl_probes_del(ctl, many, 2, NULL), 0);
	assert_int_equal(fake.cmds[4], KTAP_CMD_PROBE_DEL);
	is_many(many);
	ctl_close(ctl);
}

#define module_test(f) cmocka_unit_test_setup_teardown(f, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		module_test(test_open),
		module_test(test_not_loaded),
		module_test(test_not_permitted),
		module_test(test_abi),
		module_test(test_abi_only),
		module_test(test_socket_errors),
		module_test(test_info),
		module_test(test_unwinder),
		module_test(test_probe_new),
		module_test(test_blob),
		module_test(test_rollback),
		module_test(test_batch),
		module_test(test_batch_of_large),
		module_test(test_batch_without_socket),
		module_test(test_batch_after_refusal),
		module_test(test_batch_upload),
		module_test(test_set_and_del),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
