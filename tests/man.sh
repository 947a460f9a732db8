#!/usr/bin/env bash
# man.sh - every man page is free of mandoc's warnings
set -eu
. "$(dirname "$0")/sources.sh"

if ! command -v mandoc >/dev/null; then
    echo "no mandoc: skipped"
    exit 77
fi
mapfile -t pages < <(sources 'doc/man/*.[1-8]')
mandoc -T lint -W warning "${pages[@]}"
