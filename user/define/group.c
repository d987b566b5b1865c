// SPDX-License-Identifier: GPL-2.0
/*
 * What stands before a colon: a module that is loaded, one whose file this kernel
 * has, or a group of tracepoints, which tracefs knows, or the file of another kernel.
 */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/array.h"
#include "base/names.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "define/debug.h"
#include "place/symtab.h"

#define ITER "__traceiter_"

static const char *const trace_dirs[] = {
	"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events",
};

/* ---- modules -------------------------------------------------------------------- */

typedef bool (*module_fn)(void *ctx, const char *name);

/* The list of modules that the kernel has files of, or NULL. */
static FILE *open_list(void)
{
	_cleanup_free_ char *path = NULL;
	struct utsname uts;

	if (!uname(&uts) &&
	    asprintf(&path, "/lib/modules/%s/modules.dep", uts.release) >= 0)
		return fopen(path, "r");
	path = NULL;
	return NULL;
}

/* Calls @fn for each of them, until it says true. */
static bool any_module_file(module_fn fn, void *ctx)
{
	_cleanup_fclose_ FILE *f = open_list();
	_cleanup_free_ char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (f && !found && getline(&line, &room, f) > 0) {
		char *base;

		line[strcspn(line, ":\n")] = '\0';
		base = strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
		base[strcspn(base, ".")] = '\0';
		found = fn(ctx, base);
	}
	return found;
}

static bool is_called(void *ctx, const char *name)
{
	return ksym_same_module(ctx, name);
}

/* struct loaded - what is known of a module: it is there, and has what is meant */
struct loaded {
	bool is_there;
	bool has;
};

static struct loaded look_at_module(const struct definer *df,
				    const struct place_spec *place)
{
	struct loaded ret = {
		.is_there = debug_module_is_loaded(place->module),
	};
	struct ksym sym;
	size_t pos = 0;

	while (!ret.has && ksyms_next(df->ks, &pos, &sym)) {
		const char *module = sym.module ? sym.module : "vmlinux";

		if (!ksym_same_module(module, place->module))
			continue;
		ret.is_there = true;
		ret.has = place->glob ? !fnmatch(place->symbol, sym.name, 0) :
					!strcmp(place->symbol, sym.name);
	}
	return ret;
}

/* ---- tracepoints ---------------------------------------------------------------- */

static bool put_module(void *ctx, const char *name)
{
	_cleanup_free_ char *copy = strdup(name);

	for (char *c = copy; c && *c; c++)
		if (*c == '-')
			*c = '_';
	return !copy || names_put(ctx, copy);
}

/* What one of @names would have to be called, behind @prefix. */
static void hint_names(const struct names *names, const char *word,
		       const char *prefix, struct diag *d)
{
	struct suggest s;

	suggest_init(&s, word, strlen(word));
	for (size_t i = 0; i < names->nr; i++)
		if (utf8_is_plain(names->name[i], strlen(names->name[i])))
			suggest_try(&s, names->name[i]);
	suggest_hint(&s, prefix, d);
}

static void hint_modules(const struct definer *df, const char *word,
			 struct diag *d)
{
	struct names names = {};
	struct ksym sym;
	size_t pos = 0;

	any_module_file(put_module, &names);
	while (ksyms_next(df->ks, &pos, &sym))
		if (sym.module && (!names.nr || strcmp(names.name[names.nr - 1],
						       sym.module)) &&
		    names_put(&names, sym.module))
			break;
	hint_names(&names, word, "", d);
	names_deinit(&names);
}

static bool is_tracepoint(const struct ksyms *ks, const char *name)
{
	_cleanup_free_ char *iter = NULL;
	struct ksym sym;
	size_t pos = 0;

	if (asprintf(&iter, ITER "%s", name) < 0) {
		iter = NULL;
		return false;
	}
	return ksyms_find(ks, iter, &pos, &sym);
}

static DIR *open_group(const char *group)
{
	DIR *dir = NULL;

	for (size_t i = 0; !dir && i < ARRAY_SIZE(trace_dirs); i++) {
		_cleanup_free_ char *path = NULL;

		if (asprintf(&path, "%s/%s", trace_dirs[i], group) < 0)
			path = NULL;
		else
			dir = opendir(path);
	}
	return dir;
}

static int is_any(void *ctx, const char *group, const char *name)
{
	return 1;
}

static bool knows_groups(struct definer *df)
{
	DIR *dir;

	if (definer_is_offline(df))
		return define_events(df, is_any, NULL) == 1;
	dir = open_group(".");
	if (dir)
		closedir(dir);
	return dir;
}

/* struct wanted - tracepoints of a group: see in_group() */
struct wanted {
	const struct ksyms *ks;
	const char *group;
	const char *pattern;
	bool has_group;
	struct names *names;
};

static int take_event(void *ctx, const char *group, const char *name)
{
	struct wanted *w = ctx;

	if (strcmp(group, w->group))
		return 0;
	w->has_group = true;
	return !fnmatch(w->pattern, name, 0) && is_tracepoint(w->ks, name) ?
	       names_put(w->names, name) : 0;
}

static int in_group_of_file(struct definer *df, const char *group, const char *pattern,
			    bool *has_group, struct names *ret)
{
	struct wanted w = {
		.ks = df->ks, .group = group, .pattern = pattern, .names = ret,
	};
	int err = define_events(df, take_event, &w);

	*has_group = w.has_group;
	return err;
}

/* Those of a group that @pattern matches: files of tracefs that are tracepoints */
static int in_group(struct definer *df, const char *group, const char *pattern,
		    bool *has_group, struct names *ret)
{
	DIR *dir;
	struct dirent *e;
	int err = 0;

	if (definer_is_offline(df))
		return in_group_of_file(df, group, pattern, has_group, ret);
	dir = open_group(group);
	*has_group = dir;
	while (dir && !err && (e = readdir(dir)))
		if (*e->d_name != '.' && !fnmatch(pattern, e->d_name, 0) &&
		    is_tracepoint(df->ks, e->d_name))
			err = names_put(ret, e->d_name);
	if (dir)
		closedir(dir);
	return err;
}

/* All that the kernel and its modules have: each has a function that calls it. */
static int of_any_group(const struct ksyms *ks, const char *pattern,
			struct names *ret)
{
	struct ksym sym;
	size_t pos = 0;
	int err = 0;

	while (!err && ksyms_next(ks, &pos, &sym))
		if (!strncmp(sym.name, ITER, strlen(ITER)) &&
		    !fnmatch(pattern, sym.name + strlen(ITER), 0))
			err = names_put(ret, sym.name + strlen(ITER));
	return err;
}

/* What was parsed as a function of a module is a tracepoint. */
static void make_tracepoint(struct place_spec *place)
{
	place->kind = PLACE_TRACEPOINT;
	free(place->module);
	place->module = NULL;
	free(place->provider);
	place->provider = NULL;
}

static int make_event(struct definer *df, const struct definition *def,
		      const char *name, struct diag *d, struct definition **ret)
{
	_cleanup_(definition_freep) struct definition *event = NULL;
	int err;

	event = define_like(def, name, d);
	if (!event)
		return -ENOMEM;
	make_tracepoint(&event->spec->place);
	err = ksyms_resolve(df->ks, event->spec, d, &event->place);
	if (!err)
		err = define_names(df, event, d);
	if (!err)
		*ret = take_ptr(event);
	return err;
}

/* An event for each; those without what is to be shown are left out. */
static int make_events(struct definer *df, struct definition *def,
		       const struct names *names, struct diag *d)
{
	_cleanup_diag_ struct diag why = {};
	struct definition *events = NULL, **end = &events;
	size_t left_out = 0;
	int err = 0;

	for (size_t i = 0; i < names->nr && err != -ENOMEM; i++) {
		err = make_event(df, def, names->name[i],
				 left_out ? NULL : &why, end);
		left_out += !!err;
		while (*end)
			end = &(*end)->next;
	}
	if (err == -ENOMEM || !events) {
		definition_free(events);
		*d = why;
		why = (struct diag){};
		return err;
	}
	define_notify_left_out(df, left_out, &why);
	define_take_events(def, events);
	return 0;
}

/* What is called almost so, in the group or in all of the kernel */
static void hint_tracepoints(struct definer *df, const char *group,
			     const char *word, struct diag *d)
{
	struct names names = {};
	bool has_group;

	if (group)
		in_group(df, group, "*", &has_group, &names);
	else
		of_any_group(df->ks, "*", &names);
	hint_names(&names, word, group ? "" : "tracepoint:", d);
	names_deinit(&names);
}

static int fail_at(const struct definition *def, struct span at, struct diag *d)
{
	diag_at(d, def->spec->text, at.start, at.length);
	return -ENOENT;
}

static int no_tracepoint(struct definer *df, const struct definition *def,
			 bool has_group, struct diag *d)
{
	const struct place_spec *place = &def->spec->place;
	const char *group = place->provider ? place->provider : place->module;

	if (!group)
		diag_set(d, -ENOENT, DIAG_NO_TRACEPOINTS, place->symbol);
	else if (has_group)
		diag_set(d, -ENOENT, DIAG_NOT_IN_GROUP, group, place->symbol);
	else if (knows_groups(df))
		diag_set(d, -ENOENT, DIAG_NO_GROUP, group);
	else if (definer_is_offline(df))
		diag_set(d, -ENOENT, DIAG_GROUPS_OFFLINE);
	else
		diag_set(d, -ENOENT, DIAG_GROUPS_UNKNOWN);
	if (group && is_tracepoint(df->ks, place->symbol))
		diag_hint(d, "did you mean 'tracepoint:%s'?", place->symbol);
	else if (!place->glob && (!group || has_group))
		hint_tracepoints(df, group, place->symbol, d);
	return fail_at(def, place->symbol_at, d);
}

int define_tracepoints(struct definer *df, const struct probe_spec *spec,
		       struct diag *d, struct names *ret)
{
	const struct definition def = { .spec = (struct probe_spec *)spec };
	const struct place_spec *place = &spec->place;
	bool has_group = false;
	int err;

	if (place->provider)
		err = in_group(df, place->provider, place->symbol, &has_group,
			       ret);
	else
		err = of_any_group(df->ks, place->symbol, ret);
	if (err)
		return diag_no_memory(d);
	if (!ret->nr)
		return no_tracepoint(df, &def, has_group, d);
	names_sort(ret);
	return 0;
}

/* One that is named stays: the kernel waits for it, if no module has it yet. */
static int use_tracepoints(struct definer *df, struct definition *def,
			   struct names *names, struct diag *d)
{
	struct place_spec *place = &def->spec->place;

	if (place->is_return || place->offset_at.length) {
		diag_set(d, -EINVAL, DIAG_TRACEPOINT_WHOLE);
		diag_at(d, def->spec->text, place->at.start, place->at.length);
		return -EINVAL;
	}
	if (!place->glob) {
		make_tracepoint(place);
		return 0;
	}
	return make_events(df, def, names, d);
}

/* tracepoint:[GROUP:]NAME or a pattern */
static int tracepoints(struct definer *df, struct definition *def,
		       struct diag *d)
{
	struct names names = {};
	int err = define_tracepoints(df, def->spec, d, &names);

	if (!err)
		err = use_tracepoints(df, def, &names, d);
	names_deinit(&names);
	return err;
}

/* ---- what A:B is ------------------------------------------------------------------ */

/* syscalls:sys_enter_NAME of tracefs is no tracepoint, but sys:NAME is the same. */
static bool as_syscall(struct place_spec *place)
{
	static const char enter[] = "sys_enter_", leave[] = "sys_exit_";
	size_t length = strlen(enter);
	bool is_exit;

	is_exit = !strncmp(place->symbol, leave, strlen(leave));
	if (strcmp(place->module, "syscalls") ||
	    (!is_exit && strncmp(place->symbol, enter, strlen(enter))))
		return false;
	if (is_exit)
		length = strlen(leave);
	place->kind = PLACE_SYSCALL;
	place->is_return |= is_exit;
	memmove(place->symbol, place->symbol + length,
		strlen(place->symbol + length) + 1);
	place->symbol_at.start += length;
	place->symbol_at.length -= length;
	free(place->module);
	place->module = NULL;
	return true;
}

static int is_nothing(struct definer *df, const struct definition *def,
		      struct diag *d)
{
	const struct place_spec *place = &def->spec->place;
	struct span at = { 0, strlen(place->module) };
	struct ksym sym;
	size_t pos = 0;

	at.start = place->symbol_at.start - 1 - at.length;
	diag_set(d, -ENOENT, DIAG_NO_MEANING, place->module);
	if (!strncmp(place->module, "probe", 5) ||
	    !strcmp(place->module, "kprobes")) {
		diag_hint(d, "events of perf probe and of tracefs are not ktap's; a probe on that function is '%s'",
			  place->symbol);
		return fail_at(def, at, d);
	}
	if (ksyms_find(df->ks, place->module, &pos, &sym)) {
		diag_hint(d, "separate the place from what is to be shown with a blank: '%s %s'",
			  place->module, place->symbol);
		return fail_at(def, at, d);
	}
	hint_modules(df, place->module, d);
	if (!knows_groups(df) && is_tracepoint(df->ks, place->symbol))
		diag_hint(d, "did you mean 'tracepoint:%s'?", place->symbol);
	else
		diag_hint(d, "with --wait the probe waits for a module of that name");
	return fail_at(def, at, d);
}

/* Of the kernel's own syntax and of -m the module is certain. */
static bool may_be_group(const struct definer *df, const struct definition *def)
{
	const struct probe_spec *spec = def->spec;

	return spec->place.kind == PLACE_SYMBOL && spec->place.module &&
	       !spec->kernel_syntax && !df->module &&
	       !define_needs_source(def);
}

static int find_meaning(struct definer *df, struct definition *def,
			struct diag *d)
{
	struct place_spec *place = &def->spec->place;
	struct loaded module = look_at_module(df, place);
	struct names names = {};
	bool has_group;
	int err;

	if (module.has || (!module.is_there &&
			   any_module_file(is_called, place->module)))
		return 0;
	if (as_syscall(place))
		return 0;
	err = in_group(df, place->module, place->symbol, &has_group, &names);
	names_sort(&names);
	if (err)
		diag_no_memory(d);
	else if (names.nr)
		err = use_tracepoints(df, def, &names, d);
	else if (!module.is_there && has_group)
		err = no_tracepoint(df, def, true, d);
	else if (!module.is_there && !df->wait)
		err = is_nothing(df, def, d);
	names_deinit(&names);
	return err;
}

/* A group that the file does not have may be a module's: then NAME alone of GROUP:NAME
 * is checked.
 */
static int offline_tracepoint(struct definer *df, struct definition *def,
			      struct diag *d)
{
	struct place_spec *place = &def->spec->place;
	struct names names = {};
	bool has_group = false;
	int err = 0;

	if (place->provider)
		err = in_group(df, place->provider, place->symbol, &has_group, &names);
	names_deinit(&names);
	if (err)
		return diag_no_memory(d);
	if (place->glob || has_group)
		return tracepoints(df, def, d);
	if (!df->vmlinux || is_tracepoint(df->ks, place->symbol))
		return use_tracepoints(df, def, NULL, d);
	free(place->provider);
	place->provider = NULL;
	return no_tracepoint(df, def, false, d);
}

/* NAME:SYMBOL refers to a module before it refers to a group. */
static bool is_module_of(const struct definer *df, const char *name)
{
	struct ksym sym;
	size_t pos = 0;

	while (ksyms_next(df->ks, &pos, &sym))
		if (sym.module && ksym_same_module(sym.module, name))
			return true;
	return false;
}

static int offline_meaning(struct definer *df, struct definition *def,
			   struct diag *d)
{
	struct place_spec *place = &def->spec->place;
	struct names names = {};
	bool has_group;
	int err;

	if (place->kind == PLACE_TRACEPOINT)
		return offline_tracepoint(df, def, d);
	if (!may_be_group(df, def) || is_module_of(df, place->module) ||
	    as_syscall(place))
		return 0;
	err = in_group(df, place->module, place->symbol, &has_group, &names);
	names_sort(&names);
	if (err)
		diag_no_memory(d);
	else if (names.nr)
		err = use_tracepoints(df, def, &names, d);
	else if (has_group)
		err = no_tracepoint(df, def, true, d);
	else if (!place->glob && is_tracepoint(df->ks, place->symbol))
		err = use_tracepoints(df, def, NULL, d);
	names_deinit(&names);
	return err;
}

int define_meaning(struct definer *df, struct definition *def, struct diag *d)
{
	const struct place_spec *place = &def->spec->place;

	if (definer_is_offline(df))
		return offline_meaning(df, def, d);
	if (place->kind == PLACE_TRACEPOINT && (place->glob || place->provider))
		return tracepoints(df, def, d);
	return may_be_group(df, def) ? find_meaning(df, def, d) : 0;
}
