# ours.gp - the papers' cells against what is measured, the steady state, and the
# tables that the papers should have had
load "doc/figures/lab/common.gpi"

# ---- Measured over printed ------------------------------------------------
set terminal svg size 900,420 font "sans-serif,12" background "white"
set output "doc/figures/lab/agreement.svg"
set multiplot layout 1,2 margins 0.08,0.77,0.13,0.88 spacing 0.1 \
    title "printed cells: what holds lies on the line"
set datafile separator "\t"
set logscale xy
set format xy "10^{%L}"
array title[3] = ["holds", "holds as a variant", "does not hold"]
array shade[3] = ["#2ca02c", "#0060ad", "#dd181f"]
cells(i) = sprintf("< awk -f lab/verdicts.awk lab/results/quick.txt | " . \
    "awk -F '\\t' -v OFS='\\t' '$12 ~ /^%s/ { print $8, $9, $10, $11 }'", \
    i == 1 ? "holds$" : i == 2 ? "holds as" : "does not")
set xlabel "FPR % in print"
set ylabel "FPR % measured"
set xrange [1e-6:100]
set yrange [1e-6:100]
plot x lc rgb "#aaaaaa" notitle, for [i = 1:3] cells(i) using 1:3 \
    with points pt 7 ps 0.4 lc rgb shade[i] title title[i]
unset key
set xlabel "FNR % in print"
set ylabel "FNR % measured"
set xrange [0.01:100]
set yrange [0.01:100]
plot x lc rgb "#aaaaaa" notitle, for [i = 1:3] cells(i) using 2:4 \
    with points pt 7 ps 0.4 lc rgb shade[i] notitle
unset multiplot
set key
set datafile separator
unset logscale

# ---- The steady state -------------------------------------------------------
set terminal svg size 900,420 font "sans-serif,12" background "white"
set output "doc/figures/lab/steady.svg"
set rmargin at screen 0.7
set key at screen 0.72,0.88
set title "misses in the steady state, about 1 % false drops (pocket 16 bits: 0.1 %)"
set xlabel "bits of memory for each new key since the repeated one"
set ylabel "FNR %"
set logscale xy
set format x "%g"
set format y "10^{%L}"
set xrange [9.5:62]
set xtics (10, 12, 14, 16, 18, 20, 24, 28, 40, 60)
set yrange [1e-4:110]
array filter[8] = ["sbf:d=1,k=3,p=10", "bsbf:k=7", "rlbsbf:k=10", \
    "qht:k=1,s=7", "qht:k=8,s=10,evict=queue", "a2:k=8", "apbf:k=10,l=25", \
    "pocket:width=13"]
array label[8] = ["sbf K=3 P=10", "bsbf k=7", "rlbsbf k=10", \
    "qht, 7 bits", "qht queue of 8", "a2 k=8", "apbf 10, 25", "pocket, 13 bits"]
# Lines of fingerprints have runs of their own, for their misses are few.
which(i) = i < 8 ? "window=;algorithm=".filter[i] : \
    "experiment=lines*;algorithm=".filter[i]
plot for [i = 1:8] measured("steady", which(i), \
        "bits_per_key steady_fnr") using 1:($2 > 0 ? 100 * $2 : NaN) \
        smooth unique with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour(i) \
        title label[i], \
    measured("steady", "experiment=lines*;algorithm=pocket:width=16", \
        "bits_per_key steady_fnr") using 1:($2 > 0 ? 100 * $2 : NaN) \
        smooth unique with linespoints pt 6 ps 0.6 lw 1.5 dt 2 \
        lc rgb "black" title "pocket, 16 bits"
unset rmargin
set xtics autofreq

# ---- The tables the papers should have had ----------------------------------
set terminal svg size 1000,380 font "sans-serif,12" background "white"
set output "doc/figures/lab/should.svg"
set key at screen 0.83,0.85
set multiplot layout 1,3 margins 0.07,0.81,0.15,0.82 spacing 0.05 \
    title "a billion uniform draws at 1/100: FPR + FNR"
set xlabel "MB at full size"
set ylabel "%"
set xrange [55:600]
set xtics (64, 128, 256, 512)
set yrange [0.001:130]
array them[8] = ["auto", "pocket", "apbf", "qht", "qht:evict=queue", "shf", \
    "sbf:d=1,k=2,p=4", "rlbsbf:k=2"]
array called[8] = ["auto", "pocket", "apbf", "qht", "qht queue", "shf", "sbf", \
    "rlbsbf"]
do for [distinct in "15 60 90"] {
    set title distinct." % distinct"
    plot for [i = 1:8] measured("should", sprintf( \
        "experiment=1B %s %%;algorithm=%s", distinct, them[i]), \
        "memory fpr fnr") using ($1 * 100 / 1048576):(100 * ($2 + $3)) \
        smooth unique with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour(i) \
        title called[i]
    unset key
    unset ylabel
}
unset multiplot
