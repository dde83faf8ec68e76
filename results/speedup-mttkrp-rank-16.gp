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
set yrange [0.1347:4.004]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.359
11 1 2.775
21 0.9338 1
33 0.8902 1
43 1 1.352
53 1 1.155
64 0.6612 1
73 0.8559 1
82 1 1.307
92 0.744 1
EOD
$s1 << EOD
2 1 1.626
12 1 3.203
22 1 1.524
EOD
$s2 << EOD
3 1 1.387
13 1 2.657
23 1 1.353
34 0.8968 1
EOD
$s3 << EOD
4 1 1.211
14 1 2.411
24 1 1.472
35 1 1.202
44 1 1.812
54 1 1.38
65 1 1.348
74 1 1.775
83 1 2.17
93 1 1.47
EOD
$s4 << EOD
5 0.7256 1
15 1 1.381
25 0.9869 1
36 0.6985 1
45 1 1.013
55 1 1.055
66 0.8512 1
75 1 1.121
84 0.9972 1
94 1 1.174
EOD
$s5 << EOD
6 0.721 1
16 1 1.36
46 1 1.129
56 1 1.141
76 1 1.203
95 1 1.163
EOD
$s6 << EOD
26 0.9305 1
57 1 1.125
EOD
$s7 << EOD
27 1 1.534
67 0.8343 1
77 1 1.2
85 1 1.86
96 1 1.302
EOD
$s8 << EOD
37 0.8715 1
EOD
$s9 << EOD
38 0.8581 1
58 1 1.082
EOD
$s10 << EOD
47 1 1.573
EOD
$s11 << EOD
48 1 1.365
EOD
$s12 << EOD
68 0.8282 1
86 0.9792 1
EOD
$s13 << EOD
87 1 1.096
EOD
$s14 << EOD
7 0.1936 1
17 0.4934 1
28 0.2869 1
39 0.2094 1
49 0.3598 1
59 0.3084 1
69 0.1684 1
78 0.2309 1
88 0.3602 1
97 0.1991 1
EOD
$s15 << EOD
8 0.678 1
18 1 1.408
29 1 1.007
40 0.575 1
50 0.9574 1
60 0.9194 1
70 0.4589 1
79 0.6306 1
89 1 1.07
98 0.5947 1
EOD
$s16 << EOD
9 0.3671 1
19 0.6103 1
30 0.3496 1
41 0.2737 1
51 0.386 1
61 0.3705 1
71 0.2385 1
80 0.3219 1
90 0.4522 1
99 0.2949 1
EOD
$intervals << EOD
1 1.359 1.279 1.46
2 1.626 1.558 1.692
3 1.387 1.357 1.442
4 1.211 1.172 1.278
5 0.7256 0.7006 0.7464
6 0.721 0.7001 0.7532
7 0.1936 0.188 0.2711
8 0.678 0.622 0.7263
9 0.3671 0.358 0.383
11 2.775 2.626 2.836
12 3.203 3.093 3.274
13 2.657 2.428 2.786
14 2.411 2.371 2.46
15 1.381 1.34 1.415
16 1.36 1.335 1.403
17 0.4934 0.3765 0.9428
18 1.408 1.389 1.454
19 0.6103 0.6036 0.6271
21 0.9338 0.9199 1.261
22 1.524 1.467 1.838
23 1.353 1.348 1.465
24 1.472 1.472 1.703
25 0.9869 0.9762 1.804
26 0.9305 0.9254 1.26
27 1.534 1.499 2.87
28 0.2869 0.2801 0.6186
29 1.007 0.9769 1.855
30 0.3496 0.3432 0.6441
33 0.8902 0.7981 0.9385
34 0.8968 0.8264 0.9542
35 1.202 1.13 1.229
36 0.6985 0.6178 0.7137
37 0.8715 0.8318 0.8847
38 0.8581 0.837 0.9031
39 0.2094 0.1877 0.2916
40 0.575 0.5127 0.665
41 0.2737 0.2644 0.2912
43 1.352 1.297 1.48
44 1.812 1.769 1.986
45 1.013 0.9813 1.117
46 1.129 1.047 1.231
47 1.573 1.476 1.728
48 1.365 1.313 1.498
49 0.3598 0.3488 0.3997
50 0.9574 0.8839 1.081
51 0.386 0.3528 0.4953
53 1.155 1.126 1.189
54 1.38 1.36 1.454
55 1.055 1.037 1.082
56 1.141 1.102 1.164
57 1.125 1.05 1.184
58 1.082 1.06 1.128
59 0.3084 0.2188 0.5444
60 0.9194 0.8618 0.9587
61 0.3705 0.3569 0.3842
64 0.6612 0.6048 0.7236
65 1.348 1.211 1.447
66 0.8512 0.7858 0.9541
67 0.8343 0.7747 0.9118
68 0.8282 0.7554 0.898
69 0.1684 0.1423 0.1988
70 0.4589 0.4084 0.4908
71 0.2385 0.2069 0.2732
73 0.8559 0.845 0.927
74 1.775 1.738 1.91
75 1.121 1.081 1.218
76 1.203 1.191 1.3
77 1.2 1.167 1.28
78 0.2309 0.2 0.2576
79 0.6306 0.62 0.6795
80 0.3219 0.3133 0.348
82 1.307 1.266 1.34
83 2.17 2.116 2.23
84 0.9972 0.971 1.027
85 1.86 1.819 1.927
86 0.9792 0.9478 1.007
87 1.096 1.079 1.113
88 0.3602 0.3532 0.365
89 1.07 0.9751 1.123
90 0.4522 0.4431 0.4606
92 0.744 0.6915 0.7817
93 1.47 1.335 1.583
94 1.174 1.051 1.307
95 1.163 1.049 1.275
96 1.302 1.213 1.422
97 0.1991 0.1773 0.2291
98 0.5947 0.5486 0.6835
99 0.2949 0.2491 0.3262
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
