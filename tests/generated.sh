#!/usr/bin/env bash
# generated.sh FRESHET [update] - what the tables imply is committed, and up to
# date
set -eu
freshet=$(realpath "$1")
. "$(dirname "$0")/sources.sh"

failed=0
# check FILE COMMAND...
check()
{
    local file=$1

    shift
    if [ "${action:-}" = update ]; then
        "$@" >"$file"
    elif ! "$@" | diff -u "$file" -; then
        echo "$file is stale: make generate" >&2
        failed=1
    fi
}
action=${2:-}
check doc/man/freshet.1 "$freshet" --generate man \
    <doc/man/freshet.1.in
check doc/man/freshet-kafka.1 "$freshet" --generate man \
    <doc/man/freshet-kafka.1.in
check doc/man/freshet.5 awk -f doc/man/format.awk doc/format.md
check doc/man/freshet-algorithms.7 "$freshet" --generate man \
    <doc/man/freshet-algorithms.7.in
check completions/freshet.bash "$freshet" --generate bash
check completions/_freshet "$freshet" --generate zsh
check completions/freshet.fish "$freshet" --generate fish
bash -n completions/freshet.bash
exit $failed
