// SPDX-License-Identifier: GPL-2.0
#include "arch/code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/**
 * struct decoder - knows the instructions of an architecture
 * @arch: which
 * @rets: see code_find_rets()
 * @calls: see code_find_calls()
 * @insn_at: see code_insn_at(); NULL: all instructions have one size
 * @has_site: see code_has_site()
 * @veneer_to: see code_veneer_to(); NULL: calls reach all code
 */
struct decoder {
	enum ktap_arch arch;
	int (*rets)(const struct code_view *code, struct code_rets *ret);
	int (*calls)(const struct code_view *code, struct code_calls *ret);
	uint64_t (*insn_at)(const struct code_view *code, uint64_t at);
	bool (*has_site)(const struct code_view *code);
	uint64_t (*veneer_to)(const struct code_view *code);
};

static const struct decoder decoders[] = {
	{
		.arch = KTAP_ARCH_X86_64,
		.rets = code_x86_64_rets,
		.calls = code_x86_64_calls,
		.insn_at = code_x86_64_insn_at,
		.has_site = code_x86_64_has_site,
	}, {
		.arch = KTAP_ARCH_ARM64,
		.rets = code_arm64_rets,
		.calls = code_arm64_calls,
		.has_site = code_arm64_has_site,
		.veneer_to = code_arm64_veneer_to,
	},
};

/* struct role - of functions whose names begin so */
struct role {
	const char *prefix;
	enum code_role role;
};

/* No name is used by two architectures. */
static const struct role prefixes[] = {
	{ "__x86_indirect_", CODE_INDIRECT },
	{ "__SCT__", CODE_PART },
	{ "__x86_return_", CODE_SUPPORT },
	{ "its_return_thunk", CODE_SUPPORT },
	{ "call_depth_return_thunk", CODE_SUPPORT },
	{ "srso_", CODE_SUPPORT },
	{ "retbleed_", CODE_SUPPORT },
	{ "__asan_", CODE_SUPPORT },
	{ "__kasan_", CODE_SUPPORT },
	{ "__hwasan_", CODE_SUPPORT },
	{ "__tsan_", CODE_SUPPORT },
	{ "__kcsan_", CODE_SUPPORT },
	{ "__msan_", CODE_SUPPORT },
	{ "__ubsan_", CODE_SUPPORT },
	{ "__sanitizer_cov_", CODE_SUPPORT },
};

/* CODE_SUPPORT, too. Other functions begin with these names: memcpy_extent_buffer() of btrfs. */
static const char *const support[] = {
	"__fentry__",
	"_mcount",
	"ftrace_caller",
	"ftrace_regs_caller",
	"ftrace_stub",
	"__static_call_return0",
	"__stack_chk_fail",
	"memcpy",
	"__memcpy",
	"memcpy_orig",
	"memcpy_erms",
	"memmove",
	"__memmove",
	"memmove_erms",
	"memset",
	"__memset",
	"memset_orig",
	"memset_erms",
};

static const struct decoder *find(enum ktap_arch arch)
{
	for (size_t i = 0; i < ARRAY_SIZE(decoders); i++)
		if (decoders[i].arch == arch)
			return &decoders[i];
	return NULL;
}

int code_find_rets(enum ktap_arch arch, const struct code_view *code,
		   struct code_rets *ret)
{
	const struct decoder *d = find(arch);

	return d ? d->rets(code, ret) : -ENODATA;
}

int code_find_calls(enum ktap_arch arch, const struct code_view *code,
		    struct code_calls *ret)
{
	const struct decoder *d = find(arch);

	return d ? d->calls(code, ret) : -ENODATA;
}

uint64_t code_insn_at(enum ktap_arch arch, const struct code_view *code, uint64_t at)
{
	const struct decoder *d = find(arch);

	return d && d->insn_at ? d->insn_at(code, at) : 0;
}

int code_rets_add(struct code_rets *rets, uint64_t address)
{
	uint64_t *at = array_grow(rets->at, rets->nr, sizeof(*at));

	if (!at)
		return -ENOMEM;
	rets->at = at;
	at[rets->nr++] = address;
	return 0;
}

void code_rets_deinit(struct code_rets *rets)
{
	free(rets->at);
	rets->at = NULL;
	rets->nr = 0;
}

int code_calls_add(struct code_calls *calls, const struct code_view *code, uint64_t address,
		   bool is_call)
{
	struct code_call *more;

	if (address - code->address < code->size && !(is_call && address == code->address))
		return 0;
	more = array_grow(calls->call, calls->nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	calls->call = more;
	more[calls->nr++] = (struct code_call){ .to = address, .is_jump = !is_call };
	return 0;
}

void code_calls_deinit(struct code_calls *calls)
{
	free(calls->call);
	*calls = (struct code_calls){ 0 };
}

bool code_has_site(enum ktap_arch arch, const struct code_view *code)
{
	const struct decoder *d = find(arch);

	return d && d->has_site(code);
}

uint64_t code_veneer_to(enum ktap_arch arch, const struct code_view *code)
{
	const struct decoder *d = find(arch);

	return d && d->veneer_to ? d->veneer_to(code) : 0;
}

enum code_role code_role(const char *name)
{
	/* GCC and clang put what is seldom executed elsewhere */
	if (strstr(name, ".cold"))
		return CODE_PART;
	/* the same function by the name that early code uses */
	if (!strncmp(name, "__pi_", 5))
		name += 5;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i].prefix, strlen(prefixes[i].prefix)))
			return prefixes[i].role;
	for (size_t i = 0; i < ARRAY_SIZE(support); i++)
		if (!strcmp(name, support[i]))
			return CODE_SUPPORT;
	return CODE_FUNCTION;
}
