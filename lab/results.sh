#!/usr/bin/env bash
# results.sh FRESHET [NAME...] - measure what is kept in lab/results
#
# quick is what the papers print, made smaller; links is a crawler's stream,
# which is downloaded, and only measured if named; check is what freshet promises,
# and a promise that is not kept is the exit status 1; every other NAME is the
# file lab/experiments/NAME.lab.  Each CSV says its commit, command and machine.  One
# that was begun at this commit is gone on with, any other is begun anew.
set -eu

freshet=$1
shift
here=$(dirname "$0")
results=$here/results
names=("$@")
if [ $# -eq 0 ]; then
    names=(quick check theory bera-figures dutta-figures singh-figures deng-figures
        deng-table steady should doubtful)
fi

# A file that says nothing yet but the commit: freshet appends to it.
begin()
{
    local csv=$1 line="# commit   $commit"

    case $commit in
        *+dirty) ;;
        *) [ "$(head -qn 1 "$csv" 2>&1)" != "$line" ] || return 0 ;;
    esac
    echo "$line" >"$csv"
}

# keep NAME COMMAND...: what the command prints, into the file NAME
keep()
{
    local name=$1

    shift
    BENCH_RESULTS=$results "$here/../bench/run.sh" "$name" "$freshet" "$@" \
        >/dev/null
}

# Every filter on a crawler's links, at memories where it matters.
links()
{
    local work

    work=$(mktemp -d)
    "$here/links.sh" "$work/links.txt"
    sed 's/^/# data     /' "$work/links.txt.versions" >>"$1"
    (
        program=$(realpath "$freshet")
        mv "$1" "$work/links.csv"
        cd "$work"
        "$program" lab run --input links.txt -m 2K,8K,32K,128K -e 10% \
            --csv links.csv bloom sbf:d=1,k=2,p=4 sbf:d=2,k=2 \
            rsbf:k=2,sampling=early rsbf:k=3 bsbf:k=2 bsbfsd:k=2 rlbsbf:k=2 \
            sqf isqf:m=2 fpsbf buffer pocket >/dev/null
    )
    mv "$work/links.csv" "$1"
    rm -rf "$work"
}

status=0
commit=$("$here/../bench/commit.sh")
mkdir -p "$results"
for name in "${names[@]}"; do
    csv=$results/$name.csv
    echo "$csv"
    begin "$csv"
    case $name in
        quick) keep quick.txt lab reproduce --csv "$csv" ;;
        links) links "$csv" ;;
        check) keep check.txt lab check --csv "$csv" || status=$? ;;
        *)
            "$freshet" lab run --file "$here/experiments/$name.lab" \
                --csv "$csv" >/dev/null
            ;;
    esac
done
exit "$status"
