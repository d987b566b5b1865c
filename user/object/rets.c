// SPDX-License-Identifier: GPL-2.0
/* The code of a function, for arch/code.h. */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "object/file.h"

/* No function is so large; a hostile file may say anything. */
#define CODE_MAX	(1U << 20)

static int code_at(const struct binary *bin, uint64_t address, uint64_t end,
		   struct code_view *ret)
{
	const struct segment *s = binary_segment(bin, address);
	Elf_Data *data = NULL;
	uint64_t size = end - address;

	if (s && end > address && size <= CODE_MAX &&
	    size <= s->size - (address - s->address))
		data = elf_getdata_rawchunk(bin->elf,
					    address - s->address + s->offset,
					    size, ELF_T_BYTE);
	if (!data)
		return -ENODATA;
	*ret = (struct code_view){ data->d_buf, address, size };
	return 0;
}

uint64_t binary_insn_at(const struct binary *bin, uint64_t start, uint64_t at)
{
	unsigned int bytes = arch_find(bin->arch)->insn_bytes;
	struct code_view code;

	if (bytes)
		return at - at % bytes;
	if (code_at(bin, start, at + CODE_INSN_MAX, &code))
		return 0;
	return code_insn_at(bin->arch, &code, at);
}

int binary_rets(const struct binary *bin, uint64_t start, uint64_t end,
		struct code_rets *ret)
{
	struct code_view code;
	int err;

	*ret = (struct code_rets){ .stop = start };
	err = code_at(bin, start, end, &code);
	return err ? err : code_find_rets(bin->arch, &code, ret);
}

int binary_read_code(const struct binary *bin, uint64_t address, void *buf, size_t size)
{
	struct code_view code;
	int err = code_at(bin, address, address + size, &code);

	if (!err)
		memcpy(buf, code.bytes, size);
	return err;
}
