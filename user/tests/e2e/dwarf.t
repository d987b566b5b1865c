#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Variables of real files with debug information, of which nobody wrote down where
# they are: gdb says, over a machine that stands still. And lines for the kernel.
# On the host alone. KTAP_FULL=1 draws more, from more files.

# shellcheck disable=SC2317 # 'check' calls functions
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

KTAP=$(host_ktap) || exit 1
SEED=${KTAP_SEED:-1}
LIBC=/lib/x86_64-linux-gnu/libc.so.6

# agree FILE FUNCTIONS LINES PERF
agree()
{
	"$TOP/scripts/dwarf/agree" --seed "$SEED" --functions "$2" --lines "$3" \
		--perf "$4" "$1" >"$WORK/agreed"
}

# The tables are worth reading when all is well, too.
compare()
{
	check "$1: gdb finds nothing wrong" agree "$2" "$3" "$4" "$5"
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

vmlinux()
{
	local path

	path=$("$TOP/scripts/kernels" path "$1" vmlinux 2>/dev/null) || return 1
	[ -e "$path" ] && echo "$path"
}

compare_kernel()
{
	local path

	if path=$(vmlinux "$1"); then
		compare "$1" "$path" "$2" "$3" "$4"
	else
		skip "$1: variables" "its debug information is not there"
	fi
}

compare_all()
{
	local functions=300 lines=60 perf=16 build

	[ -z "${KTAP_FULL:-}" ] || functions=1000 lines=500 perf=200
	"$TOP/scripts/make" test-tools || exit 1
	compare_kernel debian-6.1 "$functions" "$lines" "$perf"
	[ -n "${KTAP_FULL:-}" ] || return 0
	compare_kernel debian-6.12 "$functions" "$lines" "$perf"
	compare ktap "$KTAP" "$functions" "$lines" "$perf"
	build=$(readelf -n "$LIBC" | awk '/Build ID/ { print $3 }')
	if [ -e "/usr/lib/debug/.build-id/${build:0:2}/${build:2}.debug" ]; then
		compare "the C library" "$LIBC" "$functions" "$lines" "$perf"
	else
		skip "the C library: variables" "no libc6-dbg"
	fi
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
	"2,ktap: the argument 'a' cannot be written in a line of the kernel: it is an address, not what is there
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
	"2,ktap: bad value 'perf' for option '--format'"
finish
