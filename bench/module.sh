#!/usr/bin/env bash
# module.sh MODULE [SERVER] - the module's time per key, next to SET key 1 NX
#
# Starts SERVER (redis-server) with the module, a filter of 256 MiB and, for
# SET, a million keys; sends random keys, 16 commands at a time, and reads the
# server's own time per call from INFO commandstats.  The least of ROUNDS (20) rounds counts, and what is
# judged is its share of SET's.  Exit status 1 if a target is missed.
set -eu -o pipefail

module=$(realpath "$1")
server=${2:-redis-server}
rounds=${ROUNDS:-20}
port=${PORT:-17990}
keys=${KEYS:-100000}
work=$(mktemp -d)

"$server" --port "$port" --bind 127.0.0.1 --save '' --dir "$work" \
    --enable-debug-command yes --loadmodule "$module" >"$work/log" &
pid=$!
trap 'kill "$pid"; wait "$pid" || :; rm -rf "$work"' EXIT
ask()
{
    redis-cli -p "$port" "$@"
}
until [ "$(ask PING 2>/dev/null)" = PONG ]; do sleep 0.1; done
ask FR.RESERVE seen MEMORY 256M >/dev/null
ask DEBUG POPULATE 1000000 >/dev/null

# Requests of 1,000 hashes: random bytes, so that every line is as likely.
for ((i = 0; i < keys / 1000; i++)); do
    # shellcheck disable=SC2016 # the protocol's own dollars
    printf '*3\r\n$11\r\nFR.MADDHASH\r\n$4\r\nseen\r\n$16000\r\n'
    head -c 16000 /dev/urandom
    printf '\r\n'
done >"$work/hashes"

items=()
for ((i = 0; i < 100; i++)); do items+=(__rand_int__); done

# send NAME: some load that consists of one command.
send()
{
    local bench=(redis-benchmark -p "$port" -P 16 -r 1000000000 -q)

    case $1 in
    set) "${bench[@]}" -n "$keys" SET __rand_int__ 1 NX ;;
    fr.add) "${bench[@]}" -n "$keys" FR.ADD seen __rand_int__ ;;
    fr.madd) "${bench[@]}" -n $((keys / 100)) FR.MADD seen "${items[@]}" ;;
    fr.maddhash) ask --pipe <"$work/hashes" ;;
    esac >/dev/null
}

# ns NAME KEYS: the server's time for one key of such a call.
ns()
{
    ask INFO commandstats | tr -d '\r' | awk -F '[:=,]' -v keys="$2" \
        -v name="cmdstat_$1" 'tolower($1) == name { printf "%.1f\n", 1000 * $5 / $3 / keys }'
}

commands='set 1
fr.add 1
fr.madd 100
fr.maddhash 1000'
for ((round = 0; round < rounds; round++)); do
    while read -r name per_call; do
        ask CONFIG RESETSTAT >/dev/null
        send "$name"
        echo "$name $(ns "$name" "$per_call")"
    done <<<"$commands"
done | awk -v server="$("$server" --version)" '
    BEGIN {
        most["fr.add"] = 0.6; most["fr.madd"] = 1 / 8
        most["fr.maddhash"] = 1 / 20
        print server
    }
    NF != 2 { print "no figure for " $1; exit 2 }
    !($1 in best) { order[++n] = $1; best[$1] = $2 }
    $2 < best[$1] { best[$1] = $2 }
    END {
        printf "%-12s %10s %12s %8s\n", "command", "ns per key", "share of SET", "at most"
        for (i = 1; i <= n; i++) {
            name = order[i]
            share = best[name] / best["set"]
            good = !(name in most) || share <= most[name]
            printf "%-12s %10.1f %12.3f %8s %s\n", name, best[name], share,
                name in most ? sprintf("%.3f", most[name]) : "-",
                name in most ? (good ? "met" : "MISSED") : ""
            missed += !good
        }
        exit missed > 0
    }'
