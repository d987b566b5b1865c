#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Chance against the module, for a short while: messages that the family's
# attributes allow, more or less; programs, which do in the kernel what the
# same code does in user space; calls on sessions, and forged tails.
# scripts/fuzz does so for longer, and by other seeds: FUZZ_SECONDS, FUZZ_SEED
# FUZZ_KERNELS and FUZZ_WHAT are its. The same seed makes the same again.

. "${BASH_SOURCE[0]%/*}/lib.sh"

AMOUNT=${FUZZ_SECONDS:-10}s
SEED=${FUZZ_SEED:-1}
WHAT=${FUZZ_WHAT:-netlink programs calls}

# fuzz KERNEL
fuzz()
{
	if ! "$TOP/scripts/make" target-module KERNEL="$1" WERROR=1; then
		result 1 "$1: the modules are built"
		return
	fi
	# shellcheck disable=SC2086 # a list
	guest "$1" --smp 2 --leaks --timeout $((${AMOUNT%s} * 3 * 2 + 600)) \
		--add "$WORK/fuzz" \
		--module "$TOP/build/target/$1/ktap_image.ko" -- fuzz.guest "$AMOUNT" "$SEED" $WHAT
}

# refuses TEXT OPTION...: scripts/fuzz does
refuses()
{
	local text=$1

	shift
	run "$TOP/scripts/fuzz" "$@"
	like "scripts/fuzz $*: is refused" "$status $err" "^2 .*$text"
}

# It calls this test itself, with targets.
if [ -z "${FUZZ_WHAT:-}" ]; then
	refuses "--kernel: no kernel 'no-such'" --kernel no-such 1 calls
	refuses "debian-6.1-arm64 is no kernel for x86-64" --kernel debian-6.1-arm64 1 calls
	refuses "--kernel needs a name" --kernel
	refuses "--seed takes a number" --seed x
	refuses "no option --kern" --kern debug
fi
check "the program is built" build_fuzz
for kernel in ${FUZZ_KERNELS:-$(kernels debug)}; do
	fuzz "$kernel"
done
finish
