#!/bin/sh
# The truth that a stream tells is that of awk, and of the filter.
for spec in uniform:n=30000,distinct=40% zipf:n=30000,universe=50000 \
    poisson:n=30000 bmodel:n=30000 endless:n=30000,gap=1000 \
    drift:n=30000,universe=300 burst:n=30000,calm=100,clients=9 \
    attack:n=3000,against=5,gap=100 log:n=30000,gap=500 csv:n=30000 \
    jsonl:n=30000,gap=9; do
    "$FRESHET" gen "$spec" >plain
    "$FRESHET" gen "$spec" --truth >told
    cut -f 2- told | cmp - plain
    awk '{ print seen[$0]++ ? 1 : 0 }' plain >wanted
    cut -f 1 told | cmp - wanted
    "$FRESHET" --seed 1 plain | wc -l | tr '\n' ' '
    echo "of $(wc -l <plain) are new: $(grep -c '^0' told) of $spec"
done
