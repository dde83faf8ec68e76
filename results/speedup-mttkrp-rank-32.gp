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
set yrange [0.1286:4.637]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.472
10 1 2.089
20 1 1.255
31 1 1.189
41 1 1.435
51 1 1.126
62 0.9368 1
72 1 1.534
82 1 2.995
92 0.8418 1
EOD
$s1 << EOD
2 0.6906 1
11 0.931 1
21 0.9748 1
32 0.6766 1
42 0.599 1
52 0.5399 1
63 0.5091 1
73 0.6344 1
83 0.7309 1
93 0.5759 1
EOD
$s2 << EOD
3 0.6534 1
12 0.936 1
22 0.9515 1
33 0.7521 1
43 1 1.029
53 0.5293 1
64 0.9137 1
74 1 1.254
84 1 1.433
94 1 1.218
EOD
$s3 << EOD
4 0.6129 1
13 0.8726 1
23 1 1.556
65 0.9749 1
75 1 1.185
85 1 2.645
95 1 1.329
EOD
$s4 << EOD
5 1 1.195
14 1 1.414
24 1 1.489
34 1 1.192
44 1 1.237
54 0.8952 1
66 1 1.228
76 1 1.278
86 1 3.709
96 1 1.204
EOD
$s5 << EOD
15 1 1.895
25 1 1.327
35 1 1.372
45 0.9479 1
55 0.9086 1
67 1 1.089
77 1 1.418
87 1 1.24
97 1 1.123
EOD
$s6 << EOD
36 1 1.304
46 1 1.214
56 1 1.089
EOD
$s7 << EOD
6 0.6001 1
16 0.8979 1
26 0.6042 1
37 0.6807 1
47 0.7354 1
57 0.2162 1
68 0.1833 1
78 0.2216 1
88 0.9626 1
98 0.1762 1
EOD
$s8 << EOD
7 0.7875 1
17 1 1.058
27 1 1.163
38 0.7349 1
48 0.8942 1
58 0.6943 1
69 0.6745 1
79 0.8142 1
89 1 1.722
99 0.9341 1
EOD
$s9 << EOD
8 0.262 1
18 0.2957 1
28 0.3449 1
39 0.5313 1
49 0.5576 1
59 0.2584 1
70 0.1804 1
80 0.2569 1
90 1 1.039
100 0.1607 1
EOD
$intervals << EOD
1 1.472 1.054 1.658
2 0.6906 0.555 0.8184
3 0.6534 0.5275 0.7772
4 0.6129 0.4449 0.7342
5 1.195 0.9123 1.323
6 0.6001 0.3784 0.7067
7 0.7875 0.6476 0.8742
8 0.262 0.2333 0.2817
10 2.089 1.909 2.101
11 0.931 0.8967 0.9806
12 0.936 0.886 1.006
13 0.8726 0.7079 0.9012
14 1.414 1.233 1.457
15 1.895 1.729 1.98
16 0.8979 0.5986 0.9344
17 1.058 0.6307 1.09
18 0.2957 0.2495 0.3366
20 1.255 1.091 1.43
21 0.9748 0.8852 1.112
22 0.9515 0.938 1.045
23 1.556 1.534 1.771
24 1.489 1.438 1.697
25 1.327 1.309 1.36
26 0.6042 0.5855 0.6643
27 1.163 1.128 1.291
28 0.3449 0.3335 0.4052
31 1.189 1.164 1.356
32 0.6766 0.4993 0.8173
33 0.7521 0.6726 0.8606
34 1.192 1.013 1.358
35 1.372 1.193 1.571
36 1.304 1.067 1.461
37 0.6807 0.4884 0.7919
38 0.7349 0.5564 0.8202
39 0.5313 0.3391 0.593
41 1.435 1.388 1.599
42 0.599 0.5488 0.645
43 1.029 0.8021 1.249
44 1.237 1.006 1.356
45 0.9479 0.8563 1.021
46 1.214 0.9951 1.485
47 0.7354 0.1849 0.7918
48 0.8942 0.8731 0.9629
49 0.5576 0.5386 0.6005
51 1.126 1.039 1.244
52 0.5399 0.4901 0.6877
53 0.5293 0.5175 0.6751
54 0.8952 0.8158 1.14
55 0.9086 0.8481 0.9977
56 1.089 0.945 1.387
57 0.2162 0.1736 0.2424
58 0.6943 0.6846 0.8131
59 0.2584 0.2151 0.3515
62 0.9368 0.5997 1.083
63 0.5091 0.3141 0.7758
64 0.9137 0.5398 1.129
65 0.9749 0.5044 1.138
66 1.228 0.4649 1.451
67 1.089 0.4764 1.432
68 0.1833 0.1343 0.227
69 0.6745 0.4031 0.7922
70 0.1804 0.1439 0.2027
72 1.534 1.32 1.805
73 0.6344 0.5586 0.8233
74 1.254 1.201 1.542
75 1.185 1.148 1.355
76 1.278 1.184 1.609
77 1.418 1.236 1.545
78 0.2216 0.1963 0.253
79 0.8142 0.6672 1.032
80 0.2569 0.1993 0.2909
82 2.995 2.041 3.351
83 0.7309 0.5879 0.8326
84 1.433 1.102 1.9
85 2.645 1.959 3.667
86 3.709 2.871 4.977
87 1.24 0.9974 1.788
88 0.9626 0.7364 1.291
89 1.722 1.308 2.283
90 1.039 0.6636 1.155
92 0.8418 0.6556 1.06
93 0.5759 0.3422 0.6913
94 1.218 1.1 1.311
95 1.329 1.112 1.398
96 1.204 1.063 1.332
97 1.123 0.8828 1.304
98 0.1762 0.1299 0.1907
99 0.9341 0.6681 1.043
100 0.1607 0.1484 0.2153
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
