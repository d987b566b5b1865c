#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Functions that have no symbol of their own, because the compiler cloned, split or
# inlined them: where their returns are. And which scope a name is of in inlined code,
# as gdb has it.

# shellcheck disable=SC2016 # $retval is a word of ktap
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
cd "$WORK" || exit 1

cat >clones.c <<'EOF2'
#include <stdio.h>
#include <stdlib.h>

struct pair { int a, b, c[20]; };
static volatile int sink;

/* gcc inlines the test, and makes the rest half.part.0 */
static int half(struct pair *p, int n)
{
	int i, sum = n;

	if (!p)
		return 0;
	for (i = 0; i < n; i++) {
		sum += p->c[i % 20] * n;
		sink = sum;
		if (sum > 1000)
			printf("%d\n", sum);
		sum ^= rand();
		sink = sum + 1;
	}
	return sum;
}

static __attribute__((noinline)) int fixed(int n, int by)
{
	sink = n;
	return n * by + sink;
}

static __attribute__((noinline)) int member(struct pair *p, int n)
{
	sink = n;
	return p->a + n + sink;
}

static inline __attribute__((always_inline)) int only(int n)
{
	sink = n;
	return sink + 1;
}

__attribute__((noinline)) int first(struct pair *p, int n) { sink = 3; return half(p, n) + 1; }
__attribute__((noinline)) int second(struct pair *p, int n) { sink = 4; return half(p, n + 2) + 2; }

int main(int argc, char **argv)
{
	struct pair *p = argc > 5 ? NULL : calloc(1, sizeof(*p));
	int r = first(p, argc) + second(p, argc + 1);

	r += fixed(argc, 7) + fixed(argc + 1, 7);
	r += member(p ? p : (void *)argv, argc) + member((void *)argv, 3);
	r += only(argc) + only(r);
	printf("%d\n", r);
	return 0;
}
EOF2
gcc -g -O2 -o clones clones.c || exit 1
objcopy --only-keep-debug clones clones.debug
objcopy --strip-all --add-gnu-debuglink=clones.debug clones stripped

# clone FUNCTION KIND: its symbol, where the compiler made that
clone()
{
	nm clones | sed -n "s/.* [tT] \\($1\\.$2\\.[0-9]*\\)\$/\\1/p" | head -n 1
}

# entry SYMBOL: its address
entry()
{
	nm clones | awk -v name="$1" '$3 == name { print "0x" $1 }' | sed 's/x0*/x/'
}

# places FILE DEFINITION: the addresses
places()
{
	"$KTAP" add -n -v -x "./$1" "$2" 2>&1 | sed -n 's/^  place .* at \(0x[0-9a-f]*\) of .*/\1/p'
}

# returns FUNCTION KIND: where the clone is the whole function
returns()
{
	local symbol

	symbol=$(clone "$1" "$2")
	if [ -z "$symbol" ]; then
		skip "$1%return" "gcc made no clone of that kind"
		return
	fi
	is "$1%return is the return of $symbol" "$(places clones "$1%return \$retval")" \
		"$(entry "$symbol")"
	is "$1%return, of a stripped file" "$(places stripped "$1%return \$retval")" \
		"$(entry "$symbol")"
	is "$symbol%return is the same" "$(places clones "$symbol%return")" \
		"$(entry "$symbol")"
	run "$KTAP" add -n -x ./clones "$1%return n=\$entry(n) \$retval"
	is "$1%return shows what was given" "$status,$err" 0,
}

# hits FUNCTION: how often gdb passes the places of it while the program runs
hits()
{
	local at

	gcc -g -O2 -no-pie -o placed clones.c || return
	for at in $(places placed "$1"); do
		printf 'break *%s\nignore $bpnum 1000\n' "$at"
	done >hits.gdb
	gdb -nx -batch -x hits.gdb -ex run -ex 'info breakpoints' ./placed 2>"$WORK/err" |
		awk '/already hit/ { sum += $4 } END { print sum + 0 }'
}

returns fixed constprop
returns member isra

part=$(clone half part)
if [ -n "$part" ]; then
	# DEBUG_NO_RETURN
	run "$KTAP" add -n -x ./clones 'half%return'
	is "half%return would miss calls" "$status,$err" \
		"2,ktap: 'half' has no return to probe: it was inlined into its callers
  half%return
  ^~~~  '$part%return' is the return of the part that was not inlined"
	is "what the hint says works" "$(places clones "$part%return")" "$(entry "$part")"
	is "a call is counted at its head, and not in the part again" "$(hits half)" 2
	is "the part alone can be probed" "$(places clones "$part")" "$(entry "$part")"
else
	skip "half%return" "gcc did not split it"
fi
run "$KTAP" add -n -x ./clones 'only%return'
is "only%return: it was inlined everywhere" "$status,$err" \
	"2,ktap: 'only' has no return to probe: it was inlined into its callers
  only%return
  ^~~~  its calls can be probed: 'only'"
check "what the hint says works, too" "$KTAP" add -n -x ./clones only
run "$KTAP" add -n -x ./clones 'none%return'
like "no such function" "$status,$err" "^2,ktap: no function 'none' in "

# ---- scopes ------------------------------------------------------------------------

# given PLACE NAME: gdb's constant at the address, of the innermost scope
given()
{
	local at

	at=$(gdb -nx -batch -ex 'set osabi none' -ex "info address ${1%%+*}" "$vmlinux" |
		sed -n 's/.* at address \(0x[0-9a-f]*\)\.$/\1/p')
	at=$(printf '0x%x' $((at + ${1#*+})))
	gdb -nx -batch -ex 'set osabi none' -ex "info scope *$at" "$vmlinux" |
		sed -n "/^Symbol $2 is/,/length/p" | sed '/length/q' |
		sed -n "s/.*Range $at-0x[0-9a-f]*: the constant //p"
}

# On debian-6.1, ip_tun_opts_nlsize has been inlined into itself: of the two variables
# of that name, the outer one is 4 there.
kernel=debian-6.1
if ! command -v gdb >/dev/null; then
	skip "$kernel: the innermost scope" "there is no gdb"
elif ! "$TOP/scripts/kernels" get "$kernel" --debuginfo >"$WORK/get" 2>&1; then
	note "$WORK/get"
	skip "$kernel: the innermost scope" "its debug information could not be had"
else
	vmlinux=$("$TOP/scripts/kernels" path "$kernel" vmlinux)
	wanted=$(given ip_tun_opts_nlsize+0x13 opt_len)
	like "$kernel: gdb has a value for opt_len" "$wanted" '^[0-9]+$'
	is "$kernel: ktap has that of the innermost scope" \
		"$("$KTAP" add -n --format=kprobe_events -k "$vmlinux" \
			'ip_tun_opts_nlsize+0x13 opt_len' 2>&1)" \
		"p:kprobes/ip_tun_opts_nlsize ip_tun_opts_nlsize+19 opt_len=\\$wanted:s32"
	# two blocks that have code elsewhere: in inlined code, and in its caller
	run "$KTAP" add -n -k "$vmlinux" 'ethnl_act_cable_test_tdr+0x111 &__msg'
	like "$kernel: a block elsewhere is not in scope" "$status,$err" \
		"^2,ktap: '__msg' has no value at [^ ]*: several blocks"
fi
finish
