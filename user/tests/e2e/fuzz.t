#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Chance against the module, for a short while: messages that the family's
# attributes allow, more or less. scripts/fuzz does so for longer, and by other
# seeds: FUZZ_SECONDS and FUZZ_SEED are its. The same seed makes the same again.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

AMOUNT=${FUZZ_SECONDS:-10}s
SEED=${FUZZ_SEED:-1}
WHAT=${FUZZ_WHAT:-netlink}

# fuzz KERNEL
fuzz()
{
	# shellcheck disable=SC2086 # a list
	guest "$1" --smp 2 --leaks --timeout $((${AMOUNT%s} * 3 * 2 + 600)) \
		--add "$WORK/fuzz" -- fuzz.guest "$AMOUNT" "$SEED" $WHAT
}

check "the program is built" build_fuzz
for kernel in ${FUZZ_KERNELS:-$(kernels debug)}; do
	fuzz "$kernel"
done
finish
