#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# usage: forge.py NAME.ko OUT.ko
#	id|sum|arch|version|old|cut|attrs|name|PARAM|MAP|vermagic|crc|SEED
#
# A copy of a probe module whose image was changed. The checksum is right afterwards,
# except with 'sum'. id: another build-id of its first file; old: the version without maps; cut: the image claims to be
# shorter than its probes; attrs, name: its first attribute has no length, or no NUL at its
# end; PARAM is one of insn, entry, param, kind, size, value, text and many, and makes a
# parameter or its first patch refer to nothing; MAP is one of map_size, map_none, map_room,
# map_key, map_reply, map_bytes, map_reserved, map_nr, map_kind, map_fault, map_off and
# map_beyond, and makes something about the map of its first probe wrong; vermagic, crc: the image stays, and the
# module is for another release of the kernel, or for another build of ktap.ko; a number: that
# many random changes, from 1 to 8 bytes each.

import random
import struct
import sys
import zlib

HEAD = 48       # struct ktap_image_head of include/uapi/linux/ktap_image.h
SUM_AT = 12
SIZE_AT = 16
ID_AT = HEAD + 24
PARAM = 48      # struct ktap_image_param
PROBE = 32      # struct ktap_image_probe
MAP = 416       # struct ktap_session_map of include/uapi/linux/ktap.h
MAP_VALUE = 32  # where its values begin

# What is written where in a map.
MAP_CHANGES = {
    "map_room": ("<I", 0, 3),
    "map_key": ("<I", 4, 8),
    "map_nr": ("<I", 8, 17),
    "map_reply": ("<I", 16, 1),
    "map_reserved": ("<I", 20, 1),
    "map_bytes": ("<Q", 24, 1),
    "map_kind": ("<B", MAP_VALUE, 9),
    "map_fault": ("<B", MAP_VALUE + 3, 63),
    "map_off": ("<H", MAP_VALUE + 4, 2000),
    "map_beyond": ("<H", MAP_VALUE + 4, 64),
}


def section(elf, wanted):
    """The offset and the size of a section of a 64-bit little-endian ELF file."""
    shoff, = struct.unpack_from("<Q", elf, 40)
    size, nr, names = struct.unpack_from("<HHH", elf, 58)
    heads = [struct.unpack_from("<IIQQQQ", elf, shoff + i * size) for i in range(nr)]
    strings = heads[names][4]
    for name, _, _, _, offset, length in heads:
        end = elf.index(b"\0", strings + name)
        if elf[strings + name:end].decode() == wanted:
            return offset, length
    sys.exit("no section " + wanted)


def parameters(image):
    """Where the parameters begin."""
    objects, = struct.unpack_from("<I", image, 28)
    at = HEAD
    for _ in range(objects):
        at += struct.unpack_from("<I", image, at)[0]
    return at


def words(nr):
    """Bytes of that many words of 32 bits, padded."""
    return (4 * nr + 7) // 8 * 8


def probe(image):
    """Where the first probe begins."""
    return parameters(image) + PARAM * struct.unpack_from("<I", image, 36)[0]


def patches(image):
    """Where the patches of the first probe begin."""
    at = probe(image)
    return at + PROBE + words(struct.unpack_from("<I", image, at + 8)[0])


def attributes(image):
    """Where the attributes of the first probe begin."""
    return patches(image) + words(struct.unpack_from("<I", image, probe(image) + 24)[0])


def change_param(image, how):
    """Makes something about parameters wrong; returns whether it was that."""
    at = parameters(image)
    patch = patches(image)
    word, = struct.unpack_from("<I", image, patch)
    if how == "insn":
        struct.pack_into("<I", image, patch, word | 0xffff)
    elif how == "entry":
        struct.pack_into("<I", image, patch, word | 1 << 31)
    elif how == "param":
        struct.pack_into("<I", image, patch, word | 0xff << 16)
    elif how == "kind":
        struct.pack_into("<I", image, at, 4)
    elif how == "size":
        struct.pack_into("<I", image, at + 4, 3)
    elif how == "value":
        struct.pack_into("<IIQ", image, at, 1, 1, 256)
    elif how == "text":
        image[at + 16:at + PARAM] = b"x" * (PARAM - 16)
    elif how == "many":
        struct.pack_into("<I", image, 36, 17)
    else:
        return False
    return True


def change_map(image, how):
    """Makes something about the map of the first probe wrong."""
    at = probe(image)
    if struct.unpack_from("<I", image, at + 28) != (MAP,):
        sys.exit("the first probe has no map")
    if how in MAP_CHANGES:
        form, offset, value = MAP_CHANGES[how]
        end = at + struct.unpack_from("<I", image, at)[0]
        struct.pack_into(form, image, end - MAP + offset, value)
    else:
        struct.pack_into("<I", image, at + 28, {"map_size": MAP - 8, "map_none": 0}[how])


def change(image, how):
    if how.isalpha() and change_param(image, how):
        pass
    elif how.startswith("map_"):
        change_map(image, how)
    elif how == "old":
        struct.pack_into("<I", image, 8, 2)
    elif how == "id":
        image[ID_AT] ^= 0xff
    elif how == "arch":
        image[24] ^= 3
    elif how == "version":
        image[8] += 1
    elif how == "attrs":
        struct.pack_into("<H", image, attributes(image), 0)
    elif how == "name":
        at = attributes(image)
        image[at + struct.unpack_from("<H", image, at)[0] - 1] = ord("x")
    elif how == "cut":
        struct.pack_into("<Q", image, SIZE_AT, len(image) - 64)
    elif how not in ("sum", "vermagic", "crc"):
        rng = random.Random(int(how))
        for _ in range(rng.randint(1, 8)):
            # not its size: nothing can tell how much memory follows
            at = rng.choice([8, rng.randrange(24, len(image))])
            image[at] = rng.choice([0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)])
    size, = struct.unpack_from("<Q", image, SIZE_AT)
    struct.pack_into("<I", image, SUM_AT, 0)
    total = zlib.crc32(image[:size])
    struct.pack_into("<I", image, SUM_AT, total ^ (how == "sum"))


def change_module(elf, how):
    if how == "vermagic":
        at = elf.index(b"\0vermagic=") + len("\0vermagic=")
        elf[at] = ord("9")
        # kernels with modversions ignore the release
        elf[elf.index(b" SMP", at) + 1] = ord("X")
    elif how == "crc":
        at, length = section(elf, "__versions")
        elf[elf.index(b"ktap_image_start\0", at, at + length) - 8] ^= 0xff


with open(sys.argv[1], "rb") as f:
    elf = bytearray(f.read())
change_module(elf, sys.argv[3])
offset, length = section(elf, ".ktap.image")
image = elf[offset:offset + length]
change(image, sys.argv[3])
elf[offset:offset + length] = image
with open(sys.argv[2], "wb") as f:
    f.write(elf)
