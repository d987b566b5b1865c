#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A probe module that the initramfs loads before init starts anything: it sees the first
# program that init runs.

# shellcheck disable=SC2154 # set by "run"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# try KERNEL
try()
{
	local kernel=$1 dir=$WORK/$1

	mkdir -p "$dir"
	check "$kernel: the template is built" templates "$kernel" "$dir"
	check "$kernel: the module is made" "$KTAP" module -q -o "$dir/boot.ko" \
		--template "$dir/ktap-probe.ko" -k "$(vmlinux "$kernel")" \
		'ran=begin_new_exec file=bprm->filename:string'
	guest "$kernel" --no-ktap --add "$dir/ktap.ko" --add "$dir/boot.ko" \
		--add "$E2E/initramfs/init:/init" --add "$TOP/scripts/vm-init:/vm-init" \
		--get /root/boot.data:"$dir/boot.data" -- initramfs.guest
	run "$KTAP" script -i "$dir/boot.data"
	is "$kernel: the recording is whole" "$status,$err" 0,
	is "$kernel: the first programs, by process 1 and by its first child" \
		"$(sed -n 's/.*-\([0-9]*\) .* ran: \(([^)]*) \)*file="\(.*\)"$/\3/p' <<<"$out" |
			head -n 2 | tr '\n' ' ')" "/vm-init /bin/busybox "
	like "$kernel: the first is process 1" "$(head -n 1 <<<"$out")" '-1 +\['
	like "$kernel: what the guest ran, beside its reader, is there" "$out" 'file="/bin/true"'
}

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	try "$kernel"
done
finish
