#!/bin/sh
# Keys out of CSV records.
feed() {
    printf '%s\n' "$@"
}
echo "--- columns by name, with the header passed through"
feed id,name,x 1,ann,a 2,bob,b 1,ann,c >table
"$FRESHET" --csv id table
"$FRESHET" --csv name,id table
"$FRESHET" -D --csv id table
"$FRESHET" -d --csv id table
"$FRESHET" --annotate --csv id table
"$FRESHET" --csv id --dup-output again table >/dev/null
cat again
"$FRESHET" -q --csv id table
echo "status $?"
echo "--- by number there is no header"
feed 1,a 2,b 1,c | "$FRESHET" --csv 1
echo "--- quotes, and newlines and separators inside them"
printf '"a\nb",1\n"a\nc",2\n"a\nb",3\n' | "$FRESHET" --csv 1
feed '"x",1' 'x,2' '"x""y",3' '"x""y",4' '"x,y",5' | "$FRESHET" --csv 1
echo "--- another separator"
feed 'a;1' 'a;2' 'b;1' | "$FRESHET" -t ';' --csv 1
printf 'id\tv\n1\ta\n1\tb\n' | "$FRESHET" -t '\t' --csv id
echo "--- several do not run together; case"
feed ab,c a,bc ab,c | "$FRESHET" --csv 1,2
feed AB,1 ab,2 | "$FRESHET" -i --csv 1
echo "--- line ends of two"
printf 'id,v\r\n1,a\r\n2,a\r\n' | "$FRESHET" --csv v | od -An -c
echo "--- no such column: passed, dropped, or a key that is not empty"
feed a,1 b c d,1 | "$FRESHET" --csv 2
feed a,1 b c d,1 | "$FRESHET" --csv 2 --missing=drop
feed a,1 b c d, | "$FRESHET" --csv 2 --missing=key
echo "--- all but"
"$FRESHET" --exclude x table
feed 1,a,x 2,a,x 3,b,x | "$FRESHET" --exclude 1
feed '1;a;X' '2;a;x' | "$FRESHET" -i -t ';' --exclude 1
echo "--- files: one header, each with its own order of columns"
feed id,name,x 3,eve,d 2,bob,e >rest
feed name,id ann,1 joe,4 >other
feed name,x ann,1 >none
: >empty
"$FRESHET" --csv id table rest empty other
"$FRESHET" --csv id table none rest
echo "status $?"
echo "--- malformed"
feed '"a"x,1' a,1 '"a"x,1' '"a,2' 'b,3' >bad
"$FRESHET" --csv 1 bad
echo "status $?"
"$FRESHET" --csv 1 --malformed=drop bad
"$FRESHET" --csv 1 --malformed=fail bad
echo "status $?"
feed a,1 'a,"2' b,3 | "$FRESHET" --csv 1
echo "--- long, and cut into windows"
awk 'BEGIN { for (i = 0; i < 2; i++) for (j = 0; j < 3000; j++) {
    s = sprintf("%" j "s", ""); gsub(/ /, ",\n", s)
    print i ",\"" s "\"" } }' | "$FRESHET" --csv 2 --stats 2>&1 >/dev/null |
    head -n 3
echo "--- what makes no sense"
"$FRESHET" --csv '' </dev/null
"$FRESHET" --csv 0 </dev/null
"$FRESHET" --csv 1 -t '"' </dev/null
"$FRESHET" --csv 1 --json .a </dev/null
"$FRESHET" --csv 1 -z </dev/null
"$FRESHET" --exclude .a -t ';' </dev/null
echo "$?"
echo "--- a quote that is never closed: the line where it opened"
feed h,v a,1 '"x' y '",2' '"b,3' c,4 >stray
"$FRESHET" --csv h stray >/dev/null
"$FRESHET" --csv h --malformed=fail stray >/dev/null
echo "status $?"
echo "--- and it ends at the longest record, not at the end of the stream"
awk 'BEGIN { print "a,\"1"; for (i = 0; i < 2500000; i++) print "b,2345" }' >huge
"$FRESHET" --csv 1 huge rest
echo "status $?"
"$FRESHET" --csv 1 --max-record 1G --stats huge 2>&1 >/dev/null | head -n 3
head -n 200000 huge >large
"$FRESHET" --csv 1 --parallel 4 --max-record 1M large
"$FRESHET" lab run --input large --csv-key 1 --max-record 1M -m 64K
rm huge large
