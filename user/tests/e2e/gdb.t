#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# $kstack and $ustack, compared with gdb's stacks of the same hits: gdb is attached to the
# machine and stops it at the probed instructions. See gdb/stop.py.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# frames_of FILE OPTION...: a copy of it in $WORK with symbols and with what gdb unwinds by,
# without types and lines, which gdb would need many seconds for
frames_of()
{
	"${binutils}objcopy" -w -R '.debug_[!f]*' "${@:2}" "$1" "$WORK/$(basename "$1")"
}

# offsets FILE FUNCTION...: 'LABEL FUNCTION+OFFSET' of their instructions
offsets()
{
	local name base at

	for name in "${@:2}"; do
		base=
		while read -r at; do
			base=${base:-$at}
			echo "${name#ktap_stack_}_$at $name+$((16#$at - 16#$base))"
		done < <("${binutils}objdump" -d --no-show-raw-insn --disassemble="$name" "$1" |
			sed -n '/\t\(nop\|xchg\)/d; s/^ *\([0-9a-f]*\):\t.*/\1/p')
	done
}

# places: 'LABEL FUNCTION+OFFSET' of instructions drawn by chance in functions that system
# calls, faults and processes that begin and end go through
places()
{
	local map name at end n=0

	map=$WORK/symbols
	"${binutils}nm" -n "$WORK/$(basename "$from")" >"$map" || return
	for name in "${FUNCTIONS[@]}"; do
		read -r at end < <(awk -v name="$name" '
			$2 ~ /[tT]/ && $3 == name { at = $1; next }
			at && $1 != at { print at, $1; exit }' "$map")
		[ -n "$at" ] || continue
		"${binutils}objdump" -d --no-show-raw-insn --start-address=0x"$at" \
			--stop-address=0x"$end" "$from" |
			sed -n 's/^ *\([0-9a-f]*\):\t\([a-z0-9]*\).*/\1 \2/p' |
			# what inline assembly pushes is not in the debug information, and
			# the kernel patches places that have a nop or a jmp
			awk '!pushed && $2 !~ /^(nop|xchg|jmp|data16|b$)/ { print $1 }
				{ pushed = $2 ~ /^pushf/ }' |
			shuf -n 4 --random-source=<(yes "$SEED") | while read -r place; do
				echo "$name+$((16#$place - 16#$at))"
			done
	done | while read -r place; do
		echo "p$((n += 1)) $place"
	done
}

watch()
{
	WATCH_ARCH=$arch WATCH_SOCKET=$WORK/gdb.socket WATCH_SAID=$WORK/vm.err \
		WATCH_KTAP=$WORK/ktap.ko WATCH_MODULE=$WORK/ktap_stack.ko WATCH_PROGRAM=$program WATCH_OUT=$WORK/stacks \
		timeout 800 "$gdb" -nx -q -batch -x "$E2E/gdb/stop.py" "$WORK/$(basename "$from")" \
		>"$WORK/gdb.out" 2>&1
}

# shellcheck disable=SC2317 # for check
watched()
{
	wait "$watcher" && return
	tail -n 20 "$WORK/gdb.out"
	return 1
}

SEED=${SEED:-1}
FUNCTIONS=(vfs_read vfs_write ksys_read ksys_write do_sys_openat2 path_openat link_path_walk
	lookup_fast dput vfs_statx getname_flags copy_process dup_task_struct handle_mm_fault
	unmap_page_range do_exit do_wait schedule seq_read_iter iterate_dir proc_pid_readdir
	filp_close do_pipe2 begin_new_exec mmap_region)

GET=(--get "/tmp/kallsyms:$WORK/kallsyms" --get "/tmp/vdso:$WORK/vdso")
for n in 1 2 3 4 5 6; do
	GET+=(--get "/tmp/$n.json:$WORK/$n.json")
done

for kernel in $(kernels debian-5.10 debian-6.1 debian-6.12 debian-7 debian-5.10-arm64 \
		debian-6.1-arm64 debian-6.12-arm64 debian-7-arm64); do
	binutils='' gdb=gdb arch=x86_64
	if is_arm64 "$kernel"; then
		binutils=aarch64-linux-gnu- gdb=gdb-multiarch arch=arm64
	fi
	if ! command -v $gdb >/dev/null; then
		skip "$kernel: gdb's stacks" "there is no $gdb"
		continue
	fi
	from=$(vmlinux "$kernel") && target_module "$kernel" >/dev/null || exit 1
	module=$TOP/build/target/$kernel/ktap_stack.ko
	# where arm64 had .head.text, it may have the stack of interrupts
	frames_of "$from" -R '.rela*' -R .BTF -R .head.text && frames_of "$module" &&
		"$TOP/scripts/make" kmod KERNEL="$kernel" WERROR=1 &&
		frames_of "$TOP/build/kmod/$kernel/ktap.ko" || exit 1
	program=$(program walks "$kernel" -O2 -fomit-frame-pointer -no-pie) || exit 1
	offsets "$module" ktap_stack_leaf ktap_stack_bottom ktap_stack_mid >"$WORK/offsets"
	places >"$WORK/places"
	: >"$WORK/vm.err"
	watch &
	watcher=$!
	guest "$kernel" --smp 1 --gdb "$WORK/gdb.socket" --module "$module" \
		--add "$program" --add "$WORK/offsets" --add "$WORK/places" "${GET[@]}" \
		-- gdb.guest "0x$(awk '$3 == "jiffies_64" { print $1 }' "$WORK/symbols")"
	check "$kernel: gdb watched all of it" watched
	"$E2E/gdb/compare" $arch "$WORK/stacks" "$WORK/kallsyms" "$program" "$WORK/vdso" \
		"$WORK"/[0-9].json >"$WORK/compared"
	relay "$kernel" <"$WORK/compared"
	[ -z "${KEEP:-}" ] || cp "$WORK"/* "$KEEP/" 2>/dev/null
done
finish
