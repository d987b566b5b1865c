#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Bundles: probes are resolved here, where debug information of the target is, and run
# there, where none is. What the target shows is compared with what it knows itself:
# /proc/version, the output of the program, counts of what the shell does.

# shellcheck disable=SC2016,SC2154,SC2317 # definitions; what "run" sets; what "check" calls
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# parcel KERNEL FLAG...: builds the program, with debug information in parcel.debug
parcel()
{
	local cc=gcc strip=strip dir=$WORK/$1

	if is_arm64 "$1"; then
		cc=aarch64-linux-gnu-gcc
		strip=aarch64-linux-gnu-strip
	fi
	shift
	$cc -std=gnu11 -g -O1 -static -Wl,--build-id "$@" -o "$dir/parcel.debug" \
		"$E2E/bundle/parcel.c" && $strip -o "$dir/parcel" "$dir/parcel.debug"
}

# bundle NAME WORD...: makes NAME.ktap for the kernel of $dir
bundle()
{
	local name=$1

	shift
	check "$kernel: the bundle $name is made" \
		"$KTAP" bundle -q -o "$dir/$name.ktap" "$@"
}

# line_inside VMLINUX: the third line of vfs_read() that has code, counted from its first
line_inside()
{
	"$KTAP" line --json -k "$1" vfs_read 2>"$WORK/err" |
		sed -n '3s/.*"relative":\([0-9]*\).*/\1/p'
}

# copy_of KERNEL ARGUMENT...: objcopy for its architecture
copy_of()
{
	local cross=

	! is_arm64 "$1" || cross=aarch64-linux-gnu-
	"${cross}objcopy" "${@:2}"
}

# without_debug KERNEL FILE: its vmlinux as a build without debug information makes it
without_debug()
{
	copy_of "$1" --strip-debug "$(vmlinux "$1")" "$2"
}

# make_bundles: all that bundle.guest uses
make_bundles()
{
	local image call=__x64_sys_read

	! is_arm64 "$kernel" || call=__arm64_sys_read
	image=$(vmlinux "$kernel")
	bundle kernel -k "$image" 'reads=vfs_read count' \
		'ended=vfs_read%return value=$retval' \
		'banner=vfs_read text=@linux_banner:string if count == 77'
	bundle caller -k "$image" \
		"called=vfs_read count if (\$caller == ksys_read || \$caller == $call) && count == 77" \
		'notcalled=vfs_read count if $caller == ksys_write && count == 77'
	check "$kernel: debug information is stripped" without_debug "$kernel" "$dir/symbols"
	bundle symbols -k "$dir/symbols" 'byte=vfs_read count file->f_mode if count == 77' \
		'bytecall=sys:read' 'named=vfs_read file:%pD if count == 77'
	rm -f "$dir/symbols"
	bundle line -k "$image" "line=vfs_read:$(line_inside "$image") count" \
		'opened=vfs_open path->dentry:%pd'
	bundle params -k "$image" --param min=100:u64 --param add=-1:s8 \
		'big=vfs_read count min=$param(min) if count >= $param(min) && count == 77' \
		'sums=vfs_read%return a=$entry(count + $param(add)) x=$param(mask=0xff:x16) if $retval == 77'
	bundle added -k "$image" 'keys=vfs_read count() by k=$param(size=100:u32) if count == $param(size)'
	bundle timer -k "$image" 'each=timer:99hz cpu=$cpu:u32' 'one=timer:50ms'
	bundle program -x "$dir/parcel.debug=/bin/parcel" \
		'-x /bin/parcel lift=parcel_lift c->label c->weight times lifted' \
		'-x /bin/parcel lifted=parcel_lift%return $retval'
	bundle module -k "$image" -m "$dir/ktap_target.debug.ko" \
		'args=ktap_target:ktap_target_args3 a b c'
	bundle mixed -k "$image" -x "$dir/parcel.debug=/bin/no-such" \
		'here=vfs_read count' '-x /bin/no-such there=parcel_lift times'
}

# try KERNEL
try()
{
	local kernel=$1 dir=$WORK/$1 target image
	image=$(vmlinux "$1")
	local -a added=()

	mkdir -p "$dir"
	target=$(target_module "$kernel") || return
	cp "$TOP/build/target/$kernel/ktap_target.ko" "$dir/ktap_target.debug.ko"
	check "$kernel: the program is built" parcel "$kernel"
	make_bundles
	cp "$WORK/foreign/kernel.ktap" "$dir/foreign.ktap" || return
	if is_arm64 "$kernel"; then
		cp "$dir/module.ktap" "$dir/absent.ktap"
	else
		bundle absent -k "$image" -m "$WORK/twins.ko" 'twins:lone a'
	fi
	bundle two -k "$(vmlinux debian-6.12)" --for "$(vmlinux debian-6.1)" 'vfs_read count'
	for name in kernel caller symbols line params added timer program module mixed foreign two absent; do
		added+=(--add "$dir/$name.ktap")
	done
	cp "$dir/parcel" "$dir/other"
	guest "$kernel" --kaslr --smp 2 --module "$target" --add "$dir/parcel" \
		--add "$(program onlycaps "$kernel")" "${added[@]}" -- bundle.guest
}

# twins: builds twins.ko, with two functions twin(), which are the first, and one lone()
twins()
{
	local name

	for name in a b; do
		printf 'static __attribute__((__noinline__, __used__)) int twin(int a)\n{\n\treturn a + %d;\n}\n' \
			"'$name" >"$WORK/$name.c"
	done
	printf 'int lone(int a)\n{\n\treturn a + 3;\n}\n' >"$WORK/c.c"
	(
		cd "$WORK" || exit
		for name in a b c; do
			gcc -g -O1 -c "$name.c" || exit
		done
		ld -r --build-id -o twins.ko a.o b.o c.o
	)
}

# --- what cannot be made

# refused TEXT WORD...: 'ktap bundle WORD...' says so, and makes no file
refused()
{
	local text=$1

	shift
	rm -f "$WORK/refused.ktap"
	run "$KTAP" bundle -o "$WORK/refused.ktap" "$@"
	like "refused: $*" "$err" "$text"
	check "refused: $*: status" [ "$status" != 0 ]
	check "refused: $*: no file" [ ! -e "$WORK/refused.ktap" ]
}

KERNELS_HERE=$(kernels debian-6.1; kernels debian-6.12-arm64)
mkdir -p "$WORK/foreign"
first=${KERNELS_HERE%%$'\n'*}
mkdir -p "$WORK/$first"
check "the program is built" parcel "$first"
refused "needs a definition|a definition" -x "$WORK/$first/parcel.debug=/bin/parcel"
# BUNDLE_NO_KERNEL
refused "in the kernel, and no kernel was given" vfs_read
# NO_FILE_FOR
refused "no file was given for '/bin/parcel'" '-x /bin/parcel parcel_lift'
refused "begins with '/'" -x "$WORK/$first/parcel.debug=parcel" '-x parcel parcel_lift'
# BUNDLE_NOTHING
refused "deletes events" -x "$WORK/$first/parcel.debug=/bin/parcel" '-x /bin/parcel -:parcel'
image=$(vmlinux "$first")
# NO_OFFSETS
check "a kernel without debug information and BTF" \
	copy_of "$first" --strip-debug --rename-section .BTF=.other "$image" "$WORK/no-types"
refused "neither debug information nor BTF" -k "$WORK/no-types" 'vfs_open %si:%pd'
rm -f "$WORK/no-types"
# BUNDLE_NO_MODULE
refused "in module 'ktap_target', and no file was given" -k "$image" 'ktap_target:ktap_target_args3'
# BUNDLE_NO_ANCHOR
refused "has no symbol 'register_kprobe'" -k "$WORK/$first/parcel.debug" main
# BUNDLE_FIXED_ADDRESS
refused "computes with an address of the kernel" -k "$image" \
	'vfs_read a=((unsigned long)&generic_ro_fops>>4)'
# BUNDLE_FIXED_IN_MODULE
target_module "$first" >"$WORK/target" || exit 1
refused "a variable of module 'ktap_target'" -k "$image" \
	-m "$TOP/build/target/$first/ktap_target.ko" 'ktap_target:ktap_target_args3 v=@onload:u64'
# BUNDLE_NO_LOOKUP
check "a module with two functions called twin is built" twins
refused "has several functions 'twin', and before this one no function" -k "$image" \
	-m "$WORK/twins.ko" 'twins:twin@a.c a'
# BUNDLE_NO_ID
copy_of "$first" -R .note.gnu.build-id "$WORK/$first/parcel.debug" "$WORK/no-id"
refused "has no build-id" -x "$WORK/no-id=/bin/parcel" '-x /bin/parcel parcel_lift'
run "$KTAP" bundle -x "$WORK/no-id=/bin/parcel" '-x /bin/parcel parcel_lift'
like "without -o" "$status $err" "^2 .*-o FILE"

for kernel in $KERNELS_HERE; do
	dir=$WORK/foreign
	[ -e "$dir/kernel.ktap" ] || {
		other=debian-6.12
		[ "$kernel" != debian-6.12 ] || other=debian-6.1
		bundle kernel -k "$(vmlinux "$other")" 'vfs_read count'
	}
	try "$kernel"
done

# --- several kernels

run "$KTAP" bundle -q -o "$WORK/two.ktap" -k "$(vmlinux debian-6.1)" \
	--for "$(vmlinux debian-6.12)" 'vfs_read count'
is "two kernels: status" "$status" 0
run "$KTAP" bundle --show "$WORK/two.ktap"
is "two kernels: each has its probe" "$(grep -c ' vfs_read at vfs_read' <<<"$out")" 2
run "$KTAP" bundle -q -o "$WORK/three.ktap" -k "$(vmlinux debian-6.1)" \
	--for "$(vmlinux debian-6.12)" 'no_such_function'
like "two kernels: the hint names the one" "$err" "this kernel is '.*6[.]1[.]"
run "$KTAP" bundle -q -o "$WORK/three.ktap" -k "$(vmlinux debian-6.1)" \
	--for "$(vmlinux debian-6.12-arm64)" 'vfs_read'
# BUNDLE_TWO_ARCHS
like "two kernels: one architecture" "$status $err" "^2 .*for another architecture"

# --- parameters

B=$WORK/$first/params.ktap
run "$KTAP" bundle --show "$B"
like "parameters are shown" "$(tr '\n' ' ' <<<"$out")" \
	'parameter min: u64, default 100 parameter add: s8, default -1 parameter mask: x16, default 0xff '
run "$KTAP" bundle --show --json "$B"
like "parameters are shown as JSON" "$out" \
	'"params":\[{"name":"min","type":"u64","default":"100"},{"name":"add","type":"s8","default":"-1"},{"name":"mask","type":"x16","default":"0xff"}\]'
like "the definition has their names" "$out" '"definition":"big=vfs_read count min=\$param\(min\) if '
is "parameters: the version of the format" "$(od -An -tu4 -j8 -N4 "$B" | tr -d ' ')" 2
is "no parameters: the version of the format" \
	"$(od -An -tu4 -j8 -N4 "$WORK/$first/kernel.ktap" | tr -d ' ')" 1
run "$KTAP" bundle --show --json "$WORK/$first/kernel.ktap"
like "no parameters: JSON" "$out" '"params":\[\]'
K=(-k "$image")
# PARAM_UNKNOWN
refused "no definition has a parameter 'mim'" "${K[@]}" --param mim=1:u8 \
	'vfs_read if count > $param(min=1:u64)'
like "a hint has the name that there is" "$err" "did you mean 'min'\?"
# SPEC_NO_PARAM
refused "the parameter 'min' is not declared" "${K[@]}" 'vfs_read if count > $param(min)'
# SPEC_PARAM_TYPE
refused "the parameter 'min' has no type" "${K[@]}" --param min=1 'vfs_read if count > $param(min)'
# PARAM_TYPES, PARAM_VALUES
refused "the parameter 'a' has two types: u8 and u16" "${K[@]}" \
	'vfs_read $param(a=1:u8)' 'vfs_write $param(a=1:u16)'
refused "the parameter 'a' has two defaults: 1 and 2" "${K[@]}" \
	'vfs_read $param(a=1:u8)' 'vfs_write $param(a=2:u8)'
check "one parameter of two definitions" "$KTAP" bundle -q -o "$WORK/one.ktap" "${K[@]}" \
	--param a=3:u8 'vfs_read $param(a)' 'vfs_write $param(a=2:u8)'
run "$KTAP" bundle --show "$WORK/one.ktap"
is "one parameter of two definitions: what was given comes first" \
	"$(grep '^parameter' <<<"$out")" "parameter a: u8, default 3"
run "$KTAP" bundle -o "$WORK/one.ktap" "${K[@]}" vfs_read
like "a note of one" "$err" ": 1 probe of 1 definition, [0-9]+ bytes\$"
run "$KTAP" bundle -o "$WORK/two.ktap" "${K[@]}" vfs_read vfs_write
like "a note of two" "$err" ": 2 probes of 2 definitions, [0-9]+ bytes\$"


# --- what is damaged is refused

B=$WORK/$first/kernel.ktap
run "$KTAP" bundle --show "$B"
like "a bundle is shown" "$out" "reads at vfs_read"
run "$KTAP" bundle --show --json "$B"
like "and as JSON" "$out" '"probes":.*"name":"reads"'
head -c 100 "$B" >"$WORK/cut.ktap"
run "$KTAP" bundle --show "$WORK/cut.ktap"
like "a bundle that is cut" "$status $err" "^1 .*is incomplete: it has 100 of [0-9]+ bytes"
cp "$B" "$WORK/bad.ktap"
printf x | dd of="$WORK/bad.ktap" bs=1 seek=200 conv=notrunc 2>/dev/null
run "$KTAP" bundle --show "$WORK/bad.ktap"
like "a bundle with a changed byte" "$status $err" "^1 .*its checksum is wrong"
run "$KTAP" bundle --show "$0"
like "what is no bundle" "$status $err" "^1 .*is not a bundle"
cp "$B" "$WORK/new.ktap"
printf '\377' | dd of="$WORK/new.ktap" bs=1 seek=8 conv=notrunc 2>/dev/null
run "$KTAP" bundle --show "$WORK/new.ktap"
like "a later version" "$status $err" "^1 .*version 255 of the format.*update ktap"
mkfifo "$WORK/fifo.ktap"
run timeout 10 "$KTAP" bundle --show "$WORK/fifo.ktap"
like "a FIFO" "$status $err" "^1 .*not a regular file"
run "$KTAP" bundle --json -o "$WORK/refused.ktap" -x "$WORK/$first/parcel.debug=/bin/parcel" '-x /bin/parcel main'
like "--json makes no bundle" "$status $err" "^2 .*--json.*--show"
run "$KTAP" bundle --show "$WORK/none.ktap"
like "no file" "$status $err" "^1 .*No such file"
finish
