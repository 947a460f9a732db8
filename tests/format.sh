#!/usr/bin/env bash
# format.sh - C sources are as clang-format leaves them, within 80 columns
set -u
. "$(dirname "$0")/sources.sh"

failed=0
mapfile -t files < <(sources '*.[ch]')
if ! awk 'length($0) > 80 { print FILENAME ":" FNR ": over 80 columns"; bad = 1 }
          END { exit bad }' "${files[@]}" >&2; then
    failed=1
fi
if ! command -v clang-format >/dev/null; then
    echo "no clang-format: skipped"
    [ $failed -eq 0 ] && exit 77
    exit 1
fi
clang-format --dry-run -Werror "${files[@]}" || failed=1
exit $failed
