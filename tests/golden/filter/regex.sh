#!/bin/sh
# Keys by regular expression.
feed() {
    printf '%s\n' "$@"
}
echo "--- the whole match, or the groups"
feed 'a id=1 x' 'b id=1 y' 'c id=2 z' | "$FRESHET" --regex 'id=\d+'
feed 'a id=1 x' 'b id=1 x' 'c id=1 y' | "$FRESHET" --regex 'id=(\d+) (\w)'
echo "--- groups do not run together, and one may be absent"
feed ab-c a-bc ab-c | "$FRESHET" --regex '(\w*)-(\w*)'
feed x1 y1 x1 y2 | "$FRESHET" --regex 'x(\d)|y(\d)'
echo "--- case, in the expression and in the key"
feed ID=ab id=AB id=c | "$FRESHET" -i --regex 'id=(\w+)'
feed ID=ab id=AB id=c | "$FRESHET" --regex 'id=(\w+)'
echo "--- no match: passed, dropped, or a key like another"
feed id=1 none nil id=1 | "$FRESHET" --regex 'id=(\d)'
feed id=1 none nil id=1 | "$FRESHET" --regex 'id=(\d)' --missing=drop
feed id=1 none nil id= | "$FRESHET" --regex 'id=(\d*)' --missing=key
echo "--- any bytes"
printf 'a\nb=1\0b\nb=1\0b\nb=2\0' | "$FRESHET" -z --regex '(?m)^b=.' |
    tr '\0\n' '.,'
echo
echo "--- one that backtracks without end"
awk 'BEGIN { s = sprintf("%5000s", ""); gsub(/ /, "a", s); print s "!" }' >long
"$FRESHET" --regex '^(a|aa|a+)+$' long | cmp - long
"$FRESHET" --regex '^(a|aa|a+)+$' --malformed=fail long
echo "status $?"
echo "--- what makes no sense"
"$FRESHET" --regex '(' </dev/null
"$FRESHET" --regex x --csv 1 </dev/null
"$FRESHET" --regex x -t , </dev/null
echo "$?"
