#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# $ustack of programs that a signal interrupts at any instruction, compared with what glibc's
# backtrace() says there: see judge/judge.c.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# of all programs together
STACKS=${STACKS:-10000}

FLAGS=(-D_GNU_SOURCE -O2 -fomit-frame-pointer -Wall -Wextra -Werror)

# build KERNEL: what there is on both architectures: a static program. Sets names of the
# programs, and add, the guest's options.
build()
{
	local cc=gcc

	! is_arm64 "$1" || cc=aarch64-linux-gnu-gcc
	$cc -std=gnu11 "${FLAGS[@]}" -static -no-pie -o "$WORK/walks" "$E2E/prog/walks.c" \
		"$E2E/judge/judge.c" || return
	names=(static)
	add=(--add "$WORK/walks")
}

# build_more: programs with libraries
build_more()
{
	gcc -std=gnu11 "${FLAGS[@]}" -shared -fPIC -o "$WORK/judge.so" "$E2E/judge/judge.c" &&
		g++ "${FLAGS[@]}" -pthread -o "$WORK/throws" "$E2E/prog/throws.cc" || return
	names+=(throws threads)
	add+=(--add "$WORK/judge.so" --add "$WORK/throws")
	if ! command -v rustc >/dev/null; then
		skip "$kernel: Rust" "there is no rustc"
	elif check "$kernel: Rust: built" rustc -O -o "$WORK/works" "$E2E/judge/works.rs"; then
		names+=(rust)
		add+=(--add "$WORK/works")
	fi
	if [ ! -x /usr/bin/python3 ]; then
		skip "$kernel: Python" "there is no /usr/bin/python3"
		return
	fi
	names+=(python)
	add+=(--add /usr/bin/python3:/usr/bin/python3 --add "$E2E/judge/works.py"
		--add "$PYTHON/encodings:$PYTHON/encodings")
	for name in codecs io abc; do
		add+=(--add "$PYTHON/$name.py:$PYTHON/$name.py")
	done
}

# files NAME: the program and its libraries
files()
{
	case $1 in
	static) echo "$WORK/walks"; return ;;
	throws | threads) program=$WORK/throws ;;
	rust) program=$WORK/works ;;
	python) program=/usr/bin/python3 ;;
	esac
	echo "$program" "$WORK/judge.so"
	ldd "$program" | sed -n 's,.* => \(/[^ ]*\) .*,\1,p; s,^\t\(/[^ ]*\) .*,\1,p'
}

# shellcheck disable=SC2317 # for check
enough()
{
	awk '{ full += $1; all += $2 } END { print full, "of", all; exit full < 0.99 * all || !all }' \
		"$WORK/totals"
}

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64); do
	build "$kernel" || exit 1
	if is_arm64 "$kernel"; then
		skip "$kernel: C++, Rust and Python" "there are no libraries of theirs for arm64"
	else
		PYTHON=$(/usr/bin/python3 -c 'import os; print(os.path.dirname(os.__file__))')
		build_more || exit 1
	fi
	get=()
	each=$((STACKS / ${#names[@]}))
	rm -f "$WORK/totals"
	for name in "${names[@]}"; do
		get+=(--get "/tmp/$name.json:$WORK/$name.json" --get "/tmp/$name.said:$WORK/$name.said")
	done
	guest "$kernel" --smp 1 --mem 1024 "${add[@]}" "${get[@]}" \
		-- backtrace.guest "$each" "${names[@]}"
	for name in "${names[@]}"; do
		# shellcheck disable=SC2046 # a list
		"$E2E/judge/compare" "$each" "$name" "$WORK" $(files "$name") >"$WORK/compared"
		relay "$kernel" <"$WORK/compared"
	done
	check "$kernel: 99 of 100 reach the outermost frame" enough
done
finish
