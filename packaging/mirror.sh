#!/usr/bin/env bash
# mirror.sh - print the name of this Debian release and the address that the
# system itself takes its packages from
set -eu

# shellcheck disable=SC1091 # the system's
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
# shellcheck disable=SC2016 # apt's own dollars
apt-get indextargets --format '$(CODENAME) $(REPO_URI)' \
    'Created-By: Packages' | awk -v name="$codename" '
    $1 == name && !found++
    END { exit !found }'
