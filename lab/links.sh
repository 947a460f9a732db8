#!/usr/bin/env bash
# links.sh FILE [PACKAGE...] - the links that a crawler of Debian's documentation
# would meet, one a line
#
# The pages of the packages (openjdk-17-doc and rust-doc) in the order of their
# names, and of each the targets of its links in the order they stand, made
# absolute and without what follows #.  Nothing is installed, and nothing of it
# is kept here: FILE.versions says what it was made of.
set -eu -o pipefail

file=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- openjdk-17-doc rust-doc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download "$@" >/dev/null 2>&1 || {
    echo "links.sh: apt-get cannot download $*; is the network there?" >&2
    exit 1
}
for package in *.deb; do
    echo "$(dpkg-deb --field "$package" Package)" \
        "$(dpkg-deb --field "$package" Version)"
    dpkg-deb --fsys-tarfile "$package" | tar -x --wildcards '*.html'
done >"$file.versions"

find usr -name '*.html' -type f | LC_ALL=C sort | perl -ne '
    chomp(my $page = $_);
    open(my $in, "<", $page) or die "$page: $!\n";
    local $/;
    my $text = <$in>;
    (my $folder = $page) =~ s{[^/]*$}{};
    while ($text =~ /<a\b[^>]*?\bhref="([^"#]+)/gi) {
        my $link = $1;
        if ($link !~ m{^[a-z]+:}i) {
            $link = $folder . $link unless $link =~ m{^/};
            1 while $link =~ s{(^|/)\./}{$1} or
                    $link =~ s{(^|/)(?!\.\./)[^/]+/\.\./}{$1};
        }
        print "$link\n";
    }' >"$file"
wc -l "$file"
