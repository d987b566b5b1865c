// SPDX-License-Identifier: GPL-2.0
/* Definitions taken through the tool, for tests. */
#include "tests/built.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char table[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 T vfs_read\n"
	"ffffffff81000200 T vfs_write\n"
	"ffffffff81000280 T __x64_sys_openat\n"
	"ffffffff81000300 t twin\n"
	"ffffffff81000400 t twin\n"
	"ffffffff81000500 T _etext\n"
	"ffffffff81001000 D counter\n"
	"ffffffff81001100 R banner\n"
	"ffffffffc0001000 t xfs_read\t[xfs]\n";

int built_load(const char *text, struct diag *d, struct ksyms **ret)
{
	char path[] = "/tmp/built.XXXXXX";
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err = ksyms_load(path, d, ret);
	unlink(path);
	return err;
}

struct ksyms *built_symbols(void)
{
	struct ksyms *ks = NULL;

	assert_int_equal(built_load(table, NULL, &ks), 0);
	return ks;
}

int built_finish(struct built *b, const struct ksyms *ks, enum ktap_arch arch,
		 struct diag *d)
{
	int err = compile_probe(b->terms, &b->place, ks, arch, d, &b->program);

	if (!err)
		b->program->layout->definition = spec_canonical(b->spec);
	return err;
}

int built_compile(const struct probe_spec *spec, const struct place *place,
		  const struct ksyms *ks, enum ktap_arch arch, struct diag *d,
		  struct program **ret)
{
	_cleanup_(terms_freep) struct terms *terms = NULL;
	int err = bind_start(spec, d, &terms);

	if (!err)
		err = bind_marks(terms, place, d);
	return err ? err : compile_probe(terms, place, ks, arch, d, ret);
}

int built_init(struct built *b, const struct ksyms *ks, const char *text,
	       enum ktap_arch arch, struct diag *d)
{
	int err;

	*b = (struct built){};
	err = spec_parse(text, d, &b->spec);
	if (!err)
		err = ksyms_resolve(ks, b->spec, d, &b->place);
	if (!err)
		err = bind_start(b->spec, d, &b->terms);
	if (!err)
		err = bind_marks(b->terms, &b->place, d);
	return err ? err : built_finish(b, ks, arch, d);
}

void built_deinit(struct built *b)
{
	terms_free(b->terms);
	spec_free(b->spec);
	place_deinit(&b->place);
	program_free(b->program);
}

const struct field *built_field(const struct built *b, const char *name)
{
	const struct layout *layout = b->program->layout;
	size_t i;

	for (i = 0; i < layout->nr_fields; i++)
		if (!strcmp(layout->fields[i].name, name))
			return &layout->fields[i];
	fail_msg("no field %s", name);
	return NULL;
}
