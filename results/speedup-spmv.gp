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
set yrange [0.4387:5.52]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.357
14 1 2.003
26 1 1.106
38 1 1.576
50 1 2.047
63 1 1.208
76 1 1.122
89 1 3.748
102 1 2.548
115 1 1.722
EOD
$s1 << EOD
2 1 2.341
64 1 2.904
77 1 3.011
90 1 4.416
EOD
$s2 << EOD
3 1 1.188
EOD
$s3 << EOD
4 1 1.268
103 1 1.739
EOD
$s4 << EOD
5 1 1.213
27 1 1.776
39 1 2.034
65 1 1.472
78 1 1.388
116 1 2.121
EOD
$s5 << EOD
6 1 1.334
15 1 1.936
28 1 1.132
40 1 1.458
51 1 2.323
66 1 1.223
79 1 1.11
91 1 3.368
104 1 2.505
117 1 2.372
EOD
$s6 << EOD
16 1 2.535
EOD
$s7 << EOD
17 1 1.709
52 1 3.192
EOD
$s8 << EOD
18 1 1.357
53 1 2.135
92 1 3.748
105 1 1.848
EOD
$s9 << EOD
29 1 1.431
80 1 1.098
EOD
$s10 << EOD
30 0.9528 1
54 1 1.884
67 0.881 1
81 0.9231 1
93 1 3.392
106 1 1.882
118 1 1.675
EOD
$s11 << EOD
41 1 1.97
68 1 1.073
EOD
$s12 << EOD
42 0.9227 1
107 1 2.429
EOD
$s13 << EOD
55 1 3.597
EOD
$s14 << EOD
94 1 3.844
EOD
$s15 << EOD
119 1 4.289
EOD
$s16 << EOD
120 1 3.602
EOD
$s17 << EOD
7 0.9682 1
19 1 1.591
31 0.9734 1
43 1 1.617
56 1 1.921
69 0.939 1
82 0.9745 1
95 1 2.541
108 1 1.985
121 1 1.649
EOD
$s18 << EOD
8 1 1.099
20 0.8232 1
32 0.6556 1
44 0.8774 1
57 1 1.488
70 0.9477 1
83 0.927 1
96 1 2.692
109 1 1.481
122 1 1.41
EOD
$s19 << EOD
9 1 1.264
21 1 1.442
33 1 1.091
45 1 1.45
58 1 2.118
71 0.9796 1
84 0.9954 1
97 1 3.612
110 1 2.208
123 1 2.092
EOD
$s20 << EOD
10 0.6585 1
22 0.755 1
34 0.5904 1
46 0.8281 1
59 1 1.066
72 0.5547 1
85 0.5484 1
98 1 2.261
111 1 1.09
124 1 1.151
EOD
$s21 << EOD
11 1 1.302
23 1 1.515
35 1 1.294
47 1 1.769
60 1 1.648
73 1 1.178
86 1 1.106
99 1 3.835
112 1 2.239
125 1 2.656
EOD
$intervals << EOD
1 1.357 1.269 1.407
2 2.341 2.188 2.464
3 1.188 1.149 1.234
4 1.268 1.229 1.311
5 1.213 1.16 1.28
6 1.334 1.287 1.397
7 0.9682 0.9269 1.004
8 1.099 1.064 1.14
9 1.264 1.2 1.307
10 0.6585 0.6389 0.6813
11 1.302 1.25 1.351
14 2.003 1.917 2.201
15 1.936 1.777 2.028
16 2.535 2.447 2.589
17 1.709 1.641 1.796
18 1.357 1.286 1.413
19 1.591 1.537 1.775
20 0.8232 0.7922 0.8315
21 1.442 1.284 1.525
22 0.755 0.7065 0.7611
23 1.515 1.462 1.534
26 1.106 1.052 1.126
27 1.776 1.68 1.834
28 1.132 1.056 1.157
29 1.431 1.366 1.461
30 0.9528 0.8986 0.9738
31 0.9734 0.926 1.023
32 0.6556 0.6162 0.6702
33 1.091 1.027 1.115
34 0.5904 0.5522 0.6037
35 1.294 1.212 1.318
38 1.576 1.443 1.728
39 2.034 1.772 2.32
40 1.458 1.305 1.798
41 1.97 1.663 2.314
42 0.9227 0.8805 1.092
43 1.617 1.26 1.838
44 0.8774 0.8487 0.9912
45 1.45 1.301 1.628
46 0.8281 0.7845 0.9338
47 1.769 1.703 2.008
50 2.047 1.939 2.114
51 2.323 2.199 2.412
52 3.192 3.025 3.317
53 2.135 1.935 2.208
54 1.884 1.807 1.946
55 3.597 3.438 3.79
56 1.921 1.847 2.004
57 1.488 1.426 1.544
58 2.118 2.031 2.222
59 1.066 1.003 1.109
60 1.648 1.594 1.702
63 1.208 1.195 1.243
64 2.904 2.755 3.009
65 1.472 1.399 1.527
66 1.223 1.196 1.253
67 0.881 0.8631 0.9138
68 1.073 1.06 1.111
69 0.939 0.9154 0.9755
70 0.9477 0.8781 0.9844
71 0.9796 0.9589 1.034
72 0.5547 0.5133 0.5769
73 1.178 1.151 1.229
76 1.122 1.066 1.166
77 3.011 2.602 3.411
78 1.388 1.294 1.491
79 1.11 1.038 1.142
80 1.098 1.059 1.162
81 0.9231 0.8937 0.9544
82 0.9745 0.9168 1.021
83 0.927 0.8755 0.9595
84 0.9954 0.9535 1.039
85 0.5484 0.5326 0.5583
86 1.106 1.07 1.129
89 3.748 3.686 3.975
90 4.416 4.294 4.632
91 3.368 2.862 3.524
92 3.748 3.519 4.118
93 3.392 3.332 3.532
94 3.844 3.64 4.149
95 2.541 2.485 2.793
96 2.692 2.531 2.793
97 3.612 3.555 3.896
98 2.261 2.18 2.339
99 3.835 3.737 4.003
102 2.548 2.45 2.761
103 1.739 1.722 1.835
104 2.505 2.478 2.625
105 1.848 1.801 1.92
106 1.882 1.806 1.957
107 2.429 2.363 2.59
108 1.985 1.896 2.147
109 1.481 1.419 1.551
110 2.208 2.082 2.336
111 1.09 1.074 1.144
112 2.239 2.179 2.406
115 1.722 1.667 1.883
116 2.121 2.065 2.352
117 2.372 2.253 2.557
118 1.675 1.629 1.862
119 4.289 4.142 4.78
120 3.602 3.527 3.884
121 1.649 1.624 1.757
122 1.41 1.335 1.55
123 2.092 2.007 2.256
124 1.151 1.109 1.27
125 2.656 2.279 2.966
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
