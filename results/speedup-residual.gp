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
set yrange [0.4435:5.21]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.293
14 1 1.581
26 1 1.098
38 1 2.116
51 1 1.176
64 1 2.36
EOD
$s1 << EOD
2 1 2.32
52 1 2.202
EOD
$s2 << EOD
3 1 1.196
EOD
$s3 << EOD
4 1 1.197
EOD
$s4 << EOD
5 1 1.312
27 1 1.705
53 1 1.339
65 1 2
EOD
$s5 << EOD
6 1 1.308
15 1 1.574
28 1 1.145
39 1 2.47
54 1 1.193
66 1 2.331
EOD
$s6 << EOD
16 1 1.819
EOD
$s7 << EOD
17 1 1.643
29 1 1.445
40 1 3.099
EOD
$s8 << EOD
18 1 1.369
41 1 2.096
EOD
$s9 << EOD
30 0.9631 1
EOD
$s10 << EOD
42 1 3.482
EOD
$s11 << EOD
43 1 1.952
55 0.8989 1
67 1 1.678
EOD
$s12 << EOD
56 1 1.119
EOD
$s13 << EOD
68 1 4.168
EOD
$s14 << EOD
69 1 3.234
EOD
$s15 << EOD
7 0.9033 1
19 1 1.47
31 1 1.086
44 1 1.554
57 0.8397 1
70 1 1.545
EOD
$s16 << EOD
8 1 1.062
20 0.8557 1
32 0.64 1
45 1 1.52
58 0.9177 1
71 1 1.404
EOD
$s17 << EOD
9 1 1.181
21 1 1.409
33 1 1.045
46 1 2.141
59 1 1.014
72 1 2.137
EOD
$s18 << EOD
10 0.6478 1
22 0.8079 1
34 0.5723 1
47 1 1.025
60 0.5543 1
73 1 1.102
EOD
$s19 << EOD
11 1 1.211
23 1 1.655
35 1 1.244
48 1 1.66
61 1 1.128
74 1 2.7
EOD
$intervals << EOD
1 1.293 1.245 1.376
2 2.32 2.154 2.509
3 1.196 1.146 1.294
4 1.197 1.147 1.278
5 1.312 1.199 1.442
6 1.308 1.257 1.42
7 0.9033 0.8648 0.9341
8 1.062 1.022 1.133
9 1.181 1.11 1.257
10 0.6478 0.6131 0.7091
11 1.211 1.156 1.298
14 1.581 1.552 1.628
15 1.574 1.564 1.589
16 1.819 1.792 1.936
17 1.643 1.565 1.69
18 1.369 1.341 1.413
19 1.47 1.442 1.527
20 0.8557 0.8391 0.885
21 1.409 1.367 1.436
22 0.8079 0.7888 0.8306
23 1.655 1.6 1.699
26 1.098 1.077 1.129
27 1.705 1.644 1.75
28 1.145 1.094 1.195
29 1.445 1.411 1.481
30 0.9631 0.9337 1.003
31 1.086 1.039 1.12
32 0.64 0.6228 0.6565
33 1.045 1.015 1.072
34 0.5723 0.5617 0.5836
35 1.244 1.212 1.281
38 2.116 2.089 2.141
39 2.47 2.375 2.479
40 3.099 3.052 3.238
41 2.096 2.044 2.155
42 3.482 3.447 3.61
43 1.952 1.921 1.981
44 1.554 1.542 1.584
45 1.52 1.478 1.58
46 2.141 2.096 2.192
47 1.025 1.017 1.068
48 1.66 1.617 1.725
51 1.176 1.136 1.209
52 2.202 2.094 2.238
53 1.339 1.307 1.358
54 1.193 1.166 1.207
55 0.8989 0.88 0.9079
56 1.119 1.094 1.134
57 0.8397 0.8207 0.8453
58 0.9177 0.8979 0.9348
59 1.014 0.9956 1.028
60 0.5543 0.5408 0.5595
61 1.128 1.1 1.147
64 2.36 2.257 2.412
65 2 1.983 2.038
66 2.331 2.261 2.439
67 1.678 1.588 1.743
68 4.168 3.91 4.257
69 3.234 3.093 3.416
70 1.545 1.523 1.576
71 1.404 1.37 1.433
72 2.137 1.985 2.179
73 1.102 1.078 1.146
74 2.7 2.689 2.744
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-residual.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsrc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-residual.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsrc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
