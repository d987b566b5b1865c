// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any text as a definition. What is accepted must have a
 * canonical form that is accepted too and is its own canonical form; what is
 * refused must say where, inside of the text. Then it is compiled, as it is and
 * with the names of a function's parameters, which leave its canonical form.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bind/bind.h"
#include "codegen/compile.h"
#include "tests/btf_made.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int ok)
{
	if (!ok)
		abort();
}

static void check_refusal(const struct diag *d, const char *text)
{
	require(d->code != DIAG_OK && d->message && d->length);
	require(!strcmp(d->source, text) && d->column <= strlen(text));
}

/* No symbols are needed to make code for what does not name any. */
static void compile(const struct probe_spec *spec)
{
	_cleanup_(terms_freep) struct terms *terms = NULL;
	struct place place = { .symbol = spec->place.symbol };
	struct program *program = NULL;
	struct diag d = {};

	if (spec->kind != SPEC_PROBE)
		return;
	require(!bind_start(spec, &d, &terms));
	if (compile_probe(terms, &place, NULL, KTAP_ARCH_X86_64, &d, &program))
		check_refusal(&d, spec->text);
	program_free(program);
	diag_clear(&d);
}

/* With the parameters of a function, at its entry or return. */
static void expand(const struct probe_spec *spec)
{
	_cleanup_(terms_freep) struct terms *terms = NULL;
	_cleanup_free_ char *before = spec_canonical(spec), *after = NULL;
	static struct kbtf *kb;
	struct place place = {
		.type = spec->place.is_return ? KTAP_TYPE_KRETPROBE :
						KTAP_TYPE_KPROBE,
		.is_entry = true,
		.symbol = (char *)(spec->nr_args % 2 ? "vfs_read" : "by_value"),
	};
	struct program *program = NULL;
	struct diag d = {};

	if (spec->kind != SPEC_PROBE)
		return;
	require(!bind_start(spec, &d, &terms));
	if (!kb)
		kb = kbtf_of(btf_made());
	require(kb && before);
	if (vars_expand(terms, &place, KTAP_ARCH_ARM64, kb, NULL, &d) ||
	    compile_probe(terms, &place, NULL, KTAP_ARCH_ARM64, &d, &program))
		check_refusal(&d, spec->text);
	after = spec_canonical(spec);
	require(after && !strcmp(before, after));
	program_free(program);
	diag_clear(&d);
}

static void check_accepted(const struct probe_spec *spec)
{
	_cleanup_(spec_freep) struct probe_spec *again = NULL;
	_cleanup_free_ char *text = NULL, *twice = NULL, *name = NULL;

	if (spec->kind != SPEC_PROBE)
		return;
	name = spec_default_name(spec);
	text = spec_canonical(spec);
	require(name && strlen(name) < KTAP_NAME_MAX && text);
	require(!spec_parse(text, NULL, &again));
	twice = spec_canonical(again);
	require(!strcmp(text, twice) && again->nr_args == spec->nr_args);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(spec_freep) struct probe_spec *spec = NULL;
	_cleanup_free_ char *text = strndup((const char *)data, size);
	struct diag d = {};

	if (spec_parse(text, &d, &spec)) {
		check_refusal(&d, text);
	} else {
		check_accepted(spec);
		compile(spec);
		expand(spec);
	}
	diag_clear(&d);
	return 0;
}
