#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All backends at once on four CPUs, with recursion and with interrupts that
# are probed too: no hit is without its fate, totals that are known are met,
# events come and go while they fire, and so does the module. On one CPU, what
# the kernel misses is known, and is shown.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# storm KERNEL KIND...
storm()
{
	local kernel=$1 module offset
	local -a options=()

	shift
	module=$(target_module "$kernel")
	offset=0x$(nm "$module" | sed -n 's/ [bB] ktap_target_counter$//p')
	[ "$kernel" != debug ] || options=(--leaks)
	guest "$kernel" --smp 4 "${options[@]}" \
		--module "$module" --add "$(program utarget "$kernel")" -- \
		storm.guest "$offset" "$@"
}

SOME="kprobe ret recursive tick sys"
ALL="$SOME ftrace tracepoint uprobe uret"
# shellcheck disable=SC2086 # lists
for kernel in $(kernels debian-6.1 debian-6.12 debian-6.1-arm64 debian-6.12-arm64 \
	bare bare-uprobes debug); do
	case $kernel in
	*-arm64) storm "$kernel" $ALL ;;
	bare) storm "$kernel" $SOME mem ;;
	bare-uprobes) storm "$kernel" $SOME mem uprobe uret ;;
	*) storm "$kernel" $ALL mem ;;
	esac
done
for kernel in $(kernels debian-6.1 debian-6.12 bare debian-6.1-arm64 \
	debian-6.12-arm64); do
	guest "$kernel" --smp 1 --module "$(target_module "$kernel")" -- \
		missed.guest
done
finish
