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
echo "--- a write for all that is there, or one for each record"
# packets COMMAND...: how many writes, by a socket that keeps them apart
packets() {
    perl -MSocket -e '
        socketpair(my $ours, my $theirs, AF_UNIX, SOCK_SEQPACKET, 0) or die;
        if (!fork) {
            open(STDOUT, ">&", $theirs) or die;
            close $ours;
            exec @ARGV or die;
        }
        close $theirs;
        $n++ while sysread($ours, $_, 65536);
        print "$n\n"' "$@"
}
seq 1000 >numbers
packets "$FRESHET" numbers
packets "$FRESHET" --line-buffered numbers
packets "$FRESHET" --line-buffered --annotate numbers numbers
