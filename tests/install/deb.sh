#!/usr/bin/env bash
# deb.sh BUILD COMPILER - the Debian packages build, please lintian, install,
# run, serve a stranger's program, and leave nothing behind
set -eu

here=$(cd "$(dirname "$0")" && pwd)
for tool in dpkg-buildpackage dh lintian; do
    if ! command -v "$tool" >/dev/null; then
        echo "no $tool: skipped"
        exit 77
    fi
done
out=$1/deb
root=$out/root
bash "$here/../../packaging/deb.sh" "$out"
lintian --allow-root --fail-on error,warning "$out"/*.changes

# What they depend on can be had.
apt-get --simulate --quiet=2 install "$out"/*freshet*_*.deb >/dev/null

# In a root of their own, where nothing else is installed.
rm -rf "$root"
mkdir -p "$root/var/lib/dpkg"
: >"$root/var/lib/dpkg/status"
try_dpkg()
{
    dpkg --root="$root" --force-not-root,depends,bad-path --log=/dev/null "$@" \
        >"$out/dpkg.log" 2>&1 || {
        cat "$out/dpkg.log" >&2
        exit 1
    }
}
mapfile -t packages < <(find "$out" -maxdepth 1 -name '*.deb' \
    ! -name '*dbgsym*')
try_dpkg --unpack "${packages[@]}"
# The scripts of python3-freshet compile by a Python, which this root has not.
try_dpkg --configure freshet libfreshet-dev libfreshet0

libdir=$(dirname "$(find "$root" -name 'libfreshet.so.0')")
[ "$(printf 'a\nb\na\n' |
    LD_LIBRARY_PATH=$libdir "$root/usr/bin/freshet" | tr '\n' ' ')" = 'a b ' ]
bash "$here/pkgconfig.sh" "$root" c "$2"
for file in bin/freshet include/freshet.h share/man/man1/freshet.1.gz \
    share/man/man3/freshet.3.gz share/man/man5/freshet.5.gz \
    share/man/man7/freshet-algorithms.7.gz \
    share/bash-completion/completions/freshet \
    share/zsh/vendor-completions/_freshet \
    share/fish/vendor_completions.d/freshet.fish \
    share/doc/freshet/copyright share/doc/freshet/changelog.gz \
    lib/python3/dist-packages/freshet/__init__.py; do
    if ! [ -e "$root/usr/$file" ]; then
        echo "not in any package: $file" >&2
        exit 1
    fi
done

[ "$(PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -c \
    'import freshet; print(freshet.Filter("1M").add("a"))')" = True ]

rm "$root/consumer-c"
try_dpkg -P freshet libfreshet-dev libfreshet0 python3-freshet
left=$(find "$root" -path "$root/var" -prune -o -type f -print)
if [ -n "$left" ]; then
    echo "left behind: $left" >&2
    exit 1
fi
