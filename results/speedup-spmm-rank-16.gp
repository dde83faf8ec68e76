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
set title "Speed-up: spmm, rank 16, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:35]
unset xtics
set label "banded\n200k\nwidth 5" at first 5.5, graph 0 center offset 0, -1
set label "power-law\n200k\n1M" at first 17.5, graph 0 center offset 0, -1
set label "uniform\n200k\n1M" at first 29.5, graph 0 center offset 0, -1
set yrange [0.05399:2.125]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.315
13 1 1.7
25 1 1.688
EOD
$s1 << EOD
2 1 1.288
EOD
$s2 << EOD
3 1 1.172
14 1 1.279
26 1 1.251
EOD
$s3 << EOD
4 1 1.297
EOD
$s4 << EOD
5 0.3336 1
EOD
$s5 << EOD
15 0.7623 1
27 0.7517 1
EOD
$s6 << EOD
16 0.4263 1
28 0.3751 1
EOD
$s7 << EOD
17 0.5412 1
EOD
$s8 << EOD
29 0.3555 1
EOD
$s9 << EOD
6 0.7384 1
18 0.3167 1
30 0.2369 1
EOD
$s10 << EOD
7 0.4533 1
19 0.2297 1
31 0.1903 1
EOD
$s11 << EOD
8 0.6733 1
20 0.4824 1
32 0.4979 1
EOD
$s12 << EOD
9 0.1928 1
21 0.08229 1
33 0.06749 1
EOD
$s13 << EOD
10 0.5998 1
22 0.2364 1
34 0.1967 1
EOD
$intervals << EOD
1 1.315 1.221 1.456
2 1.288 1.195 1.42
3 1.172 1.109 1.24
4 1.297 1.203 1.481
5 0.3336 0.3069 0.3586
6 0.7384 0.577 0.8249
7 0.4533 0.4084 0.4893
8 0.6733 0.602 0.7467
9 0.1928 0.175 0.2073
10 0.5998 0.5426 0.6511
13 1.7 1.669 1.714
14 1.279 1.256 1.33
15 0.7623 0.7452 0.7801
16 0.4263 0.4158 0.4388
17 0.5412 0.5133 0.5578
18 0.3167 0.3043 0.3369
19 0.2297 0.2216 0.2376
20 0.4824 0.4701 0.5135
21 0.08229 0.0805 0.08678
22 0.2364 0.2138 0.2425
25 1.688 1.466 1.787
26 1.251 1.251 1.317
27 0.7517 0.6586 0.866
28 0.3751 0.349 0.465
29 0.3555 0.101 0.4524
30 0.2369 0.2185 0.2863
31 0.1903 0.1542 0.229
32 0.4979 0.4508 0.5724
33 0.06749 0.05676 0.07405
34 0.1967 0.1815 0.2261
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmm-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(2,2)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(65536,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(2048,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "sell(8,200000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmm-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(2,2)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(65536,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(2048,32768)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "sell(8,200000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
