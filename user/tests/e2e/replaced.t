#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A module that is replaced while a command runs: the addresses of one are another's then.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# renamed KERNEL: the module with another name for one of its functions; prints the path
renamed()
{
	local from to=$WORK/renamed-$1/other.ko objcopy=objcopy

	! is_arm64 "$1" || objcopy=aarch64-linux-gnu-objcopy
	from=$(target_module "$1") && mkdir -p "${to%/*}" &&
		$objcopy --redefine-sym ktap_target_sleep=ktap_target_slept "$from" "$to" &&
		echo "$to"
}

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64); do
	guest "$kernel" --add "$(target_module "$kernel"):/root/one.ko" \
		--add "$(renamed "$kernel"):/root/other.ko" -- replaced.guest
done
finish
