#!/bin/sh
# Libraries are loaded when something needs them, and missed only then.
try() {
    echo "--- $*"
    LD_LIBRARY_PATH="$PWD/lib" "$FRESHET" "$@" >out 2>&1
    status=$?
    sed 's|: [^:]*/lib/|: |' out
    echo "status $status"
}
printf 'a\nb\na\n' >plain
printf '\037\213\010' >a.gz
printf '\050\265\057\375' >a.zst
printf '\004\042\115\030' >a.lz4
printf '\375\067\172\130\132\000' >a.xz
printf 'BZh91AY&SY' >a.bz2

echo "--- gzip takes zlib where ISA-L is missing"
mkdir lib
: >lib/libisal.so.2
gzip <plain >packed
try packed
for library in libz.so.1 libzstd.so.1 liblz4.so.1 liblzma.so.5 libbz2.so.1.0 \
    libbz2.so.1 libpcre2-8.so.0; do
    : >"lib/$library"
done
try plain
for file in a.*; do
    try "$file"
done
try --regex a plain
