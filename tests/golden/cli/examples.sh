#!/bin/sh
# Every example of the man page works as it stands there.
printf '%s\n' ann bob ann >names
printf '%s - - [14/Nov/2023:%s +0000] "GET /%s"\n' 10.0.0.1 22:13:20 a \
    10.0.0.2 22:13:30 a 10.0.0.1 22:13:40 b 10.0.0.1 22:15:00 b >access.log
printf '%s\n' '{"at":1700000000,"user":1}' '{"at":1700000030,"user":1}' \
    '{"at":1700000090,"user":1}' | gzip >events.json.gz
printf '%s\n' order,by 7,ann 8,bob 7,ann >orders.csv
printf '%s\n' 'sshd[12]: hello' 'sshd[13]: hello' 'cron[12]: hello' >messages
mkdir bin
ln -s "$FRESHET" bin/freshet
page=$(dirname "$0")/../../../doc/man/freshet.1
sed -n 's/^\.Dl \$ //p' "$page" | sed 's/\\e/\\/g' >commands
while read -r command; do
    echo "\$ $command"
    # Of the figures, some that are the same each time.
    PATH=$PWD/bin:$PATH sh -c "$command" 2>&1 </dev/null |
        awk '/^[a-z_]+   / && !/^(records|new|repeats|audit_pass) / { next } 1'
done <commands
echo "--- what they leave"
cat once again
"$FRESHET" --csv order --state orders.seen orders.csv
