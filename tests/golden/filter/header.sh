#!/bin/sh
# -H: a file's first record passes and is never compared.
feed() {
    printf '%s\n' "$@"
}
counts() {
    grep -E '^(records|new|repeats|passed|dropped)' stats | tr -s ' ' | tr '\n' ' '
    echo
}
feed id 1 id 1 2 >table
feed id 3 1 >rest
feed ID 4 >other
: >empty
echo "--- a record like it further down is compared as any"
"$FRESHET" -H table
echo "--- of files with the same one it passes once, another one again"
"$FRESHET" --header --stats table rest empty other 2>stats
counts
echo "--- it stands before repeats, too"
"$FRESHET" -H -D table rest
"$FRESHET" -H -d table rest
"$FRESHET" -H --annotate rest
"$FRESHET" -H --dup-output repeats table >/dev/null
cat repeats
echo "--- and is no repeat"
feed a a | "$FRESHET" -H -q
echo "status $?"
echo "--- columns by number, fields, other delimiters"
feed n,x 1,n 2,n | "$FRESHET" -H --csv 2
feed 'n x' '1 x' '2 x' | "$FRESHET" -H -k 2
printf 'h\0a\0h\0a\0' | "$FRESHET" -zH | tr '\0' ' '
echo
echo "--- each run of a saved filter passes it"
feed h a b | "$FRESHET" -H --state s -m 64K
feed h a c | "$FRESHET" -H --state s

echo "--- a file without the column lies between two of the same header"
printf 'id,n\n1,a\n' > one
printf 'n,no\n1,b\n' > none
printf 'id,n\n2,c\n1,d\n' > again
"$FRESHET" --csv id one none again 2>&1
echo "status $?"
