# SPDX-License-Identifier: GPL-2.0
"""Registers and memory that are a function of a seed.

user/tests/dwarf_run.c has the same; the two must agree.

Owns: what a register or a byte of memory holds.
"""

M64 = (1 << 64) - 1

# Registers in the order of the 'g' packet of gdb, by their index in ktap.
X86_64 = ("ax bx cx dx si di bp sp r8 r9 r10 r11 r12 r13 r14 r15 ip").split()
X86_64_INDEX = {name: i for i, name in enumerate(
    "r15 r14 r13 r12 bp bx r11 r10 r9 r8 ax cx dx si di orig_ax ip cs flags "
    "sp ss".split())}
ARM64 = [f"x{i}" for i in range(31)] + ["sp", "pc"]
ARM64_INDEX = {name: i for i, name in enumerate(ARM64)}

USER_STACK = 0x7fff00000000
KERNEL_STACK = 0xffffc90000000000


def mix(x):
    x = (x + 0x9e3779b97f4a7c15) & M64
    x = ((x ^ x >> 30) * 0xbf58476d1ce4e5b9) & M64
    x = ((x ^ x >> 27) * 0x94d049bb133111eb) & M64
    return x ^ x >> 31


class World:
    def __init__(self, seed, arch, is_user):
        self.seed = seed
        self.order = ARM64 if arch == "arm64" else X86_64
        index = ARM64_INDEX if arch == "arm64" else X86_64_INDEX
        start = mix(seed)
        self.regs = {name: mix((start + i) & M64) for name, i in index.items()}
        self.regs["sp"] = USER_STACK if is_user else KERNEL_STACK
        self.pc = "pc" if arch == "arm64" else "ip"

    def word(self, addr):
        """The aligned 8 bytes that hold addr."""
        return mix((addr & ~7 & M64) ^ self.seed)

    def read(self, addr, size):
        start = addr & ~7
        words = (addr + size - start + 7) // 8
        data = b"".join(self.word((start + 8 * i) & M64).to_bytes(8, "little")
                        for i in range(words))
        return data[addr - start:addr - start + size]
