#!/bin/sh
# --listen: what cannot be listened on is said before a record is read; what is
# served is in tests/listen/listen.py.
try() {
    echo "--- --listen $1"
    printf 'a\na\n' | "$FRESHET" -m 64K --listen "$@" 2>&1 |
        sed -E 's/:[1-9][0-9]{3,4}$/:(PORT)/; s/: [^:]*\.so[^:]*: .*/: (why)/'
}
"$FRESHET" -m 64K --listen 0 /dev/null 2>/dev/null || {
    "$FRESHET" --listen 0 /dev/null
    exit 77
}
try 0
try 127.0.0.1:0
for address in '' port 65536 -1 1x :9100 ::1:9100 '[::1]' '[::1]:x' \
    192.0.2.1:9100 127.0.0.1:; do
    try "$address"
done
echo "--- an output is not touched then"
echo old >out
"$FRESHET" -m 64K --listen 192.0.2.1:1 -o out /dev/null
echo "status $?, $(cat out)"
echo "--- a port that somebody has"
mkfifo fifo
"$FRESHET" -m 64K --listen 0 <fifo 2>said &
pid=$!
exec 3>fifo
while ! [ -s said ]; do sleep 0.02; done
address=$(sed 's,.*http://,,' said)
echo a | "$FRESHET" -m 64K --listen "$address" 2>&1 | sed "s/$address/(ADDRESS)/"
exec 3>&-
wait "$pid"
echo "status $?"
echo "--- the library is missing"
mkdir lib
: >lib/libmicrohttpd.so.12
echo a | LD_LIBRARY_PATH=$PWD/lib "$FRESHET" -m 64K --listen 0 2>&1 |
    sed 's/: [^:]*\/lib\/.*/: (why)/'
echo a | LD_LIBRARY_PATH=$PWD/lib "$FRESHET" -m 64K
