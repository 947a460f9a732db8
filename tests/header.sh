#!/usr/bin/env bash
# header.sh CC CXX - freshet.h compiles alone, as C11 and as C++
set -eu
. "$(dirname "$0")/sources.sh"

strict=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only -include freshet.h)
"$1" -std=c11 "${strict[@]}" -Iinclude -x c /dev/null
if command -v "$2" >/dev/null; then
    "$2" -std=c++11 "${strict[@]}" -Iinclude -x c++ /dev/null
else
    echo "no $2: not tried as C++"
fi
