#!/usr/bin/env bash
# generated.sh FRESHET [update] - what the option tables imply is committed,
# and up to date
set -eu
freshet=$(realpath "$1")
. "$(dirname "$0")/sources.sh"

failed=0
# check KIND FILE
check()
{
    if [ "${action:-}" = update ]; then
        "$freshet" --generate "$1" >"$2"
    elif ! "$freshet" --generate "$1" | diff -u "$2" -; then
        echo "$2 is stale: make generate" >&2
        failed=1
    fi
}
action=${2:-}
check man doc/man/freshet.1
check bash completions/freshet.bash
check zsh completions/_freshet
check fish completions/freshet.fish
bash -n completions/freshet.bash
exit $failed
