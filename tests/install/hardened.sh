#!/usr/bin/env bash
# hardened.sh FILE... - programs and libraries as they are installed are built
# hard: position-independent, full RELRO, stack protector, fortified calls, and
# no stack that can be executed
set -u

failed=0
# says FILE WHAT COMMAND...: the command finds it in what readelf prints
says()
{
    local file=$1 what=$2

    shift 2
    if ! readelf -hdlW --dyn-syms "$file" | grep -Eq "$@"; then
        echo "$file: $what" >&2
        failed=1
    fi
}

for file; do
    says "$file" "is not position-independent" 'Type: +DYN'
    says "$file" "has no RELRO segment" '^ *GNU_RELRO'
    says "$file" "binds late: RELRO is not full" 'BIND_NOW|Flags:.* NOW'
    says "$file" "has a stack that can be executed" '^ *GNU_STACK .* RW '
    says "$file" "has no stack protector" '__stack_chk_fail'
    says "$file" "calls nothing by its fortified name" '__[a-z]+_chk'
done
exit "$failed"
