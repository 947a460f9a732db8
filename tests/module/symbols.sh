#!/usr/bin/env bash
# symbols.sh MODULE - the module shows the server one function, and no more
set -eu

diff -u <(echo RedisModule_OnLoad) \
    <(nm -D --defined-only "$1" | awk '{ print $3 }' | grep -v '^__')
