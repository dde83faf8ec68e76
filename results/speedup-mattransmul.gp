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
set xrange [0:60]
unset xtics
set label "banded\n500k\nwidth 7" at first 7.5, graph 0 center offset 0, -1
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 22.5, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 36.5, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 52, graph 0 center offset 0, -1
set yrange [0.423:4.216]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.29
17 1 1.098
31 1 1.079
45 1 1.378
EOD
$s1 << EOD
2 1 1.542
18 1 1.4
32 1 1.518
46 1 1.945
EOD
$s2 << EOD
3 1 1.176
19 1 1.065
33 1 1.149
47 1 1.347
EOD
$s3 << EOD
4 1 1.179
20 0.5287 1
34 0.595 1
48 0.973 1
EOD
$s4 << EOD
5 1 1.004
21 1 1.091
35 1 1.376
EOD
$s5 << EOD
6 1 1.253
22 1 2.067
36 1 2.112
EOD
$s6 << EOD
7 1 1.339
37 1 1.594
49 1 1.508
EOD
$s7 << EOD
8 1 1.578
EOD
$s8 << EOD
9 1 2.048
EOD
$s9 << EOD
23 1 1.22
EOD
$s10 << EOD
50 1 1.042
EOD
$s11 << EOD
51 1 1.457
EOD
$s12 << EOD
52 1 2.106
EOD
$s13 << EOD
53 1 1.537
EOD
$s14 << EOD
54 1 3.373
EOD
$s15 << EOD
10 1 1.087
24 0.786 1
38 0.7968 1
55 1 1.008
EOD
$s16 << EOD
11 1 1.089
25 0.9228 1
39 0.8486 1
56 1 1.072
EOD
$s17 << EOD
12 1 1.303
26 1 1.197
40 1 1.255
57 1 1.465
EOD
$s18 << EOD
13 0.6679 1
27 0.7415 1
41 0.7202 1
58 0.9096 1
EOD
$s19 << EOD
14 1 1.502
28 1 1.047
42 1 1.089
59 1 2.26
EOD
$intervals << EOD
1 1.29 0.958 1.414
2 1.542 1.397 1.677
3 1.176 1.125 1.36
4 1.179 1.118 1.179
5 1.004 0.8169 1.057
6 1.253 0.9641 1.28
7 1.339 1.233 1.349
8 1.578 1.457 1.638
9 2.048 1.834 2.129
10 1.087 0.9594 1.096
11 1.089 1.035 1.148
12 1.303 1.141 1.349
13 0.6679 0.6562 0.7471
14 1.502 1.377 1.551
17 1.098 1.032 1.228
18 1.4 1.332 1.914
19 1.065 0.9586 1.324
20 0.5287 0.4347 0.7228
21 1.091 1.026 1.525
22 2.067 1.903 2.882
23 1.22 1.118 2.197
24 0.786 0.7392 1.208
25 0.9228 0.7676 1.312
26 1.197 0.8747 1.737
27 0.7415 0.7134 1.05
28 1.047 0.9422 1.524
31 1.079 1.033 1.184
32 1.518 1.073 1.571
33 1.149 1.057 1.253
34 0.595 0.5165 0.8149
35 1.376 1.318 1.652
36 2.112 1.809 2.558
37 1.594 1.527 2.771
38 0.7968 0.7393 0.9695
39 0.8486 0.8127 0.9515
40 1.255 1.113 1.396
41 0.7202 0.7183 0.7565
42 1.089 0.2647 1.259
45 1.378 0.648 1.83
46 1.945 1.434 2.182
47 1.347 1.116 1.41
48 0.973 0.8475 1.031
49 1.508 1.271 1.627
50 1.042 0.8074 1.109
51 1.457 1.269 1.556
52 2.106 2.037 2.792
53 1.537 1.424 1.743
54 3.373 2.937 3.876
55 1.008 0.9192 1.298
56 1.072 0.9714 1.203
57 1.465 1.276 1.596
58 0.9096 0.7651 0.9145
59 2.26 1.968 2.523
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mattransmul.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(32768,32768):1,0", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "bdia(256):1,0", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "sell(8,500000)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csbc(16384,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csbc(16384,32768):1,0", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "bcsrc(4,4):1,0", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mattransmul.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(32768,32768):1,0", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "sell(8,4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "bdia(256):1,0", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "sell(8,500000)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csbc(16384,32768)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csbc(16384,32768):1,0", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "bcsrc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "bcsrc(4,4):1,0", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
