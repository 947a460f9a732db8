#!/usr/bin/env bash
# valkey.sh - install valkey-server from Debian's backports, if it can be had
#
# The system's own list of sources stays as it is: apt gets a copy with one
# line more, with the address that the system uses for its own release.
# Without Valkey the module is tested on Redis alone, and the tests say so.
set -eu

here=$(dirname "$0")
if command -v valkey-server >/dev/null; then
    exit 0
fi
skip()
{
    echo "$1"
    exit 77
}
command -v apt-get >/dev/null || skip "not a Debian system"
read -r codename address < <("$here/mirror.sh") ||
    skip "the system's sources have no address of this release"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work" # apt fetches as a user of its own
mkdir -p "$work/lists/partial" "$work/parts"
cp /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list \
    "$work/parts" 2>/dev/null || :
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $address $codename-backports main" \
    >"$work/parts/backports.list"
cat >"$work/apt.conf" <<END
Dir::Etc::sourceparts "$work/parts";
Dir::State::lists "$work/lists";
APT::Default-Release "$codename-backports";
END
APT_CONFIG=$work/apt.conf "$here/install.sh" valkey ||
    skip "$codename-backports does not have it, or cannot be reached"
