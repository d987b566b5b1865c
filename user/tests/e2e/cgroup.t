#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# $cgroup: the paths of control groups in records, keys, filters and recordings. stat(1)
# says which IDs they have.

. "${BASH_SOURCE[0]%/*}/lib.sh"

for kernel in $(kernels debian-6.12 debian-5.10 bare); do
	guest "$kernel" --add "$(program calls "$kernel")" -- cgroup.guest
done
finish
