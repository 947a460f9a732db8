#!/bin/sh
# What a file of results holds is not run again; what it should not hold, stays.
run() {
    "$FRESHET" lab run --stream uniform:n=20000,distinct=15% --csv x.csv "$@" \
        >out
    echo "status $?"
}
rows() {
    grep -v '^#' x.csv | sed 1d | sed 's/"[^"]*"/Q/g' | cut -d , -f 4-6 |
        sort
}
echo "--- begun, with command, machine and build"
run -m 4K bloom
grep '^#' x.csv | cut -c 1-9
rows
echo "--- continued: the old row is as it was, and shown again"
cp x.csv before
run -m 4K,8K bloom
rows
head -c "$(wc -c <before)" x.csv | cmp - before && echo "as it was"
grep -c '^bloom' out
echo "--- nothing left to do: nothing written"
cp x.csv before
run -m 4K,8K bloom
cmp x.csv before && echo "as it was"
echo "--- another seed, wish or curve is another row"
run -m 4K --seeds 2 bloom
run -m 4K -e 1% bloom
run -m 4K --curve 2 bloom
run -m 4K --curve 2 bloom
grep -vc '^#' x.csv
grep -c ' at ' out
echo "--- killed in the middle"
rm x.csv
"$FRESHET" lab run --stream uniform:n=1000,distinct=15% \
    --stream uniform:n=2e9,universe=1000 -m 4K --jobs 2 bloom --csv x.csv \
    >out &
pid=$!
until [ -e x.csv ] && [ "$(grep -vc '^#' x.csv)" = 2 ]; do sleep 0.05; done
kill -9 $pid
wait $pid 2>/dev/null
"$FRESHET" lab run --stream uniform:n=1000,distinct=15% \
    --stream uniform:n=3000,universe=1000 -m 4K bloom --csv x.csv >out
echo "status $?"
grep -v '^#' x.csv | sed 1d | cut -d , -f 2-6
echo "--- cut off, damaged, foreign: named, and left alone"
damage() {
    case $1 in
    cut) head -c -9 ;;
    quote) sed 's/bloom/"bloom/' ;;
    number) sed 's/,4096,/,x,/' ;;
    headless) tail -n 1 ;;
    foreign) echo a,b ;;
    esac
}
for how in cut quote number headless foreign; do
    cp x.csv good
    damage "$how" <good >x.csv
    cp x.csv before
    run -m 4K bloom
    cmp x.csv before && echo "as it was"
    cp good x.csv
done
echo "--- a full disk"
"$FRESHET" lab run --stream uniform:n=1000,distinct=15% -m 4K bloom \
    --csv /dev/full
echo "status $?"
"$FRESHET" lab run --stream uniform:n=1000,distinct=15% -m 4K bloom \
    >/dev/full
echo "status $?"
