#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: scripts/dwarf/stub.py SEED ARCH USER

A machine for gdb that stands still: speaks gdb's remote protocol on stdin and
stdout, with registers and memory that are a function of SEED. A core file would
do too, but gdb reads from the program what a core does not cover, and which
pages a location needs is known only after it was followed; here every byte is
there. Nothing runs: the only thing that changes is the program counter.

Owns: what gdb sees as the target.
"""
import sys

from world import World, M64


class Stub:
    def __init__(self, seed, arch, is_user):
        self.world = World(seed, arch, is_user)
        self.names = self.world.order
        self.regs = dict(self.world.regs)

    def all_regs(self):
        return "".join((self.regs[n] & M64).to_bytes(8, "little").hex()
                       for n in self.names)

    def command(self, text):
        """'monitor ADDRESS' puts the program counter there: '$pc = ADDRESS'
        would make gdb look for the old frame on a stack without an end."""
        self.regs[self.world.pc] = int(text, 0)
        return "OK"

    def answer(self, packet):
        kind, rest = packet[:1], packet[1:]
        if kind == "m":
            addr, size = (int(x, 16) for x in rest.split(","))
            return self.world.read(addr, size).hex()
        if kind == "g":
            return self.all_regs()
        if packet.startswith("qRcmd,"):
            return self.command(bytes.fromhex(packet[6:]).decode())
        if kind == "?":
            return "S05"
        if kind in "HDX":
            return "OK"
        if packet.startswith("qSupported"):
            return "PacketSize=4000"
        if packet == "qAttached":
            return "1"
        return ""


def packets(stream):
    """What comes between '$' and '#', each acknowledged by the caller."""
    while True:
        c = stream.read(1)
        if not c:
            return
        if c != b"$":
            continue
        data = bytearray()
        while (c := stream.read(1)) not in (b"#", b""):
            data += c
        stream.read(2)
        yield data.decode("latin1")


def main():
    stub = Stub(int(sys.argv[1], 0), sys.argv[2], sys.argv[3] == "1")
    out = sys.stdout.buffer
    for packet in packets(sys.stdin.buffer):
        if packet == "k":
            return
        text = stub.answer(packet)
        out.write(f"+${text}#{sum(text.encode()) & 0xff:02x}".encode())
        out.flush()


main()
