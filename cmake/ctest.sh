#!/usr/bin/env bash
# ctest.sh ARGUMENT... - run ctest, and show what did not pass
#
# Everything is in build/log/tests.log.  Shown are how far it is, why a test
# was skipped, what a failed one printed, and ctest's own summary, which comes
# last.  V=1 shows everything.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1

mkdir -p build/log || exit 1
if [ -n "${V:-}" ]; then
    ctest --verbose "$@" 2>&1 | tee build/log/tests.log
else
    ctest --verbose "$@" 2>&1 | tee build/log/tests.log |
        awk -f cmake/ctest.awk
fi
