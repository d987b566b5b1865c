#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What hits may cost: programs that would stop the machine are refused, with
# their cost and the reason; large ones that are legal are not; what runs at one
# place is summed.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# shellcheck disable=SC2317 # called by name
build_nlraw()
{
	gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
		-Wno-missing-field-initializers -I"$TOP/include/uapi" \
		-I"$TOP/user/tests" -I"$TOP/kmod" -o "$WORK/nlraw" \
		"$E2E"/nlraw/*.c "$E2E"/tell/tell.c -lmnl
}

check "nlraw is built" build_nlraw
for kernel in $(kernels debian-6.1 debian-6.12); do
	guest "$kernel" --smp 2 --add "$WORK/nlraw" -- cost.guest
done
finish
