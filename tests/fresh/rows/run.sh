#!/usr/bin/env bash
# run.sh - make run, with 25 lines at most before its result
set -eu -o pipefail

make run 2>&1 | tee /tmp/out
[ "$(sed '/^A million records/,$d' /tmp/out | wc -l)" -le 25 ]
grep -q '^audit_drop' /tmp/out
