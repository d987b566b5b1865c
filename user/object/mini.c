// SPDX-License-Identifier: GPL-2.0
/*
 * Mini debug information: .gnu_debugdata holds an ELF file with the symbols
 * that strip has taken away, compressed by xz.
 */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "object/file.h"

/* Beyond any symbol table there is, and below what a hostile file asks for. */
#define MINI_MAX	(256U << 20)
#define DECODER_MAX	(128U << 20)
#define FIRST_ROOM	(64U << 10)

/* One step of decoding: more room first, where there is none left. */
static int step(lzma_stream *xz, uint8_t **image, size_t *room)
{
	uint8_t *more;

	if (!xz->avail_out) {
		if (*room >= MINI_MAX)
			return -EFBIG;
		more = realloc(*image, 2 * *room);
		if (!more)
			return -ENOMEM;
		xz->next_out = more + *room;
		xz->avail_out = *room;
		*image = more;
		*room *= 2;
	}
	switch (lzma_code(xz, LZMA_FINISH)) {
	case LZMA_OK:
		return 0;
	case LZMA_STREAM_END:
		return 1;
	case LZMA_MEM_ERROR:
		return -ENOMEM;
	default:
		return -EINVAL;
	}
}

static int decode(lzma_stream *xz, uint8_t **image)
{
	size_t room = FIRST_ROOM;
	int ret;

	*image = malloc(room);
	if (!*image)
		return -ENOMEM;
	xz->next_out = *image;
	xz->avail_out = room;
	do {
		ret = step(xz, image, &room);
	} while (!ret);
	return ret < 0 ? ret : 0;
}

static int unpack(struct binary *bin, const Elf_Data *data)
{
	lzma_stream xz = LZMA_STREAM_INIT;
	uint8_t *image = NULL;
	int err;

	if (lzma_stream_decoder(&xz, DECODER_MAX, 0) != LZMA_OK)
		return -ENOMEM;
	xz.next_in = data->d_buf;
	xz.avail_in = data->d_size;
	err = decode(&xz, &image);
	if (!err) {
		bin->mini = elf_memory((char *)image, xz.total_out);
		bin->mini_image = image;
	} else {
		free(image);
	}
	lzma_end(&xz);
	return err;
}

int binary_mini(struct binary *bin)
{
	GElf_Shdr sh;
	Elf_Scn *scn = binary_section(bin->elf, ".gnu_debugdata", &sh);
	Elf_Data *data;

	if (!scn || bin->mini)
		return 0;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || !data->d_size)
		return 0;
	return unpack(bin, data) == -ENOMEM ? -ENOMEM : 0;
}
