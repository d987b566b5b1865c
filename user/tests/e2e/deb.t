#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian packages. Their versions are in the order of time. With KTAP_FULL=1, as root:
# 'make deb' builds four that lintian finds no error in; they are installed in a clean
# chroot, used, removed and purged, and nothing is left of them; dkms builds the module
# there for two kernels; the chroot, on a disk, boots with each of them, defines the
# events of a bundle, and records: deb.guest.
#
# shellcheck disable=SC2086,SC2154,SC2317 # PACKAGES is a list; 'run' sets variables, 'check' calls functions

. "${BASH_SOURCE[0]%/*}/lib.sh"

PACKAGES="ktap ktap-dkms ktap-target libktap-dev"
DEBS=$TOP/build/deb
ROOT=$WORK/root
# Image and headers of the first are the release's own.
KERNELS_THERE="linux-image-cloud-amd64 linux-headers-cloud-amd64
	linux-image-6.12-cloud-amd64 linux-headers-6.12-cloud-amd64"

# --- versions

REPO=$WORK/repo

# commit TIME
commit()
{
	git -C "$REPO" add -A
	GIT_COMMITTER_DATE=$1 GIT_AUTHOR_DATE=$1 git -C "$REPO" -c user.name=me \
		-c user.email=me@example.org commit -q --allow-empty -m "at $1"
}

tag()
{
	git -C "$REPO" -c user.name=me -c user.email=me@example.org tag -a -m "$1" "$1"
}

version()
{
	env -u DEBEMAIL "$REPO/scripts/deb" --version
}

abbreviated()
{
	git -C "$REPO" rev-parse --short HEAD
}

# in_order VERSION...: each is lower than the next one
in_order()
{
	while [ $# -gt 1 ]; do
		dpkg --compare-versions "$1" lt "$2" || { echo "$1 is not below $2"; return 1; }
		shift
	done
}

mkdir -p "$REPO/scripts"
cp "$TOP"/scripts/{deb,lib.sh} "$REPO/scripts/"
echo 0.2 >"$REPO/VERSION"
is "version: without git it is VERSION" "$(version)" 0.2
git -C "$REPO" init -q
commit 2026-01-02T03:04:05Z
first=$(version)
is "version: without a tag it is before VERSION" "$first" "0.2~git20260102.030405.$(abbreviated)"
echo '#' >>"$REPO/scripts/lib.sh"
is "version: of changed files" "$(version)" "$first+dirty"
commit 2026-01-02T03:04:06+01:00
earlier=$(version)
is "version: the time is UTC" "$earlier" "0.2~git20260102.020406.$(abbreviated)"
tag v0.2-rc1
candidate=$(version)
is "version: of a candidate" "$candidate" '0.2~rc1'
commit 2026-01-03T00:00:00Z
tag v0.2
is "version: of a tag" "$(version)" 0.2
commit 2026-01-04T00:00:00Z
after=$(version)
is "version: after a tag" "$after" "0.2+1.$(abbreviated)"
check "version: they are in the order of time" \
	in_order "$earlier" "$first" "$first+dirty" "$candidate" 0.2 "$after" 0.3
git -C "$REPO" tag -d v0.2 v0.2-rc1 >"$WORK/tags"
tag 3_x
run version
is "version: one that Debian does not allow: status 1" "$status" 1
like "version: says what to do" "$err" "'3_x.*' is no version of a Debian package: change the tag"
rm -rf "$REPO/.git"
run env -u DEBEMAIL "$REPO/scripts/deb"
like "no git and no DEBEMAIL: says what to do" "$err" 'set DEBFULLNAME and DEBEMAIL'
run env ARCH_TARGET=arm64 "$REPO/scripts/deb"
like "another architecture: says what to do" "$err" 'packages for arm64 are built on such a machine'
run "$REPO/scripts/deb" --nonsense
is "scripts/deb: an unknown option: status 2" "$status" 2

if [ -z "${KTAP_FULL:-}" ]; then
	skip "the packages" "it takes many minutes: KTAP_FULL=1"
	finish
fi
if [ "$(id -u)" != 0 ]; then
	skip "the packages" "a chroot needs root"
	finish
fi

# --- what is built

make_deb()
{
	make -s -C "$TOP" deb
}

# deb PACKAGE: its file
deb()
{
	echo "$DEBS/$1"_*.deb
}

# has PACKAGE FILE
has()
{
	[ -s "$WORK/$1.list" ] ||
		dpkg-deb --fsys-tarfile "$(deb "$1")" | tar -t >"$WORK/$1.list"
	grep -qxF "./$2" "$WORK/$1.list"
}

# owners FILE: how many of the packages have it
owners()
{
	local package n=0

	for package in $PACKAGES; do
		! has "$package" "$1" || n=$((n + 1))
	done
	echo "$n"
}

VERSION=$("$TOP/scripts/deb" --version)
check "make deb: succeeds" make_deb
is "make deb: the packages" "$(cd "$DEBS" && printf '%s\n' *.deb | sed 's/_.*//' | LC_ALL=C sort | paste -sd' ')" \
	"$PACKAGES"
for package in $PACKAGES; do
	is "$package: the version" "$(dpkg-deb -f "$(deb "$package")" Version)" "$VERSION"
	check "$package: has the license" has "$package" "usr/share/doc/$package/copyright"
done
run lintian --allow-root --tag-display-limit 0 --fail-on error,warning "$DEBS"/*.changes
is "lintian: no error and no warning: $out" "$status" 0
for file in usr/bin/ktap usr/share/zsh/vendor-completions/_ktap lib/systemd/system/ktap.service \
	usr/share/bash-completion/completions/ktap lib/udev/rules.d/60-ktap.rules \
	usr/lib/sysusers.d/ktap.conf etc/ktap/ usr/share/ktap/ktap-json.schema.json; do
	check "ktap: has $file" has ktap "$file"
done
for page in "$TOP"/Documentation/*.[1-9]; do
	is "one package has ${page##*/}" \
		"$(owners "usr/share/man/man${page##*.}/${page##*/}.gz")" 1
done
check "ktap-dkms: has the module" has ktap-dkms "usr/src/ktap-$VERSION/kmod/Kbuild"
check "ktap-dkms: has dkms.conf" has ktap-dkms "usr/src/ktap-$VERSION/dkms.conf"
check "ktap-target: has the command" has ktap-target usr/bin/ktap-target
is "ktap-target: needs no package" "$(dpkg-deb -f "$(deb ktap-target)" Depends)" ""
check "libktap-dev: has the library" has libktap-dev "usr/lib/$(gcc -print-multiarch)/libktap.a"

# --- a clean chroot

inside()
{
	"$TOP/scripts/chroot" run "$ROOT" "$@"
}

# Of all packages, as one list.
dependencies()
{
	local package depends

	for package in $PACKAGES; do
		depends=$(dpkg-deb -f "$(deb "$package")" Depends)
		[ -z "$depends" ] || echo "$depends"
	done | paste -sd,
}

# What else the machine has: kernels, for which no initramfs is made, and systemd.
prepare()
{
	inside apt-get satisfy -y -qq --no-install-recommends "$(dependencies)" || return
	inside env INITRD=No apt-get install -y -qq --no-install-recommends \
		systemd-sysv udev gcc libc6-dev pkgconf $KERNELS_THERE
}

# Files that packages make, and not what apt and dpkg remember.
files()
{
	(cd "$ROOT" && find . -xdev \( -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt \
		-o -path ./var/lib/dpkg -o -path ./root -o -path ./tmp \) -prune -o \
		-printf '%y %p %l\n' | sort)
	cut -d: -f1 "$ROOT/etc/group"
}

# The kernels, the older one first.
releases()
{
	(cd "$ROOT/lib/modules" && printf '%s\n' [0-9]* | sort -V)
}

# Nothing is mounted and nothing runs when it was ended.
ends_cleanly()
{
	local pid

	"$TOP/scripts/chroot" run "$ROOT" sh -c 'touch /tmp/began; sleep 9753 & sleep 9753' &
	pid=$!
	until [ -e "$ROOT/tmp/began" ]; do
		sleep 0.1
	done
	kill -"$1" "$pid"
	wait "$pid"
	rm "$ROOT/tmp/began"
	for _ in $(seq 50); do
		pgrep -fx 'sleep 9753' || break
		sleep 0.1
	done
	! pgrep -fx 'sleep 9753' && ! grep -hF " $ROOT/" /proc/[0-9]*/mounts 2>/dev/null
}

# The first is built when the package is installed; the second, whose headers are not
# there yet, when these are.
install_all()
{
	local build=$ROOT/lib/modules/$NEWER/build

	mv "$build" "$build.later" && inside sh -c 'exec dpkg -i /root/*.deb' || return
	mv "$build.later" "$build"
}

# module_of RELEASE: the version of the module that modprobe finds
module_of()
{
	inside modinfo -k "$1" -F version ktap
}

build_example()
{
	# shellcheck disable=SC2016 # the shell in there expands it
	inside sh -c 'cc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -Wno-unused-parameter \
		-o trace /usr/share/doc/libktap-dev/examples/trace.c \
		$(pkg-config --cflags --libs libktap)'
}

# build_orders NAME FLAG
build_orders()
{
	gcc -g "$2" -Wl,--build-id -I"$E2E/examples" -o "$ROOT/root/$1" \
		"$TOP/Documentation/examples/orders.c"
}

# The program, and a bundle of its debug information, which the machine does not have.
prepare_boot()
{
	build_orders orders.debug -O1 && build_orders other.debug -O2 &&
		strip -o "$ROOT/root/orders" "$ROOT/root/orders.debug" &&
		inside ktap bundle -q -o /etc/ktap/orders.ktap \
			-x orders.debug=/root/orders "-x /root/orders price id=order->id" &&
		inside ktap bundle -q -o /root/other.ktap \
			-x other.debug=/root/orders "-x /root/orders price id=order->id" &&
		rm "$ROOT"/root/*.debug &&
		cp "$E2E"/{guest.sh,deb.guest} "$ROOT/root/"
}

# A bundle for the kernel, where the cache has the symbols of that one.
bundle_kernel()
{
	"$TOP/scripts/kernels" get debian-6.1 --debuginfo &&
		"$(host_ktap)" bundle -q -o "$ROOT/root/$1.ktap" \
			-k "$("$TOP/scripts/kernels" path debian-6.1 vmlinux)" 'vfs_read count'
}

# boot RELEASE: without what takes time there, or needs consoles or dbus.
boot()
{
	local kernel=$1 status=0

	ENDED=
	"$TOP/scripts/vm" -k "$kernel" --system "$ROOT" --timeout 1800 \
		--append "systemd.mask=getty-static.service systemd.mask=e2scrub_reap.service" \
		-- sh deb.guest \
		>"$WORK/vm.out" 2>"$WORK/vm.err" || status=$?
	relay "$kernel" <"$WORK/vm.out"
	is "$kernel: deb.guest came to its end" "${ENDED:-no}" 1
	is "$kernel: it boots, shuts down, and does not complain" "$status" 0
	if [ "$status" != 0 ] || [ -z "$ENDED" ]; then
		note "$WORK/vm.err"
	fi
}

check "a clean chroot" "$TOP/scripts/chroot" make "$ROOT"
for signal in TERM KILL; do
	check "a chroot that ends by $signal leaves nothing" ends_cleanly "$signal"
done
check "there: what the packages depend on, and two kernels" prepare
OLDER=$(releases | head -n 1)
NEWER=$(releases | tail -n 1)
is "there: two kernels" "$(releases | grep -c cloud)" 2
cp "$DEBS"/*.deb "$ROOT/root/"
files >"$WORK/before"

check "install: succeeds, with no more packages" install_all
is "install: ktap version" "$(inside ktap version)" "ktap $VERSION"
is "use: ktap add -n" "$(inside ktap add -n 'p:io/rd vfs_read count=%dx:u64')" \
	'p:io/rd vfs_read count=%dx:u64'
is "use: ktap-target add -n" "$(inside ktap-target add -n 'p:io/rd vfs_read count=%dx:u64')" \
	'p:io/rd vfs_read count=%dx:u64'
check "use: the example of libktap-dev compiles" build_example
like "use: the example runs" "$(inside ./trace 2>&1)" '^usage: trace DEFINITION SECONDS'
check "install: the group" grep -q '^ktap:' "$ROOT/etc/group"
check "install: the unit is enabled" [ -L "$ROOT/etc/systemd/system/multi-user.target.wants/ktap.service" ]
is "dkms: a module for $OLDER when the package is installed" "$(module_of "$OLDER")" "$VERSION"
check "dkms: none without headers" [ -z "$(module_of "$NEWER" 2>/dev/null)" ]
check "dkms: what headers run when they are installed" \
	inside /etc/kernel/header_postinst.d/dkms "$NEWER"
is "dkms: a module for $NEWER then" "$(module_of "$NEWER")" "$VERSION"

# --- on a disk

check "a bundle is made by the package" prepare_boot
if [ "$("$TOP/scripts/kernels" path debian-6.1 release 2>/dev/null)" = "$OLDER" ]; then
	check "a bundle for the kernel" bundle_kernel "$OLDER"
else
	skip "a bundle for the kernel" "debian-6.1 of the cache is not $OLDER"
fi
for kernel in "$OLDER" "$NEWER"; do
	boot "$kernel"
done

# --- gone

check "remove: succeeds" inside dpkg --remove $PACKAGES
is "remove: no module is left" "$(find "$ROOT/lib/modules" -name 'ktap*')" ""
check "remove: bundles are left" [ -s "$ROOT/etc/ktap/orders.ktap" ]
rm "$ROOT"/etc/ktap/*.ktap
check "purge: succeeds" inside dpkg --purge $PACKAGES
files >"$WORK/after"
is "purge: nothing is left" "$(diff "$WORK/before" "$WORK/after")" ""
# /etc/group- is the file before the last change
is "purge: nothing names it" "$(grep -rlsw --exclude='*-' ktap "$ROOT"/etc \
	"$ROOT"/lib/modules/*/modules.* "$ROOT"/var/lib/{dkms,systemd})" ""
finish
