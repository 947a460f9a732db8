#!/usr/bin/env bash
# configure.sh PRESET - configure a preset, whatever an older one left behind
set -u
cd "$(dirname "$0")/.." || exit 1

if ! command -v cmake >/dev/null; then
    echo "There is no cmake. Install the packages that" \
        "packaging/packages.txt tags \"build\", then run make again."
    exit 1
fi
cmake --preset "$1" && exit 0
[ -e "build/$1/CMakeCache.txt" ] || exit 1
echo "Once more, without what build/$1 knows from before:"
cmake --fresh --preset "$1"
