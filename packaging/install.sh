#!/usr/bin/env bash
# install.sh TAG... - install the packages of packages.txt that bear a tag
# and are missing.  Nothing missing: nothing is called, no network is used.
set -eu

list=$(dirname "$0")/packages.txt

wanted()
{
    local package tags tag

    while read -r package tags; do
        case $package in '' | '#'*) continue ;; esac
        for tag in "$@"; do
            case " $tags " in *" $tag "*) echo "$package" ;; esac
        done
    done <"$list"
}

installed()
{
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>&1)" = installed ]
}

if ! command -v dpkg-query >/dev/null; then
    echo "install.sh: not a Debian system; these packages are needed," \
        "by Debian's names:" >&2
    wanted "$@" >&2
    exit 0
fi

missing=()
for package in $(wanted "$@"); do
    installed "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root=()
elif command -v sudo >/dev/null; then
    as_root=(sudo)
else
    echo "install.sh: missing, and neither root nor sudo to install:" \
        "${missing[*]}" >&2
    echo "install.sh: as root: apt-get install ${missing[*]}" >&2
    exit 1
fi

# A server that is installed for the tests must not start as a service.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap '"${as_root[@]}" rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    ${APT_CONFIG:+"APT_CONFIG=$APT_CONFIG"} apt-get -q)
echo "installing ${missing[*]}"
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends "${missing[@]}"
