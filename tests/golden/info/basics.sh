#!/bin/sh
# What a saved filter says of itself.
steady() {
    sed -E 's/[0-9.]+e-[0-9]+ now/P now/; s/("false_drop":)[^,]*/\1P/
        s/("now_ns":)[1-9][0-9]*/\1T/'
}
printf 'a\nb\na\n' | "$FRESHET" --state s -m 64K --seed 7 >/dev/null
"$FRESHET" info s | steady
"$FRESHET" info -j s | steady
printf 'a\nb\na\n' |
    "$FRESHET" --state w -m 64K --seed 7 --within 90s >/dev/null
"$FRESHET" info w | grep window
"$FRESHET" info --json w | steady
echo 'no filter' >text
"$FRESHET" info text
echo "$?"
"$FRESHET" info nosuch
echo "$?"
"$FRESHET" info
echo "$?"
"$FRESHET" info s >/dev/full
echo "$?"
