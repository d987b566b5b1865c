// SPDX-License-Identifier: GPL-2.0
/* Types of C as they are written in casts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "bind/bind_in.h"
#include "dwarf/var.h"

/**
 * struct words - the words of a type
 * @text: "struct file *"; the words end in NULs here
 * @word: them, without qualifiers
 * @nr: how many
 * @stars: behind them
 */
struct words {
	char *text;
	const char *word[8];
	size_t nr;
	unsigned int stars;
};

static int split(struct vars *v, const struct term *e, struct words *ret)
{
	char *s, *rest;

	*ret = (struct words){ .text = strdup(e->text) };
	if (!ret->text)
		return diag_no_memory(v->d);
	for (s = ret->text; *s; s++)
		ret->stars += *s == '*';
	for (s = strtok_r(ret->text, " *", &rest); s;
	     s = strtok_r(NULL, " *", &rest)) {
		if (!strcmp(s, "const") || !strcmp(s, "volatile"))
			continue;
		if (ret->nr == ARRAY_SIZE(ret->word))
			return vars_fail(v, e, DIAG_VAR_NO_CTYPE, e->text);
		ret->word[ret->nr++] = s;
	}
	return 0;
}

/* ---- what C has by itself ------------------------------------------------------------- */

static size_t count(const struct words *w, const char *word)
{
	size_t i, nr = 0;

	for (i = 0; i < w->nr; i++)
		nr += !strcmp(w->word[i], word);
	return nr;
}

/* "unsigned long int": the words in any order. */
static bool is_number(const struct words *w, struct ctype *ret)
{
	size_t is_unsigned = count(w, "unsigned"), is_char = count(w, "char");
	size_t longs = count(w, "long"), shorts = count(w, "short");
	size_t is_bool = count(w, "bool") + count(w, "_Bool");

	if (!w->nr || w->nr != is_unsigned + is_char + longs + shorts +
			       is_bool + count(w, "signed") + count(w, "int"))
		return false;
	*ret = (struct ctype){
		.kind = CTYPE_INT, .size = 4, .is_signed = !is_unsigned,
	};
	if (is_bool || is_char)
		ret->size = 1;
	else if (longs)
		ret->size = 8;
	else if (shorts)
		ret->size = 2;
	if (is_bool)
		ret->is_signed = false;
	return true;
}

/* ---- what is defined somewhere ---------------------------------------------------------- */

static bool find_defined(struct vars *v, const struct words *w,
			 struct ctype *ret)
{
	static const char *const keywords[] = {
		[DEBUG_STRUCT] = "struct", [DEBUG_UNION] = "union",
		[DEBUG_ENUM] = "enum",
	};
	const struct site *site = vars_site(v);
	enum debug_type_kind kind = DEBUG_TYPEDEF, i;

	for (i = DEBUG_STRUCT; i < DEBUG_TYPEDEF; i++)
		if (!strcmp(w->word[0], keywords[i]))
			kind = i;
	if (w->nr != 1 + (kind != DEBUG_TYPEDEF))
		return false;
	if (site)
		return debug_find_type(site->dbg, &site->func, kind,
				       w->word[w->nr - 1], ret);
	return kbtf_find_type(v->kb, v->place->module,
			      kind == DEBUG_TYPEDEF ? NULL : keywords[kind],
			      w->word[w->nr - 1], ret);
}

/* A pointer to a pointer is a type that has to be there. */
static bool add_stars(unsigned int stars, struct value *x)
{
	if (!stars)
		return true;
	while (--stars)
		if (!ctype_pointer(&x->type, &x->type))
			return false;
	x->is_address = true;
	return true;
}

int vars_cast_type(struct vars *v, const struct term *e, struct value *ret)
{
	struct words w;
	int err = split(v, e, &w);
	bool found = false;

	*ret = (struct value){};
	if (!err && w.nr == 1 && w.stars && !strcmp(w.word[0], "void")) {
		ret->type.kind = CTYPE_VOID;
		found = true;
	} else if (!err && w.nr) {
		found = is_number(&w, &ret->type) ||
			find_defined(v, &w, &ret->type);
	}
	if (!err && (!found || !add_stars(w.stars, ret)))
		err = vars_fail(v, e, DIAG_VAR_NO_CTYPE, e->text);
	free(w.text);
	return err;
}

/* The kernel's, also where a module is probed. */
int vars_task_type(struct vars *v, const struct term *e, struct value *ret)
{
	const struct site *site = vars_site(v);
	static const char name[] = "task_struct";
	struct ctype task;
	bool found = false;

	*ret = (struct value){};
	if (v->place->path)
		return vars_fail(v, e, DIAG_VAR_NO_TASK);
	if (site)
		found = debug_find_type(site->dbg, &site->func,
					DEBUG_STRUCT, name, &task);
	if (!found)
		found = kbtf_find_type(v->kb, NULL, "struct", name, &task);
	if (!found || !ctype_pointer(&task, &ret->type))
		return vars_fail(v, e, DIAG_VAR_NO_TYPE, VARS_QUOTE(v, e));
	return 0;
}
