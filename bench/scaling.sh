#!/usr/bin/env bash
# scaling.sh FRESHET [OPTION]... - what a record costs while a filter fills up,
# and whether that is close to what it costs afterwards
#
# Runs "FRESHET bench --scaling" with the options on the default filter and on
# one with slots of 16 bits, and judges the slowest point of each against what a
# record costs in the settled filter: the median of the last five points.  The
# filter must be settled at these: with 10^9 records and -m 256M it has got four
# times as many keys as it remembers.  Exit status 1 if a target is missed.
set -eu -o pipefail

. "$(dirname "$0")/times.sh"
freshet=$1
shift
report=$(mktemp)
trap 'rm -f "$report"' EXIT

"$freshet" bench --scaling "$@" pocket pocket:width=16 | tee "$report"

# Rows: "pocket, width=26,choices=2,refresh=1, 256M, stream half"; "1000000 14.00
# 71.4 0 0", a point; and "slowest: ..." after the last point.
echo
awk "$judging"'
    function settled(  i, j, few, swap) {
        for (i = 1; i <= 5; i++)
            few[i] = ns[points - 5 + i]
        for (i = 1; i <= 3; i++)
            for (j = i + 1; j <= 5; j++)
                if (few[j] < few[i]) {
                    swap = few[i]
                    few[i] = few[j]
                    few[j] = swap
                }
        return few[3]
    }
    /, stream / { name = $2; sub(/,.*/, "", name); points = slowest = 0 }
    $1 ~ /^[0-9]+$/ && NF == 5 {
        ns[++points] = $2
        if ($2 > slowest)
            slowest = $2
    }
    /^slowest: / && points >= 5 {
        judge("pocket " name ", slowest times settled", slowest / settled(),
            "at most", 1.25)
        rows++
    }
    END { exit rows < 2 ? 2 : missed > 0 }' "$report"
