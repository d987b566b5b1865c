// SPDX-License-Identifier: GPL-2.0
/*
 * Reading ktap.data: the whole file is mapped, every checksum is checked, and
 * an index of the sections is made. What lies behind the first byte that is
 * missing or wrong is not used. Nothing here knows what a record is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/array.h"
#include "record/reader.h"

/* Bytes that stay in memory behind a place that was passed. */
#define FORGET_STEP	(4UL << 20)

#define CUT_SHORT	"the file ends there"
#define CUT_HEAD	"bad checksum of a section's header"
#define CUT_CHECKSUM	"bad checksum"
#define CUT_CONTENT	"a section that makes no sense"
#define CUT_BEHIND	"bytes behind the end of the recording"

/* One more member for *@array, which has @nr of them. */
static int grow(void *array, size_t nr, size_t size)
{
	void *old, *new;

	memcpy(&old, array, sizeof(old));
	new = array_grow(old, nr, size);
	if (!new)
		return -ENOMEM;
	memcpy(array, &new, sizeof(new));
	return 0;
}

/* The first @size bytes of a payload; what is missing is zero. */
static void take(void *to, size_t size, const void *payload, uint64_t length)
{
	if (length > size)
		length = size;
	memset(to, 0, size);
	memcpy(to, payload, length);
}

/* ---- sections: 0, -EBADMSG for content that makes no sense, -ENOMEM ---- */

#define CPUS_MAX 65536

static bool machine_ok(const struct ktap_data_machine *fm)
{
	return fm->nr_cpus && fm->nr_cpus <= CPUS_MAX &&
	       fm->subbuf_size > sizeof(struct ktap_rec_subbuf) &&
	       !(fm->subbuf_size & (fm->subbuf_size - 1)) &&
	       fm->build_id_size <= sizeof(((struct machine *)0)->build_id);
}

static int read_machine(struct reader *r, const struct ktap_data_section *s,
			const void *payload)
{
	struct machine *m = &r->f->machine;
	struct ktap_data_machine fm;

	take(&fm, sizeof(fm), payload, s->length);
	if (r->machine || !machine_ok(&fm))
		return -EBADMSG;
	*m = (struct machine){
		.arch = fm.arch,
		.build_id_size = fm.build_id_size,
		.nr_cpus = fm.nr_cpus,
		.clock = fm.clock,
		.clock_hz = fm.clock_hz,
		.subbuf_size = fm.subbuf_size,
		.ring_size = fm.ring_size,
		.overwrite = fm.flags & KTAP_DATA_F_OVERWRITE,
	};
	memcpy(m->release, fm.release, sizeof(m->release) - 1);
	memcpy(m->hostname, fm.hostname, sizeof(m->hostname) - 1);
	memcpy(m->build_id, fm.build_id, sizeof(m->build_id));
	r->machine = true;
	return 0;
}

static int read_probe(struct reader *r, const struct ktap_data_section *s,
		      const void *payload)
{
	const char *name = (const char *)payload + sizeof(struct ktap_data_probe);
	struct datafile *f = r->f;
	struct ktap_data_probe fp;
	uint64_t before;

	take(&fp, sizeof(fp), payload, s->length);
	before = sizeof(fp) + (uint64_t)fp.name_size + file_padding(fp.name_size);
	if (!fp.name_size || before > s->length || name[fp.name_size - 1])
		return -EBADMSG;
	if (grow(&f->probes, f->nr_probes, sizeof(*f->probes)))
		return -ENOMEM;
	f->probes[f->nr_probes++] = (struct datafile_probe){
		.id = fp.id,
		.name = name,
		.blob = (const char *)payload + before,
		.blob_size = s->length - before,
	};
	return 0;
}

static int add_batch(struct reader *r, const struct ktap_data_section *s,
		     const void *payload, uint64_t size, bool cut)
{
	struct datafile *f = r->f;

	if (s->cpu >= f->machine.nr_cpus || s->position % 8 || size % 8)
		return -EBADMSG;
	if (grow(&f->batches, f->nr_batches, sizeof(*f->batches)))
		return -ENOMEM;
	f->batches[f->nr_batches++] = (struct datafile_batch){
		.cpu = s->cpu,
		.position = s->position,
		.data = payload,
		.size = size,
		.cut = cut,
	};
	return 0;
}

static int read_data(struct reader *r, const struct ktap_data_section *s,
		     const void *payload)
{
	return add_batch(r, s, payload, s->length, false);
}

/* Its content is checked when it is decoded. */
static int read_stacks(struct reader *r, const struct ktap_data_section *s,
		       const void *payload)
{
	struct datafile *f = r->f;

	if (grow(&f->stacks, f->nr_stacks, sizeof(*f->stacks)))
		return -ENOMEM;
	f->stacks[f->nr_stacks++] = (struct datafile_part){ payload, s->length };
	return 0;
}

static int read_clock(struct reader *r, const struct ktap_data_section *s,
		      const void *payload)
{
	struct datafile *f = r->f;
	struct ktap_data_clock fc;

	take(&fc, sizeof(fc), payload, s->length);
	if (grow(&f->clocks, f->nr_clocks, sizeof(*f->clocks)))
		return -ENOMEM;
	f->clocks[f->nr_clocks++] = (struct ktap_session_state){
		.raw = fc.raw, .mono = fc.mono, .real = fc.real,
	};
	if (!f->began)
		f->began = fc.mono;
	f->ended = fc.mono;
	return 0;
}

static int read_totals(struct reader *r, const struct ktap_data_section *s,
		       const void *payload)
{
	struct datafile *f = r->f;
	struct datafile_total *t;
	struct ktap_data_totals ft;

	take(&ft, sizeof(ft), payload, s->length);
	if (s->length < sizeof(ft) || ft.counts_size > s->length - sizeof(ft))
		return -EBADMSG;
	if (grow(&f->totals, f->nr_totals, sizeof(*f->totals)))
		return -ENOMEM;
	t = &f->totals[f->nr_totals++];
	t->id = ft.id;
	t->missed = ft.missed;
	take(&t->counts, sizeof(t->counts), (const char *)payload + sizeof(ft),
	     ft.counts_size);
	take(&t->unfollowed, sizeof(t->unfollowed),
	     (const char *)payload + sizeof(ft) + ft.counts_size,
	     s->length - sizeof(ft) - ft.counts_size);
	return 0;
}

static int read_marks(struct reader *r, const struct ktap_data_section *s,
		      const void *payload)
{
	take(&r->f->marks, sizeof(r->f->marks), payload, s->length);
	return 0;
}

/* They are printed as they are. */
static bool plain_lines(const char *s, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if ((s[i] < ' ' || s[i] > '~') && s[i] != '\t' && s[i] != '\n')
			return false;
	return true;
}

static int read_symbols(struct reader *r, const struct ktap_data_section *s,
			const void *payload)
{
	struct datafile *f = r->f;
	char *symbols;

	if (!plain_lines(payload, s->length))
		return -EBADMSG;
	symbols = realloc(f->symbols, f->symbols_size + s->length + 1);
	if (!symbols)
		return -ENOMEM;
	memcpy(symbols + f->symbols_size, payload, s->length);
	f->symbols = symbols;
	f->symbols_size += s->length;
	return 0;
}

/* How many bytes of a payload precede the name; 0: it makes no sense. */
static uint64_t file_name_at(const struct ktap_data_file *ff, uint64_t length)
{
	uint64_t at = sizeof(*ff) + ff->nr_code * (uint64_t)sizeof(struct ktap_data_code);

	if (length < sizeof(*ff) || ff->build_id_size > sizeof(ff->build_id) ||
	    ff->nr_code > KTAP_DATA_CODE_MAX || !ff->name_size || at > length || ff->name_size > length - at)
		return 0;
	return at;
}

static int read_file(struct reader *r, const struct ktap_data_section *s,
		     const void *payload)
{
	struct datafile *f = r->f;
	struct ktap_data_file ff;
	const char *name;
	uint64_t at;
	char *copy;

	take(&ff, sizeof(ff), payload, s->length);
	at = file_name_at(&ff, s->length);
	if (!at)
		return -EBADMSG;
	name = (const char *)payload + at;
	if (name[ff.name_size - 1] || !plain_lines(name, strlen(name)))
		return -EBADMSG;
	if (grow(&f->files, f->nr_files, sizeof(*f->files)))
		return -ENOMEM;
	copy = malloc(s->length);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, payload, s->length);
	f->files[f->nr_files++] = (struct datafile_file){
		.nr = ff.file,
		.name = copy + at,
		.id = (uint8_t *)copy + offsetof(struct ktap_data_file, build_id),
		.id_size = ff.build_id_size,
		.code = (const void *)(copy + sizeof(ff)),
		.nr_code = ff.nr_code,
		.copy = copy,
	};
	return 0;
}

/* Return: bytes of the row at @at, of @left bytes there; 0: it makes no sense. */
static uint64_t row_size(const struct ktap_data_map *fm, const char *at, uint64_t left)
{
	struct ktap_data_row row;
	uint64_t size = sizeof(row) + fm->nr_words * (uint64_t)sizeof(row.words[0]);

	if (size > left)
		return 0;
	memcpy(&row, at, sizeof(row));
	if (row.key_size != KTAP_DATA_NO_KEY)
		size += (uint64_t)row.key_size + file_padding(row.key_size);
	return size > left ? 0 : size;
}

static int read_map(struct reader *r, const struct ktap_data_section *s,
		    const void *payload)
{
	const char *rows = (const char *)payload + sizeof(struct ktap_data_map);
	struct datafile *f = r->f;
	struct ktap_data_map fm;
	uint64_t at = 0, size;

	take(&fm, sizeof(fm), payload, s->length);
	if (s->length < sizeof(fm))
		return -EBADMSG;
	for (uint64_t i = 0; i < fm.nr_rows; i++) {
		size = row_size(&fm, rows + at, s->length - sizeof(fm) - at);
		if (!size)
			return -EBADMSG;
		at += size;
	}
	if (grow(&f->maps, f->nr_maps, sizeof(*f->maps)))
		return -ENOMEM;
	f->maps[f->nr_maps++] = (struct datafile_map){
		.id = fm.id,
		.nr_words = fm.nr_words,
		.nr_rows = fm.nr_rows,
		.rows = rows,
		.size = at,
	};
	return 0;
}

static int read_stopped(struct reader *r, const struct ktap_data_section *s,
			const void *payload)
{
	struct ktap_data_stopped fs;

	take(&fs, sizeof(fs), payload, s->length);
	r->f->stopped = fs.reason;
	return 0;
}

static int read_end(struct reader *r, const struct ktap_data_section *s,
		    const void *payload)
{
	(void)s;
	(void)payload;
	r->f->complete = true;
	return 0;
}

static int (*const section_readers[])(struct reader *r,
				      const struct ktap_data_section *s,
				      const void *payload) = {
	[KTAP_DATA_MACHINE] = read_machine,
	[KTAP_DATA_PROBE] = read_probe,
	[KTAP_DATA_DATA] = read_data,
	[KTAP_DATA_CLOCK] = read_clock,
	[KTAP_DATA_TOTALS] = read_totals,
	[KTAP_DATA_END] = read_end,
	[KTAP_DATA_SYMBOLS] = read_symbols,
	[KTAP_DATA_STOPPED] = read_stopped,
	[KTAP_DATA_STACKS] = read_stacks,
	[KTAP_DATA_MARKS] = read_marks,
	[KTAP_DATA_FILE] = read_file,
	[KTAP_DATA_MAP] = read_map,
};

#define NR_SECTION_READERS (sizeof(section_readers) / sizeof(*section_readers))

static int read_section(struct reader *r, const struct ktap_data_section *s,
			const void *payload)
{
	if (s->type >= NR_SECTION_READERS || !section_readers[s->type])
		return 0;
	if (s->type != KTAP_DATA_MACHINE && !r->machine)
		return -EBADMSG;
	return section_readers[s->type](r, s, payload);
}

/* ---- the file ---- */

static void cut(struct reader *r, uint64_t at, const char *reason)
{
	r->f->complete = false;
	r->f->cut_at = at;
	r->f->cut_reason = reason;
}

/* The file ends inside of a section. Of DATA, use what is there. */
static int cut_short(struct reader *r, const struct ktap_data_section *s)
{
	size_t payload = r->at + sizeof(*s);
	size_t whole = (r->f->size - payload) & ~(size_t)7;
	int err;

	cut(r, r->at, CUT_SHORT);
	if (s->type != KTAP_DATA_DATA || !r->machine || !whole)
		return 0;
	err = add_batch(r, s, r->f->bytes + payload, whole, true);
	if (!err)
		cut(r, payload + whole, CUT_SHORT);
	return err == -ENOMEM ? err : 0;
}

int reader_section(struct reader *r)
{
	const unsigned char *at = r->f->bytes + r->at;
	size_t left = r->f->size - r->at;
	const unsigned char *payload = at + sizeof(struct ktap_data_section);
	struct ktap_data_section s;
	uint64_t length;
	int err;

	if (left < sizeof(s)) {
		cut(r, r->at, CUT_SHORT);
		return 0;
	}
	memcpy(&s, at, sizeof(s));
	if (file_section_sum(r->version, &s) != s.head_sum) {
		cut(r, r->at, CUT_HEAD);
		return 0;
	}
	length = s.length + file_padding(s.length);
	if (length < s.length || length > left - sizeof(s))
		return cut_short(r, &s);
	if (file_sum(r->version, payload, length) != s.sum) {
		cut(r, r->at, CUT_CHECKSUM);
		return 0;
	}
	err = read_section(r, &s, payload);
	if (err == -EBADMSG) {
		cut(r, r->at, CUT_CONTENT);
		return 0;
	}
	r->at += sizeof(s) + length;
	return err ? err : 1;
}

static int read_sections(struct reader *r)
{
	int more;

	do {
		more = reader_section(r);
		datafile_forget(r->f, r->f->bytes + r->at);
	} while (more > 0 && !r->f->complete);
	if (r->f->complete && r->at != r->f->size)
		cut(r, r->at, CUT_BEHIND);
	return more < 0 ? more : 0;
}

/* What @sum of the head should be, which has @size bytes. */
static uint32_t head_sum(uint32_t version, const void *bytes, size_t size)
{
	unsigned char copy[FILE_HEAD_MAX];

	memcpy(copy, bytes, size);
	memset(copy + offsetof(struct ktap_data_head, sum), 0, sizeof(uint32_t));
	return file_sum(version, copy, size);
}

int reader_head(struct reader *r, const char *path, const void *bytes,
		size_t size, struct diag *d)
{
	struct ktap_data_head h;

	if (!size)
		return diag_set(d, -EINVAL, DIAG_RECORD_EMPTY, path);
	take(&h, sizeof(h), bytes, size);
	if (memcmp(h.magic, KTAP_DATA_MAGIC, size < sizeof(h.magic) ? size : sizeof(h.magic)))
		return diag_set(d, -EINVAL, DIAG_RECORD_FOREIGN, path);
	if (size < sizeof(h))
		return diag_set(d, -EINVAL, DIAG_RECORD_SHORT, path, size);
	if (h.order == KTAP_DATA_ORDER_OTHER)
		return diag_set(d, -EINVAL, DIAG_RECORD_ORDER, path);
	if (h.order == KTAP_DATA_ORDER && h.version > KTAP_DATA_CRC32)
		return diag_set(d, -EINVAL, DIAG_RECORD_VERSION, path, h.version,
				KTAP_DATA_CRC32);
	if (h.order != KTAP_DATA_ORDER || !h.version ||
	    h.size < sizeof(h) || h.size > FILE_HEAD_MAX || h.size % 8)
		return diag_set(d, -EINVAL, DIAG_RECORD_HEAD, path);
	if (size < h.size)
		return diag_set(d, -EINVAL, DIAG_RECORD_SHORT, path, size);
	if (head_sum(h.version, bytes, h.size) != h.sum)
		return diag_set(d, -EINVAL, DIAG_RECORD_HEAD, path);
	r->version = h.version;
	r->at = h.size;
	return 0;
}

int reader_no_machine(const char *path, const struct datafile *f,
		      struct diag *d)
{
	return diag_set(d, -EINVAL, DIAG_RECORD_NO_MACHINE, path,
			(unsigned long long)f->cut_at, f->cut_reason);
}

/* Takes over *@file when it succeeds. */
static int parse(const char *path, struct datafile **file, struct diag *d,
		 struct datafile **ret)
{
	struct datafile *f = *file;
	struct reader r = { .f = f };
	int err;

	err = reader_head(&r, path, f->bytes, f->size, d);
	if (err)
		return err;
	if (read_sections(&r))
		return diag_no_memory(d);
	if (!r.machine)
		return reader_no_machine(path, f, d);
	*ret = take_ptr(*file);
	return 0;
}

int datafile_parse(const char *path, const void *bytes, size_t size,
		   struct diag *d, struct datafile **ret)
{
	_cleanup_(datafile_closep) struct datafile *f = calloc(1, sizeof(*f));

	if (!f)
		return diag_no_memory(d);
	f->bytes = bytes;
	f->size = size;
	return parse(path, &f, d, ret);
}

/* Non-blocking: what is no file must not hold us. */
static int open_file(const char *path)
{
	if (!strcmp(path, "-"))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static int map_file(const char *path, struct datafile *f, struct diag *d)
{
	_cleanup_close_ int fd = open_file(path);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return diag_set(d, -errno, DIAG_RECORD_OPEN, path,
				strerror(errno));
	if (S_ISDIR(st.st_mode))
		return diag_set(d, -EINVAL, DIAG_RECORD_DIRECTORY, path);
	if (!S_ISREG(st.st_mode))
		return diag_set(d, -EINVAL, DIAG_RECORD_NOT_FILE, path);
	if (!st.st_size)
		return diag_set(d, -EINVAL, DIAG_RECORD_EMPTY, path);
	f->map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (f->map == MAP_FAILED) {
		f->map = NULL;
		return diag_set(d, -errno, DIAG_RECORD_OPEN, path,
				strerror(errno));
	}
	madvise(f->map, st.st_size, MADV_SEQUENTIAL);
	f->bytes = f->map;
	f->size = st.st_size;
	return 0;
}

int datafile_open(const char *path, struct diag *d, struct datafile **ret)
{
	_cleanup_(datafile_closep) struct datafile *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return diag_no_memory(d);
	err = map_file(path, f, d);
	return err ? err : parse(path, &f, d, ret);
}

void datafile_forget(struct datafile *f, const void *until)
{
	size_t page = sysconf(_SC_PAGESIZE);
	size_t end = (const unsigned char *)until - f->bytes;

	end -= end % page;
	if (end < f->forgotten) /* another pass over the file */
		f->forgotten = end;
	if (!f->map || end - f->forgotten < FORGET_STEP)
		return;
	/* A private mapping of a file: the pages come back when touched. */
	madvise((char *)f->map + f->forgotten, end - f->forgotten,
		MADV_DONTNEED);
	f->forgotten = end;
}

void datafile_close(struct datafile *f)
{
	if (!f)
		return;
	if (f->map)
		munmap(f->map, f->size);
	free(f->probes);
	free(f->batches);
	free(f->clocks);
	free(f->stacks);
	free(f->totals);
	free(f->symbols);
	for (size_t i = 0; i < f->nr_files; i++)
		free(f->files[i].copy);
	free(f->files);
	free(f->maps);
	for (size_t i = 0; i < f->nr_kept; i++)
		free(f->kept[i]);
	free(f->kept);
	free(f);
}
