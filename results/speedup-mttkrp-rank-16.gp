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
set title "Speed-up: mttkrp, rank 16, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
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
set yrange [0.1434:4.124]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.417
11 1 2.726
21 1 1.026
33 0.8223 1
43 1 1.222
53 1 1.052
64 0.6249 1
73 0.9181 1
82 1 1.288
92 0.7187 1
EOD
$s1 << EOD
2 1 1.612
12 1 3.299
22 1 1.568
EOD
$s2 << EOD
3 1 1.468
13 1 2.747
23 1 1.531
34 0.8668 1
EOD
$s3 << EOD
4 1 1.208
14 1 2.348
24 1 1.752
35 1 1.086
44 1 1.565
54 1 1.392
65 1 1.211
74 1 1.912
83 1 2.025
93 1 1.437
EOD
$s4 << EOD
5 0.7289 1
15 1 1.421
25 1 1.057
36 0.6525 1
45 1 1.056
55 1 1.06
66 0.8019 1
75 1 1.176
84 1 1.037
94 1 1.054
EOD
$s5 << EOD
6 0.7357 1
16 1 1.362
46 1 1.012
56 1 1.138
76 1 1.205
95 1 1.127
EOD
$s6 << EOD
26 1 1.017
57 1 1.093
EOD
$s7 << EOD
27 1 1.771
67 0.7641 1
77 1 1.254
85 1 1.767
96 1 1.256
EOD
$s8 << EOD
37 0.8362 1
EOD
$s9 << EOD
38 0.8232 1
58 1 1.129
EOD
$s10 << EOD
47 1 1.459
EOD
$s11 << EOD
48 1 1.238
EOD
$s12 << EOD
68 0.7536 1
86 0.9795 1
EOD
$s13 << EOD
87 1 1.062
EOD
$s14 << EOD
7 0.2644 1
17 0.512 1
28 0.4016 1
39 0.2931 1
49 0.3213 1
59 0.4372 1
69 0.1793 1
78 0.211 1
88 0.3869 1
97 0.2076 1
EOD
$s15 << EOD
8 0.7017 1
18 1 1.397
29 1 1.108
40 0.6833 1
50 1 1.024
60 1 1.03
70 0.4513 1
79 0.7033 1
89 1 1.057
98 0.5757 1
EOD
$s16 << EOD
9 0.3515 1
19 0.6263 1
30 0.3702 1
41 0.2764 1
51 0.4105 1
61 0.3787 1
71 0.2408 1
80 0.3073 1
90 0.44 1
99 0.2759 1
EOD
$intervals << EOD
1 1.417 1.224 1.563
2 1.612 1.488 1.794
3 1.468 1.358 1.576
4 1.208 1.105 1.315
5 0.7289 0.6747 0.7748
6 0.7357 0.68 0.7729
7 0.2644 0.1793 0.5832
8 0.7017 0.6298 0.7757
9 0.3515 0.3158 0.387
11 2.726 2.668 2.795
12 3.299 3.178 3.412
13 2.747 2.632 2.801
14 2.348 2.317 2.415
15 1.421 1.396 1.457
16 1.362 1.341 1.401
17 0.512 0.4805 0.8942
18 1.397 1.372 1.419
19 0.6263 0.6128 0.6408
21 1.026 1.011 1.06
22 1.568 1.514 1.634
23 1.531 1.472 1.592
24 1.752 1.705 1.805
25 1.057 1.035 1.094
26 1.017 1.003 1.047
27 1.771 1.726 1.82
28 0.4016 0.2253 0.4306
29 1.108 1.087 1.133
30 0.3702 0.3641 0.3814
33 0.8223 0.8139 0.8707
34 0.8668 0.8135 0.9044
35 1.086 1.058 1.182
36 0.6525 0.6089 0.6909
37 0.8362 0.8044 0.9045
38 0.8232 0.7949 0.8888
39 0.2931 0.2868 0.366
40 0.6833 0.6337 0.7235
41 0.2764 0.2713 0.2918
43 1.222 1.202 1.231
44 1.565 1.536 1.589
45 1.056 1.033 1.074
46 1.012 0.9927 1.035
47 1.459 1.415 1.479
48 1.238 1.214 1.265
49 0.3213 0.3038 0.5289
50 1.024 1.003 1.045
51 0.4105 0.4034 0.4159
53 1.052 1.01 1.069
54 1.392 1.335 1.414
55 1.06 1.022 1.089
56 1.138 1.078 1.162
57 1.093 1.063 1.119
58 1.129 1.091 1.151
59 0.4372 0.4134 0.5306
60 1.03 1.003 1.047
61 0.3787 0.3694 0.3834
64 0.6249 0.6024 0.6298
65 1.211 1.13 1.25
66 0.8019 0.7293 0.8261
67 0.7641 0.7299 0.7919
68 0.7536 0.7361 0.7625
69 0.1793 0.1734 0.1852
70 0.4513 0.4316 0.4623
71 0.2408 0.234 0.2427
73 0.9181 0.8832 0.9354
74 1.912 1.829 1.995
75 1.176 1.119 1.219
76 1.205 1.152 1.242
77 1.254 1.192 1.266
78 0.211 0.1992 0.2133
79 0.7033 0.6697 0.7236
80 0.3073 0.2601 0.3476
82 1.288 1.25 1.345
83 2.025 1.961 2.098
84 1.037 1.003 1.066
85 1.767 1.723 1.813
86 0.9795 0.9541 1.019
87 1.062 1.028 1.086
88 0.3869 0.3771 0.3985
89 1.057 0.9749 1.115
90 0.44 0.43 0.453
92 0.7187 0.6926 0.7226
93 1.437 1.3 1.476
94 1.054 1.003 1.127
95 1.127 1.057 1.138
96 1.256 1.206 1.292
97 0.2076 0.1789 0.2159
98 0.5757 0.5581 0.5843
99 0.2759 0.2609 0.2966
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csf:0,2,1", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(16384)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:2,0,1,3", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csf:0,2,1", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(16384)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:2,0,1,3", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
