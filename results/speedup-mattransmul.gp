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
set yrange [0.3809:3.306]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.211
15 1 1.331
27 1 1.345
40 0.9659 1
53 1 1.107
66 1 1.39
EOD
$s1 << EOD
2 1 2.32
54 1 2.645
EOD
$s2 << EOD
3 1 1.371
EOD
$s3 << EOD
4 1 1.348
EOD
$s4 << EOD
5 1 1.418
28 1 1.9
55 1 1.652
67 1 1.377
EOD
$s5 << EOD
6 1 1.486
16 1 1.123
29 1 1.137
41 0.9941 1
56 1 1.546
68 1 1.556
EOD
$s6 << EOD
7 1 1.372
EOD
$s7 << EOD
17 1 1.862
EOD
$s8 << EOD
18 1 1.404
30 1 1.617
42 1 1.61
EOD
$s9 << EOD
19 1 1.185
31 1 1.143
43 1 1.183
57 1 1.556
69 1 1.54
EOD
$s10 << EOD
32 1 1.454
44 1 1.055
EOD
$s11 << EOD
45 1 1.735
EOD
$s12 << EOD
58 1 1.47
EOD
$s13 << EOD
70 1 2.611
EOD
$s14 << EOD
71 1 2.536
EOD
$s15 << EOD
72 1 1.647
EOD
$s16 << EOD
8 0.9387 1
20 0.8621 1
33 0.8353 1
46 0.8301 1
59 1 1.085
73 0.847 1
EOD
$s17 << EOD
9 1 1.059
21 0.7082 1
34 0.7188 1
47 0.6788 1
60 1 1.142
74 0.9446 1
EOD
$s18 << EOD
10 1 1.343
22 1 1.061
35 1 1.041
48 1 1.045
61 1 1.387
75 1 1.409
EOD
$s19 << EOD
11 0.5634 1
23 0.6373 1
36 0.6053 1
49 0.4761 1
62 0.6212 1
76 0.6253 1
EOD
$s20 << EOD
12 1 1.423
24 1 1.025
37 1 1.113
50 0.8025 1
63 1 1.511
77 1 1.785
EOD
$intervals << EOD
1 1.211 1.153 1.246
2 2.32 2.201 2.426
3 1.371 1.289 1.44
4 1.348 1.271 1.403
5 1.418 1.32 1.459
6 1.486 1.413 1.527
7 1.372 1.303 1.428
8 0.9387 0.8922 0.9655
9 1.059 1 1.103
10 1.343 1.259 1.38
11 0.5634 0.5305 0.5952
12 1.423 1.352 1.461
15 1.331 1.305 1.377
16 1.123 1.096 1.147
17 1.862 1.8 1.922
18 1.404 1.361 1.429
19 1.185 1.144 1.212
20 0.8621 0.8264 0.8796
21 0.7082 0.6962 0.7204
22 1.061 1.043 1.085
23 0.6373 0.6201 0.6493
24 1.025 0.9875 1.043
27 1.345 1.316 1.422
28 1.9 1.716 2.021
29 1.137 1.104 1.202
30 1.617 1.445 1.664
31 1.143 1.113 1.188
32 1.454 1.302 1.492
33 0.8353 0.8232 0.8639
34 0.7188 0.705 0.7407
35 1.041 1.028 1.077
36 0.6053 0.5778 0.637
37 1.113 1.081 1.146
40 0.9659 0.942 1.007
41 0.9941 0.975 1.026
42 1.61 1.58 1.667
43 1.183 1.166 1.222
44 1.055 1.009 1.093
45 1.735 1.721 1.799
46 0.8301 0.8204 0.8604
47 0.6788 0.6727 0.7037
48 1.045 1.032 1.086
49 0.4761 0.4689 0.4923
50 0.8025 0.793 0.832
53 1.107 1.034 1.167
54 2.645 2.368 3.076
55 1.652 1.557 1.769
56 1.546 1.447 1.619
57 1.556 1.43 1.628
58 1.47 1.356 1.541
59 1.085 1.023 1.139
60 1.142 1.011 1.208
61 1.387 1.268 1.45
62 0.6212 0.5676 0.6563
63 1.511 1.405 1.557
66 1.39 1.342 1.436
67 1.377 1.276 1.408
68 1.556 1.508 1.602
69 1.54 1.478 1.62
70 2.611 2.513 2.742
71 2.536 2.414 2.653
72 1.647 1.584 1.739
73 0.847 0.8208 0.8783
74 0.9446 0.8988 0.9895
75 1.409 1.35 1.463
76 0.6253 0.6041 0.6533
77 1.785 1.702 1.849
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
