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
set yrange [0.3865:3.603]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.256
15 1 1.309
27 1 1.44
40 0.9669 1
53 1 1.054
67 1 1.375
EOD
$s1 << EOD
2 1 2.365
54 1 2.882
EOD
$s2 << EOD
3 1 1.473
EOD
$s3 << EOD
4 1 1.449
28 1 2.096
55 1 1.569
68 1 1.4
EOD
$s4 << EOD
5 1 1.418
EOD
$s5 << EOD
6 1 1.488
16 1 1.111
29 1 1.218
41 1 1.058
56 1 1.395
69 1 1.505
EOD
$s6 << EOD
7 1 1.546
17 1 1.163
30 1 1.108
42 1 1.184
57 1 1.38
70 1 1.529
EOD
$s7 << EOD
18 1 1.936
EOD
$s8 << EOD
19 1 1.458
31 1 1.7
EOD
$s9 << EOD
32 1 1.5
43 1 1.026
EOD
$s10 << EOD
44 1 1.729
EOD
$s11 << EOD
45 1 1.486
EOD
$s12 << EOD
58 1 1.289
EOD
$s13 << EOD
59 0.9477 1
EOD
$s14 << EOD
71 1 2.522
EOD
$s15 << EOD
72 1 2.238
EOD
$s16 << EOD
73 1 1.615
EOD
$s17 << EOD
8 0.9879 1
20 0.6366 1
33 0.8035 1
46 0.8413 1
60 0.6093 1
74 0.8032 1
EOD
$s18 << EOD
9 1 1.168
21 0.7237 1
34 0.7778 1
47 0.6645 1
61 0.9445 1
75 0.9352 1
EOD
$s19 << EOD
10 1 1.396
22 1 1.111
35 1 1.072
48 0.9649 1
62 1 1.106
76 1 1.342
EOD
$s20 << EOD
11 0.6453 1
23 0.6467 1
36 0.6323 1
49 0.4831 1
63 0.5321 1
77 0.6442 1
EOD
$s21 << EOD
12 1 1.298
24 1 1.02
37 1 1.17
50 0.8336 1
64 1 1.288
78 1 1.379
EOD
$intervals << EOD
1 1.256 1.206 1.297
2 2.365 2.303 2.459
3 1.473 1.419 1.499
4 1.449 1.366 1.508
5 1.418 1.362 1.452
6 1.488 1.433 1.535
7 1.546 1.48 1.592
8 0.9879 0.9514 1.025
9 1.168 1.119 1.179
10 1.396 1.341 1.447
11 0.6453 0.6239 0.6636
12 1.298 1.26 1.352
15 1.309 1.282 1.389
16 1.111 1.091 1.163
17 1.163 1.147 1.226
18 1.936 1.844 2.087
19 1.458 1.416 1.546
20 0.6366 0.5809 0.8397
21 0.7237 0.5575 0.7627
22 1.111 1.019 1.174
23 0.6467 0.633 0.7008
24 1.02 0.9673 1.079
27 1.44 1.347 1.471
28 2.096 2.029 2.11
29 1.218 1.164 1.261
30 1.108 1.079 1.214
31 1.7 1.637 1.78
32 1.5 1.482 1.564
33 0.8035 0.6682 0.9253
34 0.7778 0.7638 0.7819
35 1.072 1.033 1.144
36 0.6323 0.6164 0.6517
37 1.17 1.16 1.19
40 0.9669 0.9174 1.005
41 1.058 1.006 1.142
42 1.184 1.142 1.253
43 1.026 0.9798 1.101
44 1.729 1.566 1.865
45 1.486 1.432 1.567
46 0.8413 0.8054 0.8885
47 0.6645 0.6307 0.7008
48 0.9649 0.9109 1.019
49 0.4831 0.4657 0.5111
50 0.8336 0.8036 0.8791
53 1.054 1.042 1.079
54 2.882 2.819 2.983
55 1.569 1.542 1.623
56 1.395 1.352 1.433
57 1.38 1.345 1.424
58 1.289 1.254 1.333
59 0.9477 0.9389 0.9798
60 0.6093 0.2532 0.835
61 0.9445 0.9328 0.9748
62 1.106 1.08 1.143
63 0.5321 0.5224 0.5473
64 1.288 1.266 1.366
67 1.375 1.146 1.454
68 1.4 1.307 1.464
69 1.505 1.416 1.593
70 1.529 1.377 1.641
71 2.522 2.232 2.633
72 2.238 1.993 2.472
73 1.615 1.268 1.728
74 0.8032 0.5748 0.8751
75 0.9352 0.8664 1.009
76 1.342 1.249 1.442
77 0.6442 0.6131 0.6683
78 1.379 1.309 1.447
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
