#!/bin/sh
# Bad days: a message, the right status, and nothing lost in silence.
# shellcheck disable=SC2094 # reading and writing one file is the point
printf 'a\nb\n' >good
mkdir directory
echo "--- an unreadable file among readable ones"
"$FRESHET" nosuch good
echo "status $?"
"$FRESHET" good directory nosuch
echo "status $?"
echo "--- a read error"
"$FRESHET" good /proc/self/mem
echo "status $?"
echo "--- closed standard files"
"$FRESHET" <&-
echo "stdin: $?"
"$FRESHET" good >&-
echo "stdout: $?"
"$FRESHET" good 2>&-
echo "stderr: $?"
"$FRESHET" -o out good >&- && cat out
echo "--- a full disk"
"$FRESHET" good >/dev/full
echo "stdout: $?"
"$FRESHET" -o /dev/full good
echo "-o: $?"
cat good good | "$FRESHET" --dup-output /dev/full >/dev/null
echo "repeats: $?"
"$FRESHET" --explain >/dev/full
echo "explain: $?"
echo "--- a closed pipe: dies by SIGPIPE and says nothing"
mkfifo fifo
exec 3<>fifo 4>fifo 3>&- # the only reader has gone
("$FRESHET" good >&4)
echo "status $?"
echo "--- told to ignore SIGPIPE: says so"
(
    trap '' PIPE
    exec "$FRESHET" good >&4
)
echo "status $?"
exec 4>&-
echo "--- names that are empty, before anything is read"
for option in --state --output --dup-output --metrics --stats-output \
    --files0-from; do
    echo a | "$FRESHET" "$option" ''
    echo "$option: $?"
done
echo "--- a file without a name is refused before anything is read"
echo a | "$FRESHET" - ''
echo "status $?"
"$FRESHET" info ''
echo "status $?"
echo "--- bytes that a terminal acts upon are not printed"
"$FRESHET" "$(printf 'no\033[2Jsuch\r')"
echo "status $?"
"$FRESHET" "$(printf -- '--no\tsuch')"
echo "status $?"
