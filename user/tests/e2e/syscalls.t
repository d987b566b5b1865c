#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# System calls by the kernel's own tracepoints: which are served so, that they are the
# calls that the functions serve, what they show, and whose calls they leave out.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64); do
	guest "$kernel" --smp 2 --timeout 300 \
		--add "$(program manycalls "$kernel")" \
		--add "$(program sixargs "$kernel")" -- syscalls.guest
done
finish
