// SPDX-License-Identifier: GPL-2.0
/* Bundles in memory, and their files. */
#include "bundle/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/whole.h"

#define SUFFIX ".ktap"

/* The module has room for fewer probes: a larger file is not read into memory. */
#define FILE_MAX	(1UL << 30)

static void point_deinit(struct bundle_point *p)
{
	free(p->name);
	free(p->symbol);
	free(p->lookup);
	free(p->insns);
	free(p->entry_insns);
	free(p->fixes);
	free(p->patches);
	free(p->blob);
}

void bundle_free(struct bundle *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr_definitions; i++)
		free(b->definitions[i]);
	for (size_t i = 0; i < b->nr_objects; i++)
		free(b->objects[i].name);
	for (size_t i = 0; i < b->nr_points; i++)
		point_deinit(&b->points[i]);
	free(b->definitions);
	free(b->objects);
	free(b->points);
	params_deinit(&b->params);
	free(b->maker);
	free(b);
}

bool bundle_string(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return *to || !from;
}

void bundle_put_id(struct buf *b, const uint8_t *id, size_t size)
{
	for (size_t i = 0; i < size; i++)
		buf_printf(b, "%02x", id[i]);
	if (!size)
		buf_puts(b, "none");
}

int bundle_add_definition(struct bundle *b, const char *text)
{
	char **more = array_grow(b->definitions, b->nr_definitions, sizeof(*more));

	if (!more)
		return -ENOMEM;
	b->definitions = more;
	more[b->nr_definitions] = strdup(text);
	if (!more[b->nr_definitions])
		return -ENOMEM;
	b->nr_definitions++;
	return 0;
}

struct bundle_object *bundle_add_object(struct bundle *b)
{
	struct bundle_object *o;

	o = array_grow(b->objects, b->nr_objects, sizeof(*o));
	if (!o)
		return NULL;
	b->objects = o;
	o += b->nr_objects++;
	*o = (struct bundle_object){};
	return o;
}

struct bundle_point *bundle_add_point(struct bundle *b)
{
	struct bundle_point *p;

	p = array_grow(b->points, b->nr_points, sizeof(*p));
	if (!p)
		return NULL;
	b->points = p;
	p += b->nr_points++;
	*p = (struct bundle_point){};
	return p;
}

void bundle_set_param(struct bundle *b, size_t index)
{
	for (size_t i = 0; i < b->nr_points; i++) {
		struct bundle_point *p = &b->points[i];

		for (size_t j = 0; j < p->nr_patches; j++) {
			const struct bundle_patch *patch = &p->patches[j];
			struct ktap_insn *insns = patch->in_entry ?
						  p->entry_insns : p->insns;

			if (patch->param == index)
				insns[patch->insn].imm =
					b->params.param[index].value;
		}
	}
}

/* ---- files ---- */

static int cannot_open(const char *path, int err, struct diag *d)
{
	return diag_set(d, err, DIAG_BUNDLE_OPEN, path, strerror(-err));
}

int bundle_open(const char *path, struct diag *d, struct bundle **ret)
{
	_cleanup_free_ char *bytes = NULL;
	/* opening a FIFO without a writer must not block */
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	size_t size = 0;
	int err;

	if (fd < 0 || fstat(fd, &st))
		return cannot_open(path, -errno, d);
	if (!S_ISREG(st.st_mode))
		return diag_set(d, -EINVAL, DIAG_BUNDLE_NOT_FILE, path);
	if ((uint64_t)st.st_size > FILE_MAX)
		return cannot_open(path, -EFBIG, d);
	err = read_whole(fd, st.st_size, &bytes, &size);
	if (err)
		return err == -ENOMEM ? diag_no_memory(d) : cannot_open(path, err, d);
	return bundle_decode(path, bytes, size, d, ret);
}

int bundle_save(const struct bundle *b, const char *path, struct diag *d,
		size_t *size)
{
	_cleanup_free_ void *bytes = NULL;
	int err;

	if (bundle_encode(b, &bytes, size))
		return diag_no_memory(d);
	err = write_to(path, bytes, *size);
	return err ? diag_set(d, err, DIAG_BUNDLE_WRITE, path, strerror(-err)) : 0;
}

bool bundle_is_one(const char *word)
{
	size_t length = strlen(word), suffix = strlen(SUFFIX);

	return length > suffix && !strcmp(word + length - suffix, SUFFIX) &&
	       (!strchr(word, ' ') || !access(word, F_OK));
}
