#!/usr/bin/env bash
# install.sh TAG... - install the packages of packages.txt that bear a tag
# and are missing.  Nothing missing: nothing is called, no network is used.
set -eu
cd "$(dirname "$0")/.."

# The names of the packages with any of the tags, one per line.
wanted()
{
    awk -v tags="$*" '
        BEGIN { n = split(tags, tag, " ") }
        /^[^#]/ {
            for (i = 1; i <= n; i++)
                for (field = 2; field <= NF; field++)
                    if ($field == tag[i] && !seen[$1]++)
                        print $1
        }' packaging/packages.txt
}

if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system. Needed, by Debian's names:" \
        "$(wanted "$@" | paste -sd ' ')"
    exit 0
fi

installed()
{
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>&1)" = installed ]
}

# Returns whether an installed package provides the package of that name, as the
# nodejs of other archives provides npm.
provided()
{
    dpkg-query -W -f '${db:Status-Status} ${Provides}\n' 2>&1 |
        awk -F '[ ,]+' -v wanted="$1" '
            $1 == "installed" {
                for (i = 2; i <= NF; i++)
                    found += $i == wanted
            }
            END { exit !found }'
}

missing=()
for package in $(wanted "$@"); do
    installed "$package" || provided "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Packages are missing, and there is neither root nor sudo to" \
            "install them. As root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
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

# What apt cannot have installed at all, by itself.
impossible()
{
    local package

    for package; do
        "${apt[@]}" --simulate install "$package" >/dev/null 2>&1 ||
            echo "$package"
    done
}

echo "Packages are missing: ${missing[*]}"
status=0
{ cmake/stage.sh 'apt-get update' "${apt[@]}" update &&
    cmake/stage.sh 'apt-get install' "${apt[@]}" install -y \
        --no-install-recommends "${missing[@]}"; } || status=$?
if [ "$status" -eq 73 ]; then # not for apt's sake, and it is said
    exit 1
elif [ "$status" -ne 0 ]; then
    names=$(impossible "${missing[@]}" | paste -sd ' ')
    echo "apt-get cannot install ${names:-${missing[*]}}. Is there a network," \
        "and is \"apt-get update\" without complaint? Install" \
        "${missing[*]} by other means, then run make again." >&2
    exit 1
fi
