#!/usr/bin/env bash
# remote.sh [FRESHET [MODULE [RECORDS [RUNS]]]] - the shared filter's speed
#
# The log of pipe.sh, from memory, through the filter here, through one on a
# server, and through four shards on a cluster of three, all on this machine.
# The servers are started here, on PORT (17980) and the three behind it.  A time
# is the median of the runs, which take turns.  Each begins with an empty filter:
# those of the servers have been used before, as a server's have.  What counts
# are the ratios.  With BEFORE=PROGRAM, the program of an older commit, both are
# compared, that one with its own module on the four ports behind.  Exit status 1 if a target is missed.  SERVER is redis-server or
# valkey-server.
set -eu -o pipefail

. "$(dirname "$0")/times.sh"
freshet=$(realpath "${1:-build/release/cli/freshet}")
module=$(realpath "${2:-build/release/module/freshet.so}")
records=${3:-10000000}
runs=${4:-15}
server=${SERVER:-redis-server}
client=${server%-server}-cli
port=${PORT:-17980}
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

# serve MODULE PORT [OPTION]...
serve()
{
    local module=$1 at=$2

    shift 2
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

# serve_all MODULE PORT: a server on PORT, a cluster on the three behind it
serve_all()
{
    local module=$1 at cluster=($(($2 + 1)) $(($2 + 2)) $(($2 + 3)))

    serve "$module" "$2"
    for at in "${cluster[@]}"; do
        serve "$module" "$at" --cluster-enabled yes
    done
    "$client" --cluster create "${cluster[@]/#/127.0.0.1:}" --cluster-yes \
        >"$work/created"
    for at in "${cluster[@]}"; do
        until "$client" -p "$at" CLUSTER INFO | grep -q state:ok; do
            sleep 0.1
        done
    done
}

ports=("$port")
serve_all "$module" "$port"
if [ -n "${BEFORE:-}" ]; then
    ports+=($((port + 4)))
    serve_all "$(dirname "$BEFORE")/../module/freshet.so" "${ports[1]}"
fi

# ---- Times ---------------------------------------------------------------

cd "$work"
# shellcheck disable=SC2094 # log is the name of a stream, too
"$freshet" gen log -n "$records" --gap "$records" >log
names=(local server cluster)
declare -A command=(
    [local]="$freshet log"
    [server]="$freshet --remote redis://127.0.0.1:$port/seen log"
    [cluster]="$freshet --remote redis://127.0.0.1:$((port + 1))/seen \
--shards $shards log"
)

add_before "$freshet" local server cluster
if [ -n "${BEFORE:-}" ]; then
    command[before-server]=${command[before-server]/:$port/:$((port + 4))}
    command[before-cluster]=${command[before-cluster]/:$((port + 1))/:$((port + 5))}
fi

# empty: all filters that the servers have
empty()
{
    local at

    for at in "${ports[@]}"; do
        "$client" -p "$at" FR.RESET seen
        for ((i = 0; i < shards; i++)); do
            "$client" -c -p $((at + 1)) FR.RESET "seen:{$i}"
        done
    done
}

for ((run = 0; run <= runs; run++)); do # the first is not counted
    for name in "${names[@]}"; do
        [ "$run" -eq 0 ] || empty >emptied
        once "$name" >>"timings-$((run > 0))"
    done
done

# ---- Load ----------------------------------------------------------------

# What each shard was offered in the last run, which was the cluster's.
for ((i = 0; i < shards; i++)); do
    "$client" -c -p $((port + 1)) FR.INFO "seen:{$i}" |
        awk -v shard="$i" 'before == "offered" { print shard, $1 }
            { before = $1 }'
done >offered

# ---- Judgement -----------------------------------------------------------

"$server" --version
median_times <timings-1 | sed "s/\$/ $(stat -c %s log)/" >medians
show "$freshet" <medians
echo
awk "$judging"'
    FILENAME == "medians" { s[$1] = $2; next }
    { sum += $2; shards++; if ($2 > most) most = $2 }
    END {
        judge("one server, share of the local speed",
            s["local"] / s["server"], "at least", 0.25)
        judge("cluster, share of one server'\''s speed",
            s["server"] / s["cluster"], "at least", 0.8)
        judge("busiest shard, times the mean of " shards,
            most * shards / sum, "at most", 1.1)
        limit["local"] = limit["server"] = limit["cluster"] = 1.01
        judge_before(s, limit)
        exit missed > 0
    }' medians offered
