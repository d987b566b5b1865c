#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Bundles with other bytes under a checksum that is right, and bundles that end early: each
# is used or refused, and the kernel does not complain. KTAP_FULL=1: 1000 of each, on debug.

# shellcheck disable=SC2016,SC2317 # definitions; called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
SEED=${KTAP_SEED:-$RANDOM}
COUNT=${KTAP_FORGED:-100}
[ -z "${KTAP_FULL:-}" ] || COUNT=1000

forge()
{
	mkdir -p "$dir/forged"
	gcc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$TOP/user" \
		-o "$dir/forge" "$E2E/bundle/forge.c" -lxxhash &&
		"$dir/forge" "$dir/whole.ktap" "$dir/forged" "$SEED" "$COUNT" "$COUNT"
}

# All kinds of probes, arguments and tables that a bundle has; debug has no debug information.
bundle()
{
	local -a named=()

	[ "$kernel" = debug ] || named=(
		'named=vfs_read count name=file->f_path.dentry->d_name.name:string if count == $param(min)'
		'line=vfs_write:1 $comm $caller')
	"$KTAP" bundle -q -o "$dir/whole.ktap" -k "$image" -x "$dir/parcel=/bin/parcel" \
		--param min=77:u64 "${named[@]}" \
		'reads=vfs_read n=$arg3:u64 if $arg3 == $param(min)' \
		'ended=vfs_read%return value=$retval n=$entry($arg3) if $retval == 77' \
		'written=vfs_write $comm $caller' \
		'stack=vfs_open $kstack' \
		'many=vfs_read hist($arg3) by $comm' \
		'tick=timer:10hz' \
		'watch=mem:jiffies/8:w' \
		'-x /bin/parcel lift=parcel_lift c->label c->weight times lifted' \
		'-x /bin/parcel lifted=parcel_lift%return $retval'
}

# try KERNEL
try()
{
	local kernel=$1 dir=$WORK/$1 image

	mkdir -p "$dir"
	image=$(vmlinux "$kernel")
	check "$kernel: the program is built" gcc -std=gnu11 -g -O1 -static -Wl,--build-id \
		-o "$dir/parcel" "$E2E/bundle/parcel.c"
	check "$kernel: the bundle is made" bundle
	check "$kernel: $COUNT changed, $COUNT cut, seed $SEED" forge
	guest "$kernel" --timeout 5400 --mem 1536 --add "$dir/parcel" --add "$dir/whole.ktap" \
		--add "$dir/forged" -- forged.guest
}

kernels_here=debian-6.1
[ -z "${KTAP_FULL:-}" ] || kernels_here=debug
for kernel in ${KERNELS:-$kernels_here}; do
	try "$kernel"
done
finish
