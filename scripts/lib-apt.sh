# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# An apt of our own, to fetch packages of either architecture without root
# and without touching the host's package state: its lists, its caches and
# its idea of the architectures are in the cache directory. Sources, keys,
# proxies and credentials are the host's. Sourced after lib.sh.
#
# One user at a time: callers hold lock apt (apt_begin).

APT_DIR=$KTAP_CACHE/apt

# The host's effective configuration, less its state and its hooks. It may
# hold a proxy's password, hence the mode.
apt_configure()
{
	mkdir -p "$APT_DIR"/state/lists/partial "$APT_DIR"/cache/archives/partial
	: >>"$APT_DIR/state/status"
	(
		umask 077
		apt-config dump |
			grep -Ev '^(APT::Architectures?|APT::Update|DPkg|Dir::(State|Cache)|Dir::Etc::(main|parts))\b'
		cat <<-END
		Dir::State "$APT_DIR/state";
		Dir::State::status "$APT_DIR/state/status";
		Dir::Cache "$APT_DIR/cache";
		Dir::Etc::main "/dev/null";
		Dir::Etc::parts "/dev/null";
		APT::Architecture "amd64";
		APT::Architectures { "amd64"; "arm64"; };
		APT::Get::List-Cleanup "true";
		Acquire::Retries "3";
		END
		# Only root may become the user _apt, who cannot write here.
		[ "$(id -u)" != 0 ] || echo 'APT::Sandbox::User "root";'
	) >"$APT_DIR/apt.conf.new"
	mv "$APT_DIR/apt.conf.new" "$APT_DIR/apt.conf"
}

private()
{
	APT_CONFIG=$APT_DIR/apt.conf "$@"
}

apt_update()
{
	note "updating the private package lists"
	private apt-get update -qq >&2 ||
		warn "some package lists could not be updated; trying with what there is"
	touch "$APT_DIR/updated"
}

# Take the lock, and lists that are at most a day old.
apt_begin()
{
	need_command apt-get "on a Debian system"
	[ "$(dpkg --print-architecture)" = amd64 ] ||
		die "the host is $(dpkg --print-architecture): test kernels need an amd64 Debian host"
	lock apt
	apt_configure
	[ -n "$(find "$APT_DIR/updated" -mtime -1 2>/dev/null)" ] || apt_update
}

apt_end()
{
	unlock apt
}

# apt_field PACKAGE FIELD: of the candidate version; empty when unknown.
apt_field()
{
	{ private apt-cache show --no-all-versions "$1" 2>/dev/null || true; } |
		awk -v f="$2:" '$1 == f && !n++ { $1 = ""; print substr($0, 2) }'
}

# apt_dependency PACKAGE PATTERN: the first dependency so named.
apt_dependency()
{
	apt_field "$1" Depends | tr ',|' '\n' |
		awk -v p="^$2\$" '$1 ~ p && !n++ { print $1 }'
}

# apt_fetch DIR PACKAGE...: leaves DIR/PACKAGE_VERSION_ARCH.deb. apt itself
# takes up a partial file where it ended and checks the sum at the end.
apt_fetch()
{
	local dir=$1 known mb

	shift
	read -r known mb < <(private apt-cache show --no-all-versions "$@" |
		awk '$1 == "Size:" { n++; sum += $2 } END { print n + 0, int(sum / 1048576) + 1 }')
	[ "$known" = $# ] ||
		die "this host's sources lack one of $*: is the release's security suite listed?"
	mkdir -p "$dir"
	need_space "$dir" $((mb + 100)) "downloading $*"
	note "downloading $mb MB: $*"
	(cd "$dir" && private apt-get download -qq "$@" >&2)
}

# apt_fetch_retry DIR PACKAGE...: a mirror may have moved on since the lists.
apt_fetch_retry()
{
	apt_fetch "$@" && return
	apt_update
	apt_fetch "$@" || die "cannot download $*: run this again to take it up where it ended"
}

# deb_of DIR PACKAGE: the file that apt_fetch left.
deb_of()
{
	local name=${2%%:*} file

	for file in "$1/${name}"_*.deb; do
		[ ! -f "$file" ] || { echo "$file"; return; }
	done
	die "no $name package in $1: run this again"
}
