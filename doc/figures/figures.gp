# figures.gp - the figures of doc/pocket.md, from bench/results
#
# Points are measured, lines are formulas.  Run by make figures, from the top.
set datafile separator ","
set grid lc rgb "#dddddd"
set border 3
set tics nomirror
colours = "#0060ad #dd181f #2ca02c #9467bd"
colour(i) = word(colours, i)

# ---- False passes against the gap ---------------------------------------
set terminal svg size 960,440 font "sans-serif,13" background "white"
set output "doc/figures/passes.svg"
data = "lab/curves/passes.csv"
widths = "13 16 26 32"
slots = "38 31 19 15"
set multiplot layout 1,2
set logscale y
set format y "10^{%T}"
set yrange [1e-7:1]
set xrange [0:40]
set xlabel "gap: new keys per line between a key and its repeat"
set ylabel "chance of a false pass"
set key bottom right reverse Left samplen 2
do for [c = 1:2] {
    set title (c == 1 ? "one choice" : "two choices, colours alike")
    if (c == 2) { unset key }
    plot for [i = 1:4] data every ::1 \
            using ($1 == c && $2 == word(widths, i) ? $4 : NaN):8 \
            with lines lw 1.5 lc rgb colour(i) notitle, \
        for [i = 1:4] data every ::1 \
            using ($1 == c && $2 == word(widths, i) ? $4 : NaN):7 \
            with points pt 7 ps 0.5 lc rgb colour(i) \
            title sprintf("width %s, %s slots", word(widths, i), word(slots, i))
}
unset multiplot

# ---- Measured over predicted, all widths --------------------------------
set terminal svg size 760,420 font "sans-serif,13" background "white"
set output "doc/figures/fit.svg"
colours = "#000000 #7f7f7f #0060ad #17becf #2ca02c #bcbd22 #ff7f0e #dd181f #9467bd"
all = "10 12 13 16 20 26 32 48 64"
set title "two choices: measured over predicted"
set logscale y 2
set format y "%g"
set yrange [0.25:4]
set ytics (0.25, 0.5, 0.67, 1, 1.5, 2, 4)
set xrange [0:9.5]
set xlabel "slots to spare: slots less keys per line"
set ylabel "measured / predicted"
set key on outside right top
plot for [i = 1:9] data every ::1 \
        using ($1 == 2 && $2 == word(all, i) && $6 >= 50 ? $3 - $4 : NaN): \
        ($7 / $8) with linespoints pt 7 ps 0.4 lw 1.5 lc rgb colour(i) \
        title sprintf("%d slots", 496 / word(all, i)), \
    1 lc rgb "black" notitle

# ---- Filling -------------------------------------------------------------
set terminal svg size 960,440 font "sans-serif,13" background "white"
set output "doc/figures/filling.svg"
data = "lab/curves/filling.csv"
array wanted[2] = [0.01, 1e-6]
array last[2] = [38, 19]
colours = "#0060ad #dd181f"
unset ytics
set multiplot layout 1,2
set ytics nomirror
set xrange [0:60]
set xlabel "keys that came, per line"
set title "chance of a false drop"
set logscale y 10
set format y "10^{%T}"
set yrange [1e-20:1]
set ylabel "chance of a false drop"
set key inside bottom right reverse Left
plot for [i = 1:2] data every ::1 \
        using ($1 == wanted[i] ? $2 : NaN):5 with steps lw 1.5 \
        lc rgb colour(i) notitle, \
    for [i = 1:2] data every ::1 \
        using ($1 == wanted[i] ? $2 : NaN):3 with points pt 7 ps 0.5 \
        lc rgb colour(i) title sprintf("wanted %g, from contents", wanted[i]), \
    data every ::1 using ($1 == 0.01 && $4 > 0 ? $2 : NaN):4 with points \
        pt 6 ps 0.9 lc rgb "black" title "wanted 0.01, counted"
set title "bits per fingerprint"
unset logscale y
set format y "%g"
set yrange [0:66]
set ylabel "width, mean over the lines"
set key inside top right
plot for [i = 1:2] data every ::1 using ($1 == wanted[i] ? $2 : NaN): \
        (log(2 * ($2 < last[i] ? $2 : last[i]) / $5) / log(2)) \
        with steps lw 1.5 lc rgb colour(i) notitle, \
    for [i = 1:2] data every ::1 \
        using ($1 == wanted[i] ? $2 : NaN):6 with points pt 7 ps 0.5 \
        lc rgb colour(i) title sprintf("wanted %g", wanted[i])
unset multiplot

# ---- The end of a window --------------------------------------------------
set terminal svg size 640,380 font "sans-serif,13" background "white"
set output "doc/figures/window.svg"
data = "lab/curves/window.csv"
set title "the end of a window of records"
set xrange [0.9:1.2]
set yrange [-0.02:1.05]
set xtics ("0.9" 0.9, "0.95" 0.95, "1" 1, "1.05" 1.05, "1.1" 1.1, \
           "9/8" 1.125, "1.2" 1.2)
set xlabel "age / window"
set ylabel "chance of being seen"
set key inside top right
plot data every ::1 using 1:4 with lines lw 1.5 lc rgb colour(1) \
        title "predicted", \
    data every ::1 using 1:3 with points pt 7 ps 0.5 lc rgb colour(2) \
        title "measured"
