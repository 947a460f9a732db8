#!/bin/sh
# A grid of filters and streams, measured; times are masked.
# All columns up to bytes, without times; the version is the program's.
figures() {
    sed -E 's/,[0-9]+\.[0-9]+\.[0-9]+,/,V,/; s/(,[^,]*){7}$//'
}
masked() {
    sed -E '/^  at/!s/ +[0-9.e+]+\*? +[0-9.e+]+\*?$/ N N/; /timed while/d; /^$/d'
}
stream=uniform:n=20000,distinct=15%
echo "--- the order is the grid's, whichever cell is done first"
"$FRESHET" lab run --stream $stream -m 1K,2K --seeds 1,2 --jobs 3 \
    sbf:k=2,p=4 rlbsbf --csv - | figures
echo "--- the same twice, one by one"
"$FRESHET" lab run --stream $stream -m 1K,2K --seeds 1,2 --jobs 1 \
    sbf:k=2,p=4 rlbsbf --csv - | figures >one
"$FRESHET" lab run --stream $stream -m 1K,2K --seeds 1,2 --jobs 3 \
    sbf:k=2,p=4 rlbsbf --csv - | figures >three
cmp one three && echo same
echo "--- a stream with its own seed, for all filters"
"$FRESHET" lab run --stream $stream,seed=3 -m 4K --seeds 1,2 bloom --csv - |
    cut -d , -f 1-9
echo "--- for people, with the planner's choice told the truth"
"$FRESHET" lab run --stream $stream -m 4K --expect truth --goal fewest \
    auto pocket:choices=1 | masked
echo "--- points along the stream, and JSON"
"$FRESHET" lab run --stream $stream -m 4K --curve 2 bloom | masked
"$FRESHET" lab run --stream $stream -m 4K --curve 2 bloom --json |
    sed -E 's/.*"point":([^,]*),.*"records":([0-9]*),.*/\1 \2/'
echo "--- all algorithms, where none is named; who cannot is left out"
"$FRESHET" lab run --stream $stream -m 400 | masked | cut -c 1-70 |
    grep -E 'left out|algorithm'
"$FRESHET" lab run --stream $stream -m 64K --csv - | sed 1d | wc -l
"$FRESHET" list | wc -l
echo "--- experiments as data"
cat >x.lab <<'END'
# two of them
[first]
stream = uniform:n=20000,distinct=15%
algorithm = bloom
memory = 4K, 8K

[second]
stream = endless:n=20000,repeats=10%,gap=100,shape=fixed
stream = zipf:n=20000,universe=1000
algorithm = buffer
memory = 4K
END
"$FRESHET" lab run --file x.lab --csv - | cut -d , -f 1-9
