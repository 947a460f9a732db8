#!/usr/bin/env bash
# run.sh NAME COMMAND... - run a measurement and keep what it prints
#
# The output goes to the terminal and to bench/results/NAME, where NAME ends
# in .txt or .csv, below a head that says what was run, on what, and when.
# The exit status is the command's; a missed target is a result too, and kept.
# BENCH_RESULTS names another directory, for trying things out.
set -eu -o pipefail

name=$1
shift
results=${BENCH_RESULTS:-bench/results}

machine()
{
    local cpu memory pages

    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    memory=$(awk '/^MemTotal:/ { printf "%.0f GiB", $2 / 1048576 }' \
        /proc/meminfo)
    pages=$(sed -n 's/.*\[\(.*\)\].*/\1/p' \
        /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || :)
    printf '%s, %s cores, %s, huge pages: %s, %s\n' \
        "${cpu:-unknown processor}" "$(nproc)" "$memory" "${pages:-unknown}" \
        "$(cc --version | head -n 1)"
}

BENCH_COMMIT=$("$(dirname "$0")/commit.sh")
export BENCH_COMMIT
mkdir -p "$results"
part=$results/.$name.part
trap 'rm -f "$part"' EXIT
{
    printf '# command  %s\n' "$*"
    printf '# commit   %s\n' "$BENCH_COMMIT"
    printf '# date     %s\n' "$(date -u +%Y-%m-%d)"
    printf '# machine  %s\n' "$(machine)"
} | tee "$part"
status=0
"$@" | tee -a "$part" || status=$?
if [ "$status" -gt 1 ]; then
    echo "run.sh: $1 failed with status $status; nothing kept" >&2
    exit "$status"
fi
mv "$part" "$results/$name"
exit "$status"
