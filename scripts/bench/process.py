# SPDX-License-Identifier: GPL-2.0
"""A process of ours or of a peer: what it costs, and what it says."""
import os
import subprocess
import sys
import tempfile
import time


def run(command, env, word=b""):
    """One run: what it costs, and how many of the lines that it said have the
    word; without a word nobody listens."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = subprocess.Popen(command, env=env,
                                 stdout=subprocess.DEVNULL if word is None else out,
                                 stderr=err, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            err.seek(0)
            sys.exit("%s: failed: %s" % (" ".join(command),
                                         err.read().decode()))
        out.seek(0)
        return {"ms": wall * 1000,
                "cpu_ms": (usage.ru_utime + usage.ru_stime) * 1000,
                "mb": usage.ru_maxrss / 1024,
                "lines": sum(1 for line in out if (word or b"") in line)}
