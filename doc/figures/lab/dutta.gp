# dutta.gp - the figures of Dutta et al. 2012 that are of synthetic streams
load "doc/figures/lab/common.gpi"
set terminal svg size 900,330 font "sans-serif,12" background "white"

array algorithm[3] = ["sbf:d=1,k=2,p=4", "rsbf:k=2,sampling=early", "rsbf:k=2"]
array name[3] = ["sbf", "rsbf, sampling=early", "rsbf as printed"]
curve(experiment, a, memory, show) = measured("dutta-figures", \
    sprintf("experiment=%s;algorithm=%s;memory=%d;point=*", experiment, \
            algorithm[a], memory), show)
end(a, megabytes, show) = printed( \
    sprintf("source=dutta;table=5;algorithm=%s;memory_bytes=%d", \
            a == 1 ? "sbf" : "rsbf", megabytes * 1048576), show)

# ---- 3 and 5: FPR and FNR, and at the end what table 5 prints ------------
array megabytes[2] = [128, 512]
set yrange [0:*]
do for [figure in "3 5"] {
    set output sprintf("doc/figures/lab/dutta-%s.svg", figure)
    set multiplot layout 1,2 margins 0.08,0.77,0.16,0.82 spacing 0.1 \
        title sprintf("Dutta et al., figure %s: 1000M records, 10 %% distinct", \
                      figure)
    rate = figure eq "3" ? "fpr" : "fnr"
    set xlabel "million records, at 1/100"
    set xrange [0:10.2]
    set ylabel (figure eq "3" ? "FPR %" : "FNR %")
    do for [panel = 1:2] {
        set title sprintf("%d MB", megabytes[panel])
        plot for [a = 1:3] curve("dutta figures 3 and 5", a, \
                megabytes[panel] * 1048576 / 100, "records ".rate) \
                using ($1 / 1e6):(100 * $2) with lines lw 1.5 \
                lc rgb colour(a) title name[a], \
            for [a = 1:2] end(a, megabytes[panel], "records ".rate."_pct") \
                using ($1 / 1e8):2 with points pt 2 lw 2 lc rgb colour(a) \
                title a == 1 ? "printed" : ""
        unset key
    }
    unset multiplot
    set key
}

# ---- 7: how the number of ones settles, with k=3 as in figure 8 ----------
algorithm[2] = "rsbf:k=3,sampling=early"
algorithm[3] = "rsbf:k=3"
set output "doc/figures/lab/dutta-7.svg"
set multiplot layout 1,2 margins 0.08,0.77,0.16,0.82 spacing 0.1 \
    title "Dutta et al., figure 7: the first 100M of 1000M records, 512 KB"
ones = 512 * 1024 * 8
set xlabel "million records"
set xrange [0:100]
set title "bits set"
set ylabel "%"
plot for [a = 1:3] curve("dutta figure 7", a, 524288, "records fill") \
    using ($1 / 1e6):(100 * $2) with lines lw 1.5 lc rgb colour(a) title name[a]
unset key
set title "change over 2M records, at most 2000 shown"
set ylabel "bits"
set yrange [-2000:2000]
plot for [a = 1:3] before = NaN curve("dutta figure 7", a, 524288, \
    "records fill") using ($1 / 1e6):(change = ones * ($2 - before), \
    before = $2, change) with lines lw 1.5 lc rgb colour(a) notitle
unset multiplot

# ---- 8: the FNR early in the stream --------------------------------------
set terminal svg size 640,330 font "sans-serif,12" background "white"
set output "doc/figures/lab/dutta-8.svg"
set key inside top left
set title "Dutta et al., figure 8: the first 0.4M of 1000M records, 256 KB, mean of 5"
set xlabel "million records"
set ylabel "FNR %"
set xrange [0:0.4]
set yrange [0:40]
plot for [a = 1:3] curve("dutta figure 8", a, 262144, "records fnr") \
    using ($1 / 1e6):(100 * $2) smooth unique with lines lw 1.5 \
    lc rgb colour(a) title name[a]
