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
set yrange [0.1325:3.9]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.972
10 1 1.826
20 1 1.507
31 1 1.397
41 1 1.812
51 1 1.242
62 1 1.122
72 1 1.077
82 1 2.506
92 0.8647 1
EOD
$s1 << EOD
2 0.9081 1
11 0.8874 1
21 1 1.074
32 0.8709 1
42 0.6325 1
52 0.5547 1
63 0.4811 1
73 0.4475 1
83 0.5889 1
93 0.5724 1
EOD
$s2 << EOD
3 0.8788 1
12 0.926 1
22 1 1.048
33 0.8197 1
43 1 1.1
53 0.5087 1
64 1 1.062
74 1 1.36
84 1 1.347
94 1 1.028
EOD
$s3 << EOD
4 0.9368 1
13 0.9558 1
23 1 1.117
65 1 1.021
75 0.923 1
85 1 2.347
95 0.8572 1
EOD
$s4 << EOD
5 1 1.52
14 1 1.553
24 1 1.296
34 1 1.175
44 1 1.659
54 0.9892 1
66 1 1.154
76 0.9974 1
86 1 3.12
96 0.9794 1
EOD
$s5 << EOD
15 1 1.727
25 1 1.518
35 1 1.228
45 0.9583 1
55 1 1.002
67 1 1.16
77 1 1.055
87 1 1.27
97 0.8258 1
EOD
$s6 << EOD
36 1 1.557
46 1 1.935
56 1 1.131
EOD
$s7 << EOD
6 0.9113 1
16 1 1.047
26 0.6701 1
37 0.5884 1
47 0.9116 1
57 0.475 1
68 0.1767 1
78 0.2197 1
88 0.8318 1
98 0.1753 1
EOD
$s8 << EOD
7 1 1.17
17 1 1.027
27 1 1.224
38 0.6221 1
48 1 1.064
58 0.7471 1
69 0.7561 1
79 0.952 1
89 1 1.613
99 0.8483 1
EOD
$s9 << EOD
8 0.3905 1
18 0.3483 1
28 0.4519 1
39 0.3999 1
49 0.7089 1
59 0.3373 1
70 0.1657 1
80 0.1967 1
90 0.9574 1
100 0.1773 1
EOD
$intervals << EOD
1 1.972 1.812 2.027
2 0.9081 0.7244 1.035
3 0.8788 0.4255 1.053
4 0.9368 0.7472 1.131
5 1.52 1.2 1.882
6 0.9113 0.6411 1.026
7 1.17 0.9385 1.17
8 0.3905 0.3689 0.4976
10 1.826 1.367 2.048
11 0.8874 0.8225 1.058
12 0.926 0.8686 0.9916
13 0.9558 0.932 1.049
14 1.553 1.37 1.61
15 1.727 1.577 1.962
16 1.047 0.7872 1.113
17 1.027 0.8164 1.127
18 0.3483 0.3483 0.451
20 1.507 1.301 1.567
21 1.074 0.9578 1.152
22 1.048 0.6829 1.109
23 1.117 0.8728 1.186
24 1.296 1.04 1.571
25 1.518 0.9791 1.675
26 0.6701 0.4865 0.7112
27 1.224 1.089 1.277
28 0.4519 0.401 0.4751
31 1.397 0.9903 1.64
32 0.8709 0.6333 1.262
33 0.8197 0.4709 0.9518
34 1.175 0.7368 1.362
35 1.228 0.8363 1.673
36 1.557 0.9819 2.297
37 0.5884 0.417 0.7368
38 0.6221 0.4723 1.076
39 0.3999 0.2312 0.8454
41 1.812 1.512 2.611
42 0.6325 0.5542 0.9791
43 1.1 0.7895 1.782
44 1.659 1.373 2.511
45 0.9583 0.747 1.37
46 1.935 1.662 2.91
47 0.9116 0.7851 1.305
48 1.064 0.7916 1.599
49 0.7089 0.5026 1.118
51 1.242 0.8699 1.245
52 0.5547 0.509 0.6742
53 0.5087 0.3186 0.6182
54 0.9892 0.8519 1.201
55 1.002 0.9695 1.218
56 1.131 0.5558 1.358
57 0.475 0.3595 0.5773
58 0.7471 0.369 0.8086
59 0.3373 0.1646 0.3806
62 1.122 0.9825 1.479
63 0.4811 0.4661 0.6322
64 1.062 1.029 1.35
65 1.021 0.8302 1.121
66 1.154 1.068 1.518
67 1.16 1.107 1.303
68 0.1767 0.148 0.2476
69 0.7561 0.7078 0.9822
70 0.1657 0.1423 0.2121
72 1.077 0.9137 1.405
73 0.4475 0.3565 0.6274
74 1.36 0.9743 1.851
75 0.923 0.7651 1.188
76 0.9974 0.8963 1.288
77 1.055 1.005 1.367
78 0.2197 0.1986 0.3011
79 0.952 0.8859 1.301
80 0.1967 0.1595 0.2532
82 2.506 2.09 7.424
83 0.5889 0.3577 1.948
84 1.347 0.8781 4.09
85 2.347 1.531 7.316
86 3.12 1.982 10.26
87 1.27 0.7842 3.762
88 0.8318 0.3895 3.132
89 1.613 1.09 5.003
90 0.9574 0.6469 3.224
92 0.8647 0.8027 1.086
93 0.5724 0.5199 0.6328
94 1.028 0.9607 1.184
95 0.8572 0.7977 0.9754
96 0.9794 0.9039 1.114
97 0.8258 0.7152 1.468
98 0.1753 0.154 0.2061
99 0.8483 0.7942 0.8807
100 0.1773 0.1663 0.196
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
