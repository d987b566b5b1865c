# SPDX-License-Identifier: GPL-2.0
"""Fetch arguments of kprobe_events, as the kernel would run them.

Owns: what a line that perf or ktap prints reads.
"""
import re

from world import M64

FILLER = "\\deade12d"      # of perf, where a variable is not there
TYPES = re.compile(r":([usx])(8|16|32|64)$|:(b)(\d+)@(\d+)/(\d+)$|:(string|ustring)$"
                   r"|:([usx])(8|16|32|64)\[(\d+)\]$")


class Unknown(Exception):
    """Something that is not modelled here."""


def split_line(line):
    """(event, place, {name: argument}) of a line"""
    words = line.split()
    args = {}
    for word in words[2:]:
        name, _, arg = word.partition("=")
        args[name] = arg
    return words[0], words[1], args


class Machine:
    """symbols: name to address, for '@SYMBOL'; base: what '@+0' is"""

    def __init__(self, world, symbols, base):
        self.world = world
        self.symbols = symbols
        self.base = base

    def load(self, addr, size=8):
        return int.from_bytes(self.world.read(addr & M64, size), "little")

    def fixed(self, text):
        """The address behind '@'."""
        if text[0] == "+":
            return self.base(int(text[1:], 0))
        if text[0].isdigit():
            return int(text, 0)
        m = re.fullmatch(r"([^+-]+)([+-]\d+)?", text)
        found = self.symbols.get(m[1], [])
        if len(found) != 1:
            raise Unknown(f"@{m[1]} names {len(found)} symbols")
        return found[0] + int(m[2] or 0)

    def address(self, text):
        """Of what an operand reads from memory; None: it reads none."""
        if text[0] == "@":
            return self.fixed(text[1:])
        m = re.fullmatch(r"([+-])u?(\d+|0x[0-9a-f]+)\((.*)\)", text)
        if not m:
            return None
        offset = int(m[2], 0)
        return self.operand(m[3]) + (-offset if m[1] == "-" else offset)

    def operand(self, text):
        if text[0] == "%":
            return self.world.regs[text[1:]]
        if text[0] == "\\":
            return int(text[1:], 0) & M64
        if text == "$stack":
            return self.world.regs["sp"]
        if re.fullmatch(r"\$stack\d+", text):
            return self.load(self.world.regs["sp"] + 8 * int(text[6:]))
        addr = self.address(text)
        if addr is None:
            raise Unknown(text)
        return self.load(addr)

    def value(self, arg):
        """(bits, [values]): of a text the bits are 0."""
        m = TYPES.search(arg)
        text = arg[:m.start()] if m else arg
        if not m:
            return 64, [self.operand(text)]
        if m[7]:
            return 0, [self.address(text) & M64]
        if m[10]:
            size = int(m[9]) // 8
            start = self.address(text)
            return size * 8, [sign(self.load(start + i * size, size), size * 8, m[8])
                              for i in range(int(m[10]))]
        if m[3]:
            width, offset, _ = (int(m[i]) for i in (4, 5, 6))
            return width, [self.operand(text) >> offset & (1 << width) - 1]
        bits = int(m[2])
        return bits, [sign(self.operand(text), bits, m[1])]


def sign(value, bits, kind):
    value &= (1 << bits) - 1
    if kind == "s" and value >> bits - 1:
        value -= 1 << bits
    return value
