# first.gp - the picture of the README, from lab/curves/first.csv
#
# Run by make figures, from the top of the tree.
set datafile separator ","
set terminal svg size 960,420 font "sans-serif,14" background "white"
set output "doc/figures/first.svg"
data = "lab/curves/first.csv"
names = "awk sbf rlbsbf a2 apbf freshet-1% freshet"
colours = "#000000 #c05a00 #7a7a00 #7d4fb0 #1f8a1f #4a94d8 #0050a0"
array called[7] = ["awk", "stable Bloom filter, 2006", "RLBSBF, 2012", \
    "two active buffers, 2010", "age-partitioned Bloom, 2020", \
    "freshet -e 1%%", "freshet"]
set border 3
set tics nomirror
of(i, value) = strcol(1) eq word(names, i) ? value : NaN
array ns[7]
array lost[7]
do for [i = 1:7] {
    stats data using (of(i, $5)) nooutput
    ns[i] = STATS_max
    stats data using (of(i, $4)) nooutput
    lost[i] = 100 * STATS_max
}
stats data using (of(1, $2)) nooutput
awk_keys = STATS_max
set multiplot

# ---- What is remembered -------------------------------------------------
# The bars beside it name the colours.
set size 0.5,1
set origin 0,0
set grid lc rgb "#e5e5e5"
set title "Repeats found with 1 MiB of memory"
set logscale x
set xrange [1000:2.5e6]
set yrange [0:1.05]
set ytics ("0 %%" 0, "25 %%" 0.25, "50 %%" 0.5, "75 %%" 0.75, "100 %%" 1)
set xtics ("1,000" 1000, "10,000" 10000, "100,000" 100000, "1,000,000" 1e6)
set xlabel "different keys between a record and its repeat"
unset key
set arrow 1 from awk_keys,0 to awk_keys,1 nohead lw 2.5 lc rgb word(colours, 1)
set label 9 "awk needs" at awk_keys*0.87,0.19 right
set label 10 "more memory" at awk_keys*0.87,0.12 right
set label 11 "from here" at awk_keys*0.87,0.05 right
set label 7 "freshet" at 2.2e5,0.93 right tc rgb word(colours, 7)
set label 5 "freshet" at 7.2e5,0.93 tc rgb word(colours, 6)
set label 6 "-e 1%" at 7.2e5,0.86 tc rgb word(colours, 6)
plot [1000:2.5e6] (x < awk_keys ? 1 : NaN) with lines lw 2.5 \
        lc rgb word(colours, 1), \
    for [i = 2:7] data every ::1 using (of(i, $2)):(of(i, $3)) with lines \
        lw (i > 5 ? 3.5 : 2) lc rgb word(colours, i)

# ---- What a record costs ------------------------------------------------
unset arrow
unset label
unset logscale x
unset grid
set size 0.5,1
set origin 0.5,0
set lmargin 25
set border 2
unset xtics
set title "Time for a record; new records lost" offset -8,0
unset xlabel
set xrange [0:400]
set yrange [7.6:0.4]
unset ytics
set ytics scale 0
do for [i = 1:7] { set ytics add (sprintf("%s", called[i]) i) }
least(v) = v < 180 ? v : 180
do for [i = 1:7] {
    set object i rectangle from 0,i-0.3 to least(ns[i]),i+0.3 \
        fc rgb word(colours, i) fs solid noborder
    set label i sprintf("%.0f ns%s; %s", ns[i], ns[i] > 180 ? " (cut)" : "", \
        lost[i] > 0 ? sprintf("%.1f %%", lost[i]) : "none") at least(ns[i])+5,i
}
plot NaN
unset multiplot
