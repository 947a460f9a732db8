# singh.gp - figures 5, 6 and 7 of Singh and Batra 2018
load "doc/figures/lab/common.gpi"
set terminal svg size 1000,560 font "sans-serif,12" background "white"
set style data linespoints
set for [i = 1:5] linetype i lc rgb colour(i) lw 1.5 pt 7 ps 0.4

array filter[5] = ["fpsbf;match=any", "fpsbf;match=all", "sbf", \
                   "rsbf;sampling=off", "rsbf;sampling=stream"]
array name[5] = ["fpsbf, freshet's", "fpsbf as printed", "sbf", \
                 "rsbf, sampling=off", "rsbf as printed"]
rows(experiment, i, show) = measured("singh-figures", \
    sprintf("experiment=singh %s;chosen=%s", experiment, filter[i]), show)

# ---- The panels of figures 5 and 7, for a rate -----------------------------
# f and the counter are parameters of some filters only.
over_m = 'set xlabel "m, bits"; set logscale x; set format x "10^{%L}"; \
    plot for [i = 1:5] rows("m", i, "memory ".rate) \
        using (8 * $1):(100 * $2) smooth unique lt i title name[i]; \
    unset key; unset logscale x; set format x "%g"'
over_f = 'set xlabel "f, bits"; \
    plot for [i = 1:2] rows("f", i, "f ".rate) \
        using 1:(100 * $2) smooth unique lt i title name[i]'
over_k = 'set xlabel "k"; \
    plot for [i = 1:5] rows("k", i, "k ".rate) \
        using 1:(100 * $2) smooth unique lt i title name[i]'
over_max = 'set xlabel "Max"; \
    plot for [i = 1:3] rows("max", i, (i < 3 ? "c " : "d ").rate) \
        using (2 ** $1 - 1):(100 * $2) smooth unique lt i title name[i]'

# ---- 5: FNR ----------------------------------------------------------------
set output "doc/figures/lab/singh-5.svg"
rate = "fnr"
set ylabel "FNR %"
set key at screen 0.83,0.9
set multiplot layout 2,3 margins 0.07,0.82,0.1,0.93 spacing 0.07,0.14 \
    title "Singh and Batra, figure 5: 100000 records, 70 % distinct, mean of 3"
eval(over_m)
eval(over_f)
eval(over_k)
set xlabel "wanted FPR %"
plot for [i = 1:5] rows("FPR*", i, "error fnr") using (100 * $1):(100 * $2) \
    smooth unique lt i notitle
set xlabel "gap, records"
set logscale x
plot for [i = 1:5] rows("gap", i, "gap fnr") using 1:(100 * $2) \
    smooth unique lt i notitle
unset logscale x
eval(over_max)
unset multiplot

# ---- 7: FPR ----------------------------------------------------------------
set output "doc/figures/lab/singh-7.svg"
rate = "fpr"
set ylabel "FPR %"
set key
set logscale y
set multiplot layout 2,2 margins 0.08,0.8,0.1,0.93 spacing 0.09,0.14 \
    title "Singh and Batra, figure 7: 100000 records, 70 % distinct, mean of 3"
eval(over_m)
eval(over_f)
eval(over_k)
eval(over_max)
unset multiplot
unset logscale y

# ---- 6: zeros along the stream ---------------------------------------------
set terminal svg size 760,330 font "sans-serif,12" background "white"
set output "doc/figures/lab/singh-6.svg"
set rmargin at screen 0.72
set key at screen 0.75,0.85
set title "Singh and Batra, figure 6: cells that are zero, 8 KiB"
set xlabel "thousand records"
set ylabel "%"
set yrange [0:100]
plot for [i = 1:5] rows("figure 6;point=*", i, "records fill") \
    using ($1 / 1000):(100 - 100 * $2) with lines lt i title name[i]
