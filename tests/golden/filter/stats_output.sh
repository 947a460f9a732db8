#!/bin/sh
# --stats-output FILE: figures apart from warnings, whole or not at all.
printf 'a\na\nb\n' >in
echo "--- text, and nothing on stderr"
"$FRESHET" -m 64K --stats-output s in
head -n 3 s
echo "--- JSON, beside a warning"
printf '{"k":1}\nx\n' |
    "$FRESHET" -m 64K --json .k --stats=json --stats-output s
grep -o '"records":[0-9]*' s
echo "--- a new file has the mode of any other; an old one keeps its own"
rm s
(
    umask 027
    "$FRESHET" -m 64K --stats-output s in >/dev/null
    stat -c %a s
)
chmod 600 s
"$FRESHET" -m 64K --stats-output s in >/dev/null
stat -c %a s
ls
echo "--- what is no file is written to"
"$FRESHET" -m 64K --stats-output /dev/fd/3 in 3>&1 >/dev/null | head -n 2
echo "--- on SIGUSR1"
mkfifo fifo
rm s
"$FRESHET" -m 64K --stats-output s <fifo >out &
pid=$!
exec 3>fifo
echo a >&3
while ! [ -s out ]; do sleep 0.02; done
kill -USR1 "$pid"
while ! [ -s s ]; do sleep 0.02; done
head -n 1 s
echo b >&3
exec 3>&-
wait "$pid"
echo "status $?"
head -n 1 s
echo "--- --check reads everything for them"
"$FRESHET" -q -m 64K --stats-output s in
echo "status $?"
head -n 1 s
echo "--- with an audit"
"$FRESHET" -m 64K --audit --stats-output s in >/dev/null
grep -c audit_drop s
echo "--- what it cannot be"
for name in in '' nosuch/x .; do
    "$FRESHET" --stats-output "$name" in
    echo "'$name': $?"
done
"$FRESHET" --stats-output x -o x in
echo "the output: $?"
"$FRESHET" --stats-output x --metrics ./x in
echo "the metrics: $?"
"$FRESHET" --state '' in
echo "a state without name: $?"
