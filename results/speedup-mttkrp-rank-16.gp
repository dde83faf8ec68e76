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
set yrange [0.08182:3.649]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.395
10 1 2.835
20 1 1.134
31 0.8633 1
41 1 1.234
51 1 1.174
62 0.7267 1
72 1 1.054
82 1 1.404
92 0.9954 1
EOD
$s1 << EOD
2 0.643 1
11 1 1.32
21 0.9936 1
32 0.5104 1
42 0.5358 1
52 0.6405 1
63 0.3615 1
73 0.4978 1
83 0.3895 1
93 0.5036 1
EOD
$s2 << EOD
3 0.7671 1
12 1 1.53
22 1 1.05
33 0.8031 1
43 1 1.038
53 1 1.117
64 0.8751 1
74 1 1.389
84 1 1.278
94 1 1.127
EOD
$s3 << EOD
4 0.6631 1
13 1 1.598
23 1 1.578
65 0.7945 1
75 1 1.198
85 1 1.441
95 1 1.103
EOD
$s4 << EOD
5 1 1.032
14 1 2.285
24 1 1.553
34 1 1.119
44 1 1.417
54 1 1.299
66 0.9516 1
76 1 1.407
86 1 1.891
96 1 1.017
EOD
$s5 << EOD
15 1 2.919
25 1 1.317
35 0.8229 1
45 0.8515 1
55 0.961 1
67 0.7565 1
77 0.8094 1
87 0.9423 1
97 0.7791 1
EOD
$s6 << EOD
36 1 1.13
46 1 1.499
56 1 1.338
EOD
$s7 << EOD
6 0.3525 1
16 0.5926 1
26 0.469 1
37 0.3587 1
47 0.4438 1
57 0.5441 1
68 0.1023 1
78 0.1496 1
88 0.5551 1
98 0.1258 1
EOD
$s8 << EOD
7 0.9961 1
17 1 1.459
27 1 1.058
38 0.6939 1
48 0.9866 1
58 1 1.069
69 0.5021 1
79 0.6999 1
89 0.8955 1
99 0.6936 1
EOD
$s9 << EOD
8 0.3823 1
18 0.6345 1
28 0.3129 1
39 0.2529 1
49 0.3604 1
59 0.3528 1
70 0.1776 1
80 0.1651 1
90 0.3988 1
100 0.1417 1
EOD
$intervals << EOD
1 1.395 1.162 1.477
2 0.643 0.4591 0.6559
3 0.7671 0.5502 0.7826
4 0.6631 0.4718 1.094
5 1.032 0.7156 1.678
6 0.3525 0.2365 0.414
7 0.9961 0.6747 1.237
8 0.3823 0.2701 0.5594
10 2.835 2.458 3.012
11 1.32 1.148 1.358
12 1.53 1.275 1.589
13 1.598 1.376 1.67
14 2.285 1.986 2.39
15 2.919 2.466 3.015
16 0.5926 0.3967 1.147
17 1.459 1.379 1.524
18 0.6345 0.4138 0.6468
20 1.134 1.117 1.16
21 0.9936 0.8786 1.002
22 1.05 0.3857 1.108
23 1.578 1.521 1.696
24 1.553 1.457 1.649
25 1.317 1.131 1.353
26 0.469 0.4304 0.5347
27 1.058 0.9997 1.06
28 0.3129 0.2749 0.3252
31 0.8633 0.7285 1.056
32 0.5104 0.3277 0.6989
33 0.8031 0.7365 0.9219
34 1.119 0.9685 1.429
35 0.8229 0.6944 1.217
36 1.13 1.027 1.4
37 0.3587 0.2422 0.5745
38 0.6939 0.6027 0.8117
39 0.2529 0.2399 0.2885
41 1.234 1.153 1.429
42 0.5358 0.5038 0.5501
43 1.038 0.9992 1.286
44 1.417 1.154 1.949
45 0.8515 0.6163 1.401
46 1.499 1.241 2.061
47 0.4438 0.3009 0.6081
48 0.9866 0.9475 1.221
49 0.3604 0.3375 0.3836
51 1.174 1.155 1.24
52 0.6405 0.5053 0.6694
53 1.117 0.9526 1.141
54 1.299 1.242 1.656
55 0.961 0.9439 0.9917
56 1.338 1.316 1.71
57 0.5441 0.5351 0.6835
58 1.069 1.051 1.111
59 0.3528 0.2885 0.3661
62 0.7267 0.6824 0.8324
63 0.3615 0.3011 0.5117
64 0.8751 0.6672 0.9956
65 0.7945 0.7095 0.8032
66 0.9516 0.947 1.004
67 0.7565 0.6775 0.8047
68 0.1023 0.08422 0.1037
69 0.5021 0.4345 0.5711
70 0.1776 0.1458 0.2125
72 1.054 0.9703 1.247
73 0.4978 0.2998 0.6556
74 1.389 1.013 1.523
75 1.198 1.067 1.239
76 1.407 1.24 1.609
77 0.8094 0.7891 1.011
78 0.1496 0.1248 0.1552
79 0.6999 0.6999 0.7619
80 0.1651 0.1456 0.1942
82 1.404 1.269 1.703
83 0.3895 0.3564 0.6679
84 1.278 1.202 1.376
85 1.441 1.31 2.955
86 1.891 1.686 3.388
87 0.9423 0.8414 1.205
88 0.5551 0.5351 0.6655
89 0.8955 0.5237 1.162
90 0.3988 0.3459 0.7182
92 0.9954 0.9241 1.065
93 0.5036 0.4678 0.611
94 1.127 0.9478 1.248
95 1.103 1.009 1.215
96 1.017 0.918 1.332
97 0.7791 0.7052 1.011
98 0.1258 0.1193 0.1319
99 0.6936 0.5414 0.7524
100 0.1417 0.106 0.1703
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
