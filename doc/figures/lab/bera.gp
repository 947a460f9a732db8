# bera.gp - figures 2 to 11 of Bera et al. 2012, at 1/100
load "doc/figures/lab/common.gpi"
set terminal svg size 900,330 font "sans-serif,12" background "white"

# As its tables were made: at 512 MB sbf has a random number of 31 bits.
array algorithm[5] = ["sbf*", "rsbf:k=2,sampling=early", "bsbf:k=2", \
                      "bsbfsd:k=2", "rlbsbf:k=2"]
array name[5] = ["sbf", "rsbf", "bsbf", "bsbfsd", "rlbsbf"]
curve(figure, a, show) = measured("bera-figures", \
    sprintf("experiment=bera figure %d;algorithm=%s;point=*", figure, \
            algorithm[a]), show)

# ---- FPR and FNR, and at the end what the tables print ------------------
array table[10] = [0, 7, 7, 7, 8, 8, 8, 4, 5, 6]
array megabytes[10] = [0, 128, 256, 512, 128, 256, 512, 512, 512, 512]
array million[10] = [0, 1000, 1000, 1000, 1000, 1000, 1000, 695, 695, 695]
array distinct[10] = [0, 15, 15, 15, 60, 60, 60, 15, 60, 90]
end(figure, a, show) = printed( \
    sprintf("source=bera;table=%d;algorithm=%s;memory_bytes=%d", \
            table[figure], name[a], megabytes[figure] * 1048576), show)

set xlabel "million records, at 1/100"
set yrange [0:*]
do for [figure = 2:10] {
    set output sprintf("doc/figures/lab/bera-%d.svg", figure)
    set multiplot layout 1,2 margins 0.08,0.77,0.16,0.88 spacing 0.08 \
        title sprintf("Bera et al., figure %d: %dM records, %d %% distinct, %d MB", \
                      figure, million[figure], distinct[figure], \
                      megabytes[figure])
    set xrange [0:million[figure] / 100.0 * 1.02]
    do for [panel = 1:2] {
        set ylabel (panel == 1 ? "FPR %" : "FNR %")
        rate = panel == 1 ? "fpr" : "fnr"
        plot for [a = 1:5] curve(figure, a, "records ".rate) \
                using ($1 / 1e6):(100 * $2) with lines lw 1.5 \
                lc rgb colour(a) title name[a], \
            for [a = 1:5] end(figure, a, "records ".rate."_pct") \
                using ($1 / 1e8):2 with points pt 2 lw 2 lc rgb colour(a) \
                title a == 1 ? "printed" : ""
        unset key
    }
    unset multiplot
    set key
}

# ---- Load ----------------------------------------------------------------
set output "doc/figures/lab/bera-11.svg"
set multiplot layout 1,2 margins 0.08,0.77,0.16,0.82 spacing 0.08 \
    title "Bera et al., figure 11: 1000M records, 15 % distinct"
set xrange [0:10]
do for [figure = 3:4] {
    set title sprintf("%d MB", megabytes[figure])
    set ylabel "load: bits set %"
    plot for [a = 1:5] curve(figure, a, "records fill") \
        using ($1 / 1e6):(100 * $2) with lines lw 1.5 lc rgb colour(a) \
        title name[a]
    unset key
}
unset multiplot
