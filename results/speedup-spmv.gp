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
set xrange [0:125]
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
set label "block\n200k\nblock 4" at first 119.5, graph 0 center offset 0, -1 font ",12"
set yrange [0.3327:4.261]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.486
14 1 1.745
26 0.7395 1
38 1 1.57
50 1 1.875
63 1 1.104
76 1 1.162
89 1 2.772
102 1 1.978
115 1 1.881
EOD
$s1 << EOD
2 1 2.41
64 1 2.053
77 1 2.059
90 1 3.12
EOD
$s2 << EOD
3 1 1.447
EOD
$s3 << EOD
4 1 1.57
103 1 1.384
EOD
$s4 << EOD
5 1 1.329
27 1 1.368
39 1 1.902
65 1 1.294
78 1 1.219
116 1 1.757
EOD
$s5 << EOD
6 1 1.377
15 1 1.704
28 0.7584 1
40 1 1.292
51 1 2.201
66 1 1.039
79 1 1.228
91 1 2.803
104 1 2.04
117 1 2.078
EOD
$s6 << EOD
16 1 2.477
EOD
$s7 << EOD
17 1 1.69
EOD
$s8 << EOD
18 1 1.48
41 0.6727 1
52 1 1.923
92 1 2.89
105 1 1.553
EOD
$s9 << EOD
29 1 1.051
EOD
$s10 << EOD
30 0.6605 1
53 1 1.697
93 1 2.867
106 1 1.536
118 1 1.597
EOD
$s11 << EOD
42 1 1.696
67 1 1.182
EOD
$s12 << EOD
54 1 3.409
EOD
$s13 << EOD
55 1 2.554
EOD
$s14 << EOD
68 1 1.532
80 1 1.764
EOD
$s15 << EOD
81 1 1.224
EOD
$s16 << EOD
94 1 2.867
EOD
$s17 << EOD
107 1 1.927
EOD
$s18 << EOD
119 1 2.677
EOD
$s19 << EOD
7 0.9459 1
19 1 1.074
31 0.6113 1
43 1 1.479
56 1 1.702
69 0.7587 1
82 0.9425 1
95 1 1.796
108 1 1.451
120 1 1.18
EOD
$s20 << EOD
8 1 1.143
20 0.7863 1
32 0.4401 1
44 0.7833 1
57 1 1.273
70 1 1.031
83 1 1.1
96 1 2.54
109 1 1.119
121 1 1.342
EOD
$s21 << EOD
9 1 1.238
21 1 1.426
33 0.713 1
45 1 1.382
58 1 1.929
71 1 1.046
84 1 1.156
97 1 2.886
110 1 1.518
122 1 1.542
EOD
$s22 << EOD
10 0.7475 1
22 0.8689 1
34 0.4159 1
46 0.8598 1
59 1 1.044
72 0.6146 1
85 0.6744 1
98 1 1.984
111 0.7498 1
123 1 1.183
EOD
$s23 << EOD
11 1 1.26
23 1 1.671
35 0.9294 1
47 1 1.63
60 1 1.483
73 1 1.088
86 1 1.105
99 1 2.903
112 1 1.882
124 1 1.879
EOD
$intervals << EOD
1 1.486 1.184 1.648
2 2.41 2.104 2.683
3 1.447 1.281 1.668
4 1.57 1.382 1.773
5 1.329 1.14 1.559
6 1.377 1.207 1.55
7 0.9459 0.782 1.104
8 1.143 0.9305 1.289
9 1.238 1.077 1.475
10 0.7475 0.6397 0.8519
11 1.26 1.093 1.449
14 1.745 1.527 1.888
15 1.704 1.125 1.805
16 2.477 1.778 2.86
17 1.69 1.435 1.948
18 1.48 1.162 1.563
19 1.074 0.8767 1.634
20 0.7863 0.6954 0.8958
21 1.426 1.109 1.498
22 0.8689 0.7708 0.9209
23 1.671 1.42 1.824
26 0.7395 0.7063 0.7886
27 1.368 1.308 1.496
28 0.7584 0.7043 0.8161
29 1.051 1.002 1.127
30 0.6605 0.624 0.7064
31 0.6113 0.4783 0.7101
32 0.4401 0.419 0.4705
33 0.713 0.6619 0.7715
34 0.4159 0.3943 0.4415
35 0.9294 0.8877 0.9967
38 1.57 1.459 1.656
39 1.902 1.735 2.21
40 1.292 1.211 1.345
41 0.6727 0.638 0.9258
42 1.696 1.578 1.744
43 1.479 1.394 1.563
44 0.7833 0.732 0.7888
45 1.382 1.234 1.428
46 0.8598 0.7926 0.8884
47 1.63 1.38 1.705
50 1.875 1.736 1.902
51 2.201 1.893 2.321
52 1.923 1.846 1.962
53 1.697 1.548 1.781
54 3.409 2.96 3.45
55 2.554 2.43 2.584
56 1.702 1.438 1.807
57 1.273 1.221 1.393
58 1.929 1.756 1.955
59 1.044 1.006 1.059
60 1.483 1.398 1.601
63 1.104 1.003 1.228
64 2.053 1.806 2.212
65 1.294 1.164 1.364
66 1.039 0.8828 1.227
67 1.182 1.129 1.215
68 1.532 1.44 1.721
69 0.7587 0.6552 0.9163
70 1.031 0.9028 1.08
71 1.046 0.9323 1.128
72 0.6146 0.5852 0.6539
73 1.088 1.019 1.149
76 1.162 1.07 1.323
77 2.059 1.661 2.458
78 1.219 1.067 1.318
79 1.228 1.081 1.334
80 1.764 1.534 1.812
81 1.224 1.087 1.325
82 0.9425 0.7965 1.034
83 1.1 0.9541 1.185
84 1.156 1.014 1.216
85 0.6744 0.6137 0.7142
86 1.105 1.039 1.199
89 2.772 2.156 3.098
90 3.12 3.01 4.083
91 2.803 2.681 3.122
92 2.89 2.419 3.069
93 2.867 2.659 3.071
94 2.867 2.685 3.43
95 1.796 1.093 2.172
96 2.54 2.333 2.632
97 2.886 2.298 3.196
98 1.984 1.92 2.077
99 2.903 2.467 3.231
102 1.978 1.733 2.088
103 1.384 1.312 1.493
104 2.04 1.81 2.235
105 1.553 1.415 1.701
106 1.536 1.434 1.623
107 1.927 1.627 2.06
108 1.451 1.216 1.812
109 1.119 1.065 1.214
110 1.518 1.359 1.616
111 0.7498 0.7141 0.9586
112 1.882 1.636 2.061
115 1.881 1.681 2.103
116 1.757 1.478 1.98
117 2.078 1.796 2.33
118 1.597 1.416 1.747
119 2.677 2.183 3.299
120 1.18 0.4514 1.409
121 1.342 1.23 1.448
122 1.542 1.386 2.06
123 1.183 1.072 1.265
124 1.879 1.607 1.997
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmv.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(8192,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(65536,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csbc(16384,32768)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "hicoo(128)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "csbc(32768,32768)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "sell(8,80999)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "bcsrc(2,2)", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsrc(4,4)", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s22 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s23 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmv.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(8192,32768)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(65536,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csbc(16384,32768)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "hicoo(128)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "csbc(32768,32768)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "sell(8,80999)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "bcsrc(2,2)", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsrc(4,4)", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s22 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s23 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
