#!/usr/bin/env bash
# pkgconfig.sh STAGE LANGUAGE COMPILER [FLAG]... - build and run consumer.c
# with what pkg-config says of the tree in STAGE, and nothing else
set -eu

here=$(cd "$(dirname "$0")" && pwd)
stage=$1 language=$2
shift 2
if ! command -v "$1" >/dev/null; then
    echo "no compiler $1: skipped"
    exit 77
fi
libdir=$(dirname "$(find "$stage" -name pkgconfig -type d)")
program=$stage/consumer-$language

# Without the installed tree it must fail, or the test would prove nothing.
export PKG_CONFIG_LIBDIR=/nonexistent
if pkg-config --exists freshet; then
    echo "freshet was found where it is not" >&2
    exit 1
fi
export PKG_CONFIG_LIBDIR=$libdir/pkgconfig
static=
[ -e "$libdir/libfreshet.so" ] || static=--static
# A space in a path is escaped for the shell.
flags=() libraries=()
eval "flags=($(pkg-config --cflags freshet))"
eval "libraries=($(pkg-config $static --libs freshet))"
"$@" -x "$language" "${flags[@]}" "$here/consumer.c" -x none \
    "${libraries[@]}" -o "$program"
LD_LIBRARY_PATH=$libdir "$program"
