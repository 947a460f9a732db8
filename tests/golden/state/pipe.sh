#!/bin/sh
# A reader that goes away: what was written is remembered, what was not is not.
seq 200000 >numbers
# head is gone long before the pipe has taken all of it
run() {
    rm -f s status
    { "$FRESHET" --state s -m 4M --stats "$@" numbers 2>err; echo "$?" >status
    } | head -n 1
    echo "status $(cat status)"
    sed '/^records /,$d' err
}
# resumes: the second run begins with the first record that was not written
# whole, and misses nothing
resumes() {
    written=$(awk '/^bytes_written/ { print $2 }' err)
    "$FRESHET" --state s numbers >rest
    awk -v written="$written" '
        FNR == NR { bytes += length($0) + 1; if (bytes <= written) whole++; next }
        FNR == 1 { first = $1 }
        $1 != first + FNR - 1 { print "missing before " $1 }
        END {
            if (first != whole + 1) print first " is not behind " whole
            if (first + FNR - 1 != 200000) print "ends at " first + FNR - 1
        }' numbers rest
}
echo "--- dies by SIGPIPE, silently, and has saved"
run
resumes
"$FRESHET" --state s numbers | wc -l
echo "--- marked, and with records that are not new in between"
sed 'p;p' numbers >thrice
rm -f s
{ "$FRESHET" --annotate --state s -m 4M --stats thrice 2>err; } | head -n 1
written=$(awk '/^bytes_written/ { print $2 }' err)
"$FRESHET" --state s numbers >rest
awk -v written="$written" '
    FNR == NR { bytes += length($0) + 3; if (bytes <= written) whole = $1; next }
    FNR == 1 && $1 != whole + 1 { print $1 " is not behind " whole }
    END { print $1 }' thrice rest
echo "--- told to ignore SIGPIPE: says so, and has saved"
trap '' PIPE
run
trap - PIPE
resumes
echo "--- of -d, both filters"
cat numbers numbers >twice
mv twice numbers
rm -f s
{ "$FRESHET" -d --state s -m 16M numbers; echo "status $?" >status; } | head -n 1
cat status
"$FRESHET" -d --state s numbers | awk 'NR == 1 { first = $1 }
    $1 != first + NR - 1 { print "missing before " $1 }
    END { print $1 }'
echo "--- a filter that cannot forget is not saved, and it is said"
run --algorithm set
ls
