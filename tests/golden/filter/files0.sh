#!/bin/sh
# --files0-from: the names of the files come out of a file.
printf '1\n2\n' >one
printf '2\n3\n' >'two
lines in a name'
echo "--- in order, with or without a NUL at the end, whatever the name"
find . -type f -print0 | LC_ALL=C sort -z | "$FRESHET" --files0-from -
printf 'two\nlines in a name\0one' >list
"$FRESHET" --files0-from=list
echo "--- standard input may be one of them, unless it is the list"
echo 4 | { printf '%s\0' one - >list && "$FRESHET" --files0-from list; }
printf '%s\0' one - | "$FRESHET" --files0-from -
echo "status $?"
echo "--- one that is not there is told, the others are read"
printf '%s\0' nosuch one >list
"$FRESHET" --files0-from list
echo "status $?"
echo "--- 100,000 of them"
yes one | head -n 100000 | tr '\n' '\0' | "$FRESHET" --files0-from - --stats \
    2>&1 | grep -E '^(records|new|[0-9])'
echo "--- an output must not be one of them"
printf '%s\0' one >list
"$FRESHET" --files0-from list -o one
echo "status $?"
echo "--- what is no list"
printf 'one\0\0' >list
"$FRESHET" --files0-from list
echo "empty name: $?"
"$FRESHET" --files0-from /dev/null
echo "no names: $?"
"$FRESHET" --files0-from nosuch
echo "no file: $?"
"$FRESHET" --files0-from .
echo "a directory: $?"
"$FRESHET" --files0-from list one
echo "operands as well: $?"
