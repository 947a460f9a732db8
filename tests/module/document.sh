#!/usr/bin/env bash
# document.sh - the commands of doc/redis.md work as they stand there
#
# In a directory where build/release has the module and the program under test.
# "apt install" is checked for the package's name and not run, unless FRESH is
# set: then the machine is one that may be changed.
set -eu -o pipefail

page=$(realpath "$(dirname "$0")/../../doc/redis.md")
ports=(7400 7401 7402 7403 7404)
if [ -z "${FRESH:-}" ] && ! command -v redis-server >/dev/null; then
    echo "redis: not installed, skipped"
    exit 77
fi
exec 9>"${TMPDIR:-/tmp}/freshet-document-$UID.lock"
flock 9 # the ports are those of the page: one run at a time

work=$(mktemp -d)
mkdir -p "$work"/build/release/{module,cli}
ln -s "$MODULE" "$work/build/release/module/freshet.so"
ln -s "$FRESHET" "$work/build/release/cli/freshet"
cd "$work"

# End the servers that run here, by their ids: they need their directories
# until they are gone.
finish()
{
    local port id

    for port in "${ports[@]}"; do
        id=$(redis-cli -p "$port" INFO server 2>/dev/null |
            sed -n 's/^process_id:\([0-9]*\).*/\1/p') || continue
        case $(readlink "/proc/${id:-none}/cwd") in
        "$work"*)
            kill -KILL "$id"
            while [ -d "/proc/$id" ]; do sleep 0.1; done
            ;;
        esac
    done
    rm -rf "$work"
}
trap finish EXIT

# A server on these ports is somebody else's.
for port in "${ports[@]}"; do
    if (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
        echo "port $port is taken, skipped"
        exit 77
    fi
done

# The commands of a section, one per line.
commands()
{
    awk -v name="<!-- test: $1 -->" '
        $0 == name { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside' "$page"
}

# A newcomer's typing takes longer than servers take to start, and a cluster's
# nodes to agree.
settle()
{
    local port

    for port in "${ports[@]}"; do
        case $1 in
        *redis-server*$port*)
            until redis-cli -p "$port" PING 2>/dev/null | grep -q PONG; do
                sleep 0.1
            done
            ;;
        *create*$port*)
            until redis-cli -p "$port" CLUSTER INFO | grep -q state:ok; do
                sleep 0.1
            done
            ;;
        esac
    done
}

# Run them, and keep what each prints.
run()
{
    local line n=0

    while read -r line; do
        n=$((n + 1))
        echo "\$ $line"
        case $line in
        'apt install '*)
            if [ -z "${FRESH:-}" ]; then
                apt-cache show "${line#apt install }" >/dev/null
            else
                bash -e -c "$line"
            fi
            continue
            ;;
        *redis-server*) LD_PRELOAD=${PRELOAD:-} \
            ASAN_OPTIONS=detect_leaks=0 bash -e -c "$line" >/dev/null 9>&- ;;
        *) bash -e -c "$line" </dev/null >"$1-$n" 2>&1 || {
            cat "$1-$n"
            return 1
        } ;;
        esac
        settle "$line"
    done < <(commands "$1")
    [ "$n" -eq 5 ] || { echo "$1 has $n commands, not 5"; return 1; }
}

same()
{
    [ "$(tr '\n' ' ' <"$1")" = "$2 " ] || {
        echo "$1: not $2:"
        cat "$1"
        exit 1
    }
}

run standalone
same standalone-4 '1 1 0'
grep -qx 86400000 standalone-5
run cluster
same cluster-3 'ann bob'
same cluster-4 cid
[ "$(grep -c '^127.0.0.1:740[123]: ' cluster-5)" -eq 3 ]
awk '{ n += $NF } END { exit n != 4 }' <(grep '^127' cluster-5)
run bloom
same bloom-2 OK
same bloom-3 '1 1 0'
same bloom-4 0
grep -qx 'Number of items inserted' bloom-5
echo ok
