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
set title "Speed-up: spmv, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:53]
unset xtics
set label "banded\n500k\nwidth 7" at first 6.5, graph 0 center offset 0, -1
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 20, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 33, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 46.5, graph 0 center offset 0, -1
set yrange [0.526:5.177]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.442
15 1 1.669
28 1 1.234
41 1 3.167
EOD
$s1 << EOD
2 1 1.09
16 1 1.14
29 1 1.08
42 1 1.554
EOD
$s2 << EOD
3 1 1.489
17 1 1.617
30 1 1.225
43 1 2.612
EOD
$s3 << EOD
4 1 1.013
18 0.777 1
31 0.6575 1
44 1 1.353
EOD
$s4 << EOD
5 1 1.325
19 1 1.804
32 1 1.52
EOD
$s5 << EOD
6 1 1.4
33 1 1.283
45 1 1.86
EOD
$s6 << EOD
7 1 2.184
EOD
$s7 << EOD
20 1 1.962
EOD
$s8 << EOD
46 1 1.498
EOD
$s9 << EOD
47 1 4.141
EOD
$s10 << EOD
8 1 1.092
21 1 1.275
34 1 1.043
48 1 2.14
EOD
$s11 << EOD
9 1 1.155
22 0.8885 1
35 0.8169 1
49 1 1.307
EOD
$s12 << EOD
10 1 1.491
23 1 1.467
36 1 1.291
50 1 2.374
EOD
$s13 << EOD
11 0.8309 1
24 0.915 1
37 0.7763 1
51 0.9252 1
EOD
$s14 << EOD
12 1 1.554
25 1 1.07
38 1 1.276
52 1 2.596
EOD
$intervals << EOD
1 1.442 0.8935 1.712
2 1.09 0.9776 1.15
3 1.489 1.194 1.549
4 1.013 0.9845 1.055
5 1.325 1.233 1.422
6 1.4 1.286 1.492
7 2.184 1.958 2.345
8 1.092 1.05 1.119
9 1.155 1.093 1.366
10 1.491 1.349 1.5
11 0.8309 0.7736 0.9583
12 1.554 1.317 1.721
15 1.669 1.184 1.905
16 1.14 0.9702 1.14
17 1.617 1.385 1.787
18 0.777 0.7135 0.8379
19 1.804 1.665 1.862
20 1.962 1.117 2.364
21 1.275 1.107 1.442
22 0.8885 0.7986 0.9849
23 1.467 1.339 1.677
24 0.915 0.8916 0.9826
25 1.07 0.9872 1.284
28 1.234 0.8998 1.4
29 1.08 0.9424 1.225
30 1.225 0.9368 1.384
31 0.6575 0.482 0.8742
32 1.52 1.055 1.802
33 1.283 0.9405 1.801
34 1.043 0.8179 1.153
35 0.8169 0.6194 0.9781
36 1.291 0.9466 1.377
37 0.7763 0.5748 0.8622
38 1.276 0.9678 1.569
41 3.167 2.636 3.218
42 1.554 1.32 1.879
43 2.612 2.056 3.262
44 1.353 1.193 1.467
45 1.86 1.67 2.37
46 1.498 1.354 1.705
47 4.141 3.402 5.112
48 2.14 1.877 2.194
49 1.307 1.181 1.44
50 2.374 2.132 2.428
51 0.9252 0.7403 1.449
52 2.596 2.264 2.853
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmv.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmv.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
