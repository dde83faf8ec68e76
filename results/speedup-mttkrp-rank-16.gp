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
set key at screen 0.5, screen 0.015 center bottom maxrows 3 Left reverse samplen 1.5
set bmargin 8.5
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: mttkrp, rank 16, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:101]
unset xtics
set label "0" at first 4.5, graph 0 center offset 0, -1
set label "1" at first 14, graph 0 center offset 0, -1
set label "2" at first 24, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 14.5, graph 0 center offset 0, -2
set label "0" at first 35, graph 0 center offset 0, -1
set label "1" at first 45, graph 0 center offset 0, -1
set label "2" at first 55, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 45, graph 0 center offset 0, -2
set label "0" at first 66, graph 0 center offset 0, -1
set label "1" at first 76, graph 0 center offset 0, -1
set label "2" at first 86, graph 0 center offset 0, -1
set label "3" at first 96, graph 0 center offset 0, -1
set label "enron@0.02\n(stand-in)" at first 81, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.1686:3.276]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.96
10 1 2.118
20 0.8589 1
31 0.9609 1
41 1 1.206
51 0.9112 1
62 0.9373 1
72 0.8865 1
82 1 1.543
92 0.8614 1
EOD
$s1 << EOD
2 0.8972 1
11 1 1.45
21 1 1.188
32 0.5013 1
42 0.6225 1
52 0.5798 1
63 0.5604 1
73 0.6054 1
83 0.6899 1
93 0.9347 1
EOD
$s2 << EOD
3 0.8726 1
12 1 1.308
22 1 1.118
33 1 1.243
43 1 1.472
53 1 1.68
64 1 1.23
74 1 1.217
84 1 1.347
94 1 1.7
EOD
$s3 << EOD
4 1 1.137
13 1 1.254
23 0.8781 1
65 1 1.439
75 1 1.408
85 1 2.122
95 1 1.709
EOD
$s4 << EOD
5 1 1.516
14 1 1.682
24 1 1.569
34 1 1.195
44 1 1.432
54 1 1.099
66 1 1.203
76 1 1.299
86 1 2.62
96 1 1.056
EOD
$s5 << EOD
15 1 2.092
25 1 1.157
35 0.9035 1
45 0.8781 1
55 0.9323 1
67 1 1.337
77 1 1.363
87 1 1.289
97 1 1.489
EOD
$s6 << EOD
36 1 1.48
46 1 1.86
56 1 1.843
EOD
$s7 << EOD
6 0.8179 1
16 0.9216 1
26 0.453 1
37 0.4318 1
47 0.5244 1
57 0.5026 1
68 0.2237 1
78 0.2757 1
88 0.4854 1
98 0.4178 1
EOD
$s8 << EOD
7 1 1.131
17 1 1.321
27 1 1.164
38 1 1.094
48 1 1.347
58 1 1.639
69 0.958 1
79 1 1.072
89 1 1.328
99 1 1.281
EOD
$s9 << EOD
8 0.3351 1
18 0.4603 1
28 0.2969 1
39 0.2992 1
49 0.4719 1
59 0.3206 1
70 0.2215 1
80 0.2238 1
90 0.45 1
100 0.2108 1
EOD
$intervals << EOD
1 1.96 1.912 2.48
2 0.8972 0.8845 1.114
3 0.8726 0.8469 1.142
4 1.137 0.8527 1.952
5 1.516 1.12 2.603
6 0.8179 0.7802 1.325
7 1.131 1.081 2.076
8 0.3351 0.3268 0.494
10 2.118 1.772 2.855
11 1.45 0.9776 1.487
12 1.308 1.07 1.404
13 1.254 0.9929 1.754
14 1.682 1.476 2.468
15 2.092 1.783 2.863
16 0.9216 0.8188 0.9588
17 1.321 1.23 1.346
18 0.4603 0.3795 0.4603
20 0.8589 0.821 0.9259
21 1.188 0.9166 1.194
22 1.118 0.8576 1.156
23 0.8781 0.7559 0.9147
24 1.569 1.323 1.595
25 1.157 1.109 1.184
26 0.453 0.4362 0.4708
27 1.164 0.9412 1.208
28 0.2969 0.2661 0.2991
31 0.9609 0.9378 1.078
32 0.5013 0.4868 0.561
33 1.243 1.139 1.446
34 1.195 0.9203 1.389
35 0.9035 0.7612 1.058
36 1.48 1.198 1.803
37 0.4318 0.3802 0.5552
38 1.094 0.8645 1.516
39 0.2992 0.2525 0.3583
41 1.206 1.041 1.356
42 0.6225 0.5322 0.7497
43 1.472 1.388 1.758
44 1.432 1.103 1.759
45 0.8781 0.8305 1.024
46 1.86 1.681 2.363
47 0.5244 0.4769 0.7683
48 1.347 1.294 1.517
49 0.4719 0.3714 0.5508
51 0.9112 0.8908 0.948
52 0.5798 0.5722 0.5994
53 1.68 1.658 1.784
54 1.099 1.056 1.12
55 0.9323 0.8624 1.16
56 1.843 1.79 1.932
57 0.5026 0.4621 0.5352
58 1.639 1.554 1.69
59 0.3206 0.2748 0.3252
62 0.9373 0.8778 0.9608
63 0.5604 0.522 0.6183
64 1.23 1.143 1.324
65 1.439 1.34 1.444
66 1.203 1.136 1.218
67 1.337 1.204 1.405
68 0.2237 0.185 0.2318
69 0.958 0.911 1.221
70 0.2215 0.194 0.233
72 0.8865 0.8802 0.9011
73 0.6054 0.5868 0.6157
74 1.217 1.183 1.246
75 1.408 1.375 1.444
76 1.299 1.226 1.343
77 1.363 1.318 1.391
78 0.2757 0.2285 0.3022
79 1.072 1.054 1.125
80 0.2238 0.2209 0.2275
82 1.543 1.462 1.792
83 0.6899 0.6759 0.7054
84 1.347 1.321 1.466
85 2.122 0.6872 2.285
86 2.62 2.504 2.783
87 1.289 1.267 1.398
88 0.4854 0.4719 0.5157
89 1.328 1.242 1.613
90 0.45 0.4335 0.4778
92 0.8614 0.7976 0.9283
93 0.9347 0.592 0.9347
94 1.7 1.274 1.726
95 1.709 1.282 1.792
96 1.056 0.8145 1.36
97 1.489 1.118 1.54
98 0.4178 0.2176 0.4178
99 1.281 1.029 1.777
100 0.2108 0.1783 0.2911
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
