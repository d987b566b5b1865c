#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How many of the hits become records: --every, --rate, --max, against a
# program whose calls are numbered.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 bare debian-6.12-arm64 debug); do
	guest "$kernel" --smp 4 \
		--add "$(program calls "$kernel")" -- rates.guest
done
finish
