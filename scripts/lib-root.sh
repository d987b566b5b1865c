# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Build roots: a newer Debian's compiler and libraries in a directory, for
# kernels whose host programs (modpost, objtool) want a newer C library than this
# machine's. Packages come through the private apt and are only unpacked:
# what builds modules needs nothing configured. Sourced after lib-apt.sh.

ROOTS=$KTAP_CACHE/roots
# Of trixie; gcc-14 is what its kernels' headers name.
ROOT_WANTED=(base-files dash coreutils make sed grep mawk findutils libelf1t64
	libssl3t64 zlib1g gcc-14 gcc-14-aarch64-linux-gnu)

# root_of KERNEL: the Debian whose build root it needs, or nothing. KERNEL is a name
# of a test kernel, or a release.
root_of()
{
	case $1 in
	debian-7* | *+deb13*) echo trixie ;;
	esac
}

# Names that postinst scripts would have made.
root_finish()
{
	local root=$1 tool

	ln -sf mawk "$root/usr/bin/awk"
	for tool in x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc; do
		ln -sf "$tool-14" "$root/usr/bin/$tool"
	done
	ln -sf x86_64-linux-gnu-gcc "$root/usr/bin/gcc"
	mkdir -p "$root"/{proc,dev,tmp}
}

# root_get RELEASE: makes it when it is missing or its list has changed.
root_get()
{
	local release=$1 root=$ROOTS/$1 debs=$KTAP_CACHE/debs/root-$1 pkg list
	local -a packages

	[ "$(cat "$root/.key" 2>/dev/null)" != "${ROOT_WANTED[*]}" ] || return 0
	lock "root-$release"
	[ "$(cat "$root/.key" 2>/dev/null)" != "${ROOT_WANTED[*]}" ] ||
		{ unlock "root-$release"; return 0; }
	need_space "$KTAP_CACHE" 1000 "the build root of $release"
	apt_begin_release "$release"
	list=$(apt_closure "${ROOT_WANTED[@]}") || die "$release has not all of: ${ROOT_WANTED[*]}"
	mapfile -t packages <<<"$list"
	apt_fetch_retry "$debs" "${packages[@]}"
	apt_end
	note "unpacking the build root of $release"
	rm -rf "$root.partial"
	mkdir -p "$root.partial"
	# its links /bin, /lib, ... are to be there before the rest
	for pkg in base-files "${packages[@]}"; do
		dpkg-deb -x "$(deb_of "$debs" "$pkg")" "$root.partial" ||
			die "cannot unpack $pkg: remove $debs and run this again"
	done
	root_finish "$root.partial"
	echo "${ROOT_WANTED[*]}" >"$root.partial/.key"
	rm -rf "$root"
	mv "$root.partial" "$root"
	rm -rf "$debs"
	note "the build root of $release has $(root_size "$release")"
	unlock "root-$release"
}

# root_size RELEASE: as people write it.
root_size()
{
	du -sh "$ROOTS/$1" | cut -f 1
}

# root_run RELEASE COMMAND...: in the build root, in the same directory. There are
# this tree, the kernels and what every program needs; no other process sees them
# mounted. Replaces the shell.
root_run()
{
	local root=$ROOTS/$1
	local -a as=()

	shift
	[ -e "$root/.key" ] || die "no build root $root: run scripts/kernels get"
	[ "$(id -u)" = 0 ] || as=(--map-root-user)
	unshare --mount "${as[@]}" true 2>/dev/null ||
		die "cannot mount in a namespace of its own: be root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)"
	# shellcheck disable=SC2016 # the shell in there expands it
	exec unshare --mount "${as[@]}" sh -ec '
		root=$1 top=$2 kernels=$3
		shift 3
		for dir in /proc /dev /tmp "$top" "$(realpath "$top")" "$kernels" \
				"$(realpath "$kernels")"; do
			mkdir -p "$root$dir"
			mount --rbind "$dir" "$root$dir"
		done
		exec chroot "$root" sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh "$(pwd -P)" "$@"' \
		sh "$root" "$KTAP_TOP" "$KTAP_CACHE/kernels" "$@"
}
