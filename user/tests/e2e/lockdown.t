#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Kernel lockdown: raised while probes are armed, and there from the start.

# shellcheck disable=SC2317 # called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1

# make_modules KERNEL: one that is not signed, and one with a foreign key
make_modules()
{
	local make=("$KTAP" module -q --template "$dir/ktap-probe.ko"
		-x "$dir/parcel=/bin/parcel" '-x /bin/parcel parcel_lift')

	mkdir -p "$dir"
	templates "$1" "$dir" &&
		gcc -g -O1 -static -Wl,--build-id -o "$dir/parcel" "$E2E/bundle/parcel.c" &&
		openssl req -x509 -newkey rsa:2048 -noenc -subj "/CN=key of a test" \
			-keyout "$dir/key.pem" -out "$dir/cert.pem" &&
		"${make[@]}" -o "$dir/unsigned.ko" &&
		"${make[@]}" -o "$dir/foreign.ko" --sign-key "$dir/key.pem" --sign-cert "$dir/cert.pem"
}

for kernel in $(kernels debian-6.1 debian-6.12); do
	dir=$WORK/$kernel
	check "$kernel: probe modules are made" make_modules "$kernel"
	guest "$kernel" --add "$dir/unsigned.ko" --add "$dir/foreign.ko" -- lockdown.guest raised
	for mode in integrity confidentiality; do
		guest "$kernel" --append "lockdown=$mode" -- lockdown.guest "$mode"
	done
done
finish
