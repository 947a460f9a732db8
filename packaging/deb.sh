#!/usr/bin/env bash
# deb.sh OUT - build the Debian packages of this tree in the directory OUT
#
# The sources are copied there first: debian/ stands at their top, as Debian
# wants it, and nothing is written beside them.
set -eu

mkdir -p "$1"
out=$(realpath "$1")
. "$(dirname "$0")/../tests/sources.sh"

version=$(cat VERSION)
packaged=$(dpkg-parsechangelog -l packaging/debian/changelog -S Version)
if [ "$version" != "$packaged" ]; then
    echo "deb.sh: packaging/debian/changelog is of $packaged, not $version" >&2
    exit 1
fi

tree=$out/freshet-$version
rm -rf "$tree" "$out"/*.deb
mkdir "$tree"
sources '*' | tar -c -T - | tar -x -C "$tree"
cp -r "$tree/packaging/debian" "$tree/debian"
# Of the packages tagged "build", those that build-essential does not bring.
depends=$(awk '/^[^#]/ && / build( |$)/ && !/^(gcc|libc6-dev|make) / {
    print $1 }' packaging/packages.txt | paste -sd , | sed 's/,/, /g')
sed -i "s/@build@/$depends/" "$tree/debian/control"
cd "$tree"
dpkg-buildpackage -b -us -uc >"$out/log" 2>&1 || {
    tail -n 40 "$out/log" >&2
    exit 1
}
rm -rf "$tree"
