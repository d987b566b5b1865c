#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Probe modules: made here, without a compiler, for kernels of both architectures. On the
# target are busybox, two modules and cat. Its recordings are decoded here, and compared
# with what the program and the shell did there.

# shellcheck disable=SC2016,SC2154,SC2317 # definitions; set by "run"; called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
FORGED=${KTAP_FORGED:-0} # modules with random changes to load

# parcel KERNEL NAME: builds the program; each name has its build-id
parcel()
{
	local cc=gcc id=1

	[ "$2" = parcel ] || id=2

	! is_arm64 "$1" || cc=aarch64-linux-gnu-gcc
	$cc -std=gnu11 -g -O1 -static -Wl,--build-id="0x$(printf '%040x' "$id")" \
		-o "$dir/$2" "$E2E/bundle/parcel.c"
}

# module NAME WORD...: makes NAME.ko for the kernel of $dir
module()
{
	local name=$1

	shift
	check "$kernel: the module $name is made" \
		"$KTAP" module -q -o "$dir/$name.ko" --template "$dir/ktap-probe.ko" "$@"
}

# own_params TEMPLATE: what modinfo shows of the parameters of each probe module
own_params()
{
	strings "$1" | grep '^parm'
}

# make_modules KERNEL: all that probemod.guest loads
make_modules()
{
	local image i args=
	local -a sixteen=()

	image=$(vmlinux "$1")
	module probes -k "$image" -x "$dir/parcel=/bin/parcel" \
		'reads=vfs_read count name=file->f_path.dentry->d_name.name:string if count == 77' \
		'ended=vfs_read%return value=$retval if $retval == 77' \
		'banner=vfs_read text=@linux_banner:string if count == 77' \
		'called=ksys_read $caller if count == 77' \
		'-x /bin/parcel lift=parcel_lift c->label c->weight times lifted'
	module program -x "$dir/parcel=/bin/parcel" '-x /bin/parcel parcel_lift times'
	module timer -k "$image" 'tick=timer:50hz' \
		'late=vfs_read $kstack if $arg3 == 77'
	module many -k "$image" 'many=vfs_write n=$arg3:u64'
	module stacks -k "$image" 'changes=mnt_want_write $kstack'
	# from a bundle
	check "$1: a bundle is made" "$KTAP" bundle -q -o "$dir/one.ktap" -k "$image" \
		'one=vfs_read n=$arg3:u64 if $arg3 == 77'
	module one "$dir/one.ktap"
	module params -k "$image" --param min=100:u64 --param add=-1:s8 \
		'big=vfs_read count min=$param(min) if count >= $param(min) && count == 77' \
		'sums=vfs_read%return a=$entry(count + $param(add)) x=$param(mask=0xff:x16) if $retval == 77'
	is "$1: modinfo has the parameters" "$(strings "$dir/params.ko" | grep '^parm')" \
		"$(own_params "$dir/ktap-probe.ko")
parm=min:default 100
parmtype=min:u64
parm=add:default -1
parmtype=add:s8
parm=mask:default 0xff
parmtype=mask:x16"
	for ((i = 0; i < 16; i++)); do
		sixteen+=(--param "$(printf 'p%02d%.28s' "$i" ____________________________)=$i:u8")
		args+=" $(printf 'a%d=$param(p%02d%.28s)' "$i" "$i" ____________________________)"
	done
	module sixteen -k "$image" "${sixteen[@]}" "s=vfs_read$args if count == 77"
	for i in id sum arch version cut attrs name; do
		"$E2E/probemod/forge.py" "$dir/one.ko" "$dir/bad_$i.ko" "$i" || return
	done
	for i in insn entry param kind size value text many; do
		"$E2E/probemod/forge.py" "$dir/params.ko" "$dir/bad_$i.ko" "$i" || return
	done
}

# forge_many: modules with random changes
forge_many()
{
	local i

	mkdir -p "$dir/forged"
	for ((i = 1; i <= FORGED; i++)); do
		"$E2E/probemod/forge.py" "$dir/probes.ko" "$dir/forged/f$i.ko" "$i" ||
			return
	done
}

# decoded: what the recordings of the guest say here
decoded()
{
	local image text

	image=$(vmlinux "$kernel")
	tar xf "$dir/out.tar" -C "$dir" || return
	run "$KTAP" script -i "$dir/F.data"
	is "$kernel: decoded here: status" "$status" 0
	is "$kernel: arguments" "$(grep -cE ' reads: .*count=77' <<<"$out")" 4
	is "$kernel: returns" "$(grep -cE ' ended: .*value=77' <<<"$out")" 3
	text=$(sed -n 's/.* banner: .* text="\(.*\)\\n".*/\1/p' <<<"$out" | head -n 1)
	is "$kernel: a string of the kernel" "$text" "$(cat "$dir/version")"
	run "$KTAP" script -v -i "$dir/F.data"
	like "$kernel: totals" "$err" 'reads +- +- +[0-9]+ +[0-9]+ +[0-9]+ +0 +4 '
	run "$KTAP" script --json -k "$image" -i "$dir/F.data"
	is "$kernel: with symbols of the kernel: status" "$status" 0
	like "$kernel: a file's name" "$out" '"name":"231"'
	like "$kernel: a caller by its name" "$out" '"name":"called".*"(__(x64|arm64|do)_sys_read|do_syscall_64|invoke_syscall)\+0x'
	like "$kernel: a program" "$out" \
		'"name":"lift".*"label":"apples","weight":4,"times":3,"lifted":7'
	run "$KTAP" script -k "$image" -i - <"$dir/F.data"
	is "$kernel: from a pipe" "$(grep -cE ' reads: .*count=77' <<<"$out")" 4
	run "$KTAP" script -i "$dir/pieces.data"
	# those of its predecessor are in the same sub-buffer
	is "$kernel: read byte by byte" "$status,$(grep -c ' one: .*n=77' <<<"$out")" 0,8
	run "$KTAP" script -i "$dir/timer.data"
	check "$kernel: ticks of a timer" [ "$(grep -c ' tick: ' <<<"$out")" -ge 50 ]
	run "$KTAP" script -k "$image" -i "$dir/timer.data"
	is "$kernel: stacks: the functions" \
		"$(grep -A 2 ' late: ' <<<"$out" | sed -n 's/^\t\([a-z_]*\)+.*/\1/p' | sort | uniq -c | tr -s ' ')" \
		" 4 ksys_read
 4 vfs_read"
	is "$kernel: stacks: as from a pipe" \
		"$("$KTAP" script -k "$image" -i - <"$dir/timer.data")" "$out"
	is "$kernel: stacks: with inlined functions, the same frames" \
		"$("$KTAP" script --inline -k "$image" -i "$dir/timer.data" | grep -v ' (inlined)$')" \
		"$out"
	run "$KTAP" script -i "$dir/over.data"
	like "$kernel: overwrite mode" "$status $err" '^0 .*older records were overwritten'
	run "$KTAP" script -i "$dir/scope.data"
	is "$kernel: pid=: hits of others are not recorded" "$status,$(grep -c ' one: ' <<<"$out")" 0,0
	run "$KTAP" script -i "$dir/stacks.data"
	check "$kernel: new stacks do not keep records back" \
		grep -q '^ *mkdir-.* changes: ' <<<"$out"
	run "$KTAP" script -i "$dir/params.data"
	is "$kernel: parameters: defaults" "$(grep -c ' big: ' <<<"$out") $(grep -c ' sums: .* a=76 x=0xff$' <<<"$out")" "0 3"
	run "$KTAP" script -i "$dir/set.data"
	is "$kernel: parameters: set" \
		"$(grep -c ' big: .*count=77 min=77$' <<<"$out") $(grep -c ' sums: .* a=67 x=0xfff$' <<<"$out")" "4 3"
	run "$KTAP" script -i "$dir/sixteen.data"
	is "$kernel: sixteen parameters" "$(grep -c ' s: .* a0=0 a1=1 a2=2 a3=3 a4=4 a5=5 a6=6 a7=255 a8=8 a9=9 a10=10 a11=11 a12=12 a13=13 a14=14 a15=99$' <<<"$out")" 4
	run "$KTAP" script -i "$dir/late.data"
	like "$kernel: a late reader learns what is missing" "$err" 'records were lost|lost'
}

# cuts: wherever a recording is cut, what precedes the cut is decoded
cuts()
{
	local size at whole

	size=$(stat -c %s "$dir/F.data")
	whole=$("$KTAP" script -i "$dir/F.data" | wc -l)
	for ((at = 0; at < size; at += size / 40 + 1)); do
		head -c "$at" "$dir/F.data" >"$WORK/cut.data"
		run "$KTAP" script -i "$WORK/cut.data"
		if [ "$status" != 1 ] || [ "$(wc -l <<<"$out")" -gt "$whole" ]; then
			check "$kernel: cut at byte $at" false
			return
		fi
	done
	check "$kernel: cut anywhere" true
}

# try KERNEL
try()
{
	local kernel=$1 dir=$WORK/$1 name
	local -a added=()

	mkdir -p "$dir"
	check "$kernel: the template is built" templates "$kernel" "$dir"
	check "$kernel: the program is built" parcel "$kernel" parcel
	make_modules "$kernel"
	check "$kernel: another build of the program" parcel "$kernel" parcel2
	for name in "$dir"/*.ko "$dir"/parcel "$dir"/parcel2; do
		added+=(--add "$name")
	done
	if [ "$FORGED" -gt 0 ]; then
		check "$kernel: $FORGED modules are forged" forge_many
		added+=(--add "$dir/forged")
	fi
	guest "$kernel" --no-ktap --smp 2 "${added[@]}" \
		--get /root/out.tar:"$dir/out.tar" -- probemod.guest
	decoded
	cuts
}

# --- what cannot be made

# refused TEXT WORD...
refused()
{
	local text=$1

	shift
	run "$KTAP" module "$@"
	like "refused: $text" "$status $err" "^[12] .*$text"
}

dir=$WORK/host
mkdir -p "$dir"
check "the template is built" templates debian-6.1 "$dir"
check "the program is built" parcel debian-6.1 parcel
T=(--template "$dir/ktap-probe.ko")
P=(-x "$dir/parcel=/bin/parcel" '-x /bin/parcel parcel_lift')
O=(-o "$dir/out.ko")
image=$(vmlinux debian-6.1)
refused "-o NAME.ko" "${T[@]}" "${P[@]}"
refused "--template ktap-probe.ko" "${O[@]}" "${P[@]}"
refused "a bundle or a definition" "${O[@]}" "${T[@]}"
# MODULE_NAME
refused "not a file name for a module" -o "$dir/out" "${T[@]}" "${P[@]}"
refused "not a file name for a module" -o "$dir/.ko" "${T[@]}" "${P[@]}"
refused "not a file name for a module" -o "$dir/a b.ko" "${T[@]}" "${P[@]}"
refused "not a file name for a module" -o "$dir/$(printf 'x%.0s' {1..56}).ko" "${T[@]}" "${P[@]}"
check "a name of 55 characters" "$KTAP" module -q \
	-o "$dir/$(printf 'x%.0s' {1..55}).ko" "${T[@]}" "${P[@]}"
# MODULE_TEMPLATE_OPEN
refused "cannot read '.*none.ko': No such file" "${O[@]}" --template "$dir/none.ko" "${P[@]}"
# MODULE_NOT_TEMPLATE
refused "not a template.*it is no kernel module" "${O[@]}" --template "$0" "${P[@]}"
refused "not a template.*it is no kernel module" "${O[@]}" --template "$dir/parcel" "${P[@]}"
refused "not a template.*it is no kernel module" "${O[@]}" --template /dev/null "${P[@]}"
refused "not a template.*its name is not ktap_probe" "${O[@]}" --template "$dir/ktap.ko" "${P[@]}"
objcopy --rename-section .ktap.image=.other.image "$dir/ktap-probe.ko" "$dir/empty.ko"
refused "not a template.*it has no section for probes" "${O[@]}" --template "$dir/empty.ko" "${P[@]}"
check "a module is made" "$KTAP" module -q "${O[@]}" "${T[@]}" "${P[@]}"
refused "not a template.*it has probes already" -o "$dir/again.ko" --template "$dir/out.ko" "${P[@]}"
refused "no kernel was given" "${O[@]}" "${T[@]}" 'timer:99hz'
# MODULE_USTACK
refused "cannot take stacks of programs" "${O[@]}" "${T[@]}" -k "$image" 'vfs_read $ustack'
# MODULE_IN_MODULE
target_module debian-6.1 >/dev/null || exit 1
"$KTAP" bundle -q -o "$dir/in.ktap" -k "$image" \
	-m "$TOP/build/target/debian-6.1/ktap_target.ko" 'ktap_target:ktap_target_args3 a'
refused "in the module 'ktap_target'" "${O[@]}" "${T[@]}" "$dir/in.ktap"
# MODULE_PARAMS
args=
for ((i = 0; i < 17; i++)); do
	args+=" \$param(p$i=1:u8)"
done
refused "17 parameters, and a probe module has at most 16" "${O[@]}" "${T[@]}" -k "$image" "vfs_read$args"
# MODULE_PARAM_TAKEN
for i in mode ring_kb pid rows; do
	refused "'$i' has the name of a parameter that each probe module has" \
		"${O[@]}" "${T[@]}" -k "$image" "vfs_read \$param($i=1:u8)"
done
"$KTAP" bundle -q -o "$dir/param.ktap" -k "$image" 'vfs_read $param(p=1:u8)'
refused "no definition has a parameter 'q'" "${O[@]}" "${T[@]}" --param q=1 "$dir/param.ktap"
refused "'256' does not fit the parameter 'p'" "${O[@]}" "${T[@]}" --param p=256 "$dir/param.ktap"
check "another default for a bundle's parameter" "$KTAP" module -q "${O[@]}" "${T[@]}" \
	--param p=7 "$dir/param.ktap"
is "which modinfo shows" "$(strings "$dir/out.ko" | grep '^parm=p:')" "parm=p:default 7"
check "a template without slots is made" sh -c \
	"sed 's/ktap_parameter_slot_of_probe_10/ktap_parameter_slot_of_prob__10/g' '$dir/ktap-probe.ko' >'$dir/slots.ko'"
refused "it has no names of slots" "${O[@]}" --template "$dir/slots.ko" "$dir/param.ktap"
objcopy --dump-section __param="$dir/param.bin" "$dir/ktap-probe.ko"
tr '\100\101\102' '\000' <"$dir/param.bin" >"$dir/param2.bin"
check "a template whose slots are gone is made" objcopy --update-section \
	__param="$dir/param2.bin" "$dir/ktap-probe.ko" "$dir/slots.ko"
refused "it has no slots for parameters" "${O[@]}" --template "$dir/slots.ko" "$dir/param.ktap"
# MODULE_ONE_BUNDLE
refused "made of one bundle" "${O[@]}" "${T[@]}" "$dir/in.ktap" 'vfs_read'
# MODULE_TWO_KERNELS
"$KTAP" bundle -q -o "$dir/two.ktap" -k "$image" --for "$(vmlinux debian-6.12)" 'vfs_read'
refused "for several kernels" "${O[@]}" "${T[@]}" "$dir/two.ktap"
# MODULE_OLD_BUNDLE
printf 'int register_kprobe(int a)\n{\n\treturn a;\n}\n' >"$dir/k.c"
check "a kernel without addresses is built" \
	sh -c "cd '$dir' && gcc -g -c k.c && ld -r --build-id -o k.ko k.o"
refused "does not say where the build-id" "${O[@]}" "${T[@]}" -k "$dir/k.ko" register_kprobe
# MODULE_OTHER_ARCH
"$KTAP" bundle -q -o "$dir/arm.ktap" -k "$(vmlinux debian-6.12-arm64)" 'vfs_read'
refused "is for x86-64, and the probes are for arm64" "${O[@]}" "${T[@]}" "$dir/arm.ktap"
refused "cannot write '/no/such/out.ko'" -o /no/such/out.ko "${T[@]}" "${P[@]}"

# a signature at the end would be wrong, so it goes
cp "$dir/ktap-probe.ko" "$dir/signed.ko"
printf '%0100d\0\0\0\0\0\0\0\0\0\0\0\144~Module signature appended~\n' 0 >>"$dir/signed.ko"
check "a signed template" "$KTAP" module -q -o "$dir/unsigned.ko" --template "$dir/signed.ko" "${P[@]}"
is "has lost its signature" "$(grep -c 'Module signature' "$dir/unsigned.ko")" 0
# relocations FILE: of init and exit, which objcopy --update-section loses
relocations()
{
	readelf -rW "$1" | sed -n '/this_module/,/^$/s/^\([0-9a-f]*\) .*\(init\|cleanup\)_module.*/\1 \2/p'
}
like "init and exit have relocations" "$(relocations "$dir/out.ko")" cleanup
is "which are the template's" "$(relocations "$dir/out.ko")" \
	"$(relocations "$dir/ktap-probe.ko")"

for kernel in $(kernels debian-6.1 debian-6.12-arm64 debian-5.10); do
	try "$kernel"
done

# --- symbols of another kernel, or of none

if [ -e "$WORK/debian-6.1/F.data" ]; then
	# the head and what describes the machine
	head -c 264 "$WORK/debian-6.1/F.data" >"$WORK/short.data"
	run "$KTAP" script -k "$(vmlinux debian-6.1)" -i "$WORK/short.data"
	# RECORDED_NO_ANCHOR
	like "script -k without the address of the kernel" "$status $err" \
		"^1 .*does not say where its kernel was"
fi

run "$KTAP" script -k "$(vmlinux debian-6.12)" -i "$WORK/debian-6.1/F.data"
# RECORDED_OTHER_KERNEL
[ ! -e "$WORK/debian-6.1/F.data" ] ||
	like "script -k of another kernel" "$status $err" \
		"^1 .*has build-id [0-9a-f]+, and the kernel that was recorded has"
finish
