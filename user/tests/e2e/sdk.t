#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A cross build with the SDK of another system: a compiler with a prefix of its own, and
# a sysroot with its libraries in /usr/lib, as Yocto and Buildroot make them. The parts
# are Debian's, in other places. No machine is booted.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

if [ -n "${KTAP_FEW:-}" ]; then
	skip "a build with an SDK" "it builds all again: make check-full, or user/tests/e2e/sdk.t"
	finish
fi

PREFIX=aarch64-poky-linux-
SDK=$WORK/sdk
OUT=$WORK/out
CROSS_ROOT=/usr/aarch64-linux-gnu # of the cross compiler's C library

# flat FROM...: files of directories, not links, into $SDK/usr/lib
flat()
{
	local dir

	for dir; do
		find "$dir" -maxdepth 1 \( -name '*.so*' -o -name '*.a' -o -name '*.o' \) \
			-exec cp -Lf {} "$SDK/usr/lib/" \;
	done
}

make_sysroot()
{
	local from pc

	from=$("$TOP/scripts/sysroot" arm64) || return
	mkdir -p "$SDK/usr/lib/pkgconfig" "$SDK/usr/include"
	cp -RL "$CROSS_ROOT/include/." "$from/usr/include/." "$SDK/usr/include/"
	flat "$from/lib/aarch64-linux-gnu" "$from/usr/lib/aarch64-linux-gnu" "$CROSS_ROOT/lib"
	ln -s usr/lib "$SDK/lib"
	# a linker script
	sed -i "s|$CROSS_ROOT/lib/|/usr/lib/|g" "$SDK/usr/lib/libc.so"
	for pc in "$from"/usr/lib/aarch64-linux-gnu/pkgconfig/*.pc; do
		sed 's|/aarch64-linux-gnu||g' "$pc" >"$SDK/usr/lib/pkgconfig/${pc##*/}"
	done
}

make_compiler()
{
	local tool

	mkdir -p "$WORK/bin"
	for tool in gcc ar ld nm objcopy objdump readelf strip; do
		printf '#!/bin/sh\nexec aarch64-linux-gnu-%s "$@"\n' "$tool" >"$WORK/bin/$PREFIX$tool"
		chmod +x "$WORK/bin/$PREFIX$tool"
	done
}

# build WORD...: as the recipe of the deployment page does
# It is about where files come from, not about their code, which -O0 makes in half the time.
build()
{
	PATH="$WORK/bin:$PATH" make -C "$TOP" -j2 --no-print-directory ARCH_TARGET=arm64 \
		CROSS="$PREFIX" SYSROOT="$SDK" OUT="$OUT" CFLAGS=-O0 "$@"
}

# taken MAP: where the linker found the libraries that it loaded, but for those that
# belong to the compiler
taken()
{
	sed -n 's/^LOAD \(.*\)/\1/p' "$1" | grep -vE "^(linker stubs$|$OUT/|/usr/lib/gcc-cross/)" |
		sed "s|^$SDK/.*|the sysroot|" | sort | uniq
}

command -v aarch64-linux-gnu-gcc >/dev/null || {
	skip "a foreign SDK" "no cross compiler"
	finish
}
check "a sysroot is made" make_sysroot
check "it has no directories of Debian" [ ! -e "$SDK/usr/lib/aarch64-linux-gnu" ]
check "a compiler is made" make_compiler
check "ktap is built" build user LDFLAGS="-Wl,-Map=$WORK/map"
is "all libraries are the sysroot's" "$(taken "$WORK/map")" "the sysroot"
like "for arm64" "$(readelf -h "$OUT/ktap" 2>/dev/null)" 'Machine: +AArch64'
like "its libraries are there" "$(readelf -d "$OUT/ktap" 2>/dev/null)" 'NEEDED.*libdw'
MUSL=$("$TOP/scripts/musl" arm64) || exit 1
check "ktap-target is built" build target MUSL="$MUSL"
like "ktap-target: for arm64" "$(readelf -h "$OUT/ktap-target" 2>/dev/null)" 'Machine: +AArch64'
like "ktap-target: needs no library" "$(readelf -d "$OUT/ktap-target" 2>&1)" 'no dynamic section'
is "ktap-target: headers of the sysroot" "$(find "$OUT/target/include" -maxdepth 1 \
	-type l -printf '%l\n' | sed "s|^$SDK/usr/include/.*|the sysroot|" | sort -u)" "the sysroot"

# --- the module, from a build tree of the SDK

HEADERS=$("$TOP/scripts/kernels" path debian-6.12-arm64 headers 2>/dev/null) || {
	"$TOP/scripts/kernels" get debian-6.12-arm64 >"$WORK/get" 2>&1
	HEADERS=$("$TOP/scripts/kernels" path debian-6.12-arm64 headers) || note "$WORK/get"
}
module()
{
	PATH="$WORK/bin:$PATH" make -C "$TOP" --no-print-directory kmod KDIR="$HEADERS" \
		KMOD=build/kmod/sdk ARCH=arm64 CROSS_COMPILE="$PREFIX"
}
check "ktap.ko is built" module
like "ktap.ko: for arm64" "$(readelf -h "$TOP/build/kmod/sdk/ktap.ko" 2>/dev/null)" 'Machine: +AArch64'
rm -rf "$TOP/build/kmod/sdk" "$TOP/build/kmod/sdk.lock"
finish
