#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several probes at one address share a kprobe: each has exactly its hits, whoever comes,
# goes, is overloaded, or is on code that is unloaded.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64 bare debug); do
	options=()
	[ "$kernel" != debug ] || options=(--leaks --timeout 900)
	guest "$kernel" --smp 4 ${options[@]+"${options[@]}"} \
		--module "$(target_module "$kernel")" \
		--add "$(program calls "$kernel")" -- shared.guest
done
finish
