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
1 0 1.984
20 0 1.244
38 0 1.842
57 0 1.665
70 0 1.411
EOD
$s1 << EOD
2 0 1.888
21 0 1.323
39 0 1.637
58 0 1.616
71 0 1.58
80 0 1.81
86 0 1.411
93 0 1.755
100 0 1.368
107 0 1.822
112 0 1.899
EOD
$s2 << EOD
3 0 1.422
22 0 1.736
40 0 1.23
59 0 0.2385
72 0 1.657
EOD
$s3 << EOD
4 0 1.751
23 0 1.184
41 0 1.723
60 0 1.585
73 0 1.553
EOD
$s4 << EOD
5 0 1.674
24 0 1.367
42 0 1.699
61 0 1.488
74 0 1.694
EOD
$s5 << EOD
6 0 1.777
25 0 1.6
43 0 1.68
EOD
$s6 << EOD
7 0 1.824
26 0 1.423
44 0 1.387
EOD
$s7 << EOD
8 0 2.472
27 0 1.327
45 0 1.694
EOD
$s8 << EOD
9 0 0.8365
28 0 0.8815
46 0 2.091
EOD
$s9 << EOD
10 0 1.584
29 0 1.55
47 0 1.496
EOD
$s10 << EOD
11 0 1.391
30 0 0.8452
48 0 1.44
EOD
$s11 << EOD
12 0 1.329
31 0 1.087
49 0 1.494
EOD
$s12 << EOD
62 0 1.637
75 0 1.403
EOD
$s13 << EOD
13 0 1.875
32 0 1.237
50 0 1.668
63 0 1.863
76 0 1.679
81 0 1.478
87 0 1.408
94 0 2.01
101 0 2.006
108 0 2.09
113 0 2.179
EOD
$s14 << EOD
14 0 1.278
33 0 1.092
51 0 1.221
64 0 1.612
EOD
$s15 << EOD
15 0 1.741
52 0 1.482
65 0 1.301
82 0 1.066
88 0 1.135
95 0 1.009
102 0 1.016
EOD
$s16 << EOD
16 0 0.9482
34 0 0.8598
53 0 0.8627
66 0 1.024
83 0 0.9679
89 0 1.168
96 0 1.088
103 0 1.079
109 0 0.7598
114 0 1.141
EOD
$s17 << EOD
17 0 1.83
35 0 1.571
54 0 1.607
67 0 1.585
77 0 1.373
90 0 0.7366
97 0 0.9906
104 0 0.5598
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
