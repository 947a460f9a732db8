#!/usr/bin/env bash
# first.sh [FRESHET [ROUNDS]] - what short runs cost beside cat, mawk and sort
#
# Times are hyperfine's medians, and of these the median of several rounds, in
# which all commands take turns.  What counts are the ratios of one run.
# Through a pipe the shell's own share is measured and taken off both sides.
# sort is timed in a UTF-8 locale, which is what Debian installs, and, without
# a target, in the C locale, where it compares bytes.  Exit status 1 if a
# target is missed.
set -eu -o pipefail

. "$(dirname "$0")/times.sh"
freshet=$(realpath "${1:-build/release/cli/freshet}")
rounds=${2:-5}
work=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8

# ---- Records -------------------------------------------------------------

ln -s "$freshet" "$work/freshet"
cd "$work"
PATH=$work:$PATH
echo 'one line' >one
freshet gen log -n 1000 --gap 1000 >thousand
freshet gen log -n 300000 --gap 300000 >many

# ---- Times ---------------------------------------------------------------

# time_all RUNS NAME COMMAND...: medians in seconds, as lines "NAME SECONDS"
time_all()
{
    local runs=$1 commands=()

    shift
    for ((; $#; )); do
        commands+=(--command-name "$1" "$2")
        shift 2
    done
    hyperfine --shell none --style none --warmup 3 --runs "$runs" \
        --export-csv times.csv "${commands[@]}" >hyperfine.log 2>&1 || {
        cat hyperfine.log >&2
        exit 2
    }
    awk -F, 'NR > 1 { print $1, $4 }' times.csv
}

for ((i = 0; i < rounds; i++)); do
    time_all 200 cat 'cat one' one 'freshet one' \
        shell "sh -c 'echo one line | :'" \
        shell-cat "sh -c 'echo one line | cat'" \
        shell-one "sh -c 'echo one line | freshet'" \
        mawk-thousand "mawk '!s[\$0]++' thousand" thousand 'freshet thousand'
    time_all 10 sort 'sort -u many' sort-c 'env LC_ALL=C sort -u many' \
        mawk-many "mawk '!s[\$0]++' many" many 'freshet many'
done >timings

# ---- Memory --------------------------------------------------------------

# resident NAME FILE: the largest resident set of freshet, in MiB
resident()
{
    /usr/bin/time -o peak -f %M freshet "$2" >/dev/null
    awk -v name="$1" '{ print "resident-" name, $1 / 1024 }' peak
}

{
    resident one one
    printf 'one line\n' | resident pipe -
    resident thousand thousand
    resident many many
} >memory

# ---- Judgement -----------------------------------------------------------

median_times <timings >medians
awk "$judging"'
    function show(what, name) {
        printf "%-44s %8.2f ms\n", what, 1000 * v[name]
    }
    { v[$1] = $2 }
    END {
        show("cat, one line", "cat")
        show("freshet, one line", "one")
        show("mawk, 1,000 lines (94 KB)", "mawk-thousand")
        show("freshet, 1,000 lines", "thousand")
        show("sort -u, 300,000 lines (28 MB)", "sort")
        show("sort -u, the same in the C locale", "sort-c")
        show("mawk, 300,000 lines", "mawk-many")
        show("freshet, 300,000 lines", "many")
        printf "\n"
        judge("one line from a file, times cat", v["one"] / v["cat"],
            "at most", 2)
        judge("one line from a pipe, times cat",
            (v["shell-one"] - v["shell"]) / (v["shell-cat"] - v["shell"]),
            "at most", 2)
        judge("1,000 lines, times mawk", v["thousand"] / v["mawk-thousand"],
            "at most", 2)
        judge("300,000 lines, sort -u, times freshet", v["sort"] / v["many"],
            "at least", 5)
        printf "%-44s %8.2f\n", "the same in the C locale",
            v["sort-c"] / v["many"]
        judge("300,000 lines, mawk, times freshet",
            v["mawk-many"] / v["many"], "at least", 10)
        judge("MiB resident, one line from a file", v["resident-one"],
            "at most", 8)
        judge("MiB resident, one line from a pipe", v["resident-pipe"],
            "at most", 8)
        judge("MiB resident, 1,000 lines", v["resident-thousand"],
            "at most", 16)
        judge("MiB resident, 300,000 lines", v["resident-many"],
            "at most", 64)
        exit missed > 0
    }' medians memory
