# format.awk - freshet(5) out of doc/format.md
#
#     awk -f doc/man/format.awk doc/format.md
#
# Knows what that page uses: headings, paragraphs, lists, tables, verbatim
# text, `code`, *emphasis*, **strong** and [links](to).

BEGIN {
    print ".\\\" Written by format.awk: change doc/format.md, not this."
    print ".Dd November 15, 2026"
    print ".Dt FRESHET 5"
    print ".Os"
    print ".Sh NAME"
    print ".Nm freshet"
    print ".Nd the file that keeps a filter between runs"
    print ".Sh DESCRIPTION"
}

# What mdoc must not read as anything else.
function plain(text)
{
    gsub(/\\/, "\\e", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

function escaped(text,    link)
{
    text = plain(text)
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(text, RSTART + 1, RLENGTH - 1)
        sub(/\].*/, "", link)
        text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
    }
    text = paired(text, "`", "\\fB")
    text = paired(text, "\\*\\*", "\\fB")
    return paired(text, "\\*", "\\fI")
}

# A new sentence is a new line.
function put(text)
{
    text = escaped(text)
    gsub(/\. /, ".\n", text)
    print text
}

# What stands between two of a mark, in another font.
function paired(text, mark, font,    part, n, i, out)
{
    n = split(text, part, mark)
    if (n % 2 == 0)
        return text
    out = part[1]
    for (i = 2; i <= n; i++)
        out = out (i % 2 ? "\\fR" : font) part[i]
    return out
}

# Remember a row, and how wide its columns must be.
function add_row(line,    part, n, i)
{
    sub(/^\| */, "", line)
    sub(/ *\|$/, "", line)
    n = split(line, part, / *\| */)
    rows++
    for (i = 1; i <= n; i++) {
        cell[rows, i] = escaped(part[i])
        if (length(part[i]) > width[i])
            width[i] = length(part[i])
    }
    columns = n
}

# The last column takes what room is left.
function put_table(    r, i, line)
{
    line = ".Bl -column"
    for (i = 1; i < columns; i++)
        line = line sprintf(" \"%" width[i] "s\"", "")
    print line
    for (r = 1; r <= rows; r++) {
        line = ".It " cell[r, 1]
        for (i = 2; i <= columns; i++)
            line = line " Ta " cell[r, i]
        print line
    }
    print ".El"
    split("", width)
    rows = 0
}

function leave()
{
    if (mode == "list")
        print ".El"
    if (mode == "table")
        put_table()
    mode = ""
}

/^```/ {
    if (mode == "code") {
        print ".Ed"
        mode = ""
    } else {
        leave()
        print ".Bd -literal -offset indent"
        mode = "code"
    }
    next
}
mode == "code" { print plain($0); next }
/^# / { next }
/^## / {
    leave()
    print ".Ss " substr($0, 4)
    begun = 0
    next
}
/^$/ { leave(); pending = begun; next }
/^\|[-:| ]*$/ { next } # between head and body of a table
/^\|/ {
    if (mode != "table") {
        leave()
        mode = "table"
    }
    add_row($0)
    pending = begun = 1
    next
}
/^(-|[0-9]+\.) / {
    if (mode != "list") {
        leave()
        print ".Bl -bullet"
        mode = "list"
    }
    print ".It"
    sub(/^(-|[0-9]+\.) /, "")
    put($0)
    pending = begun = 1
    next
}
{
    if (mode == "table")
        leave()
    if (pending && mode == "")
        print ".Pp"
    pending = 0
    begun = 1
    sub(/^ +/, "")
    put($0)
}

END {
    leave()
    print ".Sh SEE ALSO"
    print ".Xr freshet 1 ,"
    print ".Xr freshet 3 ,"
    print ".Xr freshet-algorithms 7"
}
