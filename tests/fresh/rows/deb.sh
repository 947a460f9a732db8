#!/usr/bin/env bash
# deb.sh - make deb, and what it makes is installed and runs
set -eu -o pipefail

make deb
find "$PWD/build/deb" -name '*.deb' ! -name '*dbgsym*' -exec apt-get install {} +
[ "$(printf 'a\nb\na\n' | freshet | tr '\n' ' ')" = 'a b ' ]
[ "$(command -v freshet)" = /usr/bin/freshet ]
