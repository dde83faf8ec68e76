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
set key at screen 0.5, screen 0.015 center bottom maxrows 6 Left reverse samplen 1.5
set bmargin 10.8
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: spmv, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:54]
unset xtics
set label "banded\n500k\nwidth 7" at first 6.5, graph 0 center offset 0, -1
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 20, graph 0 center offset 0, -1
set label "uniform\n500k\n4M" at first 33, graph 0 center offset 0, -1
set label "block\n200k\nblock 4" at first 47, graph 0 center offset 0, -1
set yrange [0.473:5.465]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.88
15 1 1.778
28 1 1.26
41 1 2.846
EOD
$s1 << EOD
2 1 1.441
16 1 1.241
29 1 1.004
42 1 1.62
EOD
$s2 << EOD
3 1 1.74
17 1 1.738
30 1 1.153
43 1 2.679
EOD
$s3 << EOD
4 1 1.064
18 0.7996 1
31 0.6254 1
44 1 1.411
EOD
$s4 << EOD
5 1 1.492
19 1 2.039
32 1 1.422
EOD
$s5 << EOD
6 1 1.843
33 1 1.854
45 1 2.305
EOD
$s6 << EOD
7 1 2.684
EOD
$s7 << EOD
20 1 2.44
EOD
$s8 << EOD
46 1 2
EOD
$s9 << EOD
47 1 3.788
EOD
$s10 << EOD
48 1 4.372
EOD
$s11 << EOD
8 1 1.414
21 1 1.4
34 0.8472 1
49 1 2.169
EOD
$s12 << EOD
9 1 1.645
22 1 1.022
35 0.6826 1
50 1 1.376
EOD
$s13 << EOD
10 1 1.756
23 1 1.752
36 1 1.242
51 1 2.341
EOD
$s14 << EOD
11 0.9716 1
24 0.9256 1
37 0.5913 1
52 1 1.492
EOD
$s15 << EOD
12 1 1.913
25 1 1.3
38 1 1.141
53 1 2.963
EOD
$intervals << EOD
1 1.88 1.662 1.891
2 1.441 1.324 1.461
3 1.74 1.637 1.751
4 1.064 1.04 1.087
5 1.492 1.376 1.541
6 1.843 1.637 1.931
7 2.684 2.553 2.863
8 1.414 1.378 1.472
9 1.645 1.541 1.654
10 1.756 1.694 1.786
11 0.9716 0.9439 0.9968
12 1.913 1.89 2.032
15 1.778 1.599 1.88
16 1.241 1.04 1.277
17 1.738 1.547 1.754
18 0.7996 0.7444 0.8167
19 2.039 1.785 2.049
20 2.44 1.617 2.451
21 1.4 1.352 1.535
22 1.022 0.9843 1.12
23 1.752 1.629 1.964
24 0.9256 0.9136 1.036
25 1.3 1.252 1.464
28 1.26 1.197 1.308
29 1.004 0.9835 1.018
30 1.153 1.107 1.198
31 0.6254 0.6115 0.6461
32 1.422 1.337 1.459
33 1.854 1.687 1.951
34 0.8472 0.8297 0.8793
35 0.6826 0.6637 0.7225
36 1.242 1.207 1.288
37 0.5913 0.5705 0.6127
38 1.141 1.098 1.163
41 2.846 1.815 2.865
42 1.62 1.338 2.592
43 2.679 1.98 3.266
44 1.411 1.271 1.734
45 2.305 1.773 3.085
46 2 1.919 2.232
47 3.788 3.367 4.816
48 4.372 3.381 5.142
49 2.169 1.911 2.5
50 1.376 1.261 2.108
51 2.341 2.13 2.829
52 1.492 1.479 1.697
53 2.963 2.855 3.142
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spmv.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsrc(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spmv.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(32768,32768)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(16384,32768)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(4,4)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsrc(4,4)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
