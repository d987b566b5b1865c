#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Variables of real files with debug information, of which nobody wrote down where
# they are: gdb says, over a machine that stands still. And lines for the kernel.
# perf is asked the same. On the host alone. KTAP_FULL=1 draws more, from more
# files.

# shellcheck disable=SC2317 # 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
SEED=${KTAP_SEED:-1}
LIB=/lib/x86_64-linux-gnu

# agree [-k VMLINUX] FILE: as many points as are wanted.
agree()
{
	"$TOP/scripts/dwarf/agree" --seed "$SEED" --functions "$FUNCTIONS" \
		--lines "$LINES" "$@" >"$WORK/agreed"
}

# The tables are worth reading when all is well, too.
compare()
{
	check "$1: gdb finds nothing wrong" agree "${@:2}"
	note "$WORK/agreed"
}

# What nothing can be compared without.
missing()
{
	local tool

	for tool in gdb perf python3; do
		command -v "$tool" >/dev/null || echo "no $tool"
	done
	[ "$(uname -m)" = x86_64 ] || echo "the host is no x86-64"
}

compare_kernel()
{
	local path

	if "$TOP/scripts/kernels" get "$1" --debuginfo=tls >"$WORK/get" 2>&1; then
		path=$("$TOP/scripts/kernels" path "$1" vmlinux)
		compare "$1" "$path"
		compare "$1, a module" -k "$path" \
			"$(find "${path%/boot/*}" -name tls.ko | head -n 1)"
	else
		note "$WORK/get"
		skip "$1: variables" "its debug information could not be had"
	fi
}

# compare_library NAME PATH PACKAGE: one whose debug information is elsewhere
compare_library()
{
	local build

	build=$(readelf -n "$2" 2>/dev/null | awk '/Build ID/ { print $3 }')
	if [ -e "/usr/lib/debug/.build-id/${build:0:2}/${build:2}.debug" ]; then
		compare "$1" "$2"
	else
		skip "$1: variables" "no $3"
	fi
}

# 300 points of functions and 60 of lines, or 2,000 and 1,000.
compare_all()
{
	"$TOP/scripts/make" test-tools || exit 1
	FUNCTIONS=100 LINES=20
	[ -z "${KTAP_FULL:-}" ] || FUNCTIONS=400 LINES=200
	compare ktap "$KTAP"
	[ -n "${KTAP_FULL:-}" ] || FUNCTIONS=200 LINES=40
	compare_kernel debian-6.1
	if [ -z "${KTAP_FULL:-}" ]; then
		skip "debian-6.12, arm64 and libraries" "without KTAP_FULL=1"
		return
	fi
	compare_kernel debian-6.12
	compare_kernel debian-6.12-arm64
	compare_library "the C library" "$LIB/libc.so.6" libc6-dbg
	compare_library "the library of BFD" "$(echo "$LIB"/libbfd-*-system.so)" \
		libbinutils-dbg
}

reason=$(missing | head -n 1)
if [ -n "$reason" ]; then
	skip "variables" "$reason"
else
	compare_all
fi

# Lines for the kernel.
run "$KTAP" add -n --format=kprobe_events -x "$KTAP" main argc
like "a line for a program" "$status,$out" \
	"^0,p:uprobes/main $KTAP:0x[0-9a-f]+ argc=%di:s32\$"
run "$KTAP" add -n --format=kprobe_events -x "$KTAP" main 'a=%di+1'
is "a value that is computed" "$status,$err" \
	"2,ktap: the argument 'a' cannot be written in the kernel's syntax: it is an address, not what is there
  main a=%di+1
       ^~~~~~~"
# OPTION_NEEDS, OPTION_CONFLICT
run "$KTAP" add --format=kprobe_events vfs_read
is "without -n" "$status,$err" "2,ktap: option '--format' is for '-n'"
run "$KTAP" add -n -v --format=kprobe_events vfs_read
is "with -v" "$status,$err" \
	"2,ktap: options '--format' and '-v' exclude each other"
run "$KTAP" add -n --hook=kprobe --format=kprobe_events vfs_read
is "with --hook" "$status,$err" \
	"2,ktap: options '--format' and '--hook' exclude each other"
run "$KTAP" add -n --format=perf vfs_read
is "another format" "$status,$err" \
	"2,ktap: bad value 'perf' for option '--format'
  it takes kprobe_events"
finish
