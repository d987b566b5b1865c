#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ktap module --kdir: modules are compared with the build directory of a kernel, here, before
# anything is copied to a target. No machine is booted. user/tests/versions_test.c has the
# rules one by one, with modules that it makes.

# shellcheck disable=SC2154,SC2317 # set by "run"; called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
mapfile -t OWN < <(kernels debian-6.1 debian-6.12-arm64 debug)

# headers KERNEL: its build directory, which is fetched if it is missing
headers()
{
	"$TOP/scripts/kernels" path "$1" headers 2>/dev/null && return
	"$TOP/scripts/kernels" get "$1" >&2 && "$TOP/scripts/kernels" path "$1" headers
}

# modules KERNEL DIR: ktap.ko and ktap-probe.ko, and what kbuild writes beside them
modules()
{
	mkdir -p "$2" && templates "$1" "$2" &&
		cp "$TOP/build/kmod/$1/Module.symvers" "$2/"
}

# copy_of HEADERS DIR: what is read of it
copy_of()
{
	local file

	for file in Module.symvers include/config/auto.conf include/generated/utsrelease.h; do
		mkdir -p "$(dirname "$2/$file")" && cp "$1/$file" "$2/$file" || return
	done
}

# compare DIR WORD...: 'ktap module --kdir'; a read that waits for ever is a failure
compare()
{
	run timeout 60 "$KTAP" module --kdir="$1" "${@:2}"
}

# refused DESCRIPTION TEXT DIR FILE...: the message is compared whole, with "1 ktap: " before it
refused()
{
	compare "${@:3}"
	is "$1" "$status $out$err" "1 ktap: $2"
}

cd "$WORK" || exit 1

# --- what was built for it

for kernel in "${OWN[@]}"; do
	[[ $kernel = debian-* ]] || "$TOP/scripts/kernels" path "$kernel" headers >/dev/null 2>&1 || {
		skip "$kernel" "it is not built"
		continue
	}
	check "$kernel: the modules are built" modules "$kernel" "$kernel"
	dir=$(headers "$kernel") || exit 1
	release=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$dir/include/generated/utsrelease.h")
	compare "$dir" "$kernel/ktap.ko" "$kernel/ktap-probe.ko"
	is "$kernel: they fit" "$status,$out,$err" "0,,ktap: $kernel/ktap.ko: fits $release
ktap: $kernel/ktap-probe.ko: fits $release"
	compare "$dir" -q "$kernel/ktap.ko"
	is "$kernel: -q" "$status,$out,$err" 0,,
done

# --- what was not

check "debian-6.1: the modules are built" modules debian-6.1 m
new=$(headers debian-6.12) || exit 1
arm=$(headers debian-6.12-arm64) || exit 1
copy_of "$(headers debian-6.1)" k || exit 1
RELEASE=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' k/include/generated/utsrelease.h)
NEW=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$new/include/generated/utsrelease.h")
ARM=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$arm/include/generated/utsrelease.h")

compare k m/ktap.ko m/ktap-probe.ko
is "a copy of the directory: they fit" "$status" 0

# VERSIONS_CRC
compare "$new" m/ktap-probe.ko
like "another kernel: CRCs" "$status $err" "^1 ktap: 'm/ktap-probe.ko' does not fit the kernel ${NEW//+/\\+}: 'module_layout' has the CRC 0x[0-9a-f]{8} there and 0x[0-9a-f]{8} here, and [0-9]+ others\$"
like "another kernel: what to do" "$err" "^  it was built for another version or configuration: make kmod KDIR=${new//+/\\+}\$"
compare "$new" m/ktap.ko m/ktap-probe.ko
is "all modules that differ are reported" \
	"$status $(grep -c "^ktap: 'm/ktap.*.ko' does not fit the kernel $NEW" <<<"$err")" "1 2"
# VERSIONS_ARCH
refused "another architecture" \
	"'m/ktap.ko' does not fit the kernel $ARM: it is for x86-64, and the kernel is for arm64" \
	"$arm" m/ktap.ko

crc=$(sed -n 's/^\(0x[0-9a-f]*\)\tscnprintf\t.*/\1/p' k/Module.symvers)
sed -i 's/^0x[0-9a-f]*\(\tscnprintf\t\)/0x0badbeef\1/' k/Module.symvers
refused "one CRC" "'m/ktap-probe.ko' does not fit the kernel $RELEASE: 'scnprintf' has the CRC 0x0badbeef there and $crc here
  build it for this kernel: make kmod KDIR=k" k m/ktap-probe.ko
sed -i 's/^0x[0-9a-f]*\(\tsysfs_streq\t\)/0x0badbeef\1/' k/Module.symvers
compare k m/ktap-probe.ko
like "two CRCs" "$err" "'scnprintf' has the CRC .* here, and 1 other\$"
# VERSIONS_SYMBOL
sed -i '/\tkstrtoull\t/d' k/Module.symvers
refused "a symbol" "'m/ktap-probe.ko' does not fit the kernel $RELEASE, which does not export the symbol 'kstrtoull'
  build it for this kernel: make kmod KDIR=k" k m/ktap-probe.ko
sed -i '/\tkstrtoll\t/d' k/Module.symvers
compare k m/ktap-probe.ko
like "two symbols" "$err" "export the symbol 'kstrtoll', and 1 other\$"
copy_of "$(headers debian-6.1)" k

# VERSIONS_MAGIC
for option in SMP PREEMPT_BUILD MODULE_UNLOAD; do
	sed -i "/^CONFIG_$option=y/d" k/include/config/auto.conf
	compare k m/ktap-probe.ko
	like "without CONFIG_$option" "$status $err" "^1 ktap: 'm/ktap-probe.ko' does not fit the kernel $RELEASE: its vermagic is '$RELEASE SMP preempt mod_unload modversions', and the kernel's is '$RELEASE [a-z_ A-Z]*'\$"
done
is "the words of vermagic" "${err##*kernel\'s is }" "'$RELEASE modversions'
  build it for this kernel: make kmod KDIR=k"
copy_of "$(headers debian-6.1)" k
sed -i 's/UTS_RELEASE ".*"/UTS_RELEASE "6.1.0-next"/' k/include/generated/utsrelease.h
compare k m/ktap-probe.ko
is "another release: CRCs decide" "$status,$err" "0,ktap: m/ktap-probe.ko: fits 6.1.0-next"
copy_of "$(headers debian-6.1)" k

# VERSIONS_NO_CRC
check "a module without CRCs" objcopy --remove-section __versions m/ktap-probe.ko m/bare.ko
compare k m/bare.ko
like "CRCs that are missing" "$status $err" "^1 ktap: 'm/bare.ko' does not fit the kernel $RELEASE: the module has no CRC of '[a-z_A-Z0-9]+', and [0-9]+ others\$"

# --- what exports the symbols of ktap.ko

mkdir alone
cp m/ktap-probe.ko alone/
refused "nothing does" "'alone/ktap-probe.ko' does not fit the kernel $RELEASE, which does not export the symbol 'ktap_image_start', and 1 other
  build it for this kernel: make kmod KDIR=k" k alone/ktap-probe.ko
compare k -q alone/ktap-probe.ko m/ktap.ko
is "a module that is given" "$status,$err" 0,
cp m/ktap.ko alone/
compare k -q alone/ktap-probe.ko
is "ktap.ko beside it" "$status,$err" 0,
sed 's/^0x[0-9a-f]*\(\tktap_image_start\t\)/0x0badbeef\1/' m/Module.symvers >alone/Module.symvers
compare k alone/ktap-probe.ko
like "Module.symvers beside it has another CRC" "$status $err" "'ktap_image_start' has the CRC 0x0badbeef there"
rm alone/Module.symvers
mkfifo alone/Module.symvers
refused "a FIFO beside it" "cannot read 'alone/Module.symvers': it is no regular file" k alone/ktap-probe.ko

# --- files that are no modules, or damaged

# MODULE_NOT_ONE, MODULE_TEMPLATE_OPEN
mkfifo fifo.ko
ln -s /dev/zero zero.ko
truncate -s 65M huge.ko
printf 'x' >one.ko
# patched NAME OFFSET BYTE (octal): a copy of the template
patched()
{
	cp m/ktap-probe.ko "$1" &&
		printf '%b' "\\0$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
check "another class" patched 32.ko 4 1
check "another byte order" patched big.ko 5 2
for file in fifo.ko zero.ko huge.ko one.ko 32.ko big.ko m "$KTAP" "$E2E/lib.sh"; do
	refused "no module: ${file##*/}" "cannot compare '$file' with a kernel: it is no kernel module" k "$file"
done
refused "no file" "cannot read 'none.ko': No such file or directory" k none.ko
objcopy --remove-section .modinfo m/ktap-probe.ko plain.ko
refused "no vermagic" "cannot compare 'plain.ko' with a kernel: it has no vermagic" k plain.ko
strip --strip-all -o stripped.ko m/ktap-probe.ko 2>/dev/null
refused "no symbols" "cannot compare 'stripped.ko' with a kernel: it has no symbol table" k stripped.ko
size=$(stat -c %s m/ktap-probe.ko)
for part in 1 2 5 9; do
	head -c $((size * part / 10)) m/ktap-probe.ko >"cut.ko"
	compare k cut.ko
	like "a module of which $part tenths are there" "$status $err" "^1 ktap: cannot compare 'cut.ko' with a kernel: "
done

# --- directories that are none

# KDIR_READ
HINT="
  --kdir is the directory where the target's kernel was built, or its headers, such as /lib/modules/RELEASE/build"
refused "no directory" "cannot read 'none/include/config/auto.conf': No such file or directory$HINT" none m/ktap.ko
refused "another directory" "cannot read './include/config/auto.conf': No such file or directory$HINT" . m/ktap.ko
refused "a file" "cannot read 'one.ko/include/config/auto.conf': Not a directory$HINT" one.ko m/ktap.ko
rm k/Module.symvers
refused "a kernel that is not built" "cannot read 'k/Module.symvers': No such file or directory
  building the kernel and its modules writes it; 'make modules_prepare' does not" k m/ktap.ko
mkfifo k/Module.symvers
refused "a FIFO" "cannot read 'k/Module.symvers': it is no regular file" k m/ktap.ko
rm k/Module.symvers
truncate -s 65M k/Module.symvers
refused "a huge file" "cannot read 'k/Module.symvers': File too large" k m/ktap.ko
# KDIR_SYMVERS
truncate -s 60M k/Module.symvers
refused "zeros" "'k/Module.symvers' is not a list of exported symbols: see line 1" k m/ktap.ko
: >k/Module.symvers
refused "an empty file" "'k/Module.symvers' is not a list of exported symbols: see line 1" k m/ktap.ko
copy_of "$(headers debian-6.1)" k
echo "0x1 printk vmlinux EXPORT_SYMBOL" >>k/Module.symvers
refused "a line without tabs" "'k/Module.symvers' is not a list of exported symbols: see line $(wc -l <k/Module.symvers)" k m/ktap.ko
copy_of "$(headers debian-6.1)" k
truncate -s -5 k/Module.symvers
compare k m/ktap.ko
like "a file that is cut" "$status $err" "^1 ktap: 'k/Module.symvers' is not a list of exported symbols: see line"
copy_of "$(headers debian-6.1)" k
# KDIR_RELEASE
echo '#define UTS_RELEASE ""' >k/include/generated/utsrelease.h
refused "no release" "'k/include/generated/utsrelease.h' does not have the release of a kernel" k m/ktap.ko
rm k/include/generated/utsrelease.h
mkdir k/include/generated/utsrelease.h
refused "a directory for a file" "cannot read 'k/include/generated/utsrelease.h': it is no regular file" k m/ktap.ko
rmdir k/include/generated/utsrelease.h
refused "no file of it" "cannot read 'k/include/config/kernel.release': No such file or directory" k m/ktap.ko
copy_of "$(headers debian-6.1)" k
# KDIR_CONFIG
sed -i '/^CONFIG_X86_64=y/d' k/include/config/auto.conf
refused "no architecture" "'k/include/config/auto.conf' is not the configuration of a kernel for x86-64 or arm64 that has modules" k m/ktap.ko
copy_of "$(headers debian-6.1)" k

# --- before a module is made

check "the program is built" gcc -g -O1 -static -Wl,--build-id -o parcel "$E2E/bundle/parcel.c"
# make_with DIR OPTION...
make_with()
{
	rm -rf made && mkdir made
	run "$KTAP" module -o made/one.ko --template m/ktap-probe.ko --kdir="$1" "${@:2}" \
		-x parcel=/bin/parcel '-x /bin/parcel parcel_lift'
}

make_with k -q
is "it fits, and is made" "$status,$err,$(ls made)" 0,,one.ko
compare k -q made/one.ko
is "what was made fits without anything beside it? no" "$status" 1
compare k -q made/one.ko m/ktap.ko
is "but with ktap.ko it does" "$status,$err" 0,
make_with "$new" -q
like "it does not fit" "$status $err" "^1 ktap: 'm/ktap-probe.ko' does not fit the kernel ${NEW//+/\\+}: "
is "and is not made" "$(ls made)" ""

# --- command lines

# MISSING_WORD, OPTION_NEEDS
run "$KTAP" module --kdir=k
is "no module" "$status $err" "2 ktap: missing: FILE.ko"
run "$KTAP" module --kdir=k -o a.ko m/ktap.ko
is "no template" "$status $err" "2 ktap: missing: --template ktap-probe.ko"
run "$KTAP" module --kdir=k --template m/ktap-probe.ko vfs_read
is "no output" "$status $err" "2 ktap: missing: -o NAME.ko"
for option in "-k vmlinux" "-x parcel=/bin/parcel" "-s src" "--param a=1:u8" "--sign-key k.pem" \
	"--sign-cert k.pem" "--sign-hash sha512"; do
	# shellcheck disable=SC2086 # two words
	run "$KTAP" module --kdir=k $option m/ktap.ko
	is "an option of making: ${option%% *}" "$status $err" "2 ktap: option '${option%% *}' is for '-o'"
done
finish
