#!/usr/bin/env bash
# install.sh - make install, and a program that finds the library by pkg-config
set -eu -o pipefail

make install
# shellcheck disable=SC2046 # flags are words
cc tests/install/consumer.c $(pkg-config --cflags --libs freshet) -o consumer
./consumer
[ "$(printf 'a\nb\na\n' | freshet | tr '\n' ' ')" = 'a b ' ]
