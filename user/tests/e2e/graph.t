#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What 'ktap graph' shows: the calls of functions of our module, whose tree is known; the
# tree that function_graph of ftrace has for the same function; on a kernel without
# /proc/kcore by the code in its file.
#
# shellcheck disable=SC2317 # called by "check"

. "${BASH_SOURCE[0]%/*}/lib.sh"

# stripped KERNEL FILE: its vmlinux, without debug information
stripped()
{
	local strip=strip

	! is_arm64 "$1" || strip=aarch64-linux-gnu-strip
	$strip --strip-debug -o "$2" "$("$TOP/scripts/kernels" path "$1" vmlinux)"
}

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64 debug); do
	guest "$kernel" --kaslr --smp 4 --module "$(target_module "$kernel")" -- graph.guest
done
for kernel in $(kernels bare); do
	check "$kernel: the file of the kernel" stripped "$kernel" "$WORK/vmlinux"
	guest "$kernel" --kaslr --smp 2 --module "$(target_module "$kernel")" --add "$WORK/vmlinux" \
		-- graph.guest vmlinux
done
finish
