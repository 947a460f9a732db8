#!/bin/sh
# Bash alone, without the package bash-completion, on a terminal.
. "$(dirname "$0")/complete.inc"
need bash
need script
{
    cat <<'END'
PS1=
freshet() { printf '\nGOT'; printf ' %s' "$@"; echo; }
. "$completions/freshet.bash"
bind '"\t": insert-completions'
END
    sed 's/$/\t/' lines
    echo exit
} >typed
script -qec 'bash --norc --noprofile -i' /dev/null <typed | tr -d '\r' |
    sed -n 's/^GOT/freshet/p'
echo "--- the tabulator alone"
{
    sed 4d typed | head -n 3
    printf 'freshet --miss\td\tfile1\t\nexit\n'
} >alone
script -qec 'bash --norc --noprofile -i' /dev/null <alone | tr -d '\r' |
    sed -n 's/^GOT/freshet/p'
