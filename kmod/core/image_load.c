// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the image of a probe module and creates its probes. An image may be damaged or
 * forged like any message: everything in it is checked, and its programs pass the same
 * verifier. Netlink's attributes describe a probe here too.
 */
#include <linux/crc32.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core/blob.h"
#include "core/budget.h"
#include "core/image.h"
#include "core/netlink_request.h"
#include "core/probe.h"

/* struct chunk - the rest of an image */
struct chunk {
	const u8 *at;
	size_t size;
};

/**
 * struct item - a probe of an image, in parts
 * @head: its head
 * @fixes: instructions with an address of the kernel
 * @patches: instructions with the value of a parameter
 * @attrs: netlink attributes
 * @blob: description of its records
 * @map: its map, if it has one
 */
struct item {
	const struct ktap_image_probe *head;
	const u32 *fixes;
	const u32 *patches;
	const void *attrs;
	const void *blob;
	const struct ktap_session_map *map;
};

/* Takes @size bytes, rounded up to a multiple of 8, off the front. Return: them, or NULL. */
static const void *take(struct chunk *c, size_t size)
{
	size_t whole = round_up(size, 8);
	const void *ret = c->at;

	if (size > c->size || whole > c->size)
		return NULL;
	c->at += whole;
	c->size -= whole;
	return ret;
}

static int refuse(const struct ktap_image *image, int err, const char *why)
{
	pr_err("ktap: %s: %s\n", image->name, why);
	return err;
}

static int bad_image(const struct ktap_image *image)
{
	return refuse(image, -EINVAL, "the image of the probes is damaged");
}

/* ---- head ---------------------------------------------------------------------- */

static u32 sum_of(const struct ktap_image_head *head)
{
	struct ktap_image_head copy = *head;
	u32 crc;

	copy.sum = 0;
	crc = crc32_le(~0U, (const u8 *)&copy, sizeof(copy));
	crc = crc32_le(crc, (const u8 *)(head + 1), head->size - sizeof(*head));
	return ~crc;
}

static int check_head(const struct ktap_image *image,
		      const struct ktap_image_head *head)
{
	if (memcmp(head->magic, KTAP_IMAGE_MAGIC, sizeof(head->magic)))
		return bad_image(image);
	if (head->version < KTAP_IMAGE_OLDEST || head->version > KTAP_IMAGE_VERSION)
		return refuse(image, -EINVAL,
			      "the probes are for another version of ktap.ko");
	if (!head->nr_probes)
		return refuse(image, -ENODATA,
			      "a template has no probes: \"ktap module\" makes a module of it");
	if (head->size < sizeof(*head) || head->size > KTAP_IMAGE_MAX ||
	    head->size % 8 || sum_of(head) != head->sum)
		return bad_image(image);
	if (head->arch != KTAP_ARCH)
		return refuse(image, -ENOEXEC,
			      "the probes are for another architecture");
	return 0;
}

/* ---- objects -------------------------------------------------------------------- */

static bool object_ok(const struct ktap_image_object *o, const struct chunk *left)
{
	const char *name = (const char *)(o + 1);
	size_t size;

	if (o->size % 8 || o->size <= sizeof(*o) || o->size > left->size)
		return false;
	size = o->size - sizeof(*o);
	return !name[size - 1] && o->id_size && o->id_size <= sizeof(o->id);
}

/* Return: the next object, or NULL for one that makes no sense. */
static const struct ktap_image_object *take_object(struct chunk *c)
{
	const struct ktap_image_object *o = (const void *)c->at;

	if (c->size < sizeof(*o) || !object_ok(o, c))
		return NULL;
	return take(c, o->size);
}

/*
 * Where the build-id of this very kernel is in its file, its bytes are in memory at the
 * same distance as everything else. Another kernel has other bytes there, or none.
 */
static int prove_kernel(struct ktap_image *image,
			const struct ktap_image_object *o)
{
	u8 id[KTAP_IMAGE_ID_MAX];
	const void *at;

	image->slide = (unsigned long)register_kprobe - image->head->anchor;
	at = (const void *)(unsigned long)(o->id_at + image->slide);
	if (copy_from_kernel_nofault(id, at, o->id_size) ||
	    memcmp(id, o->id, o->id_size)) {
		pr_err("ktap: %s: the probes are for another kernel: %s, build-id %*phN\n",
		       image->name, (const char *)(o + 1), (int)o->id_size, o->id);
		return -ENOEXEC;
	}
	memcpy(image->id, o->id, o->id_size);
	image->id_size = o->id_size;
	return 0;
}

static int compare_file(const struct ktap_image *image,
			const struct ktap_image_object *o, struct file *file)
{
	u8 id[KTAP_IMAGE_ID_MAX];
	loff_t at = o->id_at;

	if (at >= 0 && kernel_read(file, id, o->id_size, &at) == o->id_size &&
	    !memcmp(id, o->id, o->id_size))
		return 0;
	pr_err("ktap: %s: the probes are for another build of %s: build-id %*phN\n",
	       image->name, (const char *)(o + 1), (int)o->id_size, o->id);
	return -ENOEXEC;
}

static int prove_program(const struct ktap_image *image,
			 const struct ktap_image_object *o, struct file **ret)
{
	const char *path = (const char *)(o + 1);
	struct file *file = filp_open(path, O_RDONLY | O_LARGEFILE, 0);
	int err;

	if (IS_ERR(file)) {
		pr_err("ktap: %s: cannot open %s: error %ld\n", image->name,
		       path, PTR_ERR(file));
		return PTR_ERR(file);
	}
	err = S_ISREG(file_inode(file)->i_mode) ?
	      compare_file(image, o, file) :
	      refuse(image, -EINVAL, "a program is not a regular file");
	if (err)
		fput(file);
	else
		*ret = file;
	return err;
}

/* @files: gets the file of each object, or NULL for the kernel */
static int prove_objects(struct ktap_image *image, struct chunk *c,
			 struct file **files)
{
	u32 i;

	for (i = 0; i < image->head->nr_objects; i++) {
		const struct ktap_image_object *o = take_object(c);
		int err;

		if (!o)
			return bad_image(image);
		if (o->kind == KTAP_IMAGE_KERNEL)
			err = prove_kernel(image, o);
		else if (o->kind == KTAP_IMAGE_PROGRAM)
			err = prove_program(image, o, &files[i]);
		else
			err = bad_image(image);
		if (err)
			return err;
	}
	return 0;
}

/* ---- parameters ----------------------------------------------------------------- */

static bool param_ok(const struct ktap_image_param *p)
{
	return p->kind >= KTAP_IMAGE_UNSIGNED && p->kind <= KTAP_IMAGE_HEX &&
	       (p->size == 1 || p->size == 2 || p->size == 4 || p->size == 8) &&
	       p->name[0] && strnlen(p->name, sizeof(p->name)) < sizeof(p->name);
}

static u64 largest(const struct ktap_image_param *p)
{
	return U64_MAX >> (64 - 8 * p->size + (p->kind == KTAP_IMAGE_SIGNED));
}

/* @value: extended with its sign, if it is @negative */
static bool fits(const struct ktap_image_param *p, u64 value, bool negative)
{
	if (!negative || !value)
		return value <= largest(p);
	return p->kind == KTAP_IMAGE_SIGNED && (s64)value < 0 && ~value <= largest(p);
}

static int set_param(struct ktap_image *image, const struct ktap_image_param *p,
		     struct ktap_image_slot *slot)
{
	bool is_signed = p->kind == KTAP_IMAGE_SIGNED;

	if (!param_ok(p) || !fits(p, p->value, is_signed && (s64)p->value < 0))
		return bad_image(image);
	if (slot->given && !fits(p, slot->value, slot->negative)) {
		pr_err("ktap: %s: %s: the value does not fit %c%u\n", image->name,
		       p->name, " usx"[p->kind], 8 * p->size);
		return -ERANGE;
	}
	/* sysfs may read it at any time */
	if (!slot->given)
		WRITE_ONCE(slot->value, p->value);
	WRITE_ONCE(slot->kind, p->kind);
	return 0;
}

static int set_params(struct ktap_image *image, struct chunk *c)
{
	u32 i;

	for (i = 0; i < KTAP_IMAGE_PARAMS_MAX; i++) {
		const struct ktap_image_param *p;
		int err;

		if (i >= image->head->nr_params) {
			/* the template has slots for more than there are */
			if (!image->slots[i].given)
				continue;
			return refuse(image, -EINVAL, "the probes have no such parameter");
		}
		p = take(c, sizeof(*p));
		err = p ? set_param(image, p, &image->slots[i]) : bad_image(image);
		if (err)
			return err;
	}
	return 0;
}

/* ---- probes --------------------------------------------------------------------- */

static bool take_parts(struct item *it, struct chunk c)
{
	const struct ktap_image_probe *p = it->head;

	it->fixes = take(&c, array_size(p->nr_fixes, sizeof(u32)));
	it->patches = it->fixes ?
		      take(&c, array_size(p->nr_patches, sizeof(u32))) : NULL;
	it->attrs = it->patches ? take(&c, p->attrs_size) : NULL;
	it->blob = it->attrs ? take(&c, p->blob_size) : NULL;
	it->map = it->blob ? take(&c, p->map_size) : NULL;
	return it->map && !c.size;
}

static bool take_item(struct ktap_image *image, struct chunk *c, struct item *it)
{
	const struct ktap_image_probe *p = (const void *)c->at;
	struct chunk parts = { .at = (const u8 *)(p + 1) };

	if (c->size < sizeof(*p) || p->size % 8 || p->size < sizeof(*p) ||
	    p->size > c->size || p->object >= image->head->nr_objects ||
	    p->attrs_size > INT_MAX ||
	    (p->map_size && p->map_size != sizeof(*it->map)))
		return false;
	if (p->address_at && (p->address_at > p->blob_size ||
			      p->blob_size - p->address_at < sizeof(u64)))
		return false;
	it->head = take(c, p->size);
	parts.size = p->size - sizeof(*p);
	return take_parts(it, parts);
}

/*
 * The instruction of a fix or a patch, in the copy that add_probes() made. Return: NULL:
 * there is none.
 */
static struct ktap_insn *insn_of(const struct ktap_probe_args *args, u32 fix)
{
	bool is_entry = fix & KTAP_IMAGE_FIX_ENTRY;
	struct ktap_insn *insns = (struct ktap_insn *)
		(is_entry ? args->entry_insns : args->insns);
	u32 nr = is_entry ? args->nr_entry_insns : args->nr_insns;
	u32 at = fix & KTAP_IMAGE_FIX_INSN;

	return at < nr ? insns + at : NULL;
}

/* Adds the distance to an immediate value. Return: false: there is no such instruction. */
static bool move_insn(const struct ktap_probe_args *args, u32 fix, u64 slide)
{
	struct ktap_insn *insn = insn_of(args, fix);

	if (insn)
		insn->imm += fix & KTAP_IMAGE_FIX_NEGATIVE ? -slide : slide;
	return !!insn;
}

/* Puts the value of a parameter into a program, which is verified after this. */
static bool patch_insn(const struct ktap_image *image,
		       const struct ktap_probe_args *args, u32 patch)
{
	u32 param = patch >> KTAP_IMAGE_PATCH_SHIFT & KTAP_IMAGE_PATCH_PARAM;
	struct ktap_insn *insn = insn_of(args, patch);

	if (!insn || param >= image->head->nr_params)
		return false;
	insn->imm = image->slots[param].value;
	return true;
}

static int move_args(struct ktap_image *image, const struct item *it,
		     struct ktap_probe_args *args)
{
	u32 i;

	if (ktap_args_has(args, KTAP_A_ADDR))
		args->addr += image->slide;
	if (ktap_args_has(args, KTAP_A_FRAME_ADDR))
		args->frame_addr += image->slide;
	for (i = 0; i < it->head->nr_fixes; i++)
		if (!move_insn(args, it->fixes[i], image->slide))
			return bad_image(image);
	for (i = 0; i < it->head->nr_patches; i++)
		if (!patch_insn(image, args, it->patches[i]))
			return bad_image(image);
	return 0;
}

/* An address in the description is moved as those in programs are. */
static int put_blob(const struct ktap_image *image, const struct item *it,
		    struct ktap_probe *p, struct ktap_refused *refused)
{
	u64 address;
	u8 *at;
	int err;

	mutex_lock(&ktap_lock);
	err = ktap_blob_put(p, 0, it->blob, it->head->blob_size, refused);
	if (!err && it->head->address_at) {
		at = p->blob + it->head->address_at;
		memcpy(&address, at, sizeof(address));
		address += image->slide;
		memcpy(at, &address, sizeof(address));
	}
	mutex_unlock(&ktap_lock);
	return err;
}

/*
 * The session, which checks it, does not exist yet. How large keys are, only the verifier
 * knows.
 */
static int keep_map(struct ktap_image *image, const struct item *it,
		    const struct ktap_probe *p)
{
	struct ktap_session_map *map;

	if (!it->head->map_size)
		return 0;
	if (it->map->key_size || it->map->map || it->map->bytes)
		return bad_image(image);
	map = kmemdup(it->map, sizeof(*map), KTAP_GFP);
	if (!map)
		return -ENOMEM;
	map->key_size = p->prog->info.record_max - sizeof(struct ktap_rec_head);
	image->maps[image->nr_probes - 1] = map;
	return 0;
}

static int create(struct ktap_image *image, const struct item *it,
		  struct ktap_probe_args *args, struct ktap_refused *refused)
{
	struct ktap_probe *p;
	int err;

	err = args->backend->check(args, refused);
	if (err)
		return err;
	p = ktap_probe_create(args, refused);
	if (IS_ERR(p))
		return PTR_ERR(p);
	image->probes[image->nr_probes++] = p;
	return keep_map(image, it, p) ?: put_blob(image, it, p, refused);
}

static int add_item(struct ktap_image *image, const struct item *it,
		    struct file *file, void *attrs)
{
	struct ktap_probe_args args = {};
	struct ktap_refused refused = {};
	int err;

	err = ktap_parse_args(attrs, it->head->attrs_size, &args, &refused);
	if (!err)
		err = move_args(image, it, &args);
	if (!err) {
		/* what a module has is its own: others can neither join nor find it */
		args.flags = (args.flags & ~KTAP_PROBE_F_SHARED) |
			     KTAP_PROBE_F_TRANSIENT;
		args.blob_size = it->head->blob_size;
		args.file = file;
		args.owner_pid = current->tgid;
		args.image = image;
		err = create(image, it, &args, &refused);
	}
	if (err)
		pr_err("ktap: %s: %s: %s (error %d)\n", image->name,
		       args.name ?: "a probe", refused.text ?: "refused", err);
	return err;
}

static int add_probes(struct ktap_image *image, struct chunk *c,
		      struct file **files)
{
	u32 i;

	for (i = 0; i < image->head->nr_probes; i++) {
		struct item it;
		void *attrs;
		int err;

		if (!take_item(image, c, &it))
			return bad_image(image);
		/* the programs are changed by move_args() */
		attrs = kvmalloc(it.head->attrs_size ?: 1, GFP_KERNEL);
		if (!attrs)
			return -ENOMEM;
		memcpy(attrs, it.attrs, it.head->attrs_size);
		err = add_item(image, &it, files[it.head->object], attrs);
		kvfree(attrs);
		if (err)
			return err;
	}
	return c->size ? bad_image(image) : 0;
}

static int load(struct ktap_image *image, struct chunk *c, struct file **files)
{
	int err = prove_objects(image, c, files);
	u32 i;

	if (!err)
		err = set_params(image, c);
	if (!err)
		err = add_probes(image, c, files);
	for (i = 0; i < image->head->nr_objects; i++)
		if (files[i])
			fput(files[i]);
	return err;
}

/* No count can be larger than what the image has room for. */
static bool counts_ok(const struct ktap_image_head *head)
{
	return head->nr_objects <= head->size / sizeof(struct ktap_image_object) &&
	       head->nr_params <= KTAP_IMAGE_PARAMS_MAX &&
	       head->nr_probes <= head->size / sizeof(struct ktap_image_probe);
}

/**
 * ktap_image_load() - create the probes of an image
 * @image: has its name; gets the probes that were created, on failure too
 * @bytes: the image
 * @slots: values of its parameters that were given; gets the values that are in force
 *
 * Context: process, without ktap locks; may sleep.
 * Return: 0 or a negative errno, which the kernel's log explains.
 */
int ktap_image_load(struct ktap_image *image, const void *bytes,
		    struct ktap_image_slot *slots)
{
	const struct ktap_image_head *head = bytes;
	struct chunk c = { .at = (const u8 *)(head + 1) };
	struct file **files;
	int err;

	err = check_head(image, head);
	if (err)
		return err;
	if (!counts_ok(head))
		return bad_image(image);
	c.size = head->size - sizeof(*head);
	image->head = head;
	image->slots = slots;
	files = kvcalloc(head->nr_objects + 1, sizeof(*files), GFP_KERNEL);
	image->probes = kvcalloc(head->nr_probes, sizeof(*image->probes),
				 KTAP_GFP);
	image->maps = kvcalloc(head->nr_probes, sizeof(*image->maps), KTAP_GFP);
	image->endings = kvcalloc(head->nr_probes, sizeof(*image->endings),
				  KTAP_GFP);
	err = files && image->probes && image->maps && image->endings ?
	      load(image, &c, files) : -ENOMEM;
	kvfree(files);
	image->head = NULL;
	image->slots = NULL;
	return err;
}
