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
set key at screen 0.5, screen 0.015 center bottom maxrows 7 Left reverse samplen 1.5
set bmargin 11.9
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: residual, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:75]
unset xtics
set label "banded\n500k\nwidth 7" at first 6, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 18.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n500k\n4M" at first 30.5, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 17" at first 43, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 56, graph 0 center offset 0, -1 font ",12"
set label "block\n200k\nblock 4" at first 69, graph 0 center offset 0, -1 font ",12"
set yrange [0.3483:4.265]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.244
14 1 1.762
26 0.7252 1
38 1 2.015
51 1 1.171
64 1 2.063
EOD
$s1 << EOD
2 1 2.167
52 1 2.144
EOD
$s2 << EOD
3 1 1.245
EOD
$s3 << EOD
4 1 1.269
EOD
$s4 << EOD
5 1 1.197
27 1 1.316
53 1 1.28
65 1 1.82
EOD
$s5 << EOD
6 1 1.273
15 1 1.739
28 0.7615 1
39 1 2.31
54 1 1.169
66 1 2.205
EOD
$s6 << EOD
16 1 2.02
EOD
$s7 << EOD
17 1 1.632
29 1 1.078
67 1 1.253
EOD
$s8 << EOD
18 1 1.332
40 1 2.001
EOD
$s9 << EOD
30 0.6919 1
41 1 1.821
EOD
$s10 << EOD
42 1 3.412
EOD
$s11 << EOD
43 1 2.691
EOD
$s12 << EOD
55 1 1.115
EOD
$s13 << EOD
56 1 1.567
EOD
$s14 << EOD
68 1 3.404
EOD
$s15 << EOD
69 1 3.003
EOD
$s16 << EOD
7 0.8217 1
19 0.9037 1
31 0.5198 1
44 1 1.693
57 0.6208 1
70 1 1.401
EOD
$s17 << EOD
8 1 1.089
20 0.7444 1
32 0.4709 1
45 1 1.386
58 0.9587 1
71 1 1.234
EOD
$s18 << EOD
9 1 1.176
21 1 1.218
33 0.7881 1
46 1 2
59 1 1.002
72 1 1.923
EOD
$s19 << EOD
10 0.6821 1
22 0.9612 1
34 0.4353 1
47 1 1.035
60 0.5903 1
73 1 1.108
EOD
$s20 << EOD
11 1 1.11
23 1 1.462
35 0.9463 1
48 1 1.545
61 1 1.107
74 1 1.911
EOD
$intervals << EOD
1 1.244 1.123 1.27
2 2.167 1.811 2.999
3 1.245 1.124 1.29
4 1.269 1.147 1.283
5 1.197 1.114 1.37
6 1.273 1.128 1.352
7 0.8217 0.3326 0.8554
8 1.089 1.01 1.107
9 1.176 1.084 1.181
10 0.6821 0.6156 0.6915
11 1.11 1.009 1.151
14 1.762 1.583 1.841
15 1.739 1.623 1.865
16 2.02 1.954 2.219
17 1.632 1.612 1.755
18 1.332 1.25 1.462
19 0.9037 0.8013 1.364
20 0.7444 0.7062 0.8204
21 1.218 1.178 1.332
22 0.9612 0.9244 1.013
23 1.462 1.442 1.619
26 0.7252 0.6975 0.9489
27 1.316 1.243 1.771
28 0.7615 0.6672 1.086
29 1.078 1.013 1.448
30 0.6919 0.6542 0.9459
31 0.5198 0.4298 0.7197
32 0.4709 0.4519 0.6182
33 0.7881 0.75 1.057
34 0.4353 0.4129 0.5853
35 0.9463 0.8937 1.267
38 2.015 1.954 2.043
39 2.31 2.248 2.339
40 2.001 1.914 2.064
41 1.821 1.786 1.935
42 3.412 3.251 3.491
43 2.691 2.65 2.736
44 1.693 1.633 1.725
45 1.386 1.368 1.429
46 2 1.976 2.032
47 1.035 1.004 1.041
48 1.545 1.515 1.577
51 1.171 1.128 1.219
52 2.144 1.972 2.219
53 1.28 1.196 1.314
54 1.169 1.081 1.235
55 1.115 1.073 1.16
56 1.567 1.494 1.613
57 0.6208 0.4222 0.679
58 0.9587 0.9189 0.9856
59 1.002 0.9463 1.037
60 0.5903 0.562 0.606
61 1.107 1.072 1.157
64 2.063 1.88 2.212
65 1.82 1.787 1.877
66 2.205 2.057 2.252
67 1.253 1.19 1.276
68 3.404 3.25 3.677
69 3.003 2.785 3.114
70 1.401 1.251 1.48
71 1.234 1.212 1.3
72 1.923 1.728 1.978
73 1.108 1.077 1.117
74 1.911 1.83 2.146
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-residual.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(8192,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-residual.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(8192,32768)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
