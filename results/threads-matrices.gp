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
set xrange [0:191]
unset xtics
set label "spmv" at first 12, graph 0 center offset 0, -1 font ",12"
set label "mattransmul" at first 35.5, graph 0 center offset 0, -1 font ",12"
set label "residual" at first 58, graph 0 center offset 0, -1 font ",12"
set label "spmm\nrank 16" at first 77, graph 0 center offset 0, -1 font ",12"
set label "sddmm\nrank 16" at first 90.5, graph 0 center offset 0, -1 font ",12"
set label "spgemm\nnew result" at first 99, graph 0 center offset 0, -1 font ",12"
set label "spgemm\nreused result" at first 103.5, graph 0 center offset 0, -1 font ",12"
set label "spadd\nnew result" at first 108.5, graph 0 center offset 0, -1 font ",12"
set label "spadd\nreused result" at first 113.5, graph 0 center offset 0, -1 font ",12"
set label "spadd3\nnew result" at first 118.5, graph 0 center offset 0, -1 font ",12"
set label "spadd3\nreused result" at first 123.5, graph 0 center offset 0, -1 font ",12"
set label "elmul\nnew result" at first 128.5, graph 0 center offset 0, -1 font ",12"
set label "elmul\nreused result" at first 133.5, graph 0 center offset 0, -1 font ",12"
set label "masked\nnew result" at first 137.5, graph 0 center offset 0, -1 font ",12"
set label "masked\nreused result" at first 141.5, graph 0 center offset 0, -1 font ",12"
set label "triangles" at first 146, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:csc\nkept source" at first 151.5, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:csc\nconsumed source" at first 156, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:coo\nkept source" at first 160, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:coo\nconsumed source" at first 164, graph 0 center offset 0, -1 font ",12"
set label "convert\ncoo:csr\nkept source" at first 168, graph 0 center offset 0, -1 font ",12"
set label "convert\ncoo:csr\nconsumed source" at first 172, graph 0 center offset 0, -1 font ",12"
set label "convert\nshuffled:csr\nkept source" at first 175.5, graph 0 center offset 0, -1 font ",12"
set label "convert\nshuffled:csr\nconsumed source" at first 179, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:bcsr(2,2)\nkept source" at first 182, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:bcsr(2,2)\nconsumed source" at first 184.5, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:bcsr(3,3)\nkept source" at first 187, graph 0 center offset 0, -1 font ",12"
set label "convert\ncsr:bcsr(3,3)\nconsumed source" at first 190, graph 0 center offset 0, -1 font ",12"
set arrow 1 from graph 0, first 2 to graph 1, first 2 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0 1.846
26 0 1.628
48 0 1.976
71 0 1.653
86 0 1.697
159 0 1.185
164 0 1.525
EOD
$s1 << EOD
2 0 1.848
27 0 1.783
49 0 1.911
72 0 1.697
87 0 2.011
98 0 1.089
103 0 1.965
107 0 0.8388
113 0 1.832
117 0 1.374
123 0 1.901
127 0 1.271
133 0 1.777
137 0 1.556
141 0 1.829
145 0 1.864
167 0 1.268
172 0 1.744
175 0 1.717
179 0 2.004
EOD
$s2 << EOD
3 0 1.452
28 0 1.578
50 0 1.315
EOD
$s3 << EOD
4 0 1.954
29 0 1.793
51 0 2.456
EOD
$s4 << EOD
5 0 1.863
30 0 1.731
52 0 2.175
187 0 1.682
190 0 1.697
EOD
$s5 << EOD
6 0 1.929
31 0 1.945
53 0 2.049
73 0 1.214
88 0 1.273
EOD
$s6 << EOD
7 0 1.885
32 0 1.847
54 0 1.976
74 0 1.626
89 0 1.913
EOD
$s7 << EOD
8 0 1.915
33 0 1.942
55 0 2.341
EOD
$s8 << EOD
9 0 1.954
34 0 1.974
56 0 1.994
75 0 1.838
EOD
$s9 << EOD
10 0 1.655
35 0 1.918
57 0 1.788
76 0 0.2164
90 0 1.846
EOD
$s10 << EOD
11 0 1.94
EOD
$s11 << EOD
12 0 1.568
36 0 1.924
58 0 1.581
77 0 0.4088
91 0 1.99
150 0 1.69
156 0 1.383
EOD
$s12 << EOD
13 0 1.924
37 0 1.904
59 0 1.915
92 0 1.695
EOD
$s13 << EOD
14 0 1.941
60 0 1.58
78 0 1.717
93 0 1.583
EOD
$s14 << EOD
15 0 1.812
38 0 1.854
61 0 2.095
EOD
$s15 << EOD
16 0 1.508
EOD
$s16 << EOD
17 0 1.589
39 0 1.749
62 0 1.342
EOD
$s17 << EOD
18 0 2.513
40 0 1.358
63 0 1.853
EOD
$s18 << EOD
41 0 2.139
EOD
$s19 << EOD
19 0 1.382
42 0 1.504
64 0 1.436
79 0 2.058
94 0 1.337
104 0 1.521
114 0 1.744
124 0 1.779
134 0 1.808
142 0 1.631
146 0 1.736
151 0 0.9349
EOD
$s20 << EOD
20 0 1.582
43 0 1.593
65 0 1.557
80 0 1.81
EOD
$s21 << EOD
21 0 1.728
66 0 1.727
81 0 1.464
99 0 1.444
108 0 0.9809
118 0 1.196
128 0 1.02
152 0 0.9582
EOD
$s22 << EOD
22 0 0.9895
44 0 1.022
67 0 1.029
82 0 0.9667
100 0 0.9782
109 0 1.021
119 0 0.8393
129 0 1.013
138 0 0.9762
147 0 1.03
153 0 1
160 0 1
168 0 1
176 0 1
182 0 1
EOD
$s23 << EOD
23 0 1.755
45 0 1.715
68 0 1.735
83 0 2.141
95 0 2.116
110 0 0.7201
120 0 0.961
130 0 0.7146
161 0 1
169 0 1
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "threads-matrices.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(8192,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "sell(8,80999)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "bcsrc(4,4)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "bcsc(3,3)", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s22 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s23 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "threads-matrices.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(8192,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "sell(8,80999)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "bcsrc(4,4)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "bcsc(3,3)", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s22 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s23 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
