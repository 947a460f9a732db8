#!/usr/bin/env bash
# commit.sh - the commit, with +dirty if anything but results and documents
# differs from it
set -eu

changes=$(git status --porcelain -- . ':!bench/results' ':!lab/results' \
    ':!doc' ':!*.md')
printf '%s%s\n' "$(git rev-parse --short HEAD)" "${changes:++dirty}"
