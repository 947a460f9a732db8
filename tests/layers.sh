#!/usr/bin/env bash
# layers.sh - who may include whom
#
# An arrow may only point down: programs see freshet.h; freshet.c and its
# neighbours see the algorithms through algo.h; algorithms see small tools.
set -u
. "$(dirname "$0")/sources.sh"

failed=0
complain()
{
    echo "$1" >&2
    failed=1
}

# The headers that a file includes, <system> and "own" alike.
includes()
{
    sed -nE 's/^ *# *include *[<"]([^>"]*)[>"].*/\1/p' "$1"
}

# For each file of the patterns $2..., none of the headers in $1.
forbid()
{
    local headers=" $1 " file header

    shift
    while read -r file; do
        for header in $(includes "$file"); do
            case $headers in
            *" $header "*) complain "$file: may not include $header" ;;
            esac
        done
    done < <(sources "$@")
}

# Algorithms know nothing of options, blocks, hashes and plans.
forbid 'options.h block.h hash.h planner.h' 'lib/algo/*.c' 'lib/algo/*.h'

# The library reads no clock, starts no thread, does no input or output.
forbid 'time.h sys/time.h pthread.h threads.h signal.h fcntl.h
    unistd.h syslog.h' 'lib/*.[ch]' 'lib/algo/*.[ch]'

# Messages are formatted where users' words are read, and nowhere else.
while read -r file; do
    case $file in
    lib/status.c | lib/options.c | lib/planner.c | lib/freshet.c) ;;
    *)
        if includes "$file" | grep -qx stdio.h; then
            complain "$file: may not include stdio.h"
        fi
        ;;
    esac
done < <(sources 'lib/*.[ch]' 'lib/algo/*.[ch]')

# The hash is part of the format: one file decides what it is.
while read -r file; do
    if [ "$file" != lib/hash.c ] && includes "$file" | grep -qx xxhash.h; then
        complain "$file: may not include xxhash.h"
    fi
done < <(sources '*.[ch]')

# Outside lib/, only tests of internals see lib/*.h.
while read -r file; do
    case $file in
    lib/* | include/* | tests/unit/internal_*.c) continue ;;
    esac
    for header in $(includes "$file"); do
        if [ -e "lib/$header" ] && [ ! -e "$(dirname "$file")/$header" ]; then
            complain "$file: may not include lib/$header"
        fi
    done
done < <(sources '*.[ch]' '*.cc' '*.cpp')

exit $failed
