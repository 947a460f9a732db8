#!/bin/sh
# What --explain says of errors is what streams show.

# said PATTERN OPTION...: the number that a pattern finds in the explanation
said() {
    pattern=$1
    shift
    "$FRESHET" --explain --seed 7 "$@" | sed -n "s/.*$pattern.*/\1/p"
}

# wrong new|repeats FROM OPTION...: of the new records, or of the repeats, the
# share that is called the other, from record FROM of standard input on; a
# record is its truth, 0 or 1, and its key
wrong() {
    of=$([ "$1" = new ] && echo 0 || echo 1)
    from=$2
    shift 2
    "$FRESHET" -k 2 --annotate --seed 7 "$@" |
        awk -v of="$of" -v from="$from" '
            NR > from && $2 == of { n++; wrong += $1 != of }
            END { print wrong / n }'
}

# between LOW VALUE HIGH: with five standard deviations of 100,000 trials
between() {
    awk "BEGIN {
        slack = 5 * sqrt($3 * (1 - $3) / 1e5)
        exit !($1 - slack <= $2 && $2 <= $3 + slack) }" ||
        echo "$2 is not between $1 and $3"
}

echo "--- false drops: at most"
for rate in 0.5 0.2 0.05; do
    most=$(said ' \(.*\) of new records at most' -m 64K -e $rate)
    got=$(seq 300000 | sed 's/^/0 /' | wrong new 100000 -m 64K -e $rate)
    between "$(awk "BEGIN { print $most * 0.7 }")" "$got" "$most"
    between 0 "$most" $rate
done

echo "--- false passes: of the stream that is named, and at worst"
set -- -m 64K --expect 20000
uniform=$(said ' \(.*\) of repeats, if every key is equally likely' "$@")
worst=$(said ' \(.*\) of repeats at worst' "$@")
got=$("$FRESHET" gen uniform --universe 20000 -n 500000 --truth |
    wrong repeats 250000 "$@")
between "$(awk "BEGIN { print $uniform * 0.6 }")" "$got" "$uniform"
got=$("$FRESHET" gen zipf --universe 20000 -n 300000 --truth |
    wrong repeats 0 "$@")
between 0 "$got" "$uniform"
got=$(awk 'BEGIN { for (i = 0; i < 120000; i++) print (i >= 20000), i % 20000 }' |
    wrong repeats 0 "$@")
between "$(awk "BEGIN { print $worst * 0.6 }")" "$got" "$worst"

echo "--- found: 99, 90 and 50 % of keys"
for share in 99 90 50; do
    gap=$("$FRESHET" --explain --algorithm sbf -m 64K |
        sed -n "s/.* $share % \(of keys \)\{0,1\}\([0-9.e+-]*\) .*/\2/p")
    gap=$(awk "BEGIN { printf \"%d\", $gap }")
    lost=$("$FRESHET" gen endless -r 10% -g "$gap" --shape fixed -n 400000 \
        --truth | wrong repeats 100000 --algorithm sbf -m 64K)
    awk "BEGIN { d = 100 * $lost - (100 - $share); exit !(d * d < 2.25) }" ||
        echo "$lost of repeats lost $gap back, not $share % found"
done
