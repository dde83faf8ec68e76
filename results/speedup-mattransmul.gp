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
set yrange [0.4089:2.86]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.246
14 0.9652 1
26 0.8966 1
38 1 1.454
EOD
$s1 << EOD
2 1 1.536
15 1 1.296
27 1 1.172
39 1 1.547
EOD
$s2 << EOD
3 1 1.259
16 1 1.205
28 0.9599 1
40 1 1.271
EOD
$s3 << EOD
4 1 1.242
17 0.5214 1
29 0.5775 1
41 0.8672 1
EOD
$s4 << EOD
5 0.8659 1
18 0.9914 1
30 1 1.126
EOD
$s5 << EOD
6 1 1.883
EOD
$s6 << EOD
42 0.8057 1
EOD
$s7 << EOD
43 1 2.288
EOD
$s8 << EOD
7 1 1.056
19 1 1.009
31 0.6982 1
44 1 1.033
EOD
$s9 << EOD
8 1 1.288
20 0.966 1
32 0.751 1
45 1 1.192
EOD
$s10 << EOD
9 1 1.465
21 1 1.164
33 0.922 1
46 1 1.521
EOD
$s11 << EOD
10 0.6936 1
22 0.7111 1
34 0.5112 1
47 0.7349 1
EOD
$s12 << EOD
11 1 1.402
23 1 1.004
35 0.842 1
48 1 1.85
EOD
$intervals << EOD
1 1.246 0.9627 1.367
2 1.536 1.391 1.784
3 1.259 1.115 1.459
4 1.242 1.109 1.487
5 0.8659 0.7804 1.038
6 1.883 1.362 2.312
7 1.056 0.8939 1.321
8 1.288 1.007 1.636
9 1.465 1.143 1.701
10 0.6936 0.5755 0.8602
11 1.402 0.9429 1.913
14 0.9652 0.7317 0.9951
15 1.296 0.9026 2.218
16 1.205 0.6085 1.813
17 0.5214 0.3632 0.7294
18 0.9914 0.6903 1.745
19 1.009 0.7296 1.518
20 0.966 0.6726 1.546
21 1.164 0.8107 1.975
22 0.7111 0.4498 1.202
23 1.004 0.8322 1.332
26 0.8966 0.864 1.3
27 1.172 1.139 1.468
28 0.9599 0.8693 1.861
29 0.5775 0.2907 0.7239
30 1.126 0.9564 1.993
31 0.6982 0.6645 1.288
32 0.751 0.7201 1.271
33 0.922 0.8907 1.776
34 0.5112 0.5083 0.9057
35 0.842 0.7766 1.288
38 1.454 1.357 2.103
39 1.547 1.407 2.407
40 1.271 1.123 1.879
41 0.8672 0.6792 1.244
42 0.8057 0.777 1.118
43 2.288 2.093 3.416
44 1.033 0.9281 1.389
45 1.192 1.077 1.653
46 1.521 1.297 2.096
47 0.7349 0.6616 1.05
48 1.85 1.729 2.358
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
