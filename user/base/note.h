/* SPDX-License-Identifier: GPL-2.0 */
/* Notes of ELF files, as they are in a file and as the kernel shows its own. */
#ifndef KTAP_BASE_NOTE_H
#define KTAP_BASE_NOTE_H

#include <stddef.h>
#include <stdint.h>

/* note_build_id() - the build-id among @size bytes of notes, *@nr bytes; NULL: none. */
const uint8_t *note_build_id(const void *notes, size_t size, size_t *nr);

#endif /* KTAP_BASE_NOTE_H */
