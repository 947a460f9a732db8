#!/usr/bin/env bash
# clients.sh DIRECTORY - install the clients that clients.js tests with
#
# Those of clients/package-lock.json, by their checksums.  Without npm or a
# registry that answers there are none, and the tests say so; any other trouble
# is a failure.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
if cmp -s "$here/clients/package-lock.json" installed; then
    exit 0
fi
if ! command -v npm >/dev/null; then
    echo "the clients cannot be installed: there is no npm"
    exit 77
fi

# What npm says when there is no way to the registry, when the registry or a
# proxy refuses, and when nobody here knows who signed its certificate.
network='ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|E(NET|HOST)UNREACH|ENOTCACHED'
refused='E40[137]|E429|E50[0-9]'
unknown='UNABLE_TO_[A-Z_]+|[A-Z_]*SELF_SIGNED_CERT[A-Z_]*|CERT_[A-Z_]+'

rm -f installed
cp "$here/clients/package.json" "$here/clients/package-lock.json" .
if ! npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
    --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000 \
    >log 2>&1; then
    code=$(grep -oE "\b($network|$refused|$unknown)\b" log | head -n 1)
    if [ -n "$code" ]; then
        echo "the clients cannot be installed: npm's registry says $code"
        exit 77
    fi
    cat log
    exit 1
fi
cp "$here/clients/package-lock.json" installed
