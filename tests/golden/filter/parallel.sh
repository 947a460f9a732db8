#!/bin/sh
# Several threads print, say and count what one does, whatever the options.
awk 'BEGIN { srand(7)
    for (i = 0; i < 20000; i++) {
        key = int(rand() * 8000)
        printf "2026-11-15T%02d:00:00Z Host%d id=%d", i / 7000, key % 9, key
        for (n = key % 40; n--;) printf " word"
        if (i % 7001 == 0) printf "%0300000d", i
        print "" } }' >lines
awk 'BEGIN { srand(8); print "id,name,at"
    for (i = 0; i < 20000; i++) {
        key = int(rand() * 8000)
        printf i % 9 ? "%d,n%d,%d\n" : "\"%d\",\"n\n%d,\",%d\n", key, key % 99,
            1700000000 + i / 7
        if (i % 5003 == 5002) print "\"wrong\" quote,1,2" } }' >table
awk 'BEGIN { srand(9)
    for (i = 0; i < 20000; i++) {
        key = int(rand() * 8000)
        printf "{\"at\":%d,%s\"user\":{\"id\":\"k\\u00e9%d\"}}\n",
            1700000000 + i / 7, i % 100 ? "" : "\"x\":[1,2,{}],", key
        if (i % 5003 == 5002) print "{\"at\":"
        if (i % 307 == 0) print "{}" } }' >objects
gzip -k lines
tr '\n' ';' <lines >semicolons
mkdir directory

# same NAME ARGUMENT...: with several numbers of threads; $piped is on standard
# input
few="1 2 3 4"
many="1 2 3 4 8 16"
threads=$many
same() {
    name=$1
    shift
    for n in $threads; do
        rm -f dups saved
        # shellcheck disable=SC2002 # a pipe is read in another way than a file
        cat "${piped:-/dev/null}" |
            "$FRESHET" --seed 5 -m 4M --parallel "$n" "$@" >"out.$n" 2>said
        echo "status $?" >>said
        grep -v '^seconds' said >>"out.$n"
        [ -e dups ] && cat dups >>"out.$n"
        [ -e saved ] && cksum <saved >>"out.$n"
        cmp out.1 "out.$n" || echo "$name: $n threads differ"
    done
    echo "$name: $(grep -a '^status' out.1)"
}
same new --stats lines
same repeated -d --stats lines
same check -q lines
same audit --stats=text --audit lines
same last --last 5000 --stats --audit lines
same window --last 5000 --stats --state saved lines
same short-window --last 40 --stats --state saved lines
same within --within 1h --stats lines
same qht --algorithm qht --param k=4 --param s=9 -m 16K --state saved lines
same isqf --algorithm isqf --param r=6 -m 64K --state saved lines
same paths-time --json .user.id --time .at --within 10m -D --stats objects
same checkpoint --state saved --checkpoint 1ms lines table
threads=$few
same two-files --stats lines table
piped=lines
same pipe --stats
piped=lines.gz
same packed-pipe --stats - table
piped=
same packed --stats lines.gz lines.gz
same missing-file --stats lines nosuch directory table
same read-error --stats lines /proc/self/mem objects
same too-long --stats --max-record 100K lines table
same delimiter --stats --delimiter ';' semicolons
same repeats -D --stats lines
same annotate --annotate lines
same dup-output --dup-output dups --stats lines
same check-none -q table
same check-counts -q --stats lines
same skip -f 1 -s 2 -w 20 -i --stats lines
same fields -k 2,3 --stats lines
same columns --csv id --stats table table
same columns-fail --csv name --malformed fail --stats table
same columns-time --csv id --time at --within 10m --stats table
same paths --json .user.id --stats objects
same paths-drop --json .user.id --missing drop --malformed drop --stats objects
same paths-fail --json .user.id --malformed fail --stats objects
same regex --regex 'Host(\d+) id=(\d+)' --missing key --stats lines table
same regex-time --regex 'id=(\d+)' --time '^(\S+)' --within 10m --stats lines
same exclude --exclude .at --stats objects
same overfull -m 64K --prefer drop -e 1e-3 --expect 1000 lines
same state --state saved lines
for small in "pocket 600" "set 512" "isqf 8K"; do # too small for two parts
    same "$small" --algorithm "${small% *}" -m "${small#* }" --state saved table
done
echo "--- no more than there may be"
"$FRESHET" --parallel 0 lines >/dev/null
echo "status $?"
"$FRESHET" --parallel 65 lines >/dev/null
echo "status $?"
