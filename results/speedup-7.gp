set linetype 1 lc rgb "#4477aa" lw 2 pt 7 ps 0.8
set linetype 2 lc rgb "#ee6677" lw 2 pt 5 ps 0.8
set linetype 3 lc rgb "#228833" lw 2 pt 9 ps 0.8
set linetype 4 lc rgb "#ccbb44" lw 2 pt 11 ps 0.8
set linetype 5 lc rgb "#66ccee" lw 2 pt 13 ps 0.8
set linetype 6 lc rgb "#aa3377" lw 2 pt 15 ps 0.8
set linetype 7 lc rgb "#ee7733" lw 2 pt 6 ps 0.8
set linetype 8 lc rgb "#999999" lw 2 pt 4 ps 0.8
set encoding utf8
set datafile missing "NaN"
set key outside right top
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set style fill solid 0.9 noborder
set title "Speed-up over the reference: mttkrp, mode 3, rank 16, 2 threads"
set ylabel "times as fast"
set style data histograms
set style histogram clustered gap 1
set boxwidth 0.9
set xtics norotate
set logscale y 2
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$d << EOD
"enron_0.02 (stand-in)" 1 0.741839 0.428706 0.983655 1.27694
EOD
set terminal svg size 860,420 dynamic noenhanced font "sans-serif,13" background "#ffffff"
set output "speedup-7.svg"
plot $d using 2:xtic(1) title "coo" lt 1, $d using 3 title "csf:3,1,0,2" lt 8, $d using 4 title "hicoo(128)" lt 5, $d using 5 title "duqq:3,1,0,2" lt 8, $d using 6 title "csf:0,1,2,3" lt 8
set terminal pngcairo size 1720,840 noenhanced font "sans-serif,22" background "#ffffff"
set output "speedup-7.png"
plot $d using 2:xtic(1) title "coo" lt 1, $d using 3 title "csf:3,1,0,2" lt 8, $d using 4 title "hicoo(128)" lt 5, $d using 5 title "duqq:3,1,0,2" lt 8, $d using 6 title "csf:0,1,2,3" lt 8
unset output
