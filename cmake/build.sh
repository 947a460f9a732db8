#!/usr/bin/env bash
# build.sh PRESET - configure a preset and build it, in two stages
set -u
cd "$(dirname "$0")/.." || exit 1

cmake/stage.sh "$1: configure" cmake/configure.sh "$1" || exit
cmake/stage.sh "$1: build" cmake --build --preset "$1" \
    --parallel "${JOBS:-$(nproc)}" && exit
echo "If no source is at fault, build/$1 may be left from an older version:" \
    "remove it, and run make again." >&2
exit 1
