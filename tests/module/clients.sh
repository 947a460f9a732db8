#!/usr/bin/env bash
# clients.sh DIRECTORY - install the clients that clients.js tests with
#
# Those of clients/package-lock.json, by their checksums.  Without npm or its
# registry there are none, and the tests say so; any other trouble is a failure.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
if cmp -s "$here/clients/package-lock.json" installed; then
    exit 0
fi
if ! command -v npm >/dev/null; then
    echo "clients: not installed, skipped: there is no npm"
    exit 77
fi
rm -f installed
cp "$here/clients/package.json" "$here/clients/package-lock.json" .
if ! npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
    --fetch-retries=1 --fetch-timeout=60000 >log 2>&1; then
    cat log
    if grep -qE 'ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ENOTCACHED' log
    then
        echo "clients: not installed, skipped: npm has no network"
        exit 77
    fi
    exit 1
fi
cp "$here/clients/package-lock.json" installed
