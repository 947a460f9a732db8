#!/usr/bin/env bash
# scaling.sh FRESHET [OPTION]... - what a record costs while a filter fills up,
# and whether that is close to what it costs afterwards
#
# Runs "FRESHET bench --scaling" with the options on the default filter and on
# one with slots of 16 bits, and judges the slowest point of each against its
# last one, at which the filter must be settled: with 10^9 records and -m 256M
# it has got four times as many keys as it remembers.  Exit status 1 if a target
# is missed.
set -eu -o pipefail

. "$(dirname "$0")/times.sh"
freshet=$1
shift
report=$(mktemp)
trap 'rm -f "$report"' EXIT

"$freshet" bench --scaling "$@" pocket pocket:width=16 | tee "$report"

# Rows: "pocket, width=26,choices=2,refresh=1, 256M, stream half" and "slowest:
# 20.00 ns up to 125892541 records, 1.20 times the last".
echo
awk "$judging"'
    /, stream / { name = $2; sub(/,.*/, "", name) }
    /^slowest: / {
        judge("pocket " name ", slowest times the last", $8, "at most", 1.25)
        rows++
    }
    END { exit rows < 2 ? 2 : missed > 0 }' "$report"
