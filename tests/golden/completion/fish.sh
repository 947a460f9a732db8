#!/bin/sh
# Fish says by itself what it would offer.
. "$(dirname "$0")/complete.inc"
need fish
cat >ask.fish <<'END'
source "$completions/freshet.fish"
while read -l line
    # read strips blanks at the end: "_" stands for them
    set line (string replace -r ' _$' ' ' -- $line)
    echo -- $line: (complete -C "$line" | string replace -r '\t.*' '')
end
END
sed 's/ $/ _/' lines | fish --no-config ask.fish
