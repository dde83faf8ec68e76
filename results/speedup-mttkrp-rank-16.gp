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
set yrange [0.118:2.902]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 2.261
10 1 2.197
20 1 1.134
31 1 1.206
41 1 1.278
51 1 1.07
62 1 1.039
72 1 1.002
82 1 1.506
92 1 1.113
EOD
$s1 << EOD
2 1 1.14
11 1 1.197
21 0.9914 1
32 0.638 1
42 0.623 1
52 0.5757 1
63 0.7392 1
73 0.4929 1
83 0.5198 1
93 0.9448 1
EOD
$s2 << EOD
3 1 1.306
12 1 1.322
22 1 1.115
33 0.8433 1
43 1 1.035
53 1 1.092
64 1 1.171
74 1 1.235
84 1 1.167
94 1 1.575
EOD
$s3 << EOD
4 1 1.281
13 1 1.399
23 0.8025 1
65 1 1.138
75 1 1.082
85 1 1.498
95 1 1.394
EOD
$s4 << EOD
5 1 2.075
14 1 2.123
24 1 1.652
34 1 1.252
44 1 1.292
54 1 1.202
66 1 1.59
76 1 1.285
86 1 2.271
96 1 1.857
EOD
$s5 << EOD
15 1 2.322
25 1 1.429
35 1 1.217
45 0.874 1
55 0.7072 1
67 1 1.415
77 0.7875 1
87 0.9168 1
97 1 1.151
EOD
$s6 << EOD
36 1 1.033
46 1 1.14
56 0.8235 1
EOD
$s7 << EOD
6 0.59 1
16 0.7201 1
26 0.4873 1
37 0.3466 1
47 0.5681 1
57 0.4902 1
68 0.2641 1
78 0.1475 1
88 0.498 1
98 0.186 1
EOD
$s8 << EOD
7 1 1.173
17 1 1.42
27 1 1.234
38 0.7156 1
48 0.9828 1
58 0.8752 1
69 0.7297 1
79 0.7176 1
89 0.9804 1
99 0.8939 1
EOD
$s9 << EOD
8 0.4549 1
18 0.4852 1
28 0.4086 1
39 0.2467 1
49 0.3969 1
59 0.288 1
70 0.3313 1
80 0.1532 1
90 0.4992 1
100 0.1866 1
EOD
$intervals << EOD
1 2.261 1.971 2.65
2 1.14 1.016 1.324
3 1.306 1.147 1.459
4 1.281 0.8103 1.541
5 2.075 0.8877 2.383
6 0.59 0.5225 1.258
7 1.173 1.072 1.504
8 0.4549 0.433 0.682
10 2.197 1.75 2.6
11 1.197 1.089 1.4
12 1.322 0.8201 1.512
13 1.399 1.239 1.746
14 2.123 1.756 2.504
15 2.322 1.627 2.831
16 0.7201 0.4152 0.8653
17 1.42 1.373 1.502
18 0.4852 0.2327 0.6947
20 1.134 1.07 1.458
21 0.9914 0.9505 1.049
22 1.115 1.081 1.824
23 0.8025 0.766 1.313
24 1.652 1.459 2.822
25 1.429 1.348 2
26 0.4873 0.4566 0.9416
27 1.234 1.144 2.02
28 0.4086 0.3855 0.5911
31 1.206 1.162 1.357
32 0.638 0.537 0.6501
33 0.8433 0.6905 1.031
34 1.252 0.8465 1.478
35 1.217 1.131 1.24
36 1.033 0.8756 1.234
37 0.3466 0.2735 0.524
38 0.7156 0.645 0.7398
39 0.2467 0.1718 0.353
41 1.278 0.905 1.435
42 0.623 0.5604 0.6598
43 1.035 0.8634 1.157
44 1.292 1.26 1.398
45 0.874 0.689 0.9458
46 1.14 1.11 1.234
47 0.5681 0.5404 0.6148
48 0.9828 0.9548 1.061
49 0.3969 0.2647 0.4242
51 1.07 0.6204 1.196
52 0.5757 0.2933 0.6361
53 1.092 0.5346 1.245
54 1.202 0.661 1.328
55 0.7072 0.4629 0.8991
56 0.8235 0.5314 1.034
57 0.4902 0.2014 0.5418
58 0.8752 0.7561 1.151
59 0.288 0.1702 0.3211
62 1.039 0.989 1.07
63 0.7392 0.7058 0.7674
64 1.171 1.113 1.225
65 1.138 1.08 1.189
66 1.59 1.387 1.694
67 1.415 1.109 1.514
68 0.2641 0.245 0.3232
69 0.7297 0.6764 0.7669
70 0.3313 0.2566 0.3627
72 1.002 0.8728 1.06
73 0.4929 0.3652 0.5644
74 1.235 0.9519 1.305
75 1.082 0.8162 1.102
76 1.285 1.026 1.494
77 0.7875 0.6671 0.9551
78 0.1475 0.09189 0.1933
79 0.7176 0.5554 0.7588
80 0.1532 0.1101 0.2229
82 1.506 1.247 1.513
83 0.5198 0.3751 0.573
84 1.167 0.957 1.217
85 1.498 1.255 1.535
86 2.271 2.129 2.271
87 0.9168 0.8509 0.924
88 0.498 0.4 0.548
89 0.9804 0.816 1.125
90 0.4992 0.3826 0.5923
92 1.113 0.6854 1.232
93 0.9448 0.6905 1.028
94 1.575 1.095 1.695
95 1.394 1.03 1.514
96 1.857 0.9496 2.189
97 1.151 0.7758 1.48
98 0.186 0.1457 0.2759
99 0.8939 0.7034 0.8939
100 0.1866 0.1495 0.4117
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
