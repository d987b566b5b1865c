#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The cache of test kernels: what scripts/kernels lists and drops, in a made one; and
# that a build root needs no root, in one of busybox.
#
# shellcheck disable=SC2317 # 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

export KTAP_CACHE=$WORK/cache
K=$KTAP_CACHE/kernels
KEY=0123456789abcdef

# kernel DIR: as if it had been fetched or built
kernel()
{
	mkdir -p "$K/$1"
	echo 1.2.3 | tee "$K/$1/release" >"$K/$1/version"
	echo x86_64 >"$K/$1/arch"
	head -c 3M /dev/zero >"$K/$1/image"
}

# what is in the cache
cached()
{
	(cd "$KTAP_CACHE" && echo kernels/* roots/* | sed 's/ [^ ]*\*//g')
}

kernels()
{
	run "$TOP/scripts/kernels" "$@"
}

for name in debian-6.1 debian-7 debian-7-arm64 "bare-$KEY" "bare-$KEY.partial" \
	"bare-uprobes-$KEY"; do
	kernel "$name"
done
mkdir -p "$KTAP_CACHE/roots/trixie/usr"
echo key >"$KTAP_CACHE/roots/trixie/.key"
head -c 5M /dev/zero >"$KTAP_CACHE/roots/trixie/usr/cc"

kernels list
like "list: a kernel, with its size" "$out" '^debian-7 +3\.[01]M +1\.2\.3'
like "list: one that is not cached" "$out" '^debian-5\.10 +- +not cached'
like "list: the build root, with its size" "$out" '^\(trixie\) +5\.[01]M +build root'
names=$(awk 'NR > 1 && !/^\(/ { print $1 }' <<<"$out")
kernels names
is "names: those of the list" "$status $out" "0 $names"
kernels names bare
like "names: with a word" "$status $err" '^2 .*names takes no arguments'
kernels drop debian-7
is "drop: passes" "$status" 0
like "drop: says how much" "$err" 'dropping debian-7, 3\.[01]M'
is "drop: takes that one, and no root that another needs" "$(cached)" \
	"kernels/bare-$KEY kernels/bare-$KEY.partial kernels/bare-uprobes-$KEY kernels/debian-6.1 kernels/debian-7-arm64 roots/trixie"
kernels drop debian-7-arm64
like "drop: the last one that needs the root takes it along" "$err" \
	'dropping the build root of trixie, 5\.[01]M'
is "drop: root and all" "$(cached)" \
	"kernels/bare-$KEY kernels/bare-$KEY.partial kernels/bare-uprobes-$KEY kernels/debian-6.1"
kernels drop bare
is "drop: a built one, of all configurations" "$(cached)" \
	"kernels/bare-uprobes-$KEY kernels/debian-6.1"
kernels drop bare
is "drop: what is not there: passes" "$status" 0
like "drop: what is not there: says so" "$err" 'bare is not cached'
kernels drop debian-9
is "drop: no such kernel: status 2" "$status" 2
like "drop: no such kernel: says which there are" "$err" "no kernel 'debian-9': there are debian-5.10"
kernels drop
is "drop: no name: status 2" "$status" 2
kernels drop ../kernels
is "drop: a path: status 2" "$status" 2
kernels drop debian-6.1 bare
is "drop: two names: status 2" "$status" 2
is "drop: nothing else is gone" "$(cached)" "kernels/bare-uprobes-$KEY kernels/debian-6.1"

kernels get debug --debuginfo
like "get: debug information that is not built: says so" "$status $err" \
	'^1 .*debug is built without DWARF'

# --- what a machine boots

# bzimage FILE PAYLOAD: a file as Documentation/arch/x86/boot.rst has it: two sectors of
# set-up, 100 bytes, PAYLOAD, and the word that is its size without compression
bzimage()
{
	local length

	length=$(($(stat -c %s "$2") + 4))
	{
		head -c $((0x1f1)) /dev/zero
		printf '\001'
		head -c $((0x248 - 0x1f2)) /dev/zero
		printf '\144\0\0\0'
		# shellcheck disable=SC2059 # its bytes
		printf "$(printf '\\%03o' $((length & 255)) $((length >> 8 & 255)) $((length >> 16)) 0)"
		head -c $((1024 + 100 - 0x250)) /dev/zero
		cat "$2"
		printf 'size and more'
	} >"$1"
}

image=$K/debian-6.1/image
head -c 300000 "$BASH" >"$WORK/elf"
echo CONFIG_PVH=y >"$K/debian-6.1/config"
for tool in zstd lz4; do
	if ! command -v $tool >/dev/null; then
		skip "boot: an image of $tool" "no $tool"
		continue
	fi
	rm -f "$K/debian-6.1/boot"
	$tool -q -c "$WORK/elf" >"$WORK/payload"
	[ $tool != lz4 ] || lz4 -q -l -c "$WORK/elf" >"$WORK/payload"
	bzimage "$image" "$WORK/payload"
	kernels path debian-6.1 boot
	is "boot: an image of $tool: $err" "$status,$out" "0,$K/debian-6.1/boot"
	check "boot: what is in an image of $tool" cmp "$WORK/elf" "$out"
done
rm -f "$K/debian-6.1/boot"
echo "not compressed" >"$WORK/payload"
bzimage "$image" "$WORK/payload"
kernels path debian-6.1 boot
is "boot: an image of something else" "$status,$out,$err" \
	"1,,scripts/kernels: cannot unpack $K/debian-6.1/image: 6e6f7420 at 1124 is not of zstd, lz4 or xz"
{ printf '\050\265\057\375'; head -c 500 /dev/zero; } >"$WORK/payload"
bzimage "$image" "$WORK/payload"
kernels path debian-6.1 boot
is "boot: an image that is damaged" "$status,$out,$(tail -n 1 <<<"$err"),$(ls "$K/debian-6.1")" \
	"1,,scripts/kernels: cannot unpack $K/debian-6.1/image with zstd,arch
config
image
release
version"
echo "# CONFIG_PVH is not set" >"$K/debian-6.1/config"
kernels path debian-6.1 boot
is "boot: the image, where the kernel has no PVH" "$status,$out" "0,$image"
rm "$K/debian-6.1/config"

# --- a build root, as somebody who is not root

ROOT=$KTAP_CACHE/roots/made
mkdir -p "$ROOT/bin" "$ROOT"/{proc,dev,tmp,usr}
echo key >"$ROOT/.key"
cp "$(command -v busybox)" "$ROOT/bin/"
for tool in sh env id cat; do
	ln -s busybox "$ROOT/bin/$tool"
done
cat >"$WORK/inside" <<END
PROG=kernels.t
. "$TOP/scripts/lib.sh"
. "$TOP/scripts/lib-root.sh"
root_run made "\$@"
END
as_nobody=()
if [ "$(id -u)" = 0 ]; then
	as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	chmod 755 "$WORK"
	chown -R 65534:65534 "$KTAP_CACHE"
fi
# KTAP_TOP is mounted there, if it can be seen
if "${as_nobody[@]}" test -r "$TOP/scripts/lib-root.sh" && "${as_nobody[@]}" unshare -rm true; then
	inside()
	{
		run env -C "$TOP" "${as_nobody[@]}" bash "$WORK/inside" "$@"
	}
	# shellcheck disable=SC2016 # the shell in there expands it
	inside sh -c 'id -u; cat /proc/self/comm; echo "$PWD"; cat VERSION'
	is "a build root needs no root: $err" "$status" 0
	is "a build root: /proc, the same directory, this tree" "$out" "0
cat
$TOP
$(cat "$TOP/VERSION")"
	inside sh -c 'exit 7'
	is "a build root: the command's exit status" "$status" 7
	check "a build root: nothing stays mounted" \
		[ -z "$(grep -F "$ROOT" /proc/self/mounts)" ]
else
	skip "a build root needs no root" "no user namespaces for others, or they cannot read $TOP"
fi
rm "$ROOT/.key"
run env -C "$TOP" bash "$WORK/inside" true
like "no build root: says what to do" "$err" 'no build root .*made: run scripts/kernels get'
finish
