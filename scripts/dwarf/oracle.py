# SPDX-License-Identifier: GPL-2.0
"""What gdb says of variables, over the machine of stub.py: runs inside of gdb.

Requests and answers are lines of JSON, on the descriptors that the environment
names. 'survey' tells which functions and lines random addresses are in, 'point'
chooses expressions over the variables that are in scope at an address, and
evaluates them there.

Owns: what is asked of gdb, and how its values are told.
"""
import json
import os
import random

import gdb

SCALARS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_BOOL,
           gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_PTR)
REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
RECORDS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)


def select(addr, names):
    """The frame at addr that is of one of the names, without names the innermost; a
    text: why there is none."""
    gdb.execute(f"monitor {addr}")
    gdb.execute("maintenance flush register-cache", to_string=True)
    frame = gdb.newest_frame()
    found = []
    while frame is not None:
        symbol = frame.function()
        if symbol is not None and (not names or
                {symbol.name, symbol.linkage_name} & set(names)):
            found.append(frame)
        if frame.type() != gdb.INLINE_FRAME:
            break
        frame = frame.older()
    if not found:
        return "gdb knows no such function there"
    return found[0]     # what ktap takes, where a function is inlined into itself


def variables(frame):
    """Those of the function that can be seen from here, the innermost first."""
    seen = {}
    try:
        block = frame.block()
    except RuntimeError:
        return seen
    while block is not None:
        for symbol in block:
            if symbol.name and symbol.addr_class != gdb.SYMBOL_LOC_LABEL and (
                    symbol.is_argument or symbol.is_variable):
                seen.setdefault(symbol.name, symbol)
        if block.function is not None:
            return seen
        block = block.superblock
    return seen


def is_of_file(frame, name):
    """Whether that is no local variable for the code there."""
    block = frame.block()
    return any(s.name == name for outer in (block.static_block, block.global_block)
               for s in outer)


def with_callers(frame):
    """{name: (symbol, frame)} of the functions at the frame's address, the innermost
    first: those that were inlined, and that which has the code."""
    inner, seen = frame, {}
    while frame is not None:
        for name, symbol in variables(frame).items():
            if name not in seen and (frame == inner or
                                     not is_of_file(inner, name)):
                seen[name] = symbol, frame
        if frame.type() != gdb.INLINE_FRAME:
            break
        frame = frame.older()
    return seen


# ---- expressions over a variable ----

def fields_of(t):
    """(path, type) of the named members, those of nameless ones included."""
    for f in t.fields():
        if not hasattr(f, "bitpos") or f.artificial:
            continue
        if f.name:
            yield f.name, f.type
        elif f.type.strip_typedefs().code in RECORDS:
            yield from fields_of(f.type.strip_typedefs())


def grow(rng, steps, t, depth):
    """Steps to one value, from one that has the type t."""
    t = t.strip_typedefs()
    if t.code == gdb.TYPE_CODE_ARRAY and depth:
        low, high = t.range()
        if high < low or rng.random() < 0.3:
            return steps
        index = rng.randint(low, min(high, 8))
        return grow(rng, steps + [("[", index)], t.target(), depth - 1)
    if t.code in RECORDS and depth:
        fields = list(fields_of(t))
        if not fields:
            return steps
        name, inner = rng.choice(fields)
        return grow(rng, steps + [(".", name)], inner, depth - 1)
    if t.code == gdb.TYPE_CODE_PTR and depth and rng.random() < 0.35:
        target = t.target().strip_typedefs()
        fields = list(fields_of(target)) if target.code in RECORDS else []
        if fields:
            name, inner = rng.choice(fields)
            return grow(rng, steps + [("->", name)], inner, depth - 1)
        if target.code in SCALARS:
            return steps + [("*", None)]
    return steps


def text_of(name, steps):
    for step, what in steps:
        if step == "[":
            name += f"[{what}]"
        elif step == "*":
            name = f"*{name}"
        else:
            name += f"{step}{what}"
    return name


def follow(value, steps):
    for step, what in steps:
        value = value.dereference() if step == "*" else value[what]
    return value


# ---- values ----

def kind_of(t):
    t = t.strip_typedefs()
    if t.code == gdb.TYPE_CODE_ENUM:
        return "enum"
    if t.code in SCALARS:
        return "int"
    if t.code == gdb.TYPE_CODE_ARRAY:
        inner = t.target().strip_typedefs()
        return "array" if inner.code in SCALARS else "array of other"
    if t.code in RECORDS:
        return "struct"
    if t.code == gdb.TYPE_CODE_FLT:
        return "float"
    return "other"


def elements(value):
    low, high = value.type.strip_typedefs().range()
    return [int(value[i]) for i in range(low, min(high, low + 4095) + 1)]


def tell(frame, symbol, steps):
    """The value that the steps lead to. Names are not looked up: for one that is
    not there gdb would read all of the debug information."""
    try:
        value = follow(frame.read_var(symbol), steps)
        if value.type.strip_typedefs().code in REFERENCES:
            value = value.referenced_value()
        kind = kind_of(value.type)
        ret = {"kind": kind, "size": value.type.strip_typedefs().sizeof}
        if value.is_optimized_out:
            return {"none": "optimized out", "kind": kind}
        if value.address is not None:
            ret["address"] = int(value.address)
        if kind in ("int", "enum"):
            ret["values"] = [int(value)]
        elif kind == "array":
            ret["values"] = elements(value)
        return ret
    except (gdb.error, RuntimeError, OverflowError, ValueError) as e:
        text = str(e).split("\n")[0]
        if "optimized out" in text:
            return {"none": text, "kind": "?"}
        return {"error": text}


# ---- requests ----

def functions_at(addr):
    block = gdb.block_for_pc(addr)
    while block is not None and not block.is_global and not block.is_static:
        if block.function is not None:
            yield block.function
        block = block.superblock


def survey_one(addr):
    chain = [(f.name, f.line, f.symtab.filename) for f in functions_at(addr)]
    line = gdb.find_pc_line(addr)
    return {"addr": addr, "chain": chain, "line": line.line,
            "file": line.symtab.filename if line.symtab else None}


def survey(request):
    ret = []
    for addr in request["addrs"]:
        try:
            ret.append(survey_one(addr))
        except (gdb.error, RuntimeError):
            continue
    return ret


def statements(request):
    """How many statements begin in a line of a function, which counts from its own;
    None: the function is at none of the addresses."""
    for addr in request["addrs"]:
        for f in functions_at(addr):
            if f.name == request["name"]:
                table = f.symtab.linetable()
                return len(table.line(f.line + request["line"]) or ())
    return None


def point(request):
    frame = select(request["addr"], request["names"])
    if isinstance(frame, str):
        return {"error": frame}
    found = with_callers(frame) if not request["names"] else {
        name: (symbol, frame) for name, symbol in variables(frame).items()}
    rng = random.Random(request["seed"])
    names = sorted(found)
    rng.shuffle(names)
    asked = []
    for name in names[:request["count"]]:
        asked.append((name, []))
        more = grow(rng, [], found[name][0].type, 3)
        if more:
            asked.append((name, more))
    return {"names": sorted(found), "values": [
        {"var": v, "expr": text_of(v, steps), "is": tell(found[v][1], found[v][0], steps)}
        for v, steps in asked]}


def instruction(request):
    """The first byte of the instruction that has a byte at the address."""
    line = gdb.find_pc_line(request["addr"])
    if line.symtab is None:
        return {"error": "no line"}
    # the machine's memory is no code
    gdb.execute("set trust-readonly-sections on", to_string=True)
    try:
        code = gdb.selected_inferior().architecture().disassemble(
            line.pc, request["addr"])
    finally:
        gdb.execute("set trust-readonly-sections off", to_string=True)
    return code[-1]["addr"]


OPS = {"survey": survey, "statements": statements, "point": point,
       "instruction": instruction}


def main():
    requests = os.fdopen(int(os.environ["ORACLE_IN"]))
    answers = os.fdopen(int(os.environ["ORACLE_OUT"]), "w")
    for text in requests:
        request = json.loads(text)
        try:
            answer = OPS[request["op"]](request)
        except (gdb.error, RuntimeError) as e:
            answer = {"error": str(e).split("\n")[0]}
        print(json.dumps(answer), file=answers, flush=True)


main()
