#!/bin/sh
# What is generated says of itself what it is; all of it is committed, and
# tests/generated.sh compares.
for kind in bash zsh fish; do
    "$FRESHET" --generate "$kind" >"$kind.out"
    echo "$kind: $?"
    head -n 2 "$kind.out"
done
printf '%s\n' .Sh @EXAMPLES@ a@b | "$FRESHET" --generate man
echo "man: $?"
echo @NONE@ | "$FRESHET" --generate man
echo "$?"
"$FRESHET" --generate pdf
echo "$?"
echo "options that a shell would show twice:"
sed -n "s/^ *options='//p" bash.out | while read -r options; do
    echo "$options" | tr ' ' '\n' | sort | uniq -d
done
