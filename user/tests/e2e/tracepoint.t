#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tracepoints: raw arguments that a program makes known, those of a module that
# comes and goes, and what is refused.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.1-arm64 debian-6.12-arm64 debug bare-uprobes); do
	guest "$kernel" --smp 2 \
		--add "$(program calls "$kernel")" \
		--module "$(target_module "$kernel")" -- tracepoint.guest
done
for kernel in $(kernels bare); do
	guest "$kernel" -- tracepoint.guest none
done
finish
