#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The objects that one checkout leaves for the next: what is compiled there, and that it
# gets the same modules as a checkout that compiles all; and when kbuild need not run at
# all. With the modules that tests probe.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

KERNEL=debug

# the cache of this machine, with objects of its own
REAL=${KTAP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ktap}
export KTAP_CACHE=$WORK/cache
mkdir -p "$KTAP_CACHE"
for dir in "$REAL"/*; do
	[ "${dir##*/}" = objects ] || ln -s "$dir" "$KTAP_CACHE/"
done

# tree NAME: another checkout
tree()
{
	mkdir "$WORK/$1"
	(cd "$TOP" && git ls-files -z kmod kunit include scripts Makefile VERSION user |
		xargs -0 cp --parents -t "$WORK/$1")
}

# built NAME [NAME=VALUE...]: what is compiled there, in $out; objects of modules that
# modpost makes are not counted
built()
{
	local tree=$1

	shift
	run make -C "$WORK/$tree" target-module KERNEL="$KERNEL" "$@"
	out=$(sed -n 's/.*CC \[M\] .*\/\([^/]*\)\.o$/\1/p' <<<"$out" | grep -v '^\.\|\.mod$' |
		sort | paste -sd ' ')
}

# code NAME: of all modules
code()
{
	local ko

	for ko in "$WORK/$1/build/target/$KERNEL"/*.ko; do
		echo "${ko##*/}"
		objdump -d -r "$ko" | tail -n +4
		# KASAN's names are in no order, and the kernel's WARN has names of files
		readelf -p .modinfo -p .rodata.str1.1 -p .rodata.str1.8 "$ko" 2>&1 |
			sed "s|$WORK/[a-z]*/||; s|^  \[ *[0-9a-f]*\]||; /^File:/d" | sort
	done
}

# lame NAME: a new checkout of that name, and an archive without an object that kbuild
# makes again if it runs
lame()
{
	rm -rf "${WORK:?}/$1" "$WORK/lame"
	tree "$1"
	mkdir "$WORK/lame"
	tar -xf "$KTAP_CACHE"/objects/* -C "$WORK/lame" && rm -f "$WORK/lame/${OBJECT##*/}" &&
		tar -C "$WORK/lame" -cf "$(echo "$KTAP_CACHE"/objects/*)" .
}

archives()
{
	find "$KTAP_CACHE/objects" -type f | wc -l
}

ALL="ktap_image ktap_stack ktap_target ktap_torture ktap_walks"
MOD=user/tests/e2e/mod

for name in one two three four; do
	tree "$name"
done
built one
is "the first checkout compiles all" "$out" "$ALL"
built two
is "the next one nothing" "$status:$out" "0:"
is "and its modules are the same" "$(code two | cksum)" "$(code one | cksum)"
is "one archive is kept" "$(archives)" 1

OBJECT=$WORK/two/build/target/$KERNEL/ktap_stack.o
lame two
built two
check "the same modules: kbuild does not run" [ ! -e "$OBJECT" ]
is "and they are there" "$(code two | cksum)" "$(code one | cksum)"
lame two
echo 'another' >"$WORK/two/VERSION"
built two
check "another version: it runs" [ -e "$OBJECT" ]
lame two
echo '# changed' >>"$WORK/two/scripts/kbuild"
built two
check "another way to build: it runs" [ -e "$OBJECT" ]
lame two
built two KBUILD_MODPOST_WARN=1
check "a variable of make: it runs" [ -e "$OBJECT" ]
lame two
KCPPFLAGS=-DOTHER built two
check "a variable of the environment: it runs" [ -e "$OBJECT" ]
lame two
echo '/* longer */' >>"$WORK/two/$MOD/ktap_stack.c"
built two
check "another source: it runs" [ -e "$OBJECT" ]
rm -rf "$WORK/two"
tree two
built two

# kbuild makes an object that is missing, if it runs
rm "$OBJECT"
built two
is "nothing has changed: passes" "$status:$out" "0:"
check "nothing has changed: kbuild does not run" [ ! -e "$OBJECT" ]
touch "$WORK/two/$MOD/ktap_target.c"
built two
check "a source was written: it runs" [ -e "$OBJECT" ]
rm "$OBJECT" "${OBJECT%.o}.ko"
built two
check "a module was removed: it runs" [ -e "${OBJECT%.o}.ko" ]
rm "$OBJECT"
cp "$WORK/two/build/target/$KERNEL/ktap_target.ko" "${OBJECT%.o}.ko"
built two
is "a module was replaced: it runs" "$(code two | cksum)" "$(code one | cksum)"
echo '#error "not this one"' >"$WORK/two/$MOD/ktap_more.c"
sed -i 's/ktap_stack\.o/& ktap_more.o/' "$WORK/two/$MOD/Kbuild"
built two
check "a source was added: it runs, and fails" [ "$status" != 0 ]
built two
check "it failed: it runs again" [ "$status" != 0 ]
rm -rf "$WORK/two"
tree two
built two
echo 'static int __maybe_unused one_more;' >>"$WORK/three/$MOD/ktap_stack.c"
built three
is "a source that differs is compiled" "$out" ktap_stack
echo '/* longer */' >>"$WORK/three/kmod/compat.h"
built three
# ktap_walks has it by the sources of kmod/arch/ that it includes
users=$(cd "$TOP/$MOD" && grep -lE '"(compat.h|arch/.*\.c)"' ./*.c | sed 's|.*/||; s/\.c$//' |
	sort | paste -sd ' ')
is "in a tree with objects make decides" "$out" "$users"
echo '#error "not this one"' >>"$WORK/four/kmod/compat.h"
built four
check "a header that differs is read again" [ "$status" != 0 ]
like "with what it says" "$err" 'not this one'
cp "$WORK/one/kmod/compat.h" "$WORK/four/kmod/compat.h"
built four
is "and the tree is mended" "$status" 0
is "with the same modules" "$(code four | cksum)" "$(code one | cksum)"

rm -rf "$WORK/two"
tree two
built two KCFLAGS=-DOTHER
is "other flags have objects of their own" "$out:$(archives)" "$ALL:2"
head -c 100 /dev/urandom | tee "$KTAP_CACHE"/objects/* >/dev/null
rm -rf "$WORK/two"
tree two
built two
is "an archive that is damaged is made again" "$status:$out" "0:$ALL"
is "with the same modules, again" "$(code two | cksum)" "$(code one | cksum)"
run "$TOP/scripts/objects" take debug build/x
is "no such command" "$status" 2
like "it says so" "$err" 'no command take'
finish
