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
set yrange [0.07698:1.464]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.131
13 1 1.171
25 1 1.075
EOD
$s1 << EOD
2 0.3429 1
14 0.4154 1
26 0.1282 1
EOD
$s2 << EOD
3 1 1.02
15 0.983 1
27 0.9237 1
EOD
$s3 << EOD
4 1 1.075
16 0.3264 1
28 0.3413 1
EOD
$s4 << EOD
5 1 1.022
17 0.5604 1
29 0.6107 1
EOD
$s5 << EOD
6 0.7632 1
18 0.273 1
30 0.2973 1
EOD
$s6 << EOD
7 0.5818 1
19 0.2429 1
31 0.2247 1
EOD
$s7 << EOD
8 0.9124 1
20 0.4934 1
32 0.5615 1
EOD
$s8 << EOD
9 0.2907 1
21 0.09622 1
33 0.1043 1
EOD
$s9 << EOD
10 0.5857 1
22 0.1987 1
34 0.2296 1
EOD
$intervals << EOD
1 1.131 0.9777 1.493
2 0.3429 0.09233 0.421
3 1.02 0.9057 1.152
4 1.075 0.999 1.267
5 1.022 0.9069 1.158
6 0.7632 0.6717 0.8038
7 0.5818 0.5313 0.7859
8 0.9124 0.8099 0.9556
9 0.2907 0.2633 0.3306
10 0.5857 0.4646 0.9014
13 1.171 1.119 1.225
14 0.4154 0.1146 0.5187
15 0.983 0.9082 1.15
16 0.3264 0.3015 0.4404
17 0.5604 0.4969 0.789
18 0.273 0.1695 0.2868
19 0.2429 0.1699 0.2936
20 0.4934 0.373 0.5276
21 0.09622 0.0537 0.1028
22 0.1987 0.1836 0.2572
25 1.075 0.5174 1.489
26 0.1282 0.06912 0.4362
27 0.9237 0.4429 1.265
28 0.3413 0.1922 0.5009
29 0.6107 0.3633 0.9306
30 0.2973 0.1676 0.3959
31 0.2247 0.1172 0.3622
32 0.5615 0.3202 0.7344
33 0.1043 0.06191 0.1364
34 0.2296 0.2035 0.3091
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
