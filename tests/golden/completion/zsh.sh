#!/bin/sh
# Zsh, on a terminal: the tabulator inserts every candidate.
. "$(dirname "$0")/complete.inc"
need zsh
need script
{
    cat <<'END'
PS1= PS2=
unsetopt prompt_cr prompt_sp
freshet() { printf '\nGOT'; printf ' %s' "$@"; echo; }
fpath=("$completions" $fpath)
autoload -U compinit
compinit -u -D
zle -C all-matches complete-word _generic
bindkey '^I' all-matches
zstyle ':completion:all-matches::::' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert true
END
    sed 's/$/\t/' lines
    echo exit
} >typed
script -qec 'zsh -f -i' /dev/null <typed | tr -d '\r' |
    sed -n 's/^GOT/freshet/p'
