#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What every kernel must give or refuse, in one boot of each: a check begins with
# the name of what it is about, and scripts/matrix makes a table of that.
#
# Without KERNELS: those on which 'make check' runs few other tests, or none.

# shellcheck disable=SC2016,SC2317 # definitions; called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# probe_module KERNEL: makes conform.ko, whose probe './seek OFFSET' hits once. Kernels that
# are built here have their vmlinux beside them, and some have no uprobes.
probe_module()
{
	local seek
	local -a probe

	mkdir -p "$WORK/$1"
	"$TOP/scripts/kernels" get "$1" >&2 &&
		"$TOP/scripts/make" kmod KERNEL="$1" &&
		seek=$(program seek "$1") || return
	case $1 in
	debian-*) probe=(-x "$seek=/root/seek" '-x /root/seek ran=main argc=$arg1:s32') ;;
	*) probe=(-k "$("$TOP/scripts/kernels" path "$1" vmlinux)" 'ran=null_lseek') ;;
	esac
	"$KTAP" module -q -o "$WORK/$1/conform.ko" \
		--template "$TOP/build/kmod/$1/ktap-probe.ko" "${probe[@]}"
}

: >"$WORK/bases"
for kernel in ${KERNELS:-debian-5.10 debian-6.1 debian-7 debian-5.10-arm64 debian-6.1-arm64 \
		debian-6.12-arm64 debian-6.12-rt bare bare-uprobes}; do
	added=(--add "$(program utarget "$kernel")" --add "$(program seek "$kernel")")
	check "$kernel: run: a module is made" probe_module "$kernel"
	[ ! -e "$WORK/$kernel/conform.ko" ] || added+=(--add "$WORK/$kernel/conform.ko")
	guest "$kernel" --smp 2 --kaslr "${added[@]}" -- conform.guest
	! grep -q '^CONFIG_RANDOMIZE_BASE=y' "$("$TOP/scripts/kernels" path "$kernel" config)" ||
		sed -n 's/^# the text begins at //p' "$WORK/vm.out" >>"$WORK/bases"
done
# Two of 512 places are the same once in 512 times, three hardly ever.
[ "$(wc -l <"$WORK/bases")" -lt 3 ] ||
	check "kernels are at addresses that they chose" \
		[ "$(sort -u "$WORK/bases" | wc -l)" -gt 1 ]
finish
