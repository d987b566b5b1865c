# SPDX-License-Identifier: GPL-2.0
"""What perf probe says: one call, which takes half a second and more, for all
functions that a pattern matches, or for a line.

Owns: how perf is called, and what its lines are about.
"""
import collections
import re
import subprocess

from fetch import split_line


class Perf:
    def __init__(self, path, elf, symbols, is_user):
        self.base = ["perf", "probe", "--max-probes", "100000"]
        self.base += ["-x", path] if is_user else ["-k", path]
        self.elf, self.symbols = elf, symbols
        self.calls = 0

    def ask(self, place):
        """{name: {addresses: {variable: fetch argument}}}; None: it refuses."""
        self.calls += 1
        p = subprocess.run(self.base + ["-D", f"{place} $vars"], check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found = collections.defaultdict(dict)
        if p.returncode:
            return None
        for line in p.stdout.decode("utf-8", "replace").splitlines():
            event, where, args = split_line(line)
            addrs = self.addresses(where)
            if addrs:
                found[event.split("/")[1]].setdefault(addrs, args)
        return found

    def addresses(self, place):
        """Of a local symbol's name it does not say which one it means."""
        m = re.search(r":(0x[0-9a-f]+)(\(.*\))?$", place)
        if m:
            return (self.elf.to_address(int(m[1], 16)),)
        m = re.fullmatch(r"(?:.*:)?([^+]+)(?:\+(\d+|0x[0-9a-f]+))?", place)
        found = self.symbols.get(m[1], [])
        return tuple(addr + int(m[2] or "0", 0) for addr in found)
