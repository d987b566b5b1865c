#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# $ustack: stacks of a program without frame pointers, compared with those that it takes
# itself. Kernels that cannot look up mappings at a hit say so.

. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# id_of FILE: its build-id, as a path below .build-id
id_of()
{
	readelf -n "$1" | sed -n 's,^ *Build ID: \(..\)\(.*\),\1/\2.debug,p'
}

# users DESCRIPTION OPTION...: the recording of the stripped program, read here
users()
{
	local description=$1

	shift
	check "$kernel: $description: as addr2line says" "$E2E/report/users" "$KTAP" \
		"${prefix}addr2line" "${prefix}readelf" "$named" "$bare" "$@"
}

# serve DIR: a debuginfod server at 127.0.0.1; sets URL and SERVER
serve()
{
	/usr/bin/python3 -u -m http.server --bind 127.0.0.1 --directory "$1" 0 >"$WORK/served" 2>&1 &
	SERVER=$!
	URL=
	while [ -z "$URL" ] && kill -0 $SERVER; do
		sleep 0.1
		URL=$(sed -n 's,.*(\(http://[^/]*\)/).*,\1,p' "$WORK/served")
	done
}

# What the recording of a stripped program lacks is found on another machine.
read_here()
{
	local id bare=$WORK/bare.data prefix=

	! is_arm64 "$kernel" || prefix=aarch64-linux-gnu-
	mkdir -p "$WORK/root/lib/empty" "$WORK/served.d" && cp "$named" "$WORK/root/lib/other-name" &&
		cp "${named}_bare" "$WORK/root/lib/" && ln -sfn / "$WORK/root/lib/link" || return
	users "files below a directory" --root "$WORK/root"
	users "and inlined functions" --root "$WORK/root" --inline
	like "$kernel: report: by name" \
		"$("$KTAP" report --folded --by ustack --root "$WORK/root" --inline "$bare")" \
		'second \[ustack_bare\];leave \[ustack_bare\];mid \[ustack_bare\];.*;between \(inlined\);leaf \[ustack_bare\]'
	like "$kernel: of a pipe" "$("$KTAP" script --root "$WORK/root" - < <(cat "$bare"))" \
		'^	second\+0x[0-9a-f]+ \[ustack_bare\]$'
	cp "$named.debug" "$WORK/root/lib/other-name"
	"${binutils}strip" -g -o "$WORK/root/lib/a-copy" "$named" || return
	users "a debug file" --root "$WORK/root" --inline

	id=$(id_of "$named")
	mkdir -p "$WORK/served.d/buildid/$(tr -d / <<<"${id%.debug}")"
	cp "$named.debug" "$WORK/served.d/buildid/$(tr -d / <<<"${id%.debug}")/debuginfo"
	serve "$WORK/served.d"
	DEBUGINFOD_URLS=$URL DEBUGINFOD_CACHE_PATH=$WORK/cache \
		users "a debuginfod server" --inline
	rm "$WORK/root/lib/other-name" "$WORK/root/lib/a-copy"
	DEBUGINFOD_URLS=$URL DEBUGINFOD_CACHE_PATH=$WORK/cache2 \
		users "a stripped file in a directory does not hide a server's" \
		--root "$WORK/root" --inline
	kill $SERVER
	run "$KTAP" script --root "$WORK/root/lib/empty" "$bare"
	is "$kernel: nothing there: status" "$status" 0
	like "$kernel: nothing there" "$out" '^	\[ustack_bare\+0x[0-9a-f]+\]$'
	run "$KTAP" script --root "$WORK/nowhere" "$bare"
	is "$kernel: no directory: status" "$status" 1
	like "$kernel: no directory" "$err" "cannot read the directory '.*/nowhere': No such file"
}

for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64); do
	binutils=
	! is_arm64 "$kernel" || binutils=aarch64-linux-gnu-
	named=$(program ustack "$kernel" -g -Wl,--build-id) || continue
	"${binutils}strip" -o "${named}_bare" "$named" || continue
	"${binutils}objcopy" --only-keep-debug "$named" "$named.debug" || continue
	guest "$kernel" --smp 2 --add "$named" --add "${named}_bare" --add "$named.debug" \
		--add "$(program remap "$kernel")" --get "/tmp/bare.data:$WORK/bare.data" \
		-- ustack.guest "$(id_of "$named")"
	read_here
done
for kernel in $(kernels debian-6.1 debian-6.12 debian-7 debian-6.12-arm64); do
	guest "$kernel" --smp 2 --add "$(program utrail "$kernel")" -- utrail.guest
done
for kernel in $(kernels debian-6.1 debian-6.12 debian-6.12-arm64); do
	named=$(program ustack "$kernel") || continue
	guest "$kernel" --add "$named" --add "${named}_bare" --add "$(program files "$kernel")" \
		--add "$(program fp "$kernel" -fno-omit-frame-pointer -fno-unwind-tables \
			-fno-asynchronous-unwind-tables)" -- ufiles.guest
done
for kernel in $(kernels debian-6.12); do
	check "$kernel: a program of C++ is built" g++ -O1 -Wall -Wextra -Werror -static \
		-o "$WORK/shown" "$E2E/prog/shown.cc" || continue
	guest "$kernel" --add "$WORK/shown" -- ushown.guest
done
for kernel in $(kernels debian-5.10); do
	guest "$kernel" -- ustack-none.guest
done
finish
