#!/bin/sh
# The shape of the results; the figures are this machine's.
"$FRESHET" bench --runs 1 --seconds 0.01 -m 256K sbf --json >out || exit
keys='algorithm params memory threads batch stream ns limit_ns ratio fpr fnr
    bits_per_key spread runs'
if command -v python3 >/dev/null; then
    # shellcheck disable=SC2086 # one word per key
    python3 - $keys <<'END'
import json, sys

lines = [json.loads(line) for line in open("out")]
assert lines[0]["kind"] == "machine", lines[0]
for key in "machine cores huge_pages compiler version".split():
    assert key in lines[0], key
results = [line for line in lines if line["kind"] == "result"]
assert len(results) == 4, len(results)
for result in results:
    for key in sys.argv[1:]:
        assert key in result, key
    assert result["ns"] > 0 and result["limit_ns"] > 0
    assert (result["fnr"] is None) == (result["stream"] == "new")
END
else
    awk -v keys="$keys" '
        !/^\{.*\}$/ { print "not an object: " $0 }
        NR == 1 && !/"kind":"machine"/ { print "no machine" }
        /"kind":"result"/ {
            results++
            n = split(keys, key)
            for (i = 1; i <= n; i++)
                if (index($0, "\"" key[i] "\":") == 0) print "no " key[i]
        }
        END { if (results != 4) print results " results" }' out
fi && echo well-formed
