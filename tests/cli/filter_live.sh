#!/bin/sh
# Never wait while holding output: a line is shown when it comes.
mkfifo in out
"$FRESHET" <in >out &
exec 3>in 4<out
for line in a b a c; do
    echo "$line" >&3
    [ "$line" = a ] && [ -n "$seen" ] && continue
    seen=1
    read -r got <&4
    echo "$got"
done
echo "--- half a record waits for the other half"
printf 'd' >&3
printf 'e\n' >&3
read -r got <&4
echo "$got"
exec 3>&-
wait $!
echo "status $?"
