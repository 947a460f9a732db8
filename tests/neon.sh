#!/bin/sh
# The code paths of an ARM machine, compiled here and run in an emulator.
# Usage: neon.sh SOURCE BUILD.  Skipped (77) without compiler and emulator.
set -eu
source=$1
out=$2/neon
cc=aarch64-linux-gnu-gcc

if ! command -v $cc >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
    echo "neon: no $cc or no qemu-aarch64, skipped"
    exit 77
fi
mkdir -p "$out/include"
# The one header from outside: it is the same for every machine.
cp "$(pkg-config --variable=includedir libxxhash)/xxhash.h" "$out/include/"
for test in internal_pocket internal_set; do
    $cc -std=c11 -O2 -static -Wall -Wextra -Werror -D_DEFAULT_SOURCE \
        -DFRESHET_VERSION='"cross"' -I"$source/tests/cross" \
        -I"$source/tests/unit" -I"$source/include" -I"$source/lib" \
        -I"$out/include" -o "$out/$test" "$source/tests/unit/$test.c" \
        "$source"/lib/*.c "$source"/lib/algo/*.c "$source"/lib/pocket/*.c \
        "$source"/lib/set/*.c -lm
    qemu-aarch64 "$out/$test"
done
