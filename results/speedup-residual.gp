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
set yrange [0.3523:5.334]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.258
14 1 1.535
26 0.7642 1
38 1 1.98
51 1 1.135
64 1 2.283
EOD
$s1 << EOD
2 1 2.065
52 1 2.567
EOD
$s2 << EOD
3 1 1.412
EOD
$s3 << EOD
4 1 1.421
EOD
$s4 << EOD
5 1 1.246
27 1 1.528
53 1 1.31
65 1 2.26
EOD
$s5 << EOD
6 1 1.356
15 1 1.487
28 0.7826 1
39 1 2.182
54 1 1.123
66 1 2.323
EOD
$s6 << EOD
16 1 1.668
EOD
$s7 << EOD
17 1 1.681
29 1 1.2
67 1 1.376
EOD
$s8 << EOD
18 1 1.389
40 1 2.098
EOD
$s9 << EOD
30 0.847 1
41 1 1.868
EOD
$s10 << EOD
42 1 3.114
EOD
$s11 << EOD
43 1 2.71
EOD
$s12 << EOD
55 1 1.055
EOD
$s13 << EOD
56 1 1.417
EOD
$s14 << EOD
68 1 4.267
EOD
$s15 << EOD
69 1 3.371
EOD
$s16 << EOD
7 0.7911 1
19 1 1.094
31 0.5967 1
44 1 1.507
57 0.4434 1
70 1 1.806
EOD
$s17 << EOD
8 1 1.055
20 0.8661 1
32 0.4404 1
45 1 1.374
58 0.8589 1
71 1 1.595
EOD
$s18 << EOD
9 1 1.167
21 1 1.446
33 0.7458 1
46 1 1.848
59 0.9455 1
72 1 2.29
EOD
$s19 << EOD
10 0.7195 1
22 0.923 1
34 0.4435 1
47 1 1.085
60 0.5411 1
73 1 1.041
EOD
$s20 << EOD
11 1 1.191
23 1 1.612
35 0.9928 1
48 1 1.611
61 1 1.124
74 1 2.328
EOD
$intervals << EOD
1 1.258 1.066 1.409
2 2.065 1.705 2.308
3 1.412 1.278 1.568
4 1.421 1.234 1.596
5 1.246 1.14 1.364
6 1.356 1.199 1.51
7 0.7911 0.3676 0.8742
8 1.055 0.932 1.251
9 1.167 1.059 1.303
10 0.7195 0.6597 0.7972
11 1.191 1.064 1.304
14 1.535 1.484 1.592
15 1.487 1.456 1.559
16 1.668 1.399 1.773
17 1.681 1.632 1.748
18 1.389 1.319 1.451
19 1.094 0.7762 1.504
20 0.8661 0.8375 0.8982
21 1.446 1.376 1.489
22 0.923 0.8404 1.034
23 1.612 1.575 1.692
26 0.7642 0.7293 0.7876
27 1.528 1.386 1.646
28 0.7826 0.7185 0.8199
29 1.2 1.093 1.263
30 0.847 0.74 0.9342
31 0.5967 0.4815 0.7727
32 0.4404 0.4156 0.4521
33 0.7458 0.6961 0.7714
34 0.4435 0.4209 0.4567
35 0.9928 0.8599 1.027
38 1.98 1.879 2.105
39 2.182 2.086 2.347
40 2.098 1.985 2.14
41 1.868 1.68 1.919
42 3.114 2.85 3.37
43 2.71 2.546 2.818
44 1.507 1.496 1.586
45 1.374 1.361 1.444
46 1.848 1.805 2.051
47 1.085 1.021 1.104
48 1.611 1.42 1.628
51 1.135 1.06 1.157
52 2.567 2.342 2.805
53 1.31 1.235 1.347
54 1.123 1.05 1.228
55 1.055 1.008 1.095
56 1.417 1.316 1.481
57 0.4434 0.3712 0.6048
58 0.8589 0.8261 0.9019
59 0.9455 0.9141 0.9868
60 0.5411 0.5158 0.5523
61 1.124 1.094 1.156
64 2.283 1.855 2.708
65 2.26 1.629 2.64
66 2.323 1.85 3.169
67 1.376 1.096 1.707
68 4.267 3.521 5.169
69 3.371 2.717 4.244
70 1.806 1.386 2.056
71 1.595 1.188 1.849
72 2.29 1.837 2.69
73 1.041 0.7402 1.51
74 2.328 1.907 2.825
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
