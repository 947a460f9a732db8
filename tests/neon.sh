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
# compile TEST.c [OPTION-OR-SOURCE]...: with the library, and run it
compile() {
    test=$out/$(basename "$1" .c)
    $cc -std=c11 -O2 -static -Wall -Wextra -Werror -D_DEFAULT_SOURCE \
        -DFRESHET_VERSION='"cross"' -DMACHINE_FLAGS='"-O2"' \
        -DSOURCE_DIR="\"$source\"" \
        -I"$source/tests/cross" -I"$source/include" -I"$source/lib" \
        -I"$out/include" \
        -o "$test" "$@" "$source"/lib/*.c "$source"/lib/*/*.c -lm
    qemu-aarch64 "$test"
}
for test in internal_pocket internal_set; do
    compile "$source/tests/lib/$test.c" -I"$source/tests" \
        -I"$source/tests/lib"
done
# Streams are the same there: an ARM machine fuses multiplications if it may.
for test in test_exact_math test_gen_vectors; do
    compile "$source/tests/gen/$test.c" -ffp-contract=off \
        -I"$source/tests" -I"$source/tests/gen" -I"$source/gen" \
        -I"$source/base" "$source"/gen/*.c "$source"/base/*.c
done
