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
set bmargin 10.7
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: mttkrp, rank 32, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:100]
unset xtics
set label "0" at first 5, graph 0 center offset 0, -1
set label "1" at first 15, graph 0 center offset 0, -1
set label "2" at first 25.5, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 15.5, graph 0 center offset 0, -2
set label "0" at first 37, graph 0 center offset 0, -1
set label "1" at first 47, graph 0 center offset 0, -1
set label "2" at first 57, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 47, graph 0 center offset 0, -2
set label "0" at first 67.5, graph 0 center offset 0, -1
set label "1" at first 76.5, graph 0 center offset 0, -1
set label "2" at first 86, graph 0 center offset 0, -1
set label "3" at first 95.5, graph 0 center offset 0, -1
set label "enron@0.02\n(stand-in)" at first 81.5, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.09083:3.917]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.4
11 1 2.231
21 1 1.125
33 1 1.077
43 1 1.256
53 0.9295 1
64 0.7907 1
73 1 1.036
82 1 2.024
92 0.9732 1
EOD
$s1 << EOD
2 1 1.468
12 1 2.377
22 1 1.597
EOD
$s2 << EOD
3 1 1.419
13 1 2.314
23 1 1.507
34 1 1.009
EOD
$s3 << EOD
4 1 1.091
14 1 1.569
24 1 1.505
35 0.9693 1
44 1 1.202
54 0.8298 1
65 1 1.068
74 1 1.167
83 1 3.134
93 1 1.185
EOD
$s4 << EOD
5 0.6055 1
15 1 1
25 0.9703 1
36 0.7857 1
45 0.973 1
55 0.8395 1
66 0.6475 1
75 0.9665 1
84 1 1.077
94 0.9595 1
EOD
$s5 << EOD
6 0.6134 1
16 1 1.013
46 1 1.042
56 0.9642 1
76 0.8574 1
95 0.8645 1
EOD
$s6 << EOD
26 1 1.125
57 0.9142 1
EOD
$s7 << EOD
27 1 1.475
67 0.6798 1
77 0.9624 1
85 1 2.108
96 1 1.019
EOD
$s8 << EOD
37 1 1.064
EOD
$s9 << EOD
38 0.87 1
58 0.8306 1
EOD
$s10 << EOD
47 1 1.486
EOD
$s11 << EOD
48 1 1.353
EOD
$s12 << EOD
68 0.61 1
86 1 1.122
EOD
$s13 << EOD
87 1 2.162
EOD
$s14 << EOD
7 0.3343 1
17 0.5351 1
28 0.5662 1
39 0.1967 1
49 0.4186 1
59 0.4247 1
69 0.1135 1
78 0.2259 1
88 0.5954 1
97 0.1471 1
EOD
$s15 << EOD
8 0.6233 1
18 1 1.025
29 1 1.052
40 0.5763 1
50 0.7803 1
60 0.7207 1
70 0.4725 1
79 0.6873 1
89 1 1.22
98 0.6672 1
EOD
$s16 << EOD
9 0.2839 1
19 0.3937 1
30 0.3542 1
41 0.3265 1
51 0.4535 1
61 0.3374 1
71 0.1617 1
80 0.2161 1
90 0.7368 1
99 0.1954 1
EOD
$intervals << EOD
1 1.4 1.318 1.5
2 1.468 1.392 1.609
3 1.419 1.34 1.542
4 1.091 0.9681 1.173
5 0.6055 0.5386 0.6491
6 0.6134 0.5829 0.6549
7 0.3343 0.242 0.4249
8 0.6233 0.57 0.6656
9 0.2839 0.2689 0.3023
11 2.231 2.156 2.29
12 2.377 2.134 2.471
13 2.314 2.256 2.395
14 1.569 1.482 1.617
15 1 0.9853 1.015
16 1.013 0.9936 1.025
17 0.5351 0.4696 0.925
18 1.025 1.009 1.04
19 0.3937 0.3889 0.4005
21 1.125 1.105 1.153
22 1.597 1.549 1.641
23 1.507 1.477 1.536
24 1.505 1.48 1.531
25 0.9703 0.9553 0.9884
26 1.125 1.108 1.14
27 1.475 1.451 1.511
28 0.5662 0.4892 0.5822
29 1.052 1.032 1.076
30 0.3542 0.351 0.3607
33 1.077 1.041 1.134
34 1.009 0.9556 1.092
35 0.9693 0.9287 1.052
36 0.7857 0.7675 0.826
37 1.064 1.038 1.133
38 0.87 0.8152 0.9301
39 0.1967 0.1702 0.2185
40 0.5763 0.5246 0.5973
41 0.3265 0.3052 0.3476
43 1.256 1.176 1.346
44 1.202 1.144 1.274
45 0.973 0.9322 1.033
46 1.042 0.96 1.118
47 1.486 1.4 1.591
48 1.353 1.238 1.433
49 0.4186 0.3933 0.476
50 0.7803 0.6959 0.8364
51 0.4535 0.4394 0.4839
53 0.9295 0.8909 0.9701
54 0.8298 0.7975 0.8754
55 0.8395 0.7883 0.8811
56 0.9642 0.9294 1.013
57 0.9142 0.8832 0.9433
58 0.8306 0.8002 0.868
59 0.4247 0.3448 0.4547
60 0.7207 0.6846 0.7882
61 0.3374 0.32 0.3586
64 0.7907 0.7671 0.8164
65 1.068 1.003 1.126
66 0.6475 0.6302 0.6703
67 0.6798 0.6575 0.7047
68 0.61 0.5974 0.6383
69 0.1135 0.1073 0.1557
70 0.4725 0.4549 0.4837
71 0.1617 0.1457 0.1896
73 1.036 1.011 1.103
74 1.167 1.139 1.24
75 0.9665 0.9481 1.036
76 0.8574 0.8237 0.9414
77 0.9624 0.9451 1.028
78 0.2259 0.2163 0.2426
79 0.6873 0.6776 0.7389
80 0.2161 0.1659 0.2377
82 2.024 1.907 2.082
83 3.134 2.877 3.294
84 1.077 0.9885 1.136
85 2.108 1.818 2.155
86 1.122 0.9978 1.193
87 2.162 2.022 2.269
88 0.5954 0.5233 0.6156
89 1.22 1.134 1.269
90 0.7368 0.6852 0.7634
92 0.9732 0.9296 1.039
93 1.185 1.05 1.373
94 0.9595 0.8959 1.024
95 0.8645 0.8119 0.9455
96 1.019 0.9929 1.084
97 0.1471 0.1415 0.1938
98 0.6672 0.644 0.7223
99 0.1954 0.149 0.2133
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csf:0,2,1", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(16384)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:2,0,1,3", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csf:0,2,1", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(16384)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:2,0,1,3", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
