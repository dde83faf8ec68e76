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
set yrange [0.09097:3.234]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.17
10 1 2.296
20 1 1.244
31 0.9169 1
41 1 1.493
51 1 1.099
62 0.7786 1
72 0.9747 1
82 1 1.901
92 0.9722 1
EOD
$s1 << EOD
2 0.6459 1
11 1 1.07
21 0.9442 1
32 0.4452 1
42 0.7078 1
52 0.5135 1
63 0.4652 1
73 0.4599 1
83 0.4738 1
93 0.6728 1
EOD
$s2 << EOD
3 0.7682 1
12 1 1.284
22 1 1.153
33 0.6526 1
43 1 1.248
53 0.9826 1
64 0.7791 1
74 1 1.031
84 1 1.379
94 1 1.113
EOD
$s3 << EOD
4 0.7351 1
13 1 1.35
23 1 1.552
65 0.7236 1
75 0.82 1
85 1 2.561
95 1 1.108
EOD
$s4 << EOD
5 1 1.052
14 1 1.754
24 1 1.564
34 1 1.081
44 1 1.539
54 1 1.182
66 1 1.058
76 1 1.22
86 1 2.587
96 1 1.417
EOD
$s5 << EOD
15 1 2.111
25 1 1.252
35 0.9097 1
45 1 1.038
55 0.8133 1
67 0.7233 1
77 0.8795 1
87 0.8674 1
97 0.9003 1
EOD
$s6 << EOD
36 0.9061 1
46 1 1.409
56 0.8979 1
EOD
$s7 << EOD
6 0.3062 1
16 0.4572 1
26 0.4665 1
37 0.3025 1
47 0.6317 1
57 0.1607 1
68 0.1137 1
78 0.1173 1
88 0.5206 1
98 0.1348 1
EOD
$s8 << EOD
7 0.774 1
17 1 1.219
27 1 1.157
38 0.5672 1
48 1 1.003
58 0.8941 1
69 0.4812 1
79 0.663 1
89 1 1.182
99 0.6557 1
EOD
$s9 << EOD
8 0.3545 1
18 0.3667 1
28 0.2943 1
39 0.2486 1
49 0.3862 1
59 0.287 1
70 0.1224 1
80 0.1281 1
90 0.4186 1
100 0.1698 1
EOD
$intervals << EOD
1 1.17 1.043 1.492
2 0.6459 0.5138 0.6943
3 0.7682 0.7612 0.8128
4 0.7351 0.6806 0.782
5 1.052 0.945 1.149
6 0.3062 0.2264 0.557
7 0.774 0.7592 0.7919
8 0.3545 0.247 0.3787
10 2.296 2.006 2.432
11 1.07 0.8527 1.385
12 1.284 1.249 1.611
13 1.35 1.316 1.694
14 1.754 1.408 2.195
15 2.111 1.704 2.735
16 0.4572 0.3907 0.6218
17 1.219 0.9836 1.56
18 0.3667 0.3152 0.6632
20 1.244 1.076 1.29
21 0.9442 0.8475 1.056
22 1.153 0.8626 1.33
23 1.552 1.145 1.802
24 1.564 1.089 1.777
25 1.252 0.9017 1.449
26 0.4665 0.3455 0.5319
27 1.157 0.9442 1.297
28 0.2943 0.235 0.3292
31 0.9169 0.8028 1.157
32 0.4452 0.4163 0.5667
33 0.6526 0.432 0.8238
34 1.081 1.002 1.368
35 0.9097 0.749 1.148
36 0.9061 0.8352 1.144
37 0.3025 0.2804 0.3967
38 0.5672 0.5121 0.7998
39 0.2486 0.07562 0.2984
41 1.493 0.9933 1.493
42 0.7078 0.4469 0.7686
43 1.248 0.6757 1.368
44 1.539 1.201 2.033
45 1.038 0.4579 1.4
46 1.409 1.124 1.536
47 0.6317 0.3479 0.7288
48 1.003 0.7762 1.042
49 0.3862 0.2128 0.5254
51 1.099 0.9906 1.103
52 0.5135 0.4719 0.6484
53 0.9826 0.8697 1.228
54 1.182 0.981 1.375
55 0.8133 0.7524 1.014
56 0.8979 0.8307 1.15
57 0.1607 0.117 0.6309
58 0.8941 0.6841 1.065
59 0.287 0.2543 0.3715
62 0.7786 0.3866 1.364
63 0.4652 0.3984 0.803
64 0.7791 0.6252 1.466
65 0.7236 0.5491 1.384
66 1.058 0.6938 2.085
67 0.7233 0.6371 1.013
68 0.1137 0.1002 0.1836
69 0.4812 0.4034 0.9432
70 0.1224 0.09731 0.191
72 0.9747 0.9504 1.165
73 0.4599 0.3727 0.551
74 1.031 0.8699 1.235
75 0.82 0.3484 1.084
76 1.22 1.163 1.609
77 0.8795 0.7361 1.163
78 0.1173 0.106 0.1472
79 0.663 0.6083 0.8897
80 0.1281 0.1262 0.2094
82 1.901 1.591 2.273
83 0.4738 0.3861 0.5945
84 1.379 1.102 1.379
85 2.561 1.891 2.605
86 2.587 1.679 3.419
87 0.8674 0.7259 1.11
88 0.5206 0.3734 0.5842
89 1.182 1.072 1.274
90 0.4186 0.351 0.4543
92 0.9722 0.7131 1.018
93 0.6728 0.627 0.6922
94 1.113 0.9899 1.364
95 1.108 0.8128 1.222
96 1.417 1.124 1.52
97 0.9003 0.8081 1.353
98 0.1348 0.1209 0.2204
99 0.6557 0.5753 0.75
100 0.1698 0.1155 0.249
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "strips(2048)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "strips(2048)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
