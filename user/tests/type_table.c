// SPDX-License-Identifier: GPL-2.0
#include "tests/type_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <bpf/btf.h>
#include <cmocka.h>

#include "types/table.h"

struct btf *type_table(const struct btf *from, uint32_t type, uint32_t *id)
{
	struct typetab tab = {};
	struct btf *ret = NULL;
	const void *data;
	const char *why;
	uint32_t size;

	assert_int_equal(typetab_add(&tab, from, type, id), 0);
	assert_true(*id);
	data = btf__raw_data(tab.btf, &size);
	why = typetab_read(data, size, "no memory", &ret);
	if (why)
		fail_msg("%s", why);
	btf__free(tab.btf);
	typetab_deinit(&tab);
	return ret;
}
