#!/usr/bin/env bash
# reproducible.sh OUT - two builds of the Debian packages, in directories of
# different names and at different times, are the same byte for byte
set -eu

here=$(cd "$(dirname "$0")" && pwd)
for tool in dpkg-buildpackage dh; do
    if ! command -v "$tool" >/dev/null; then
        echo "no $tool: skipped"
        exit 77
    fi
done
rm -rf "$1"
mkdir -p "$1/two/deeper"
bash "$here/../../packaging/deb.sh" "$1/one"
TZ=Pacific/Auckland LC_ALL=C bash "$here/../../packaging/deb.sh" \
    "$1/two/deeper"

n=0
for package in "$1"/one/*.deb; do
    name=$(basename "$package")
    if ! cmp "$package" "$1/two/deeper/$name"; then
        echo "$name differs; diffoscope shows where" >&2
        exit 1
    fi
    n=$((n + 1))
done
[ "$n" -ge 3 ]
echo "$n packages are the same"
rm -rf "$1"
