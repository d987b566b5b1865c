#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nothing that anyone can put on the socket, pass to a call or map may do harm,
# and every refusal says what is wrong: nlraw tries, without the tool.

. "${BASH_SOURCE[0]%/*}/lib.sh"

ATTEMPTS="messages programs costs places returns frames hooks blobs lifetimes groups many rights who device maps tables tails memory"
TEXTS=$WORK/texts
# what uprobe_raw.t compares on kernels and machines that are not ours here
grep -oh '"[^"]*"' "$E2E"/uraw/values.c | tr -d '"' >"$TEXTS"

# hostile KERNEL [OPTION...] -- ATTEMPT...
hostile()
{
	local kernel=$1
	local -a options=()

	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	guest "$kernel" --smp 2 "${options[@]}" --add "$WORK/nlraw" -- \
		netlink.guest "$@"
	sed -n 's/^# extack: //p' "$WORK/vm.out" >>"$TEXTS"
}

# Every text that the module can give, but for a program's that is too long:
# the policy of its attribute is faster. That there are too many probes takes
# as many probes, and minutes: KTAP_FULL=1.
all_texts()
{
	perl -0777 -ne 'while (/\b(?:ktap_refuse(?:_amount)?|ktap_lacks|get_insns)\(([^;]*?)"((?:[^"\\]|\\.)*)"/g) { print "$2\n" }' \
		"$TOP"/kmod/*/*.c
	sed -n 's/^\tR([A-Z_]*, "\(.*\)").*/\1/p' "$TOP/kmod/hit/verify.h" |
		grep -vx 'program has too many instructions'
	sed -n 's/^\tC([A-Z_]*, "\(.*\)").*/\1/p' "$TOP/kmod/hit/cost.h"
}

# may_do: "ACTOR: DEED: OUTCOME" of each cell of the table of rights in the
# documentation
may_do()
{
	awk '
		/^who  / { n = split(substr($0, 46), deed) }
		n && /^[=]/ && rows { exit }
		n && !/^(who|=)/ {
			who = substr($0, 1, 45)
			sub(/ *$/, "", who)
			split(substr($0, 46), outcome)
			for (i = 1; i <= n; i++)
				print who ": " deed[i] ": " outcome[i]
			rows++
		}' "$TOP/Documentation/reliability.rst"
}

# compare_rights KERNEL: what its guest found with that
compare_rights()
{
	is "$1: who may do what is what is documented" \
		"$(sed -n 's/^# who: //p' "$WORK/vm.out" | sort)" \
		"$(may_do | grep -vFf <(sed -n 's/^# nobody: //p' "$WORK/vm.out") | sort)"
}

check "nlraw is built" build_nlraw
# 'make check' does less of what takes minutes, and has sanitizers look at memory only
brief=${KTAP_FEW:+brief}
sanitized=$ATTEMPTS
[ -z "$brief" ] || sanitized="device maps tables tails"
# shellcheck disable=SC2086 # lists
for kernel in $(kernels debug); do
	hostile "$kernel" --leaks -- $brief $sanitized shortage
	[ -n "$brief" ] || compare_rights "$kernel"
done
# shellcheck disable=SC2086
for kernel in $(kernels debian-6.1); do
	hostile "$kernel" ${KTAP_FULL:+--timeout 1200 --mem 1024} -- \
		$brief $ATTEMPTS ${KTAP_FULL:+ids crowd} lockdown
	compare_rights "$kernel"
done
for kernel in $(kernels bare); do
	hostile "$kernel" -- hooks
done
if [ -z "${KTAP_FULL:-}" ]; then
	echo "too many probes" >>"$TEXTS"
	skip "all ids there are" "takes minutes: KTAP_FULL=1"
	skip "many at one place" "takes minutes: KTAP_FULL=1"
fi
# Texts of kernels and machines that are not here: ustack.t has the first,
# conform.t the second; no x86 kernel gives the third, which lacks perf. uprobe.t has the last two.
cat >>"$TEXTS" <<'EOF'
user stacks need Linux 6.1, where hits can look up mappings
the ftrace hook cannot follow a call on this kernel
this kernel counts no events: it was built without CONFIG_PERF_EVENTS
the file was changed, or its time was set, after the probe was defined
probes of what the file was before are still armed
EOF
if [ -z "${KERNELS:-}" ]; then
	is "every explanation was given" \
		"$(all_texts | sort -u | grep -vxFf "$TEXTS")" ""
fi
finish
