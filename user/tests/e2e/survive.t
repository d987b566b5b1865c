#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings that meet an accident: a full disk, SIGKILL, two recorders, a clock
# that is stepped, a pipe that is closed, a power cut.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.12); do
	guest "$kernel" --smp 2 -- survive.guest
done
finish
