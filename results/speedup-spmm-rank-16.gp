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
set key at screen 0.5, screen 0.015 center bottom maxrows 4 Left reverse samplen 1.5
set bmargin 8.6
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: spmm, rank 16, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:35]
unset xtics
set label "banded\n200k\nwidth 5" at first 5.5, graph 0 center offset 0, -1
set label "power-law\n200k\n1M" at first 17.5, graph 0 center offset 0, -1
set label "uniform\n200k\n1M" at first 29.5, graph 0 center offset 0, -1
set yrange [0.07457:1.734]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.387
13 1 1.364
25 1 1.125
EOD
$s1 << EOD
2 0.3917 1
14 0.4174 1
26 0.3961 1
EOD
$s2 << EOD
3 1 1.043
15 1 1.07
27 1 1.067
EOD
$s3 << EOD
4 0.9317 1
16 0.4411 1
28 0.4767 1
EOD
$s4 << EOD
5 1 1
17 0.7632 1
29 0.7162 1
EOD
$s5 << EOD
6 0.9363 1
18 0.3013 1
30 0.316 1
EOD
$s6 << EOD
7 0.7743 1
19 0.2972 1
31 0.2862 1
EOD
$s7 << EOD
8 1 1.031
20 0.5248 1
32 0.6011 1
EOD
$s8 << EOD
9 0.3333 1
21 0.09321 1
33 0.09678 1
EOD
$s9 << EOD
10 0.7854 1
22 0.2507 1
34 0.2954 1
EOD
$intervals << EOD
1 1.387 1.245 1.855
2 0.3917 0.3597 0.4835
3 1.043 0.7636 1.462
4 0.9317 0.679 1.172
5 1 0.6163 1.244
6 0.9363 0.8038 1.103
7 0.7743 0.7104 1.163
8 1.031 0.84 1.313
9 0.3333 0.2799 0.4476
10 0.7854 0.5765 1.137
13 1.364 1.006 1.411
14 0.4174 0.08712 0.4628
15 1.07 0.9551 1.721
16 0.4411 0.3989 0.7245
17 0.7632 0.6478 1.253
18 0.3013 0.2664 0.4948
19 0.2972 0.2725 0.47
20 0.5248 0.4489 0.8239
21 0.09321 0.08318 0.1431
22 0.2507 0.2085 0.3754
25 1.125 1.07 1.615
26 0.3961 0.1094 0.4933
27 1.067 0.8594 1.307
28 0.4767 0.4074 0.5796
29 0.7162 0.541 0.9956
30 0.316 0.2551 0.3846
31 0.2862 0.2758 0.3197
32 0.6011 0.5647 0.7294
33 0.09678 0.07966 0.1353
34 0.2954 0.2822 0.3911
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmm-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmm-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
