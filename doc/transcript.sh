#!/usr/bin/env bash
# transcript.sh FRESHET [update] - what the README's first screen shows is what
# these commands print, times and sizes of processes aside
set -u
freshet=$(realpath "$1")
action=${2:-check}
cd "$(dirname "$0")/.." || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
ln -s "$freshet" "$work/freshet"
if ! [ -x /usr/bin/time ]; then
    echo "no /usr/bin/time: skipped"
    exit 77
fi

# As a shell would show it: the command, then what it prints.
show()
{
    echo "\$ $1"
    (cd "$work" && PATH=$work:$PATH LC_ALL=C bash -c "$1" 2>&1)
}

transcript()
{
    # shellcheck disable=SC2016 # for the shell that is shown
    {
        show "awk 'BEGIN { for (i = 0; i < 1e6; i++) print \"user-\" i * 7919 % 500009 }' >log"
        show '/usr/bin/time -f "%U s, %M KiB" awk '\''!seen[$0]++'\'' log >by-awk'
        show '/usr/bin/time -f "%U s, %M KiB" freshet -m 4M log >by-freshet'
        show 'cmp by-awk by-freshet && wc -l by-freshet'
        show 'freshet --explain -m 4M'
        show 'freshet -m 1500K --audit --stats log 2>&1 >/dev/null | grep audit_[dp]   # too little'
    }
}

# Without what differs from run to run: times, processes, and the sample,
# which the seed chooses.
steady()
{
    sed -E 's/^[0-9.]+ s, [0-9]+ KiB$/TIME/
        /^audit_(drop|pass)/s/ +[0-9.e-]+ .*/ FIGURES/'
}

begin='<!-- transcript: written by make transcript -->'
{
    echo "$begin"
    echo '```'
    transcript
    echo '```'
} >"$work/new"
awk -v begin="$begin" '$0 == begin { on = 1 } on
    on && /^```/ && ++fences == 2 { exit }' README.md >"$work/old"

if [ "$action" = update ]; then
    awk -v begin="$begin" -v new="$work/new" '
        $0 == begin { while ((getline line <new) > 0) print line; on = 1 }
        !on
        on && /^```/ && ++fences == 2 { on = 0 }' README.md >"$work/README.md"
    cp "$work/README.md" README.md
elif ! diff -u <(steady <"$work/old") <(steady <"$work/new"); then
    echo "README.md: the transcript is not what is printed: make transcript" >&2
    exit 1
fi
