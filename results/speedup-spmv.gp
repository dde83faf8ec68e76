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
set yrange [0.4185:8.306]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.373
14 1 1.546
26 0.9635 1
38 1 1.499
50 1 1.943
63 1 1.204
76 1 1.168
89 1 4.464
102 1 2.158
115 1 1.898
EOD
$s1 << EOD
2 1 2.544
64 1 2.182
77 1 3.274
90 1 6.645
EOD
$s2 << EOD
3 1 1.299
EOD
$s3 << EOD
4 1 1.384
103 1 1.465
EOD
$s4 << EOD
5 1 1.369
27 1 1.738
39 1 2.095
65 1 1.344
78 1 1.466
116 1 2.031
EOD
$s5 << EOD
6 1 1.376
15 1 1.552
28 0.9662 1
40 1 1.365
51 1 2.223
66 1 1.2
79 1 1.154
91 1 3.432
104 1 2.159
117 1 2.191
EOD
$s6 << EOD
16 1 2.332
EOD
$s7 << EOD
17 1 1.735
EOD
$s8 << EOD
18 1 1.409
41 0.8759 1
52 1 2.065
92 1 4.166
105 1 1.734
EOD
$s9 << EOD
29 1 1.431
EOD
$s10 << EOD
30 0.899 1
53 1 1.83
93 1 3.458
106 1 1.592
118 1 1.574
EOD
$s11 << EOD
42 1 1.786
67 1 1.158
EOD
$s12 << EOD
54 1 3.621
EOD
$s13 << EOD
55 1 2.485
EOD
$s14 << EOD
68 1 1.683
80 1 1.511
EOD
$s15 << EOD
81 1 1.093
EOD
$s16 << EOD
94 1 4.361
EOD
$s17 << EOD
107 1 1.933
EOD
$s18 << EOD
119 1 3.923
EOD
$s19 << EOD
7 1 1.017
19 0.9733 1
31 0.7951 1
43 0.9391 1
56 1 1.935
69 0.6929 1
82 0.6567 1
95 1 3.227
108 1 1.532
120 1 1.42
EOD
$s20 << EOD
8 1 1.141
20 0.5804 1
32 0.6092 1
44 0.7803 1
57 1 1.383
70 0.9761 1
83 0.9421 1
96 1 2.599
109 1 1.425
121 1 1.275
EOD
$s21 << EOD
9 1 1.218
21 1 1.415
33 0.9478 1
45 1 1.262
58 1 2.083
71 1 1.055
84 1 1.011
97 1 3.871
110 1 1.908
122 1 1.923
EOD
$s22 << EOD
10 0.6977 1
22 0.8065 1
34 0.5231 1
46 0.6737 1
59 1 1.027
72 0.6222 1
85 0.5698 1
98 1 2.158
111 1 1.002
123 1 1.13
EOD
$s23 << EOD
11 1 1.241
23 1 1.637
35 1 1.198
47 1 1.452
60 1 1.578
73 1 1.137
86 1 1.106
99 1 5.229
112 1 2.126
124 1 1.84
EOD
$intervals << EOD
1 1.373 1.298 1.422
2 2.544 2.446 2.636
3 1.299 1.26 1.344
4 1.384 1.341 1.428
5 1.369 1.317 1.464
6 1.376 1.314 1.403
7 1.017 0.376 1.106
8 1.141 1.1 1.184
9 1.218 1.112 1.246
10 0.6977 0.6709 0.7149
11 1.241 1.114 1.3
14 1.546 1.493 1.592
15 1.552 1.513 1.581
16 2.332 2.268 2.382
17 1.735 1.692 1.77
18 1.409 1.359 1.439
19 0.9733 0.6888 1.496
20 0.5804 0.4431 0.8867
21 1.415 1.397 1.455
22 0.8065 0.7732 0.8435
23 1.637 1.53 1.667
26 0.9635 0.9202 1.02
27 1.738 1.643 1.854
28 0.9662 0.9162 1.016
29 1.431 1.364 1.498
30 0.899 0.8606 0.9369
31 0.7951 0.5251 0.9656
32 0.6092 0.5242 0.6413
33 0.9478 0.896 0.9984
34 0.5231 0.5023 0.5447
35 1.198 1.061 1.256
38 1.499 1.449 1.766
39 2.095 1.858 2.448
40 1.365 1.261 1.481
41 0.8759 0.8286 1.075
42 1.786 1.694 1.952
43 0.9391 0.3819 1.394
44 0.7803 0.6776 0.8558
45 1.262 1.213 1.397
46 0.6737 0.6434 0.7378
47 1.452 1.397 1.597
50 1.943 1.935 2.018
51 2.223 2.178 2.258
52 2.065 1.988 2.099
53 1.83 1.803 1.877
54 3.621 3.482 3.77
55 2.485 2.444 2.595
56 1.935 1.85 2.059
57 1.383 1.344 1.468
58 2.083 1.982 2.128
59 1.027 1.002 1.049
60 1.578 1.544 1.638
63 1.204 1.152 1.266
64 2.182 2.113 2.276
65 1.344 1.277 1.393
66 1.2 1.152 1.242
67 1.158 1.131 1.193
68 1.683 1.578 1.763
69 0.6929 0.4151 0.9198
70 0.9761 0.9433 1.021
71 1.055 1.012 1.096
72 0.6222 0.6032 0.6528
73 1.137 1.106 1.213
76 1.168 1.112 1.198
77 3.274 3.151 3.508
78 1.466 1.393 1.913
79 1.154 1.121 1.194
80 1.511 1.463 1.571
81 1.093 1.063 1.109
82 0.6567 0.5559 0.8732
83 0.9421 0.9169 0.9621
84 1.011 0.9688 1.037
85 0.5698 0.5468 0.5824
86 1.106 1.083 1.125
89 4.464 4.288 4.52
90 6.645 6.38 6.809
91 3.432 3.295 3.623
92 4.166 3.924 4.356
93 3.458 2.959 3.527
94 4.361 4.09 4.431
95 3.227 1.794 3.573
96 2.599 2.56 2.641
97 3.871 3.614 3.988
98 2.158 2.126 2.223
99 5.229 5.103 5.345
102 2.158 2 2.255
103 1.465 1.394 1.693
104 2.159 2.092 2.2
105 1.734 1.584 1.864
106 1.592 1.524 1.665
107 1.933 1.829 2.17
108 1.532 1.4 1.634
109 1.425 1.206 1.479
110 1.908 1.659 2.024
111 1.002 0.8841 1.06
112 2.126 1.978 2.258
115 1.898 1.804 2.017
116 2.031 1.894 2.129
117 2.191 2.122 2.341
118 1.574 1.558 1.651
119 3.923 3.704 4.174
120 1.42 1.398 1.489
121 1.275 1.228 1.343
122 1.923 1.772 2.073
123 1.13 1.111 1.186
124 1.84 1.711 2.02
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
