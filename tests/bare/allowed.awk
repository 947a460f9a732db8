# allowed.awk - the packages that a machine has after "make run", and no others
#
# Reads packages.txt, then lines "NAME ESSENTIAL PRIORITY PROVIDES DEPENDS"
# separated by tabs, one for each installed package.  Prints what every Debian
# has, what is tagged "build", and what these depend on.  A package that
# packages.txt lists without the tag is not printed even if another one depends
# on it: what the build itself uses is to be tagged.
FNR == NR {
    if (/^[^#]/) {
        listed[$1] = 1
        for (i = 2; i <= NF; i++)
            if ($i == "build")
                add($1)
    }
    next
}
{
    split($0, part, "\t")
    name = part[1]
    depends[name] = part[5]
    n = split(part[4], names, /[, ]+/)
    for (i = 1; i <= n; i++)
        provider[names[i]] = provider[names[i]] " " name
    if (part[2] == "yes" || part[3] == "required")
        add(name)
}
function add(name) {
    if (!(name in wanted)) {
        wanted[name] = 1
        queue[++last] = name
    }
}
function add_dependency(name, i, n, names) {
    if (name in depends && !(name in listed))
        add(name)
    n = split(provider[name], names, " ")
    for (i = 1; i <= n; i++)
        if (!(names[i] in listed))
            add(names[i])
}
END {
    for (first = 1; first <= last; first++) {
        if (!(queue[first] in depends))
            continue
        print queue[first]
        n = split(depends[queue[first]], names, /[,|]/)
        for (i = 1; i <= n; i++) {
            gsub(/\([^)]*\)|:[a-z]+|[ ]/, "", names[i])
            add_dependency(names[i])
        }
    }
}
