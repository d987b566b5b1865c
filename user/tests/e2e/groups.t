#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What stands before a colon: a module, or a group of tracepoints; and what is none.

. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# The groups of tracefs as the file of the kernel has them: GROUP:NAME, one per line.
of_file()
{
	local group image

	image=$("$TOP/scripts/kernels" path "$1" vmlinux)
	for group in sched irq timer net block ext4 kmem; do
		"$KTAP" funcs -q -k "$image" "tracepoint:$group:*" | sed "s/^tracepoint:/$group:/"
	done
}

for kernel in $(kernels debian-6.1 debian-6.12-arm64); do
	of_file "$kernel" >"$WORK/groups.of.file"
	guest "$kernel" --kaslr --add "$(program calls "$kernel")" \
		--module "$(target_module "$kernel")" --add "$WORK/groups.of.file" \
		-- groups.guest
done
finish
