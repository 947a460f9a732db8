# deng.gp - figures of Deng and Rafiei 2006, on generated streams
load "doc/figures/lab/common.gpi"
set terminal svg size 900,330 font "sans-serif,12" background "white"
rows(where, show) = measured("deng-figures", where, show)
array wanted[2] = ["10", "1"]

# ---- 1: FNR against K, the wanted FPR and Max fixed ----------------------
set output "doc/figures/lab/deng-1.svg"
set multiplot layout 1,2 margins 0.08,0.77,0.16,0.82 spacing 0.08 \
    title "Deng and Rafiei, figure 1: FNR against K, 100000 bits, P from the wanted FPR"
set xlabel "K"
set ylabel "FNR %"
set logscale y
set xrange [0.5:8.5]
do for [gap in "500 5000"] {
    set title "gap ".gap
    plot for [e = 1:2] for [d = 1:2] rows(sprintf( \
        "experiment=deng figure 1, FPR %s %%;gap=%s;d=%d", wanted[e], gap, d), \
        "k steady_fnr") using 1:(100 * $2) smooth unique with linespoints \
        pt 7 ps 0.5 lw 1.5 lc rgb colour(2 * e + d - 2) \
        title sprintf("FPR %s %%, Max %d", wanted[e], 2 ** d - 1)
    unset key
}
unset multiplot
unset logscale
set key

# ---- 2: what Max=3 changes, against the gap ------------------------------
set output "doc/figures/lab/deng-2.svg"
set terminal svg size 760,330 font "sans-serif,12" background "white"
set rmargin at screen 0.72
set key at screen 0.75,0.85
set title "Deng and Rafiei, figure 2: FNR with Max=3 less FNR with Max=1"
set xlabel "gap, records"
set ylabel "points"
set logscale x
set xrange [80:120000]
plot for [e = 1:2] for [m = 1:2] rows(sprintf( \
    "experiment=deng figure 2, FPR %s %%;memory=%d", wanted[e], \
    m == 1 ? 12500 : 125000), "gap d steady_fnr") \
    using 1:(($2 == 2 ? 100 : -100) * $3) smooth frequency \
    with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour(2 * e + m - 2) \
    title sprintf("FPR %s %%, 10%s bits", wanted[e], m == 1 ? "⁵" : "⁶"), \
    0 lc rgb "black" notitle
unset logscale

# ---- 3: zeros along the stream -------------------------------------------
set output "doc/figures/lab/deng-3.svg"
set title "Deng and Rafiei, figure 3: zeros in sbf K=2 P=4, on a b-model stream"
set xlabel "million records"
set ylabel "cells that are zero %"
set xrange [0:16.8]
set yrange [60:100]
array memory[4] = [65536, 262144, 1048576, 4194304]
array size[4] = ["64K", "256K", "1M", "4M"]
plot for [m = 1:4] rows(sprintf("experiment=deng figure 3;memory=%d;point=*", \
    memory[m]), "records fill") using ($1 / 1e6):(100 - 100 * $2) with lines \
    lw 1.5 lc rgb colour(m) title size[m], \
    200 / 3.0 lc rgb "black" title "formula's limit"
unset rmargin
set yrange [*:*]

# ---- FP-buffering at sbf's FPR: buffer's FNR times one less that ---------
# $fair gets memory, FNR of sbf, FNR of FP-buffering.  larger is how much more
# memory buffer gets: what it takes to have as many entries as theirs.
fair = '\
    set print $fair; \
    do for [i = 1:words(memories)] { \
        m = word(memories, i) + 0; \
        of = of_sbf.";memory=".m; \
        stats [*:*] [*:*] rows(of, "fpr") using 1 nooutput; \
        fpr = STATS_mean; \
        stats [*:*] [*:*] rows(of, "fnr") using 1 nooutput; \
        fnr = STATS_mean; \
        stats [*:*] [*:*] rows(sprintf("%s;memory=%d", of_buffer, larger * m), "fnr") \
            using 1 nooutput; \
        print m, 100 * fnr, 100 * STATS_mean * (1 - fpr); \
    }; \
    set print'

# ---- 5: what sbf gains over FP-buffering ---------------------------------
set output "doc/figures/lab/deng-5.svg"
set rmargin at screen 0.72
set title "Deng and Rafiei, figure 5: FNR of FP-buffering less that of sbf, Poisson stream"
set xlabel "memory, bytes"
set ylabel "points"
set logscale x 2
set format x "2^{%L}"
set xrange [6000:3000000]
memories = "8192 32768 131072 524288 2097152"
of_buffer = "experiment=deng figure 5, buffer"
larger = 2
array rate[4] = ["0.5", "1", "10", "20"]
do for [e = 1:4] {
    of_sbf = sprintf("experiment=deng figure 5, FPR %s %%", rate[e])
    eval(fair)
    eval(sprintf("set print $gain%d", e))
    do for [i = 1:5] {
        print word($fair[i], 1), word($fair[i], 3) - word($fair[i], 2)
    }
    set print
}
plot $gain1 with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour(1) title "FPR 0.5 %", \
    $gain2 with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour(2) title "FPR 1 %", \
    $gain3 with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour(3) title "FPR 10 %", \
    $gain4 with linespoints pt 7 ps 0.5 lw 1.5 lc rgb colour(4) title "FPR 20 %", \
    0 lc rgb "black" notitle
unset rmargin

# ---- 6: FNR against the space --------------------------------------------
set terminal svg size 900,560 font "sans-serif,12" background "white"
set output "doc/figures/lab/deng-6.svg"
set key at screen 0.79,0.9
set multiplot layout 2,2 margins 0.08,0.77,0.1,0.88 spacing 0.08,0.16 \
    title "Deng and Rafiei, figure 6: FNR at an FPR of up to 10 %, 2²⁴ records"
array stream[4] = ["(a) b=0.5, u=10³", "(b) b=0.7, u=10³", \
                   "(c) b=0.7, u=10⁶", "(d) Poisson, u=10⁶"]
memories = "4096 16384 65536 262144 1048576 4194304"
larger = 4
set ylabel "FNR %"
set xrange [3000:6000000]
set yrange [0:100]
do for [panel = 1:4] {
    set title stream[panel]
    figure = sprintf("experiment=deng figure 6%s", "abcd"[panel:panel])
    of_sbf = figure.";algorithm=sbf:d=1,k=2,p=4"
    of_buffer = figure.";algorithm=buffer"
    larger = 1
    eval(fair)
    set print $whole
    do for [i = 1:|$fair|] { print $fair[i] }
    set print
    larger = 4
    eval(fair)
    plot $fair using 1:2 with linespoints pt 7 ps 0.5 lw 1.5 \
            lc rgb colour(1) title "sbf", \
        $fair using 1:3 with linespoints pt 7 ps 0.5 lw 1.5 \
            lc rgb colour(2) title "FP-buffering, 4 B", \
        $whole using 1:3 with linespoints pt 7 ps 0.5 lw 1.5 \
            lc rgb colour(5) title "FP-buffering, 16 B", \
        rows(figure.";algorithm=pocket", "memory fnr") using 1:(100 * $2) \
            smooth unique with linespoints pt 7 ps 0.5 lw 1.5 \
            lc rgb colour(3) title "pocket"
    unset key
}
unset multiplot
