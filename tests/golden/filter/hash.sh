#!/bin/sh
# --hash: the hash of the keys, which is part of a saved filter.
feed() {
    printf '%s\n' "$@"
}
echo "--- both remove repeats"
feed a b a c b | "$FRESHET" --hash siphash
feed a b a c b | "$FRESHET" --hash xxh3-128 -d
feed a b a c b a | "$FRESHET" --hash siphash -d
echo "--- a saved filter keeps its hash; another is refused"
feed a b | "$FRESHET" --hash siphash --seed 7 -m 64K --state s
feed a c | "$FRESHET" --state s
feed d | "$FRESHET" --hash siphash --state s
"$FRESHET" info s | grep seed
"$FRESHET" --hash xxh3-128 --state s </dev/null
echo "$?"
feed a a | "$FRESHET" --state other -d -m 64K --hash siphash
feed a b b | "$FRESHET" --state other -d
echo "--- one seed, one state"
for i in 1 2; do
    feed a b | "$FRESHET" --hash siphash --seed 9 -m 64K --state "same$i" \
        >/dev/null
done
cmp same1 same2 && echo same
echo "--- no such hash"
"$FRESHET" --hash md5 </dev/null
echo "$?"
