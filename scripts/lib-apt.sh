# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# An apt of our own, to fetch packages of either architecture without root
# and without touching the host's package state: its lists, its caches and
# its idea of the architectures are in the cache directory. Sources, keys,
# proxies and credentials are the host's. For another release of Debian than
# the host's there is one such apt more, with the suites of that release from
# the same mirror. Sourced after lib.sh.
#
# One user at a time: callers hold lock apt (apt_begin).

APT_DIR=$KTAP_CACHE/apt
APT_KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

# The host's effective configuration, less its state and its hooks.
apt_settings()
{
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
}

# The configuration may hold a proxy's password, hence the mode.
apt_configure()
{
	mkdir -p "$APT_DIR"/state/lists/partial "$APT_DIR"/cache/archives/partial
	: >>"$APT_DIR/state/status"
	rm -f "$APT_DIR/apt.conf.new"
	(umask 077 && apt_settings >"$APT_DIR/apt.conf.new")
	mv "$APT_DIR/apt.conf.new" "$APT_DIR/apt.conf"
}

private()
{
	APT_CONFIG=$APT_DIR/apt.conf "$@"
}

apt_update()
{
	note "updating the private package lists"
	# apt by itself takes lists that it could not fetch for a success
	if private apt-get update -qq -o APT::Update::Error-Mode=any >&2; then
		touch "$APT_DIR/updated"
	else
		warn "some package lists could not be updated; trying with what there is"
	fi
}

# apt_mirror LABEL: where the host has Debian, or Debian-Security, from.
apt_mirror()
{
	# shellcheck disable=SC2016 # apt expands them
	apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
		awk -v label="$1" '$1 == label && !n++ { print $2 }'
}

# apt_sources RELEASE: its lines. What is in backports alone is no upgrade of
# what a release has: a release of its own here.
apt_sources()
{
	local main security

	main=$(apt_mirror Debian)
	security=$(apt_mirror Debian-Security)
	[ -n "$main" ] || die "this host's sources have no Debian: where would $1 be?"
	[ -r "$APT_KEYS" ] || die "no $APT_KEYS: install debian-archive-keyring"
	echo "deb [signed-by=$APT_KEYS] $main $1 main"
	case $1 in
	*-backports) ;;
	*) echo "deb [signed-by=$APT_KEYS] ${security:-${main%/}-security/} $1-security main" ;;
	esac
}

# Nothing of the host's own release: its packages would be candidates too.
apt_configure_release()
{
	apt_sources "$1" >"$APT_DIR/sources.list"
	cat >>"$APT_DIR/apt.conf" <<-END
	Dir::Etc::sourcelist "$APT_DIR/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	END
}

# apt_begin_release RELEASE: take the lock, and lists that are at most a day old,
# of that release of Debian; with nothing for it, of the host's suites.
apt_begin_release()
{
	need_command apt-get "on a Debian system"
	[ "$(dpkg --print-architecture)" = amd64 ] ||
		die "the host is $(dpkg --print-architecture): test kernels need an amd64 Debian host"
	lock apt
	APT_DIR=$KTAP_CACHE/apt${1:+-$1}
	apt_configure
	[ -z "$1" ] || apt_configure_release "$1"
	[ -n "$(find "$APT_DIR/updated" -mtime -1 2>/dev/null)" ] || apt_update
}

apt_begin()
{
	apt_begin_release ''
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

# apt_closure PACKAGE...: with what has to be installed for them on a machine
# that has nothing.
apt_closure()
{
	private apt-get -s install --no-install-recommends "$@" |
		sed -n 's/^Inst \([^ ]*\) .*/\1/p'
}

# apt_fetch DIR PACKAGE...: leaves DIR/PACKAGE_VERSION_ARCH.deb. apt itself
# takes up a partial file where it ended and checks the sum at the end.
apt_fetch()
{
	local dir=$1 known mb

	shift
	read -r known mb < <(private apt-cache show --no-all-versions "$@" |
		awk '$1 == "Size:" { n++; sum += $2 } END { print n + 0, int(sum / 1048576) + 1 }')
	[ "$known" = $# ] || {
		warn "the sources lack one of $*: is the release's security suite listed?"
		return 1
	}
	mkdir -p "$dir"
	need_space "$dir" $((mb + 100)) "downloading $*"
	note "downloading $mb MB: $*"
	(cd "$dir" && private apt-get download -qq "$@" >&2)
}

# apt_fetch_again DIR PACKAGE...: a mirror may have moved on since the lists.
apt_fetch_again()
{
	apt_fetch "$@" && return
	apt_update
	apt_fetch "$@"
}

# apt_fetch_retry DIR PACKAGE...: the same, or this script ends.
apt_fetch_retry()
{
	apt_fetch_again "$@" ||
		die "cannot download ${*:2}: run this again to continue the download"
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
