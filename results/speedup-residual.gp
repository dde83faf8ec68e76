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
set key at screen 0.5, screen 0.015 center bottom maxrows 6 Left reverse samplen 1.5
set bmargin 10.8
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: residual, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:54]
unset xtics
set label "banded\n500k\nwidth 7" at first 6.5, graph 0 center offset 0, -1
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 20, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 33, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 47, graph 0 center offset 0, -1
set yrange [0.4463:6.437]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.197
15 1 1.627
28 1 1.236
41 1 2.301
EOD
$s1 << EOD
2 0.8654 1
16 0.9804 1
29 0.8242 1
42 1 1.592
EOD
$s2 << EOD
3 1 1.199
17 1 1.324
30 1 1.163
43 1 2.041
EOD
$s3 << EOD
4 1 1.173
18 0.7079 1
31 0.5989 1
44 1 1.256
EOD
$s4 << EOD
5 1 1.311
19 1 1.664
32 1 1.473
EOD
$s5 << EOD
6 1 1.244
33 1 1.187
45 1 2.01
EOD
$s6 << EOD
7 1 1.812
EOD
$s7 << EOD
20 0.8837 1
EOD
$s8 << EOD
46 1 2.668
EOD
$s9 << EOD
47 1 3.842
EOD
$s10 << EOD
48 1 5.149
EOD
$s11 << EOD
8 0.8668 1
21 1 1.038
34 0.8669 1
49 1 2.09
EOD
$s12 << EOD
9 0.9403 1
22 0.7017 1
35 0.6715 1
50 1 1.455
EOD
$s13 << EOD
10 1 1.107
23 1 1.309
36 1 1.12
51 1 2.125
EOD
$s14 << EOD
11 0.6918 1
24 0.6358 1
37 0.5579 1
52 1 1.433
EOD
$s15 << EOD
12 1 1.212
25 1 1.316
38 1 1.177
53 1 2.869
EOD
$intervals << EOD
1 1.197 1.139 1.346
2 0.8654 0.8079 1.013
3 1.199 1.119 1.284
4 1.173 1.066 1.348
5 1.311 1.052 1.507
6 1.244 0.9588 1.43
7 1.812 1.394 2.362
8 0.8668 0.7222 1.071
9 0.9403 0.8559 1.453
10 1.107 0.9566 1.601
11 0.6918 0.597 0.8388
12 1.212 1.088 1.394
15 1.627 1.347 1.662
16 0.9804 0.8966 1.084
17 1.324 1.137 1.535
18 0.7079 0.666 0.7671
19 1.664 1.612 1.834
20 0.8837 0.8161 0.9952
21 1.038 1.005 1.114
22 0.7017 0.6806 0.7372
23 1.309 1.202 1.47
24 0.6358 0.5947 0.8558
25 1.316 1.057 1.326
28 1.236 1.204 1.309
29 0.8242 0.7282 0.9148
30 1.163 0.9895 1.347
31 0.5989 0.5918 0.6585
32 1.473 1.405 1.597
33 1.187 1.155 1.292
34 0.8669 0.7871 0.9315
35 0.6715 0.6586 0.7137
36 1.12 1.103 1.182
37 0.5579 0.5319 0.6028
38 1.177 1.098 1.28
41 2.301 2.101 2.332
42 1.592 1.471 1.746
43 2.041 1.858 2.169
44 1.256 1.144 1.305
45 2.01 1.801 2.156
46 2.668 2.049 2.741
47 3.842 2.971 4.352
48 5.149 3.475 5.368
49 2.09 1.234 2.196
50 1.455 1.084 1.549
51 2.125 1.603 2.633
52 1.433 1.052 1.966
53 2.869 2.653 3.313
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-residual.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsrc(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-residual.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsrc(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
