#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Signed probe modules: compared here with what the kernel's scripts/sign-file makes, and
# verified by openssl. Kernels of Debian, which do not know the key, refuse them once
# signatures are enforced. With KTAP_FULL=1, or KERNELS=signed, they are loaded into a
# kernel that knows the key.

# shellcheck disable=SC2016,SC2154,SC2317 # definitions; set by "run"; called by "check"
. "${BASH_SOURCE[0]%/*}/lib.sh"

KTAP=$(host_ktap) || exit 1
MARK='~Module signature appended~'
mapfile -t NOT_KNOWING < <(kernels debian-6.1 debian-6.12)
mapfile -t KNOWING < <(kernels signed)

# new_key NAME ALGORITHM [OPTION...]: NAME.pem, its certificate NAME.crt, and that as NAME.der
new_key()
{
	local name=$1

	shift
	openssl genpkey -out "$name.pem" -algorithm "$@" &&
		openssl req -new -x509 -key "$name.pem" -subj "/CN=key of a test" -days 3650 \
			-out "$name.crt" &&
		openssl x509 -in "$name.crt" -outform DER -out "$name.der"
}

# flip FILE TO OFFSET: a copy in which a byte is another
flip()
{
	cp "$1" "$2" && /usr/bin/python3 - "$2" "$3" <<-"END"
		import sys
		with open(sys.argv[1], "r+b") as f:
		    f.seek(int(sys.argv[2]), 0 if int(sys.argv[2]) >= 0 else 2)
		    byte = f.read(1)[0]
		    f.seek(-1, 1)
		    f.write(bytes([byte ^ 1]))
	END
}

# --- here

# sign_file KERNEL: the program of that kernel's build, for this machine
sign_file()
{
	local headers

	headers=$("$TOP/scripts/kernels" path "$1" headers) || return
	readlink -f "$headers/scripts/sign-file"
}

# make_in DIR OPTION...: makes DIR/one.ko
make_in()
{
	mkdir -p "$1"
	run "$KTAP" module -o "$1/one.ko" --template "$template" "${@:2}" \
		-x "parcel=/bin/parcel" '-x /bin/parcel parcel_lift'
}

# as_sign_file DIR HASH KEY CERT: DIR/one.ko is what sign-file makes of the unsigned one
as_sign_file()
{
	"$SIGN_FILE" "$2" "$3" "$4" plain/one.ko by-sign-file.ko &&
		cmp by-sign-file.ko "$1/one.ko"
}

# verified DIR CERT [OPTION...]: openssl finds that the signature is of CERT and of the module
verified()
{
	local plain

	plain=$(stat -c %s plain/one.ko)
	head -c "$plain" "$1/one.ko" | cmp - plain/one.ko &&
		tail -c "+$((plain + 1))" "$1/one.ko" | head -c -40 >message &&
		openssl cms -verify -binary -inform DER -in message \
			-content plain/one.ko -certfile "$2" -nointern -noverify \
			-out /dev/null
}

# refused TEXT OPTION...
refused()
{
	local text=$1

	shift
	make_in refused "$@"
	is "refused: $*" "$status $err" "$text"
	check "refused: $*: there is no file" [ -z "$(ls refused)" ]
}

# what is refused is named by relative paths
dir=$WORK/host
mkdir -p "$dir"
cd "$dir" || exit 1
check "the template is built" templates debian-6.1 .
template=ktap-probe.ko
check "the program is built" gcc -g -O1 -static -Wl,--build-id -o parcel \
	"$E2E/bundle/parcel.c"
check "a key" new_key rsa RSA -pkeyopt rsa_keygen_bits:2048
check "another key" new_key other RSA -pkeyopt rsa_keygen_bits:2048
check "a key of an elliptic curve" new_key curve EC -pkeyopt ec_paramgen_curve:P-384
cat rsa.pem rsa.crt >both.pem
S=(--sign-key rsa.pem --sign-cert rsa.crt)
SIGN_FILE=$(sign_file debian-6.1)
check "the kernel has its sign-file" [ -x "$SIGN_FILE" ]

make_in plain
is "unsigned: status" "$status" 0
like "unsigned: the note" "$err" ': 1 probe, [0-9]+ bytes$'
make_in rsa "${S[@]}"
is "signed: status" "$status" 0
like "signed: the note" "$err" \
	": 1 probe, $(stat -c %s rsa/one.ko) bytes, signed with sha256\$"
check "signed: as sign-file does it" as_sign_file rsa sha256 rsa.pem rsa.crt
check "signed: verified by openssl" verified rsa rsa.crt
check "signed: not by another key" eval '! verified rsa other.crt'
is "signed: modinfo shows the hash" \
	"$(modinfo -F sig_hashalgo rsa/one.ko)" sha256
for hash in sha256 sha384 sha512; do
	make_in "$hash" -q "${S[@]}" --sign-hash="$hash"
	is "$hash: status, no note" "$status,$err" 0,
	check "$hash: as sign-file does it" as_sign_file "$hash" "$hash" rsa.pem rsa.crt
done
make_in der -q --sign-key rsa.pem --sign-cert rsa.der
check "a certificate in DER format" as_sign_file der sha256 rsa.pem rsa.der
make_in both -q --sign-key both.pem --sign-cert both.pem
check "key and certificate in one file" as_sign_file both sha256 both.pem both.pem
make_in pipe -q --sign-key <(cat rsa.pem) --sign-cert rsa.crt
check "a key from a pipe" cmp rsa/one.ko pipe/one.ko
make_in curve "${S[@]}" -q --sign-key curve.pem --sign-cert curve.crt
check "an elliptic curve: verified" verified curve curve.crt
cp rsa/one.ko again.ko
make_in rsa -q "${S[@]}"
check "made again: the same bytes" cmp again.ko rsa/one.ko

# the template says what its kernel uses
sed 's/sign_hash=sha256/sign_hash=sha384/' ktap-probe.ko >384.ko
template=384.ko
make_in by384 "${S[@]}"
like "another hash of the template" "$err" 'signed with sha384$'
sed 's/sign_hash=sha256/sign_hush=sha256/' ktap-probe.ko >older.ko
template=older.ko
make_in older "${S[@]}"
like "a template that does not say it" "$err" 'signed with sha256$'
# SIGN_HASH
sed 's/sign_hash=sha256/sign_hash=sha999/' ktap-probe.ko >999.ko
template=999.ko
refused "1 ktap: the kernel of '$template' signs its modules with sha999, which cannot be used here
  choose one that the kernel has: --sign-hash=sha256|sha384|sha512" "${S[@]}"
make_in chosen "${S[@]}" --sign-hash=sha512
is "but another can be used" "$status" 0
"$SIGN_FILE" sha256 rsa.pem rsa.crt ktap-probe.ko signed.ko
template=signed.ko
make_in resigned -q "${S[@]}"
is "a signed template: one signature" "$(grep -ac "$MARK" resigned/one.ko)" 1
check "a signed template: that of the module" cmp rsa/one.ko resigned/one.ko
template=ktap-probe.ko

# MISSING_WORD
refused "2 ktap: missing: --sign-cert CERT.pem" --sign-key rsa.pem
refused "2 ktap: missing: --sign-key KEY.pem" --sign-cert rsa.crt
# OPTION_NEEDS
refused "2 ktap: option '--sign-hash' is for '--sign-key'" --sign-hash=sha256
# OPTION_BAD_VALUE
refused "2 ktap: bad value 'md5' for option '--sign-hash'
  sha256, sha384 or sha512" "${S[@]}" --sign-hash=md5
# SIGN_READ
refused "1 ktap: cannot read '/none.pem': No such file or directory" "${S[@]}" --sign-key /none.pem
refused "1 ktap: cannot read '/none.crt': No such file or directory" "${S[@]}" --sign-cert /none.crt
refused "1 ktap: cannot read '$dir': Is a directory" "${S[@]}" --sign-key "$dir"
# SIGN_KEY
head -c 500 rsa.pem >cut.pem
sed '3s/./!/' rsa.pem >damaged.pem
sed '2s/^MI/MJ/' rsa.pem >changed.pem
: >empty.pem
for key in cut.pem damaged.pem changed.pem empty.pem rsa.crt rsa.der; do
	refused "1 ktap: '$key' has no private key in PEM format, or a damaged one" \
		"${S[@]}" --sign-key "$key"
done
# SIGN_KEY_LOCKED
openssl pkey -in rsa.pem -aes128 -passout pass:x -out locked.pem
openssl pkey -in rsa.pem -traditional -aes128 -passout pass:x -out locked1.pem
for key in locked.pem locked1.pem; do
	refused "1 ktap: the private key in '$key' has a passphrase
  use a copy without one: openssl pkey -in $key -out COPY; or --sign-key <(openssl pkey -in $key)" \
		"${S[@]}" --sign-key "$key"
done
# SIGN_CERT
head -c 500 rsa.crt >cut.crt
head -c 500 rsa.der >cut.der
for cert in cut.crt cut.der rsa.pem empty.pem; do
	refused "1 ktap: '$cert' has no certificate in PEM or DER format, or a damaged one" \
		"${S[@]}" --sign-cert "$cert"
done
# SIGN_PAIR
refused "2 ktap: the certificate 'other.crt' does not belong to the private key 'rsa.pem'" \
	"${S[@]}" --sign-cert other.crt
refused "2 ktap: the certificate 'curve.crt' does not belong to the private key 'rsa.pem'" \
	"${S[@]}" --sign-cert curve.crt
# SIGN_FAILED: such a key cannot sign a hash
check "a key that signs no hashes" new_key edwards ED25519
cp rsa/one.ko again.ko
make_in rsa --sign-key edwards.pem --sign-cert edwards.crt
like "it cannot be used" "$status $err" '^1 ktap: cannot sign the module: [a-z ]+$'
check "the file that was there is there" cmp again.ko rsa/one.ko
is "and there is no temporary file" "$(ls rsa)" one.ko

# --- in a kernel that does not know the key

# enforced KERNEL
enforced()
{
	local kernel=$1

	dir=$WORK/$1
	mkdir -p "$dir"
	cd "$dir" || return
	check "$kernel: the template is built" templates "$kernel" .
	cp "$WORK"/host/{parcel,rsa.pem,rsa.crt} .
	make_in unsigned -q
	is "$kernel: an unsigned module is made" "$status" 0
	make_in foreign -q "${S[@]}"
	is "$kernel: a signed module is made" "$status" 0
	guest "$kernel" --add unsigned --add foreign -- sign.guest enforced
}

for kernel in "${NOT_KNOWING[@]}"; do
	enforced "$kernel"
done

# --- in a kernel that knows the key, and takes signed modules only

# module NAME [OPTION...]: NAME/one.ko
module()
{
	mkdir -p "$dir/$1"
	check "$kernel: the module $1 is made" "$KTAP" module -q -o "$dir/$1/one.ko" \
		--template "$dir/ktap-probe.ko" -k "$image" "${@:2}" \
		'one=vfs_read n=$arg3:u64 if $arg3 == 77'
}

# try KERNEL
try()
{
	local kernel=$1 image certs name size
	local -a added=()

	dir=$WORK/$1
	mkdir -p "$dir"
	check "$kernel: the template is built" templates "$kernel" "$dir"
	image=$(vmlinux "$kernel") || return
	certs=$("$TOP/scripts/kernels" path "$kernel" headers)/certs
	module unsigned
	module signed --sign-key "$certs/signing_key.pem" --sign-cert "$certs/signing_key.x509"
	like "$kernel: it has the hash of the kernel" \
		"$(modinfo -F sig_hashalgo "$dir/signed/one.ko")" '^sha512$'
	check "$kernel: as sign-file of this kernel does it" \
		"$(sign_file "$kernel")" sha512 "$certs/signing_key.pem" \
		"$certs/signing_key.x509" "$dir/unsigned/one.ko" "$dir/by-sign-file.ko"
	check "$kernel: the bytes are the same" cmp "$dir/by-sign-file.ko" "$dir/signed/one.ko"
	# the kernel has no SHA-1
	mkdir "$dir/weak"
	check "$kernel: a module is signed with SHA-1" "$(sign_file "$kernel")" sha1 \
		"$certs/signing_key.pem" "$certs/signing_key.x509" "$dir/unsigned/one.ko" \
		"$dir/weak/one.ko"
	module foreign --sign-key "$WORK/host/other.pem" --sign-cert "$WORK/host/other.crt"
	size=$(stat -c %s "$dir/unsigned/one.ko")
	mkdir "$dir/changed" "$dir/torn"
	check "$kernel: a module is changed" flip "$dir/signed/one.ko" "$dir/changed/one.ko" $((size / 2))
	check "$kernel: a signature is changed" flip "$dir/signed/one.ko" "$dir/torn/one.ko" -60
	check "$kernel: ktap.ko is signed" "$(sign_file "$kernel")" sha512 \
		"$certs/signing_key.pem" "$certs/signing_key.x509" "$dir/ktap.ko"
	for name in unsigned signed weak foreign changed torn ktap.ko; do
		added+=(--add "$dir/$name")
	done
	guest "$kernel" "${added[@]}" --get /root/F.data:"$dir/F.data" -- sign.guest forced
	run "$KTAP" script -i "$dir/F.data"
	is "$kernel: the recording of the signed module" "$status,$(grep -c ' one: .*n=77' <<<"$out")" 0,4
}

if [ -z "${KTAP_FULL:-}${KERNELS:-}" ]; then
	skip "a kernel that takes signed modules only" \
		"it is built for this: KTAP_FULL=1, or KERNELS=signed"
	finish
fi
for kernel in "${KNOWING[@]}"; do
	try "$kernel"
done
finish
