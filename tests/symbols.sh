#!/usr/bin/env bash
# symbols.sh LIBRARY - a library's symbols are the header's and no others
#
# A shared library exports exactly what freshet.h declares.  A static one may
# show more to the linker, but only under our own prefixes.
set -eu
library=$(realpath "$1")
. "$(dirname "$0")/sources.sh"

# Instrumented builds add symbols of their own, all with two underscores.
case $library in
*.a)
    strange=$(nm --defined-only --extern-only "$library" |
        awk 'NF == 3 { print $3 }' | grep -vE '^(__|freshet_|fr_)' || true)
    if [ -n "$strange" ]; then
        echo "symbols without our prefix: $strange" >&2
        exit 1
    fi
    ;;
*)
    diff -u --label freshet.h --label exported <(public_functions) \
        <(nm -D --defined-only "$library" | awk '{ print $3 }' |
            grep -v '^__' | sort)
    ;;
esac
