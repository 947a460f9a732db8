#!/usr/bin/env bash
# clang.sh MODULE - everything compiles with clang, and records pass through the
# program that it makes with its undefined-behaviour checks
set -eu
cd "$(dirname "$0")/.."

if ! command -v clang >/dev/null; then
    echo "there is no clang"
    exit 77
fi
cmake --preset ubsan
cmake --build --preset ubsan --parallel "${JOBS:-$(nproc)}"
program=$PWD/build/ubsan/cli/freshet
[ "$(printf 'a\nb\na\n' | "$program" | tr '\n' ' ')" = 'a b ' ]
# What all commands have: words about themselves.
FRESHET=$program sh tests/golden/run.sh tests/golden/cli/help.sh
# The same through a server, where there is one (77: there is none).
SERVER=redis-server MODULE=$1 FRESHET=$program node tests/module/remote.js \
    a_second_run_knows_what_the_first_has_seen || [ $? -eq 77 ]
