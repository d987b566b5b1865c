#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Probe modules that aggregate: made here; on the target ktap run, cat and hostile callers
# read what they added up, which has to equal what a session adds up of the same hits.

# shellcheck disable=SC2016,SC2154,SC2317 # definitions; set by "run"; called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
SCHEMA=$TOP/Documentation/ktap-json.schema.json
FORGED=${KTAP_FORGED:-20} # modules with random changes to load
DD='if $comm == "dd"'

# What a session aggregates, too: counts, sums, histograms, extremes, returns, stacks of the
# kernel, state, and no key at all.
SAME=("reads=vfs_read by \$comm size=\$arg3:u64 $DD"
	"got=vfs_read%return sum(\$retval) by \$pid $DD"
	"sizes=vfs_read hist(\$arg3) by \$comm $DD"
	"steps=vfs_read hist(\$arg3,0,1000,100) stats(\$arg3) $DD"
	"stacks=vfs_read by \$kstack $DD"
	"vfs_read store(\$tid,\$arg3) $DD"
	"asked=vfs_read%return asked=sum(\$load(\$tid)) by \$comm $DD")

# The first probe of 'bad' has a value, and a key whose size differs between hits.
make_modules()
{
	local image how i

	image=$(vmlinux "$1") || return
	probe_module maps "${SAME[@]}"
	probe_module mixed "reads=vfs_read by \$pid $DD" "one=vfs_read n=\$arg3:u64 $DD" \
		"sizes=vfs_read n=sum(\$arg3) by \$comm $DD"
	probe_module pids "pids=vfs_read n=sum(\$arg3) by \$pid $DD"
	probe_module bad "bad=vfs_read n=sum(\$arg3:u64) by name=@linux_banner:string(64) $DD"
	probe_module big 'big=vfs_read by name=@linux_banner:string(1200)'
	probe_module one 'one=vfs_read n=$arg3:u64 if $arg3 == 77'
	check "$1: a bundle is made" "$KTAP" bundle -q -o "$dir/maps.ktap" -k "$image" "${SAME[@]}"
	"$E2E/probemod/forge.py" "$dir/one.ko" "$dir/old_one.ko" old || return
	for how in size none room key reply bytes reserved nr kind fault off beyond; do
		"$E2E/probemod/forge.py" "$dir/bad.ko" "$dir/map_$how.ko" "map_$how" || return
	done
	mkdir -p "$dir/forged"
	for ((i = 1; i <= FORGED; i++)); do
		"$E2E/probemod/forge.py" "$dir/maps.ko" "$dir/forged/f$i.ko" "$i" || return
	done
}

# decoded: what the recordings of the guest say here
decoded()
{
	run "$KTAP" script --json -i "$dir/cat.data"
	is "$kernel: cat: decoded here" "$status $err" "0 "
	is "$kernel: cat: rows, as far as they have no tasks" \
		"$(grep -E '"name":"(reads|sizes|steps|asked)"' <<<"$out")" \
		'{"v":1,"name":"reads","count":8,"other":false,"keys":{"comm":"dd","size":77},"values":{}}
{"v":1,"name":"sizes","count":8,"other":false,"keys":{"comm":"dd"},"values":{"arg3":{"n":8,"faulted":0,"buckets":[{"min":64,"max":127,"count":8}]}}}
{"v":1,"name":"steps","count":8,"other":false,"keys":{},"values":{"arg3":{"n":8,"faulted":0,"buckets":[{"min":0,"max":99,"count":8}]},"arg3_2":{"n":8,"faulted":0,"sum":616,"min":77,"max":77}}}
{"v":1,"name":"asked","count":8,"other":false,"keys":{"comm":"dd"},"values":{"asked":{"n":8,"faulted":0,"sum":616}}}'
	check "$kernel: cat: as the schema says" "$E2E/json/check" "$SCHEMA" row <<<"$out"
	is "$kernel: cat: the same from a pipe" \
		"$("$KTAP" script --json -i - <"$dir/cat.data")" "$out"
	run "$KTAP" script -k "$(vmlinux "$kernel")" -i "$dir/cat.data"
	like "$kernel: cat: stacks have names" "$out" '^	vfs_read\+0x0$'
	run "$KTAP" report -i "$dir/cat.data"
	like "$kernel: cat: a report" "$out" '^ +8 +"dd" +77$'
	check "$kernel: rows as the schema says" "$E2E/json/check" "$SCHEMA" row <"$dir/rows.json"
}

# try KERNEL
try()
{
	local kernel=$1 dir=$WORK/$1 arch name
	local -a added=()

	arch=$(uname -m)
	! is_arm64 "$kernel" || arch=arm64
	mkdir -p "$dir"
	check "$kernel: the template is built" templates "$kernel" "$dir"
	check "$kernel: the hostile caller is built" tie "$kernel"
	check "$kernel: ktap-target is built" "$TOP/scripts/make" target ARCH_TARGET="$arch" WERROR=1
	make_modules "$kernel"
	for name in "$dir"/*.ko "$dir/maps.ktap" "$dir/tie" "$dir/forged"; do
		[[ $name = */ktap.ko ]] || added+=(--add "$name")
	done
	printf '%s\n' "${SAME[@]}" >"$dir/same.defs"
	guest "$kernel" --timeout 1800 --smp 2 "${added[@]}" --add "$dir/same.defs" \
		--add "$TOP/build/$arch/ktap-target" \
		--get /root/out.tar:"$dir/out.tar" -- modmaps.guest
	tar xf "$dir/out.tar" -C "$dir" || return
	decoded
}

run "$KTAP" run --interval=1 -o F a.ko
is "run -o has no intervals" "$status $err" "2 ktap: options '-o' and '--interval' exclude each other"
run "$KTAP" run --interval=x a.ko
like "an interval that is no number" "$status $err" "^2 .*'x'"

for kernel in $(kernels debian-6.1 debian-6.12-arm64 bare); do
	try "$kernel"
done
finish
