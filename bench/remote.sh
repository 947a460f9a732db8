#!/usr/bin/env bash
# remote.sh [FRESHET [MODULE [RECORDS [RUNS]]]] - the shared filter's speed
#
# The log of pipe.sh, from memory, through the filter here, through one on a
# server, and through four shards on a cluster of three, all on this machine.
# The servers are started here, on PORT (17980) and the three behind it.  A time
# is the best of some runs, which take turns.  Each begins with an empty filter:
# those of the servers have been used before, as a server's have.  What counts
# are the ratios.  Exit status 1 if a target is missed.  SERVER is redis-server
# or valkey-server.
set -eu -o pipefail

freshet=$(realpath "${1:-build/release/cli/freshet}")
module=$(realpath "${2:-build/release/module/freshet.so}")
records=${3:-10000000}
runs=${4:-5}
server=${SERVER:-redis-server}
client=${server%-server}-cli
port=${PORT:-17980}
cluster=($((port + 1)) $((port + 2)) $((port + 3)))
shards=4
work=$(mktemp -d -p /dev/shm)
pids=()

finish()
{
    if [ ${#pids[@]} -gt 0 ]; then
        kill "${pids[@]}"
        wait "${pids[@]}" || :
    fi
    rm -rf "$work"
}
trap finish EXIT

# ---- Servers -------------------------------------------------------------

# serve PORT [OPTION]...
serve()
{
    local at=$1

    shift
    if "$client" -p "$at" PING >/dev/null 2>&1; then
        echo "remote.sh: port $at is somebody else's; set PORT" >&2
        exit 2
    fi
    mkdir "$work/$at"
    "$server" --port "$at" --bind 127.0.0.1 --save '' --dir "$work/$at" \
        --loadmodule "$module" "$@" >"$work/$at/log" &
    pids+=($!)
    until [ "$("$client" -p "$at" PING 2>/dev/null)" = PONG ]; do
        kill -0 "${pids[-1]}" || {
            cat "$work/$at/log" >&2
            exit 2
        }
        sleep 0.1
    done
}

serve "$port"
for at in "${cluster[@]}"; do
    serve "$at" --cluster-enabled yes
done
"$client" --cluster create "${cluster[@]/#/127.0.0.1:}" --cluster-yes \
    >"$work/created"
for at in "${cluster[@]}"; do
    until "$client" -p "$at" CLUSTER INFO | grep -q state:ok; do
        sleep 0.1
    done
done

# ---- Times ---------------------------------------------------------------

cd "$work"
# shellcheck disable=SC2094 # log is the name of a stream, too
"$freshet" gen log -n "$records" --gap "$records" >log
names=(local server cluster)
declare -A command=(
    [local]="$freshet log"
    [server]="$freshet --remote redis://127.0.0.1:$port/seen log"
    [cluster]="$freshet --remote redis://127.0.0.1:${cluster[0]}/seen \
--shards $shards log"
)

# seconds NAME: of one run, or why it failed
seconds()
{
    local TIMEFORMAT=%R

    { time bash -c "${command[$1]}" >/dev/null; } 2>&1
}

# empty: all filters that the servers have
empty()
{
    "$client" -p "$port" FR.RESET seen
    for ((i = 0; i < shards; i++)); do
        "$client" -c -p "${cluster[0]}" FR.RESET "seen:{$i}"
    done
}

for ((run = 0; run <= runs; run++)); do # the first is not counted
    for name in "${names[@]}"; do
        [ "$run" -eq 0 ] || empty >emptied
        taken=$(seconds "$name") || { echo "$name: $taken" >&2; exit 2; }
        [ "$run" -eq 0 ] || echo "$name $taken"
    done
done >timings

# ---- Load ----------------------------------------------------------------

# What each shard was offered in the last run, which was the cluster's.
for ((i = 0; i < shards; i++)); do
    "$client" -c -p "${cluster[0]}" FR.INFO "seen:{$i}" |
        awk -v shard="$i" 'before == "offered" { print shard, $1 }
            { before = $1 }'
done >offered

# ---- Judgement -----------------------------------------------------------

"$server" --version
for name in "${names[@]}"; do
    awk -v name="$name" -v bytes="$(stat -c %s log)" '
        $1 == name && (!best || $2 < best) { best = $2 }
        END { print name, best, bytes / best / 1e6 }' timings
done >best
while read -r name time speed; do
    printf '%-8s %7.3f s %6.0f MB/s   %s\n' "$name" "$time" "$speed" \
        "${command[$name]//$freshet/freshet}"
done <best
echo
awk '
    function judge(what, value, kind, target) {
        good = kind == "at most" ? value <= target : value >= target
        printf "%-40s %8.2f   %s %-5g %s\n", what, value, kind, target,
            good ? "met" : "MISSED"
        missed += !good
    }
    FILENAME == "best" { speed[$1] = $3; next }
    { sum += $2; shards++; if ($2 > most) most = $2 }
    END {
        judge("one server, share of the local speed",
            speed["server"] / speed["local"], "at least", 0.25)
        judge("cluster, share of one server'\''s speed",
            speed["cluster"] / speed["server"], "at least", 0.8)
        judge("busiest shard, times the mean of " shards,
            most * shards / sum, "at most", 1.1)
        exit missed > 0
    }' best offered
