#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ktap-target: its size, its commands, bundles that ktap made here, and what it refuses.
# Recordings are decoded by both tools: see target.guest.

# shellcheck disable=SC2016,SC2154 # definitions; what "run" sets
. "${BASH_SOURCE[0]%/*}/lib.sh"

SIZE_MAX=600000
KTAP=$(host_ktap) || exit 1

# tool ARCH: builds it, prints its path
tool()
{
	"$TOP/scripts/make" target ARCH_TARGET="$1" WERROR=1 || return
	echo "$TOP/build/$1/ktap-target"
}

# bundle NAME WORD...: makes NAME.ktap for the kernel of $dir
bundle()
{
	local name=$1

	shift
	check "$kernel: the bundle $name is made" \
		"$KTAP" bundle -q -o "$dir/$name.ktap" "$@"
}

# bundles KERNEL: what target.guest uses
bundles()
{
	local cc=gcc image

	! is_arm64 "$1" || cc=aarch64-linux-gnu-gcc
	image=$("$TOP/scripts/kernels" path "$1" vmlinux) || return
	$cc -std=gnu11 -g -O1 -static -Wl,--build-id -o "$dir/parcel" \
		"$E2E/bundle/parcel.c" || return
	bundle kernel -k "$image" 'reads=vfs_read count file->f_mode' \
		'ended=vfs_read%return value=$retval' \
		'typed=vfs_read *file->f_op file->f_path *pos &file->f_path if count == 77'
	bundle params -k "$image" --param min=100:u64 \
		'big=vfs_read count min=$param(min) if count >= $param(min) && count == 77'
	bundle program -x "$dir/parcel=/bin/parcel" \
		'-x /bin/parcel lift=parcel_lift c->label c->weight times *c'
	OPTIONS=(--add "$dir/kernel.ktap" --add "$dir/params.ktap" --add "$dir/program.ktap" --add "$dir/parcel")
}

# try KERNEL
try()
{
	local kernel=$1 dir=$WORK/$1 arch
	local -a OPTIONS=()

	arch=$(uname -m)
	! is_arm64 "$kernel" || arch=arm64
	mkdir -p "$dir"
	[ "$kernel" = bare ] || bundles "$kernel"
	guest "$kernel" --kaslr --smp 2 --add "$TOP/build/$arch/ktap-target" \
		${OPTIONS[@]+"${OPTIONS[@]}"} -- target.guest
}

# --- the file

for arch in "$(uname -m)" arm64; do
	file=$(tool "$arch") || exit 1
	size=$(stat -c %s "$file")
	echo "# $arch: $size bytes"
	check "$arch: at most $SIZE_MAX bytes" [ "$size" -le $SIZE_MAX ]
	like "$arch: it needs no library and no interpreter" \
		"$(readelf -lW "$file" | grep -cE 'INTERP|DYNAMIC')" '^0$'
done

# --- what it refuses without a kernel

TOOL=$(tool "$(uname -m)") || exit 1
HINT="compile it with 'ktap bundle' on a machine that has the debug information, and use the bundle here"

# refused DEFINITION TEXT MARKER: the whole message, whose marker begins under MARKER
refused()
{
	run "$TOOL" add -n "$1"
	is "refused: $1" "$status $err" "2 ktap: $2
  $1
  $3  $HINT"
}

READS=", which this tool does not read"
# TARGET_NO_NAME
refused 'vfs_read count' "the name 'count' needs debug information$READS" '         ^~~~~'
refused 'vfs_read x=$arg1 if x > 3 && y' "the name 'y' needs debug information$READS" \
	'                             ^'
refused 'vfs_read $vars' "the name '\$vars' needs debug information$READS" '         ^~~~~'
refused 'vfs_read file->f_pos' "the name 'file' needs debug information$READS" \
	'         ^~~~'
# TARGET_NO_TYPE
refused 'vfs_read $arg1->f_pos' "'\$arg1->f_pos' needs the types of C$READS" \
	'         ^~~~~~~~~~~~'
refused 'vfs_read *$arg1' "'*\$arg1' needs the types of C$READS" '         ^~~~~~'
refused 'vfs_read $arg2[1]' "'\$arg2[1]' needs the types of C$READS" '         ^~~~~~~~'
refused 'vfs_read $arg1:(struct file *)' "'\$arg1' needs the types of C$READS" \
	'         ^~~~~'
# TARGET_NO_SOURCE
refused 'vfs_read:12' "a place in source code needs debug information$READS" '^~~~~~~~~~~'
refused 'fs/read_write.c:12' "a place in source code needs debug information$READS" \
	'^~~~~~~~~~~~~~~~~~'
# TARGET_NO_FILE
refused '-x /bin/ls main' "a place in a program needs the program's symbols$READS" \
	'           ^~~~'
# TARGET_NO_OPTION
for option in '-x /bin/ls' '-k vmlinux' '-s src' '-m ext4.ko'; do
	name=${option%% *}
	[ "$name" != -m ] || name='-m FILE'
	# shellcheck disable=SC2086 # two words
	run "$TOOL" add -n $option main
	is "refused: $option" "$status $err" \
		"2 ktap: option '$name' needs debug information or program files$READS
  $HINT"
done
# TARGET_NO_VERB
for verb in bundle funcs index line vars; do
	run "$TOOL" $verb vfs_read
	is "refused: $verb" "$status $err" \
		"2 ktap: '$verb' needs debug information or program files$READS
  run 'ktap $verb' on a machine that has them"
done
# TARGET_LEFT_OUT
run "$TOOL" report
is "refused: report" "$status $err" "2 ktap: 'report' is not part of this tool
  run 'ktap report' on another machine, with a copy of the recording"
run "$TOOL" help
is "what is refused is not listed" "$(grep -cE '^  (bundle|funcs|index|line|report|vars) ' <<<"$out")" 0
like "it knows its name" "$out" '^usage: ktap-target '

# --- the same without any kernel

run "$TOOL" add -n 'vfs_read %di $arg1 +8(%si):u32 $comm'
is "registers and memory are parsed as ktap parses them" "$status $out" \
	"0 $("$KTAP" add -n 'vfs_read %di $arg1 +8(%si):u32 $comm')"
run "$TOOL" add -n 'sys:openat filename flags'
is "system calls have their names" "$status $out" \
	"0 sys_openat=sys:openat filename=filename flags=flags"

run "$TOOL" add -n --param n=3 'vfs_read %di if $arg3 > $param(n=4:u32)'
is "parameters are parsed as ktap parses them" "$status $out" \
	"0 $("$KTAP" add -n --param n=3 'vfs_read %di if $arg3 > $param(n=4:u32)')"

for kernel in $(kernels debian-6.1; kernels debian-6.12-arm64; kernels bare); do
	try "$kernel"
done

# Every error of this room has its test.
while read -r row; do
	check "errors.def: $row is met by a test" grep -qw -- "$row" "$0"
done < <(sed -n 's/^DIAG(\([A-Z_]*\),.*/\1/p' "$TOP/user/target/errors.def")
finish
