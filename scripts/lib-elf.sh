# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Which shared libraries a program needs. Sourced after lib.sh. With
# ELF_SYSROOT set, programs are another architecture's and their libraries
# are there; otherwise they are this machine's.

ELF_SYSROOT=${ELF_SYSROOT:-}

# elf_libraries FILE: lines of 'file here TAB path there'; none for what is
# no dynamic program.
elf_libraries()
{
	local magic

	LC_ALL=C IFS= read -r -d '' -n 5 magic <"$1" || true
	[ "${magic:0:4}" = $'\177ELF' ] || return 0
	if [ -n "$ELF_SYSROOT" ]; then
		elf_foreign "$1" | sort -u
	else
		elf_native "$1" "${magic:4}"
	fi
}

# elf_native FILE CLASS: as ldd does it, which is a long script
elf_native()
{
	local loader=/lib64/ld-linux-x86-64.so.2 status=0

	[ "$2" != $'\1' ] || loader=/lib/ld-linux.so.2
	[ -x "$loader" ] || return 0
	"$loader" --verify "$1" >/dev/null 2>&1 || status=$?
	[[ $status = [02] ]] || return 0
	{ LD_TRACE_LOADED_OBJECTS=1 "$loader" "$1" 2>/dev/null || true; } | awk '
		/not found/ { print "missing library " $1 >"/dev/stderr" }
		$2 == "=>" && $3 ~ /^\// { print $3 "\t" $3 }
		$1 ~ /^\// { print $1 "\t" $1 }'
}

# elf_foreign FILE: each library once
elf_foreign()
{
	local file line path
	local -a files=("$1")
	local -A found=()

	while [ ${#files[@]} -gt 0 ]; do
		file=${files[0]}
		files=("${files[@]:1}")
		while read -r line; do
			case $line in
			*'interpreter: '*) path=${line#*interpreter: }; path=${path%]} ;;
			*'(NEEDED)'*) path=${line##*[}; elf_search "${path%]}" "$file" || continue ;;
			*) continue ;;
			esac
			[ -z "${found[$path]:-}" ] || continue
			found[$path]=1
			files+=("$ELF_SYSROOT$path")
			printf '%s\t%s\n' "$ELF_SYSROOT$path" "$path"
		done < <(LC_ALL=C readelf -ldW "$file" 2>/dev/null)
	done
}

# elf_search NAME FILE: sets path to where a library is that FILE needs
elf_search()
{
	local dir

	for dir in /lib/aarch64-linux-gnu /usr/lib/aarch64-linux-gnu /lib; do
		path=$dir/$1
		[ ! -e "$ELF_SYSROOT$path" ] || return 0
	done
	warn "no $1 for $2 in $ELF_SYSROOT"
	return 1
}
