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
set bmargin 14
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: spmv, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:126]
unset xtics
set label "banded\n500k\nwidth 7" at first 6, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 18.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n500k\n4M" at first 30.5, graph 0 center offset 0, -1 font ",12"
set label "power-law\n1M\n8M" at first 42.5, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 17" at first 55, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 68, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 100x100x100" at first 81, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 30x30x30\npoints 27\nunknowns 3, cut 1" at first 94, graph 0 center offset 0, -1 font ",12"
set label "arrow\n200k\nwidth 7" at first 107, graph 0 center offset 0, -1 font ",12"
set label "block\n200k\nblock 4" at first 120, graph 0 center offset 0, -1 font ",12"
set yrange [0.3459:5.147]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.321
14 1 1.589
26 0.9896 1
38 1 1.535
50 1 2.199
63 1 1.218
76 1 1.193
89 1 3.37
102 1 2.244
115 1 1.984
EOD
$s1 << EOD
2 1 2.61
64 1 2.291
77 1 2.424
90 1 4.117
EOD
$s2 << EOD
3 1 1.215
EOD
$s3 << EOD
4 1 1.305
103 1 1.622
EOD
$s4 << EOD
5 1 1.351
27 1 1.672
39 1 1.982
65 1 1.398
78 1 1.549
116 1 1.967
EOD
$s5 << EOD
6 1 1.335
15 1 1.62
28 0.9528 1
40 1 1.54
51 1 2.235
66 1 1.181
79 1 1.172
91 1 3.532
104 1 2.186
117 1 2.25
EOD
$s6 << EOD
16 1 2.448
EOD
$s7 << EOD
17 1 1.759
52 1 3.162
EOD
$s8 << EOD
18 1 1.447
53 1 2.054
92 1 3.529
105 1 1.694
EOD
$s9 << EOD
29 1 1.352
80 1 1.194
EOD
$s10 << EOD
30 0.8306 1
54 1 1.883
67 0.8896 1
81 0.9332 1
93 1 3.365
106 1 1.793
118 1 1.623
EOD
$s11 << EOD
41 1 1.989
68 1 1.13
EOD
$s12 << EOD
42 0.9597 1
107 1 2.103
EOD
$s13 << EOD
55 1 3.652
EOD
$s14 << EOD
94 1 3.678
EOD
$s15 << EOD
119 1 3.566
EOD
$s16 << EOD
120 1 3.699
EOD
$s17 << EOD
7 1 1.061
19 1 1.228
31 0.6584 1
43 1 1.535
56 1 1.94
69 0.4324 1
82 0.7544 1
95 1 2.494
108 1 1.845
121 1 1.489
EOD
$s18 << EOD
8 1 1.088
20 0.8847 1
32 0.5628 1
44 0.8759 1
57 1 1.441
70 0.971 1
83 1 1.005
96 1 2.693
109 1 1.379
122 1 1.176
EOD
$s19 << EOD
9 1 1.164
21 1 1.41
33 0.9009 1
45 1 1.46
58 1 2.123
71 1 1.036
84 1 1.079
97 1 3.318
110 1 1.913
123 1 2.111
EOD
$s20 << EOD
10 0.6421 1
22 0.8436 1
34 0.497 1
46 0.8787 1
59 1 1.047
72 0.619 1
85 0.5856 1
98 1 1.957
111 1 1.026
124 1 1.137
EOD
$s21 << EOD
11 1 1.207
23 1 1.83
35 1 1.167
47 1 1.758
60 1 1.614
73 1 1.11
86 1 1.106
99 1 3.605
112 1 2.16
125 1 2.06
EOD
$intervals << EOD
1 1.321 1.289 1.364
2 2.61 2.524 2.672
3 1.215 1.186 1.244
4 1.305 1.267 1.35
5 1.351 1.292 1.401
6 1.335 1.29 1.364
7 1.061 0.9907 1.128
8 1.088 1.059 1.118
9 1.164 1.14 1.203
10 0.6421 0.6286 0.6603
11 1.207 1.158 1.251
14 1.589 1.561 1.613
15 1.62 1.593 1.666
16 2.448 2.426 2.498
17 1.759 1.741 1.786
18 1.447 1.429 1.462
19 1.228 0.7573 1.642
20 0.8847 0.8001 0.9256
21 1.41 1.383 1.439
22 0.8436 0.7963 0.9086
23 1.83 1.692 2.008
26 0.9896 0.9749 1.03
27 1.672 1.635 1.725
28 0.9528 0.9154 1.004
29 1.352 1.3 1.386
30 0.8306 0.8118 0.8599
31 0.6584 0.5335 0.6897
32 0.5628 0.5515 0.5795
33 0.9009 0.8737 0.9432
34 0.497 0.4914 0.5146
35 1.167 1.115 1.213
38 1.535 1.505 1.563
39 1.982 1.915 2.036
40 1.54 1.522 1.58
41 1.989 1.979 2.01
42 0.9597 0.943 0.9726
43 1.535 1.521 1.564
44 0.8759 0.8643 0.8871
45 1.46 1.422 1.468
46 0.8787 0.8672 0.9113
47 1.758 1.439 1.91
50 2.199 2.183 2.23
51 2.235 2.196 2.278
52 3.162 3 3.177
53 2.054 1.998 2.101
54 1.883 1.831 1.929
55 3.652 3.427 3.739
56 1.94 1.87 1.951
57 1.441 1.395 1.468
58 2.123 2.053 2.133
59 1.047 1.025 1.06
60 1.614 1.583 1.624
63 1.218 1.186 1.233
64 2.291 2.193 2.317
65 1.398 1.333 1.411
66 1.181 1.144 1.219
67 0.8896 0.8636 0.9
68 1.13 1.096 1.142
69 0.4324 0.3898 0.9333
70 0.971 0.934 0.9832
71 1.036 0.9914 1.043
72 0.619 0.6029 0.6241
73 1.11 1.064 1.123
76 1.193 1.173 1.217
77 2.424 2.345 2.48
78 1.549 1.477 1.594
79 1.172 1.148 1.201
80 1.194 1.173 1.225
81 0.9332 0.9229 0.9587
82 0.7544 0.6115 0.962
83 1.005 0.9881 1.035
84 1.079 1.04 1.107
85 0.5856 0.5673 0.597
86 1.106 1.094 1.138
89 3.37 3.02 3.544
90 4.117 3.865 4.811
91 3.532 2.773 4.167
92 3.529 2.698 4.141
93 3.365 2.351 3.579
94 3.678 3.445 4.213
95 2.494 1.145 2.591
96 2.693 2.294 3.23
97 3.318 2.932 3.915
98 1.957 1.315 2.332
99 3.605 3.026 4.175
102 2.244 1.999 2.307
103 1.622 1.361 1.699
104 2.186 2.055 2.223
105 1.694 1.577 1.759
106 1.793 1.608 1.836
107 2.103 1.961 2.161
108 1.845 1.519 1.942
109 1.379 1.196 1.471
110 1.913 1.676 2.006
111 1.026 0.9717 1.086
112 2.16 2.074 2.228
115 1.984 1.594 2.433
116 1.967 1.592 2.493
117 2.25 2.122 2.86
118 1.623 1.21 2.016
119 3.566 3.389 4.482
120 3.699 3.465 4.602
121 1.489 1.377 1.882
122 1.176 0.9334 1.447
123 2.111 1.898 2.584
124 1.137 1.077 1.431
125 2.06 1.958 2.747
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmv.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(8192,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(65536,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "sell(8,80999)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmv.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(8192,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(65536,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "sell(8,80999)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
