#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What is kept of /proc/kallsyms: what it saves, in guest time where one instruction is
# one nanosecond; that no answer is of another time; whose file it may be.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12); do
	"$TOP/scripts/make" names-module KERNEL="$kernel" LEVEL=O2 WERROR=1 ||
		exit
	guest "$kernel" --icount --mem 1024 --add "$(program spent "$kernel")" \
		--add "$(program onlycaps "$kernel")" \
		--module "$TOP/build/names/$kernel-O2/ktap_names_O2.ko" \
		-- symbols.guest
done
finish
