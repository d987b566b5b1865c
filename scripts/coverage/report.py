#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Which branches of kmod/ were taken, of what guests counted.

usage: report.py [--all] COUNTS...

COUNTS are files that scripts/vm leaves with KTAP_COVERAGE=DIR: the .gcda file of
each object, behind a line "PATH SIZE"; or NAME.gcda of a program. Those of one object are summed, gcov says
which branch is which, and what several objects have of one source line is summed
again. Prints a table, and every line with a branch that was never taken, unless
scripts/coverage/explained says why; with --all also those. Exit status 1 if a
branch is left of the files that have to be whole, or an explanation is not needed.
"""
import collections
import json
import os
import re
import struct
import subprocess
import sys

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
EXPLAINED = os.path.join(TOP, "scripts/coverage/explained")
TAG_FUNCTION = 0x01000000
# Files each of whose branches is taken or explained: by the beginnings of names.
WHOLE = ("hit/verify", "hit/fetch", "hit/ring", "hit/match", "core/probe",
         "core/session", "core/netlink")


def read_counts(path, sums):
    """Adds one guest's counts to those of (object, build) in sums."""
    with open(path, "rb") as f:
        while line := f.readline():
            name, size = line.decode().rsplit(" ", 1)
            add_object(sums, name, f.read(int(size)))


def add_object(sums, name, data):
    words = struct.unpack("<%dI" % (len(data) // 4), data)
    functions = sums.setdefault((name, words[:4]), {})
    at = 4
    while at < len(words):
        assert words[at] == TAG_FUNCTION, "%s: no function" % name
        nr = words[at + 6] // 8
        values = struct.unpack_from("<%dq" % nr, data, 4 * (at + 7))
        was = functions.setdefault(words[at + 2:at + 5], [0] * nr)
        functions[words[at + 2:at + 5]] = [a + b for a, b in zip(was, values)]
        at += 7 + 2 * nr


def write_gcda(name, head, functions):
    with open(name, "wb") as f:
        f.write(struct.pack("<4I", *head))
        for numbers, values in functions.items():
            f.write(struct.pack("<5I", TAG_FUNCTION, 12, *numbers))
            f.write(struct.pack("<2I", 0x01a10000, 8 * len(values)))
            f.write(struct.pack("<%dq" % len(values), *values))


def stamp_of(gcno):
    """What the compiler gave this build of an object."""
    with open(gcno, "rb") as f:
        return struct.unpack("<4I", f.read(16))[2]


def gcov(name):
    out = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities",
                          name], stdout=subprocess.PIPE, check=True,
                         cwd=os.path.dirname(name)).stdout
    return json.loads(out)["files"]


def source_of(path):
    """Its name below kmod/, or None where it is not ours."""
    found = re.search(r"(?:^|/)(?:kmod/[^/]*-coverage|kunit/[^/]*-coverage/kmod|kmod)/"
                      r"((?:core|hit|backend|frame|arch)/[^/]*|compat\.h)$", path)
    return found.group(1) if found else None


class Line:
    """One line of a source: how often it was executed, and its branches.

    Objects that were compiled in other ways may have other branches for it. Where it
    was executed in one that has none, those of others are of sanitizers."""

    def __init__(self):
        self.count = 0
        self.shapes = {}
        self.functions = set()

    def add(self, count, branches):
        self.count += count
        if branches or count:
            was = self.shapes.setdefault(len(branches), [0] * len(branches))
            self.shapes[len(branches)] = [a + b["count"] for a, b in zip(was, branches)]

    def best(self):
        """The branches of the shape of which most were taken."""
        return max(self.shapes.values(), default=[],
                   key=lambda s: sum(1 for n in s if n) / len(s) if s else 2)


def add_lines(lines, name):
    """What gcov has of one object's .gcda file."""
    for file in gcov(name):
        source = source_of(file["file"])
        if not source:
            continue
        for line in file["lines"]:
            at = lines[source][line["line_number"]]
            at.add(line["count"], line["branches"])
            at.functions.add(line.get("function_name", ""))


def collect(paths):
    sums = {}
    lines = collections.defaultdict(lambda: collections.defaultdict(Line))
    for path in paths:
        if path.endswith(".gcda"):
            add_lines(lines, os.path.realpath(path))
        else:
            read_counts(path, sums)
    for (name, head), functions in sorted(sums.items()):
        gcno = name[:-4] + "gcno"
        if not os.path.exists(gcno) or stamp_of(gcno) != head[2]:
            continue
        write_gcda(name, head, functions)
        add_lines(lines, name)
    return lines


class Explained:
    """Lines 'FILE [FUNCTION] | TEXT OF A LINE | REASON'; FILE may be '*'."""

    def __init__(self):
        self.rows = []
        self.used = set()
        with open(EXPLAINED, encoding="utf-8") as f:
            for line in f:
                if line.strip() and line[0] != "#":
                    self.rows.append([w.strip() for w in line.split(" | ", 2)])

    def why(self, source, functions, text):
        for i, (file, part, reason) in enumerate(self.rows):
            file, _, function = file.partition(" ")
            if function and function not in functions:
                continue
            if file in ("*", source) and part in text:
                self.used.add(i)
                return reason
        return None

    def unused(self):
        return [" | ".join(r) for i, r in enumerate(self.rows)
                if i not in self.used and r[0] != "*"]


def percent(part, whole):
    return "%5.1f" % (100 * part / whole) if whole else "    -"


def main():
    show_all = "--all" in sys.argv
    lines = collect([a for a in sys.argv[1:] if a != "--all"])
    explained = Explained()
    left = 0
    rows = []
    for source in sorted(lines):
        with open(os.path.join(TOP, "kmod", source), encoding="utf-8") as f:
            text = f.read().split("\n")
        nr = taken = why_nr = 0
        for number, line in sorted(lines[source].items()):
            branches = line.best()
            missing = sum(1 for n in branches if not n)
            nr += len(branches)
            taken += len(branches) - missing
            if not missing:
                continue
            why = explained.why(source, line.functions, text[number - 1])
            why_nr += missing if why else 0
            if not why and source.startswith(WHOLE):
                left += missing
            if not why or show_all:
                print("%s:%d: %d of %d never%s: %s" %
                      (source, number, missing, len(branches),
                       "" if line.count else " (nor the line)", text[number - 1].strip()))
                if why:
                    print("    " + why)
        executed = sum(1 for line in lines[source].values() if line.count)
        rows.append((source, len(lines[source]), executed, nr, taken, why_nr))
    print("%-28s %6s %6s %8s %6s %9s" % ("file", "lines", "%", "branches", "%", "explained"))
    rows.append(["all"] + [sum(r[i] for r in rows) for i in range(1, 6)])
    for name, nr_lines, executed, nr, taken, why_nr in rows:
        print("%-28s %6d %6s %8d %6s %9d" %
              (name, nr_lines, percent(executed, nr_lines), nr, percent(taken, nr), why_nr))
    for row in explained.unused():
        print("not needed: " + row)
    return 1 if left or explained.unused() else 0


if __name__ == "__main__":
    sys.exit(main())
