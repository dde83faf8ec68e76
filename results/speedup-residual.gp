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
set key at screen 0.5, screen 0.015 center bottom maxrows 7 Left reverse samplen 1.5
set bmargin 11.9
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: residual, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:75]
unset xtics
set label "banded\n500k\nwidth 7" at first 6, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.8" at first 18.5, graph 0 center offset 0, -1 font ",12"
set label "uniform\n500k\n4M" at first 30.5, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 17" at first 43, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 56, graph 0 center offset 0, -1 font ",12"
set label "block\n200k\nblock 4" at first 69, graph 0 center offset 0, -1 font ",12"
set yrange [0.3891:4.428]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.289
14 1 1.406
26 1 1.025
38 1 1.982
51 1 1.18
64 1 2.02
EOD
$s1 << EOD
2 1 2.088
52 1 2.105
EOD
$s2 << EOD
3 1 1.324
EOD
$s3 << EOD
4 1 1.283
EOD
$s4 << EOD
5 1 1.323
27 1 1.788
53 1 1.33
65 1 2.022
EOD
$s5 << EOD
6 1 1.285
15 1 1.407
28 1 1.104
39 1 2.211
54 1 1.183
66 1 2.127
EOD
$s6 << EOD
16 1 1.762
EOD
$s7 << EOD
17 1 1.56
29 1 1.453
40 1 3.167
EOD
$s8 << EOD
18 1 1.18
41 1 2.052
EOD
$s9 << EOD
30 0.8944 1
EOD
$s10 << EOD
42 1 3.543
EOD
$s11 << EOD
43 1 1.883
55 0.874 1
67 1 1.627
EOD
$s12 << EOD
56 1 1.155
EOD
$s13 << EOD
68 1 3.272
EOD
$s14 << EOD
69 1 3.323
EOD
$s15 << EOD
7 0.8455 1
19 0.9232 1
31 0.7856 1
44 1 1.693
57 0.4863 1
70 1 1.377
EOD
$s16 << EOD
8 1 1.125
20 0.7496 1
32 0.6696 1
45 1 1.496
58 0.9988 1
71 1 1.436
EOD
$s17 << EOD
9 1 1.192
21 1 1.224
33 1 1.071
46 1 2.03
59 1 1.042
72 1 1.972
EOD
$s18 << EOD
10 0.6924 1
22 0.739 1
34 0.5656 1
47 1 1.032
60 0.6008 1
73 1 1.153
EOD
$s19 << EOD
11 1 1.083
23 1 1.468
35 1 1.344
48 1 1.614
61 1 1.129
74 1 2.115
EOD
$intervals << EOD
1 1.289 1.25 1.331
2 2.088 2.033 2.114
3 1.324 1.282 1.356
4 1.283 1.238 1.308
5 1.323 1.256 1.407
6 1.285 1.254 1.325
7 0.8455 0.792 0.8593
8 1.125 1.087 1.151
9 1.192 1.111 1.22
10 0.6924 0.6631 0.7088
11 1.083 1.06 1.143
14 1.406 1.371 1.565
15 1.407 1.369 1.591
16 1.762 1.634 1.982
17 1.56 1.523 1.753
18 1.18 1.146 1.349
19 0.9232 0.6824 1.425
20 0.7496 0.7107 0.8482
21 1.224 1.168 1.39
22 0.739 0.7211 0.8679
23 1.468 1.42 1.637
26 1.025 1.011 1.04
27 1.788 1.74 1.821
28 1.104 1.064 1.135
29 1.453 1.399 1.49
30 0.8944 0.8726 0.9196
31 0.7856 0.6206 1
32 0.6696 0.4876 0.6842
33 1.071 1.035 1.106
34 0.5656 0.5551 0.5802
35 1.344 1.275 1.382
38 1.982 1.876 2.05
39 2.211 2.079 2.25
40 3.167 2.938 3.206
41 2.052 1.969 2.071
42 3.543 3.289 3.606
43 1.883 1.818 1.914
44 1.693 1.656 1.736
45 1.496 1.452 1.529
46 2.03 1.97 2.06
47 1.032 1.009 1.064
48 1.614 1.539 1.657
51 1.18 1.151 1.207
52 2.105 2.065 2.174
53 1.33 1.287 1.34
54 1.183 1.16 1.204
55 0.874 0.8268 0.8957
56 1.155 1.121 1.18
57 0.4863 0.4254 0.6382
58 0.9988 0.9833 1.009
59 1.042 1.018 1.064
60 0.6008 0.5921 0.6084
61 1.129 0.8707 1.163
64 2.02 1.919 2.274
65 2.022 1.92 2.081
66 2.127 1.899 2.315
67 1.627 1.543 1.714
68 3.272 3.021 3.645
69 3.323 3.172 3.589
70 1.377 1.306 1.501
71 1.436 1.32 1.524
72 1.972 1.782 2.098
73 1.153 1.095 1.198
74 2.115 1.833 2.216
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-residual.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsrc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-residual.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csr", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "bdia(256)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "bcsrc(3,3)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "bcsr(3,3)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "sell(8,4096)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "dcsr", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "sell(8,500000)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csbc(2048,32768)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "dcsc", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "bcsrc(2,2)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "sell(8,131072)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csc", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csbc(65536,32768)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "bcsrc(4,4)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "bcsr(4,4)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid 0.2 border title "librsb", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
