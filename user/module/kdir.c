// SPDX-License-Identifier: GPL-2.0
#include "module/kdir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole.h"

#define SYMVERS		"Module.symvers"
#define AUTO_CONF	"include/config/auto.conf"
#define UTS_RELEASE	"include/generated/utsrelease.h"
#define KERNEL_RELEASE	"include/config/kernel.release"
#define FILE_LIMIT	(64UL << 20)

static const char *const kconfig_lines[NR_KCONFIG] = {
	[KCONFIG_MODULES] = "CONFIG_MODULES=y",
	[KCONFIG_SMP] = "CONFIG_SMP=y",
	[KCONFIG_PREEMPT] = "CONFIG_PREEMPT=y",
	[KCONFIG_PREEMPT_BUILD] = "CONFIG_PREEMPT_BUILD=y",
	[KCONFIG_PREEMPT_RT] = "CONFIG_PREEMPT_RT=y",
	[KCONFIG_UNLOAD] = "CONFIG_MODULE_UNLOAD=y",
	[KCONFIG_MODVERSIONS] = "CONFIG_MODVERSIONS=y",
};

static int cannot_read(struct diag *d, const char *path, int err)
{
	if (err == -ENOMEM)
		return diag_no_memory(d);
	return diag_set(d, err, DIAG_KDIR_READ, path,
			err == -EINVAL ? "it is no regular file" : strerror(-err));
}

/* @ret_path: for messages; owned by the caller, and set on failure, too */
static int read_of(const char *dir, const char *name, struct diag *d, char **ret_path,
		   char **ret, size_t *size)
{
	int err;

	if (asprintf(ret_path, "%s/%s", dir, name) < 0) {
		*ret_path = NULL;
		return diag_no_memory(d);
	}
	err = read_regular(*ret_path, FILE_LIMIT, ret, size);
	return err ? cannot_read(d, *ret_path, err) : 0;
}

/* ---- Module.symvers --------------------------------------------------------------- */

/* CRC, name, module and more, with tabs between them: read_dump() of scripts/mod/modpost.c */
static bool parse_export(const char *line, const char *end, struct export *ret)
{
	const char *tab = memchr(line, '\t', end - line), *name, *next;
	unsigned long crc;
	char *digits;

	if (!tab || tab == line)
		return false;
	name = tab + 1;
	next = memchr(name, '\t', end - name);
	if (!next || next == name || memchr(line, '\0', end - line))
		return false;
	crc = strtoul(line, &digits, 16);
	if (digits != tab || crc > UINT32_MAX)
		return false;
	*ret = (struct export){ .name = name, .size = next - name, .crc = crc };
	return true;
}

bool symvers_next(const struct symvers *s, const char **at, struct export *ret)
{
	const char *line = *at ? *at : s->text, *end = s->text + s->size, *next;

	next = line < end ? memchr(line, '\n', end - line) : NULL;
	if (!next || !parse_export(line, next, ret))
		return false;
	*at = next + 1;
	return true;
}

/* Return: 0, or the number of the first line that is not well-formed. */
static size_t bad_line(const struct symvers *s)
{
	const char *at = s->text;
	struct export e;
	size_t line = 1;

	while (symvers_next(s, &at, &e))
		line++;
	return at == s->text + s->size ? 0 : line;
}

/* @needed: a file that is missing or empty is an error, too */
static int take_symvers(const char *dir, bool needed, struct diag *d, struct symvers *ret)
{
	_cleanup_(symvers_deinit) struct symvers s = { 0 };
	_cleanup_free_ char *path = NULL;
	size_t line;
	int err;

	err = read_of(dir, SYMVERS, NULL, &path, &s.text, &s.size);
	if (err == -ENOENT && !needed)
		return 0;
	if (err)
		return cannot_read(d, path, err);
	line = bad_line(&s);
	if (!line && needed && !s.size)
		line = 1;
	if (line)
		return diag_set(d, -EINVAL, DIAG_KDIR_SYMVERS, path, line);
	*ret = s;
	s = (struct symvers){ 0 };
	return 0;
}

int symvers_read(const char *dir, struct diag *d, struct symvers *ret)
{
	*ret = (struct symvers){ 0 };
	return take_symvers(dir, false, d, ret);
}

void symvers_deinit(struct symvers *s)
{
	free(s->text);
}

/* ---- the build directory ---------------------------------------------------------- */

static void take_option(struct kdir *k, const char *line)
{
	const struct arch *arch;

	for (size_t i = 0; i < NR_KCONFIG; i++)
		k->set[i] |= !strcmp(line, kconfig_lines[i]);
	for (size_t i = 0; (arch = arch_nth(i)); i++)
		if (!strcmp(line, arch->kconfig))
			k->arch = arch;
}

static int read_config(struct kdir *k, struct diag *d)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	char *line, *rest;
	size_t size;
	int err;

	err = read_of(k->dir, AUTO_CONF, d, &path, &text, &size);
	if (err) {
		diag_hint(d, "--kdir is the directory where the target's kernel was built, or its headers, such as /lib/modules/RELEASE/build");
		return err;
	}
	rest = text;
	while ((line = strsep(&rest, "\n")))
		take_option(k, line);
	if (k->arch && k->set[KCONFIG_MODULES])
		return 0;
	return diag_set(d, -EINVAL, DIAG_KDIR_CONFIG, path);
}

/* The text after @before, up to a character of @ends. */
static bool take_release(struct kdir *k, const char *text, const char *before,
			 const char *ends)
{
	const char *at = strstr(text, before);
	size_t size;

	if (!at)
		return false;
	at += strlen(before);
	size = strcspn(at, ends);
	if (!size || size >= sizeof(k->release) || !at[size])
		return false;
	memcpy(k->release, at, size);
	for (size_t i = 0; i < size; i++)
		if (at[i] <= ' ' || at[i] > '~')
			return false;
	return true;
}

static int read_release(struct kdir *k, struct diag *d)
{
	_cleanup_free_ char *path = NULL, *text = NULL, *other = NULL;
	bool found = false;
	size_t size;
	int err;

	err = read_of(k->dir, UTS_RELEASE, NULL, &path, &text, &size);
	if (!err) {
		found = take_release(k, text, "#define UTS_RELEASE \"", "\"");
	} else if (err == -ENOENT) {
		err = read_of(k->dir, KERNEL_RELEASE, d, &other, &text, &size);
		found = !err && take_release(k, text, "", "\n");
	} else {
		cannot_read(d, path, err);
	}
	if (err || found)
		return err;
	return diag_set(d, -EINVAL, DIAG_KDIR_RELEASE, other ? other : path);
}

static int read_exports(struct kdir *k, struct diag *d)
{
	int err = take_symvers(k->dir, true, d, &k->symvers);

	if (err == -ENOENT)
		diag_hint(d, "building the kernel and its modules writes it; 'make modules_prepare' does not");
	return err;
}

int kdir_open(const char *dir, struct diag *d, struct kdir **ret)
{
	_cleanup_(kdir_freep) struct kdir *k = calloc(1, sizeof(*k));
	int err;

	if (k)
		k->dir = strdup(dir);
	if (!k || !k->dir)
		return diag_no_memory(d);
	err = read_config(k, d);
	if (!err)
		err = read_release(k, d);
	if (!err)
		err = read_exports(k, d);
	if (!err)
		*ret = take_ptr(k);
	return err;
}

void kdir_free(struct kdir *k)
{
	if (!k)
		return;
	free(k->dir);
	symvers_deinit(&k->symvers);
	free(k);
}
