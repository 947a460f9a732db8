#!/usr/bin/env bash
# check.sh - make check, with 300 lines at most, and ctest's summary once
set -eu -o pipefail

make check 2>&1 | tee /tmp/out
[ "$(wc -l </tmp/out)" -le 300 ]
[ "$(grep -c '^100% tests passed' /tmp/out)" -eq 1 ]
