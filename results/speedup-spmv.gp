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
set title "Speed-up: spmv, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:49]
unset xtics
set label "banded\n500k\nwidth 7" at first 6, graph 0 center offset 0, -1
set label "power-law\n500k\n4M" at first 18.5, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 30.5, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 43, graph 0 center offset 0, -1
set yrange [0.4515:3.111]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.252
14 1 1.219
26 1 1.241
38 1 1.493
EOD
$s1 << EOD
2 0.9391 1
15 1 1.071
27 1 1.086
39 0.86 1
EOD
$s2 << EOD
3 1 1.21
16 1 1.082
28 1 1.083
40 0.9126 1
EOD
$s3 << EOD
4 1 1.059
17 0.6686 1
29 0.6902 1
41 0.8756 1
EOD
$s4 << EOD
5 1 1.005
18 1 2.061
30 1 2.43
EOD
$s5 << EOD
6 1 2.489
EOD
$s6 << EOD
42 1 1.23
EOD
$s7 << EOD
43 1 1.49
EOD
$s8 << EOD
7 1 1.047
19 1 1.109
31 1 1.35
44 1 1.213
EOD
$s9 << EOD
8 1 1.04
20 0.8014 1
32 0.9443 1
45 1 1.152
EOD
$s10 << EOD
9 1 1.086
21 1 1.152
33 1 1.174
46 1 1.327
EOD
$s11 << EOD
10 0.5644 1
22 0.6223 1
34 0.6186 1
47 0.7374 1
EOD
$s12 << EOD
11 1 1.212
23 1 1.373
35 1 1.371
48 1 1.68
EOD
$intervals << EOD
1 1.252 0.7075 1.631
2 0.9391 0.859 0.9945
3 1.21 1.142 1.378
4 1.059 0.7834 1.31
5 1.005 0.9355 1.216
6 2.489 2.313 2.885
7 1.047 0.9926 1.159
8 1.04 1.016 1.309
9 1.086 0.9556 1.348
10 0.5644 0.5013 0.6897
11 1.212 1.093 1.296
14 1.219 1.113 1.401
15 1.071 0.9494 1.267
16 1.082 1.021 1.232
17 0.6686 0.4922 0.6904
18 2.061 1.524 2.305
19 1.109 1.081 1.281
20 0.8014 0.7871 0.9068
21 1.152 1.041 1.21
22 0.6223 0.4535 0.7876
23 1.373 1.296 1.576
26 1.241 1.204 1.391
27 1.086 1.021 1.121
28 1.083 1.015 1.122
29 0.6902 0.6451 0.7326
30 2.43 2.271 2.557
31 1.35 1.235 1.42
32 0.9443 0.8811 0.9866
33 1.174 1.061 1.231
34 0.6186 0.535 0.7875
35 1.371 1.263 2.099
38 1.493 1.246 1.514
39 0.86 0.8402 1.11
40 0.9126 0.8873 1.178
41 0.8756 0.8671 1.131
42 1.23 1.23 1.549
43 1.49 1.49 2.877
44 1.213 1.03 1.303
45 1.152 0.9392 1.638
46 1.327 1.129 1.373
47 0.7374 0.6202 0.975
48 1.68 1.429 1.763
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmv.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(16384,32768)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmv.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(16384,32768)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
