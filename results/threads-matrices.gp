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
set xrange [0:112]
unset xtics
set label "spmv" at first 8.5, graph 0 center offset 0, -1 font ",12"
set label "mattransmul" at first 26, graph 0 center offset 0, -1 font ",12"
set label "residual" at first 43.5, graph 0 center offset 0, -1 font ",12"
set label "spmm\nrank 16" at first 59, graph 0 center offset 0, -1 font ",12"
set label "sddmm\nrank 16" at first 70.5, graph 0 center offset 0, -1 font ",12"
set label "spgemm" at first 78.5, graph 0 center offset 0, -1 font ",12"
set label "spadd" at first 85, graph 0 center offset 0, -1 font ",12"
set label "spadd3" at first 92, graph 0 center offset 0, -1 font ",12"
set label "elmul" at first 99, graph 0 center offset 0, -1 font ",12"
set label "masked" at first 105, graph 0 center offset 0, -1 font ",12"
set label "triangles" at first 110, graph 0 center offset 0, -1 font ",12"
set arrow 1 from graph 0, first 2 to graph 1, first 2 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0 1.891
19 0 1.395
36 0 2.01
54 0 1.966
67 0 1.836
EOD
$s1 << EOD
2 0 1.921
20 0 1.484
37 0 2.095
55 0 1.993
68 0 2.121
77 0 1.856
83 0 1.246
90 0 1.567
97 0 1.342
104 0 2.071
109 0 1.964
EOD
$s2 << EOD
3 0 1.585
21 0 1.77
38 0 1.571
56 0 0.5135
69 0 2.216
EOD
$s3 << EOD
4 0 1.773
22 0 1.564
39 0 1.993
57 0 2.119
70 0 1.819
EOD
$s4 << EOD
5 0 1.849
23 0 1.706
40 0 2.026
58 0 1.981
71 0 2.062
EOD
$s5 << EOD
6 0 1.868
24 0 1.758
41 0 1.684
EOD
$s6 << EOD
7 0 1.538
25 0 1.901
42 0 1.864
EOD
$s7 << EOD
8 0 1.966
26 0 1.093
43 0 2.168
EOD
$s8 << EOD
9 0 2.193
27 0 1.244
44 0 1.701
EOD
$s9 << EOD
10 0 1.443
28 0 1.781
45 0 2.116
EOD
$s10 << EOD
11 0 1.953
29 0 1.254
46 0 2.463
EOD
$s11 << EOD
59 0 2.034
72 0 1.855
EOD
$s12 << EOD
12 0 1.789
30 0 1.731
47 0 1.962
60 0 1.939
73 0 1.878
78 0 1.377
84 0 1.587
91 0 1.908
98 0 1.789
105 0 1.933
110 0 1.881
EOD
$s13 << EOD
13 0 1.395
31 0 1.44
48 0 1.551
61 0 1.756
EOD
$s14 << EOD
14 0 1.907
49 0 1.709
62 0 1.501
79 0 0.9757
85 0 0.9901
92 0 1.014
99 0 0.8654
EOD
$s15 << EOD
15 0 0.9091
32 0 1.01
50 0 0.9698
63 0 0.9739
80 0 0.9575
86 0 1.032
93 0 0.9258
100 0 0.9753
106 0 0.9936
111 0 1.092
EOD
$s16 << EOD
16 0 1.608
33 0 1.75
51 0 1.877
64 0 2.38
74 0 1.993
87 0 0.5008
94 0 1.049
101 0 0.5747
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "threads-matrices.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(16384,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csbc(2048,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "threads-matrices.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(16384,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csbc(2048,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
