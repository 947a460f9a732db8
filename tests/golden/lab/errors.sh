#!/bin/sh
# A bad wish is refused before anything is measured, and nothing is written.
try() {
    echo "--- $*"
    "$FRESHET" lab "$@"
    echo "status $?"
}
s=--stream=uniform:n=1000,distinct=15%
{
    try
    try nosuch
    try run
    try run --stream nosuch:n=1 -m 4K bloom
    try run --stream uniform:distinct=15% -m 4K bloom
    try run "$s" -m 4K isqf:k=1025
    try run "$s" -m 2K isqf:rows=quotient,m=8,k=64
    try run "$s" -m 2K isqf:k=64,m=8,rows=quotient
    try run "$s" -m 4K sqf:r=2,rp=3
    try run "$s" -m 4K sbf:p=0.5
    try run "$s" -m 512 sbf:k=32,d=8
    try run "$s" -m 4K fpsbf:l=65536
    try run "$s" -m 4K fpsbf:victims=all
    try run --stream uniform:universe=10 -m 4K bloom
    try run $s -m 4Q bloom
    try run $s -m 4K nosuch
    try run $s -m 4K sbf:d=9
    try run $s -m 4K sbf31:d=2
    try run $s -m 4K rsbf31
    try run $s -m 4K --seeds 0 bloom
    try run $s -m 4K --goal best bloom
    try run $s -m 4K --expect most bloom
    try run $s --input x -m 4K bloom
    try run $s --file x.lab
    try run --file none.lab
    printf 'stream = a\nmemory = lots\n' >bad.lab
    try run --file bad.lab
    printf 'stream = nosuch\nmemory = 4K\nalgorithm = bloom\n' >bad.lab
    try run --file bad.lab
    try run $s -m 4K --csv - --json bloom
    try run --input none -m 4K bloom
    try run --input /dev/null -m 4K bloom
    try run --input - --seeds 1,2 -m 4K bloom
    try run --input none --csv-key 0 -m 4K bloom
    try run --input none -k 1 --json-key .a -m 4K bloom
    try run --input none --csv-key 1 -z -m 4K bloom
} 2>&1
echo "--- no memory: said beforehand, and how much it takes"
"$FRESHET" lab run --stream zipf:n=10,universe=1e15 -m 4K bloom 2>&1 |
    sed 's/; .* left/; N left/'
"$FRESHET" lab run $s -m 200T bloom 2>&1 | sed 's/; .* left/; N left/'
ls
