#!/usr/bin/env bash
# gen.sh [FRESHET [RECORDS [RUNS]]] - the generators' speed, and whether it is met
#
# Text to /dev/null, in MB per second of processor time: a busy machine counts
# little.  The best of some runs, which take turns.  Short keys are the harder
# ones, for what counts is bytes; so the number of bytes a record is shown, too.
# Exit status 1 if a target is missed.
set -eu -o pipefail

freshet=${1:-build/release/cli/freshet}
records=${2:-20000000}
runs=${3:-5}

# The streams, each with the share of the records that makes a run short, and
# the least MB/s.  To craft a key of an attack takes 256 hashes: no target.
streams()
{
    cat <<'END'
uniform:distinct=15%           1     500
shuffled:distinct=15%          1     500
poisson                        1     500
bmodel                         1     500
zipf:universe=1e6              1     500
zipf:universe=1e9              1     500
endless                        1     500
endless:shape=fixed            1     500
endless:shape=loguniform       1     500
endless:shape=exponential      1     500
drift:universe=1e6             1     500
burst                          1     500
attack:against=7               0.01  -
log                            0.1   500
csv                            0.1   500
jsonl                          0.1   500
END
}

# write STREAM SHARE: its records
write()
{
    "$freshet" gen "$1" -n "$(awk "BEGIN { printf \"%d\", $records * $2 }")"
}

# seconds STREAM SHARE: of the processor, for one run
seconds()
{
    local TIMEFORMAT='%U %S'

    { time write "$1" "$2" >/dev/null; } 2>&1
}

{
    streams | while read -r stream share least; do
        echo "stream $stream $least $(write "$stream" "$share" | wc -lc)"
    done
    for ((i = 0; i < runs; i++)); do
        streams | while read -r stream share _; do
            echo "time $stream $(seconds "$stream" "$share")"
        done
    done
} | awk '
    $1 == "stream" {
        name[++n] = $2; least[$2] = $3; lines[$2] = $4; bytes[$2] = $5
        next
    }
    {
        if (!($2 in best) || $3 + $4 < best[$2]) best[$2] = $3 + $4
        if ($3 + $4 > worst[$2]) worst[$2] = $3 + $4
    }
    END {
        printf "%-28s %12s %6s %6s\n", "stream", "bytes/record", "MB/s", "worst"
        for (i = 1; i <= n; i++) {
            s = name[i]
            speed = bytes[s] / best[s] / 1e6
            good = speed >= least[s]
            verdict = "at least " least[s] (good ? "   met" : "   MISSED")
            if (least[s] == "-")
                verdict = "no target"
            else
                missed += !good
            printf "%-28s %12.1f %6.0f %6.0f   %s\n", s, bytes[s] / lines[s],
                   speed, bytes[s] / worst[s] / 1e6, verdict
        }
        exit missed > 0
    }'
