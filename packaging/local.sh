#!/usr/bin/env bash
# local.sh BUILD - install a build below /usr/local; make install runs it
set -u

if ! cmake --install "$1"; then
    echo "Nothing can be installed there. As root: make install. Or choose" \
        "a directory: cmake --install $1 --prefix DIRECTORY"
    exit 1
fi
# So that programs find the library at once.
if [ "$(id -u)" -eq 0 ] && [ -z "${DESTDIR:-}" ]; then
    ldconfig
fi
