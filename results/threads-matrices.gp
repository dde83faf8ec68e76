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
set bmargin 9.8
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up of 2 threads over 1, mean over matrices"
set ylabel "times as fast as 1 thread"
set yrange [0:*]
set xrange [0:115]
unset xtics
set label "spmv" at first 9, graph 0 center offset 0, -1 font ",12"
set label "mattransmul" at first 27.5, graph 0 center offset 0, -1 font ",12"
set label "residual" at first 46, graph 0 center offset 0, -1 font ",12"
set label "spmm\nrank 16" at first 62, graph 0 center offset 0, -1 font ",12"
set label "sddmm\nrank 16" at first 73.5, graph 0 center offset 0, -1 font ",12"
set label "spgemm" at first 81.5, graph 0 center offset 0, -1 font ",12"
set label "spadd" at first 88, graph 0 center offset 0, -1 font ",12"
set label "spadd3" at first 95, graph 0 center offset 0, -1 font ",12"
set label "elmul" at first 102, graph 0 center offset 0, -1 font ",12"
set label "masked" at first 108, graph 0 center offset 0, -1 font ",12"
set label "triangles" at first 113, graph 0 center offset 0, -1 font ",12"
set arrow 1 from graph 0, first 2 to graph 1, first 2 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0 2.085
20 0 1.546
38 0 1.755
57 0 1.789
70 0 1.597
EOD
$s1 << EOD
2 0 1.864
21 0 1.461
39 0 1.466
58 0 1.516
71 0 1.754
80 0 1.846
86 0 1.356
93 0 1.539
100 0 1.415
107 0 1.687
112 0 1.964
EOD
$s2 << EOD
3 0 1.525
22 0 1.931
40 0 1.036
59 0 0.4484
72 0 1.791
EOD
$s3 << EOD
4 0 1.803
23 0 1.488
41 0 1.293
60 0 1.591
73 0 1.517
EOD
$s4 << EOD
5 0 2.016
24 0 1.67
42 0 1.673
61 0 1.585
74 0 1.587
EOD
$s5 << EOD
6 0 1.953
25 0 1.834
43 0 1.527
EOD
$s6 << EOD
7 0 1.793
26 0 1.98
44 0 1.201
EOD
$s7 << EOD
8 0 1.84
27 0 1.469
45 0 0.9284
EOD
$s8 << EOD
9 0 2.299
28 0 1.58
46 0 1.16
EOD
$s9 << EOD
10 0 1.805
29 0 1.849
47 0 2.022
EOD
$s10 << EOD
11 0 1.535
30 0 1.214
48 0 1.705
EOD
$s11 << EOD
12 0 1.415
31 0 1.588
49 0 1.395
EOD
$s12 << EOD
62 0 1.5
75 0 1.64
EOD
$s13 << EOD
13 0 1.707
32 0 1.662
50 0 1.431
63 0 1.733
76 0 1.625
81 0 1.582
87 0 1.517
94 0 1.974
101 0 1.504
108 0 1.785
113 0 1.913
EOD
$s14 << EOD
14 0 1.477
33 0 1.441
51 0 1.082
64 0 1.686
EOD
$s15 << EOD
15 0 1.803
52 0 1.371
65 0 1.408
82 0 1.372
88 0 1.11
95 0 1.009
102 0 1.041
EOD
$s16 << EOD
16 0 1.004
34 0 0.975
53 0 0.7711
66 0 1.008
83 0 1.136
89 0 1.135
96 0 0.9911
103 0 1.142
109 0 0.9796
114 0 1.108
EOD
$s17 << EOD
17 0 1.819
35 0 1.827
54 0 1.393
67 0 1.463
77 0 1.319
90 0 0.8221
97 0 0.8871
104 0 0.6214
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "threads-matrices.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(16384,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "bcsrc(4,4)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "csbc(2048,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "threads-matrices.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(16384,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "bcsrc(4,4)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "csbc(2048,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
