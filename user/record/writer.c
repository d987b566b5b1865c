// SPDX-License-Identifier: GPL-2.0
/*
 * Writing ktap.data. Every section goes out with one writev(), data straight
 * from the ring it lies in. Whatever ends a recording, what was written before
 * can be read.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/cleanup.h"
#include "base/whole.h"
#include "record/create.h"
#include "record/datafile.h"
#include "record/format.h"
#include "record/xxh3.h"

/**
 * struct datafile_writer - a recording that is being made
 * @to: file
 * @written: bytes
 * @path: for messages
 * @sum: of a payload whose parts lie in several places
 * @err: what an earlier write failed with
 */
struct datafile_writer {
	struct created to;
	uint64_t written;
	char *path;
	XXH3_state_t *sum;
	int err;
};

static void writer_free(struct datafile_writer *w)
{
	if (!w)
		return;
	created_close(&w->to);
	XXH3_freeState(w->sum);
	free(w->path);
	free(w);
}

DEFINE_CLEANUP(struct datafile_writer, writer_free)

static int write_failed(struct datafile_writer *w, int err, struct diag *d)
{
	w->err = err;
	return diag_set(d, err, DIAG_RECORD_WRITE, w->path, strerror(-err));
}

/* Take @done bytes off the front of @iov. */
static void iov_advance(struct iovec **iov, int *nr, size_t done)
{
	while (*nr && done >= (*iov)->iov_len) {
		done -= (*iov)->iov_len;
		(*iov)++;
		(*nr)--;
	}
	if (*nr) {
		(*iov)->iov_base = (char *)(*iov)->iov_base + done;
		(*iov)->iov_len -= done;
	}
}

static int write_parts(struct datafile_writer *w, struct iovec *iov, int nr,
		       struct diag *d)
{
	ssize_t done;

	if (w->err)
		return write_failed(w, w->err, d);
	iov_advance(&iov, &nr, 0);
	while (nr) {
		done = writev(w->to.fd, iov, nr);
		if (done < 0 && io_again(w->to.fd, POLLOUT))
			continue;
		if (done < 0)
			return write_failed(w, -errno, d);
		w->written += done;
		iov_advance(&iov, &nr, done);
	}
	return 0;
}

static int write_head(struct datafile_writer *w, struct diag *d)
{
	struct ktap_data_head head = {
		.magic = KTAP_DATA_MAGIC,
		.order = KTAP_DATA_ORDER,
		.version = KTAP_DATA_XXH3,
		.size = sizeof(head),
	};
	struct iovec iov = { &head, sizeof(head) };

	head.sum = file_sum(KTAP_DATA_XXH3, &head, sizeof(head));
	return write_parts(w, &iov, 1, d);
}

/* file_sum() of what the parts are together. */
static uint32_t parts_sum(XXH3_state_t *sum, const struct iovec *iov, int nr)
{
	int i;

	XXH3_64bits_reset(sum);
	for (i = 0; i < nr; i++)
		XXH3_64bits_update(sum, iov[i].iov_base, iov[i].iov_len);
	return XXH3_64bits_digest(sum);
}

/*
 * Complete @s and write it with its payload: the parts in @iov[1] and on. The
 * caller leaves @iov[0] and the last one free, for the head and the padding.
 */
static int write_section(struct datafile_writer *w, struct ktap_data_section *s,
			 struct iovec *iov, int nr, struct diag *d)
{
	static const char zeros[8];
	int i;

	for (i = 1; i < nr - 1; i++)
		s->length += iov[i].iov_len;
	iov[nr - 1] = (struct iovec){
		(void *)zeros, file_padding(s->length),
	};
	s->sum = parts_sum(w->sum, iov + 1, nr - 1);
	s->head_sum = file_section_sum(KTAP_DATA_XXH3, s);
	iov[0] = (struct iovec){ s, sizeof(*s) };
	return write_parts(w, iov, nr, d);
}

static int write_machine(struct datafile_writer *w, const struct machine *m,
			 struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_MACHINE };
	struct ktap_data_machine fm = {
		.arch = m->arch,
		.clock = m->clock,
		.clock_hz = m->clock_hz,
		.ring_size = m->ring_size,
		.subbuf_size = m->subbuf_size,
		.nr_cpus = m->nr_cpus,
		.flags = m->overwrite ? KTAP_DATA_F_OVERWRITE : 0,
		.build_id_size = m->build_id_size,
	};
	struct iovec iov[3] = { [1] = { &fm, sizeof(fm) } };

	memcpy(fm.release, m->release, sizeof(m->release));
	memcpy(fm.hostname, m->hostname, sizeof(m->hostname));
	memcpy(fm.build_id, m->build_id, sizeof(m->build_id));
	return write_section(w, &s, iov, 3, d);
}

int datafile_prepare(const char *path, const struct machine *m, struct diag *d,
		     struct datafile_writer **ret)
{
	_cleanup_(writer_freep) struct datafile_writer *w = calloc(1, sizeof(*w));
	int err;

	if (w) {
		w->to = (struct created){ .fd = -1, .dir = -1 };
		w->path = strdup(path);
		w->sum = XXH3_createState();
	}
	if (!w || !w->path || !w->sum)
		return diag_no_memory(d);
	err = created_open(&w->to, path, d);
	if (!err)
		err = write_head(w, d);
	if (!err)
		err = write_machine(w, m, d);
	if (!err)
		*ret = take_ptr(w);
	return err;
}

int datafile_publish(struct datafile_writer *w, struct diag *d)
{
	return created_publish(&w->to, w->path, d);
}

int datafile_create(const char *path, const struct machine *m, struct diag *d,
		    struct datafile_writer **ret)
{
	_cleanup_(writer_freep) struct datafile_writer *w = NULL;
	int err = datafile_prepare(path, m, d, &w);

	if (!err)
		err = datafile_publish(w, d);
	if (!err)
		*ret = take_ptr(w);
	return err;
}

int datafile_probe(struct datafile_writer *w, uint32_t id, const char *name,
		   const void *blob, size_t size, struct diag *d)
{
	static const char zeros[8];
	struct ktap_data_section s = { .type = KTAP_DATA_PROBE };
	struct ktap_data_probe fp = { .id = id, .name_size = strlen(name) + 1 };
	struct iovec iov[6] = {
		[1] = { &fp, sizeof(fp) },
		[2] = { (void *)name, fp.name_size },
		[3] = { (void *)zeros, file_padding(fp.name_size) },
		[4] = { (void *)blob, size },
	};

	return write_section(w, &s, iov, 6, d);
}

int datafile_clock(struct datafile_writer *w,
		   const struct ktap_session_state *now, struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_CLOCK };
	struct ktap_data_clock fc = { now->raw, now->mono, now->real };
	struct iovec iov[3] = { [1] = { &fc, sizeof(fc) } };

	return write_section(w, &s, iov, 3, d);
}

int datafile_data(struct datafile_writer *w, unsigned int cpu,
		  uint64_t position, const void *data, size_t size,
		  struct diag *d)
{
	struct ktap_data_section s = {
		.type = KTAP_DATA_DATA,
		.cpu = cpu,
		.position = position,
	};
	struct iovec iov[3] = { [1] = { (void *)data, size } };

	return write_section(w, &s, iov, 3, d);
}

int datafile_totals(struct datafile_writer *w, uint32_t id,
		    const struct ktap_counts *counts, uint64_t missed,
		    uint64_t unfollowed, struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_TOTALS };
	struct ktap_data_totals ft = {
		.id = id,
		.counts_size = sizeof(*counts),
		.missed = missed,
	};
	struct iovec iov[5] = {
		[1] = { &ft, sizeof(ft) },
		[2] = { (void *)counts, sizeof(*counts) },
		[3] = { &unfollowed, sizeof(unfollowed) },
	};

	return write_section(w, &s, iov, 5, d);
}

int datafile_marks(struct datafile_writer *w, const struct ktap_marks *marks,
		   struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_MARKS };
	struct iovec iov[3] = { [1] = { (void *)marks, sizeof(*marks) } };

	if (!marks->recorded && !marks->lost_full && !marks->lost_no_ring)
		return 0;
	return write_section(w, &s, iov, 3, d);
}

int datafile_symbols(struct datafile_writer *w, const char *text, size_t size,
		     struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_SYMBOLS };
	struct iovec iov[3] = { [1] = { (void *)text, size } };

	return write_section(w, &s, iov, 3, d);
}

int datafile_stacks(struct datafile_writer *w, const void *stacks, size_t size,
		    struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_STACKS };
	struct iovec iov[3] = { [1] = { (void *)stacks, size } };

	return write_section(w, &s, iov, 3, d);
}

int datafile_file(struct datafile_writer *w, const struct datafile_file *file,
		  struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_FILE };
	struct ktap_data_file ff = {
		.file = file->nr,
		.nr_code = file->nr_code,
		.name_size = strlen(file->name) + 1,
		.build_id_size = file->id_size,
	};
	struct iovec iov[5] = {
		[1] = { &ff, sizeof(ff) },
		[2] = { (void *)file->code, file->nr_code * sizeof(*file->code) },
		[3] = { (void *)file->name, ff.name_size },
	};

	memcpy(ff.build_id, file->id, file->id_size);
	return write_section(w, &s, iov, 5, d);
}

int datafile_map(struct datafile_writer *w, const struct datafile_map *map,
		 struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_MAP };
	struct ktap_data_map fm = {
		.id = map->id, .nr_words = map->nr_words, .nr_rows = map->nr_rows,
	};
	struct iovec iov[4] = {
		[1] = { &fm, sizeof(fm) },
		[2] = { (void *)map->rows, map->size },
	};

	return write_section(w, &s, iov, 4, d);
}

int datafile_stopped(struct datafile_writer *w, enum datafile_reason reason,
		     struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_STOPPED };
	struct ktap_data_stopped fs = { .reason = reason };
	struct iovec iov[3] = { [1] = { &fs, sizeof(fs) } };

	return write_section(w, &s, iov, 3, d);
}

bool datafile_is_stream(const struct datafile_writer *w)
{
	return !w->to.is_file;
}

int datafile_finish(struct datafile_writer *w, uint64_t *size, struct diag *d)
{
	struct ktap_data_section s = { .type = KTAP_DATA_END };
	struct iovec iov[2];
	int err;

	if (!w)
		return 0;
	err = write_section(w, &s, iov, 2, d);
	/* Some file systems say only here that there was no room. */
	if (close(w->to.fd) < 0 && !err)
		err = write_failed(w, -errno, d);
	w->to.fd = -1;
	if (size)
		*size = w->written;
	writer_free(w);
	return err;
}
