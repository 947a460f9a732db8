# verdicts.awk - what freshet lab reproduce prints, a cell a line
#
#     awk -f lab/verdicts.awk lab/results/quick.txt
#
# Between tabs: table, records, distinct %, scale, memory, algorithm, variant;
# FPR and FNR as published, then as measured; verdict.  The variant is the one
# that was judged.

/^[a-z]+[0-9]+: / {
    title = $1
    sub(/:/, "", title)
    records = $2
    distinct = $4
    scale = $NF ~ /^1\// ? $NF : 1
    next
}

# Rows have a memory and a label in fixed places, then six figures.
title == "" || /^ *published %/ || /^memory/ || !NF || / cells: / { next }

{
    label = substr($0, 8, 18)
    gsub(/^ +| +$/, "", label)
    n = split(substr($0, 26), cell, " ")
    variant = "-"
    if (substr($0, 1, 6) ~ /[0-9]/) {
        memory = $1
        algorithm = label
        fpr = cell[1]
        fnr = cell[2]
    } else
        variant = label
    verdict = cell[7]
    for (i = 8; i <= n; i++)
        verdict = verdict " " cell[i]
    if (verdict != "-")
        print title "\t" records "\t" distinct "\t" scale "\t" memory "\t" \
            algorithm "\t" variant "\t" fpr "\t" fnr "\t" cell[3] "\t" \
            cell[4] "\t" verdict
}
