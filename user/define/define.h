/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the text of a definition to a probe in the kernel: which name it gets,
 * and which column of the text the kernel refused.
 */
#ifndef KTAP_DEFINE_DEFINE_H
#define KTAP_DEFINE_DEFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "codegen/compile.h"
#include "dwarf/func.h"
#include "object/binary.h"
#include "place/ksyms.h"
#include "spec/spec.h"
#include "types/btf.h"
#include "wire/ctl.h"

/**
 * enum define_notice_kind - what a definer reports while it works
 * @DEFINE_NO_ADDRESSES: the kernel hides addresses from this process, so that an
 *	ambiguous symbol cannot be recognized; @why: which right it lacks
 * @DEFINE_LEFT_OUT: @nr functions that the pattern matches get no probe; @why: the
 *	reason of the first
 * @DEFINE_SAME_NAME: @nr functions that the pattern matches get no probe, because
 *	others have their names
 * @DEFINE_NO_KPROBE: @nr functions that the pattern matches get no probe, because
 *	kprobes themselves need them
 * @DEFINE_NO_ARGUMENT: argument @nr of a USDT probe cannot be read; @why: the reason
 * @DEFINE_WAITS: the module @name is not loaded, and the probe waits for it
 * @DEFINE_REFUSED: the kernel refused @nr of @total functions; @name: the first one,
 *	@why: its reason
 * @DEFINE_ADDING: @nr of @total probes were sent to the kernel; the listener may
 *	return true to stop there
 * @DEFINE_SKIPPED: the definition @name of a bundle cannot be used here; @why: the reason
 * @DEFINE_ADDED: the end of what DEFINE_ADDING began, also on failure
 */
enum define_notice_kind {
	DEFINE_NO_ADDRESSES,
	DEFINE_LEFT_OUT,
	DEFINE_SAME_NAME,
	DEFINE_NO_KPROBE,
	DEFINE_NO_ARGUMENT,
	DEFINE_WAITS,
	DEFINE_REFUSED,
	DEFINE_SKIPPED,
	DEFINE_ADDING,
	DEFINE_ADDED,
};

/**
 * struct define_notice - one report; its strings are the definer's
 * @kind: which; says what the others mean
 * @nr: a number
 * @total: of how many
 * @name: of a module or function, or NULL
 * @why: a reason in words, or NULL
 */
struct define_notice {
	enum define_notice_kind kind;
	size_t nr;
	size_t total;
	const char *name;
	const char *why;
};

/**
 * define_notice_fn - listens to a definer
 * @ctx: the listener's
 * @n: what happened; valid during the call only
 *
 * Return: for DEFINE_ADDING: true to stop; what was added is removed again, and
 * define_add() returns -EINTR. For the others nothing is done with it.
 */
typedef bool (*define_notice_fn)(void *ctx, const struct define_notice *n);

/**
 * struct definer_module - a module of the kernel by its file
 * @name: as the kernel calls it; owned
 * @path: file; the caller's
 */
struct definer_module {
	char *name;
	const char *path;
};

/**
 * struct definer_file - a program of another machine
 * @target: its path there
 * @host: its path here
 */
struct definer_file {
	const char *target;
	const char *host;
};

/**
 * struct definer - what definitions of one command have in common
 * @ctl: the kernel; NULL: nothing is added, names are not compared
 * @ks: symbols, read when the first definition needs them
 * @kb: types, read when a definition names a parameter
 * @names: names that are taken (a tree of struct event)
 * @flags: KTAP_PROBE_F_* of what is added
 * @notice: gets what is worth a message, and progress; or NULL
 * @notice_ctx: its first argument
 * @info: of the module, asked for when a definition needs it
 * @arch: of the kernel
 * @dry: nothing is added: programs may be those of another machine
 * @file: -x PATH, or NULL
 * @vmlinux: -k PATH, or NULL
 * @module: -m: what the kernel calls it; owned; or NULL
 * @module_file: -m FILE; NULL: it is looked for
 * @modules: further files of modules of the kernel in @vmlinux; owned
 * @nr_modules: how many
 * @files: where the programs of another machine are on this one; the caller's
 * @nr_files: how many
 * @foreign: definitions are for another machine: only the given files are read
 * @slide: added to all addresses of the kernel in @vmlinux and of its modules; see
 *	bundle_make()
 * @skip: skip definitions of a bundle that cannot be used
 * @root: directory below which programs of a bundle are; NULL: /
 * @wait: --wait: a module that nobody has yet may come
 * @source: -s DIR or OLD=NEW, or NULL
 * @hook: --hook, or NULL: the module chooses
 * @aggregate: what is done with values of definitions; NULL: they are recorded
 * @stacks: definitions that make records get the arguments $kstack, unless it is in a program,
 *	and $ustack, if the kernel has it
 * @params: --param: parameters, and values; the caller's; or NULL
 * @seen: parameters of the definitions so far; owned
 * @times: calls are counted with errors and time, where the kernel can
 * @bins: programs and libraries that were opened
 * @nr_bins: how many
 * @debugs: files that were looked into for debug information
 * @searched: debug information of the running kernel was looked for
 * @running: it; or NULL
 */
struct definer {
	struct ctl *ctl;
	struct ksyms *ks;
	struct kbtf *kb;
	void *names;
	uint32_t flags;
	define_notice_fn notice;
	void *notice_ctx;
	enum ktap_arch arch;
	bool dry;
	struct ctl_info info;
	const char *file;
	const char *vmlinux;
	char *module;
	const char *module_file;
	struct definer_module *modules;
	size_t nr_modules;
	const struct definer_file *files;
	size_t nr_files;
	bool foreign;
	uint64_t slide;
	bool skip;
	const char *root;
	bool wait;
	const char *source;
	const char *hook;
	const struct aggregate *aggregate;
	bool stacks;
	const struct params *params;
	struct params seen;
	bool times;
	struct binary **bins;
	size_t nr_bins;
	struct debug_file *debugs;
	bool searched;
	struct debug *running;
};

/**
 * definer_set_module() - apply -m: look for symbols without a module in a module
 * @df: definer; the members for all other options are set before
 * @value: name of the module; or a file, which is opened: then the string must live as
 *	long as @df. NULL: the option was not given, and nothing is done
 * @d: on failure
 *
 * A value with '/' or ".ko" in it is a file.
 *
 * Return: 0; -EINVAL: the file is no module, or, unless @df is offline, another module of
 *	its name is loaded; -ENOENT: the file has no symbols; -ENOMEM; or why the file
 *	cannot be read.
 */
int definer_set_module(struct definer *df, const char *value, struct diag *d);

/**
 * definer_name_module() - look for symbols without a module in this one
 * @df: definer
 * @name: of the module; '-' is the same as '_'
 * @d: on failure
 *
 * Return: 0, or -ENOMEM.
 */
int definer_name_module(struct definer *df, const char *name, struct diag *d);

/**
 * definer_add_module() - name the file of one more module of the kernel in @df->vmlinux
 * @df: definer; nothing is added by it
 * @path: the file, which has symbols; the string stays the caller's
 * @d: on failure
 *
 * Return: 0, -EINVAL for what is no module, -ENOMEM, or why it cannot be read.
 */
int definer_add_module(struct definer *df, const char *path, struct diag *d);

/**
 * definer_set_slide() - move the kernel in @df->vmlinux, for what is defined from here on
 * @df: definer; all names are free again
 * @slide: bytes that are added to addresses
 */
void definer_set_slide(struct definer *df, uint64_t slide);

/**
 * definer_module_slide() - bytes that are added to the addresses of modules
 * @df: definer
 *
 * The number differs from @df->slide, which is for the kernel, so that bundle_make() can tell
 * addresses of a module from addresses of the kernel.
 *
 * Return: bytes.
 */
static inline uint64_t definer_module_slide(const struct definer *df)
{
	return 2 * df->slide;
}

/**
 * definer_is_offline() - whether the kernel is in a file, and not the running one
 * @df: definer
 *
 * Return: true if a file of the kernel or of a module was given and nothing is added.
 */
static inline bool definer_is_offline(const struct definer *df)
{
	return (df->vmlinux || df->module_file) && df->dry;
}

/**
 * definer_init() - begin to define probes
 * @df: definer; release it with definer_deinit(), also on failure
 * @ctl: the kernel, which must outlive @df; NULL: nothing is added
 * @flags: KTAP_PROBE_F_* of what is added
 * @notice: gets notes and progress, or NULL
 * @ctx: first argument of @notice
 * @d: on failure
 *
 * Return: 0, or what the kernel answered to the request for the names that are taken.
 */
int definer_init(struct definer *df, struct ctl *ctl, uint32_t flags,
		 define_notice_fn notice, void *ctx, struct diag *d);

/**
 * definer_deinit() - release what a definer has opened and read
 * @df: definer; definitions that it made must have been freed
 */
void definer_deinit(struct definer *df);

/**
 * definer_see() - note which parameters there are
 * @df: definer
 * @params: parameters of a definition or of a bundle
 * @d: on failure
 *
 * Return: 0, -ENOMEM.
 */
int definer_see(struct definer *df, const struct params *params, struct diag *d);

/**
 * definer_check_params() - refuse values for parameters that no definition so far has
 * @df: definer
 * @d: on failure
 *
 * It is called when all definitions are compiled, and before the first of those that stay is
 * added.
 *
 * Return: 0, -EINVAL.
 */
int definer_check_params(const struct definer *df, struct diag *d);

/**
 * define_notify() - hand a notice to the caller of the library
 * @df: definer
 * @n: notice; valid during the call only
 *
 * Return: true when the caller wants to stop; false also where nobody listens.
 */
bool define_notify(const struct definer *df, const struct define_notice *n);

/**
 * struct definition - one definition, compiled
 * @spec: its syntax; the name in it is the event's
 * @terms: its arguments and filter at @place, once names were looked up; owned
 * @place: where it goes
 * @bin: the file that it goes into, of the definer; or NULL
 * @arch: whose code that is
 * @func: the function that it is in, if that was found: ...
 * @has_func: ... it was
 * @site: debug information of that place; or NULL; owned
 * @traced: at a tracepoint, of what calls its probes, where BTF does not know it; or
 *	NULL; owned
 * @program: what runs there; NULL for a line that deletes
 * @blob: @program's layout, encoded; owned
 * @blob_size: bytes
 * @id: of the probe, once it was added
 * @glob: its place was a pattern: what the kernel refuses is left out
 * @events: and each of its points is an event of its own
 * @joins: a point of the event that the one before it is of
 * @by_number: a system call that the kernel's tracepoint of all calls serves: ...
 * @number: ... the call with this number
 * @timed: ... at its end, with errors and time
 * @is_fixed: it came compiled, and cannot be compiled again
 * @next: the next point of the same definition; owned
 */
struct definition {
	struct probe_spec *spec;
	struct terms *terms;
	struct place place;
	const struct binary *bin;
	enum ktap_arch arch;
	struct debug_func func;
	bool has_func;
	struct site *site;
	struct site *traced;
	struct program *program;
	void *blob;
	size_t blob_size;
	uint32_t id;
	bool glob;
	bool events;
	bool joins;
	bool by_number;
	uint32_t number;
	bool timed;
	bool is_fixed;
	struct definition *next;
};

/**
 * definition_free() - free a definition and its further points
 * @def: first point; or NULL
 *
 * The probes that define_add() made of it stay in the kernel, and the files that it is in
 * stay the definer's.
 */
void definition_free(struct definition *def);
DEFINE_CLEANUP(struct definition, definition_free)

/**
 * define_compile() - everything that can be done without asking the kernel
 * @df: definer
 * @text: the definition
 * @d: on failure
 * @ret: on success; its name is taken from here on
 *
 * A name that the user gave may be that of an event that records the same
 * arguments: then the event has one more point. A name that ktap makes gets a
 * number where it is taken, except for a kprobe_events line: there it is as if
 * it was given.
 *
 * Return: 0, -EEXIST, or what the library says.
 */
int define_compile(struct definer *df, const char *text, struct diag *d,
		   struct definition **ret);

/**
 * define_place() - find the points of a definition, and neither name nor compile them
 * @df: definer
 * @text: the definition
 * @d: on failure
 * @ret: on success: the first point; free it with definition_free(). Points of a pattern may
 *	have terms; other points have none
 *
 * It is the first half of define_compile().
 *
 * Return: 0; -EINVAL, also for a line that deletes; -ENOENT, -ENOMEM, or the error of
 *	reading a file.
 */
int define_place(struct definer *df, const char *text, struct diag *d,
		 struct definition **ret);

/**
 * define_symbols() - have @df->ks, the symbols of the kernel
 * @df: definer; if it is offline the files of its options are read, as define_kernel() does
 * @d: on failure
 *
 * Nothing is done if the symbols were read. A kernel that hides its addresses is no error: it
 * is reported as DEFINE_NO_ADDRESSES.
 *
 * Return: 0, -ENOMEM, the error of reading /proc/kallsyms, or as define_kernel().
 */
int define_symbols(struct definer *df, struct diag *d);

/**
 * define_open() - open a program or library, or the file of a kernel, once
 * @df: definer
 * @path: file; compared as a string with those that are open
 * @d: on failure
 * @ret: on success: the definer's, until definer_deinit()
 *
 * The file stays open, so that the kernel probes the file that was read.
 *
 * Return: 0, -ENOMEM, or as binary_open().
 */
int define_open(struct definer *df, const char *path, struct diag *d,
		struct binary **ret);

/**
 * define_btf() - have @df->kb, the BTF of the running kernel or of @df->vmlinux
 * @df: definer; if it is offline without @df->vmlinux, no type is found
 * @d: on failure
 *
 * Return: 0, also for a kernel without BTF; -ENOMEM.
 */
int define_btf(struct definer *df, struct diag *d);

/**
 * define_in_file() - find the points of a definition in a program or library
 * @df: definer
 * @def: definition, whose place names a file. The file is opened, and the name becomes its
 *	path, unless @df is for another machine. The definition becomes the first point,
 *	and the further points follow it
 * @d: on failure
 *
 * Return: 0; -ENOENT: no such file, or no such place in it; -EINVAL: the place cannot be
 *	probed; -ENOMEM; or the error of opening the file.
 */
int define_in_file(struct definer *df, struct definition *def, struct diag *d);

/**
 * define_take_glob() - take the syntax of a definition whose place is a pattern
 * @def: definition; it has no syntax afterwards, and is marked as a pattern. Without a name,
 *	each of its points is an event of its own
 *
 * Return: the syntax, from which the caller makes the syntax of each point; free it with
 *	spec_free().
 */
struct probe_spec *define_take_glob(struct definition *def);

/**
 * define_names() - look up the names of variables and types at the place of a point
 * @df: definer
 * @def: point with a place; gets its terms, and debug information if that is needed.
 *	define_site() may move the place
 * @d: on failure: @def has no terms
 *
 * Nothing is done if @def has terms.
 *
 * Return: 0, -ENOENT, -EINVAL, -ENOMEM, or the error of reading BTF or debug information.
 */
int define_names(struct definer *df, struct definition *def, struct diag *d);

/**
 * define_notify_left_out() - report that functions which a pattern matches get no probe
 * @df: definer
 * @nr: how many; 0: nothing is reported
 * @why: the reason for the first one
 */
void define_notify_left_out(const struct definer *df, size_t nr,
			    const struct diag *why);

/**
 * define_notify_twice() - report that functions get no probe because another has their name
 * @df: definer
 * @nr: how many; 0: nothing is reported
 */
void define_notify_twice(const struct definer *df, size_t nr);

/**
 * define_code() - name and compile all points of a definition
 * @df: definer; the names are taken
 * @def: first point; each point has a place. Each gets its name, terms, program and encoded
 *	layout
 * @d: on failure
 *
 * An argument may lack a value at some of several points, but not if the place was a pattern.
 * At least at one point all arguments must have one.
 *
 * Return: 0; -EEXIST: an event has the name, and the points cannot join it; -EINVAL, -ENOMEM,
 *	or as define_names().
 */
int define_code(struct definer *df, struct definition *def, struct diag *d);

/**
 * define_name_points() - name the points of a definition that came compiled
 * @df: definer, which takes the names
 * @def: first point; each gets its name
 * @d: on failure
 *
 * Return: 0, -EEXIST, -ENOMEM.
 */
int define_name_points(struct definer *df, struct definition *def,
		       struct diag *d);

/**
 * define_add() - make a probe of the kernel of each point
 * @df: definer, with @df->ctl
 * @def: first point; each point is compiled. Each gets the id of its probe. If it is the
 *	only point, and the user did not give its name, the name changes when another process
 *	has taken it
 * @d: on failure
 *
 * In the end all probes exist, or none. But if the kernel refuses some points of a pattern,
 * and not all, the others are added: the id of a refused point stays 0, and DEFINE_REFUSED is
 * reported. The listener gets DEFINE_ADDING, and at the end DEFINE_ADDED.
 *
 * Return: 0; -EINTR: the listener returned true, as it does after a signal; -EEXIST: the name
 *	is taken; -ENOMEM; or what the kernel answered.
 */
int define_add(struct definer *df, struct definition *def, struct diag *d);

/**
 * struct removal - probes that go with one request, which may wait for handlers
 * @df: definer
 * @ids: of the probes
 * @nr: how many
 */
struct removal {
	struct definer *df;
	uint32_t ids[KTAP_IDS_MAX];
	size_t nr;
};

/**
 * removal_add() - remove the probes that define_add() made of a definition
 * @r: removal, which has its definer
 * @def: first point; or NULL. The id of each point becomes 0
 *
 * The probes may stay until removal_flush(): a request has room for KTAP_IDS_MAX.
 */
void removal_add(struct removal *r, struct definition *def);

/**
 * removal_flush() - remove the probes that removal_add() has collected
 * @r: removal; it is empty afterwards, and can be used again
 *
 * If a probe was deleted already, the other ones are removed nevertheless. Errors are not
 * reported.
 */
void removal_flush(struct removal *r);

/**
 * define_delete() - delete the events that a line names
 * @df: definer, with @df->ctl
 * @def: definition, for which definition_deletes() is true: a name or glob, and maybe a
 *	place; then only the probes at that place are deleted
 * @d: on failure
 *
 * Probes are deleted one by one, up to the first that the kernel refuses to delete.
 *
 * Return: 0; -ENOENT: no event has the name, or none is at the place; -EPERM: the event
 *	belongs to a running command; -ENOMEM; or what the kernel answered.
 */
int define_delete(struct definer *df, const struct definition *def,
		  struct diag *d);

/**
 * definition_deletes() - whether a definition is a line that deletes events
 * @def: definition, which has its syntax
 *
 * Return: true if it is: define_delete() is for it, and it has no program.
 */
static inline bool definition_deletes(const struct definition *def)
{
	return def->spec->kind == SPEC_DELETE;
}

/**
 * define_apply() - do what a definition says: add its probes, or delete the events it names
 * @df: definer, with @df->ctl
 * @def: first point, as for define_add() or for define_delete()
 * @d: on failure
 *
 * Return: as define_delete() if definition_deletes() is true, else as define_add()
 */
int define_apply(struct definer *df, struct definition *def, struct diag *d);

#endif /* KTAP_DEFINE_DEFINE_H */
