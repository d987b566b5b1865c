# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The kernel in a bzImage, without its compression. A machine that boots that by its PVH
# entry needs a fifth less of a processor until it runs /init; nothing is left to choose an
# address at random then (KASLR).
#
# Owns: what a bzImage is.

# image_u32 FILE OFFSET
image_u32()
{
	od -A n -t u4 --endian=little -j "$2" -N 4 "$1" | tr -d ' '
}

# unpack_image IMAGE FILE: FILE is the ELF file in it. The header has these fields since
# protocol 2.08 (Documentation/arch/x86/boot.rst); behind what is compressed comes a word
# that is its size without compression.
unpack_image()
{
	local image=$1 file=$2 sectors start length magic tool

	sectors=$(od -A n -t u1 -j $((0x1f1)) -N 1 "$image" | tr -d ' ')
	start=$((sectors * 512 + 512 + $(image_u32 "$image" $((0x248)))))
	length=$(($(image_u32 "$image" $((0x24c))) - 4))
	magic=$(od -A n -t x4 --endian=big -j "$start" -N 4 "$image" | tr -d ' ')
	case $magic in
	28b52ffd) tool=zstd ;;
	02214c18) tool=lz4 ;;
	fd377a58) tool=xz ;;
	*) die "cannot unpack $image: $magic at $start is not of zstd, lz4 or xz" ;;
	esac
	need_command "$tool" vm
	dd if="$image" iflag=skip_bytes,count_bytes skip="$start" count="$length" bs=1M \
		status=none | "$tool" -dcq >"$file.$$" || {
		rm -f "$file.$$"
		die "cannot unpack $image with $tool"
	}
	mv "$file.$$" "$file"
}
