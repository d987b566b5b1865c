/* SPDX-License-Identifier: GPL-2.0 */
/* Notes of ELF files, as they are in a file and as the kernel shows its own. */
#ifndef KTAP_BASE_NOTE_H
#define KTAP_BASE_NOTE_H

#include <stddef.h>
#include <stdint.h>

/**
 * note_build_id() - find the build-id in notes
 * @notes: notes in this machine's byte order, each part of them padded to 4 bytes; they
 *	may be hostile, and need not be aligned
 * @size: bytes of @notes
 * @nr: bytes of the build-id, may be 0; its value means nothing where NULL is returned
 *
 * It is the first note with the type NT_GNU_BUILD_ID and the name "GNU".
 *
 * Return: the build-id, within @notes; NULL: none, or a note before it exceeds @size.
 */
const uint8_t *note_build_id(const void *notes, size_t size, size_t *nr);

#endif /* KTAP_BASE_NOTE_H */
