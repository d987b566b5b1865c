#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Beside the kernel's own kprobe_events and uprobe_events: every definition of
# peer.defs is handed to both, word for word; both watch the same calls, and
# have to say the same of them, record by record. Every line of peer.errors is
# refused by both, at the same column.

. "${BASH_SOURCE[0]%/*}/lib.sh"

# segments PROGRAM: VADDR OFFSET SIZE of what is loaded
segments()
{
	readelf -lW "$1" | awk '$1 == "LOAD" { print $3, $2, $5 }'
}

# symbols PROGRAM: sed commands that put its symbols into peer.defs, found
# without any help of ktap
symbols()
{
	local address offset size symbol

	nm "$1" | awk '$3 ~ /^(u_|utarget_|global_)/ { print $1, $3 }' |
		while read -r address symbol; do
			address=$((0x$address))
			while read -r start offset size; do
				((address >= start && address < start + size)) || continue
				printf 's|{%s}|/root/utarget:0x%x|g\n' "$symbol" \
					$((address - start + offset))
				printf 's|{@%s}|0x%x|g\n' "$symbol" \
					$((address - start + offset))
				printf 's|{&%s}|0x%x|g\n' "$symbol" $((address))
			done < <(segments "$1")
		done
}

for kernel in $(kernels debian-6.1 debian-6.12); do
	utarget=$(program utarget "$kernel")
	symbols "$utarget" >"$WORK/symbols"
	mkdir -p "$WORK/peer"
	for table in peer.defs peer.names peer.errors; do
		sed -f "$WORK/symbols" "$E2E/$table" >"$WORK/peer/$table"
	done
	guest "$kernel" --module "$(target_module "$kernel")" \
		--add "$utarget" --add "$(program seek "$kernel")" \
		--add "$(program openstr "$kernel")" \
		--add "$WORK/peer/peer.defs" --add "$WORK/peer/peer.errors" \
		--add "$WORK/peer/peer.names" --add "$E2E/peer-names.guest" \
		--add "$E2E/peer-errors.guest" \
		-- peer.guest
done
finish
