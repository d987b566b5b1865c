# SPDX-License-Identifier: GPL-2.0
"""Of an ELF file: its symbols of functions, and where its bytes are in memory.

Owns: reading ELF for the scripts here.
"""
import os
import struct


class Elf:
    """bases: where the sections of a module are, by their names"""

    def __init__(self, path, bases=None):
        with open(path, "rb") as f:
            head = f.read(64)
            self.is_module = head[16:18] == b"\1\0"
            if head[:6] != b"\x7fELF\x02\x01":
                raise ValueError(f"{path}: no 64-bit little-endian ELF file")
            self.arch = {62: "x86_64", 183: "arm64"}[
                struct.unpack_from("<H", head, 18)[0]]
            phoff, shoff = struct.unpack_from("<QQ", head, 32)
            phsize, phnum, shsize, shnum, names = struct.unpack_from("<5H", head, 54)
            f.seek(phoff)
            data = f.read(phsize * phnum)
            self.loads = [self.phdr(data, i * phsize) for i in range(phnum)
                          if struct.unpack_from("<I", data, i * phsize)[0] == 1]
            f.seek(shoff)
            data = f.read(shsize * shnum)
            self.sections = [struct.unpack_from("<IIQQQQIIQQ", data, i * shsize)
                             for i in range(shnum)]
            self.name_sections(f, names, bases or {})
            self.build_id = self.find_build_id(f)
            self.symbols = self.read_symbols(f)

    def name_sections(self, f, index, bases):
        """Of a module, where they are was not in the file."""
        strings = self.sections[index]
        f.seek(strings[4])
        names = f.read(strings[5])
        self.names = [names[s[0]:names.index(b"\0", s[0])].decode("latin1")
                      for s in self.sections]
        self.sections = [s[:3] + (bases.get(name, s[3]),) + s[4:]
                         for s, name in zip(self.sections, self.names)]
        self.bases = bases

    @staticmethod
    def phdr(data, at):
        _, flags, offset, vaddr, _, filesz = struct.unpack_from("<IIQQQQ", data, at)
        return offset, vaddr, filesz, flags

    def find_build_id(self, f):
        for s in self.sections:
            if s[1] != 7:
                continue
            f.seek(s[4])
            note = f.read(s[5])
            if note[12:16] == b"GNU\0" and note[8:12] == b"\3\0\0\0":
                size = struct.unpack_from("<I", note, 4)[0]
                return note[16:16 + size].hex()
        return None

    def read_symbols(self, f):
        """(name, address, size, is a function, is global)"""
        ret = []
        for s in self.sections:
            if s[1] not in (2, 11):
                continue
            strings = self.sections[s[6]]
            f.seek(strings[4])
            names = f.read(strings[5])
            f.seek(s[4])
            data = f.read(s[5])
            for at in range(0, len(data), 24):
                name, info, _, index, value, size = struct.unpack_from(
                    "<IBBHQQ", data, at)
                if not name or not index:
                    continue
                text = names[name:names.index(b"\0", name)].decode("latin1")
                if self.is_module:
                    if index >= len(self.names) or \
                            self.names[index] not in self.bases:
                        continue
                    value += self.sections[index][3]
                ret.append((text, value, size, info & 15 == 2, info >> 4 != 0))
        return ret

    def to_address(self, offset):
        """Of a byte of the file."""
        for start, vaddr, size, _ in self.loads:
            if start <= offset < start + size:
                return vaddr + offset - start
        return None

    def fetched(self, offset):
        """What '@+OFFSET' reads: the kernel counts from where the file would begin
        if all of it lay as the probed code does (translate_user_vaddr() of
        kernel/trace/trace_uprobe.c), not from the segment that has the offset."""
        start, vaddr = next(load[:2] for load in self.loads if load[3] & 1)
        return vaddr - start + offset

    def code(self):
        """(start, size) of what can be run"""
        return [(s[3], s[5]) for s, name in zip(self.sections, self.names)
                if s[1] == 1 and s[2] & 6 == 6 and s[5] and
                (not self.is_module or name in self.bases)]


def place_sections(path, elf, to):
    """Writes a copy of a module, in which each section has the address that it is
    given: debuggers tell sections apart by addresses, of which a module has none."""
    with open(path, "rb") as f:
        data = bytearray(f.read())
    shoff, = struct.unpack_from("<Q", data, 40)
    for i, name in enumerate(elf.names):
        if name in elf.bases:
            struct.pack_into("<Q", data, shoff + 64 * i + 16, elf.bases[name])
    with open(to, "wb") as f:
        f.write(data)


def debug_file(elf, path):
    """Where the symbols and the debug information of the file are."""
    if elf.build_id:
        found = (f"/usr/lib/debug/.build-id/{elf.build_id[:2]}/"
                 f"{elf.build_id[2:]}.debug")
        if os.path.exists(found):
            return found
    return path
