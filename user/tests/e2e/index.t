#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 'ktap index', and that all is found with an index that is found without: in the
# kernel's debug information, of which a sample is drawn, and in a program's. On the
# host alone. KTAP_FULL=1 draws more.

. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
SAME=$(dirname "$KTAP")/index-same
SEED=${KTAP_SEED:-1}
VMLINUX=$("$TOP/scripts/kernels" path debian-6.1 vmlinux 2>/dev/null)
# from here on the kernels are not found
export XDG_CACHE_HOME=$WORK/cache
unset KTAP_INDEX

# both WORD...: 'ktap add -n WORD...', without the index and with it
both()
{
	KTAP_INDEX=off run "$KTAP" add -n --format=kprobe_events "$@"
	without=$status,$out,$err
	run "$KTAP" add -n --format=kprobe_events "$@"
	is "the same: ${*: -1}" "$status,$out,$err" "$without"
}

the_vmlinux()
{
	local nr=8

	[ -z "${KTAP_FULL:-}" ] || nr=100
	run "$KTAP" index -k "$1" --json
	like "the index of a vmlinux" "$status,$out" \
		"^0,\\{\"v\":1,\"path\":\"$WORK/cache/ktap/index/[0-9a-f]{40}\",\"size\":[0-9]+,\"units\":[0-9]+,\"names\":[0-9]+\\}\$"
	check "it has 10 MB at most" [ "$(du -m "$WORK/cache" | tail -n 1 | cut -f 1)" -le 10 ]
	check "a sample is the same" "$SAME" "$1" "$SEED" "$nr"
	both -k "$1" kmalloc
	both -k "$1" include/linux/slab.h:644
	both -k "$1" vfs_read:12
}

the_program()
{
	run "$KTAP" index -x "$KTAP"
	like "the index of a program" "$status,$out" \
		"^0,$WORK/cache/ktap/index/[0-9a-f]{40}: [0-9]+ bytes, [0-9]+ units, [0-9]+ names\$"
	check "all of a sample is the same" "$SAME" "$KTAP" "$SEED" 100
	both -x "$KTAP" main argc
	both -x "$KTAP" buf_puts:1
	both -x "$KTAP" user/dwarf/index/read.c:1
}

"$TOP/scripts/make" "${SAME#"$TOP"/}" || exit 1
if [ -e "$VMLINUX" ]; then
	the_vmlinux "$VMLINUX"
else
	skip "the index of a vmlinux" "its debug information is not there"
fi
the_program

# EXTRA_WORD, OPTION_CONFLICT, and what the library refuses
run "$KTAP" index main
is "a word" "$status,$err" "2,ktap: unexpected word 'main'"
run "$KTAP" index -x "$KTAP" -k "$KTAP"
is "a program and a kernel" "$status,$err" \
	"2,ktap: options '-x' and '-k' exclude each other"
chmod g+w "$WORK/cache/ktap"
run "$KTAP" index -x "$KTAP"
is "a directory that others write to" "$status,$err" \
	"1,ktap: '$WORK/cache/ktap/index' is not of this user alone: no index is written there
  set XDG_CACHE_HOME to a directory of your own"
finish
