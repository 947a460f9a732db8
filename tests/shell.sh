#!/usr/bin/env bash
# shell.sh - every shell script passes shellcheck
set -eu
. "$(dirname "$0")/sources.sh"

if ! command -v shellcheck >/dev/null; then
    echo "no shellcheck: skipped"
    exit 77
fi
mapfile -t scripts < <(sources '*.sh' '.ci/*')
shellcheck "${scripts[@]}"
