#!/bin/sh
# Streams are written as text or binary, with the truth if asked for.
"$FRESHET" gen uniform -n 5 --distinct 50%
echo "the same by a specification:"
"$FRESHET" gen uniform:n=5,distinct=50%
"$FRESHET" gen --truth uniform:records=5 --universe 3 --seed 2
"$FRESHET" gen --truth shuffled:n=8,distinct=50%
echo "binary:"
"$FRESHET" gen endless -n 3 -r 0 --binary | od -An -tu8
"$FRESHET" gen endless:gap=1,shape=fixed -n 6 --binary --truth | od -An -tu8
echo "another seed, other records:"
"$FRESHET" gen poisson --seed 9 -n 4 -u 10
"$FRESHET" gen poisson --seed 10 -n 4 -u 10
echo "no length, no end:"
"$FRESHET" gen burst | head -n 100000 | tail -n 1
echo "two runs, the same bytes:"
"$FRESHET" gen zipf:universe=1e6,n=300000 >a
"$FRESHET" gen zipf:universe=1e6,n=300000 | cmp - a && wc -l <a
"$FRESHET" gen --list
"$FRESHET" gen --help
"$FRESHET" gen --help | awk 'length > 80 { print "too long: " $0 }'
