#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Reads of memory that is not there: the kernel's own code deals with each fault,
# and a probe in that code has reads that fault as well. Without the mark of a busy
# CPU each hit would make the next one.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.1-arm64 debian-6.12-arm64 debug); do
	guest "$kernel" -- fault.guest
done
# as on an older CPU
for kernel in $(kernels debian-6.1 debian-6.12); do
	guest "$kernel" --append no5lvl -- fault.guest
done
finish
