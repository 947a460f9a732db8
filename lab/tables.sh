#!/usr/bin/env bash
# tables.sh [update] - the tables of doc/results.md and doc/results-tables.md are
# those of lab/results
#
# What stands between "<!-- NAME: ... -->" and "<!-- end of NAME -->" is compared
# with what the function NAME prints here, or replaced by it.
set -eu -o pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
pages='doc/results.md doc/results-tables.md'

# rows NAME WHERE SHOW: see lab/select.awk
rows()
{
    awk -f lab/select.awk -v where="$2" -v show="$3" "lab/results/$1.csv"
}

verdicts()
{
    awk -f lab/verdicts.awk lab/results/quick.txt
}

# ---- What the papers print ------------------------------------------------

# What freshet lab reproduce says of each paper.
summary()
{
    echo
    echo '```'
    awk '/^Summary/ { on = 1; next } on && NF' lab/results/quick.txt |
        grep -v '^    [a-z]*[0-9] '
    echo '```'
    echo
}

# A number of what holds in each table, and how far off it is at most.
counts()
{
    echo '| table | cells | hold | as a variant | undecided | do not hold | half of the rates within | all within |'
    echo '|---|---|---|---|---|---|---|---|'
    verdicts | awk -F '\t' '
        function off(printed, measured,    d)
        {
            if (printed == "-")
                return
            d = 100 * (measured - printed) / printed
            print $1 "\toff\t" (d < 0 ? -d : d)
        }
        { print $1 "\tcell\t" $12 }
        $12 ~ /^holds/ && $12 !~ /misprinted/ { off($8, $10) }
        $12 ~ /^holds/ { off($9, $11) }' |
        sort -t "$(printf '\t')" -k 1,1 -k 2,2 -k 3,3g | awk -F '\t' '
        function row()
        {
            if (!cells)
                return
            printf "| %s | %d | %d | %d | %d | %d | ", table, cells, holds,
                variant, undecided, not
            if (n)
                printf "%.2f %% | %.2f %% |\n", off[int(n / 2) + 1], off[n]
            else
                print " | |"
        }
        $1 != table {
            row()
            table = $1
            cells = holds = variant = undecided = not = n = 0
        }
        $2 == "off" { off[++n] = $3; next }
        { cells++ }
        $3 ~ /^holds/ { holds++ }
        $3 ~ /^holds as/ { variant++ }
        $3 == "undecided" { undecided++ }
        $3 ~ /^does not/ { not++ }
        END { row() }'
}

# Cells that show what each of the three changes does.
changes()
{
    echo '| table | memory | filter | stream and variant | FPR % | off by | FNR % | off by |'
    echo '|---|---|---|---|---|---|---|---|'
    awk -v all=1 -f lab/verdicts.awk lab/results/quick.txt | awk -F '\t' '
        function off(printed, measured)
        {
            return sprintf("%+.2f %%", 100 * (measured - printed) / printed)
        }
        ($1 == "bera1" && $6 == "bsbf k=5" && $5 == "512M") ||
        ($1 == "bera8" && $6 ~ /^rsbf/ && $5 == "64M") ||
        ($1 == "bera8" && $6 ~ /^sbf/ && $5 == "512M") ||
        ($1 == "bera8" && $6 ~ /^rlbsbf/ && $5 == "128M") {
            if ($7 == "-")
                printf "| %s | %s | %s | printed | %s | | %s | |\n", $1, $5, $6,
                    $8, $9
            what = $7 == "-" ? "shuffled, as described" : \
                   $7 ~ /uniform/ ? "uniform, the same variant" : \
                   "shuffled, " $7
            printf "| | | | %s | %s | %s | %s | %s |\n", what, $10,
                off($8, $10), $11, off($9, $11)
        }'
}

# How often each variant is what holds.
variants()
{
    echo '| holds as | cells |'
    echo '|---|---|'
    verdicts | awk -F '\t' '
        $12 ~ /^holds as/ {
            v = $12
            sub(/^holds as /, "", v)
            sub(/misprinted: the FPR is that of.*/, "FPRs exchanged in print", v)
            n[v]++
        }
        END { for (v in n) print "| " v " | " n[v] " |" }' | sort
}

# Those of filters that the claim is about; sqf and isqf have a bound instead
# of an FNR in print.
failing()
{
    echo '| table | records, distinct | memory | filter | printed FPR / FNR % | measured FPR / FNR % | verdict |'
    echo '|---|---|---|---|---|---|---|'
    verdicts | awk -F '\t' '
        $12 ~ /^(does not|undecided)/ && $6 !~ /sqf/ {
            print "| " $1 " | " $2 ", " $3 " % | " $5 " | " $6 \
                ($7 == "-" ? "" : ", " $7) " | " $8 " / " $9 " | " \
                $10 " / " $11 " | " $12 " |"
        }'
}

impossible()
{
    echo '| table | records, distinct | memory | filter | printed FPR % | measured | least that is possible |'
    echo '|---|---|---|---|---|---|---|'
    verdicts | awk -F '\t' '
        $12 ~ /^does not/ && $6 ~ /sqf/ {
            bound = $12
            if (!sub(/.*below /, "", bound))
                bound = "no bound above the claim"
            print "| " $1 " | " $2 ", " $3 " % | " $5 " | " $6 " | " $8 \
                " | " $10 " | " bound " |"
        }'
}

# What was measured at the printed size, as far as it was.
full()
{
    echo '| table | memory | filter | printed FPR / FNR % | measured FPR / FNR % | off by |'
    echo '|---|---|---|---|---|---|'
    for csv in lab/results/*-full.csv; do
        name=$(basename "$csv" .csv)
        rows "$name" 'stream=shuffled*' 'memory algorithm fpr fnr' |
            awk -F '\t' -v table="${name%-full}" '
            function rate(x)
            {
                return sprintf("%.4g", x)
            }
            NR == FNR {
                split($0, cell, ",")
                if (cell[1] cell[2] == table) {
                    key = cell[3] " " cell[6] / 1048576
                    fpr[key] = cell[8]
                    fnr[key] = cell[9]
                }
                next
            }
            {
                filter = $2
                sub(/[:0-9].*/, "", filter)
                key = filter " " int($1 / 1048576)
                printf "| %s | %dM | `%s` | %s / %s | %s / %s | %+.2f %%, %+.2f %% |\n",
                    table, $1 / 1048576, $2, fpr[key], fnr[key],
                    rate(100 * $3), rate(100 * $4),
                    100 * (100 * $3 / fpr[key] - 1),
                    100 * (100 * $4 / fnr[key] - 1)
            }' lab/published/tables.csv -
    done
}

# How many cells of each table were measured at the printed size, how many rates
# are within 1 % of print, and which is furthest off.
full_counts()
{
    echo '| table | records | cells | run | both rates within 1 % | furthest off |'
    echo '|---|---|---|---|---|---|'
    full | awk -F ' *[|] *' '
        NR == FNR {
            split($0, cell, ",")
            cells[cell[1] cell[2]]++
            records[cell[1] cell[2]] = cell[4]
            next
        }
        function away(text, rate)
        {
            text += 0
            if (text < 0)
                text = -text
            if (text > worst[$2]) {
                worst[$2] = text
                name[$2] = $4 " " $3 ", " rate " by " text " %"
            }
            return text < 1
        }
        $2 ~ /[0-9]$/ {
            if (!run[$2]++)
                order[++tables] = $2
            split($7, off, ", ")
            drops = away(off[1], "FPR")
            within[$2] += away(off[2], "FNR") && drops
        }
        END {
            for (i = 1; i <= tables; i++) {
                t = order[i]
                printf "| %s | %g | %d | %d | %d | %s |\n", t, records[t],
                    cells[t], run[t], within[t], name[t]
            }
        }' lab/published/tables.csv -
}

# Figure 4 of deng, and streams of equal size and share of distinct records.
crawl()
{
    echo '| records, distinct | memory | sbf FPR / FNR %, printed | shuffled | FP-buffer FNR %, printed | shuffled | buffer FNR %, printed | shuffled | Bloom FPR %, printed | shuffled |'
    echo '|---|---|---|---|---|---|---|---|---|---|'
    rows deng-table '' 'records memory algorithm fpr fnr' | awk -F '\t' '
        function mean(sum, key)
        {
            return key in n ? sprintf("%.3g", sum[key] / n[key]) : "-"
        }
        NR != FNR {
            large = $1 != 100000 && $1 != 10000000
            scale = large ? int(694984445 / $1 + 0.5) : 1
            filter = $3
            sub(/:.*/, "", filter)
            key = filter " " (large ? 694984445 : $1) " " \
                int($2 * scale / 1024 + 0.9)
            drops[key] += 100 * $4
            passes[key] += 100 * $5
            n[key]++
            next
        }
        /^deng/ { printed[++printeds] = $0 }
        END {
            for (i = 1; i <= printeds; i++) {
                split(printed[i], c, ",")
                key = " " c[3] " " c[5] / 8192
                measured = mean(drops, "sbf" key)
                if (measured != "-")
                    measured = measured " / " mean(passes, "sbf" key)
                printf "| %d, %s %% | %d KB | %s / %s | %s | %s | %s | %s | %s | %s | %s |\n",
                    c[3], c[4], c[5] / 8192, c[8], c[7], measured, c[6],
                    mean(passes, "fpbuffer" key), c[9],
                    mean(passes, "buffer" key), c[10], mean(drops, "bloom" key)
            }
        }' lab/published/crawl.csv -
}

# Links: FPR / FNR of each filter in each memory.
links()
{
    echo '| filter | 2 KB | 8 KB | 32 KB | 128 KB |'
    echo '|---|---|---|---|---|'
    rows links '' 'algorithm memory fpr fnr' | awk -F '\t' '
        !($1 in seen) { seen[$1]; order[++filters] = $1 }
        { cell[$1, $2] = sprintf("%.3g / %.3g", 100 * $3, 100 * $4) }
        END {
            for (i = 1; i <= filters; i++) {
                line = "| `" order[i] "`"
                for (memory = 2048; memory <= 131072; memory *= 4)
                    line = line " | " ((order[i], memory) in cell ? \
                        cell[order[i], memory] : "too small")
                print line " |"
            }
        }'
}

# The settings that singh prints as the best ones.
settings()
{
    echo '| equation | stream | filter | FPR % | FNR % |'
    echo '|---|---|---|---|---|'
    rows singh-figures 'experiment=singh equation*' \
        'experiment stream algorithm fpr fnr' | awk -F '\t' '{
            sub(/singh equation /, "", $1)
            sub(/,seed=.*/, "", $2)
            printf "| %s | `%s` | `%s` | %.3g | %.3g |\n", $1, $2, $3, 100 * $4,
                100 * $5 }' | sort
}

# ---- The tables the papers should have had --------------------------------

# FPR / FNR of each filter; in bold the least sum of a row.
should()
{
    echo '| stream | memory | auto | set | pocket | apbf | qht | qht queue | shf | sbf | rlbsbf |'
    echo '|---|---|---|---|---|---|---|---|---|---|---|'
    rows should '' 'experiment memory algorithm chosen fpr fnr' | awk -F '\t' '
        {
            row = $1 "\t" sprintf("%4.0f MB", $2 * 100 / 1048576)
            cell[row, $3] = sprintf("%.3g / %.3g", 100 * $5, 100 * $6)
            if ($3 == "auto")
                cell[row, $3] = $4 " " cell[row, $3]
            sum[row, $3] = $5 + $6
            if (!(row in least) || $5 + $6 < least[row])
                least[row] = $5 + $6
            seen[row]
        }
        END {
            n = split("auto set pocket apbf qht qht:evict=queue shf " \
                      "sbf:d=1,k=2,p=4 rlbsbf:k=2", a, " ")
            for (row in seen) {
                line = row
                for (i = 1; i <= n; i++) {
                    text = cell[row, a[i]]
                    if (sum[row, a[i]] == least[row])
                        text = "**" text "**"
                    line = line "\t" text
                }
                print line
            }
        }' | sort -t "$(printf '\t')" -k 1,1 -k 2,2 |
        sed 's/\t */ | /g; s/^/| /; s/$/ |/'
}

# ---- The steady state ------------------------------------------------------

# steady PREFIX BITS UNIT FORMAT FILTER...: misses against bits a key, of the
# experiments whose names are PREFIX and bits
steady()
{
    local prefix=$1 bits=$2 unit=$3 format=$4
    shift 4

    printf '| filter | FPR %%'
    for b in $bits; do printf ' | %s' "$b"; done
    echo ' |'
    printf '|---|---'
    for b in $bits; do printf '|---'; done
    echo '|'
    for filter in "$@"; do
        rows steady "algorithm=$filter" \
            'experiment steady_fpr steady_fnr' | awk -F '\t' -v bits="$bits" \
            -v filter="$filter" -v unit="$unit" -v format="$format" \
            -v prefix="$prefix" '
            { fpr[$1] = $2; fnr[$1] = $3 }
            END {
                n = split(bits, b, " ")
                printf "| `%s` | %.3g", filter, 100 * fpr[prefix b[n] " bits"]
                for (i = 1; i <= n; i++) {
                    name = prefix b[i] " bits"
                    if (name in fnr)
                        printf " | " format, unit * fnr[name]
                    else
                        printf " | not measured"
                }
                print " |"
            }'
    done
}

steady_percent()
{
    steady '' '60 40 28 24 20 18 16 14 12 10' 100 %.3g 'sbf:d=1,k=3,p=10' \
        'bsbf:k=7' 'rlbsbf:k=10' 'qht:k=1,s=7' 'qht:k=4,s=9,evict=queue' \
        'qht:k=8,s=10,evict=queue' 'a2:k=8' 'apbf:k=10,l=25,add=new' \
        'apbf:k=10,l=25' 'pocket:width=13' 'pocket:width=16'
}

steady_million()
{
    steady 'lines, ' '28 24 22 20 18 17 16 15.5 15 14' 1e6 %.0f \
        'pocket:width=12,choices=1' \
        'pocket:width=12,choices=1,refresh=0' 'pocket:width=13' \
        'pocket:width=14' 'pocket:width=16,choices=1' 'pocket:width=16'
}

windows()
{
    echo '| width | bits a key of the window | FPR % | misses | of repeats | per million, at most |'
    echo '|---|---|---|---|---|---|'
    rows steady 'experiment=window*' 'width bits_per_key steady_fpr
        steady_passes steady_repeats steady_fnr steady_fnr_high' |
        sort -k 1,1n -k 2,2nr | awk '{
            printf "| %d | %.1f | %.3g | %d | %d | %.0f, %.0f |\n", $1, $2,
                100 * $3, $4, $5, 1e6 * $6, 1e6 * $7 }'
}

# ---- Theory ----------------------------------------------------------------

# theory EXPERIMENT RATES: measured, predicted, and by the paper's own formula
theory()
{
    echo '| filter | FPR % | ours | the paper'\''s | FNR % | ours | the paper'\''s |'
    echo '|---|---|---|---|---|---|---|'
    rows theory "experiment=$1" "algorithm ${2}fpr theory_fpr published_fpr
        ${2}fnr theory_fnr published_fnr" | sort | awk -F '\t' '
        function percent(x)
        {
            if (x == "")
                return ""
            if (x < 1e-12)
                return "0"
            return sprintf("%.3g", 100 * x)
        }
        {
            line = "| `" $1 "`"
            for (i = 2; i <= 7; i++)
                line = line " | " percent($i)
            print line " |"
        }'
}

theory_uniform()
{
    theory uniform ''
}

theory_endless()
{
    theory 'end*' steady_
}

# ---- The pages -------------------------------------------------------------

# written PAGE: the page, with every table made anew.
written()
{
    local line name='' end=''

    while IFS= read -r line; do
        case $line in
            '<!-- end of '*) end='' ;;
            '<!-- '*': written by make lab-tables -->')
                name=${line#<!-- }
                name=${name%%:*}
                end=1
                echo "$line"
                "$name"
                continue
                ;;
        esac
        [ -n "$end" ] || echo "$line"
    done <"$1"
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
status=0
for page in $pages; do
    written "$page" >"$new"
    if [ "${1:-check}" = update ]; then
        cp "$new" "$page"
    elif ! diff -u "$page" "$new"; then
        echo "$page: its tables are not those of lab/results: make lab-tables" >&2
        status=1
    fi
done
[ "$status" -eq 0 ]
