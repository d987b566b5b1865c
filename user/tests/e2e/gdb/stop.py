# SPDX-License-Identifier: GPL-2.0
"""Run by gdb, for gdb.t: gdb -x stop.py VMLINUX, with WATCH_ARCH, WATCH_SOCKET (of QEMU's
gdbstub), WATCH_SAID (what the guest writes), WATCH_MODULE (ktap_stack.ko), WATCH_KTAP,
WATCH_PROGRAM and WATCH_OUT, where a line of JSON is written for each stack.

The guest writes 'module CODE BSS KTAP', where these are, and waits until 'watched' is 1.
Then it writes what to stop at, 'at KIND LABEL PLACE STOPS', 'go N', and 'drop LABEL' for what
ktap does not probe, and calls ktap_stack_mark(N): from there until ktap_stack_mark(0) gdb stops
at these places. Kinds:
  stack    the stack of the code there, before the instruction is executed
  returns  a function whose return is probed: the stack of its caller when it has returned.
           What replaced its return address is taken out of the stack before gdb looks at it.
ktap_stack_mark(-1) is the end.

What gdb cannot know is done here: the registers that the code of the entries has stored, and
the switch to a stack for interrupts, which is in assembly.
"""
import functools
import json
import os
import re
import time
import traceback

import gdb

M64 = (1 << 64) - 1
MAX_FRAMES = 127


def reg_of(frame, name):
    return int(frame.read_register(name)) & M64


def regs_of(frame, names):
    return {n: reg_of(frame, n) for n in names}


class X86:
    PC, SP, ARG1 = "rip", "rsp", "rdi"
    STORED = ["r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax",
              "rcx", "rdx", "rsi", "rdi", None, "rip", None, None, "rsp", None]
    KEPT = ["rbx", "rbp", "r12", "r13", "r14", "r15"]
    NUMBERS = ["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
               "r12", "r13", "r14", "r15", "rip"]       # in the protocol

    @staticmethod
    def are_regs(words):
        return words[17] in (0x10, 0x23, 0x33)

    @staticmethod
    def is_user(words):
        return words[17] & 3 == 3

    @staticmethod
    def before_switch(frame, pc):
        """Registers on the other stack, whose pointer is in the first word of this one. Return:
        them, and whether they are at the same frame; None: no switch."""
        sp = reg_of(frame, "rsp")
        if (sp + 8) % 4096:
            return None
        word = word_at(sp)
        if word >> 56 != 0xff or not (word ^ sp) >> 14:
            return None
        regs = regs_of(frame, X86.KEPT)
        # a function of 5.10 among the entries: the word points to what it has pushed
        if (frame.name() or "").startswith("asm_call_"):
            rbp, rip = words_at(word, 2)
            regs.update(rbp=rbp, rip=rip, rsp=word + 16)
            return regs, False
        regs.update(rsp=word, rip=pc)
        return regs, True

    @staticmethod
    def fixup_end(frame, pc):
        return None

    @staticmethod
    def return_slot():
        """Where the return address is at the entry of a function."""
        sp = reg("rsp")
        return sp, word_at(sp)

    @staticmethod
    def sp_after(slot):
        return slot + 8

    @staticmethod
    def slot_of(slot):
        return slot


class Arm64:
    PC, SP, ARG1 = "pc", "sp", "x0"
    # as the kernel, gdb cannot read what is the program's (PAN)
    STORED = [f"x{i}" for i in range(31)] + ["sp", "pc", "cpsr"]
    KEPT = [f"x{i}" for i in range(19, 29)]
    NUMBERS = STORED

    @staticmethod
    def are_regs(words):
        return words[33] & 15 in (0, 4, 5)

    @staticmethod
    def is_user(words):
        return words[33] & 15 == 0

    @staticmethod
    def before_switch(frame, pc):
        """call_on_irq_stack() has a frame record on the other stack. In 5.10 the entries switch,
        and have the stack pointer of before in x19."""
        if re.fullmatch("el[01]_irq", frame.name() or ""):
            sp, before = reg_of(frame, "sp"), reg_of(frame, "x19")
            if not (sp ^ before) >> 14:
                return None
            regs = regs_of(frame, Arm64.KEPT)
            regs.update(pc=pc, sp=before)
            return regs, True
        if frame.name() != "call_on_irq_stack":
            return None
        fp = reg_of(frame, "x29")
        regs = regs_of(frame, Arm64.KEPT)
        above, lr = words_at(fp, 2)
        regs.update(x29=above, x30=lr, pc=lr, sp=fp + 16)
        return regs, False

    @staticmethod
    def fixup_end(frame, pc):
        """Before 5.16 what follows a fault of a function is beside all functions, without what
        gdb unwinds by. Return: where the function continues; None: it is no fixup."""
        if frame.name() != "__entry_tramp_text_end":
            return None
        for at in range(pc, pc + 32, 4):
            insn = word_at(at) & (1 << 32) - 1
            if insn >> 26 == 5:     # b
                return at + ((insn & (1 << 25) - 1) - (insn & 1 << 25)) * 4
        return None

    @staticmethod
    def return_slot():
        return reg("sp"), reg("x30")

    @staticmethod
    def sp_after(slot):
        return slot

    @staticmethod
    def slot_of(sp):
        """The last frame record below the stack pointer that the function had at its entry."""
        fp, found = reg("x29"), None
        while fp and fp < sp and fp >> 48 == 0xffff:
            found = fp + 8
            above = word_at(fp)
            if above <= fp:
                break
            fp = above
        return found


ARCH = Arm64 if os.environ["WATCH_ARCH"] == "arm64" else X86


def reg(name):
    return int(gdb.parse_and_eval("(long)$" + name)) & M64


def set_regs(values):
    """By the protocol: gdb itself sets the registers of a frame, which it may not find."""
    for name, value in values.items():
        size = 4 if name == "cpsr" else 8
        value &= (1 << 8 * size) - 1
        packet = f"P{ARCH.NUMBERS.index(name):x}={value.to_bytes(size, 'little').hex()}"
        if '"OK"' not in gdb.execute("maint packet " + packet, to_string=True):
            raise gdb.GdbError(f"cannot set {name}")
    gdb.execute("maint flush register-cache", to_string=True)


def words_at(at, n):
    data = bytes(gdb.selected_inferior().read_memory(at, 8 * n))
    return [int.from_bytes(data[i:i + 8], "little") for i in range(0, 8 * n, 8)]


def word_at(at):
    return words_at(at, 1)[0]


def write_word(at, word):
    gdb.selected_inferior().write_memory(at, word.to_bytes(8, "little"))


def address_of(place):
    """FUNCTION or FUNCTION+OFFSET"""
    name, _, offset = place.partition("+")
    return (int(gdb.parse_and_eval(f"(long)&'{name}'")) & M64) + int(offset or "0", 0)


@functools.lru_cache
def is_there(name):
    try:
        return bool(address_of(name))
    except gdb.error:
        return False


class Walk:
    """A stack as gdb has it, with the registers put back where it cannot find them."""

    ENDS = re.compile("ret_from_fork_asm|secondary_startup|__(primary|secondary)_switched")

    def __init__(self, entries):
        self.entries = entries
        self.kernel, self.user = [], []
        self.end = None
        self.in_user = False
        self.resumed = False    # at the last frame of the piece before

    def take(self):
        names = [n for n in ARCH.STORED if n]
        before = {n: reg(n) for n in names}
        try:
            while self.piece():
                pass
        finally:
            set_regs(before)
        return self

    def is_full(self):
        return len(self.kernel) >= MAX_FRAMES or len(self.user) >= MAX_FRAMES

    def piece(self):
        """From the registers on. Return: whether they were changed to go on from."""
        frame = gdb.newest_frame()
        known, self.resumed = self.resumed, False
        while frame and not self.is_full():
            if frame.type() == gdb.INLINE_FRAME:
                frame = frame.older()
                continue
            pc = frame.pc() & M64
            if self.in_user and not pc:     # as C libraries leave it
                self.end = "outermost"
                return False
            if not known:
                (self.user if self.in_user else self.kernel).append(pc)
            known = False
            if not self.in_user and (again := self.special(frame, pc)) is not None:
                return again
            below, frame = frame, frame.older()
            if not frame:
                self.end = gdb.frame_stop_reason_string(below.unwind_stop_reason())
                if below.unwind_stop_reason() == gdb.FRAME_UNWIND_OUTERMOST:
                    self.end = "outermost"
        return False

    def special(self, frame, pc):
        """What gdb cannot unwind. Return: None if it is nothing special."""
        name = frame.name() or ""
        # it has been in C since there is one in assembly
        if self.ENDS.match(name) or name == "ret_from_fork" and not is_there("ret_from_fork_asm"):
            self.end = "outermost"
            return False
        if (end := ARCH.fixup_end(frame, pc)):
            self.resumed = True
            set_regs({ARCH.PC: end})
            return True
        if (switch := ARCH.before_switch(frame, pc)):
            self.resumed = switch[1]
            set_regs(switch[0])
            return True
        if self.entries[0] <= pc < self.entries[1]:
            return self.stored(reg_of(frame, ARCH.SP))
        return None

    def stored(self, at):
        words = words_at(at, len(ARCH.STORED))
        if not ARCH.are_regs(words):
            self.end = "no registers at an entry"
            return False
        set_regs({n: w for n, w in zip(ARCH.STORED, words) if n})
        self.in_user = ARCH.is_user(words)
        return True


class Watch:
    def __init__(self):
        self.said = os.environ["WATCH_SAID"]
        self.out = open(os.environ["WATCH_OUT"], "w")
        self.places = {}        # address: [kind, label, stops that are left, breakpoint]
        self.group = 0
        self.replaced = []      # [slot, return address] of calls whose return is probed
        self.returns = {}       # address: [[stack pointer, label]...], a breakpoint

    def lines(self):
        try:
            with open(self.said) as f:
                return f.read().splitlines()
        except FileNotFoundError:
            return []

    def await_line(self, pattern, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in self.lines():
                if (m := re.match(pattern, line)):
                    return m
            time.sleep(0.05)
        raise gdb.GdbError(f"the guest did not say '{pattern}'")

    def attach(self):
        said = self.await_line(r"module (\w+) (\w+) (\w+)", 300)
        gdb.execute("target remote " + os.environ["WATCH_SOCKET"], to_string=True)
        gdb.execute(f"add-symbol-file {os.environ['WATCH_MODULE']} {said[1]} -s .bss {said[2]}",
                    to_string=True)
        gdb.execute(f"add-symbol-file {os.environ['WATCH_KTAP']} {said[3]}", to_string=True)
        gdb.execute(f"add-symbol-file {os.environ['WATCH_PROGRAM']}", to_string=True)
        self.entries = (address_of("__entry_text_start"), address_of("__entry_text_end"))
        self.jiffies = address_of("jiffies_64")
        # where a program runs, the kernel's memory may be out of reach; the guest reads a file
        in_kernel = self.stop_at(address_of("vfs_read"))
        gdb.execute("continue", to_string=True)
        in_kernel.delete()
        self.mark = address_of("ktap_stack_mark")
        self.stop_at(self.mark)
        write_word(address_of("watched"), 1 | word_at(address_of("watched")) & ~0xffffffff & M64)

    @staticmethod
    def stop_at(address):
        return gdb.Breakpoint(f"*{address:#x}", type=gdb.BP_HARDWARE_BREAKPOINT,
                              internal=True)

    def begin(self, group):
        self.await_line(f"go {group}$", 20)
        self.group = group
        self.plan = []
        for line in self.lines():
            word = line.split() or [""]
            if word[0] == "go" and word[1] != str(group):
                self.plan = []
            elif word[0] == "at":
                self.plan.append(word[1:])
            elif word[0] == "drop":
                self.plan = [p for p in self.plan if p[1] != word[1]]
        for kind, label, place, stops in self.plan:
            address = address_of(place)
            self.places[address] = [kind, label, int(stops), self.stop_at(address)]

    def finish(self):
        for place in self.places.values():
            if place[3]:
                place[3].delete()
        for _, point in self.returns.values():
            point.delete()
        self.places, self.returns, self.replaced = {}, {}, []
        self.out.flush()

    def put_back(self):
        """The return addresses that probes replaced. Return: what to undo."""
        undo = []
        for key, address in self.replaced:
            slot = ARCH.slot_of(key)
            if slot and (now := word_at(slot)) != address:
                write_word(slot, address)
                undo.append((slot, now))
        if undo:
            gdb.execute("maint flush register-cache", to_string=True)
        return undo

    def tell(self, label):
        sp = reg(ARCH.SP)
        self.replaced = [r for r in self.replaced if r[0] >= sp or (r[0] ^ sp) >> 14]
        undo = self.put_back()
        walk = Walk(self.entries).take()
        for slot, now in undo:
            write_word(slot, now)
        json.dump({"group": self.group, "label": label, "sp": sp,
                   "jiffies": word_at(self.jiffies), "kernel": walk.kernel, "user": walk.user,
                   "end": walk.end}, self.out)
        self.out.write("\n")

    def entered(self, label):
        """A function whose return is probed."""
        slot, address = ARCH.return_slot()
        self.replaced.append((slot, address))
        if address not in self.returns:
            self.returns[address] = [[], self.stop_at(address)]
        self.returns[address][0].append((ARCH.sp_after(slot), label))

    def returned(self, waiting):
        sp = reg(ARCH.SP)
        for entry in [e for e in waiting if e[0] == sp]:
            waiting.remove(entry)
            self.tell(entry[1])

    def stopped(self, pc):
        if pc in self.returns:
            self.returned(self.returns[pc][0])
        place = self.places.get(pc)
        if not place:
            return
        if place[0] == "returns":
            self.entered(place[1])
            return
        self.tell(place[1])
        place[2] -= 1
        if not place[2]:
            place[3].delete()
            place[3] = None

    def run(self):
        self.attach()
        while True:
            gdb.execute("continue", to_string=True)
            pc = reg(ARCH.PC)
            if pc != self.mark:
                self.stopped(pc)
                continue
            n = reg(ARCH.ARG1)
            if n == M64:
                break
            if n:
                self.begin(n)
            else:
                self.finish()
        self.out.close()
        gdb.execute("delete")
        gdb.execute("detach", to_string=True)


# Code is read from the files: a breakpoint of the kernel's would be taken for a permanent one,
# which gdb steps over.
for line in ("set trust-readonly-sections on", "set pagination off", "set confirm off",
             "set breakpoint always-inserted on", "set backtrace past-main on",
             "set backtrace past-entry on", "set backtrace limit unlimited", "set width 0"):
    gdb.execute(line)
try:
    Watch().run()
except Exception:
    traceback.print_exc()
    gdb.execute("quit 1")
