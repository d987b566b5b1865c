// SPDX-License-Identifier: GPL-2.0
/*
 * /run/ktap/kallsyms: the symbols of the kernel that runs, as ksyms_split() left them.
 * To print /proc/kallsyms takes the kernel a fifth of a second and more; what the file
 * has holds until a module comes or goes. The file is root's, and nobody else reads it:
 * it has addresses.
 *
 * The text is read into the file itself, which has no name yet: it costs no copy.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/owned.h"
#include "place/symtab.h"

#define DIR "/run"
#define SUBDIR "ktap"
#define NAME "kallsyms"
#define NEW ".kallsyms.new"
#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define FIRST_SIZE (8 << 20)
#define SIZE_MAX_OF_FILE (256 << 20)

/**
 * struct head - what the file begins with; the text follows, and a NUL
 * @magic: also tells the format
 * @boot: of this boot of the machine
 * @epoch: KTAP_A_SYMBOLS
 * @size: bytes of the text
 */
struct head {
	char magic[8];
	char boot[40];
	uint64_t epoch;
	uint64_t size;
};

/* Return: whether there is something to know the text by. */
static bool make_head(uint64_t epoch, struct head *ret)
{
	_cleanup_close_ int fd = -1;

	*ret = (struct head){ .magic = "ktapsym", .epoch = epoch };
	if (!epoch || geteuid())
		return false;
	fd = open(BOOT_ID, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && read(fd, ret->boot, sizeof(ret->boot)) > 0;
}

/* ---- reading ---- */

static bool head_holds(const struct head *h, const struct head *wanted,
		       size_t size)
{
	return size > sizeof(*h) &&
	       !memcmp(h->magic, wanted->magic, sizeof(h->magic)) &&
	       !memcmp(h->boot, wanted->boot, sizeof(h->boot)) &&
	       h->epoch == wanted->epoch && h->size < size - sizeof(*h) &&
	       !((const char *)(h + 1))[h->size];
}

static bool find(int dir, const struct head *wanted, struct ksyms *ks)
{
	const void *data;
	size_t size;

	if (!owned_map(dir, NAME, SIZE_MAX_OF_FILE, &data, &size))
		return false;
	if (!head_holds(data, wanted, size)) {
		munmap((void *)data, size);
		return false;
	}
	ks->map = (void *)data;
	ks->map_size = size;
	ks->text = (char *)data + sizeof(struct head);
	ks->size = ((const struct head *)data)->size;
	return true;
}

/* ---- writing ---- */

/* struct file - a room in a file */
struct file {
	struct ksyms_room room;
	int fd;
	void *map;
	size_t size;
};

/*
 * Larger, but without memory yet. It is read(2) that asks for that: where there is none
 * it fails, while a write of our own to the mapping would be a SIGBUS.
 */
static int grow_file(struct ksyms_room *r)
{
	struct file *f = (struct file *)r;
	size_t size = f->size ? 2 * f->size : FIRST_SIZE;
	void *map;

	if (ftruncate(f->fd, size))
		return -errno;
	if (f->size)
		map = mremap(f->map, f->size, size, MREMAP_MAYMOVE);
	else
		map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			   f->fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	f->map = map;
	f->size = size;
	r->text = (char *)map + sizeof(struct head);
	r->size = size - sizeof(struct head);
	return 0;
}

/* The NUL behind the text may be the first byte of a page. */
static int end_text(struct ksyms_room *r, size_t size)
{
	struct file *f = (struct file *)r;
	ssize_t n = pwrite(f->fd, "", 1, r->text + size - (char *)f->map);

	return n == 1 ? 0 : -ENOSPC;
}

static int read_running(struct file *f, struct ksyms *ks)
{
	_cleanup_close_ int fd = open(KSYMS_RUNNING, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : ksyms_read(fd, &f->room, ks);

	if (err) {
		ks->text = NULL;
		ks->size = 0;
		if (f->map)
			munmap(f->map, f->size);
		return err;
	}
	ks->map = f->map;
	ks->map_size = f->size;
	ksyms_split(ks);
	return 0;
}

/* Whoever is last wins; each has a whole one. That it has no name harms nobody. */
static void publish(int dir, const struct file *f, const struct head *head,
		    const struct ksyms *ks)
{
	char path[64];
	struct head *h = f->map;

	*h = *head;
	h->size = ks->size;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", f->fd);
	unlinkat(dir, NEW, 0);
	if (!ftruncate(f->fd, sizeof(*h) + ks->size + 1) &&
	    !linkat(AT_FDCWD, path, dir, NEW, AT_SYMLINK_FOLLOW) &&
	    renameat(dir, NEW, dir, NAME))
		unlinkat(dir, NEW, 0);
}

/* Return: whether @ks has the symbols now. */
static bool make(int dir, const struct head *head,
		 const struct ksyms_epoch *epoch, struct ksyms *ks)
{
	_cleanup_close_ int fd = openat(dir, ".",
					O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	struct file f = { .room = { .grow = grow_file, .end = end_text },
			  .fd = fd };

	if (fd < 0 || read_running(&f, ks))
		return false;
	/* if a module came meanwhile, the text may have half of it */
	if (!ks->hidden && epoch->get(epoch->ctx) == head->epoch)
		publish(dir, &f, head, ks);
	return true;
}

/* Those of vmlinux, which the list begins with, stay what they are. */
static int load_modules(struct ksyms **ret)
{
	_cleanup_(ksyms_freep) struct ksyms *all = NULL;
	struct ksym sym = {};
	size_t pos = 0, begin = 0;
	int err = ksyms_load(NULL, NULL, &all);
	char *text;

	if (err)
		return err;
	for (; ksyms_next(all, &pos, &sym) && !sym.module; begin = pos)
		;
	all->size -= begin;
	memmove(all->text, all->text + begin, all->size + 1);
	text = realloc(all->text, all->size + 1);
	if (text)
		all->text = text;
	*ret = take_ptr(all);
	return 0;
}

/* Return: the symbols, if the file has them now; or NULL. */
static struct ksyms *keep(const struct ksyms_epoch *epoch, uint64_t number)
{
	_cleanup_(ksyms_freep) struct ksyms *ks = NULL;
	_cleanup_close_ int dir = -1;
	struct head head;

	if (!make_head(number, &head))
		return NULL;
	ks = ksyms_new();
	dir = owned_enter(owned_enter(AT_FDCWD, DIR, false), SUBDIR, true);
	if (!ks || dir < 0 ||
	    !(find(dir, &head, ks) || make(dir, &head, epoch, ks)))
		return NULL;
	return take_ptr(ks);
}

int ksyms_load_running(const struct ksyms_epoch *epoch, struct diag *d,
		       struct ksyms **ret)
{
	uint64_t number = epoch->get(epoch->ctx);
	struct ksyms *ks = keep(epoch, number);
	int err = ks ? 0 : ksyms_load(NULL, d, &ks);

	if (err)
		return err;
	ks->renew = load_modules;
	ks->epoch = number;
	*ret = ks;
	return 0;
}

/* For a second after a change there is no number, and more changes may follow. */
#define UNSETTLED_NS 250000000ULL

bool ksyms_follow(struct ksyms *ks, const struct ksyms_epoch *epoch)
{
	uint64_t number, now;

	if (!ks || !ks->renew || ks->hidden)
		return false;
	number = epoch->get(epoch->ctx);
	now = now_ns();
	if (number == ks->epoch && (number || now - ks->asked_ns < UNSETTLED_NS))
		return false;
	ks->epoch = number;
	ks->asked_ns = now;
	ksym_index_old(ks->index);
	return true;
}
