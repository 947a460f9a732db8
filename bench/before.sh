#!/usr/bin/env bash
# before.sh COMMIT COMMAND... - runs COMMAND with BEFORE, the program of COMMIT
#
# That commit is built below build/before, as its own release preset says.
set -eu -o pipefail

commit=$(git rev-parse --short "$1^{commit}")
shift
root=$PWD/build/before/$commit
BEFORE=$root/build/cli/freshet
export BEFORE
if [ ! -x "$BEFORE" ]; then
    mkdir -p "$root/source"
    git archive "$commit" | tar -x -C "$root/source"
    {
        (cd "$root/source" && cmake --preset release -B "$root/build")
        cmake --build "$root/build" --parallel "$(nproc)"
    } >"$root/log" 2>&1 || {
        tail "$root/log" >&2
        echo "before.sh: $commit cannot be built: see $root/log" >&2
        exit 2
    }
fi
exec "$@"
