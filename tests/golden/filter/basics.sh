#!/bin/sh
# Each record the first time it is seen, in order; files, stdin and "-".
printf 'b\na\nb\nc\na\n' | "$FRESHET"
echo "--- no newline at the end: equal to one with, and it gets one"
printf 'a\nb\na' | "$FRESHET"
printf 'a\nb' | "$FRESHET"
echo "--- nothing, and empty records"
"$FRESHET" </dev/null
printf '\n\na\n\n' | "$FRESHET"
echo "--- files are one stream, each ends its last record"
printf 'a\nb' >one
printf 'b\nc\n' >two
"$FRESHET" one two
echo "--- a dash is stdin, options come anywhere"
echo d | "$FRESHET" one - two -z | tr '\0' '!'
echo
echo "--- a subcommand only as the first word"
echo 'read as a file' >list
"$FRESHET" -- list
"$FRESHET" ./list list
