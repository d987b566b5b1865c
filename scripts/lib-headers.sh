# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Debian's header packages, unpacked in a directory: the changes that they need, and
# the arguments of make. Sourced after lib-root.sh.

# Headers name each other by absolute paths below /usr/src.
relocate_headers()
{
	local root=$1 release=$2 makefile common link

	makefile=$root/usr/src/linux-headers-$release/Makefile
	common=$(sed -n 's|^include /usr/src/\(.*\)/Makefile$|\1|p' "$makefile")
	[ -n "$common" ] ||
		die "cannot relocate $makefile: it no longer includes /usr/src/…/Makefile"
	# shellcheck disable=SC2016 # make expands it
	{
		! grep -q '^KBUILD_OUTPUT=' "$makefile" ||
			echo 'KBUILD_OUTPUT := $(dir $(realpath $(lastword $(MAKEFILE_LIST))))'
		printf 'include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../%s/Makefile\n' \
			"$common"
	} >"$makefile.new"
	mv "$makefile.new" "$makefile"
	for link in build source; do
		ln -sfn "../../../src/$(basename "$(readlink \
			"$root/lib/modules/$release/$link")")" \
			"$root/lib/modules/$release/$link"
	done
}

# headers_make NAME ARCH ARGUMENT...: make, for a kernel that is called NAME here, or
# has that release. Replaces the shell.
headers_make()
{
	local name=$1 arch=$2 cross='' root llvm
	local -a args=(--no-print-directory)

	shift 2
	if [ "$arch" = arm64 ]; then
		cross=aarch64-linux-gnu-
		args+=(ARCH=arm64 CROSS_COMPILE="$cross")
	fi
	# Their headers name gcc-10, which only bullseye has.
	case $name in
	debian-5.10* | 5.10.* | *.deb11.*) args+=(CC="${cross}gcc") ;;
	esac
	llvm=$(sed -n 's/^# llvm: *//p' "$KTAP_TOP/scripts/configs/$name.config" 2>/dev/null || true)
	if [ -n "$llvm" ]; then
		args+=(LLVM="$llvm")
	else
		# kbuild runs nm for each object. By itself nm loads all that the machine
		# has of libLLVM then, which takes ten times as long as its work.
		args+=(NM="${cross}nm --plugin $("${cross}gcc" -print-file-name=liblto_plugin.so)")
	fi
	root=$(root_of "$name")
	if [ -n "$root" ]; then
		# Keeps make from reporting each time that the root has no pahole.
		args+=(PAHOLE_VERSION='' CONFIG_PAHOLE_VERSION='')
		root_run "$root" make "${args[@]}" "$@"
	fi
	exec make "${args[@]}" "$@"
}
