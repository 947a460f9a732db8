#!/usr/bin/env bash
# redis.sh - doc/redis.md: make, then its commands as they stand there
set -eu -o pipefail

# shellcheck disable=SC2016 # backticks as Markdown has them
grep -q 'in the source tree after `make`' doc/redis.md
make
FRESH=1 MODULE=$PWD/build/release/module/freshet.so \
    FRESHET=$PWD/build/release/cli/freshet bash tests/module/document.sh
