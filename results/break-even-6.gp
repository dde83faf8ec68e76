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
set title "Break-even: runs until the conversion has paid: mttkrp, mode 2, rank 16, 2 threads"
set ylabel "runs"
set style data histograms
set style histogram clustered gap 1
set boxwidth 0.9
set xtics rotate by -20
set logscale y 10
set yrange [0.5:*]
$d << EOD
"nell-2_0.02 (stand-in)" 14 1 NaN NaN NaN NaN
"uniform:dims=20000x30000x5000,nnz=1000000" NaN NaN 7 NaN NaN NaN
"enron_0.02 (stand-in)" NaN NaN NaN 23 5 2
EOD
set terminal svg size 860,420 dynamic noenhanced font "sans-serif,13" background "#ffffff"
set output "break-even-6.svg"
plot $d using 2:xtic(1) title "duq:2,1,0" lt 8, $d using 3 title "csf:0,1,2" lt 6, $d using 4 title "duq:2,0,1" lt 8, $d using 5 title "csf:2,3,1,0" lt 8, $d using 6 title "duqq:2,3,1,0" lt 8, $d using 7 title "csf:0,1,2,3" lt 8
set terminal pngcairo size 1720,840 noenhanced font "sans-serif,22" background "#ffffff"
set output "break-even-6.png"
plot $d using 2:xtic(1) title "duq:2,1,0" lt 8, $d using 3 title "csf:0,1,2" lt 6, $d using 4 title "duq:2,0,1" lt 8, $d using 5 title "csf:2,3,1,0" lt 8, $d using 6 title "duqq:2,3,1,0" lt 8, $d using 7 title "csf:0,1,2,3" lt 8
unset output
