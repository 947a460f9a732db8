# select.awk - rows of a file of results, without what is not asked for
#
#     awk -f lab/select.awk -v where='algorithm=sbf:k=2,p=4;point=' \
#         -v show='memory fpr fnr' lab/results/NAME.csv
#
# where has conditions name=value between semicolons; a * at the end of a value
# is whatever else there is, but not nothing.  A name is a column's, or else
# a parameter's of the stream or the filter, such as gap or k.  What show names
# is printed between tabs.

# The cells of a line of CSV into cell[], quotes taken off.
function cells(line, cell,    n, quoted, i, c, text)
{
    n = 0
    for (i = 1; i <= length(line) + 1; i++) {
        c = substr(line, i, 1)
        if (c == "\"")
            quoted = !quoted
        else if (!quoted && (c == "," || c == "")) {
            cell[++n] = text
            text = ""
        } else
            text = text c
    }
    return n
}

# The value of name= in "KIND:name=value,name=value", or nothing.
function parameter(name, spec,    at)
{
    sub(/^[a-z0-9]*:/, "", spec)
    spec = "," spec ","
    at = index(spec, "," name "=")
    if (!at)
        return ""
    spec = substr(spec, at + length(name) + 2)
    return substr(spec, 1, index(spec, ",") - 1)
}

function value(name,    found)
{
    if (name in column)
        return cell[column[name]]
    found = parameter(name, cell[column["stream"]])
    return found == "" ? parameter(name, cell[column["params"]]) : found
}

function meets(is, wanted,    n)
{
    n = length(wanted)
    if (substr(wanted, n) != "*")
        return is == wanted
    return length(is) >= n && substr(is, 1, n - 1) == substr(wanted, 1, n - 1)
}

function matches(    i, at)
{
    for (i = 1; i <= conditions; i++) {
        at = index(condition[i], "=")
        if (!meets(value(substr(condition[i], 1, at - 1)),
                   substr(condition[i], at + 1)))
            return 0
    }
    return 1
}

BEGIN {
    conditions = split(where, condition, ";")
    shown = split(show, name, " ")
}

/^#/ { next }

!width {
    width = cells($0, cell)
    for (i = 1; i <= width; i++)
        column[cell[i]] = i
    next
}

{
    cells($0, cell)
    if (!matches())
        next
    line = value(name[1])
    for (i = 2; i <= shown; i++)
        line = line "\t" value(name[i])
    print line
}
