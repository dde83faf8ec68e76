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
set title "Storage of matrices"
set ylabel "bytes per entry"
set yrange [0:*]
set xrange [0:129]
unset xtics
set label "banded\n500k\nwidth 7" at first 7, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 21.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n500k\n4M" at first 35.5, graph 0 center offset 0, -1 font ",12"
set label "block\n200k\nblock 4" at first 50.5, graph 0 center offset 0, -1 font ",12"
set label "banded\n200k\nwidth 5" at first 65, graph 0 center offset 0, -1 font ",12"
set label "power-law\n200k\n1M" at first 78, graph 0 center offset 0, -1 font ",12"
set label "uniform\n200k\n1M" at first 91, graph 0 center offset 0, -1 font ",12"
set label "power-law\n100k\n600k" at first 100.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n200k\n3.16M" at first 106.5, graph 0 center offset 0, -1 font ",12"
set label "power-law\n100k\n1.9M" at first 112.5, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.6" at first 119, graph 0 center offset 0, -1 font ",12"
set label "banded\n500k\nwidth 9" at first 126, graph 0 center offset 0, -1 font ",12"
$s0 << EOD
1 0 16
16 0 16
30 0 16
44 0 16
60 0 16
73 0 16
86 0 16
EOD
$s1 << EOD
2 0 12.57
17 0 12.5
31 0 12.5
45 0 12.2
61 0 12.8
74 0 12.8
87 0 12.8
99 0 12.67
105 0 12.25
111 0 12.21
117 0 12.5
124 0 12.44
EOD
$s2 << EOD
3 0 12.57
18 0 12.5
32 0 12.5
46 0 12.2
62 0 12.8
75 0 12.8
88 0 12.8
EOD
$s3 << EOD
4 0 13.14
19 0 13
33 0 13
47 0 12.4
63 0 13.6
76 0 13.6
89 0 13.6
EOD
$s4 << EOD
5 0 10.03
20 0 16.24
34 0 17.04
48 0 10.48
64 0 10.04
77 0 15.74
90 0 16.57
EOD
$s5 << EOD
6 0 12
21 0 12
35 0 12
EOD
$s6 << EOD
7 0 12.64
36 0 12.56
49 0 12.23
EOD
$s7 << EOD
8 0 8.02
EOD
$s8 << EOD
22 0 13.57
EOD
$s9 << EOD
50 0 12
EOD
$s10 << EOD
51 0 8.175
EOD
$s11 << EOD
52 0 8.175
EOD
$s12 << EOD
65 0 12
78 0 12
91 0 12
EOD
$s13 << EOD
9 0 17.14
23 0 17
37 0 17
53 0 16.4
66 0 17.6
79 0 17.6
92 0 17.6
100 0 17.33
106 0 16.51
112 0 16.42
118 0 17
125 0 16.89
EOD
$s14 << EOD
10 0 12.57
24 0 12.5
38 0 12.5
54 0 12.2
67 0 10.8
80 0 13.38
93 0 12.8
EOD
$s15 << EOD
11 0 12.57
25 0 12.5
39 0 12.5
55 0 12.2
68 0 12.8
81 0 12.8
94 0 12.8
101 0 12.67
107 0 12.25
113 0 12.21
119 0 12.5
126 0 12.44
EOD
$s16 << EOD
12 0 12.57
26 0 12.5
40 0 12.5
56 0 12.2
69 0 12.8
82 0 12.8
95 0 12.8
102 0 12.67
108 0 12.25
114 0 12.21
120 0 12.5
127 0 12.44
EOD
$s17 << EOD
13 0 12.57
27 0 12.5
41 0 12.5
57 0 12.2
70 0 12.8
83 0 12.8
96 0 12.8
121 0 25
128 0 24.89
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "storage-matrices.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(16384,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "bcsrc(4,4)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "csbc(2048,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "storage-matrices.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(16384,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "bcsrc(4,4)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "csbc(2048,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
