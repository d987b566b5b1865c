# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # 'run' sets what tests read
#
# What the end-to-end tests share on the host. A test, NAME.t, boots test
# kernels and runs NAME.guest in each: many checks in one boot. What the guest
# prints as TAP goes through here, which numbers it and names the kernel.
#
# KERNELS="debian-6.1 bare" user/tests/e2e/NAME.t keeps to those kernels. Of
# Debian's it may be one that the test does not name: it takes the place of the
# one that it is most like.
#
# Owns: the numbers of the tests, the work directory, the programs built for
# a guest.

set -uo pipefail
E2E=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
TOP=$(cd "$E2E/../../.." && pwd)
WORK=$(mktemp -d "${TMPDIR:-/tmp}/ktap-e2e.XXXXXX")
trap 'rm -rf "$WORK"' EXIT

NR=0
BAD=0

# result STATUS DESCRIPTION
result()
{
	NR=$((NR + 1))
	if [ "$1" = 0 ]; then
		echo "ok $NR - $2"
	else
		echo "not ok $NR - $2"
		BAD=$((BAD + 1))
	fi
}

# nm, without the plugins for objects of LTO, which take ten times as long as the rest
nm()
{
	command nm --plugin / "$@"
}

# note FILE: what was printed, as a comment.
note()
{
	sed 's/^/#   /' "$1"
}

# check DESCRIPTION COMMAND...: passes when the command does.
check()
{
	# not 'status': that is for 'run', which the command may use
	local description=$1 failed=0

	shift
	"$@" >"$WORK/check" 2>&1 || failed=1
	result "$failed" "$description"
	[ "$failed" = 0 ] || note "$WORK/check"
}

# is DESCRIPTION GOT WANTED
is()
{
	local status=0

	[ "$2" = "$3" ] || status=1
	result "$status" "$1"
	[ "$status" = 0 ] || printf '#   %s\n' "got:" "${2//$'\n'/$'\n'#   }" \
		"wanted:" "${3//$'\n'/$'\n'#   }"
}

# matches TEXT PATTERN: a line of it. For a single line, which most texts are, no process
# has to start.
matches()
{
	[[ $1 != *$'\n'* && $1 =~ $2 ]] 2>/dev/null || grep -qE -- "$2" <<<"$1"
}

# like DESCRIPTION TEXT PATTERN: an extended regular expression.
like()
{
	local status=0

	matches "$2" "$3" || status=1
	result "$status" "$1"
	[ "$status" = 0 ] || printf '#   %s\n' "got:" "${2//$'\n'/$'\n'#   }" \
		"wanted: $3"
}

# run COMMAND...: sets status, out, err.
run()
{
	status=0
	"$@" >"$WORK/out" 2>"$WORK/err" || status=$?
	out=$(<"$WORK/out")
	err=$(<"$WORK/err")
}

# skip DESCRIPTION REASON
skip()
{
	NR=$((NR + 1))
	echo "ok $NR - $1 # SKIP $2"
}

# peers KERNEL: Debian's kernels that tests name, for its machine, the one that
# it is most like first.
peers()
{
	local arch=

	! is_arm64 "$1" || arch=-arm64
	case $1 in
	debian-5.10* | debian-6.1-*) echo "debian-6.1$arch debian-6.12$arch" ;;
	debian-*) echo "debian-6.12$arch debian-6.1$arch" ;;
	esac
}

# peer KERNEL: it, or the first of these, that this test names anywhere.
peer()
{
	local name

	for name in "$1" $(peers "$1"); do
		if grep -qE "(^|[^a-z0-9.-])$name([^a-z0-9.-]|\$)" "$0"; then
			echo "$name"
			return
		fi
	done
}

# needs_sanitizers: this test is one of those in KTAP_FEW.
needs_sanitizers()
{
	[[ " $KTAP_FEW " = *" $(basename "$0" .t) "* ]]
}

# few NAME...: the kernels that 'make check' uses of the names: all that it has built for
# a purpose where none is Debian's, else of Debian's the newest one for amd64, or for arm64
# where the names have no other; and 'debug' for the tests that KTAP_FEW lists. conform.t
# runs on all the others.
few()
{
	local name newest=
	local -a list=()

	for name; do
		[[ $name = debug ]] && ! needs_sanitizers || list+=("$name")
	done
	set -- ${list[@]+"${list[@]}"}
	for name; do
		[[ $name = debian-* ]] || continue
		is_arm64 "$name" && [[ -n $newest ]] && ! is_arm64 "$newest" && continue
		if [[ -z $newest ]] || { is_arm64 "$newest" && ! is_arm64 "$name"; } ||
			[[ $(printf '%s\n' "$newest" "$name" | sort -V | tail -n 1) = "$name" ]]; then
			newest=$name
		fi
	done
	if [[ -z $newest ]]; then
		[[ $# -eq 0 ]] || printf '%s\n' "$@"
		return
	fi
	echo "$newest"
	[[ " $* " != *" debug "* ]] || echo debug
}

# every NR: 1; in 'make check' NR, for tests that take each NRth step of many
every()
{
	if [[ -n ${KTAP_FEW:-} ]]; then echo "$1"; else echo 1; fi
}

# kernels NAME...: the kernels to test on: those of the names that KERNELS has, and
# those of KERNELS that stand in for one of the names. Without KERNELS all names, or
# with KTAP_FEW a few.
kernels()
{
	local name kernel

	if [[ -z ${KERNELS:-} ]]; then
		if [[ -n ${KTAP_FEW:-} ]]; then few "$@"; else printf '%s\n' "$@"; fi
		return
	fi
	for name; do
		for kernel in $KERNELS; do
			[[ $kernel != "$name" && $(peer "$kernel") != "$name" ]] ||
				echo "$kernel"
		done
	done
}

is_arm64()
{
	case $1 in
	*-arm64) return 0 ;;
	esac
	return 1
}

# program NAME KERNEL [FLAG...]: builds prog/NAME.c for it, prints the path.
program()
{
	local cc=gcc dir=$WORK/prog

	if is_arm64 "$2"; then
		cc=aarch64-linux-gnu-gcc
		dir=$WORK/prog-arm64
	fi
	mkdir -p "$dir"
	[ -x "$dir/$1" ] ||
		$cc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror \
			-static -pthread "${@:3}" -o "$dir/$1" "$E2E/prog/$1.c" >&2 || return
	echo "$dir/$1"
}

# build_uraw KERNEL: the program that probes itself; prints the path.
build_uraw()
{
	local cc=gcc out=$WORK/uraw

	if is_arm64 "$1"; then
		cc=aarch64-linux-gnu-gcc
		out=$WORK/arm64/uraw
		mkdir -p "$WORK/arm64"
	fi
	[ -x "$out" ] ||
		$cc -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
			-Wno-missing-field-initializers -static -no-pie \
			-I"$TOP/include/uapi" -o "$out" \
			"$E2E"/uraw/*.c "$E2E"/tell/tell.c -pthread >&2 || return
	echo "$out"
}

# build_nlraw: what speaks to the module without the tool, as $WORK/nlraw.
build_nlraw()
{
	gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
		-Wno-missing-field-initializers -I"$TOP/include/uapi" \
		-I"$TOP/user/tests" -I"$TOP/kmod" -o "$WORK/nlraw" \
		"$E2E"/nlraw/*.c "$E2E"/tell/*.c -lmnl
}

# build_fuzz: chance against the module, as $WORK/fuzz.
build_fuzz()
{
	gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
		-Wno-missing-field-initializers -Wno-unused-parameter \
		-I"$TOP/include/uapi" -I"$TOP/user/tests" -I"$TOP/kmod" \
		-o "$WORK/fuzz" "$E2E"/fuzz/*.c "$E2E"/nlraw/{nl,session}.c \
		"$E2E"/tell/*.c "$TOP"/user/tests/{made_program,env_user}.c \
		"$TOP"/kmod/hit/{verify,fetch,state,match,cost}.c -lmnl
}

# build_torture: the loops and the load of torture.guest, as $WORK/torture.
build_torture()
{
	gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror \
		-Wno-missing-field-initializers -I"$TOP/include/uapi" \
		-I"$TOP/user/tests" -I"$TOP/kmod" -o "$WORK/torture" \
		"$E2E"/torture/*.c "$E2E"/nlraw/{nl,session}.c \
		"$E2E"/tell/*.c -lmnl
}

# target_module KERNEL: builds mod/ktap_target.c for it, prints the path; for
# --module, then 'modprobe ktap_target' loads it. It has no debug information,
# as modules of most kernels have none with them.
target_module()
{
	local out=$WORK/target-$1/ktap_target.ko strip=strip

	! is_arm64 "$1" || strip=aarch64-linux-gnu-strip
	# in a check nothing changes any more, and make takes half a second to find that out
	[[ ${KTAP_BUILT:-} = "$TOP" && -f $TOP/build/target/$1.state ]] ||
		"$TOP/scripts/make" target-module KERNEL="$1" WERROR=1 || return
	mkdir -p "${out%/*}"
	$strip --strip-debug -o "$out" "$TOP/build/target/$1/ktap_target.ko" ||
		return
	echo "$out"
}

# The guest's TAP lines, numbered here; the rest is a comment.
relay()
{
	local kernel=$1 line

	while IFS= read -r line; do
		case $line in
		"ok - "*) result 0 "$kernel: ${line#ok - }" ;;
		"not ok - "*) result 1 "$kernel: ${line#not ok - }" ;;
		"skip - "*) skip "$kernel: ${line#skip - }" "not on this kernel" ;;
		"the end") ENDED=1 ;;
		"#"*) printf '%s\n' "$line" ;;
		*) printf '#   %s\n' "$line" ;;
		esac
	done
}

# guest KERNEL [OPTION OF scripts/vm...] -- SCRIPT [WORD...]: runs SCRIPT, a
# name.guest beside this file, with the guest's library. Its time limit is for
# what hangs, on a host that has other work too; with sanitizers, under
# emulation, everything takes its time.
guest()
{
	local kernel=$1 script status=0
	local -a options=(--timeout 600)

	[ "$kernel" != debug ] || options=(--timeout 1200)
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	script=$2
	shift 2
	ENDED=
	"$TOP/scripts/vm" -k "$kernel" --add "$E2E/guest.sh" \
		--add "$E2E/$script" "${options[@]}" -- sh "$script" "$@" \
		>"$WORK/vm.out" 2>"$WORK/vm.err" || status=$?
	relay "$kernel" <"$WORK/vm.out"
	is "$kernel: $script came to its end" "${ENDED:-no}" 1
	is "$kernel: the kernel did not complain" "$status" 0
	if [ "$status" != 0 ] || [ -z "$ENDED" ]; then
		note "$WORK/vm.err"
	fi
}

# finish: the plan, and the exit status.
finish()
{
	echo "1..$NR"
	exit $((BAD > 0))
}

# vmlinux KERNEL: its file with debug information, which is fetched if it is missing
vmlinux()
{
	"$TOP/scripts/kernels" path "$1" vmlinux 2>/dev/null && return
	"$TOP/scripts/kernels" get "$1" --debuginfo >&2 &&
		"$TOP/scripts/kernels" path "$1" vmlinux
}

# templates KERNEL DIR: builds ktap.ko and the template of probe modules, and puts them into
# DIR without debug information
templates()
{
	local strip=strip name

	! is_arm64 "$1" || strip=aarch64-linux-gnu-strip
	"$TOP/scripts/make" kmod KERNEL="$1" WERROR=1 || return
	for name in ktap ktap-probe; do
		$strip --strip-debug -o "$2/$name.ko" \
			"$TOP/build/kmod/$1/$name.ko" || return
	done
}

# probe_module NAME DEFINITION...: makes NAME.ko in $dir, by $KTAP and the template there, for $kernel,
# whose file with debug information is $image
# shellcheck disable=SC2154 # set by the caller
probe_module()
{
	local name=$1

	shift
	check "$kernel: the module $name is made" "$KTAP" module -q -o "$dir/$name.ko" \
		--template "$dir/ktap-probe.ko" -k "$image" "$@"
}

# tie KERNEL: builds the hostile caller of probe modules into $dir
tie()
{
	local cc=gcc

	! is_arm64 "$1" || cc=aarch64-linux-gnu-gcc
	$cc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -static \
		-I"$TOP/include/uapi" -o "$dir/tie" "$E2E/run/tie.c"
}

# host_ktap: builds the tool for this machine, prints its path.
host_ktap()
{
	"$TOP/scripts/make" user || return
	echo "$TOP/build/$(uname -m)/ktap"
}
