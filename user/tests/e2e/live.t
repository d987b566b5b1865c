#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Names from the debug information of the kernel that runs: parameters, members,
# whole structures, globals, variables of each CPU. Its vmlinux has 590 MB, which
# the guest reads for a minute: with KTAP_FULL=1 only.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# disk KERNEL: a directory with its vmlinux; fails where there is none.
disk()
{
	local path

	path=$("$TOP/scripts/kernels" path "$1" vmlinux 2>/dev/null) || return 1
	[ -e "$path" ] || return 1
	mkdir -p "$WORK/$1"
	cp -lL "$path" "$WORK/$1/vmlinux" 2>/dev/null ||
		cp -L "$path" "$WORK/$1/vmlinux" || return
	echo "$WORK/$1"
}

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	if [ -z "${KTAP_FULL:-}" ]; then
		skip "$kernel: names of the kernel that runs" "without KTAP_FULL=1"
	elif dir=$(disk "$kernel"); then
		guest "$kernel" --mem 1024 --timeout 1200 --disk "$dir" \
			-- live.guest
	else
		skip "$kernel: names of the kernel that runs" \
			"its debug information is not there"
	fi
done
finish
