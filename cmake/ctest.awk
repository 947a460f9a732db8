# ctest.awk - what is worth seeing of "ctest --verbose"

# What test N prints comes as "N: text", behind what ctest says of it.
/^[0-9]+: (Test command|Working Directory|Environment variables|Test timeout)/ {
    next
}
/^[0-9]+: / {
    n = $1 + 0
    last[n] = substr($0, index($0, ": ") + 2)
    line[n, ++lines[n]] = last[n]
    next
}

function show(n, i) {
    for (i = lines[n] > 60 ? lines[n] - 59 : 1; i <= lines[n]; i++)
        print "    " line[n, i]
}

# "  7/190 Test  #12: NAME ....   Passed    0.02 sec"
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
    match($0, /#[0-9]+: [^ ]+/)
    n = substr($0, RSTART + 1) + 0
    name = substr($0, RSTART, RLENGTH)
    sub(/.*: /, "", name)
    split($1, count, "/")
    if (/\*\*\*Skipped/)
        print name " is skipped: " last[n]
    else if (!/ Passed /) {
        print
        show(n)
    }
    if (count[1] % 20 == 0 || count[1] == count[2])
        print count[1] " of " count[2] " tests are done"
    for (i = 1; i <= lines[n]; i++)
        delete line[n, i]
    fflush()
    next
}

/^[0-9]+% tests passed/ {
    summary = 1
    print ""
}
summary || /^(No tests|CMake Error|Could not|Errors)/
