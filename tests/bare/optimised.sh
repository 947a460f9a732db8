#!/usr/bin/env bash
# optimised.sh DIRECTORY - the tests of optimised.txt, in the build of run.sh
set -eu

cd "$1/the sources"
if ! [ -e build/release/CMakeCache.txt ]; then # not Debian: run.sh has skipped
    cmake --preset release
    cmake --build --preset release --parallel "${JOBS:-$(nproc)}"
fi
cmake --preset release -DFRESHET_TESTS=ON
cmake --build --preset release --parallel "${JOBS:-$(nproc)}" \
    --target optimised
