// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: a kernel that answers anything. The first byte is what is asked; the
 * rest are messages, their attributes, and bytes that are changed in them. What comes
 * out is complete, or there is a reason.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake_genl.h"
#include "wire/ctl.h"

#define MESSAGES_MAX	30	/* to one request */
#define IN_DATAGRAM	3
#define ATTRS_MAX	20
#define VALUE_MAX	255

static struct fuzz_bytes input;

/* ---- what the kernel says ------------------------------------------------------------ */

/* Mostly of a size that its type may have. */
static uint16_t value_size(void)
{
	static const uint16_t sizes[] = {
		1, 4, 4, 8, 8, 0, 12, 16, sizeof(struct ktap_limits),
		sizeof(struct ktap_counts), sizeof(struct ktap_returns),
		sizeof(struct ktap_frames), sizeof(struct ktap_offsets),
	};
	uint8_t which = fuzz_byte(&input);

	if (which < 13 * 16)
		return sizes[which / 16];
	return fuzz_byte(&input) % (VALUE_MAX + 1);
}

static void put_attr(struct nlmsghdr *nlh, uint16_t type, uint16_t size)
{
	uint8_t value[VALUE_MAX + 1], i;
	bool text = fuzz_byte(&input) & 1;

	for (i = 0; i < size; i++)
		value[i] = text ? 'a' + fuzz_byte(&input) % 26 :
				  fuzz_byte(&input);
	if (text && size)
		value[size - 1] = 0;
	mnl_attr_put(nlh, type, size, value);
}

static void put_attrs(struct nlmsghdr *nlh)
{
	unsigned int nr = fuzz_byte(&input) % ATTRS_MAX;

	while (nr-- && input.left) {
		uint8_t type = fuzz_byte(&input) % (KTAP_A_MAX + 3);

		put_attr(nlh, type, value_size());
	}
}

/* What every probe, total and session has: or all would end at the first. */
static void put_usual(struct nlmsghdr *nlh)
{
	mnl_attr_put_u32(nlh, KTAP_A_ID, 16 + fuzz_byte(&input));
	mnl_attr_put_strz(nlh, KTAP_A_NAME, "name");
	mnl_attr_put_u32(nlh, KTAP_A_TYPE, 1 + fuzz_byte(&input) % 8);
	mnl_attr_put_u32(nlh, KTAP_A_FLAGS, 0);
	mnl_attr_put_u64(nlh, KTAP_A_SESSION, 1);
	mnl_attr_put_u32(nlh, KTAP_A_OWNER_PID, 1);
	mnl_attr_put_u32(nlh, KTAP_A_CPU, fuzz_byte(&input));
	mnl_attr_put_strz(nlh, KTAP_A_HOOK, "kprobe");
	mnl_attr_put_u32(nlh, KTAP_A_BLOB_OFFSET, 0);
}

static struct nlmsghdr *put_message(uint16_t flags)
{
	struct nlmsghdr *nlh = fake_answer(flags);

	if (fuzz_byte(&input) & 1)
		put_usual(nlh);
	put_attrs(nlh);
	fake_end(nlh);
	return nlh;
}

static void put_junk(void)
{
	struct nlmsghdr *nlh = fake_message(fuzz_byte(&input), fuzz_word(&input),
					    fuzz_byte(&input),
					    fuzz_byte(&input) % 64);

	fake_end(nlh);
}

/* One byte of a message, its length and type included. */
static void spoil(struct nlmsghdr *nlh)
{
	uint8_t *bytes = (uint8_t *)nlh;
	size_t size = nlh->nlmsg_len;

	if (fuzz_byte(&input) % 4 == 0)
		bytes[fuzz_word(&input) % size] = fuzz_byte(&input);
}

static void answer_once(void)
{
	switch (fuzz_byte(&input) % 8) {
	case 0:
		fake_ack();
		break;
	case 1:
		fake_done(fuzz_byte(&input) & 1 ? -fuzz_byte(&input) : 0,
			  fuzz_byte(&input) & 1 ? "text" : NULL);
		break;
	case 2:
		fake_refuse(-(fuzz_byte(&input) % 140), "text", 0,
			    fuzz_byte(&input), fuzz_byte(&input) & 1);
		break;
	case 3:
		put_junk();
		break;
	case 4:
		fake_next_datagram();
		break;
	default:
		spoil(put_message(fuzz_byte(&input) & 1 ? NLM_F_MULTI : 0));
	}
}

static void handle(uint8_t cmd, const struct nlattr *const *attrs)
{
	unsigned int i;

	(void)attrs;
	/* what was not received of the last answer is not there any more */
	fake.head = 0;
	fake.tail = 0;
	fake.nr_cmds = 0;
	for (i = 0; i < 64; i++) {
		fake.queue[i].size = 0;
		fake.queue[i].error = 0;
	}
	if (cmd == KTAP_CMD_INFO_GET && fuzz_byte(&input) % 4) {
		struct nlmsghdr *nlh = fake_answer(0);

		mnl_attr_put_u32(nlh, KTAP_A_ABI, KTAP_ABI);
		fake_end(nlh);
		fake_ack();
		return; /* the bytes are for what is asked next */
	}
	for (i = 0; i < MESSAGES_MAX && input.left; i++) {
		if (i % IN_DATAGRAM == 0)
			fake_next_datagram();
		answer_once();
	}
	/* then the socket breaks */
	fake_receive_error(EIO);
}

/* ---- what is asked ------------------------------------------------------------------- */

static size_t of_probes(struct ctl *ctl, struct diag *d, int *err)
{
	struct ctl_probes list = {};
	size_t i, sum = 0;

	*err = ctl_probes_get(ctl, d, &list);
	for (i = 0; i < list.nr; i++)
		sum += strlen(list.probes[i].name) +
		       (list.probes[i].symbol ? strlen(list.probes[i].symbol) : 0) +
		       (list.probes[i].hook ? strlen(list.probes[i].hook) : 0);
	ctl_probes_deinit(&list);
	return sum;
}

static size_t of_stats(struct ctl *ctl, struct diag *d, int *err)
{
	struct ctl_stats_list list = {};
	size_t i, sum = 0;

	*err = ctl_stats_get(ctl, true, d, &list);
	for (i = 0; i < list.nr; i++)
		sum += list.rows[i].name ? strlen(list.rows[i].name) : 0;
	ctl_stats_deinit(&list);
	return sum;
}

static size_t of_sessions(struct ctl *ctl, struct diag *d, int *err)
{
	struct ctl_sessions list = {};
	size_t i, sum = 0;

	*err = ctl_sessions_get(ctl, d, &list);
	for (i = 0; i < list.nr; i++)
		sum += list.sessions[i].comm ? strlen(list.sessions[i].comm) : 0;
	ctl_sessions_deinit(&list);
	return sum;
}

static size_t of_blob(struct ctl *ctl, struct diag *d, int *err)
{
	void *blob = NULL;
	size_t size = 0, i, sum = 0;

	*err = ctl_blob_get(ctl, 16, d, &blob, &size);
	for (i = 0; !*err && i < size; i++)
		sum += ((uint8_t *)blob)[i];
	free(blob);
	return sum;
}

static size_t of_new(struct ctl *ctl, struct diag *d, int *err)
{
	static const struct ktap_insn end = { .op = KTAP_OP_END };
	const struct ctl_probe_new reqs[2] = {
		{ .name = "a", .type = KTAP_TYPE_KPROBE, .symbol = "f",
		  .insns = &end, .nr_insns = 1, .blob = "blob", .blob_size = 4 },
		{ .name = "b", .type = KTAP_TYPE_KPROBE, .symbol = "g",
		  .insns = &end, .nr_insns = 1 },
	};
	struct ctl_new results[2] = {};
	int sent = ctl_probes_new(ctl, reqs, 2, results, d), i;
	size_t sum = 0;

	*err = sent < 0 ? sent : 0;
	for (i = 0; i < sent; i++)
		sum += strlen(results[i].text) + results[i].id;
	return sum;
}

static size_t of_one(struct ctl *ctl, struct diag *d, int *err)
{
	struct ctl_probe_new req = { .name = "a", .type = KTAP_TYPE_KPROBE,
				     .symbol = "f" };
	uint32_t id = 0;

	*err = ctl_probe_new(ctl, &req, d, &id);
	return id;
}

static size_t of_info(struct ctl *ctl, struct diag *d, int *err)
{
	struct ctl_info info = {};

	*err = ctl_info(ctl, d, &info);
	return *err ? 0 : strlen(info.version);
}

static size_t of_del(struct ctl *ctl, struct diag *d, int *err)
{
	const uint32_t ids[] = { 16, 17 };

	*err = ctl_probes_del(ctl, ids, 2, d);
	return 0;
}

static size_t (*const asks[])(struct ctl *ctl, struct diag *d, int *err) = {
	of_probes, of_stats, of_sessions, of_blob, of_new, of_one, of_info, of_del,
};

const char *fuzz_answers(const uint8_t *data, size_t size)
{
	const char *problem = NULL;
	struct ctl *ctl = NULL;
	struct diag d = {};
	int err = 0;

	input = (struct fuzz_bytes){ data, size };
	fake_reset(handle);
	if (!ctl_open(&d, &ctl)) {
		asks[fuzz_byte(&input) % 8](ctl, &d, &err);
		if (err && !d.message)
			problem = "it failed without a reason";
		if (err > 0)
			problem = "an error that is none";
		ctl_close(ctl);
	} else if (!d.message) {
		problem = "not opened, without a reason";
	}
	diag_clear(&d);
	if (!problem && fake.open)
		problem = "a socket is left open";
	return problem;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (fuzz_answers(data, size))
		abort();
	return 0;
}
