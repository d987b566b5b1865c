#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The whole path on every test kernel: define, trace, record, show, count,
# remove, unload. What is special to an option or an error is tested elsewhere.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.1 debian-6.12 bare debug \
	debian-6.1-arm64 debian-6.12-arm64); do
	guest "$kernel" -- basic.guest
done
finish
