#!/usr/bin/env bash
# speed.sh FRESHET [OPTION]... - the speed table, and whether it is met
#
# Runs "FRESHET bench" with the options on the rows below and judges each
# row's time as a multiple of the machine's limit, which is one line fetched,
# changed and written back; the default pocket filter also by the limit for two
# lines of one page, which is what it touches.  Exit status 1 if a target is
# missed.
set -eu -o pipefail

freshet=$1
shift
report=$(mktemp)
trap 'rm -f "$report"' EXIT

# The rows, and the most that each may take, times the limit; - for no target.
targets()
{
    cat <<'END'
pocket:choices=1,width=16 1.4
pocket:choices=2,width=16 2.2
pocket:choices=2,width=32 2.4
pocket                    -
set                       1.3
sbf:k=2,p=4               -
END
}

mapfile -t rows < <(targets | awk '{ print $1 }')
"$freshet" bench --batch 256 "$@" "${rows[@]}" | tee "$report"

# The first file gives the targets, the second the figures: a row is
# algorithm, batch, stream, ns, million records per second, times the limit.
targets | awk '
    function judge(what, good) {
        printf "%-72s %s\n", what, good ? "met" : "MISSED"
        missed += !good
    }
    NR == FNR { most[$1] = $2; next }
    /^limits of a table of/ { table = $6; print ""; next }
    /^two lines of one page +1 / { two_lines = $7; next }
    !($1 in most) || ($3 != "new" && $3 != "half") { next }
    most[$1] != "-" {
        judge(table " " $1 " " $3 ": " $6 " x limit, at most " most[$1],
              $6 <= most[$1])
    }
    $1 == "pocket" {
        judge(table " pocket " $3 ": " sprintf("%.2f", $4 / two_lines) \
              " x the limit for two lines, at most 1.5", $4 <= 1.5 * two_lines)
    }
    $1 ~ /^pocket/ && $1 !~ /choices=1/ { ns[$1, $3] = $4 }
    $1 ~ /^sbf/ {
        for (row in ns) {
            split(row, part, SUBSEP)
            if (part[2] == $3)
                judge(table " " part[1] " " $3 ": " sprintf("%.2f", $4 / ns[row]) \
                      " times as fast as sbf, at least 2", $4 >= 2 * ns[row])
        }
    }
    END { exit missed > 0 }' - "$report"
