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
set key at screen 0.5, screen 0.015 center bottom maxrows 7 Left reverse samplen 1.5
set bmargin 11.9
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: mattransmul, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:60]
unset xtics
set label "banded\n500k\nwidth 7" at first 7.5, graph 0 center offset 0, -1
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 22.5, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 36.5, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 52, graph 0 center offset 0, -1
set yrange [0.421:3.668]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.018
17 1 1.032
31 1 1.008
45 1 1.341
EOD
$s1 << EOD
2 1 1.858
18 1 1.208
32 1 1.139
46 1 1.608
EOD
$s2 << EOD
3 1 1.099
19 0.9674 1
33 0.9732 1
47 1 1.315
EOD
$s3 << EOD
4 1 1.158
20 0.5336 1
34 0.5579 1
48 0.8963 1
EOD
$s4 << EOD
5 0.9488 1
21 0.9528 1
35 1 1.23
EOD
$s5 << EOD
6 1 1.45
22 1 1.753
36 1 1.423
EOD
$s6 << EOD
7 1 1.869
37 1 1.639
49 1 1.534
EOD
$s7 << EOD
8 1 1.432
EOD
$s8 << EOD
9 1 2.935
EOD
$s9 << EOD
23 1 1.559
EOD
$s10 << EOD
50 0.7575 1
EOD
$s11 << EOD
51 1 1.076
EOD
$s12 << EOD
52 1 1.779
EOD
$s13 << EOD
53 1 1.683
EOD
$s14 << EOD
54 1 2.476
EOD
$s15 << EOD
10 1 1.212
24 0.775 1
38 0.7563 1
55 0.8287 1
EOD
$s16 << EOD
11 1 1.152
25 0.87 1
39 0.7312 1
56 1 1.089
EOD
$s17 << EOD
12 1 1.371
26 1 1.135
40 0.9897 1
57 1 1.488
EOD
$s18 << EOD
13 0.7892 1
27 0.6325 1
41 0.5262 1
58 0.6657 1
EOD
$s19 << EOD
14 1 1.758
28 0.976 1
42 0.8068 1
59 1 1.566
EOD
$intervals << EOD
1 1.018 0.9138 1.144
2 1.858 1.727 1.905
3 1.099 1.061 1.099
4 1.158 0.9911 1.355
5 0.9488 0.8889 1.1
6 1.45 1.104 1.767
7 1.869 1.305 2.237
8 1.432 0.9627 1.578
9 2.935 2.457 2.935
10 1.212 1.114 1.294
11 1.152 1.096 1.317
12 1.371 1.286 1.598
13 0.7892 0.7412 0.9251
14 1.758 1.633 2.049
17 1.032 0.906 1.057
18 1.208 1.164 1.276
19 0.9674 0.9196 1.024
20 0.5336 0.4805 0.6445
21 0.9528 0.8559 1.11
22 1.753 1.631 2.1
23 1.559 1.328 1.735
24 0.775 0.6989 0.936
25 0.87 0.7735 1.088
26 1.135 1.053 1.413
27 0.6325 0.5984 0.7408
28 0.976 0.9682 1.163
31 1.008 0.9766 1.051
32 1.139 0.9429 1.187
33 0.9732 0.9135 0.9863
34 0.5579 0.5237 0.5751
35 1.23 1.164 1.237
36 1.423 1.312 1.46
37 1.639 1.556 1.675
38 0.7563 0.7054 0.7883
39 0.7312 0.6872 0.7365
40 0.9897 0.9299 1.012
41 0.5262 0.4957 0.5414
42 0.8068 0.7539 0.8486
45 1.341 1.266 1.43
46 1.608 1.495 1.764
47 1.315 0.9874 1.465
48 0.8963 0.7942 1.027
49 1.534 1.425 1.669
50 0.7575 0.6993 0.8553
51 1.076 0.9627 1.255
52 1.779 1.557 1.983
53 1.683 1.588 1.972
54 2.476 2.251 2.782
55 0.8287 0.7699 0.967
56 1.089 1.038 1.195
57 1.488 1.338 1.685
58 0.6657 0.6187 0.7548
59 1.566 0.624 1.702
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mattransmul.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(32768,32768):1,0", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "bdia(256):1,0", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "sell(8,500000)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csbc(16384,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csbc(16384,32768):1,0", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "bcsrc(4,4):1,0", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mattransmul.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(32768,32768):1,0", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "bdia(256):1,0", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "sell(8,500000)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csbc(16384,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csbc(16384,32768):1,0", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "bcsrc(4,4):1,0", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
