// SPDX-License-Identifier: GPL-2.0
/*
 * A template becomes a probe module by these changes: the section of the image gets
 * another size, and the name is changed where the kernel looks for it: in struct module,
 * which is the section .gnu.linkonce.this_module, and in .modinfo. Parameters of the
 * probes take slots, which are parameters of the template: their names are changed where
 * their texts are, and sysfs shows them. libelf moves the sections that follow and leaves
 * relocations alone, because they name sections by number.
 */
#include "module/template.h"

#include <endian.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <linux/ktap_image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/signature.h"
#include "base/whole.h"
#include "module/image.h"
#include "module/ko.h"
#include "module/sign.h"

#define TEMPLATE_NAME	"ktap_probe"
#define THIS_MODULE	".gnu.linkonce.this_module"
#define PARAMS		"__param"
#define SUFFIX		".ko"

/* In .modinfo of the template: what the kernel's own modules are signed with. */
#define SIGN_HASH_KEY	"sign_hash="

/* MODULE_NAME_LEN of 64-bit kernels, with the NUL. */
#define NAME_MAX_SIZE	56

/**
 * struct making - a probe module that is being made
 * @template: path of the template
 * @name: of the module
 * @image: its image
 * @size: bytes of @image
 * @params: parameters of the probes
 * @named: how many of them have a slot
 * @modinfo: its section .modinfo
 * @hash: what the kernel's own modules are signed with; empty: the template does not say
 * @elf: the module, first as the template
 * @d: on failure
 */
struct making {
	const char *template;
	char name[NAME_MAX_SIZE];
	void *image;
	size_t size;
	const struct params *params;
	size_t named;
	struct buf modinfo;
	char hash[PROBE_MODULE_HASH_SIZE];
	Elf *elf;
	struct diag *d;
};

static int not_template(struct making *m, const char *why)
{
	return diag_set(m->d, -EINVAL, DIAG_MODULE_NOT_TEMPLATE, m->template, why);
}

static int cannot_read(struct making *m, int err)
{
	return diag_set(m->d, -err, DIAG_MODULE_TEMPLATE_OPEN, m->template,
			strerror(err));
}

/* ---- names ------------------------------------------------------------------------ */

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* NAME.ko; the kernel takes '-' in the name of a file for '_'. */
static int set_name(struct making *m, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name), suffix = strlen(SUFFIX), i;

	length -= length > suffix ? suffix : length;
	if (!length || length >= sizeof(m->name) || strcmp(name + length, SUFFIX))
		return diag_set(m->d, -EINVAL, DIAG_MODULE_NAME, path,
				sizeof(m->name) - 1);
	for (i = 0; i < length; i++) {
		if (!is_name_char(name[i]))
			return diag_set(m->d, -EINVAL, DIAG_MODULE_NAME, path,
					sizeof(m->name) - 1);
		m->name[i] = name[i] == '-' ? '_' : name[i];
	}
	return 0;
}

/* ---- sections --------------------------------------------------------------------- */

static int set_image(struct making *m, Elf_Data *data)
{
	const struct ktap_image_head *head = data->d_buf;

	if (data->d_size != sizeof(*head) ||
	    memcmp(head->magic, KTAP_IMAGE_MAGIC, sizeof(head->magic)))
		return not_template(m, "it has probes already");
	if (head->version != KTAP_IMAGE_VERSION)
		return not_template(m, "it is of another version of ktap");
	data->d_buf = m->image;
	data->d_size = m->size;
	return 0;
}

/* The name is a member of struct module, whose place differs between kernels. */
static int set_this_module(struct making *m, Elf_Data *data)
{
	char *at = memmem(data->d_buf, data->d_size, TEMPLATE_NAME,
			  sizeof(TEMPLATE_NAME));

	if (!at || at + sizeof(m->name) > (char *)data->d_buf + data->d_size)
		return not_template(m, "its name is not " TEMPLATE_NAME);
	memcpy(at, m->name, sizeof(m->name));
	return 0;
}

/*
 * struct slot - struct kernel_param of 64-bit kernels, whose members have had these places
 * since Linux 4.0. It is found by what the template gives a slot.
 */
struct slot {
	uint64_t name;
	uint64_t module;
	uint64_t ops;
	uint16_t perm;
	int8_t level;
	uint8_t flags;
	uint32_t gap;
	uint64_t arg;
};

#define SLOT_SHOWN	0444	/* in /sys/module/NAME/parameters */

/* Slots that have a parameter are shown by sysfs. */
static int set_slots(struct making *m, Elf_Data *data)
{
	struct slot *slots = data->d_buf;
	size_t nr = data->d_size / sizeof(*slots), found = 0;

	for (size_t i = 0; i < nr; i++) {
		int slot = slots[i].level - KTAP_IMAGE_SLOT_LEVEL;

		if (slots[i].perm || slot < 0 || slot >= KTAP_IMAGE_PARAMS_MAX)
			continue;
		found++;
		if ((size_t)slot < m->params->nr)
			slots[i].perm = SLOT_SHOWN;
	}
	if (m->params->nr &&
	    (data->d_size % sizeof(*slots) || found != KTAP_IMAGE_PARAMS_MAX))
		return not_template(m, "it has no slots for parameters");
	return 0;
}

/* Names of slots in a section with data. */
static int set_names(struct making *m, Elf_Data *data)
{
	char text[KTAP_IMAGE_NAME_MAX];
	bool found = false;

	for (size_t i = 0; i < m->params->nr; i++) {
		char *at;

		snprintf(text, sizeof(text), KTAP_IMAGE_SLOT_NAME, (unsigned int)i + 10);
		at = memmem(data->d_buf, data->d_size, text, sizeof(text));
		if (!at)
			continue;
		memset(at, 0, sizeof(text));
		memcpy(at, m->params->param[i].name, strlen(m->params->param[i].name));
		m->named++;
		found = true;
	}
	if (found)
		elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
	return 0;
}

/* What modinfo(8) shows of parameters. */
static void put_shown(struct making *m)
{
	for (size_t i = 0; i < m->params->nr; i++) {
		const struct param *p = &m->params->param[i];

		buf_printf(&m->modinfo, "parm=%s:default ", p->name);
		param_put_value(&m->modinfo, p);
		buf_putc(&m->modinfo, '\0');
		buf_printf(&m->modinfo, "parmtype=%s:", p->name);
		param_put_type(&m->modinfo, p);
		buf_putc(&m->modinfo, '\0');
	}
}

/* Strings KEY=VALUE. */
static int set_modinfo(struct making *m, Elf_Data *data)
{
	const char *at = data->d_buf, *end = at + data->d_size;
	size_t size;

	for (; at < end; at += size) {
		size = strnlen(at, end - at);
		if (size == (size_t)(end - at))
			return not_template(m, "its section .modinfo is damaged");
		size++;
		if (!strncmp(at, SIGN_HASH_KEY, strlen(SIGN_HASH_KEY)))
			snprintf(m->hash, sizeof(m->hash), "%s",
				 at + strlen(SIGN_HASH_KEY));
		if (strcmp(at, "name=" TEMPLATE_NAME)) {
			buf_put(&m->modinfo, at, size);
		} else {
			buf_puts(&m->modinfo, "name=");
			buf_put(&m->modinfo, m->name, strlen(m->name) + 1);
		}
	}
	put_shown(m);
	if (m->modinfo.failed)
		return diag_no_memory(m->d);
	data->d_buf = (void *)buf_str(&m->modinfo);
	data->d_size = m->modinfo.size;
	return 0;
}

static const struct {
	const char *name;
	int (*set)(struct making *m, Elf_Data *data);
} sections[] = {
	{ KTAP_IMAGE_SECTION, set_image },
	{ THIS_MODULE, set_this_module },
	{ KO_MODINFO, set_modinfo },
	{ PARAMS, set_slots },
};

#define NR_SECTIONS (sizeof(sections) / sizeof(*sections))

static int set_section(struct making *m, Elf_Scn *scn, size_t which)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	int err;

	if (!data || !data->d_buf)
		return not_template(m, "a section is empty");
	err = sections[which].set(m, data);
	elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
	return err;
}

/* Names are where the compiler puts constants, which is the same section for all. */
static int name_slots(struct making *m, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf_Data *data;

	if (shdr->sh_type != SHT_PROGBITS || !(shdr->sh_flags & SHF_ALLOC))
		return 0;
	data = elf_getdata(scn, NULL);
	return data && data->d_buf ? set_names(m, data) : 0;
}

static int set_sections(struct making *m)
{
	bool found[NR_SECTIONS] = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;
	int err = 0;

	if (elf_getshdrstrndx(m->elf, &names))
		return not_template(m, elf_errmsg(-1));
	while (!err && (scn = elf_nextscn(m->elf, scn))) {
		const char *name = gelf_getshdr(scn, &shdr) ?
				   elf_strptr(m->elf, names, shdr.sh_name) : NULL;

		for (size_t i = 0; name && !err && i < NR_SECTIONS; i++) {
			if (found[i] || strcmp(name, sections[i].name))
				continue;
			found[i] = true;
			err = set_section(m, scn, i);
		}
		if (name && !err)
			err = name_slots(m, scn, &shdr);
	}
	for (size_t i = 0; !err && i < NR_SECTIONS; i++)
		if (!found[i])
			err = not_template(m, "it has no section for probes");
	if (!err && m->named != m->params->nr)
		err = not_template(m, "it has no names of slots for parameters");
	return err;
}

/* ---- the file --------------------------------------------------------------------- */

static int check_arch(struct making *m, enum ktap_arch arch)
{
	const struct arch *theirs = ko_arch(m->elf);

	if (!theirs)
		return not_template(m, KO_NOT_ONE);
	if (theirs == arch_find(arch))
		return 0;
	return diag_set(m->d, -EINVAL, DIAG_MODULE_OTHER_ARCH, m->template,
			theirs->name, arch_find(arch)->name);
}

/* A signature would be wrong, so it is dropped. */
static size_t size_without_signature(const char *bytes, size_t size)
{
	size_t mark = strlen(SIGNATURE_MARK), tail = mark + sizeof(struct signature);
	struct signature s;

	if (size < tail || memcmp(bytes + size - mark, SIGNATURE_MARK, mark))
		return size;
	memcpy(&s, bytes + size - tail, sizeof(s));
	tail += be32toh(s.size);
	return tail < size ? size - tail : size;
}

/* Return: a file in memory with the bytes of the template, or a negative errno. */
static int copy_template(struct making *m)
{
	_cleanup_free_ char *bytes = NULL;
	size_t size;
	int fd, err;

	err = ko_read(m->template, m->d, DIAG_MODULE_NOT_TEMPLATE, &bytes, &size);
	if (err)
		return err;
	fd = memfd_create("ktap", MFD_CLOEXEC);
	if (fd < 0)
		return cannot_read(m, errno);
	size = size_without_signature(bytes, size);
	if (pwrite(fd, bytes, size, 0) == (ssize_t)size)
		return fd;
	close(fd);
	return cannot_read(m, errno);
}

static int append_signature(const struct making *m,
			    const struct probe_module_order *order,
			    struct buf *module, struct probe_module_made *ret)
{
	const char *hash = order->hash;

	if (!hash)
		hash = m->hash[0] ? m->hash : SIGN_HASH_DEFAULT;
	if (!signer_has_hash(order->signer, hash)) {
		diag_set(m->d, -EINVAL, DIAG_SIGN_HASH, m->template, hash);
		diag_hint(m->d, "choose one that the kernel has: --sign-hash=sha256|sha384|sha512");
		return -EINVAL;
	}
	snprintf(ret->hash, sizeof(ret->hash), "%s", hash);
	return signer_append(order->signer, hash, module, m->d);
}

static int read_module(struct making *m, int fd, struct buf *module)
{
	struct stat st;
	char *to;

	if (fstat(fd, &st))
		return cannot_read(m, errno);
	to = buf_room(module, st.st_size);
	if (!to || pread(fd, to, st.st_size, 0) != st.st_size)
		return diag_no_memory(m->d);
	buf_end(module, to + st.st_size);
	return 0;
}

static int write_module(struct making *m, int fd,
			const struct probe_module_order *order,
			struct probe_module_made *ret)
{
	_cleanup_buf_ struct buf module = BUF_INIT;
	int err;

	err = read_module(m, fd, &module);
	if (!err && order->signer)
		err = append_signature(m, order, &module, ret);
	if (err)
		return err;
	ret->size = module.size;
	err = write_to(order->path, module.data, module.size);
	return err ? diag_set(m->d, err, DIAG_BUNDLE_WRITE, order->path,
			      strerror(-err)) : 0;
}

/* The template has these parameters of its own; see kmod/template/probe.c. */
static int check_params(const struct making *m)
{
	static const char *const taken[] = { "mode", "ring_kb", "pid", "rows", "tied" };

	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		if (params_find(m->params, taken[i]))
			return diag_set(m->d, -EINVAL, DIAG_MODULE_PARAM_TAKEN,
					taken[i]);
	return 0;
}

static int change(struct making *m, int fd, const struct bundle *b)
{
	int err;

	elf_version(EV_CURRENT);
	m->elf = elf_begin(fd, ELF_C_RDWR, NULL);
	if (!m->elf)
		return not_template(m, KO_NOT_ONE);
	err = check_arch(m, b->arch);
	if (!err)
		err = set_sections(m);
	if (!err && elf_update(m->elf, ELF_C_WRITE) < 0)
		err = not_template(m, elf_errmsg(-1));
	elf_end(m->elf);
	return err;
}

int probe_module_make(const struct probe_module_order *order, const struct bundle *b,
		      struct diag *d, struct probe_module_made *ret)
{
	_cleanup_close_ int fd = -1;
	struct making m = { .template = order->template, .params = &b->params, .d = d };
	int err;

	*ret = (struct probe_module_made){ 0 };
	err = set_name(&m, order->path);
	if (!err)
		err = check_params(&m);
	if (!err)
		err = image_make(b, d, &m.image, &m.size);
	if (!err) {
		fd = copy_template(&m);
		err = fd < 0 ? fd : change(&m, fd, b);
	}
	if (!err)
		err = write_module(&m, fd, order, ret);
	buf_deinit(&m.modinfo);
	free(m.image);
	return err;
}
