# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion for bash: commands, options, events, functions, modules, processes and files.
# Commands and options come from the help texts of ktap.

# _ktap_help VERB: "OPTION VALUE" for each option, and for its short form
_ktap_help()
{
	ktap help "$1" 2>/dev/null | sed -nE '
		s/^ +(-([a-zA-Z]), )?--([a-z-]+)(=([A-Z]*\.?))?.*/-\2 --\3 \5/
		T
		s/^- //
		s/^(-[a-zA-Z]) (--[a-z-]+) (.*)/\1 \3\n\2 \3/
		p'
}

_ktap_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_ktap_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}

# Names without a ':', which bash takes for the end of a word.
_ktap_events()
{
	_ktap_words "$1" "$(ktap list --json 2>/dev/null |
		sed -n 's/.*"name":"\([^":]*\)".*/\1/p')"
}

# _ktap_functions WORD: all functions are too many for a list
_ktap_functions()
{
	((${#1} >= 3)) || return
	_ktap_words "$1" "$(ktap funcs -q -- "$1*" 2>/dev/null | head -n 2000)"
}

# _ktap_value KIND WORD
_ktap_value()
{
	case $1 in
	PATH | FILE | FILE. | DIR | OLD | NAME. | KEY. | CERT.) _ktap_files "$2" ;;
	MODULE) _ktap_words "$2" "$(sed 's/ .*//' /proc/modules 2>/dev/null)" ;;
	PID) _ktap_words "$2" "$(cd /proc && echo [0-9]*)" ;;
	NAME) _ktap_events "$2" ;;
	HOOK) _ktap_words "$2" "ftrace kprobe syscall" ;;
	CLOCK) _ktap_words "$2" "mono wall rel" ;;
	FORMAT) _ktap_words "$2" kprobe_events ;;
	HASH) _ktap_words "$2" "sha256 sha384 sha512" ;;
	esac
}

_ktap()
{
	local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local verb=${COMP_WORDS[1]:-} options kind i

	COMPREPLY=()
	if ((COMP_CWORD == 1)) || [[ $verb == help ]]; then
		_ktap_words "$cur" "$(ktap help 2>/dev/null |
			sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p') help version"
		return
	fi
	for ((i = 2; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == -- ]]; then
			if ((i == COMP_CWORD - 1)); then
				mapfile -t COMPREPLY < <(compgen -c -- "$cur")
			else
				_ktap_files "$cur"
			fi
			return
		fi
	done
	options=$(_ktap_help "$verb")
	# --option=value comes as three words
	if [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	elif [[ $cur == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 1]} cur=
	fi
	if [[ $before == -* ]]; then
		kind=$(awk -v option="$before" '$1 == option { print $2 }' <<<"$options")
		if [[ $kind ]]; then
			_ktap_value "$kind" "$cur"
			return
		fi
	fi
	if [[ $cur == -* ]]; then
		_ktap_words "$cur" "$(awk '{ print $1 }' <<<"$options")"
		return
	fi
	case $verb in
	del | enable | disable | list) _ktap_events "$cur" ;;
	script | report | load | run) _ktap_files "$cur" ;;
	status | mark) ;;
	*)
		_ktap_functions "$cur"
		[[ ${COMPREPLY[*]} ]] || _ktap_files "$cur"
		;;
	esac
}

complete -F _ktap ktap
