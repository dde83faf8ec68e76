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
set xrange [0:53]
unset xtics
set label "banded\n500k\nwidth 7" at first 6.5, graph 0 center offset 0, -1
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 20, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 33, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 46.5, graph 0 center offset 0, -1
set yrange [0.4768:5.545]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.662
15 1 1.736
28 1 1.196
41 1 2.945
EOD
$s1 << EOD
2 0.9295 1
16 1 1.02
29 1 1.004
42 1 2.507
EOD
$s2 << EOD
3 1 1.7
17 1 1.528
30 1 1.029
43 1 2.693
EOD
$s3 << EOD
4 1 1.041
18 0.7674 1
31 0.596 1
44 1 1.73
EOD
$s4 << EOD
5 1 1.225
19 1 1.482
32 1 1.27
EOD
$s5 << EOD
6 1 1.341
33 1 1.179
45 1 2.655
EOD
$s6 << EOD
7 1 2.233
EOD
$s7 << EOD
20 1 1.609
EOD
$s8 << EOD
46 1 2.103
EOD
$s9 << EOD
47 1 4.436
EOD
$s10 << EOD
8 1 1.051
21 1 1.203
34 0.8011 1
48 1 1.961
EOD
$s11 << EOD
9 1 1.127
22 0.9049 1
35 0.6792 1
49 1 1.633
EOD
$s12 << EOD
10 1 1.24
23 1 1.469
36 1 1.057
50 1 2.627
EOD
$s13 << EOD
11 0.68 1
24 0.6458 1
37 0.6004 1
51 1 1.457
EOD
$s14 << EOD
12 1 1.523
25 1 1.314
38 1 1.098
52 1 2.938
EOD
$intervals << EOD
1 1.662 1.356 1.863
2 0.9295 0.8 1.039
3 1.7 1.088 1.781
4 1.041 1.027 1.13
5 1.225 1.208 1.335
6 1.341 1.303 1.423
7 2.233 1.979 2.24
8 1.051 0.833 1.11
9 1.127 1.048 1.308
10 1.24 1.142 1.557
11 0.68 0.6652 0.7069
12 1.523 1.393 1.85
15 1.736 1.617 1.85
16 1.02 0.8174 1.228
17 1.528 1.401 1.688
18 0.7674 0.7325 0.8127
19 1.482 1.347 1.69
20 1.609 0.9552 2.008
21 1.203 0.9812 1.409
22 0.9049 0.8226 0.9384
23 1.469 1.244 1.656
24 0.6458 0.5695 0.7478
25 1.314 1.171 1.341
28 1.196 0.8217 1.288
29 1.004 0.9769 1.053
30 1.029 0.8513 1.28
31 0.596 0.501 0.6851
32 1.27 1.225 1.354
33 1.179 1.078 1.541
34 0.8011 0.7202 0.9154
35 0.6792 0.6183 0.7014
36 1.057 0.8975 1.125
37 0.6004 0.5061 0.674
38 1.098 0.7299 1.252
41 2.945 2.774 3.05
42 2.507 1.558 2.658
43 2.693 2.313 3.035
44 1.73 1.533 1.772
45 2.655 2.402 2.758
46 2.103 1.981 2.18
47 4.436 3.948 4.767
48 1.961 1.421 2.154
49 1.633 1.304 1.835
50 2.627 2.522 2.711
51 1.457 1.368 1.484
52 2.938 2.568 3.082
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-residual.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-residual.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
