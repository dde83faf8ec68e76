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
set yrange [0.1494:4.579]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.456
10 1 2.329
19 1 1.13
31 1 1.044
41 1 1.202
51 0.8791 1
62 0.8093 1
72 1 1.035
82 1 2.487
92 0.91 1
EOD
$s1 << EOD
2 1 1.447
11 1 2.296
20 1 1.597
32 1 1.047
EOD
$s2 << EOD
3 1 1.518
12 1 2.477
EOD
$s3 << EOD
4 1 1.114
13 1 1.616
21 1 1.52
33 0.9652 1
42 1 1.138
52 0.8093 1
63 1 1.178
73 1 1.502
83 1 3.663
93 1 1.3
EOD
$s4 << EOD
5 0.6284 1
EOD
$s5 << EOD
14 1 1.029
EOD
$s6 << EOD
22 1 1.141
53 0.8691 1
EOD
$s7 << EOD
23 1 1.401
EOD
$s8 << EOD
24 1 1.626
EOD
$s9 << EOD
25 0.9978 1
64 0.706 1
74 0.9885 1
84 0.7826 1
94 1 1.037
EOD
$s10 << EOD
34 1 1.051
EOD
$s11 << EOD
35 0.9173 1
54 0.802 1
EOD
$s12 << EOD
36 0.8718 1
43 1 1.005
55 0.9563 1
EOD
$s13 << EOD
44 1 1.304
EOD
$s14 << EOD
45 1 1.233
EOD
$s15 << EOD
46 0.9022 1
56 0.8581 1
65 0.7097 1
75 0.963 1
85 1 1.074
95 1 1.014
EOD
$s16 << EOD
66 0.7456 1
76 0.9702 1
86 1 2.467
96 1 1.062
EOD
$s17 << EOD
67 1 1.302
77 1 1.779
EOD
$s18 << EOD
87 1 2.599
EOD
$s19 << EOD
6 0.3302 1
15 0.5417 1
26 0.5537 1
37 0.5081 1
47 0.6082 1
57 0.4 1
68 0.1868 1
78 0.2895 1
88 0.7615 1
97 0.2466 1
EOD
$s20 << EOD
7 0.6524 1
16 1 1.056
27 1 1.052
38 0.62 1
48 0.7781 1
58 0.6755 1
69 0.5157 1
79 0.672 1
89 1 1.425
98 0.7034 1
EOD
$s21 << EOD
8 0.2787 1
17 0.3937 1
28 0.362 1
39 0.3502 1
49 0.4249 1
59 0.3153 1
70 0.207 1
80 0.2862 1
90 0.8443 1
99 0.2667 1
EOD
$intervals << EOD
1 1.456 1.329 1.47
2 1.447 1.37 1.598
3 1.518 1.419 1.728
4 1.114 1.067 1.236
5 0.6284 0.5796 0.7046
6 0.3302 0.3138 0.3505
7 0.6524 0.6234 0.7252
8 0.2787 0.2664 0.3113
10 2.329 2.255 2.42
11 2.296 2.177 2.366
12 2.477 2.435 2.543
13 1.616 1.591 1.658
14 1.029 1.021 1.041
15 0.5417 0.4547 0.7686
16 1.056 1.042 1.071
17 0.3937 0.3888 0.3986
19 1.13 1.117 1.151
20 1.597 1.558 1.629
21 1.52 1.501 1.551
22 1.141 1.131 1.165
23 1.401 1.389 1.438
24 1.626 1.588 1.671
25 0.9978 0.9868 1.021
26 0.5537 0.5456 0.5629
27 1.052 1.036 1.077
28 0.362 0.3569 0.3678
31 1.044 1.004 1.098
32 1.047 1.012 1.106
33 0.9652 0.9451 0.9854
34 1.051 1.011 1.086
35 0.9173 0.8892 0.9543
36 0.8718 0.8297 0.9068
37 0.5081 0.3883 0.5385
38 0.62 0.5668 0.6409
39 0.3502 0.3421 0.3646
41 1.202 1.169 1.244
42 1.138 1.111 1.176
43 1.005 0.9778 1.034
44 1.304 1.274 1.373
45 1.233 1.168 1.258
46 0.9022 0.8783 0.9417
47 0.6082 0.5819 0.6323
48 0.7781 0.7595 0.8036
49 0.4249 0.415 0.4408
51 0.8791 0.8355 0.9034
52 0.8093 0.7901 0.8245
53 0.8691 0.8592 0.8855
54 0.802 0.7933 0.817
55 0.9563 0.94 0.995
56 0.8581 0.8409 0.8787
57 0.4 0.3956 0.4139
58 0.6755 0.6399 0.7072
59 0.3153 0.3108 0.3246
62 0.8093 0.72 0.8896
63 1.178 1.031 1.323
64 0.706 0.6514 0.7881
65 0.7097 0.6315 0.7974
66 0.7456 0.6555 0.8196
67 1.302 1.174 1.467
68 0.1868 0.1637 0.2097
69 0.5157 0.4499 0.5789
70 0.207 0.1811 0.2269
72 1.035 0.9988 1.041
73 1.502 1.471 1.545
74 0.9885 0.9442 1.014
75 0.963 0.9444 0.9917
76 0.9702 0.947 0.9834
77 1.779 1.731 1.857
78 0.2895 0.2766 0.2944
79 0.672 0.6348 0.6847
80 0.2862 0.2721 0.3006
82 2.487 2.412 4.214
83 3.663 3.529 6.058
84 0.7826 0.4097 1.488
85 1.074 1.037 1.602
86 2.467 2.362 4.18
87 2.599 2.505 4.404
88 0.7615 0.7398 1.28
89 1.425 1.326 2.636
90 0.8443 0.7919 1.44
92 0.91 0.888 0.9291
93 1.3 1.253 1.338
94 1.037 1.017 1.056
95 1.014 0.9907 1.035
96 1.062 1.019 1.078
97 0.2466 0.2363 0.2663
98 0.7034 0.6715 0.7111
99 0.2667 0.2545 0.2731
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "strips(16384)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:1,0,2", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "alto", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "strips(4096)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "dsss", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "csf:2,0,1,3", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "strips(16384)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:1,0,2", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "alto", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "strips(4096)", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "dsss", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "csf:2,0,1,3", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s21 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
