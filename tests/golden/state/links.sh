#!/bin/sh
# One file by several names has one lock; links are kept.
feed() {
    printf '%s\n' "$@"
}
# held NAME COMMAND...: while another freshet uses NAME
held() {
    rm -f out
    "$FRESHET" --state "$1" <fifo >out &
    pid=$!
    shift
    exec 3>fifo
    turn=$((turn + 1))
    echo "turn $turn" >&3
    while ! [ -s out ]; do sleep 0.02; done
    "$@"
    echo "status $?"
    exec 3>&-
    wait "$pid"
}
turn=0
mkfifo fifo
mkdir dir
feed a | "$FRESHET" -m 64K --state dir/real >/dev/null
ln -s dir/real link
ln -s link again
ln -s dir other
echo "--- by a link, a link to it, and a linked directory"
held dir/real "$FRESHET" --state link link
held link "$FRESHET" --state dir/../dir/real link
held again "$FRESHET" --state other/real link
held dir/real "$FRESHET" --state dir/real link
echo "--- the link is kept, and its file replaced"
feed b | "$FRESHET" --state again
feed a b | "$FRESHET" --state dir/real
for name in link again; do
    [ -h "$name" ] && echo "$name is a link"
done
echo "--- a link that leads nowhere yet creates its file"
ln -s dir/new dangling
feed c | "$FRESHET" -m 64K --state dangling
feed c | "$FRESHET" --state dir/new
[ -h dangling ] && echo "dangling is a link"
ln -s nosuch/new lost
feed c | "$FRESHET" --state lost
echo "status $?"
ln -s loop loop
feed c | "$FRESHET" --state loop
echo "status $?"
echo "--- another name by a hard link keeps the old filter, and one is told"
ln dir/new hard
feed d | "$FRESHET" --state hard
feed d | "$FRESHET" --state dir/new --read-only
feed e | "$FRESHET" --state hard --read-only
echo "--- nothing is left behind"
ls . dir
