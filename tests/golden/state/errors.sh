#!/bin/sh
# Saved filters that are not, and days on which saving fails.
feed() {
    printf '%s\n' "$@"
}
# refused WHAT: the file bad is refused, and left as it is
refused() {
    echo "--- $1"
    cp bad before
    feed a | "$FRESHET" --state bad
    echo "status $?"
    cmp bad before
    rm -f bad before
}
feed a b | "$FRESHET" --state good -m 64K --seed 1 >/dev/null
: >bad
refused empty
feed some text that is no filter at all >bad
refused foreign
head -c 60000 good >bad
refused cut
(cat good; echo more) >bad
refused "longer than it should be"
(head -c 5000 good; printf x; tail -c +5002 good) >bad
refused "one byte changed"
(head -c -1 good; printf x) >bad
refused "in the checksum"
(head -c 8 good; printf '\377'; tail -c +10 good) >bad
refused "of a newer version"
mkdir dir
feed a | "$FRESHET" --state dir
echo "directory: $?"
rm -r dir dir.lock 2>/dev/null
feed a | "$FRESHET" --state nosuch/file
echo "no directory: $?"
echo "--- two at once: the second is refused"
mkfifo fifo
"$FRESHET" --state good <fifo >out &
exec 3>fifo
echo c >&3
while ! [ -s out ]; do sleep 0.02; done
feed d | "$FRESHET" --state good
echo "second: $?"
feed a d | "$FRESHET" --state good --read-only
exec 3>&-
wait $!
feed c d | "$FRESHET" --state good
echo "--- what was not written is not remembered"
feed x y | "$FRESHET" --state good >/dev/full
echo "status $?"
feed x y | "$FRESHET" --state good
feed x y x | "$FRESHET" --state set --algorithm set -m 64K >/dev/full
echo "cannot forget: $?"
feed x y | "$FRESHET" --state good -o more --dup-output /dev/full
echo "nor can repeats be taken back: $?"
echo "--- input trouble is none of the filter's"
feed z >file
"$FRESHET" --state good nosuch file
echo "status $?"
feed z | "$FRESHET" --state good
echo "--- records do not go to the state file"
"$FRESHET" --state good -o good file
echo "status $?"
"$FRESHET" --state fresh --dup-output ./fresh file
echo "status $?"
ln -s good link
"$FRESHET" --state good --dup-output link file
echo "status $?"
ls
