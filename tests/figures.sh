#!/usr/bin/env bash
# figures.sh - documents quote the figures that stand in bench/results and
# lab/results
#
# Each sentence below is made with figures of a result file, and the document must
# have it as it is.  After a new measurement the messages say what to write.
# shellcheck disable=SC2016 # backquotes as Markdown has them
set -u
export LC_ALL=C
. "$(dirname "$0")/sources.sh"

failed=0
fail()
{
    echo "$1" >&2
    failed=1
}

# says PAGE SENTENCE: PAGE has the sentence, wherever its lines break
says()
{
    tr -s '\n ' ' ' <"$1" | grep -qF -- "$2" || fail "$1: does not say '$2'"
}

# claims PAGE SENTENCE VALUE [<=|>=] LIMIT: PAGE has the sentence, and it is true
claims()
{
    says "$1" "$2"
    awk -v value="$3" -v limit="$5" -v most="$4" 'BEGIN {
        exit value == "" || (most == "<=" ? value > limit : value < limit) }' ||
        fail "$1: says '$2', but the result is '$3'"
}

# value RESULT WORDS: the number that follows the words at the start of a line
value()
{
    awk -v words="$2" 'index($0, words) == 1 {
        split(substr($0, length(words) + 1), field, " ")
        print field[1]
        exit
    }' "bench/results/$1.txt"
}

# ---- README.md: pipe.txt, first.txt ----------------------------------------

speed()
{
    awk -v name="$1" '$1 == name { print $7 }' bench/results/pipe.txt
}

says README.md "| \`wc -l\` | $(speed wc) |"
says README.md "| \`freshet\` | $(speed many) |"
says README.md "| \`freshet --parallel 1\` | $(speed one) |"
says README.md "| \`mawk '!s[\$0]++'\` | $(speed mawk) |"
says README.md "it takes $(value pipe 'pipe, times cat | cat | cat') times as long as"

for from in file pipe; do
    claims README.md 'one line takes less than twice the time of `cat`' \
        "$(value first "one line from a $from, times cat")" '<=' 1.99
done
claims README.md '1,000 lines less than twice the time of `mawk`' \
    "$(value first '1,000 lines, times mawk')" '<=' 1.99
claims README.md '300,000 lines less than a fifth of the time of `sort -u`' \
    "$(value first '300,000 lines, sort -u, times freshet')" '>=' 5.01
claims README.md 'or less than a third in the C locale' \
    "$(value first 'the same in the C locale')" '>=' 3.01

# ---- README.md: its picture, and the papers --------------------------------

# found_all NAME: the longest gap at which NAME finds every repeat, in thousands
found_all()
{
    awk -F , -v name="$1" '$1 == name && $3 == 1 { gap = $2 }
        END { print gap / 1000 ",000" }' lab/curves/first.csv
}

# papers PAPER...: how many cells there are, hold, hold for a variant, are
# undecided and do not hold, in the summary of freshet lab reproduce
papers()
{
    awk -v papers=" $* " '
        $3 == "cells:" && index(papers, " " substr($1, 1, length($1) - 1) " ") {
            gsub(/[^0-9 ]/, "")
            for (i = 1; i <= 5; i++)
                sum[i] += $i
        }
        END { print sum[1], sum[2], sum[3], sum[4], sum[5] }' lab/results/quick.txt
}

says README.md "every repeat of the last $(found_all freshet) lines"
says README.md "every repeat of the last $(found_all freshet-1%) lines"
read -r cells hold variant undecided not < <(papers bera dutta)
says README.md "Of $cells cells in the tables of Bera et al. and Dutta et al. $hold hold,"
says README.md "$variant of them for a variant of the printed algorithm;"
says README.md "$undecided are undecided and $not do not hold."
read -r cells hold variant undecided not < <(papers che)
says README.md "Of $cells cells of Che et al. $not do not hold"
# Cells that were run at the printed size, and those with both rates within 1 %.
read -r run within < <(awk -F ' *[|] *' '$2 ~ /^bera[789]$/ && $3 == "1e+09" {
    run += $5; within += $6 } END { print run + 0, within + 0 }' doc/results.md)
says README.md "both rates of all $run cells of tables 7 to 9 of Bera et al. are within 1 %"
[ "$within" = "$run" ] || fail "README.md: $within of $run cells are within 1 %"

# ---- doc/pocket.md: speed.txt ------------------------------------------------

# times_limit ALGORITHM STREAM: its time as a multiple of the limit
times_limit()
{
    awk -v name="$1" -v stream="$2" '$1 == name && $3 == stream { print $6 }' \
        bench/results/speed.txt
}

# pocket_row SETTING ALGORITHM: the beginning of a row of the table
pocket_row()
{
    says doc/pocket.md "| $1 | $(times_limit "$2" new) | $(times_limit "$2" half) |"
}

pocket_row '`choices=1,width=16`' pocket:choices=1,width=16
pocket_row '`choices=2,width=16`' pocket:choices=2,width=16
pocket_row '`choices=2,width=32`' pocket:choices=2,width=32
pocket_row 'default (`choices=2,width=26`)' pocket
pocket_row '`set`' set
pocket_row '`sbf:k=2,p=4`, not yet steady' sbf:k=2,p=4
says doc/pocket.md "A random line takes $(value speed 'one line                           1') ns there,"
says doc/pocket.md "two lines of one page $(value speed 'two lines of one page              1') ns;"
says doc/pocket.md "takes $(value speed '1G pocket new:') and $(value speed '1G pocket half:') times the latter"
says doc/pocket.md "at least $(sed -nE 's/.* ([0-9.]+) times as fast as sbf.*/\1/p' \
    bench/results/speed.txt | sort -g | head -n 1) times as fast as \`sbf\`"

# ---- doc/pocket.md: scaling.txt ----------------------------------------------

# slowest WIDTH: the slowest point of a filter while it fills up, of the last one
slowest()
{
    value scaling "pocket width=$1, slowest times settled"
}

says doc/pocket.md "at most $(slowest 26) times as much as in a settled filter"
says doc/pocket.md "and $(slowest 16) times with \`width=16\`"

# ---- doc/choosing.md: check.txt ----------------------------------------------

# FPR and FNR of the planner's choice in the tables bera 7 to 9, row by row.
diff <(awk -F ' *[|] *' '$2 ~ /^bera [789]$/ { print $8, $9 }' doc/choosing.md) \
    <(awk '$1 ~ /^bera[789]$/ { print $9, $10 }' lab/results/check.txt) >&2 ||
    fail 'doc/choosing.md: its table is not that of lab/results/check.txt'

# ---- doc/redis.md: module.txt, remote.txt, latency.txt -----------------------

share()
{
    awk -v name="$1" '$1 == name { print $3 }' bench/results/module.txt
}

says doc/redis.md "| \`FR.ADD\` | $(share fr.add) |"
says doc/redis.md "| \`FR.MADD\` of 100 | $(share fr.madd) |"
says doc/redis.md "| \`FR.MADDHASH\` of 1,000 | $(share fr.maddhash) |"
says doc/redis.md "a hash takes $(value module fr.maddhash) ns"
says doc/redis.md "has $(value remote 'one server, share of the local speed') of the speed"
says doc/redis.md "on a cluster of three $(value remote "cluster, share of one server's speed") of that"
claims doc/redis.md 'in about a millisecond for 4,096 hashes' \
    "$(value latency 'FR.MADDHASH of 4096, the first 50 batches')" '<=' 1
claims doc/redis.md 'touches 4,096 such pages takes about 6 ms' \
    "$(value latency '4096 pages of the kernel, 50 batches')" '<=' 6.5
claims doc/redis.md '(0.31 s for 1.5 GiB in `make bench-latency`' \
    "$(value latency 'FR.INFO COUNT')" '<=' 310

exit $failed
