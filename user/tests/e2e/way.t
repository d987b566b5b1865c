#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The whole way to a target that has busybox, two modules and cat: a bundle of line probes
# with all variables, a module of the bundle, a recording, and its lines, decoded here.
# The judge is what dd does there: it reads 231 bytes, 77 at a time.

# shellcheck disable=SC2016,SC2154 # definitions; set by "run"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# lines: definitions, one for each line of vfs_read() that has code
lines()
{
	"$KTAP" line -q -k "$image" vfs_read 2>/dev/null |
		sed -nE 's/^ +([0-9]+)  .*/l\1=vfs_read:\1 $vars if $comm == "dd"/p'
}

# hits_with TEXT: the numbers of hits, of the lines that have some with that text
hits_with()
{
	grep -E "$1" <<<"$out" | grep -oE ' l[0-9]+: ' | sort | uniq -c |
		awk '{ print $1 }' | sort -u
}

# try KERNEL
try()
{
	local kernel=$1 dir=$WORK/$1 image
	local -a probes

	mkdir -p "$dir"
	image=$(vmlinux "$kernel")
	mapfile -t probes < <(lines)
	check "$kernel: vfs_read() has lines" [ ${#probes[@]} -ge 10 ]
	check "$kernel: a bundle of its lines" \
		"$KTAP" bundle -q -o "$dir/way.ktap" -k "$image" "${probes[@]}"
	check "$kernel: the template is built" templates "$kernel" "$dir"
	check "$kernel: a module of the bundle" "$KTAP" module -q -o "$dir/way.ko" \
		--template "$dir/ktap-probe.ko" "$dir/way.ktap"
	guest "$kernel" --no-ktap --add "$dir/ktap.ko" --add "$dir/way.ko" \
		--get /root/F.data:"$dir/F.data" -- way.guest
	run "$KTAP" script -i "$dir/F.data"
	is "$kernel: decoded: status" "$status" 0
	# a function has lines that a good read does not reach
	check "$kernel: most lines were reached" [ "$(grep -oE ' l[0-9]+: ' <<<"$out" |
		sort -u | wc -l)" -ge 8 ]
	is "$kernel: hits of others are left out" "$(grep -cv '^ *dd-' <<<"$out")" 0
	is "$kernel: count is 77 wherever it is known" \
		"$(grep -oE ' count=[0-9]+' <<<"$out" | sort -u)" " count=77"
	check "$kernel: count is known in many places" [ "$(grep -c ' count=77' <<<"$out")" -ge 16 ]
	is "$kernel: ret: three reads returned 77, wherever it is known" "$(hits_with ' ret=77')" 3
	like "$kernel: ret: one read found the end" "$(hits_with ' ret=0')" 1
	run "$KTAP" script --json -k "$image" -i "$dir/F.data"
	like "$kernel: a pointer by its type" "$out" '"file":"?(0x)?[0-9a-f]'
}

for kernel in $(kernels debian-6.12-arm64; kernels debian-5.10; kernels bare); do
	try "$kernel"
done
finish
