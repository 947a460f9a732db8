#!/usr/bin/env bash
# threads.sh FRESHET [OPTION]... - one filter decided by two threads, and whether
# that is fast
#
# Runs "FRESHET bench --threads 2" with the options on the filters that have a
# target, and judges how many times as fast as one thread two are.  Beside it
# stands what two threads reach with a filter each: what the machine's
# processors and memory allow.  Exit status 1 if a target is missed.
set -eu -o pipefail

. "$(dirname "$0")/times.sh"
freshet=$1
shift
report=$(mktemp)
trap 'rm -f "$report"' EXIT

"$freshet" bench --threads 2 --batch 256 "$@" pocket set | tee "$report"

# A row: "pocket, one filter by parts, stream new: one thread 20.00 ns, 2 threads
# 11.00 ns: 1.82 times as fast (with a filter each 10.50 ns: 1.90 times)".
echo
awk "$judging"'
    /, one filter by parts, / {
        name = $1 " stream " substr($7, 1, length($7) - 1)
        judge(name ", times one thread", $16, "at least", 1.7)
        printf "%-44s %8.2f\n", name ", with a filter each", $26
        rows++
    }
    END { exit rows < 4 ? 2 : missed > 0 }' "$report"
