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
set key at screen 0.5, screen 0.015 center bottom maxrows 8 Left reverse samplen 1.5
set bmargin 13
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: mattransmul, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:79]
unset xtics
set label "banded\n500k\nwidth 7" at first 6.5, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 19.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n500k\n4M" at first 32, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 17" at first 45, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 58.5, graph 0 center offset 0, -1 font ",12"
set label "block\n200k\nblock 4" at first 72.5, graph 0 center offset 0, -1 font ",12"
set yrange [0.3757:3.212]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.277
15 1 1.475
27 1 1.526
40 0.9486 1
53 1 1.018
67 1 1.409
EOD
$s1 << EOD
2 1 2.301
54 1 2.443
EOD
$s2 << EOD
3 1 1.569
EOD
$s3 << EOD
4 1 1.422
28 1 2.185
55 1 1.38
68 1 1.713
EOD
$s4 << EOD
5 1 1.472
EOD
$s5 << EOD
6 1 1.554
16 1 1.183
29 1 1.182
41 0.9939 1
56 1 1.488
69 1 1.805
EOD
$s6 << EOD
7 1 1.536
17 1 1.222
30 1 1.201
42 1 1.148
57 1 1.583
70 1 1.677
EOD
$s7 << EOD
18 1 2.02
EOD
$s8 << EOD
19 1 1.514
31 1 1.825
EOD
$s9 << EOD
32 1 1.611
43 1 1.015
EOD
$s10 << EOD
44 1 1.751
EOD
$s11 << EOD
45 1 1.437
EOD
$s12 << EOD
58 1 1.728
EOD
$s13 << EOD
59 1 1.114
EOD
$s14 << EOD
71 1 2.57
EOD
$s15 << EOD
72 1 2.479
EOD
$s16 << EOD
73 1 2.085
EOD
$s17 << EOD
8 0.9035 1
20 0.702 1
33 0.8006 1
46 0.8785 1
60 0.7121 1
74 0.9262 1
EOD
$s18 << EOD
9 1 1.181
21 0.7042 1
34 0.759 1
47 0.68 1
61 1 1.212
75 1 1.163
EOD
$s19 << EOD
10 1 1.378
22 1 1.132
35 1 1.14
48 1 1.029
62 1 1.463
76 1 1.462
EOD
$s20 << EOD
11 0.6884 1
23 0.6923 1
36 0.6481 1
49 0.4697 1
63 0.7045 1
77 0.7956 1
EOD
$s21 << EOD
12 1 1.309
24 1 1.051
37 1 1.212
50 0.8403 1
64 1 1.527
78 1 1.655
EOD
$intervals << EOD
1 1.277 1.189 1.372
2 2.301 2.108 2.454
3 1.569 1.507 1.709
4 1.422 1.172 1.539
5 1.472 1.388 1.631
6 1.554 1.398 1.673
7 1.536 1.386 1.669
8 0.9035 0.8278 1.033
9 1.181 1.093 1.329
10 1.378 1.289 1.515
11 0.6884 0.6566 0.7554
12 1.309 1.258 1.436
15 1.475 1.391 1.626
16 1.183 1.157 1.304
17 1.222 1.163 1.326
18 2.02 1.92 2.175
19 1.514 1.493 1.661
20 0.702 0.6863 0.9086
21 0.7042 0.4335 0.8066
22 1.132 1.07 1.217
23 0.6923 0.6667 0.7472
24 1.051 1.032 1.172
27 1.526 1.439 1.625
28 2.185 2.139 2.328
29 1.182 1.109 1.281
30 1.201 1.164 1.236
31 1.825 1.692 1.877
32 1.611 1.47 1.661
33 0.8006 0.5612 0.9372
34 0.759 0.7455 0.7749
35 1.14 1.104 1.177
36 0.6481 0.6275 0.7008
37 1.212 1.173 1.254
40 0.9486 0.9429 0.9958
41 0.9939 0.9671 1.037
42 1.148 1.112 1.198
43 1.015 0.9845 1.061
44 1.751 1.634 1.83
45 1.437 1.395 1.496
46 0.8785 0.8332 0.9198
47 0.68 0.6517 0.7167
48 1.029 1.001 1.091
49 0.4697 0.4579 0.4985
50 0.8403 0.8133 0.877
53 1.018 0.9792 1.116
54 2.443 2.047 3.129
55 1.38 1.301 1.739
56 1.488 1.412 1.772
57 1.583 1.404 1.738
58 1.728 1.61 1.858
59 1.114 1.037 1.239
60 0.7121 0.5931 1.029
61 1.212 1.128 1.366
62 1.463 1.326 1.622
63 0.7045 0.6715 0.7795
64 1.527 1.44 1.601
67 1.409 1.147 1.812
68 1.713 1.326 2.021
69 1.805 1.467 2.168
70 1.677 1.439 2.15
71 2.57 2.22 3.261
72 2.479 1.828 3.212
73 2.085 1.699 2.499
74 0.9262 0.4418 1.171
75 1.163 1.004 1.366
76 1.462 1.298 1.735
77 0.7956 0.7109 0.9619
78 1.655 1.319 1.927
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mattransmul.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(8192,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "bcsc(2,2)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsc(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "bcsr(4,4)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(4,4)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mattransmul.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(8192,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "bcsc(2,2)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsc(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "bcsr(4,4)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(4,4)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
