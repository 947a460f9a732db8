#!/usr/bin/env bash
# npm.sh - install npm, if it can be had
#
# Some packages of nodejs bring it and do not go with Debian's.  Without it the
# module is not tested with clients from npm, and the tests say so.
set -eu

if ! command -v npm >/dev/null; then
    "$(dirname "$0")/install.sh" npm ||
        echo "npm: not installed, skipped: it cannot be installed"
fi
