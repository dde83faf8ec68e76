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
set yrange [0.06934:4.6]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.381
11 1 3.016
22 1 1.138
34 1 1.061
44 1 1.279
54 1 1.029
65 0.712 1
75 0.987 1
85 1 1.458
95 0.9384 1
EOD
$s1 << EOD
2 0.5828 1
12 1 1.335
23 0.9526 1
35 0.8474 1
45 0.4816 1
55 0.5116 1
66 0.3529 1
76 0.6491 1
86 0.3351 1
96 0.2749 1
EOD
$s2 << EOD
3 0.7357 1
13 1 1.569
24 1 1.092
36 1 1.088
46 0.9651 1
56 0.8615 1
67 0.7274 1
77 1 1.062
87 0.9786 1
97 1 1.059
EOD
$s3 << EOD
4 0.6901 1
14 1 1.65
25 1 1.632
68 0.7632 1
78 1 1.121
88 1 1.936
98 0.9802 1
EOD
$s4 << EOD
5 1 1.413
15 1 3.68
26 1 1.423
EOD
$s5 << EOD
6 1 1.093
16 1 2.31
27 1 1.551
37 1 1.972
47 1 1.522
57 1 1.178
69 1 1.018
79 1 1.457
89 1 2.347
99 1 1.058
EOD
$s6 << EOD
17 1 3.104
28 1 1.279
38 1 1.434
48 0.7297 1
58 0.7352 1
70 0.8896 1
80 1 1.166
90 0.7357 1
100 0.6166 1
EOD
$s7 << EOD
39 1 1.695
49 1 1.45
59 1 1.033
EOD
$s8 << EOD
7 0.2715 1
18 0.6094 1
29 0.5174 1
40 0.4761 1
50 0.4377 1
60 0.399 1
71 0.09682 1
81 0.1456 1
91 0.4038 1
101 0.09571 1
EOD
$s9 << EOD
8 0.6784 1
19 1 1.518
30 1 1.158
41 1 1.089
51 0.9063 1
61 0.8545 1
72 0.4513 1
82 0.7411 1
92 0.94 1
102 0.6434 1
EOD
$s10 << EOD
9 0.3419 1
20 0.6425 1
31 0.275 1
42 0.5228 1
52 0.3533 1
62 0.3253 1
73 0.1648 1
83 0.304 1
93 0.4403 1
103 0.08668 1
EOD
$intervals << EOD
1 1.381 1.158 1.627
2 0.5828 0.5443 0.6328
3 0.7357 0.5995 0.8039
4 0.6901 0.6381 0.7744
5 1.413 1.189 1.731
6 1.093 0.9202 1.194
7 0.2715 0.2016 0.3761
8 0.6784 0.577 0.7414
9 0.3419 0.2964 0.3765
11 3.016 2.431 3.088
12 1.335 1.285 1.347
13 1.569 1.516 1.665
14 1.65 1.587 1.737
15 3.68 3.27 3.989
16 2.31 2.106 2.609
17 3.104 3.008 3.27
18 0.6094 0.4491 1.18
19 1.518 1.487 1.597
20 0.6425 0.6144 0.6801
22 1.138 0.9534 1.256
23 0.9526 0.8065 1.057
24 1.092 0.8492 1.205
25 1.632 1.337 1.853
26 1.423 1.01 1.615
27 1.551 1.251 1.989
28 1.279 0.8748 1.467
29 0.5174 0.3483 0.5999
30 1.158 1.115 1.329
31 0.275 0.2566 0.3035
34 1.061 0.8853 1.124
35 0.8474 0.4991 1.061
36 1.088 0.6471 1.175
37 1.972 1.102 2.116
38 1.434 0.9727 1.453
39 1.695 0.9383 1.739
40 0.4761 0.1889 0.5465
41 1.089 0.5759 1.103
42 0.5228 0.2914 0.5385
44 1.279 1.184 1.337
45 0.4816 0.4587 0.5308
46 0.9651 0.894 1.017
47 1.522 1.367 1.715
48 0.7297 0.6473 0.8348
49 1.45 1.31 1.646
50 0.4377 0.427 0.4751
51 0.9063 0.8634 1.112
52 0.3533 0.3317 0.4424
54 1.029 1.021 1.311
55 0.5116 0.4517 0.714
56 0.8615 0.7512 1.134
57 1.178 1.091 1.386
58 0.7352 0.6811 0.9131
59 1.033 1.033 1.3
60 0.399 0.3336 0.5709
61 0.8545 0.7526 1.079
62 0.3253 0.2872 0.3563
65 0.712 0.6691 0.7445
66 0.3529 0.3254 0.4648
67 0.7274 0.6917 0.9519
68 0.7632 0.6673 0.8072
69 1.018 0.9544 1.132
70 0.8896 0.74 0.9544
71 0.09682 0.08864 0.1609
72 0.4513 0.3635 0.4918
73 0.1648 0.1305 0.1965
75 0.987 0.9838 1.077
76 0.6491 0.5173 0.6789
77 1.062 0.9354 1.328
78 1.121 1.017 1.19
79 1.457 1.307 1.64
80 1.166 1.042 1.505
81 0.1456 0.1399 0.157
82 0.7411 0.6205 0.8226
83 0.304 0.2044 0.3446
85 1.458 1.421 1.472
86 0.3351 0.3235 0.356
87 0.9786 0.9295 1.014
88 1.936 1.885 1.994
89 2.347 1.927 2.451
90 0.7357 0.6929 0.7975
91 0.4038 0.3856 0.4206
92 0.94 0.8885 0.9919
93 0.4403 0.4161 0.4564
95 0.9384 0.9299 1.303
96 0.2749 0.2374 0.3864
97 1.059 1.012 1.526
98 0.9802 0.7868 1.399
99 1.058 0.7657 1.511
100 0.6166 0.5769 0.8802
101 0.09571 0.0859 0.1273
102 0.6434 0.5911 0.9021
103 0.08668 0.08139 0.1086
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf in order", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf in order", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
