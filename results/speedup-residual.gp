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
set title "Speed-up: residual, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:49]
unset xtics
set label "banded\n500k\nwidth 7" at first 6, graph 0 center offset 0, -1
set label "power-law\n500k\n4M" at first 18.5, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 30.5, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 43, graph 0 center offset 0, -1
set yrange [0.4646:5.537]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.651
14 1 1.818
26 1 1.159
38 1 2.08
EOD
$s1 << EOD
2 1 1.034
15 1 1.221
27 0.9682 1
39 1 2.556
EOD
$s2 << EOD
3 1 1.868
16 1 1.643
28 1 1.132
40 1 2.909
EOD
$s3 << EOD
4 1 1.027
17 0.8313 1
29 0.6618 1
41 1 1.537
EOD
$s4 << EOD
5 1 1.468
18 1 1.614
30 1 1.238
EOD
$s5 << EOD
6 1 2.706
EOD
$s6 << EOD
42 1 2.09
EOD
$s7 << EOD
43 1 4.43
EOD
$s8 << EOD
7 1 1.185
19 1 1.238
31 0.8026 1
44 1 2.232
EOD
$s9 << EOD
8 1 1.077
20 0.9055 1
32 0.7032 1
45 1 1.593
EOD
$s10 << EOD
9 1 1.254
21 1 1.589
33 1 1.136
46 1 2.63
EOD
$s11 << EOD
10 0.8424 1
22 0.8491 1
34 0.5808 1
47 1 1.445
EOD
$s12 << EOD
11 1 1.761
23 1 1.355
35 1 1.19
48 1 2.831
EOD
$intervals << EOD
1 1.651 1.521 1.754
2 1.034 0.8863 1.328
3 1.868 1.755 1.941
4 1.027 0.9991 1.052
5 1.468 1.241 1.519
6 2.706 1.897 3.358
7 1.185 1.007 1.235
8 1.077 0.9327 1.234
9 1.254 1.119 1.475
10 0.8424 0.6669 0.8576
11 1.761 1.622 1.841
14 1.818 1.652 1.901
15 1.221 0.989 1.235
16 1.643 1.52 1.687
17 0.8313 0.8049 0.8331
18 1.614 1.484 1.693
19 1.238 1.183 1.246
20 0.9055 0.8067 0.9128
21 1.589 1.497 1.6
22 0.8491 0.7915 0.8529
23 1.355 1.311 1.369
26 1.159 0.9534 1.194
27 0.9682 0.8257 1.091
28 1.132 1.04 1.163
29 0.6618 0.5446 0.7035
30 1.238 1.182 1.362
31 0.8026 0.7727 0.8356
32 0.7032 0.6741 0.7834
33 1.136 1.085 1.309
34 0.5808 0.5683 0.6699
35 1.19 1.063 1.301
38 2.08 1.925 2.665
39 2.556 1.618 2.783
40 2.909 2.454 3.291
41 1.537 1.238 1.842
42 2.09 1.455 2.35
43 4.43 3.027 4.893
44 2.232 1.655 2.502
45 1.593 1.334 2.142
46 2.63 2.205 3.082
47 1.445 1.021 1.612
48 2.831 1.919 3.003
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-residual.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(16384,32768)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-residual.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(16384,32768)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
