#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ktap run: bundles, and probe modules that it loads, ties to its descriptor and unloads.
# Both programs do it on the target.

# shellcheck disable=SC2016,SC2154,SC2317 # definitions; set by "run"; called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
SCHEMA=$TOP/Documentation/ktap-json.schema.json

# old_module KERNEL: builds what ktap is started with to meet an old ktap.ko
old_module()
{
	local cc=gcc

	! is_arm64 "$1" || cc=aarch64-linux-gnu-gcc
	$cc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -shared -fPIC \
		-I"$TOP/include/uapi" -o "$dir/oldmodule.so" "$E2E/run/oldmodule.c" -ldl
}

# 'ticks' is more than may be armed
make_modules()
{
	local image how

	image=$(vmlinux "$1") || return
	probe_module one 'one=vfs_read n=$arg3:u64 if $arg3 == 77'
	probe_module many 'many=vfs_read n=$arg3:u64'
	probe_module stacks 'late=vfs_read $kstack if $arg3 == 77'
	probe_module ticks 'a=timer:10000hz' 'b=timer:10000hz' 'c=timer:10000hz'
	check "$1: a bundle is made" "$KTAP" bundle -q -o "$dir/one.ktap" -k "$image" \
		'one=vfs_read n=$arg3:u64 if $arg3 == 77'
	for how in vermagic crc id; do
		"$E2E/probemod/forge.py" "$dir/one.ko" "$dir/bad_$how.ko" "$how" || return
	done
}

# try KERNEL
try()
{
	local kernel=$1 dir=$WORK/$1 arch name
	local -a added=()

	arch=$(uname -m)
	! is_arm64 "$kernel" || arch=arm64
	mkdir -p "$dir"
	check "$kernel: the template is built" templates "$kernel" "$dir"
	check "$kernel: the hostile caller is built" tie "$kernel"
	check "$kernel: the old module is built" old_module "$kernel"
	check "$kernel: ktap-target is built" "$TOP/scripts/make" target ARCH_TARGET="$arch" WERROR=1
	make_modules "$kernel"
	for name in one many stacks ticks bad_vermagic bad_crc bad_id; do
		added+=(--add "$dir/$name.ko")
	done
	guest "$kernel" --timeout 1200 --smp 2 "${added[@]}" --add "$dir/tie" --add "$dir/one.ktap" \
		--add "$dir/oldmodule.so" --add "$TOP/build/$arch/ktap-target" \
		--module "$(target_module "$kernel")" \
		--get /root/out.tar:"$dir/out.tar" -- run.guest
	tar xf "$dir/out.tar" -C "$dir" || return
	run "$KTAP" script -i "$dir/stacks.data"
	like "$kernel: a recording names addresses elsewhere" "$out" 'vfs_read\+0x'
	run "$KTAP" script -k "$(vmlinux "$kernel")" -i "$dir/stacks.data"
	is "$kernel: a recording knows where its kernel was" "$status" 0
	check "$kernel: status --json is as the schema says" \
		"$E2E/json/check" "$SCHEMA" status <"$dir/status.json"
}

# --- the command line

# refused TEXT WORD...
refused()
{
	local text=$1

	shift
	run "$KTAP" run "$@"
	is "refused: $*" "$status $err" "$text"
}

refused "2 ktap: missing: F.ktap or NAME.ko"
refused "2 ktap: unexpected word 'b.ko'" a.ko b.ko
# RUN_WHAT
refused "2 ktap: 'vfs_read' is neither a bundle (F.ktap) nor a probe module (NAME.ko)
  'ktap bundle' and 'ktap module' make these; 'ktap trace' takes definitions" vfs_read
refused "2 ktap: options '-o' and '--json' exclude each other" -o F --json a.ko
refused "2 ktap: options '-o' and '--time' exclude each other" --time=rel -o F a.ktap
refused "2 ktap: options '-p' and '-- COMMAND' exclude each other" -p 1 a.ko -- true
refused "2 ktap: options '-p' and '-p' exclude each other" -p 1 -p 2 a.ko
refused "2 ktap: option '--skip' is for 'F.ktap'" --skip a.ko
refused "2 ktap: option '--root' is for 'F.ktap'" --root=/tmp a.ko
# PROBE_MODULE_READ
refused "1 ktap: cannot read '/none.ko': No such file or directory" /none.ko
# PROBE_MODULE_FOREIGN
FOREIGN="is no probe module
  'ktap module' makes them"
mkfifo "$WORK/fifo.ko"
refused "1 ktap: '$WORK/fifo.ko' $FOREIGN" "$WORK/fifo.ko"
mkdir "$WORK/dir.ko"
refused "1 ktap: '$WORK/dir.ko' $FOREIGN" "$WORK/dir.ko"
: >"$WORK/empty.ko"
refused "1 ktap: '$WORK/empty.ko' $FOREIGN" "$WORK/empty.ko"
cp "$0" "$WORK/text.ko"
refused "1 ktap: '$WORK/text.ko' $FOREIGN" "$WORK/text.ko"
cp "$KTAP" "$WORK/program.ko"
refused "1 ktap: '$WORK/program.ko' $FOREIGN" "$WORK/program.ko"

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	try "$kernel"
done
finish
