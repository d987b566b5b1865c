#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Parameters by name: what a program with known arguments gave to functions of
# the kernel; and where kprobe_events knows names too (6.12), what that says of
# the same calls. Without BTF the names are refused.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64); do
	guest "$kernel" --module "$(target_module "$kernel")" \
		--module loop --add "$(program btfcalls "$kernel")" \
		-- btf.guest
done
for kernel in $(kernels bare); do
	guest "$kernel" -- btf.guest none
done
finish
