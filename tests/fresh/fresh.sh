#!/usr/bin/env bash
# fresh.sh ROW... - the documented commands on a bare Debian, each on its own
#
# The root is Debian's smallest (debootstrap --variant=minbase) with the packages
# that the README tells a newcomer to install first.  Each row gets a fresh copy
# of it and a clone of the last commit.  What a row prints is kept in
# build/fresh/ROW.log.  Needs root, and a mirror of Debian's packages.
set -u -o pipefail
here=$(realpath "$(dirname "$0")")
cd "$here/../.." || exit 1
out=$PWD/build/fresh
first='git make'

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
    echo "make fresh needs root, and debootstrap"
    exit 77
fi
mkdir -p "$out/archives" || exit 1

# Where packages come from is the system's own affair: it is copied.
copy_network()
{
    cp /etc/resolv.conf /etc/hosts "$1/etc/"
    rm -rf "$1"/etc/apt/sources.list "$1"/etc/apt/sources.list.d
    cp -a /etc/apt/sources.list.d "$1/etc/apt/"
    if [ -e /etc/apt/sources.list ]; then
        cp /etc/apt/sources.list "$1/etc/apt/"
    fi
    grep -lsE '^ *Acquire' /etc/apt/apt.conf /etc/apt/apt.conf.d/* |
        xargs -r cp -t "$1/etc/apt/apt.conf.d/"
    cp -a /usr/share/keyrings /usr/share/ca-certificates "$1/usr/share/"
    if [ -d /etc/apt/keyrings ]; then
        cp -a /etc/apt/keyrings "$1/etc/apt/"
    fi
    # Questions are answered, and servers do not start by themselves.
    echo 'APT::Get::Assume-Yes "true";' >"$1/etc/apt/apt.conf.d/99fresh"
    printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
    chmod 755 "$1/usr/sbin/policy-rc.d"
}

# inside ROOT COMMAND: in a shell of the root, with processes of its own, which
# end with it, and without /sys.
inside()
{
    # shellcheck disable=SC2016 # for the shell that is started
    unshare --mount --pid --fork --kill-child bash -eu -c '
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        mkdir -p "$1/var/cache/apt/archives"
        mount --bind "$2" "$1/var/cache/apt/archives"
        exec chroot "$1" env -i HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            ${http_proxy:+http_proxy="$http_proxy"} \
            ${https_proxy:+https_proxy="$https_proxy"} \
            ${no_proxy:+no_proxy="$no_proxy"} \
            DEBIAN_FRONTEND=noninteractive bash -e -o pipefail -c "$3"
    ' inside "$1" "$out/archives" "$2" </dev/null
}

make_base()
{
    local name address

    read -r name address < <(packaging/mirror.sh) || {
        echo "apt's own sources name no mirror of this release"
        return 1
    }
    rm -rf "$out/base"
    debootstrap --variant=minbase --cache-dir="$out/archives" "$name" \
        "$out/base.part" "$address" &&
        copy_network "$out/base.part" &&
        inside "$out/base.part" "apt-get update && apt-get install -y \
            --no-install-recommends $first" &&
        mv "$out/base.part" "$out/base"
}

# A clone of the last commit, whose path has a space, and the row's commands.
try()
{
    local row=$1 root=$out/root-$1 log=$out/$1.log begun=$SECONDS

    if [ ! -e "$here/rows/$row.sh" ]; then
        echo "There is no row $row. There are:" \
            "$(basename -s .sh "$here"/rows/*.sh | paste -sd ' ')" >&2
        return 1
    fi
    rm -rf "$root"
    cp -a "$out/base" "$root" || return 1
    git clone -q --bare . "$root/srv/freshet.git" || return 1
    if inside "$root" "cd /root && git clone -q /srv/freshet.git 'a clone' &&
        cd 'a clone' && bash tests/fresh/rows/$row.sh" >"$log" 2>&1; then
        echo "$row: passed, $((SECONDS - begun)) s, $(wc -l <"$log") lines"
        rm -rf "$root"
    else
        echo "$row: FAILED after $((SECONDS - begun)) s; the end of $log:"
        tail -n 40 "$log"
        return 1
    fi
}

if ! grep -q "apt-get install $first" README.md; then
    echo "README.md does not say: apt-get install $first"
    exit 1
fi
if ! [ -d "$out/base" ] && ! make_base >"$out/base.log" 2>&1; then
    echo "No bare Debian can be made: is there a network? $out/base.log ends:"
    tail -n 20 "$out/base.log"
    exit 1
fi
echo "A newcomer needs first: $first"
failed=0
for row; do
    try "$row" || failed=1
done
exit $failed
