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
set key at screen 0.5, screen 0.015 center bottom maxrows 6 Left reverse samplen 1.5
set bmargin 11.8
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: mttkrp, rank 32, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:105]
unset xtics
set label "0" at first 5, graph 0 center offset 0, -1
set label "1" at first 15, graph 0 center offset 0, -1
set label "2" at first 25.5, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 15.5, graph 0 center offset 0, -2
set label "0" at first 37.5, graph 0 center offset 0, -1
set label "1" at first 48, graph 0 center offset 0, -1
set label "2" at first 58, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 47.5, graph 0 center offset 0, -2
set label "0" at first 69.5, graph 0 center offset 0, -1
set label "1" at first 80.5, graph 0 center offset 0, -1
set label "2" at first 91, graph 0 center offset 0, -1
set label "3" at first 100.5, graph 0 center offset 0, -1
set label "enron@0.02\n(stand-in)" at first 84.5, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.09736:3.859]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.324
11 1 2.221
21 1 1.15
33 1 1.056
44 1 1.107
54 0.937 1
65 0.8716 1
76 1 1.071
87 1 2.113
97 0.978 1
EOD
$s1 << EOD
2 1 1.321
12 1 2.006
22 1 1.538
34 1 1.059
EOD
$s2 << EOD
3 1 1.36
13 1 2.34
EOD
$s3 << EOD
4 1 1.09
14 1 1.495
23 1 1.508
35 0.9525 1
45 1 1.019
55 0.836 1
66 1 1.103
77 1 1.283
88 1 3.087
98 1 1.039
EOD
$s4 << EOD
5 0.6029 1
15 0.8942 1
24 0.9554 1
36 0.7813 1
46 0.8549 1
56 0.8306 1
67 0.7648 1
78 0.9657 1
89 1 1.038
99 0.947 1
EOD
$s5 << EOD
6 0.6075 1
25 0.9607 1
68 0.6642 1
79 0.9842 1
90 1 1.057
100 0.8354 1
EOD
$s6 << EOD
16 0.8859 1
EOD
$s7 << EOD
26 1 1.148
57 0.9212 1
EOD
$s8 << EOD
27 1 1.345
EOD
$s9 << EOD
37 1 1.071
EOD
$s10 << EOD
38 0.9318 1
58 0.8225 1
EOD
$s11 << EOD
39 0.8545 1
47 0.9221 1
59 0.9536 1
EOD
$s12 << EOD
48 1 1.102
EOD
$s13 << EOD
49 1 1.116
69 0.7871 1
80 1 1.002
91 1 1.988
101 1 1.075
EOD
$s14 << EOD
70 1 1.096
81 1 1.773
EOD
$s15 << EOD
71 0.8728 1
EOD
$s16 << EOD
82 1 1.079
EOD
$s17 << EOD
92 1 2.138
EOD
$s18 << EOD
7 0.4586 1
17 0.8137 1
28 0.5225 1
40 0.2752 1
50 0.3905 1
60 0.1876 1
72 0.1304 1
83 0.2568 1
93 0.5973 1
102 0.1424 1
EOD
$s19 << EOD
8 0.6216 1
18 1 1.008
29 1 1.002
41 0.6099 1
51 0.6792 1
61 0.6052 1
73 0.546 1
84 0.6827 1
94 1 1.161
103 0.7324 1
EOD
$s20 << EOD
9 0.2808 1
19 0.4279 1
30 0.3616 1
42 0.3684 1
52 0.3993 1
62 0.2822 1
74 0.1217 1
85 0.2739 1
95 0.7204 1
104 0.143 1
EOD
$intervals << EOD
1 1.324 1.274 1.352
2 1.321 1.285 1.4
3 1.36 1.335 1.381
4 1.09 1.052 1.11
5 0.6029 0.5854 0.6172
6 0.6075 0.5927 0.6191
7 0.4586 0.3194 0.624
8 0.6216 0.5875 0.6312
9 0.2808 0.2642 0.2883
11 2.221 2.016 2.399
12 2.006 1.895 2.272
13 2.34 2.193 2.632
14 1.495 1.326 1.791
15 0.8942 0.8604 1.123
16 0.8859 0.8483 1.172
17 0.8137 0.4725 0.943
18 1.008 0.9601 1.141
19 0.4279 0.371 0.4729
21 1.15 1.095 1.154
22 1.538 1.519 1.557
23 1.508 1.441 1.536
24 0.9554 0.9455 0.9695
25 0.9607 0.946 0.978
26 1.148 1.126 1.155
27 1.345 1.322 1.374
28 0.5225 0.5079 0.5343
29 1.002 0.9599 1.043
30 0.3616 0.3562 0.3655
33 1.056 1.001 1.102
34 1.059 1.02 1.084
35 0.9525 0.9193 0.9724
36 0.7813 0.742 0.8189
37 1.071 1.028 1.083
38 0.9318 0.8786 0.9402
39 0.8545 0.8094 0.8651
40 0.2752 0.255 0.2858
41 0.6099 0.559 0.6617
42 0.3684 0.3557 0.3801
44 1.107 1.09 1.133
45 1.019 1.019 1.035
46 0.8549 0.8499 0.8708
47 0.9221 0.8868 0.962
48 1.102 1.081 1.127
49 1.116 1.085 1.139
50 0.3905 0.3715 0.4154
51 0.6792 0.6565 0.7093
52 0.3993 0.394 0.404
54 0.937 0.9059 0.9575
55 0.836 0.7974 0.8659
56 0.8306 0.7943 0.8573
57 0.9212 0.868 0.9506
58 0.8225 0.7971 0.8398
59 0.9536 0.9133 0.9758
60 0.1876 0.1695 0.2087
61 0.6052 0.5822 0.6791
62 0.2822 0.2703 0.2994
65 0.8716 0.8606 0.883
66 1.103 1.074 1.118
67 0.7648 0.7572 0.7749
68 0.6642 0.6421 0.677
69 0.7871 0.7834 0.8079
70 1.096 1.082 1.149
71 0.8728 0.8623 0.8871
72 0.1304 0.1189 0.1323
73 0.546 0.5399 0.5531
74 0.1217 0.117 0.1251
76 1.071 1.041 1.096
77 1.283 1.244 1.317
78 0.9657 0.9483 1.009
79 0.9842 0.9536 1.03
80 1.002 0.984 1.035
81 1.773 1.705 1.826
82 1.079 1.049 1.096
83 0.2568 0.2506 0.2702
84 0.6827 0.6645 0.6943
85 0.2739 0.2486 0.281
87 2.113 2.063 3.477
88 3.087 3.018 5.328
89 1.038 1.009 1.763
90 1.057 0.9426 1.739
91 1.988 1.914 3.296
92 2.138 2.095 3.65
93 0.5973 0.5863 1.023
94 1.161 1.099 1.978
95 0.7204 0.7089 1.217
97 0.978 0.9669 0.9892
98 1.039 1 1.075
99 0.947 0.924 0.969
100 0.8354 0.7914 0.8487
101 1.075 1.053 1.102
102 0.1424 0.1289 0.1463
103 0.7324 0.7035 0.7453
104 0.143 0.1324 0.1517
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "tcsf(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:0,3,1,2", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csf:1,3,0,2", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "csf:2,0,1,3", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "tcsf(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:0,3,1,2", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csf:1,3,0,2", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "csf:2,0,1,3", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
