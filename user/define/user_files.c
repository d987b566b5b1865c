// SPDX-License-Identifier: GPL-2.0
#include "define/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/elf_id.h"
#include "define/user_dirs.h"
#include "define/user_mappings.h"
#include "define/user_name.h"
#include "dwarf/unwind.h"
#include "object/binary.h"
#include "object/debug_file.h"
#include "place/stack.h"

#define NR_FILES	(KTAP_USER_FILES_MAX + 1)	/* the last one is the vDSO */
#define LIBRARIES_MAX	256	/* of one program, and of their libraries */
#define SOME		64	/* files that one call asks for */
#define CODE_MAX	4	/* executable segments of a file: linkers make one */
#define SWEEP_NS	1000000000ULL	/* from one sweep over all processes to the next */
#define SWEEP_SHARE	20	/* and at least 20 times as long as it took */
#define SWEEP_DOUBLINGS	6

_Static_assert(CODE_MAX <= KTAP_DATA_CODE_MAX, "recorded");
_Static_assert(ELF_ID_MAX <= KTAP_DATA_FILE_ID_MAX, "recorded");

/* struct contents - what changes when a file is written to; no size: not known */
struct contents {
	off_t size;
	struct timespec written;
};

/**
 * struct user_file - a file that has a number
 * @is_known: it was searched for
 * @has_table: the module has its table, or there is none
 * @is_written: the recording has it
 * @searched: @debug was searched for
 * @met: what the module has told of it, while it is not found
 * @label: last part of its path; owned; NULL: it was not found
 * @bin: for its symbols, or NULL
 * @has_syms: the symbols of @bin are read
 * @was: its contents from before it had its number
 * @debug: file with its other symbols, or NULL
 * @id: its build-id
 * @code: its executable segments
 * @nr_code: how many
 */
struct user_file {
	bool is_known;
	bool has_table;
	bool is_written;
	bool searched;
	struct ktap_user_file met;
	char *label;
	struct binary *bin;
	bool has_syms;
	struct contents was;
	struct binary *debug;
	struct elf_id id;
	struct ktap_data_code code[CODE_MAX];
	size_t nr_code;
};

/**
 * struct missing - files that were not found
 * @nr: how many
 * @file: their numbers
 * @searched_ns: when all processes were searched
 * @rest_ns: time until that may be repeated
 * @nr_vain: how often that was in vain since a file was missing first
 */
struct missing {
	size_t nr;
	uint32_t file[NR_FILES];
	uint64_t searched_ns;
	uint64_t rest_ns;
	unsigned int nr_vain;
};

/**
 * struct user_files - see user_files.h
 * @session: whose stacks have the files
 * @arch: of this machine
 * @total: files that the module has told
 * @nr_refused: tables that found no space
 * @is_full: stacks have files without a number
 * @dirs: where files of processes that have ended may be
 * @missing: files that a process may map that is not known yet
 * @name: what user_files_find() returned last
 * @file: by number
 */
struct user_files {
	struct session *session;
	enum ktap_arch arch;
	uint32_t total;
	size_t nr_refused;
	bool is_full;
	struct user_dirs dirs;
	struct missing missing;
	struct user_name name;
	struct user_file file[NR_FILES];
};

/* ---- one file ---- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static bool get_contents(int fd, struct contents *ret)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	*ret = (struct contents){ .size = st.st_size, .written = st.st_mtim };
	return true;
}

static bool has_changed(int fd, const struct contents *was)
{
	struct contents now;

	return !get_contents(fd, &now) || now.size != was->size ||
	       now.written.tv_sec != was->written.tv_sec ||
	       now.written.tv_nsec != was->written.tv_nsec;
}

/* @fd, @path: to read it; @shown: what it is called. */
static void know(struct user_file *f, int fd, const char *path, const char *shown)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct buf label = BUF_INIT;

	elf_id_find(fd, &f->id);
	f->nr_code = elf_code_find(fd, f->code, CODE_MAX);
	f->is_known = true;
	user_name_plain(&label, last_part(shown));
	f->label = buf_take(&label);
	if (binary_open(path, &d, &f->bin))
		f->bin = NULL;
}

/* A file that was written to meanwhile was numbered before, and belongs to nobody now. */
static void forget(struct user_file *f)
{
	free(take_ptr(f->label));
	binary_free(take_ptr(f->bin));
	f->id.size = 0;
	f->nr_code = 0;
}

static void give_table(struct user_files *u, int fd, uint32_t nr)
{
	struct ktap_session_table arg = { .fd = fd, .file = nr };
	struct unwind_table t;
	int err;

	if (!unwind_table_make(fd, KTAP_USER_ROWS_MAX, &t)) {
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

/*
 * The number first: a table takes long, and the file may have one. Where @wanted is not 0, any
 * other file is skipped.
 */
static void add_fd(struct user_files *u, int fd, const char *path, const char *shown,
		   uint32_t wanted)
{
	struct ktap_session_table arg = { .fd = fd };
	struct user_file *f;
	struct contents was;

	if (!get_contents(fd, &was) || session_user_table(u->session, &arg) ||
	    arg.file >= KTAP_USER_FILES_MAX || (wanted && arg.file != wanted))
		return;
	f = &u->file[arg.file];
	if (!f->label) {
		f->was = was;
		know(f, fd, path, shown);
		user_dirs_add(&u->dirs, shown);
		if (has_changed(fd, &was)) {
			forget(f);
			return;
		}
	}
	if (!f->has_table)
		give_table(u, fd, arg.file);
	f->has_table = true;
}

static bool add(struct user_files *u, const char *path, uint32_t wanted)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0)
		add_fd(u, fd, path, path, wanted);
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
	if (add(u, path, 0) && !binary_open(path, &d, &bin))
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

/* Adds what @path has now: another file may have been mapped after its name was read. */
static bool add_mapped(struct user_files *u, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char link[32], name[PATH_MAX];
	ssize_t n;

	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, name, sizeof(name) - 1);
	if (n < 0)
		return false;
	name[n] = '\0';
	add_fd(u, fd, link, name, 0);
	return true;
}

/* The link is the mapped file itself, in any namespace, also after a replacement on disk. */
static void add_mapping(struct user_files *u, pid_t pid, const struct user_mapping *m)
{
	_cleanup_buf_ struct buf path = BUF_INIT;

	buf_printf(&path, "/proc/%d/map_files/%llx-%llx", pid, m->start, m->end);
	if (add_mapped(u, buf_str(&path)))
		return;
	buf_clear(&path);
	buf_printf(&path, "/proc/%d/root%s", pid, m->path);
	add_mapped(u, buf_str(&path));
}

static bool add_code(void *ctx, pid_t pid, const struct user_mapping *m)
{
	if (m->is_code && *m->path == '/')
		add_mapping(ctx, pid, m);
	return false;
}

void user_files_process(struct user_files *u, pid_t pid)
{
	user_mappings_each(pid, add_code, u);
}

/* struct met - a file that a hit has met */
struct met {
	struct user_files *u;
	const struct ktap_user_file *file;
};

static bool is_file(const struct ktap_user_file *file, const struct user_mapping *m)
{
	return file->inode == m->inode && file->major == m->major && file->minor == m->minor;
}

/* The mapping that has the address: it may have the file no more. */
static bool is_there(void *ctx, pid_t pid, const struct user_mapping *m)
{
	const struct met *met = ctx;

	if (met->file->address < m->start || met->file->address >= m->end)
		return false;
	if (*m->path == '/')
		add_mapping(met->u, pid, m);
	return true;
}

/* Any mapping of the file. In layered file systems the kernel may show another inode here. */
static bool is_same(void *ctx, pid_t pid, const struct user_mapping *m)
{
	const struct met *met = ctx;

	if (!is_file(met->file, m) || *m->path != '/')
		return false;
	add_mapping(met->u, pid, m);
	return true;
}

/* A file in a directory. The module says whether it is the one: it knows more than the inode. */
static bool is_found(void *ctx, const char *path)
{
	const struct met *met = ctx;

	return add(met->u, path, met->file->file) && met->u->file[met->file->file].label;
}

static bool is_missing(void *ctx, pid_t pid, const struct user_mapping *m)
{
	struct user_files *u = ctx;

	for (size_t i = 0; m->is_code && i < u->missing.nr; i++) {
		struct user_file *f = &u->file[u->missing.file[i]];

		if (!f->label && is_file(&f->met, m))
			add_mapping(u, pid, m);
	}
	return false;
}

/* ---- files that hits have met ---- */

static void miss(struct user_files *u, struct user_file *f, const struct ktap_user_file *file)
{
	f->met = *file;
	u->missing.file[u->missing.nr++] = file->file;
	u->missing.nr_vain = 0;
}

static void look_at(struct user_files *u, const struct ktap_user_file *file)
{
	struct met met = { .u = u, .file = file };
	struct user_file *f;

	if (file->file >= KTAP_USER_FILES_MAX)
		return;
	f = &u->file[file->file];
	if (f->is_known)
		return;
	if (file->tgid)
		user_mappings_each(file->tgid, is_there, &met);
	if (!f->label && file->tgid)
		user_mappings_each(file->tgid, is_same, &met);
	if (!f->label)
		user_dirs_find(&u->dirs, file->inode, is_found, &met);
	f->is_known = true;
	if (!f->label)
		miss(u, f, file);
}

/*
 * A process that a hit has met may end before ktap reads its mappings, and the file that another
 * session has numbered may be in any process. So files that are missing are searched in all
 * processes. That takes long: it is done for many at once, and seldom while it is in vain.
 */
static void find_missing(struct user_files *u)
{
	struct missing *m = &u->missing;
	uint64_t began = now_ns(), took;
	size_t nr = 0;

	if (!m->nr || (m->searched_ns &&
		       began - m->searched_ns < m->rest_ns << m->nr_vain))
		return;
	user_mappings_of_all(is_missing, u);
	for (size_t i = 0; i < m->nr; i++)
		if (!u->file[m->file[i]].label)
			m->file[nr++] = m->file[i];
	m->nr = nr;
	m->searched_ns = now_ns();
	took = SWEEP_SHARE * (m->searched_ns - began);
	m->rest_ns = took > SWEEP_NS ? took : SWEEP_NS;
	if (m->nr_vain < SWEEP_DOUBLINGS)
		m->nr_vain++;
}

static void look_at_new(struct user_files *u, uint32_t total)
{
	struct ktap_user_file files[SOME];
	struct ktap_session_files reply;
	uint32_t from = 0;

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

void user_files_update(struct user_files *u)
{
	struct ktap_session_files reply;

	if (session_user_files(u->session, NULL, 0, 0, &reply))
		return;
	if (reply.total != u->total)
		look_at_new(u, reply.total);
	find_missing(u);
}

size_t user_files_refused(const struct user_files *u)
{
	return u->nr_refused;
}

bool user_files_full(const struct user_files *u)
{
	return u->is_full;
}

/* ---- names ---- */

/* Symbols that a stripped file has elsewhere on this machine. */
static const struct binary_sym *find_elsewhere(struct user_file *f, uint64_t address)
{
	_cleanup_diag_ struct diag d = { 0 };
	char *path;

	if (!f->searched) {
		f->searched = true;
		path = debug_file_find(f->id.bytes, f->id.size);
		if (path && binary_open_debug(path, &d, &f->debug))
			f->debug = NULL;
		free(path);
	}
	return f->debug ? user_name_find(f->debug, address) : NULL;
}

/*
 * The first name of a file needs its symbols. If it was written to since it got its number, they
 * belong to other contents.
 */
static bool has_symbols(struct user_file *f)
{
	/* the vDSO is no file */
	if (f->bin && !f->has_syms && f->was.size && has_changed(binary_fd(f->bin), &f->was))
		binary_free(take_ptr(f->bin));
	return f->bin;
}

static const struct ksym *name_frame(struct user_files *u, struct user_file *f, uint64_t frame,
				     bool elsewhere)
{
	const struct binary_sym *sym;
	uint64_t address;

	if (!has_symbols(f) || !binary_address_of(f->bin, user_frame_offset(frame), &address))
		return user_name_place(&u->name, frame, f->label);
	f->has_syms = true;
	sym = user_name_find(f->bin, address);
	if (!sym && elsewhere)
		sym = find_elsewhere(f, address);
	return sym ? user_name_symbol(&u->name, frame, address - sym->address, sym, f->label) :
		     user_name_place(&u->name, frame, f->label);
}

static struct user_file *file_of(struct user_files *u, uint64_t frame)
{
	uint32_t nr = user_frame_file(frame);

	u->is_full |= nr == KTAP_USER_UNNUMBERED;
	if (nr == KTAP_USER_VDSO)
		nr = KTAP_USER_FILES_MAX;
	return nr <= KTAP_USER_FILES_MAX ? &u->file[nr] : NULL;
}

static const struct ksym *find(struct user_files *u, uint64_t frame, bool elsewhere)
{
	struct user_file *f = file_of(u, frame);

	if (!f)
		return user_name_place(&u->name, frame, NULL);
	if (!f->is_known)
		user_files_update(u);
	return name_frame(u, f, frame, elsewhere);
}

const struct ksym *user_files_find(void *ctx, uint64_t frame)
{
	return find(ctx, frame, true);
}

const struct ksym *user_files_find_own(void *ctx, uint64_t frame)
{
	return find(ctx, frame, false);
}

/* ---- recordings ---- */

static int write_file(struct user_file *f, uint32_t nr, struct datafile_writer *w,
		      struct diag *d)
{
	struct datafile_file file = {
		.nr = nr,
		.name = f->label,
		.id = f->id.bytes,
		.id_size = f->id.size,
		.code = f->code,
		.nr_code = f->nr_code,
	};

	if (!f->label || f->is_written || nr >= KTAP_USER_FILES_MAX)
		return 0;
	f->is_written = true;
	return datafile_file(w, &file, d);
}

int user_files_write(struct user_files *u, const void *stacks, size_t size,
		     struct datafile_writer *w, struct diag *d)
{
	const struct ktap_stack *s, *end = (const void *)((const char *)stacks + size);
	int err = 0;

	for (s = stacks; !err && s < end; s = stack_next(s))
		for (unsigned int i = 0; !err && i < s->nr; i++) {
			struct user_file *f = file_of(u, s->frames[i]);

			err = f ? write_file(f, user_frame_file(s->frames[i]), w, d) : 0;
		}
	return err;
}

/* ---- the life of it ---- */

/* The vDSO is the same in all processes of this machine, and mapped into this one. */
static bool take_vdso(void *ctx, pid_t pid, const struct user_mapping *m)
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

/* A file stays open for its symbols: there may be more than a shell allows by default. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct user_files *user_files_create(struct session *s)
{
	struct user_files *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	allow_files();
	u->session = s;
	u->arch = arch_native();
	user_dirs_init(&u->dirs);
	u->file[KTAP_USER_FILES_MAX].is_known = true;
	user_mappings_each(getpid(), take_vdso, &u->file[KTAP_USER_FILES_MAX]);
	return u;
}

void user_files_destroy(struct user_files *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < NR_FILES; i++) {
		free(u->file[i].label);
		binary_free(u->file[i].bin);
		binary_free(u->file[i].debug);
	}
	user_dirs_deinit(&u->dirs);
	buf_deinit(&u->name.text);
	free(u);
}
