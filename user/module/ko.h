/* SPDX-License-Identifier: GPL-2.0 */
/* Files of kernel modules, which may be damaged or hostile. */
#ifndef KTAP_MODULE_KO_H
#define KTAP_MODULE_KO_H

#include <libelf.h>
#include <stddef.h>

#include "arch/arch.h"
#include "base/diag.h"

/* The section with strings KEY=VALUE. */
#define KO_MODINFO	".modinfo"

/* Why a file is refused that ko_arch() does not take. */
#define KO_NOT_ONE	"it is no kernel module"

/**
 * ko_read() - read the file of a module into memory
 * @path: file
 * @d: on failure
 * @refused: row of errors.def for what is no regular file or has more than 64 MiB; its
 *	arguments are @path and KO_NOT_ONE
 * @ret: bytes; malloc'ed
 * @size: how many
 *
 * Return: 0; -EINVAL: it is refused; -ENOMEM; or why it cannot be read.
 */
int ko_read(const char *path, struct diag *d, enum diag_code refused, char **ret,
	    size_t *size);

/**
 * ko_arch() - tell for which architecture a module is
 * @elf: what libelf made of a file; the caller keeps it
 *
 * A module is a relocatable file (ET_REL), as kbuild links it.
 *
 * Return: the table, which is static; NULL: it is no module, or one of 32 bits, of the other
 *	byte order or of an architecture that this tool does not know.
 */
const struct arch *ko_arch(Elf *elf);

/**
 * ko_section() - find the content of a section of a module
 * @elf: as for ko_arch()
 * @name: name of the section
 *
 * Return: data of the first section of this name, which belong to @elf; NULL: there is none,
 *	or it has no bytes in the file.
 */
Elf_Data *ko_section(Elf *elf, const char *name);

#endif /* KTAP_MODULE_KO_H */
