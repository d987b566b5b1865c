// SPDX-License-Identifier: GPL-2.0
#include "define/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/buf.h"
#include "dwarf/unwind.h"
#include "object/binary.h"

#define NR_FILES	(KTAP_USER_FILES_MAX + 1)	/* the last one is the vDSO */
#define LIBRARIES_MAX	256	/* of one program, and of their libraries */
#define SOME		64	/* files that one call asks for */

/**
 * struct user_file - a file that has a number
 * @is_known: it was searched for
 * @has_table: the module has its table, or there is none
 * @label: last part of its path; owned; NULL: it was not found
 * @bin: for its symbols, or NULL
 */
struct user_file {
	bool is_known;
	bool has_table;
	char *label;
	struct binary *bin;
};

/**
 * struct user_files - see user_files.h
 * @session: whose stacks have the files
 * @arch: of this machine
 * @total: files that the module has told
 * @nr_refused: tables that found no space
 * @sym: what user_files_find() returned last
 * @name: its name
 * @file: by number
 */
struct user_files {
	struct session *session;
	enum ktap_arch arch;
	uint32_t total;
	size_t nr_refused;
	struct ksym sym;
	struct buf name;
	struct user_file file[NR_FILES];
};

/* ---- one file ---- */

/* As a name of a kernel's module has it: it must not end a line, a name or a frame. */
static void put_plain(struct buf *to, const char *text)
{
	for (; *text; text++)
		buf_putc(to, (unsigned char)*text <= ' ' || strchr(";[]\177", *text) ?
				     '_' : *text);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* @path: to read it; @shown: what it is called. */
static void know(struct user_file *f, const char *path, const char *shown)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct buf label = BUF_INIT;

	f->is_known = true;
	put_plain(&label, last_part(shown));
	f->label = buf_take(&label);
	if (binary_open(path, &d, &f->bin))
		f->bin = NULL;
}

static void give_table(struct user_files *u, int fd)
{
	struct ktap_session_table arg = { .fd = fd };
	struct unwind_table t;
	int err;

	if (!unwind_table_make(fd, &t)) {
		arg.nr_rows = t.nr_rows;
		arg.nr_rules = t.nr_rules;
		arg.pcs = (uintptr_t)t.pcs;
		arg.rows = (uintptr_t)t.rows;
		arg.rules = (uintptr_t)t.rules;
		err = session_user_table(u->session, &arg);
		u->nr_refused += err == -ENOSPC || err == -ENOMEM;
	}
	unwind_table_deinit(&t);
}

/* The number first: a table takes long, and the file may have one. */
static void add_fd(struct user_files *u, int fd, const char *path, const char *shown)
{
	struct ktap_session_table arg = { .fd = fd };
	struct user_file *f;

	if (session_user_table(u->session, &arg) || arg.file >= KTAP_USER_FILES_MAX)
		return;
	f = &u->file[arg.file];
	if (!f->label)
		know(f, path, shown);
	if (!f->has_table)
		give_table(u, fd);
	f->has_table = true;
}

static bool add(struct user_files *u, const char *path, const char *shown)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0)
		add_fd(u, fd, path, shown);
	return fd >= 0;
}

/* ---- a program and its libraries ---- */

/* struct todo - paths to add; one may be there twice */
struct todo {
	char *path[LIBRARIES_MAX];
	size_t nr;
	enum ktap_arch arch;
};

static int want(void *ctx, const char *name)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct todo *t = ctx;
	char *path = NULL;

	if (t->nr == LIBRARIES_MAX || binary_find(name, t->arch, &d, &path))
		return 0;
	for (size_t i = 0; i < t->nr; i++)
		if (!strcmp(t->path[i], path)) {
			free(path);
			return 0;
		}
	t->path[t->nr++] = path;
	return 0;
}

/* The first line of a script names its interpreter (execve(2)). */
static bool want_interpreter(struct todo *t, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char line[256], *name;
	ssize_t n;

	n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	if (n < 3 || memcmp(line, "#!", 2))
		return false;
	line[n] = '\0';
	name = line + 2 + strspn(line + 2, " \t");
	name[strcspn(name, " \t\r\n")] = '\0';
	want(t, name);
	return true;
}

static void add_path(struct user_files *u, struct todo *t, const char *path)
{
	_cleanup_(binary_freep) struct binary *bin = NULL;
	_cleanup_diag_ struct diag d = { 0 };

	if (want_interpreter(t, path))
		return;
	if (add(u, path, path) && !binary_open(path, &d, &bin))
		binary_needed(bin, want, t);
}

void user_files_program(struct user_files *u, const char *name)
{
	struct todo t = { .arch = u->arch };

	want(&t, name);
	for (size_t i = 0; i < t.nr; i++)
		add_path(u, &t, t.path[i]);
	for (size_t i = 0; i < t.nr; i++)
		free(t.path[i]);
}

/* ---- mappings of a process ---- */

/**
 * struct mapping - a line of /proc/PID/maps
 * @start: first address
 * @end: address after the last one
 * @is_code: it may be executed
 * @path: of its file, as that process names it; "" if it has none
 */
struct mapping {
	unsigned long long start;
	unsigned long long end;
	bool is_code;
	const char *path;
};

static bool parse(char *line, struct mapping *m)
{
	char access[5];
	int at = 0;

	if (sscanf(line, "%llx-%llx %4s %*x %*x:%*x %*u %n", &m->start, &m->end, access,
		   &at) < 3 || !at)
		return false;
	line[strcspn(line, "\n")] = '\0';
	m->is_code = access[2] == 'x';
	m->path = line + at;
	return true;
}

/* Return: true if @fn did for a line. */
static bool each_mapping(pid_t pid, bool (*fn)(void *ctx, pid_t pid, const struct mapping *m),
			 void *ctx)
{
	char name[64], *line = NULL;
	struct mapping m;
	size_t room = 0;
	bool done = false;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	f = fopen(name, "re");
	if (!f)
		return false;
	while (!done && getline(&line, &room, f) > 0)
		done = parse(line, &m) && fn(ctx, pid, &m);
	free(line);
	fclose(f);
	return done;
}

/* The link is the mapped file itself, in any namespace, also after a replacement on disk. */
static void add_mapping(struct user_files *u, pid_t pid, const struct mapping *m)
{
	_cleanup_buf_ struct buf path = BUF_INIT;

	buf_printf(&path, "/proc/%d/map_files/%llx-%llx", pid, m->start, m->end);
	if (add(u, buf_str(&path), m->path))
		return;
	buf_clear(&path);
	buf_printf(&path, "/proc/%d/root%s", pid, m->path);
	add(u, buf_str(&path), m->path);
}

static bool add_code(void *ctx, pid_t pid, const struct mapping *m)
{
	if (m->is_code && *m->path == '/')
		add_mapping(ctx, pid, m);
	return false;
}

void user_files_process(struct user_files *u, pid_t pid)
{
	each_mapping(pid, add_code, u);
}

/* struct met - the mapping that has an address */
struct met {
	struct user_files *u;
	uint64_t address;
};

static bool is_met(void *ctx, pid_t pid, const struct mapping *m)
{
	const struct met *met = ctx;

	if (met->address < m->start || met->address >= m->end)
		return false;
	if (*m->path == '/')
		add_mapping(met->u, pid, m);
	return true;
}

/* ---- files that hits have met ---- */

static void look_at(struct user_files *u, const struct ktap_user_file *file)
{
	struct met met = { .u = u, .address = file->address };
	struct user_file *f;

	if (file->file >= KTAP_USER_FILES_MAX)
		return;
	f = &u->file[file->file];
	if (!f->is_known && file->tgid)
		each_mapping(file->tgid, is_met, &met);
	f->is_known = true;
}

void user_files_update(struct user_files *u)
{
	struct ktap_user_file files[SOME];
	struct ktap_session_files reply;
	uint32_t from = 0, total;

	if (session_user_files(u->session, NULL, 0, 0, &reply) || reply.total == u->total)
		return;
	total = reply.total;
	do {
		if (session_user_files(u->session, files, SOME, from, &reply))
			return;
		for (uint32_t i = 0; i < reply.nr && i < SOME; i++) {
			look_at(u, &files[i]);
			from = files[i].file + 1;
		}
	} while (reply.nr == SOME);
	u->total = total;
}

size_t user_files_refused(const struct user_files *u)
{
	return u->nr_refused;
}

/* ---- names ---- */

/* The function that has a byte; or that has the call before it, which does not return. */
static const struct binary_sym *symbol_at(struct binary *bin, uint64_t address)
{
	_cleanup_diag_ struct diag d = { 0 };
	const struct binary_sym *sym;
	size_t nr;

	if (!binary_syms(bin, &d, &nr))
		return NULL;
	sym = binary_sym_at(bin, address);
	return sym ? sym : binary_sym_at(bin, address - 1);
}

static void name_place(struct user_files *u, const struct user_file *f, uint64_t frame)
{
	uint64_t offset = frame & ((1ULL << KTAP_USER_FILE_SHIFT) - 1);

	buf_printf(&u->name, "[%s+0x%llx]", f->label ? f->label : "unknown file",
		   (unsigned long long)offset);
	u->sym = (struct ksym){ .address = frame, .type = 't' };
}

static void name_symbol(struct user_files *u, const struct user_file *f, uint64_t frame)
{
	uint64_t offset = frame & ((1ULL << KTAP_USER_FILE_SHIFT) - 1), address;
	const struct binary_sym *sym = NULL;

	if (f->bin && binary_address_of(f->bin, offset, &address))
		sym = symbol_at(f->bin, address);
	if (!sym) {
		name_place(u, f, frame);
		return;
	}
	put_plain(&u->name, sym->name);
	u->sym = (struct ksym){
		.address = frame - (address - sym->address), .type = 't',
		.module = f->label,
	};
}

const struct ksym *user_files_find(void *ctx, uint64_t frame)
{
	uint32_t nr = frame >> KTAP_USER_FILE_SHIFT;
	struct user_files *u = ctx;
	struct user_file *f;

	if (nr == KTAP_USER_VDSO)
		nr = KTAP_USER_FILES_MAX;
	if (nr > KTAP_USER_FILES_MAX)
		return NULL;
	f = &u->file[nr];
	if (!f->is_known)
		user_files_update(u);
	buf_clear(&u->name);
	name_symbol(u, f, frame);
	u->sym.name = buf_str(&u->name);
	return u->name.failed ? NULL : &u->sym;
}

/* ---- the life of it ---- */

/* The vDSO is the same in all processes of this machine, and mapped into this one. */
static bool take_vdso(void *ctx, pid_t pid, const struct mapping *m)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct user_file *f = ctx;

	(void)pid;
	if (strcmp(m->path, "[vdso]"))
		return false;
	f->label = strdup("vdso");
	if (binary_image("vdso", (const void *)(uintptr_t)m->start, m->end - m->start, &d,
			 &f->bin))
		f->bin = NULL;
	return true;
}

struct user_files *user_files_create(struct session *s)
{
	struct user_files *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->session = s;
	u->arch = arch_native();
	u->file[KTAP_USER_FILES_MAX].is_known = true;
	each_mapping(getpid(), take_vdso, &u->file[KTAP_USER_FILES_MAX]);
	return u;
}

void user_files_destroy(struct user_files *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < NR_FILES; i++) {
		free(u->file[i].label);
		binary_free(u->file[i].bin);
	}
	buf_deinit(&u->name);
	free(u);
}
