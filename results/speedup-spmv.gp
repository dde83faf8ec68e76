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
set yrange [0.5036:7.519]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.63
14 1 1.641
26 1 1.208
38 1 3.413
EOD
$s1 << EOD
2 1 1.108
15 1 1.25
27 1 1.025
39 1 2.686
EOD
$s2 << EOD
3 1 1.589
16 1 1.665
28 1 1.103
40 1 2.712
EOD
$s3 << EOD
4 1 1.013
17 0.7777 1
29 0.6623 1
41 1 1.313
EOD
$s4 << EOD
5 1 1.296
18 1 1.738
30 1 1.384
EOD
$s5 << EOD
6 1 2.118
EOD
$s6 << EOD
42 1 2.397
EOD
$s7 << EOD
43 1 6.015
EOD
$s8 << EOD
7 1 1.236
19 1 1.306
31 0.8538 1
44 1 3.258
EOD
$s9 << EOD
8 1 1.16
20 0.9489 1
32 0.7364 1
45 1 1.47
EOD
$s10 << EOD
9 1 1.46
21 1 1.624
33 1 1.244
46 1 2.559
EOD
$s11 << EOD
10 0.7338 1
22 0.895 1
34 0.6295 1
47 1 1.963
EOD
$s12 << EOD
11 1 1.616
23 1 1.203
35 1 1.112
48 1 4.19
EOD
$intervals << EOD
1 1.63 1.584 1.692
2 1.108 1.08 1.163
3 1.589 1.218 1.662
4 1.013 0.8768 1.069
5 1.296 1.051 1.367
6 2.118 1.983 2.225
7 1.236 1.127 1.364
8 1.16 0.9696 1.269
9 1.46 1.416 1.609
10 0.7338 0.7253 0.7494
11 1.616 1.282 1.741
14 1.641 1.593 1.871
15 1.25 1.144 1.389
16 1.665 1.614 1.85
17 0.7777 0.7777 0.8525
18 1.738 1.581 1.931
19 1.306 1.215 1.451
20 0.9489 0.8973 0.9489
21 1.624 1.542 1.731
22 0.895 0.8089 1.021
23 1.203 1.123 1.421
26 1.208 1.09 1.421
27 1.025 0.8967 1.381
28 1.103 0.8888 1.385
29 0.6623 0.6153 0.7895
30 1.384 1.197 1.948
31 0.8538 0.7614 1.166
32 0.7364 0.6411 1.008
33 1.244 1.059 1.711
34 0.6295 0.5508 0.8219
35 1.112 0.9303 1.713
38 3.413 2.429 4.007
39 2.686 1.751 2.983
40 2.712 1.856 4.081
41 1.313 0.6553 2.169
42 2.397 1.381 3.257
43 6.015 3.634 7.465
44 3.258 1.425 3.809
45 1.47 0.7663 2.374
46 2.559 1.509 3.732
47 1.963 0.6414 2.066
48 4.19 2.005 5.36
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
