#!/usr/bin/env bash
# fuzz.sh SOURCE - tests/module/fuzz.js at length, on Redis with a module that
# is built with the address sanitizer, whatever build runs this
set -eu

cd "$1"
cmake --preset asan >/dev/null
cmake --build --preset asan --target freshet-module >/dev/null
PRELOAD=$(cc -print-file-name=libasan.so) SERVER=redis-server \
    MODULE=$PWD/build/asan/module/freshet.so FRESHET=none \
    MUTATIONS=${MUTATIONS:-24000} exec node tests/module/fuzz.js
