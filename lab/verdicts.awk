# verdicts.awk - what freshet lab reproduce prints, a cell a line
#
#     awk -f lab/verdicts.awk lab/results/quick.txt
#
# Between tabs: table, records, distinct %, scale, memory, algorithm, variant;
# FPR and FNR as published, then as measured; verdict; then the deviations of
# FPR and FNR.  The variant is the one that was judged; with -v all=1 there is
# a line for each that was tried.

/^[a-z]+[0-9]+: / {
    title = $1
    sub(/:/, "", title)
    records = $2
    distinct = $4
    next
}

/^Summary/ { exit }

# Rows have a memory, a size and a label in fixed places, then eight figures.
title == "" || /^ *published %/ || /^memory/ || !NF { next }

{
    label = substr($0, 15, 18)
    gsub(/^ +| +$/, "", label)
    n = split(substr($0, 33), cell, " ")
    variant = "-"
    if (substr($0, 1, 6) ~ /[0-9]/) {
        memory = $1
        scale = $2
        algorithm = label
        fpr = cell[1]
        fnr = cell[2]
    } else
        variant = label
    verdict = cell[9]
    for (i = 10; i <= n; i++)
        verdict = verdict " " cell[i]
    if (verdict != "-" || all)
        print title "\t" records "\t" distinct "\t" scale "\t" memory "\t" \
            algorithm "\t" variant "\t" fpr "\t" fnr "\t" cell[3] "\t" \
            cell[5] "\t" verdict "\t" cell[4] "\t" cell[6]
}
