# SPDX-License-Identifier: GPL-2.0
"""Processes of ours and of peers: what they cost and say here, and recording in
a guest."""
import os
import shutil
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


def program(name):
    """Where a program of this machine is."""
    return subprocess.run(["sh", "-c", 'command -v "$0"', name], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def build(name, where):
    """A program that brings no library, from NAME.c beside this file."""
    subprocess.run(["gcc", "-D_GNU_SOURCE", "-O2", "-static", "-o",
                    where + "/" + name, "scripts/bench/%s.c" % name], check=True)


def guest(options, words, files, tools, results, where):
    """Runs words, the first of them a script beside this file, in a machine that
    scripts/vm makes with the options, with files and the tools of this machine;
    copies the results from its /tmp, unpacks archives, and returns what it said."""
    command = ["scripts/vm", "--timeout", "1800"] + options
    for file in ["scripts/bench/" + words[0]] + files:
        command += ["--add", file]
    for tool in tools:
        command += ["--add", "%s:/usr/bin/%s" % (program(tool), tool)]
    for file in results:
        command += ["--get", "/tmp/%s:%s/%s" % (file, where, file)]
    said = subprocess.run(command + ["--", "/root/" + words[0]] + words[1:],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    for file in results:
        path = where + "/" + file
        if path != recording(path):
            shutil.rmtree(recording(path), ignore_errors=True)
            shutil.unpack_archive(path, recording(path))
    return said


def recording(result):
    """Where a recording is: LTTng's, a directory, comes in an archive."""
    return result.removesuffix(".tar")


def lttng(kernel):
    """The options of scripts/vm that bring LTTng; none where it does not build."""
    where = "build/bench/" + kernel
    os.makedirs(where, exist_ok=True)
    done = subprocess.run(["scripts/bench/lttng", kernel, where],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        sys.exit("scripts/bench/lttng: failed")
    return done.stdout.splitlines()
