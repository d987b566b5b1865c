// SPDX-License-Identifier: GPL-2.0
/* Programs in a fake machine. */
#include "fetch/run.h"

#include <stdlib.h>

#include "hit/fetch.h"
#include "hit/verify.h"
#include "made_state.h"
#include "ready.h"

u8 *payload;
int len;

static struct env_regs regs;

int run_setup(void **state)
{
	static const u64 stack[] = { 0x1111, 0x2222, 0xfedcba9876543210 };
	unsigned int i;

	env_reset();
	for (i = 0; i < ENV_NR_REGS; i++)
		regs.r[i] = 0x1000 + i;
	regs.stack = stack;
	regs.nr_stack = 3;
	return 0;
}

int run_teardown(void **state)
{
	free(payload);
	payload = NULL;
	return 0;
}

void run(const struct ktap_insn *insns, u32 nr)
{
	struct ktap_frame frame = { .regs = &regs };
	struct ktap_prog_info info;
	struct ktap_insn *ready;
	enum ktap_refusal why;
	size_t room;
	u32 at;

	why = ktap_verify(insns, nr, NULL, &info, &at);
	if (why)
		fail_msg("refused at %u: %s", at, ktap_refusal_text(why));
	made_state(&info);
	room = info.room;
	free(payload);
	payload = malloc(room);
	assert_true(payload || !room);
	memset(payload, 0xee, room);
	ready = ready_program(insns, nr);
	len = ktap_fetch_run(ready, &info, &frame, payload, NULL);
	free(ready);
	assert_true(len <= (int)room);
	assert_true(len < 0 || len % 8 == 0);
}

u64 word(u32 off)
{
	u64 v;

	assert_true((int)off + 8 <= len);
	memcpy(&v, payload + off, sizeof(v));
	return v;
}

struct ktap_string string_at(u32 off)
{
	struct ktap_string s;

	memcpy(&s, payload + off, sizeof(s));
	return s;
}
