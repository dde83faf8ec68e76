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
set xrange [0:104]
unset xtics
set label "0" at first 5, graph 0 center offset 0, -1
set label "1" at first 15.5, graph 0 center offset 0, -1
set label "2" at first 26.5, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 16, graph 0 center offset 0, -2
set label "0" at first 38, graph 0 center offset 0, -1
set label "1" at first 48, graph 0 center offset 0, -1
set label "2" at first 58, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 48, graph 0 center offset 0, -2
set label "0" at first 69, graph 0 center offset 0, -1
set label "1" at first 79, graph 0 center offset 0, -1
set label "2" at first 89, graph 0 center offset 0, -1
set label "3" at first 99, graph 0 center offset 0, -1
set label "enron@0.02\n(stand-in)" at first 84, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.1081:3.712]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.295
11 1 1.909
22 1 1.578
34 1 1.42
44 1 1.932
54 0.934 1
65 0.9945 1
75 1 1.233
85 1 2.553
95 0.7574 1
EOD
$s1 << EOD
2 0.6296 1
12 1 1.065
23 1 1.055
35 0.7738 1
45 0.5981 1
55 0.5969 1
66 0.3716 1
76 0.6357 1
86 0.422 1
96 0.4695 1
EOD
$s2 << EOD
3 0.585 1
13 1 1.095
24 1 1.043
36 0.8803 1
46 1 1.296
56 0.5044 1
67 0.8098 1
77 1 1.137
87 1 1.029
97 1 1.386
EOD
$s3 << EOD
4 0.5662 1
14 0.6596 1
25 1 1.61
68 0.8487 1
78 1 1.099
88 1 2.002
98 1 1.236
EOD
$s4 << EOD
5 1 1.578
15 1 2.85
26 1 1.513
EOD
$s5 << EOD
6 1 1.029
16 1 1.542
27 1 1.711
37 1 1.194
47 1 1.729
57 1 1.049
69 1 1.014
79 1 1.227
89 1 2.97
99 0.8447 1
EOD
$s6 << EOD
17 1 1.841
28 1 1.268
38 1 1.348
48 0.9853 1
58 1 1.006
70 0.9389 1
80 1 1.519
90 0.9984 1
100 0.9721 1
EOD
$s7 << EOD
39 1 1.248
49 1 1.981
59 1 1.057
EOD
$s8 << EOD
7 0.4098 1
18 0.4924 1
29 0.5569 1
40 0.6989 1
50 1 1.004
60 0.2507 1
71 0.1355 1
81 0.2769 1
91 0.5 1
101 0.1889 1
EOD
$s9 << EOD
8 0.6836 1
19 1 1.179
30 1 1.32
41 0.7052 1
51 1 1.096
61 0.7494 1
72 0.5936 1
82 0.8918 1
92 1 1.393
102 1 1.007
EOD
$s10 << EOD
9 0.3063 1
20 0.5343 1
31 0.3729 1
42 0.4961 1
52 0.7547 1
62 0.333 1
73 0.1352 1
83 0.2458 1
93 0.953 1
103 0.1661 1
EOD
$intervals << EOD
1 1.295 1.185 1.471
2 0.6296 0.5933 0.7237
3 0.585 0.5456 0.6666
4 0.5662 0.5421 0.65
5 1.578 1.484 1.768
6 1.029 0.9829 1.193
7 0.4098 0.3012 0.758
8 0.6836 0.6558 0.7801
9 0.3063 0.2926 0.3457
11 1.909 1.563 2.89
12 1.065 0.9121 1.451
13 1.095 0.822 1.499
14 0.6596 0.5285 0.9845
15 2.85 2.632 3.267
16 1.542 1.047 2.104
17 1.841 1.077 2.33
18 0.4924 0.3561 0.6415
19 1.179 0.9755 1.553
20 0.5343 0.2938 0.6687
22 1.578 1.452 1.955
23 1.055 0.9717 1.379
24 1.043 0.9372 1.389
25 1.61 1.455 2.114
26 1.513 1.385 1.975
27 1.711 1.579 2.146
28 1.268 1.186 1.551
29 0.5569 0.3354 0.6995
30 1.32 1.193 1.796
31 0.3729 0.3254 0.4747
34 1.42 1.238 1.456
35 0.7738 0.4997 0.8206
36 0.8803 0.7117 0.9463
37 1.194 1.142 1.212
38 1.348 1.174 1.413
39 1.248 1.015 1.335
40 0.6989 0.2695 0.7107
41 0.7052 0.5849 0.7257
42 0.4961 0.2864 0.5132
44 1.932 1.499 1.951
45 0.5981 0.5562 0.7087
46 1.296 1.222 2.504
47 1.729 1.127 3.465
48 0.9853 0.7596 2.201
49 1.981 0.9271 3.903
50 1.004 0.8933 1.963
51 1.096 0.9019 1.843
52 0.7547 0.5464 0.9851
54 0.934 0.8733 1.163
55 0.5969 0.4539 0.7725
56 0.5044 0.4712 0.662
57 1.049 0.916 1.355
58 1.006 0.449 1.28
59 1.057 0.7429 1.441
60 0.2507 0.1791 0.5409
61 0.7494 0.6523 0.9791
62 0.333 0.2027 0.4183
65 0.9945 0.9333 1.053
66 0.3716 0.349 0.4308
67 0.8098 0.7716 0.9023
68 0.8487 0.7804 0.9334
69 1.014 0.9652 1.059
70 0.9389 0.8629 1.027
71 0.1355 0.1308 0.147
72 0.5936 0.5671 0.6357
73 0.1352 0.1163 0.1496
75 1.233 0.6661 1.306
76 0.6357 0.4188 1.184
77 1.137 1.112 1.97
78 1.099 1.086 2.021
79 1.227 1.082 2.225
80 1.519 1.308 2.431
81 0.2769 0.205 0.4042
82 0.8918 0.8045 1.49
83 0.2458 0.2146 0.4317
85 2.553 2.422 9.122
86 0.422 0.3976 1.181
87 1.029 0.9183 4.531
88 2.002 1.885 8.812
89 2.97 2.765 13.07
90 0.9984 0.7805 3.499
91 0.5 0.5 1.991
92 1.393 1.366 5.057
93 0.953 0.8867 2.93
95 0.7574 0.6677 0.913
96 0.4695 0.3906 0.516
97 1.386 1.228 1.463
98 1.236 1.03 1.32
99 0.8447 0.7656 0.895
100 0.9721 0.8537 1.079
101 0.1889 0.1236 0.2017
102 1.007 0.8253 1.075
103 0.1661 0.1205 0.1774
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf in order", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf in order", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
