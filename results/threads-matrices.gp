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
set title "Speed-up of 2 threads over 1, mean over matrices"
set ylabel "times as fast as 1 thread"
set yrange [0:*]
set xrange [0:190]
unset xtics
set label "spmv" at first 12.5, graph 0 center offset 0, -1 font ",12"
set label "mattransmul" at first 35, graph 0 center offset 0, -1 font ",12"
set label "residual" at first 55.5, graph 0 center offset 0, -1 font ",12"
set label "spmm\nrank 16" at first 74, graph 0 center offset 0, -1 font ",12"
set label "sddmm\nrank 16" at first 88, graph 0 center offset 0, -1 font ",12"
set label "spgemm\nnew result" at first 97, graph 0 center offset 0, -1 font ",12"
set label "spgemm\nreused result" at first 101.5, graph 0 center offset 0, -1 font ",12"
set label "spadd\nnew result" at first 106.5, graph 0 center offset 0, -1 font ",12"
set label "spadd\nreused result" at first 111.5, graph 0 center offset 0, -1 font ",12"
set label "spadd3\nnew result" at first 116.5, graph 0 center offset 0, -1 font ",12"
set label "spadd3\nreused result" at first 121.5, graph 0 center offset 0, -1 font ",12"
set label "elmul\nnew result" at first 126.5, graph 0 center offset 0, -1 font ",12"
set label "elmul\nreused result" at first 131.5, graph 0 center offset 0, -1 font ",12"
set label "masked\nnew result" at first 135.5, graph 0 center offset 0, -1 font ",12"
set label "masked\nreused result" at first 139.5, graph 0 center offset 0, -1 font ",12"
set label "triangles" at first 144, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:csc\nkept source" at first 149.5, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:csc\nconsumed source" at first 154, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:coo\nkept source" at first 158, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:coo\nconsumed source" at first 162, graph 0 center offset 0, -1 font ",12"
set label "convert\ncoo:csr\nkept source" at first 166, graph 0 center offset 0, -1 font ",12"
set label "convert\ncoo:csr\nconsumed source" at first 170, graph 0 center offset 0, -1 font ",12"
set label "convert\nshuffled:csr\nkept source" at first 173.5, graph 0 center offset 0, -1 font ",12"
set label "convert\nshuffled:csr\nconsumed source" at first 177, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:bcsr(2,2)\nkept source" at first 180, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:bcsr(2,2)\nconsumed source" at first 182.5, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:bcsr(3,3)\nkept source" at first 185.5, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:bcsr(3,3)\nconsumed source" at first 189, graph 0 center offset 0, -1 font ",12"
set arrow 1 from graph 0, first 2 to graph 1, first 2 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0 1.844
27 0 1.4
46 0 1.91
68 0 1.56
83 0 1.666
157 0 1.369
162 0 1.38
EOD
$s1 << EOD
2 0 1.746
28 0 1.571
47 0 1.852
69 0 1.59
84 0 2.051
96 0 1.16
101 0 2.001
105 0 1.275
111 0 1.811
115 0 1.35
121 0 1.942
125 0 1.097
131 0 1.692
135 0 1.738
139 0 1.82
143 0 1.87
165 0 1.34
170 0 1.669
173 0 1.784
177 0 1.766
EOD
$s2 << EOD
3 0 1.259
29 0 1.324
48 0 1.547
EOD
$s3 << EOD
4 0 2.542
49 0 1.859
EOD
$s4 << EOD
5 0 1.754
30 0 1.641
50 0 1.869
185 0 1.498
189 0 1.745
EOD
$s5 << EOD
6 0 1.851
31 0 1.708
51 0 2.014
70 0 0.9185
85 0 1.248
EOD
$s6 << EOD
7 0 1.777
32 0 1.82
52 0 1.841
71 0 1.389
86 0 1.876
EOD
$s7 << EOD
8 0 1.734
33 0 2.06
53 0 2.292
EOD
$s8 << EOD
9 0 1.815
34 0 2.036
54 0 2.123
72 0 1.85
87 0 1.956
EOD
$s9 << EOD
10 0 1.466
35 0 1.854
55 0 1.809
73 0 0.4963
88 0 1.811
EOD
$s10 << EOD
11 0 1.921
36 0 1.911
56 0 1.859
EOD
$s11 << EOD
12 0 1.613
37 0 1.819
57 0 1.795
74 0 0.5217
89 0 1.942
148 0 1.662
154 0 1.059
EOD
$s12 << EOD
13 0 2.1
38 0 1.834
58 0 1.83
90 0 1.629
EOD
$s13 << EOD
14 0 1.779
39 0 1.944
59 0 1.78
EOD
$s14 << EOD
15 0 1.838
EOD
$s15 << EOD
16 0 1.813
60 0 1.806
EOD
$s16 << EOD
17 0 1.801
EOD
$s17 << EOD
18 0 1.263
EOD
$s18 << EOD
19 0 1.809
75 0 1.126
91 0 1.515
EOD
$s19 << EOD
20 0 1.419
40 0 1.351
61 0 1.418
76 0 1.685
92 0 1.113
102 0 1.607
112 0 1.581
122 0 1.779
132 0 1.802
140 0 1.607
144 0 1.7
149 0 1.232
EOD
$s20 << EOD
21 0 1.569
41 0 1.541
62 0 1.429
77 0 1.8
EOD
$s21 << EOD
22 0 1.581
63 0 1.649
78 0 1.545
97 0 1.06
106 0 0.9761
116 0 0.9751
126 0 0.9988
150 0 1.014
EOD
$s22 << EOD
23 0 1.034
42 0 1.016
64 0 0.9858
79 0 1.023
98 0 0.9834
107 0 0.9643
117 0 0.816
127 0 1.007
136 0 1.252
145 0 1.082
151 0 1
158 0 1
166 0 1
174 0 1
180 0 1
186 0 1
EOD
$s23 << EOD
24 0 1.623
43 0 1.664
65 0 1.719
80 0 2.058
93 0 2.093
108 0 0.8658
118 0 1.05
128 0 0.6807
159 0 1
167 0 1
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "threads-matrices.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(8192,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "csbc(16384,32768)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "hicoo(128)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csbc(32768,32768)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "sell(8,80999)", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsrc(2,2)", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s22 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s23 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "threads-matrices.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(8192,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "csbc(16384,32768)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "hicoo(128)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csbc(32768,32768)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "sell(8,80999)", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsrc(2,2)", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s22 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s23 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
