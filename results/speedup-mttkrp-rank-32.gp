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
set title "Speed-up: mttkrp, rank 32, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
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
set yrange [0.1526:3.85]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.919
10 1 1.614
20 1 1.226
31 1 1.009
41 1 1.222
51 0.9367 1
62 1 1.167
72 1 1.136
82 1 2.315
92 0.8395 1
EOD
$s1 << EOD
2 0.8981 1
11 1 1.087
21 1 1.217
32 0.6131 1
42 0.6561 1
52 0.584 1
63 0.6191 1
73 0.6352 1
83 0.7087 1
93 0.5767 1
EOD
$s2 << EOD
3 0.8723 1
12 0.9169 1
22 1 1.231
33 1 1.06
43 1 1.321
53 1 1.203
64 1 1.222
74 1 1.23
84 1 1.22
94 1 1.18
EOD
$s3 << EOD
4 1 1.001
13 1 1.078
23 1 1.139
65 1 1.291
75 1 1.404
85 1 2.302
95 1 1.291
EOD
$s4 << EOD
5 1 1.378
14 1 1.219
24 1 1.437
34 1 1.169
44 1 1.488
54 1 1.088
66 1 1.288
76 1 1.284
86 1 3.08
96 0.8916 1
EOD
$s5 << EOD
15 1 2.021
25 1 1.108
35 1 1.063
45 0.952 1
55 0.8806 1
67 1 1.535
77 1 1.475
87 1 1.123
97 1 1.225
EOD
$s6 << EOD
36 1 1.239
46 1 1.731
56 1 1.283
EOD
$s7 << EOD
6 0.8675 1
16 1 1.088
26 0.5835 1
37 0.4977 1
47 0.7754 1
57 0.4271 1
68 0.2871 1
78 0.2997 1
88 0.9167 1
98 0.284 1
EOD
$s8 << EOD
7 1 1.161
17 1 1.261
27 1 1.321
38 1 1.01
48 1 1.314
58 1 1.205
69 1 1.137
79 0.9136 1
89 1 1.62
99 1 1.047
EOD
$s9 << EOD
8 0.2883 1
18 0.3061 1
28 0.3145 1
39 0.3189 1
49 0.4306 1
59 0.2985 1
70 0.2224 1
80 0.2258 1
90 0.7849 1
100 0.1907 1
EOD
$intervals << EOD
1 1.919 1.438 2.119
2 0.8981 0.8239 0.9921
3 0.8723 0.8345 0.9708
4 1.001 0.9081 1.104
5 1.378 1.207 1.522
6 0.8675 0.8321 0.9977
7 1.161 1.099 1.307
8 0.2883 0.2815 0.3143
10 1.614 1.519 2.033
11 1.087 0.7433 1.346
12 0.9169 0.7464 1.131
13 1.078 0.9752 1.365
14 1.219 1.117 1.704
15 2.021 1.954 2.603
16 1.088 0.9032 1.358
17 1.261 1.243 1.53
18 0.3061 0.2746 0.3794
20 1.226 1.166 1.421
21 1.217 1.188 1.42
22 1.231 1.112 1.391
23 1.139 1.096 1.298
24 1.437 1.383 1.633
25 1.108 1.083 1.256
26 0.5835 0.5521 0.6685
27 1.321 0.7544 1.531
28 0.3145 0.3053 0.3572
31 1.009 0.957 1.023
32 0.6131 0.5424 0.6311
33 1.06 1.022 1.168
34 1.169 1.125 1.522
35 1.063 1.02 1.422
36 1.239 1.169 1.649
37 0.4977 0.487 0.8193
38 1.01 0.954 1.18
39 0.3189 0.2463 0.3325
41 1.222 1.173 1.227
42 0.6561 0.5819 0.6758
43 1.321 1.137 1.442
44 1.488 1.281 1.731
45 0.952 0.9164 1.115
46 1.731 1.49 2.077
47 0.7754 0.7153 1.03
48 1.314 1.16 1.353
49 0.4306 0.4023 0.6694
51 0.9367 0.8161 1.511
52 0.584 0.5597 1.22
53 1.203 0.9587 2.648
54 1.088 0.768 2.268
55 0.8806 0.8555 1.828
56 1.283 1.015 2.01
57 0.4271 0.4106 0.8776
58 1.205 1.205 1.488
59 0.2985 0.2594 0.3666
62 1.167 1.117 1.239
63 0.6191 0.5753 0.7116
64 1.222 1.077 1.486
65 1.291 0.9851 1.522
66 1.288 1.2 1.414
67 1.535 1.434 1.647
68 0.2871 0.2452 0.3359
69 1.137 1.053 1.266
70 0.2224 0.2061 0.2537
72 1.136 1.089 1.159
73 0.6352 0.5957 0.651
74 1.23 1.172 1.265
75 1.404 1.283 1.427
76 1.284 1.241 1.298
77 1.475 1.366 1.537
78 0.2997 0.2769 0.3063
79 0.9136 0.7524 1.024
80 0.2258 0.209 0.2302
82 2.315 2.113 9.294
83 0.7087 0.6892 2.845
84 1.22 1.076 4.955
85 2.302 2.025 9.76
86 3.08 2.785 11.94
87 1.123 1.009 4.037
88 0.9167 0.8336 3.68
89 1.62 1.589 6.173
90 0.7849 0.7096 2.998
92 0.8395 0.8127 0.9193
93 0.5767 0.5599 0.7872
94 1.18 1.132 2.222
95 1.291 0.8488 2.135
96 0.8916 0.5958 1.475
97 1.225 0.7189 2.013
98 0.284 0.2639 0.5692
99 1.047 0.8148 1.453
100 0.1907 0.1485 0.2841
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
