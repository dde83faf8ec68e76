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
set title "Speed-up: mttkrp, rank 32, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
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
set yrange [0.1115:3.618]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.397
11 1 2.332
21 1 1.196
33 0.9973 1
43 1 1.231
53 0.9236 1
64 0.7782 1
73 1 1.055
82 1 1.992
92 0.9686 1
EOD
$s1 << EOD
2 1 1.453
12 1 2.457
22 1 1.641
EOD
$s2 << EOD
3 1 1.423
13 1 2.3
23 1 1.545
34 1 1.005
EOD
$s3 << EOD
4 1 1.095
14 1 1.611
24 1 1.612
35 0.9586 1
44 1 1.127
54 0.864 1
65 1 1.128
74 1 1.341
83 1 2.894
93 1 1.068
EOD
$s4 << EOD
5 0.6281 1
15 1 1.021
25 0.9959 1
36 0.7373 1
45 0.9721 1
55 0.9093 1
66 0.6634 1
75 0.9898 1
84 1 1.019
94 0.992 1
EOD
$s5 << EOD
6 0.6121 1
16 1 1.023
46 1 1.043
56 0.9997 1
76 0.9596 1
95 0.844 1
EOD
$s6 << EOD
26 1 1.201
57 0.9382 1
EOD
$s7 << EOD
27 1 1.59
67 0.6649 1
77 0.9781 1
85 1 1.923
96 1 1.091
EOD
$s8 << EOD
37 1 1.022
EOD
$s9 << EOD
38 0.904 1
58 0.8773 1
EOD
$s10 << EOD
47 1 1.397
EOD
$s11 << EOD
48 1 1.186
EOD
$s12 << EOD
68 0.6417 1
86 1 1.045
EOD
$s13 << EOD
87 1 2.017
EOD
$s14 << EOD
7 0.3336 1
17 0.5411 1
28 0.586 1
39 0.504 1
49 0.6316 1
59 0.4627 1
69 0.1626 1
78 0.2663 1
88 0.5834 1
97 0.1394 1
EOD
$s15 << EOD
8 0.6377 1
18 1 1.043
29 1 1.046
40 0.6053 1
50 0.7938 1
60 0.7426 1
70 0.4463 1
79 0.6626 1
89 1 1.071
98 0.7463 1
EOD
$s16 << EOD
9 0.2764 1
19 0.4076 1
30 0.3781 1
41 0.38 1
51 0.4318 1
61 0.3495 1
71 0.1949 1
80 0.2806 1
90 0.6829 1
99 0.1534 1
EOD
$intervals << EOD
1 1.397 1.302 1.514
2 1.453 1.294 1.572
3 1.423 1.33 1.532
4 1.095 1.039 1.172
5 0.6281 0.5826 0.667
6 0.6121 0.5801 0.6621
7 0.3336 0.2364 0.3546
8 0.6377 0.6059 0.6775
9 0.2764 0.2605 0.3001
11 2.332 2.235 2.401
12 2.457 2.258 2.685
13 2.3 2.145 2.432
14 1.611 1.563 1.642
15 1.021 1.005 1.029
16 1.023 1.001 1.049
17 0.5411 0.3963 0.8084
18 1.043 1.013 1.07
19 0.4076 0.4009 0.4113
21 1.196 1.176 1.214
22 1.641 1.6 1.679
23 1.545 1.499 1.581
24 1.612 1.567 1.636
25 0.9959 0.9812 1.006
26 1.201 1.176 1.215
27 1.59 1.565 1.608
28 0.586 0.525 0.5955
29 1.046 0.9808 1.071
30 0.3781 0.3697 0.3844
33 0.9973 0.9759 1.038
34 1.005 0.97 1.042
35 0.9586 0.9356 0.9867
36 0.7373 0.7156 0.7634
37 1.022 0.9998 1.056
38 0.904 0.8657 0.9438
39 0.504 0.4939 0.5314
40 0.6053 0.5869 0.6243
41 0.38 0.3731 0.3934
43 1.231 1.214 1.252
44 1.127 1.107 1.157
45 0.9721 0.9302 0.9945
46 1.043 1.008 1.081
47 1.397 1.328 1.416
48 1.186 1.167 1.209
49 0.6316 0.6209 0.6436
50 0.7938 0.6692 0.8338
51 0.4318 0.4245 0.4542
53 0.9236 0.891 0.9385
54 0.864 0.8323 0.886
55 0.9093 0.8803 0.9346
56 0.9997 0.9713 1.019
57 0.9382 0.9105 0.9542
58 0.8773 0.8585 0.9049
59 0.4627 0.4486 0.471
60 0.7426 0.7258 0.7808
61 0.3495 0.3427 0.3561
64 0.7782 0.7489 0.8015
65 1.128 1.072 1.165
66 0.6634 0.6253 0.6733
67 0.6649 0.639 0.6747
68 0.6417 0.6014 0.6847
69 0.1626 0.1543 0.176
70 0.4463 0.4057 0.4609
71 0.1949 0.188 0.1967
73 1.055 1.043 1.08
74 1.341 1.255 1.368
75 0.9898 0.9711 1.01
76 0.9596 0.929 1.009
77 0.9781 0.9531 1
78 0.2663 0.2499 0.2749
79 0.6626 0.6455 0.6901
80 0.2806 0.2648 0.2904
82 1.992 1.963 2.07
83 2.894 2.832 2.98
84 1.019 1.003 1.051
85 1.923 1.9 2.009
86 1.045 1.012 1.091
87 2.017 1.993 2.073
88 0.5834 0.5731 0.6006
89 1.071 1.035 1.124
90 0.6829 0.6709 0.7041
92 0.9686 0.9489 0.9942
93 1.068 1.021 1.103
94 0.992 0.9615 1.033
95 0.844 0.8231 0.878
96 1.091 1.058 1.12
97 0.1394 0.1311 0.1439
98 0.7463 0.7235 0.7675
99 0.1534 0.146 0.1585
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csf:0,2,1", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(16384)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:2,0,1,3", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "csf:0,2,1", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(16384)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:2,0,1,3", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
