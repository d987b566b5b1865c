#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything at once, for a short while: probes of all kinds fire in all contexts
# while they, their sessions, modules, processors, clocks, memory and other
# tracers come and go. What the load counted itself is what ktap counted and
# recorded. scripts/torture does so for longer, and on more kernels:
# TORTURE_KERNELS, TORTURE_SECONDS, TORTURE_SEED and TORTURE_LOOPS are its.
#
# Beside another test on two processors the loops of tasks may get no turn, and
# one that did not go round is a failure. So scripts/check runs it beside the unit tests,
# with a processor of its own, and without TORTURE_SECONDS it skips itself.

. "${BASH_SOURCE[0]%/*}/lib.sh"

SECONDS_EACH=${TORTURE_SECONDS:-}
SEED=${TORTURE_SEED:-1}

# Runs that are shorter leave out what other tests have: leaks, rmmod and lockdown.
SHORT=30

# Time for the last rounds, for what comes after them, and for a busy host.
LIMIT=$((SECONDS_EACH * 3 + 900))

# torture KERNEL
torture()
{
	local kernel=$1
	local -a options=()

	case $kernel in
	debug*) options=(--mem 1024) ;;
	esac
	# a scan for leaks takes as long as a short run
	[[ $kernel != debug* || $SECONDS_EACH -lt $SHORT ]] || options+=(--leaks)
	if ! "$TOP/scripts/make" target-module KERNEL="$kernel" WERROR=1; then
		result 1 "$kernel: the modules are built"
		return
	fi
	# shellcheck disable=SC2086 # a list of loops
	guest "$kernel" --smp 4 --timeout "$LIMIT" \
		--append "log_buf_len=4M" "${options[@]}" \
		${TORTURE_CONSOLE:+--console "$TORTURE_CONSOLE"} \
		--add "$WORK/torture" --add "$(program late "$kernel")" \
		--module "$TOP/build/target/$kernel/ktap_target.ko" \
		--module "$TOP/build/target/$kernel/ktap_torture.ko" -- \
		torture.guest "$SECONDS_EACH" "$SEED" $((SECONDS_EACH < SHORT)) \
		${TORTURE_LOOPS:-}
}

if [ -z "${TORTURE_SECONDS:-}" ]; then
	skip "everything at once" "it needs the machine for itself: make torture"
	finish
fi
check "the load is built" build_torture
for kernel in ${TORTURE_KERNELS:-$(kernels debug)}; do
	torture "$kernel"
done
finish
