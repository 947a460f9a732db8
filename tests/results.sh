#!/usr/bin/env bash
# results.sh FRESHET - doc/results*.md and the page that freshet makes of
# lab/results say what the files there say
set -u -o pipefail
freshet=$(realpath "$1")
. "$(dirname "$0")/sources.sh"

failed=0
lab/tables.sh || failed=1

page=$(mktemp) || exit 2
trap 'rm -f "$page"' EXIT
if ! "$freshet" lab report lab/results/*.csv >"$page"; then
    echo "lab/results: freshet lab report fails" >&2
    exit 1
fi

# Cells that hold, hold as a variant, are undecided and do not hold, in the order
# of both; a fifth number would be of cells that are not measured.
page_counts=$(sed -n '/id="summary"/,/<\/ul>/p' "$page" | grep -oE '<b>[0-9]+' |
    tr -d '<b>' | paste -s -d ' ')
counts=$(tail -n 1 lab/results/quick.txt | sed 's/^[0-9]* cells//' |
    grep -oE '[0-9]+' | paste -s -d ' ')
if [ "$counts" != "$page_counts" ]; then
    echo "lab/results/quick.txt counts $counts, the page $page_counts" >&2
    failed=1
fi
exit $failed
