// SPDX-License-Identifier: GPL-2.0
/* BTF of the kernel: where it is, and the functions in it. */
#include "types/btf.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types/btf_types.h"

#define KBTF_DIR "/sys/kernel/btf"
#define VMLINUX "vmlinux"

/**
 * struct table - one BTF
 * @module: whose; NULL: the kernel itself
 * @btf: it, on top of that of the kernel; owned
 * @funcs: numbers of the functions that are described there
 * @nr: how many
 * @searched: how often they were searched
 * @sorted: they are sorted by name
 * @next: of the next module
 */
struct table {
	char *module;
	struct btf *btf;
	uint32_t *funcs;
	size_t nr;
	unsigned int searched;
	bool sorted;
	struct table *next;
};

/**
 * struct kbtf - BTF of a kernel and of its modules
 * @dir: where files are; NULL: nowhere
 * @tables: begins with that of the kernel itself
 */
struct kbtf {
	char *dir;
	struct table *tables;
};

/* The library is not to print anything. */
static int say_nothing(enum libbpf_print_level level, const char *format,
		       va_list ap)
{
	return 0;
}

struct kbtf *kbtf_none(void)
{
	libbpf_set_print(say_nothing);
	return calloc(1, sizeof(struct kbtf));
}

struct kbtf *kbtf_new(const char *dir)
{
	struct kbtf *kb = kbtf_none();

	if (!kb)
		return NULL;
	kb->dir = strdup(dir ? dir : KBTF_DIR);
	if (kb->dir)
		return kb;
	free(kb);
	return NULL;
}

static void table_free(struct table *t)
{
	btf__free(t->btf);
	free(t->module);
	free(t->funcs);
	free(t);
}

/* What is built on another one goes before it. */
static void tables_free(struct table *t)
{
	if (!t)
		return;
	tables_free(t->next);
	table_free(t);
}

void kbtf_free(struct kbtf *kb)
{
	if (!kb)
		return;
	tables_free(kb->tables);
	free(kb->dir);
	free(kb);
}

/* ---- reading ----------------------------------------------------------------- */

static const char *name_of(const struct btf *btf, uint32_t id)
{
	return ctype_name_at(btf, btf__type_by_id(btf, id)->name_off);
}

/* The functions of @t that are not those of what it is built on. */
static int list_functions(struct table *t)
{
	const struct btf *base = btf__base_btf(t->btf);
	uint32_t id, first = base ? btf__type_cnt(base) : 1;
	uint32_t end = btf__type_cnt(t->btf);

	t->funcs = calloc(end - first + 1, sizeof(*t->funcs));
	if (!t->funcs)
		return -ENOMEM;
	for (id = first; id < end; id++)
		if (btf_is_func(btf__type_by_id(t->btf, id)))
			t->funcs[t->nr++] = id;
	return 0;
}

/* Takes @btf, also where it fails. */
static struct table *add_table(struct kbtf *kb, const char *module,
			       struct btf *btf)
{
	struct table *t = calloc(1, sizeof(*t)), **end = &kb->tables;

	if (!t) {
		btf__free(btf);
		return NULL;
	}
	t->btf = btf;
	if (module)
		t->module = strdup(module);
	if ((module && !t->module) || list_functions(t)) {
		table_free(t);
		return NULL;
	}
	while (*end)
		end = &(*end)->next;
	*end = t;
	return t;
}

struct kbtf *kbtf_of(struct btf *vmlinux)
{
	struct kbtf *kb = kbtf_none();

	if (kb && add_table(kb, NULL, vmlinux))
		return kb;
	if (!kb)
		btf__free(vmlinux);
	kbtf_free(kb);
	return NULL;
}

struct kbtf *kbtf_of_file(const char *path)
{
	struct kbtf *kb = kbtf_none();
	struct btf *btf = kb ? btf__parse(path, NULL) : NULL;

	if (!btf)
		return kb;
	kbtf_free(kb);
	return kbtf_of(btf);
}

/* Modules are there under their names with '_'. */
static char *path_of(const struct kbtf *kb, const char *module)
{
	char *path, *s;

	if (asprintf(&path, "%s/%s", kb->dir, module ? module : VMLINUX) < 0)
		return NULL;
	for (s = path + strlen(kb->dir); *s; s++)
		if (*s == '-')
			*s = '_';
	return path;
}

static int cannot_read(const char *path, const char *module, int err,
		       struct diag *d)
{
	if (err == -EPROTO || err == -EINVAL)
		return diag_set(d, -EINVAL, DIAG_BTF_READ, path,
				"it is damaged");
	if (err != -ENOENT)
		return diag_set(d, err, DIAG_BTF_READ, path, strerror(-err));
	if (module)
		diag_set(d, err, DIAG_BTF_NO_MODULE, module);
	else
		diag_set(d, err, DIAG_BTF_NONE);
	return err;
}

/* That of @module, on top of @base. */
static int load(struct kbtf *kb, const char *module, struct btf *base,
		struct diag *d, struct table **ret)
{
	_cleanup_free_ char *path = NULL;
	struct btf *btf;

	if (!kb->dir)
		return cannot_read("", module, -ENOENT, d);
	path = path_of(kb, module);
	if (!path)
		return diag_no_memory(d);
	btf = base ? btf__parse_raw_split(path, base) : btf__parse_raw(path);
	if (!btf)
		return cannot_read(path, module, errno ? -errno : -EINVAL, d);
	*ret = add_table(kb, module, btf);
	return *ret ? 0 : diag_no_memory(d);
}

static int get_table(struct kbtf *kb, const char *module, struct diag *d,
		     struct table **ret)
{
	struct table *t = kb->tables;
	int err;

	if (!t) {
		err = load(kb, NULL, NULL, d, &t);
		if (err)
			return err;
	}
	if (!module) {
		*ret = t;
		return 0;
	}
	for (t = t->next; t; t = t->next) {
		if (!strcmp(t->module, module)) {
			*ret = t;
			return 0;
		}
	}
	return load(kb, module, kb->tables->btf, d, ret);
}

/* ---- finding ------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b, void *btf)
{
	return strcmp(name_of(btf, *(const uint32_t *)a),
		      name_of(btf, *(const uint32_t *)b));
}

static size_t lower_bound(const struct table *t, const char *name)
{
	size_t low = 0, high = t->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(name_of(t->btf, t->funcs[middle]), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Moves *@at on to a function called @name; false: there is none. */
static bool seek(const struct table *t, const char *name, size_t *at)
{
	while (*at < t->nr) {
		if (!strcmp(name_of(t->btf, t->funcs[*at]), name))
			return true;
		if (t->sorted)
			return false;
		++*at;
	}
	return false;
}

/* Static functions of one name are told apart by nothing but their code. */
static int find_proto(struct table *t, const char *name, struct diag *d,
		      uint32_t *ret)
{
	uint32_t proto = 0;
	size_t at;

	/* what is looked up once is not worth sorting for */
	if (!t->sorted && t->searched++) {
		qsort_r(t->funcs, t->nr, sizeof(*t->funcs), compare_names, t->btf);
		t->sorted = true;
	}
	at = t->sorted ? lower_bound(t, name) : 0;
	for (; seek(t, name, &at); at++) {
		uint32_t next = btf__type_by_id(t->btf, t->funcs[at])->type;

		if (proto && proto != next)
			return diag_set(d, -EINVAL, DIAG_BTF_SEVERAL, name);
		proto = next;
	}
	*ret = proto;
	return proto ? 0 : diag_set(d, -ENOENT, DIAG_BTF_NO_FUNCTION, name);
}

int kbtf_find(struct kbtf *kb, const char *module, const char *name,
	      struct diag *d, struct kbtf_func *ret)
{
	const struct btf_type *proto;
	struct table *t;
	uint32_t id;
	int err;

	err = get_table(kb, module, d, &t);
	if (!err)
		err = find_proto(t, name, d, &id);
	if (err)
		return err;
	proto = btf__type_by_id(t->btf, id);
	if (!proto || !btf_is_func_proto(proto))
		return diag_set(d, -ENOENT, DIAG_BTF_NO_FUNCTION, name);
	*ret = (struct kbtf_func){
		.name = name,
		.returns = ctype_of(t->btf, proto->type),
		.proto = { .btf = t->btf, .id = id, .kind = CTYPE_FUNC },
		.nr_params = btf_vlen(proto),
	};
	/* "..." is the last one, without a type */
	if (ret->nr_params && !btf_params(proto)[ret->nr_params - 1].type) {
		ret->nr_params--;
		ret->is_variadic = true;
	}
	return 0;
}

static bool has_kind(const struct btf *btf, int id, const char *keyword)
{
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, id) : NULL;

	if (!t)
		return false;
	if (!keyword)
		return btf_is_typedef(t) || btf_is_int(t);
	if (!strcmp(keyword, "struct"))
		return btf_is_struct(t);
	if (!strcmp(keyword, "union"))
		return btf_is_union(t);
	return btf_is_any_enum(t);
}

bool kbtf_find_type(struct kbtf *kb, const char *module, const char *keyword,
		    const char *name, struct ctype *ret)
{
	struct table *t;
	uint32_t id, end;

	if (get_table(kb, module, NULL, &t))
		return false;
	end = btf__type_cnt(t->btf);
	for (id = 1; id < end; id++) {
		if (!has_kind(t->btf, id, keyword) ||
		    strcmp(name_of(t->btf, id), name))
			continue;
		*ret = ctype_of(t->btf, id);
		return true;
	}
	return false;
}

const char *kbtf_param(const struct kbtf_func *func, unsigned int i,
		       struct ctype *ret)
{
	const struct btf *btf = func->proto.btf;
	const struct btf_param *param;
	uint32_t name;

	param = &btf_params(btf__type_by_id(btf, func->proto.id))[i];
	name = param->name_off;
	*ret = ctype_from(func->proto.source, btf, param->type);
	return ctype_name_at(btf, name);
}
