set linetype 1 lc rgb "#3f90da" lw 1.5 pt 7 ps 0.9
set linetype 2 lc rgb "#ffa90e" lw 1.5 pt 5 ps 0.9
set linetype 3 lc rgb "#bd1f01" lw 1.5 pt 9 ps 0.9
set linetype 4 lc rgb "#94a4a2" lw 1.5 pt 11 ps 0.9
set linetype 5 lc rgb "#832db6" lw 1.5 pt 13 ps 0.9
set linetype 6 lc rgb "#a96b59" lw 1.5 pt 15 ps 0.9
set linetype 7 lc rgb "#e76300" lw 1.5 pt 6 ps 0.9
set linetype 8 lc rgb "#b9ac70" lw 1.5 pt 4 ps 0.9
set linetype 9 lc rgb "#717581" lw 1.5 pt 8 ps 0.9
set linetype 10 lc rgb "#92dadd" lw 1.5 pt 10 ps 0.9
set linetype 11 lc rgb "#3f90da" lw 1.5 pt 11 ps 0.9
set linetype 12 lc rgb "#ffa90e" lw 1.5 pt 13 ps 0.9
set linetype 13 lc rgb "#bd1f01" lw 1.5 pt 15 ps 0.9
set linetype 14 lc rgb "#94a4a2" lw 1.5 pt 6 ps 0.9
set linetype 15 lc rgb "#832db6" lw 1.5 pt 4 ps 0.9
set linetype 16 lc rgb "#a96b59" lw 1.5 pt 8 ps 0.9
set linetype 17 lc rgb "#e76300" lw 1.5 pt 10 ps 0.9
set linetype 18 lc rgb "#b9ac70" lw 1.5 pt 7 ps 0.9
set linetype 19 lc rgb "#717581" lw 1.5 pt 5 ps 0.9
set linetype 20 lc rgb "#92dadd" lw 1.5 pt 9 ps 0.9
set encoding utf8
set datafile missing "NaN"
set key at screen 0.5, screen 0.015 center bottom maxrows 4 Left reverse samplen 1.5
set bmargin 8.6
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: spmm, rank 16, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:35]
unset xtics
set label "banded\n200k\nwidth 5" at first 5.5, graph 0 center offset 0, -1
set label "power-law\n200k\n1M" at first 17.5, graph 0 center offset 0, -1
set label "uniform\n200k\n1M" at first 29.5, graph 0 center offset 0, -1
set yrange [0.05206:1.781]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.425
13 1 1.305
25 1 1.25
EOD
$s1 << EOD
2 0.06508 1
14 0.4673 1
26 0.5265 1
EOD
$s2 << EOD
3 1 1.387
15 1 1.053
27 1 1.074
EOD
$s3 << EOD
4 1 1.068
16 0.4327 1
28 0.379 1
EOD
$s4 << EOD
5 1 1.095
17 0.7437 1
29 0.824 1
EOD
$s5 << EOD
6 0.7296 1
18 0.2991 1
30 0.3612 1
EOD
$s6 << EOD
7 0.6392 1
19 0.2727 1
31 0.259 1
EOD
$s7 << EOD
8 0.6761 1
20 0.5623 1
32 0.6569 1
EOD
$s8 << EOD
9 0.2332 1
21 0.09248 1
33 0.1155 1
EOD
$s9 << EOD
10 0.76 1
22 0.2863 1
34 0.3536 1
EOD
$intervals << EOD
1 1.425 1.227 1.963
2 0.06508 0.03522 0.08351
3 1.387 0.6877 1.888
4 1.068 0.8399 1.367
5 1.095 0.9427 1.457
6 0.7296 0.5746 0.9343
7 0.6392 0.485 0.8281
8 0.6761 0.5503 0.8733
9 0.2332 0.2057 0.282
10 0.76 0.567 1
13 1.305 1.088 1.415
14 0.4673 0.08257 0.4965
15 1.053 0.9626 1.085
16 0.4327 0.3689 0.4767
17 0.7437 0.5934 0.8006
18 0.2991 0.2839 0.3057
19 0.2727 0.2571 0.2886
20 0.5623 0.5298 0.5779
21 0.09248 0.08765 0.09689
22 0.2863 0.2737 0.3126
25 1.25 1.145 1.59
26 0.5265 0.09789 0.6389
27 1.074 0.9022 1.48
28 0.379 0.3342 0.5074
29 0.824 0.7033 1.205
30 0.3612 0.269 0.4885
31 0.259 0.1982 0.4432
32 0.6569 0.4165 0.8693
33 0.1155 0.08586 0.1368
34 0.3536 0.2522 0.4567
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmm-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmm-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
