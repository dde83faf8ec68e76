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
set title "Speed-up: mattransmul, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:78]
unset xtics
set label "banded\n500k\nwidth 7" at first 6.5, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 19.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n500k\n4M" at first 32, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 17" at first 45, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 58, graph 0 center offset 0, -1 font ",12"
set label "block\n200k\nblock 4" at first 71.5, graph 0 center offset 0, -1 font ",12"
set yrange [0.3898:3.177]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.257
15 1 1.49
27 1 1.456
40 0.9884 1
53 1 1.085
66 1 1.474
EOD
$s1 << EOD
2 1 2.34
54 1 2.509
EOD
$s2 << EOD
3 1 1.49
EOD
$s3 << EOD
4 1 1.434
EOD
$s4 << EOD
5 1 1.401
28 1 1.997
55 1 1.633
67 1 1.47
EOD
$s5 << EOD
6 1 1.541
16 1 1.012
29 1 1.13
41 1 1.01
56 1 1.521
68 1 1.595
EOD
$s6 << EOD
7 1 1.453
EOD
$s7 << EOD
17 1 1.738
EOD
$s8 << EOD
18 1 1.259
30 1 1.661
42 1 1.572
EOD
$s9 << EOD
19 1 1.045
31 1 1.143
43 1 1.11
57 1 1.483
69 1 1.614
EOD
$s10 << EOD
32 1 1.441
44 0.9895 1
EOD
$s11 << EOD
45 1 1.726
EOD
$s12 << EOD
58 1 1.508
EOD
$s13 << EOD
70 1 2.542
EOD
$s14 << EOD
71 1 2.407
EOD
$s15 << EOD
72 1 1.889
EOD
$s16 << EOD
8 0.9753 1
20 0.7102 1
33 0.7972 1
46 0.8379 1
59 0.7702 1
73 0.9011 1
EOD
$s17 << EOD
9 1 1.161
21 0.6597 1
34 0.6694 1
47 0.6382 1
60 1 1.183
74 1 1.039
EOD
$s18 << EOD
10 1 1.354
22 0.9936 1
35 1 1.087
48 0.9533 1
61 1 1.368
75 1 1.446
EOD
$s19 << EOD
11 0.6279 1
23 0.5777 1
36 0.6435 1
49 0.4873 1
62 0.6388 1
76 0.6969 1
EOD
$s20 << EOD
12 1 1.317
24 0.9354 1
37 1 1.138
50 0.8577 1
63 1 1.45
77 1 1.524
EOD
$intervals << EOD
1 1.257 1.213 1.3
2 2.34 2.258 2.532
3 1.49 1.442 1.509
4 1.434 1.364 1.474
5 1.401 1.314 1.454
6 1.541 1.39 1.557
7 1.453 1.391 1.485
8 0.9753 0.9368 0.9947
9 1.161 1.082 1.19
10 1.354 1.311 1.413
11 0.6279 0.5951 0.6524
12 1.317 1.275 1.34
15 1.49 1.445 1.551
16 1.012 0.9852 1.086
17 1.738 1.674 1.855
18 1.259 1.22 1.371
19 1.045 1.01 1.124
20 0.7102 0.5487 0.8037
21 0.6597 0.6335 0.7053
22 0.9936 0.9593 1.064
23 0.5777 0.5576 0.6133
24 0.9354 0.9074 1.024
27 1.456 1.437 1.528
28 1.997 1.95 2.085
29 1.13 1.106 1.202
30 1.661 1.629 1.69
31 1.143 1.12 1.163
32 1.441 1.386 1.478
33 0.7972 0.7732 0.825
34 0.6694 0.6507 0.6857
35 1.087 1.042 1.123
36 0.6435 0.5916 0.6562
37 1.138 1.123 1.156
40 0.9884 0.9557 1.024
41 1.01 0.9791 1.067
42 1.572 1.507 1.613
43 1.11 1.069 1.16
44 0.9895 0.9406 1.052
45 1.726 1.631 1.804
46 0.8379 0.8074 0.8799
47 0.6382 0.6207 0.6764
48 0.9533 0.9228 0.9962
49 0.4873 0.4692 0.5112
50 0.8577 0.8298 0.9099
53 1.085 1.075 1.157
54 2.509 2.395 2.718
55 1.633 1.543 1.702
56 1.521 1.436 1.566
57 1.483 1.442 1.543
58 1.508 1.473 1.556
59 0.7702 0.4362 0.9602
60 1.183 1.152 1.228
61 1.368 1.347 1.412
62 0.6388 0.6297 0.6564
63 1.45 1.435 1.545
66 1.474 1.42 1.59
67 1.47 1.401 1.629
68 1.595 1.467 1.722
69 1.614 1.381 1.775
70 2.542 2.345 2.722
71 2.407 2.179 2.604
72 1.889 1.801 2.033
73 0.9011 0.868 0.9738
74 1.039 1.002 1.108
75 1.446 1.391 1.547
76 0.6969 0.6652 0.7481
77 1.524 1.374 1.64
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mattransmul.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "bcsr(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mattransmul.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "bcsr(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
