#!/bin/sh
# The same on a user's own records.
counts() { # stream, key, new, repeats
    sed 1d | sed -E 's/"[^"]*"/Q/g' | cut -d , -f 4,5,17-19,23,24
}
awk 'BEGIN { for (i = 0; i < 5000; i++) print i % 1700, i % 7, "x" i }' >log
echo "--- exact counts: 1700 keys, 7, 5000"
for key in '-k 1' '-k 2' ''; do
    # shellcheck disable=SC2086
    "$FRESHET" lab run --input log $key -m 64K pocket --csv - | counts
done
echo "--- what the filter itself prints with that seed and memory"
"$FRESHET" -k 1 -m 1K --algorithm sbf --param k=2 \
    --param p=4 --seed 5 log | wc -l
"$FRESHET" lab run --input log -k 1 -m 1K --seeds 5 sbf:k=2,p=4 --json |
    sed -E 's/.*"new":([0-9]*),"drops":([0-9]*),.*"passes":([0-9]*),"fnr".*"steady_new.*/\1 - \2 + \3/' |
    tee expression
echo "= $(($(cat expression)))"
echo "--- a stream is known by its keys: same keys, same row; others, another"
cp log same
"$FRESHET" lab run --input log -k 1 -m 4K bloom --csv x.csv >/dev/null
"$FRESHET" lab run --input log -k 1 -m 4K bloom --csv x.csv >/dev/null
"$FRESHET" lab run --input log -k 2 -m 4K bloom --csv x.csv >/dev/null
tac log >same && mv same log
"$FRESHET" lab run --input log -k 1 -m 4K bloom --csv x.csv >/dev/null
grep -v '^#' x.csv | sed 1d | sed -E 's/digest=[0-9a-f]*/digest=X/' |
    cut -d , -f 2-6
echo "--- CSV, JSON, packed, standard input; records without a key"
printf 'id,v\n1,a\n2,b\n1,c\n' >t.csv
"$FRESHET" lab run --input t.csv --csv-key id -m 4K pocket --csv - | counts
printf '{"a":1}\n{"a":1}\n{"b":1}\n' |
    "$FRESHET" lab run --input - --json-key .a -m 4K pocket --csv - 2>err |
    counts
cat err
gzip <log | "$FRESHET" lab run --input - -k 2 -m 4K pocket --csv - | counts
printf 'a;b;a;' |
    "$FRESHET" lab run --input - --delimiter ';' -m 4K pocket --csv - | counts
echo "--- for people"
"$FRESHET" lab run --input log -k 1,2 -i -m 4K --jobs 1 sbf:k=2,p=4 |
    sed -E 's/digest=[0-9a-f]*/digest=X/; s/ +[0-9.e+]+ +[0-9.e+]+ *$/ N N/'
echo "--- a CSV quote that is never closed: as the filter reads it"
printf 'id,v\n1,a\n1,b\n2,"open\n1,c\n' >open.csv
"$FRESHET" lab run --input open.csv --csv-key id -m 4K pocket --csv - 2>err |
    counts
cat err
"$FRESHET" --csv id --stats open.csv 2>&1 >/dev/null | head -n 5
