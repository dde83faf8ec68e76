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
set yrange [0.1078:3.353]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.183
10 1 1.975
20 1 1.717
31 1 1.167
41 1 1.422
51 1 1.293
62 1 1.136
72 1 1.195
82 1 2.584
92 0.8209 1
EOD
$s1 << EOD
2 0.6318 1
11 0.8932 1
21 1 1.202
32 0.5505 1
42 0.4625 1
52 0.4562 1
63 0.5675 1
73 0.477 1
83 0.5975 1
93 0.4816 1
EOD
$s2 << EOD
3 0.632 1
12 1 1.057
22 1 1.212
33 0.5167 1
43 1 1.157
53 0.4716 1
64 1 1.323
74 1 1.185
84 1 1.24
94 1 1.082
EOD
$s3 << EOD
4 0.5919 1
13 0.9683 1
23 1 1.7
65 1 1.161
75 1 1.226
85 1 2.241
95 1 1.175
EOD
$s4 << EOD
5 1 1.073
14 1 1.385
24 1 1.631
34 1 1.094
44 1 1.415
54 1 1.043
66 1 1.345
76 1 1.126
86 1 2.682
96 1 1.07
EOD
$s5 << EOD
15 1 1.962
25 1 1.665
35 1 1.197
45 0.7519 1
55 0.8165 1
67 1 1.392
77 1 1.034
87 0.998 1
97 1 1.078
EOD
$s6 << EOD
36 1 1.083
46 1 1.679
56 0.9782 1
EOD
$s7 << EOD
6 0.5344 1
16 0.805 1
26 0.7204 1
37 0.2421 1
47 0.3493 1
57 0.2215 1
68 0.1776 1
78 0.2051 1
88 0.8361 1
98 0.1347 1
EOD
$s8 << EOD
7 0.6657 1
17 1 1.164
27 1 1.381
38 0.5434 1
48 0.8334 1
58 0.7108 1
69 0.8031 1
79 0.7991 1
89 1 1.289
99 0.8515 1
EOD
$s9 << EOD
8 0.273 1
18 0.4344 1
28 0.4245 1
39 0.2631 1
49 0.4559 1
59 0.2534 1
70 0.1777 1
80 0.1904 1
90 1 1.006
100 0.151 1
EOD
$intervals << EOD
1 1.183 1.026 1.391
2 0.6318 0.5577 0.7067
3 0.632 0.531 0.6821
4 0.5919 0.5237 0.6338
5 1.073 0.9245 1.147
6 0.5344 0.2989 0.7051
7 0.6657 0.5394 0.788
8 0.273 0.1838 0.3556
10 1.975 1.821 2.058
11 0.8932 0.8336 0.9461
12 1.057 0.8572 1.217
13 0.9683 0.8622 1.103
14 1.385 1.317 1.541
15 1.962 1.831 2.309
16 0.805 0.504 0.9446
17 1.164 0.9873 1.299
18 0.4344 0.4176 0.4844
20 1.717 1.346 2.007
21 1.202 0.9399 1.46
22 1.212 0.8859 1.435
23 1.7 1.271 2.013
24 1.631 1.272 2.278
25 1.665 1.128 2.368
26 0.7204 0.5501 1.086
27 1.381 1.055 1.833
28 0.4245 0.3228 0.6048
31 1.167 0.8157 1.337
32 0.5505 0.4723 0.6899
33 0.5167 0.4874 0.7186
34 1.094 0.6822 1.337
35 1.197 0.8888 1.397
36 1.083 0.8796 1.298
37 0.2421 0.1816 0.2849
38 0.5434 0.4587 0.6796
39 0.2631 0.2389 0.4232
41 1.422 1.234 2.452
42 0.4625 0.2691 0.7729
43 1.157 0.768 1.996
44 1.415 1.084 2.618
45 0.7519 0.3595 1.262
46 1.679 1.434 2.894
47 0.3493 0.2925 0.9392
48 0.8334 0.6618 1.399
49 0.4559 0.3901 0.7656
51 1.293 1.034 1.477
52 0.4562 0.3407 0.7346
53 0.4716 0.4059 0.6483
54 1.043 0.9412 1.157
55 0.8165 0.4851 1.148
56 0.9782 0.7002 1.253
57 0.2215 0.1687 0.2553
58 0.7108 0.5264 0.7725
59 0.2534 0.165 0.3744
62 1.136 0.8738 1.194
63 0.5675 0.4189 0.6918
64 1.323 1.151 1.489
65 1.161 1.011 1.241
66 1.345 1.141 1.546
67 1.392 0.8679 1.582
68 0.1776 0.1606 0.1924
69 0.8031 0.613 0.8916
70 0.1777 0.1637 0.1973
72 1.195 0.5134 1.979
73 0.477 0.3284 1.044
74 1.185 1.016 1.669
75 1.226 0.8783 1.742
76 1.126 0.4179 1.877
77 1.034 0.9884 1.606
78 0.2051 0.1383 0.3298
79 0.7991 0.6432 1.334
80 0.1904 0.1715 0.2891
82 2.584 2.173 5.827
83 0.5975 0.5561 1.284
84 1.24 0.488 3.008
85 2.241 2.014 4.224
86 2.682 1.873 6.014
87 0.998 0.4763 2.25
88 0.8361 0.6387 1.201
89 1.289 1.065 2.907
90 1.006 0.8837 2.268
92 0.8209 0.744 0.9765
93 0.4816 0.4365 0.7412
94 1.082 0.8973 1.364
95 1.175 1.073 1.386
96 1.07 0.7427 1.325
97 1.078 1.021 1.166
98 0.1347 0.1274 0.1471
99 0.8515 0.7743 1.068
100 0.151 0.1394 0.2333
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "strips(2048)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 19 fs pattern 5 border title "strips(2048)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
