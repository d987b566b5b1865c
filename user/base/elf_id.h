/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What identifies a build of an ELF file, and where its code is, without a library for ELF
 * files.
 */
#ifndef KTAP_BASE_ELF_ID_H
#define KTAP_BASE_ELF_ID_H

#include <linux/ktap_data.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_ID_MAX 32

/**
 * struct elf_id - a build-id, and where it is
 * @bytes: the build-id
 * @size: bytes of it
 * @offset: in the file
 * @address: in memory, as the file says; 0: it is not loaded
 */
struct elf_id {
	uint8_t bytes[ELF_ID_MAX];
	size_t size;
	uint64_t offset;
	uint64_t address;
};

/**
 * elf_id_find() - find the build-id of a program, a library, a module or a kernel
 * @fd: as elf_id_read()
 * @ret: the build-id
 *
 * Return: false: it has none, or is no such file.
 */
bool elf_id_find(int fd, struct elf_id *ret);

/**
 * elf_id_read() - read the build-id of a program, a library, a module or a kernel
 * @fd: file of 64 bits and of this machine's byte order
 * @id: room for ELF_ID_MAX bytes
 *
 * The file may be hostile. A build-id is a note NT_GNU_BUILD_ID in a segment PT_NOTE, or
 * else in a section SHT_NOTE (System V ABI, "Note Section"; ld(1), --build-id).
 *
 * Return: bytes of the build-id; 0: it has none, or is no such file.
 */
size_t elf_id_read(int fd, uint8_t id[ELF_ID_MAX]);

/**
 * elf_id_of_notes() - the same for a file that has only notes
 * @path: such as /sys/kernel/notes
 * @id: room for ELF_ID_MAX bytes
 *
 * Return: bytes of the build-id; 0: it has none, or cannot be read.
 */
size_t elf_id_of_notes(const char *path, uint8_t id[ELF_ID_MAX]);

/**
 * elf_code_find() - find the executable segments of a program or library
 * @fd: as elf_id_read()
 * @ret: room for the first @max of them; their sizes are what the file has of them
 * @max: how many
 *
 * The file may be hostile: addresses and sizes are as it has them.
 *
 * Return: how many there are, at most @max; 0: there are none, or it is no such file.
 */
size_t elf_code_find(int fd, struct ktap_data_code *ret, size_t max);

#endif /* KTAP_BASE_ELF_ID_H */
