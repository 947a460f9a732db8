#!/usr/bin/env bash
# stage.sh BUILD STAGE - install a build, then move it: nothing in the
# installed tree may remember where it was first put
set -eu
rm -rf "$2" "$2.first"
cmake --install "$1" --prefix "$2.first" >/dev/null
mv "$2.first" "$2"
