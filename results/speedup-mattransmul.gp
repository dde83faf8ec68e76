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
set key at screen 0.5, screen 0.015 center bottom maxrows 5 Left reverse samplen 1.5
set bmargin 9.7
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: mattransmul, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:53]
unset xtics
set label "banded\n500k\nwidth 7" at first 6.5, graph 0 center offset 0, -1
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 20, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 33, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 46.5, graph 0 center offset 0, -1
set yrange [0.4444:2.825]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.129
15 1 1.235
28 1 1.042
41 1 1.574
EOD
$s1 << EOD
2 1 1.637
16 1 1.238
29 1 1.058
42 1 2.079
EOD
$s2 << EOD
3 1 1.202
17 1 1.154
30 1 1.066
43 1 1.705
EOD
$s3 << EOD
4 1 1.307
18 0.5555 1
31 0.6032 1
44 1 1.104
EOD
$s4 << EOD
5 0.9027 1
19 1 1.018
32 1 1.259
EOD
$s5 << EOD
6 1 1.392
33 1 1.514
45 1 1.888
EOD
$s6 << EOD
7 1 1.332
EOD
$s7 << EOD
20 1 1.172
EOD
$s8 << EOD
46 0.9211 1
EOD
$s9 << EOD
47 1 2.26
EOD
$s10 << EOD
8 1 1.156
21 0.9613 1
34 0.6803 1
48 0.9704 1
EOD
$s11 << EOD
9 1 1.064
22 0.8147 1
35 0.6915 1
49 1 1.295
EOD
$s12 << EOD
10 1 1.239
23 1 1.115
36 1 1.062
50 1 1.772
EOD
$s13 << EOD
11 0.7843 1
24 0.6893 1
37 0.5723 1
51 0.8451 1
EOD
$s14 << EOD
12 1 1.614
25 0.8589 1
38 0.8115 1
52 1 2.041
EOD
$intervals << EOD
1 1.129 1.066 1.163
2 1.637 1.375 1.726
3 1.202 1.021 1.217
4 1.307 1.155 1.446
5 0.9027 0.7614 0.9576
6 1.392 1.143 1.541
7 1.332 0.9805 1.474
8 1.156 0.9039 1.324
9 1.064 0.7944 1.177
10 1.239 1.081 1.309
11 0.7843 0.4354 0.8125
12 1.614 1.437 1.63
15 1.235 1.032 1.773
16 1.238 0.9555 1.638
17 1.154 0.9005 1.873
18 0.5555 0.5455 0.6138
19 1.018 0.8231 1.348
20 1.172 1.145 1.692
21 0.9613 0.7161 1.383
22 0.8147 0.7213 1.091
23 1.115 0.9713 1.397
24 0.6893 0.5135 0.9982
25 0.8589 0.5781 1.209
28 1.042 0.3211 1.337
29 1.058 0.7509 1.559
30 1.066 0.82 1.362
31 0.6032 0.1843 0.779
32 1.259 1.238 1.604
33 1.514 0.6445 1.976
34 0.6803 0.5496 0.9682
35 0.6915 0.5839 0.8559
36 1.062 0.7599 1.39
37 0.5723 0.5514 0.6668
38 0.8115 0.6179 1.141
41 1.574 0.7118 1.919
42 2.079 0.942 2.625
43 1.705 0.7727 1.973
44 1.104 0.5337 1.346
45 1.888 0.9994 2.006
46 0.9211 0.4827 1.165
47 2.26 1.464 2.607
48 0.9704 0.7269 1.136
49 1.295 0.9729 1.451
50 1.772 1.381 2.015
51 0.8451 0.5798 1.072
52 2.041 1.226 2.689
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mattransmul.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mattransmul.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
