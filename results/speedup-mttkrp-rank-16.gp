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
set title "Speed-up: mttkrp, rank 16, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
set xrange [0:100]
unset xtics
set label "0" at first 4.5, graph 0 center offset 0, -1
set label "1" at first 13.5, graph 0 center offset 0, -1
set label "2" at first 23.5, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 14.5, graph 0 center offset 0, -2
set label "0" at first 35, graph 0 center offset 0, -1
set label "1" at first 45, graph 0 center offset 0, -1
set label "2" at first 55, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 45, graph 0 center offset 0, -2
set label "0" at first 66, graph 0 center offset 0, -1
set label "1" at first 76, graph 0 center offset 0, -1
set label "2" at first 86, graph 0 center offset 0, -1
set label "3" at first 95.5, graph 0 center offset 0, -1
set label "enron@0.02\n(stand-in)" at first 80.5, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.146:4.708]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.312
10 1 2.975
19 0.9347 1
31 0.8716 1
41 1 1.199
51 1 1.11
62 0.5835 1
72 0.8351 1
82 1 1.305
92 0.6838 1
EOD
$s1 << EOD
2 1 1.299
11 1 2.885
20 1 1.426
32 0.8283 1
EOD
$s2 << EOD
3 1 1.71
12 1 3.766
EOD
$s3 << EOD
4 1 1.146
13 1 2.529
21 1 1.605
33 1 1.122
42 1 1.645
52 1 1.333
63 1 1.164
73 1 1.886
83 1 2.078
93 1 1.374
EOD
$s4 << EOD
5 0.602 1
EOD
$s5 << EOD
14 1 1.133
EOD
$s6 << EOD
22 0.9558 1
53 1 1.149
EOD
$s7 << EOD
23 1 1.354
EOD
$s8 << EOD
24 1 1.692
EOD
$s9 << EOD
25 1 1.073
64 0.7479 1
74 1 1.266
84 1 1.024
94 1 1.136
EOD
$s10 << EOD
34 0.8661 1
EOD
$s11 << EOD
35 0.8311 1
54 1 1.1
EOD
$s12 << EOD
36 0.6762 1
43 1 1.035
55 1 1.12
EOD
$s13 << EOD
44 1 1.42
EOD
$s14 << EOD
45 1 1.265
EOD
$s15 << EOD
46 1 1.038
56 1 1.091
65 0.7927 1
75 1 1.273
85 1 1.026
95 1 1.145
EOD
$s16 << EOD
66 0.7429 1
76 1 1.224
86 1 1.734
96 1 1.23
EOD
$s17 << EOD
67 1 1.075
77 1 1.774
EOD
$s18 << EOD
87 1 1.04
EOD
$s19 << EOD
6 0.2359 1
15 0.743 1
26 0.3921 1
37 0.3206 1
47 0.3145 1
57 0.4257 1
68 0.1825 1
78 0.2892 1
88 0.3646 1
97 0.2429 1
EOD
$s20 << EOD
7 0.6878 1
16 1 1.479
27 1 1.088
38 0.6836 1
48 1 1.026
58 1 1.006
69 0.4555 1
79 0.7233 1
89 1 1.029
98 0.6803 1
EOD
$s21 << EOD
8 0.3378 1
17 0.6312 1
28 0.3502 1
39 0.258 1
49 0.4045 1
59 0.3539 1
70 0.2258 1
80 0.3533 1
90 0.427 1
99 0.2801 1
EOD
$intervals << EOD
1 1.312 1.251 1.35
2 1.299 1.268 1.357
3 1.71 1.652 1.801
4 1.146 1.115 1.214
5 0.602 0.5875 0.6276
6 0.2359 0.2287 0.2457
7 0.6878 0.6754 0.7256
8 0.3378 0.3303 0.3478
10 2.975 2.825 3.05
11 2.885 2.754 2.911
12 3.766 3.582 3.809
13 2.529 2.47 2.562
14 1.133 1.117 1.145
15 0.743 0.5091 1.061
16 1.479 1.44 1.503
17 0.6312 0.6081 0.638
19 0.9347 0.9 0.9742
20 1.426 1.39 1.507
21 1.605 1.468 1.677
22 0.9558 0.9316 1.004
23 1.354 1.334 1.415
24 1.692 1.659 1.77
25 1.073 1.06 1.122
26 0.3921 0.221 0.4356
27 1.088 1.071 1.125
28 0.3502 0.3392 0.3688
31 0.8716 0.8213 0.9586
32 0.8283 0.7865 0.9255
33 1.122 1.046 1.244
34 0.8661 0.8231 0.9919
35 0.8311 0.7962 0.9475
36 0.6762 0.6626 0.819
37 0.3206 0.2693 0.4177
38 0.6836 0.64 0.7886
39 0.258 0.2395 0.3027
41 1.199 1.173 1.236
42 1.645 1.603 1.686
43 1.035 1.012 1.077
44 1.42 1.387 1.472
45 1.265 1.225 1.299
46 1.038 1.005 1.06
47 0.3145 0.3059 0.4498
48 1.026 0.9773 1.056
49 0.4045 0.3908 0.4119
51 1.11 1.077 1.163
52 1.333 1.277 1.401
53 1.149 1.091 1.19
54 1.1 1.079 1.148
55 1.12 1.094 1.161
56 1.091 1.066 1.133
57 0.4257 0.2821 0.5301
58 1.006 0.9781 1.063
59 0.3539 0.3439 0.3693
62 0.5835 0.5625 0.63
63 1.164 1.118 1.233
64 0.7479 0.7151 0.8176
65 0.7927 0.7266 0.8395
66 0.7429 0.6857 0.7925
67 1.075 1.008 1.158
68 0.1825 0.1412 0.1991
69 0.4555 0.3946 0.5053
70 0.2258 0.1956 0.2459
72 0.8351 0.8183 0.8901
73 1.886 1.551 1.968
74 1.266 1.206 1.313
75 1.273 1.252 1.326
76 1.224 1.183 1.262
77 1.774 1.756 1.825
78 0.2892 0.2711 0.2966
79 0.7233 0.7021 0.7645
80 0.3533 0.339 0.3663
82 1.305 1.249 1.348
83 2.078 1.923 2.146
84 1.024 0.9842 1.071
85 1.026 0.9964 1.059
86 1.734 1.656 1.802
87 1.04 1.019 1.07
88 0.3646 0.3524 0.3754
89 1.029 0.9891 1.162
90 0.427 0.4168 0.4411
92 0.6838 0.6666 0.6964
93 1.374 1.29 1.422
94 1.136 1.091 1.19
95 1.145 1.119 1.166
96 1.23 1.177 1.261
97 0.2429 0.2305 0.2529
98 0.6803 0.6568 0.6986
99 0.2801 0.2727 0.2878
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "strips(16384)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:1,0,2", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "alto", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "strips(4096)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "dsss", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "csf:2,0,1,3", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "strips(16384)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:1,0,2", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "alto", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "strips(4096)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "dsss", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "csf:2,0,1,3", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
