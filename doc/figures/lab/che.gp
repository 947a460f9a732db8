# che.gp - figure 3 of Che et al. 2020: what it claims, what is measured, and
# what is possible
load "doc/figures/lab/common.gpi"
set terminal svg size 760,330 font "sans-serif,12" background "white"
set output "doc/figures/lab/che-3.svg"
set rmargin at screen 0.72
set key at screen 0.75,0.85

# Without false passes: 2^(-bits a key), averaged while the keys come.
bound(bits) = sum [i = 1:1000] 2 ** (-bits * 1000.0 / (i - 0.5)) / 1000
bits(tables) = tables * 16.0 * 1048576 * 8 / 90e6

set title "Che et al., figure 3: 100M records, 90 % distinct, 16 MB a table"
set xlabel "m, tables"
set ylabel "FPR %"
set xrange [0.5:8.5]
set logscale y
set format y "10^{%L}"
set yrange [1e-6:200]
plot measured("quick", \
        "chosen=isqf;stream=shuffled:n=500000,distinct=90%,seed=1", "m fpr") \
        using 1:(100 * $2) smooth unique with linespoints pt 7 ps 0.5 lw 1.5 \
        lc rgb colour(1) title "isqf, at 1/200", \
    [m = 1:8] 100 * bound(bits(m)) with lines lw 1.5 lc rgb "black" \
        title "bound, FNR 0", \
    printed("source=che;table=1", "k fpr_pct") using 1:2 with points pt 2 \
        lw 2 lc rgb colour(2) title "printed"
