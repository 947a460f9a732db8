#!/usr/bin/env bash
# npm.sh - install npm, if it can be had
#
# Some packages of nodejs bring it and do not go with Debian's.  Without it the
# module is not tested with clients from npm, and the tests say so.
set -eu

if ! command -v npm >/dev/null && ! "$(dirname "$0")/install.sh" npm; then
    echo "npm cannot be installed"
    exit 77
fi
