#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings on a machine that did not make them: of either architecture, cut
# at any byte, damaged.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# record KERNEL: a recording made there, and what script said of it there
record()
{
	"$TOP/scripts/vm" -k "$1" --add "$E2E/guest.sh" \
		--add "$E2E/recording.guest" \
		--get "/tmp/d:$WORK/$1.data" --get "/tmp/text:$WORK/$1.text" \
		--get "/tmp/json:$WORK/$1.json" --get "/tmp/big:$WORK/big" \
		-- sh recording.guest \
		>"$WORK/vm.out" 2>"$WORK/vm.err"
	is "$1: a recording is made" $? 0
}

# --- either architecture, and one kernel's recording for all that follows

for kernel in $(kernels debian-6.1 debian-6.1-arm64 debian-6.12-arm64); do
	record "$kernel"
	run "$KTAP" script -i "$WORK/$kernel.data"
	is "$kernel: decodes here: status" "$status,$err" "0,"
	is "$kernel: decodes here to what it is there" "$out" \
		"$(cat "$WORK/$kernel.text")"
	is "$kernel: as JSON too" \
		"$("$KTAP" script --json -i "$WORK/$kernel.data")" \
		"$(cat "$WORK/$kernel.json")"
	check "$kernel: that is something" grep -q 'f="/etc/passwd"' \
		"$WORK/$kernel.text"
	data=$WORK/$kernel.data
	text=$WORK/$kernel.text
done
[ "${data:-}" ] || finish

# --- time

first=$("$KTAP" script --time=rel -i "$data" | head -n 1)
like "--time=rel begins at 0" "$first" '\] +0\.000000: '
year=$(date +%Y)
like "--time=wall is a date and a time of day" \
	"$("$KTAP" script --time=wall -i "$data" | head -n 1)" \
	"\\] $year-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}: "

# --- cut

# Without the end of the recording the last times are not as exact.
timeless()
{
	sed 's/\] *[0-9.]*: /] /' "$1"
}

# cut_at N: a failure with one line, and nothing but what the whole shows
cut_at()
{
	head -c "$1" "$data" >"$WORK/cut"
	run "$KTAP" script -i "$WORK/cut"
	timeless "$WORK/out" >"$WORK/timeless"
	[ "$status" = 1 ] && [ "$(wc -l <<<"$err")" = 1 ] &&
		grep -q '^ktap: ' <<<"$err" &&
		! diff "$WORK/whole" "$WORK/timeless" | grep -q '^>' && return
	printf '%s\n' "cut at $1: status $status" "$err"
	return 1
}

size=$(wc -c <"$data")
timeless "$text" >"$WORK/whole"
stride=$(every 5)
cuts()
{
	local n step=$((size * stride / 120 + 1))

	for ((n = 0; n < 160 && n < size; n += stride)); do
		cut_at "$n" || return
	done
	for ((n = 160; n < size; n += step)); do
		cut_at "$n" || return
	done
	for ((n = size - 1; n >= 0 && n >= size - 80; n -= stride)); do
		cut_at "$n" || return
	done
}
check "cut anywhere: what comes before, and one line" cuts
head -c $((size - 1)) "$data" >"$WORK/cut"
run "$KTAP" script -i "$WORK/cut"
# RECORDING_CUT
like "cut: where, and why" "$err" \
	"^ktap: '$WORK/cut' is cut at byte [0-9]+ \\([a-z ]+\\): this is what comes before\$"
is "cut in the last section: every record is there" "$out" "$(cat "$text")"
head -c $((size * 3 / 4)) "$data" >"$WORK/cut"
check "cut later: more of it is there" [ \
	"$("$KTAP" script -i "$WORK/cut" 2>/dev/null | wc -l)" -gt 10 ]

# Cut while it is read, by somebody else: script waits for its reader then.
(
	"$KTAP" script -i "$WORK/big" 2>"$WORK/err"
	echo $? >"$WORK/status"
) | (
	read -r line
	: >"$WORK/big"
	echo "$line"
	cat
) >"$WORK/out"
is "cut while it is read: status" "$(cat "$WORK/status")" 1
is "cut while it is read: message" "$(cat "$WORK/err")" \
	"ktap: a file became shorter while it was read"
check "cut while it is read: what came before is shown" \
	grep -q ': vfs_read: ' "$WORK/out"

# --- damaged

# flip N: another byte there. A failure, and never more than the whole shows.
flip()
{
	local byte

	byte=$(od -An -tu1 -j "$1" -N 1 "$data")
	cp "$data" "$WORK/flip"
	printf '%b' "\\x$(printf %x $((byte ^ 0x41)))" |
		dd of="$WORK/flip" bs=1 seek="$1" conv=notrunc 2>/dev/null
	run "$KTAP" script -i "$WORK/flip"
	[ "$status" = 1 ] && [ "$(grep -c '^ktap: ' <<<"$err")" = 1 ] && return
	printf '%s\n' "byte $1: status $status" "$err"
	return 1
}

flips()
{
	local n step=$((size / 60 + 1))

	for ((n = 0; n < size; n += step)); do
		flip "$n" || return
	done
}
check "one byte changed: a failure that is told" flips

# RECORDING_DAMAGED
cp "$data" "$WORK/damaged"
check "a record of nonsense is made" \
	gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$TOP/include/uapi" \
	-I"$TOP/user" -o "$WORK/damage" "$E2E/prog/damage.c" -lxxhash
check "and put in" "$WORK/damage" "$WORK/damaged"
run "$KTAP" script -i "$WORK/damaged"
is "a record of nonsense: status" "$status" 1
like "a record of nonsense: message" "$err" \
	"^ktap: '$WORK/damaged' is damaged in [1-9] place\\(s\\): records are missing there\$"
check "a record of nonsense: some of the others are shown" \
	[ "$(wc -l <<<"$out")" -gt 0 ]

# --- what is no recording

run "$KTAP" script -i "$E2E/recording.t"
is "no recording: status" "$status,$out" "1,"
is "no recording: one line" "$(wc -l <<<"$err")" 1
head -c 3000 /dev/zero >"$WORK/zero"
run "$KTAP" script -i "$WORK/zero"
is "zeros: status" "$status,$out" "1,"
run "$KTAP" script -i "$WORK"
is "a directory: status" "$status,$out" "1,"
run "$KTAP" script -i "$WORK/none"
is "missing: status" "$status,$out" "1,"
like "missing: one line" "$err" '^ktap: .*No such file or directory$'
(cd "$WORK" && run "$KTAP" script && true
[ "$status" = 1 ])
is "without -i it is ktap.data" $? 0

# --- the module is not here

if [ ! -e /sys/module/ktap ]; then
	run "$KTAP" list
	is "no module: status" "$status,$out" "1,"
	like "no module: message" "$err" '^ktap: the ktap module is not loaded'
else
	skip "no module" "this machine has it loaded"
fi
finish
