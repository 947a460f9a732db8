#!/usr/bin/env bash
# find_package.sh STAGE BUILD COMPILER FLAGS - build and run the project in
# find_package/ against the tree in STAGE
set -eu

here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
cmake -S "$here/find_package" -B "$2" -DCMAKE_PREFIX_PATH="$1" \
    -DCMAKE_C_COMPILER="$3" -DCMAKE_C_FLAGS="$4" >/dev/null
cmake --build "$2" >/dev/null
"$2/consumer"
