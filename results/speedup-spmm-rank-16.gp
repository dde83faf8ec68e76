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
set key at screen 0.5, screen 0.015 center bottom maxrows 5 Left reverse samplen 1.5
set bmargin 9.7
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
set yrange [0.03746:2.133]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.352
13 1 1.673
25 1 1.707
EOD
$s1 << EOD
2 1 1.418
EOD
$s2 << EOD
3 1 1.204
14 1 1.256
26 1 1.26
EOD
$s3 << EOD
4 1 1.353
EOD
$s4 << EOD
5 1 1.257
EOD
$s5 << EOD
15 0.78 1
27 0.7617 1
EOD
$s6 << EOD
16 0.04682 1
28 0.3632 1
EOD
$s7 << EOD
17 0.5107 1
EOD
$s8 << EOD
29 0.2602 1
EOD
$s9 << EOD
6 0.8582 1
18 0.262 1
30 0.2388 1
EOD
$s10 << EOD
7 0.3055 1
19 0.2312 1
31 0.2134 1
EOD
$s11 << EOD
8 0.7945 1
20 0.3419 1
32 0.4271 1
EOD
$s12 << EOD
9 0.2329 1
21 0.06872 1
33 0.05866 1
EOD
$s13 << EOD
10 0.6774 1
22 0.1938 1
34 0.181 1
EOD
$intervals << EOD
1 1.352 1.238 1.426
2 1.418 1.282 1.484
3 1.204 1.074 1.301
4 1.353 1.218 1.456
5 1.257 1.012 1.344
6 0.8582 0.7818 0.9178
7 0.3055 0.2644 0.4444
8 0.7945 0.7422 0.8253
9 0.2329 0.2229 0.2434
10 0.6774 0.6409 0.718
13 1.673 1.556 1.746
14 1.256 1.149 1.353
15 0.78 0.7313 0.8165
16 0.04682 0.04479 0.04823
17 0.5107 0.4746 0.5545
18 0.262 0.2491 0.286
19 0.2312 0.2146 0.2508
20 0.3419 0.3361 0.3542
21 0.06872 0.06618 0.0728
22 0.1938 0.181 0.2015
25 1.707 1.402 1.856
26 1.26 1.206 1.283
27 0.7617 0.725 0.8079
28 0.3632 0.03138 0.3855
29 0.2602 0.04127 0.3913
30 0.2388 0.2009 0.2533
31 0.2134 0.1456 0.2315
32 0.4271 0.4026 0.4545
33 0.05866 0.05623 0.06222
34 0.181 0.1741 0.1904
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmm-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(2,2)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "sell(8,200000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmm-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(2,2)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "sell(8,200000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
