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
set xrange [0:49]
unset xtics
set label "banded\n500k\nwidth 7" at first 6, graph 0 center offset 0, -1
set label "power-law\n500k\n4M" at first 18.5, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 30.5, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 43, graph 0 center offset 0, -1
set yrange [0.3871:2.621]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0.8154 1
14 1 1.221
26 1 1.153
38 1 1.095
EOD
$s1 << EOD
2 1 1.021
15 1 1.305
27 1 1.334
39 1 1.204
EOD
$s2 << EOD
3 0.829 1
16 1 1.18
28 1 1.199
40 1 1.106
EOD
$s3 << EOD
4 0.9661 1
17 0.6729 1
29 0.6763 1
41 0.8609 1
EOD
$s4 << EOD
5 0.8311 1
18 1 1.77
30 1 2.08
EOD
$s5 << EOD
6 0.9892 1
EOD
$s6 << EOD
42 1 1.233
EOD
$s7 << EOD
43 1 2.097
EOD
$s8 << EOD
7 0.6787 1
19 1 1.337
31 1 1.095
44 0.9786 1
EOD
$s9 << EOD
8 0.8927 1
20 0.932 1
32 0.8907 1
45 1 1.107
EOD
$s10 << EOD
9 1 1.008
21 1 1.171
33 1 1.108
46 1 1.031
EOD
$s11 << EOD
10 0.6073 1
22 0.7265 1
34 0.6892 1
47 0.4839 1
EOD
$s12 << EOD
11 1 1.048
23 1 1.238
35 1 1.283
48 1 1.301
EOD
$intervals << EOD
1 0.8154 0.7632 1.225
2 1.021 0.9931 1.534
3 0.829 0.7519 1.246
4 0.9661 0.9001 1.614
5 0.8311 0.7568 1.496
6 0.9892 0.9046 3.406
7 0.6787 0.6278 1.489
8 0.8927 0.8413 1.327
9 1.008 0.9245 1.702
10 0.6073 0.5081 0.9084
11 1.048 0.976 1.5
14 1.221 1.098 1.635
15 1.305 1.138 1.852
16 1.18 1.079 1.54
17 0.6729 0.6278 1.009
18 1.77 1.626 2.663
19 1.337 1.098 1.522
20 0.932 0.8556 1.198
21 1.171 0.9223 1.403
22 0.7265 0.5372 0.8273
23 1.238 1.155 1.88
26 1.153 1.129 1.248
27 1.334 1.313 1.349
28 1.199 1.165 1.263
29 0.6763 0.5499 0.719
30 2.08 2.017 2.281
31 1.095 0.9559 1.312
32 0.8907 0.8647 1.105
33 1.108 0.8726 1.25
34 0.6892 0.5582 0.7558
35 1.283 1.162 1.322
38 1.095 1.059 1.131
39 1.204 1.117 1.217
40 1.106 1.023 1.125
41 0.8609 0.7353 0.8863
42 1.233 1.155 1.267
43 2.097 1.804 2.153
44 0.9786 0.8662 1.019
45 1.107 1.065 1.135
46 1.031 1.007 1.047
47 0.4839 0.4732 0.4913
48 1.301 1.257 1.315
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mattransmul.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(16384,32768)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mattransmul.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "csbc(16384,32768)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
