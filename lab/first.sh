#!/usr/bin/env bash
# first.sh FRESHET - what awk, published filters and freshet remember in 1 MiB,
# and what a record costs: the CSV of the README's picture
#
# found is the share of repeats that are found when each comes as many keys after
# the record that it repeats as gap says, on a stream that does not end, so that
# every filter has forgotten what it must; drops is the share of new records that
# are taken for repeats.  ns is the processor time of the whole command for one
# record, the least of three runs.  awk never forgets, and takes more memory with
# each key; the row says how many keys it has in 1 MiB.
# shellcheck disable=SC2016 # the dollars are for awk
set -eu -o pipefail

freshet=$(realpath "$1")
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
records=3000000
memory=1048576

# NAME and what the laboratory calls it; all but the last allow 1 % false drops.
filters()
{
    cat <<'END'
sbf sbf:d=1,k=3,p=10
rlbsbf rlbsbf:k=10
a2 a2:k=8
apbf apbf:k=10,l=25
freshet-1% pocket:width=13
freshet pocket:width=26
END
}

# least COMMAND...: nanoseconds of processor time for a record of the stream
least()
{
    local TIMEFORMAT='%U %S' run

    for ((run = 0; run < 3; run++)); do
        { time "$@" "$work/stream" >/dev/null; } 2>&1
    done | awk -v n=$records '
        !least || $1 + $2 < least { least = $1 + $2 }
        END { printf "%.0f", least / n * 1e9 }'
}

# kib KEYS: the resident memory of awk that holds KEYS keys
kib()
{
    head -n "$1" "$work/stream" |
        /usr/bin/time -o "$work/peak" -f %M awk '!seen[$0]++' >/dev/null
    cat "$work/peak"
}

"$freshet" gen endless -n $records --repeats 1% --shape fixed --gap 100000 \
    --seed 1 >"$work/stream"
mapfile -t specs < <(filters | cut -d ' ' -f 2)
for gap in 1000 3000 10000 30000 60000 100000 140000 180000 220000 260000 \
    320000 400000 480000 560000 700000 1000000; do
    "$freshet" lab run -m $memory -e 1% --seeds 1 --csv "$work/lab.csv" \
        --stream "endless:n=$records,repeats=1%,shape=fixed,gap=$gap,seed=1" \
        "${specs[@]}" >/dev/null
done

echo name,gap,found,drops,ns
keys=$(((memory / 1024) * 100000 / ($(kib 200000) - $(kib 100000))))
echo "awk,$keys,1,0,$(least awk '!seen[$0]++')"
filters | while read -r name spec; do
    options=(--algorithm "${spec%%:*}")
    for param in $(tr , ' ' <<<"${spec#*:}"); do
        options+=(--param "$param")
    done
    ns=$(least "$freshet" --parallel 1 -m $memory "${options[@]}")
    # Fields in quotes hold commas: they become spaces first.
    awk -v name="$name" -v spec="${spec//,/ }" -v ns="$ns" '
        /^#/ { next }
        {
            n = split($0, part, "\"")
            line = ""
            for (i = 1; i <= n; i++) {
                if (i % 2 == 0)
                    gsub(",", " ", part[i])
                line = line part[i]
            }
            split(line, field, ",")
        }
        !column["stream"] { for (i in field) column[field[i]] = i; next }
        field[column["algorithm"]] == spec {
            gap = field[column["stream"]]
            sub(/.*gap=/, "", gap)
            printf "%s,%d,%.4f,%.3g,%s\n", name, gap,
                1 - field[column["steady_fnr"]],
                field[column["steady_fpr"]], ns
        }' "$work/lab.csv"
done
