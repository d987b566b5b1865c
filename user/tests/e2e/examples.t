#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The examples of README.md and of the manual pages print what the pages say. The
# commands of all pages run in one boot of debian-6.1 (prompt '# ') or on the host
# (prompt '$ '); examples/pages says how a page marks an example, and what is
# compared.
#
# UPDATE=1 user/tests/e2e/examples.t puts the output of the run into the pages:
# read the difference before you commit it. PAGES="ktap-add.1 ..." keeps to these.

# shellcheck disable=SC2317 # 'check' calls functions
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
KERNEL=debian-6.1
OPTIONS=(--module null_blk) # disks for ktap-recipes(7)
LEAST=3 # examples of a page of a command

# pages: the pages that are compared; not those that only name another (.so)
pages()
{
	local page

	for page in "$TOP/README.md" "$TOP"/Documentation/*.[157]; do
		[[ " ${PAGES:-${page##*/}} " == *" ${page##*/} "* ]] &&
			! grep -q '^\.so ' "$page" && echo "$page"
	done
}

# The program that they trace, for both machines.
build_orders()
{
	(
		cp "$TOP/Documentation/examples/orders.c" "$WORK/here" &&
			cd "$WORK/here" &&
			gcc -g -O1 -no-pie -fno-pie -I"$E2E/examples" \
				-o orders orders.c &&
			aarch64-linux-gnu-gcc -g -O1 -I"$E2E/examples" \
				-o orders-arm64 orders.c
	)
}

# For ktap-module(1): the template and ktap.ko, and in the guest what was made of them here.
give_template()
{
	templates "$KERNEL" "$WORK/here"
}

# And what is read of the directory in which the kernel was built.
give_headers()
{
	local headers to=$WORK/here/kbuild

	headers=$("$TOP/scripts/kernels" path "$KERNEL" headers) || return
	mkdir -p "$to/include" && cp "$headers/Module.symvers" "$to/" &&
		cp -r "$headers/include/config" "$headers/include/generated" "$to/include/"
}

give_modules()
{
	local file

	for file in "$WORK"/here/*.ko; do
		OPTIONS+=(--add "$file")
	done
}

# The debug information of the kernel, for both; it has 590 MB, which the guest reads
# for a minute: there with KTAP_FULL=1 only. An index shortens that.
give_vmlinux()
{
	local path

	path=$("$TOP/scripts/kernels" path "$KERNEL" vmlinux 2>/dev/null) &&
		[ -e "$path" ] && ln -s "$path" "$WORK/here/vmlinux" || return
	[ -n "${KTAP_FULL:-}" ] || return 0
	mkdir -p "$WORK/disk"
	cp -lL "$path" "$WORK/disk/vmlinux" 2>/dev/null ||
		cp -L "$path" "$WORK/disk/vmlinux" || return
	XDG_CACHE_HOME=$WORK/disk "$KTAP" index -q -k "$path" >/dev/null &&
		OPTIONS+=(--mem 1024 --disk "$WORK/disk")
}

# Without the debug information in the guest, its commands that read it do not run.
leave_out()
{
	local command

	[ -z "${KTAP_FULL:-}" ] || return 0
	for command in "$WORK"/guest/*; do
		grep -qs vmlinux "$command" || continue
		skip "${command##*/}: $(cat "$command")" "without KTAP_FULL=1"
		mkdir -p "$WORK/out"
		mv "$command" "$WORK/out/${command##*/}.skipped"
	done
}

on_host()
{
	local command

	mkdir -p "$WORK/host" "$WORK/out"
	for command in "$WORK"/host/*; do
		[ -e "$command" ] || return 0
		(cd "$WORK/here" && PATH=${KTAP%/*}:$PATH HOME=/home/me \
			XDG_CACHE_HOME=$WORK/cache bash "$command" \
			>"$WORK/out/${command##*/}" 2>&1 </dev/null)
		sed -i "s|$WORK/here|/home/me|g; s|$WORK/cache|/home/me/.cache|g" \
			"$WORK/out/${command##*/}"
	done
}

mkdir "$WORK/here" "$WORK/guest"
mapfile -t PAGE < <(pages)
check "orders.c compiles" build_orders
check "the debug information of $KERNEL is there" give_vmlinux
check "the template of probe modules is built" give_template
check "the headers of $KERNEL are there" give_headers
"$E2E/examples/pages" write "$WORK" "${PAGE[@]}" >"$WORK/counts" || exit 1
leave_out
on_host
give_modules
guest "$KERNEL" "${OPTIONS[@]}" --timeout 900 --add "$WORK/guest" \
	--add "$WORK/here/orders" --add "$WORK/here/orders.c" \
	--get /root/out.tar:"$WORK/out.tar" -- examples.guest
tar xf "$WORK/out.tar" -C "$WORK"
while read -r count page; do
	case $page in
	*/ktap-*.1)
		check "${page##*/}: has $LEAST examples" [ "$count" -ge $LEAST ] ;;
	esac
	[ -z "${UPDATE:-}" ] || "$E2E/examples/pages" update "$WORK" "$page"
	check "${page##*/}: the examples print this" \
		"$E2E/examples/pages" compare "$WORK" "$page"
done <"$WORK/counts"
finish
