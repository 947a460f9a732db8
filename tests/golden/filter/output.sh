#!/bin/sh
# What comes out.
# shellcheck disable=SC2094 # reading and writing one file is the point
feed() {
    printf '%s\n' a b a c a b
}
echo "--- -D: every repeat"
feed | "$FRESHET" -D
echo "--- -d: one for each repeated key"
feed | "$FRESHET" -d
echo "--- marked"
feed | "$FRESHET" --annotate
printf 'a,1\nb\na,1\nb\n' | "$FRESHET" -t , -k 2 --annotate
echo "--- repeats elsewhere"
feed | "$FRESHET" --dup-output repeats
echo "and:"
cat repeats
feed | "$FRESHET" -d --dup-output repeats
echo "and:"
cat repeats
echo "--- check"
feed | "$FRESHET" -q
echo "repeats: $?"
printf 'a\nb\n' | "$FRESHET" --check
echo "none: $?"
"$FRESHET" -q nosuch
echo "trouble: $?"
feed | "$FRESHET" -q --stats 2>&1 | grep -E '^(records|new|repeats)'
echo "--- to a file, but not over an input"
feed >file
"$FRESHET" -o out file
echo "$?"
cat out
"$FRESHET" -o file file
echo "same: $?"
"$FRESHET" -o file <file
echo "as stdin: $?"
ln file link
"$FRESHET" --output=link file
echo "by another name: $?"
"$FRESHET" --dup-output file file
echo "repeats: $?"
"$FRESHET" file >>file
echo "appended: $?"
"$FRESHET" -o out --dup-output out file
echo "both: $?"
"$FRESHET" -o nosuch/out file
echo "no directory: $?"
feed | cmp - file
echo "--- what cannot be had in bounded memory"
"$FRESHET" -c file
echo "$?"
"$FRESHET" -u file
echo "$?"
"$FRESHET" --count file
echo "$?"
"$FRESHET" -D -d file
echo "$?"
echo "--- what was not compared is marked -, a header not at all"
printf 'id,v\n1,a\n2\n"3"x,c\n1,d\n' | "$FRESHET" --csv v --annotate --missing=pass
printf 'h\na\na\n' | "$FRESHET" -H --annotate
printf '{"k":1}\n{"k":1}\n{}\n{"k"\n' | "$FRESHET" --json .k --annotate
