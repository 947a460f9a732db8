#!/bin/sh
# What people type by habit: beginnings of options, slips, -h, help COMMAND, and
# names that are a command's and a file's.
try() {
    printf '$ %s\n' "$*"
    "$FRESHET" "$@" 2>&1
    echo "$?"
}
printf '%s\n' b a b >names
echo "--- the beginning of an option"
try --annot names
try --missing=pass --mem 1M names
try list --js pocket
try --st=x names
try --he names
try --zero --check names
try --=x
echo "--- slips"
try --sate x names
try --memroy=1M names
try --colour names
try --missing dorp names
try --missing colour names
try lab rnu
try lab paint
try help lits
try help plan extra
try lsit
try unlike
try --keys 1 names
echo "--- help"
"$FRESHET" -h >a
"$FRESHET" --help >b
"$FRESHET" help >c
cmp a b && cmp a c && echo same
"$FRESHET" help lab run >a
"$FRESHET" lab run -h >b
cmp a b && echo same
"$FRESHET" help help
"$FRESHET" -V | sed 's/ [0-9].*/ N/'
"$FRESHET" list -V | sed 's/ [0-9].*/ N/'
echo "--- a file with a command's name"
cp names list
try list names
try ./list
