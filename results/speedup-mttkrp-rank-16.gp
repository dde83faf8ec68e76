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
set yrange [0.09411:4.076]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 1.337
11 1 2.602
21 0.9826 1
33 0.8151 1
44 1 1.228
54 1 1.113
65 0.6374 1
76 0.8553 1
87 1 1.31
97 0.7223 1
EOD
$s1 << EOD
2 1 1.287
12 1 2.691
22 1 1.461
34 0.8234 1
EOD
$s2 << EOD
3 1 1.493
13 1 3.261
EOD
$s3 << EOD
4 1 1.101
14 1 2.457
23 1 1.586
35 1 1.071
45 1 1.627
55 1 1.415
66 1 1.177
77 1 1.839
88 1 2.064
98 1 1.492
EOD
$s4 << EOD
5 0.6773 1
15 1 1.479
24 1 1.04
36 0.63 1
46 0.9553 1
56 0.9982 1
67 0.8094 1
78 1 1.2
89 0.9952 1
99 1 1.102
EOD
$s5 << EOD
6 0.6646 1
25 1 1.039
68 0.7693 1
79 1 1.169
90 0.9762 1
100 1 1.058
EOD
$s6 << EOD
16 1 1.158
EOD
$s7 << EOD
26 0.9909 1
57 1 1.114
EOD
$s8 << EOD
27 1 1.434
EOD
$s9 << EOD
37 0.8017 1
EOD
$s10 << EOD
38 0.7909 1
58 1 1.062
EOD
$s11 << EOD
39 0.6652 1
47 1 1.017
59 1 1.04
EOD
$s12 << EOD
48 1 1.263
EOD
$s13 << EOD
49 1 1.226
69 0.8017 1
80 1 1.154
91 1 1.797
101 1 1.209
EOD
$s14 << EOD
70 1 1.063
81 1 1.651
EOD
$s15 << EOD
71 0.6536 1
EOD
$s16 << EOD
82 0.8612 1
EOD
$s17 << EOD
92 1 1.054
EOD
$s18 << EOD
7 0.5251 1
17 0.7666 1
28 0.3328 1
40 0.2376 1
50 0.3535 1
60 0.2801 1
72 0.1176 1
83 0.2394 1
93 0.3769 1
102 0.1539 1
EOD
$s19 << EOD
8 0.6965 1
18 1 1.453
29 1 1.077
41 0.587 1
51 0.9325 1
61 0.8829 1
73 0.4486 1
84 0.6433 1
94 1 1.003
103 0.637 1
EOD
$s20 << EOD
9 0.3553 1
19 0.6578 1
30 0.3622 1
42 0.2466 1
52 0.4071 1
62 0.3648 1
74 0.1524 1
85 0.3314 1
95 0.4313 1
104 0.2283 1
EOD
$intervals << EOD
1 1.337 1.29 1.367
2 1.287 1.215 1.299
3 1.493 1.442 1.549
4 1.101 1.055 1.155
5 0.6773 0.6605 0.7089
6 0.6646 0.6459 0.6727
7 0.5251 0.1908 0.5362
8 0.6965 0.679 0.7058
9 0.3553 0.345 0.361
11 2.602 2.532 2.705
12 2.691 2.519 2.744
13 3.261 3.139 3.47
14 2.457 2.372 2.507
15 1.479 1.425 1.505
16 1.158 1.151 1.171
17 0.7666 0.5058 0.7837
18 1.453 1.412 1.5
19 0.6578 0.6506 0.6643
21 0.9826 0.945 1.015
22 1.461 1.403 1.502
23 1.586 1.523 1.657
24 1.04 1.009 1.066
25 1.039 1.009 1.079
26 0.9909 0.9419 1.013
27 1.434 1.378 1.472
28 0.3328 0.2797 0.4196
29 1.077 1.033 1.114
30 0.3622 0.3455 0.374
33 0.8151 0.785 0.8468
34 0.8234 0.7984 0.8701
35 1.071 1.016 1.116
36 0.63 0.6041 0.6628
37 0.8017 0.7634 0.846
38 0.7909 0.7521 0.8534
39 0.6652 0.6412 0.6984
40 0.2376 0.2096 0.2634
41 0.587 0.5305 0.612
42 0.2466 0.2175 0.2638
44 1.228 1.197 1.276
45 1.627 1.521 1.698
46 0.9553 0.9402 0.9752
47 1.017 0.9972 1.026
48 1.263 1.221 1.268
49 1.226 1.176 1.235
50 0.3535 0.3447 0.3657
51 0.9325 0.9093 0.9968
52 0.4071 0.3965 0.4185
54 1.113 1.081 1.153
55 1.415 1.389 1.471
56 0.9982 0.9816 1.033
57 1.114 1.082 1.163
58 1.062 1.017 1.117
59 1.04 0.9997 1.095
60 0.2801 0.273 0.3088
61 0.8829 0.8552 0.9161
62 0.3648 0.3554 0.378
65 0.6374 0.6201 0.6495
66 1.177 1.142 1.194
67 0.8094 0.7826 0.8122
68 0.7693 0.7429 0.8234
69 0.8017 0.7706 0.8221
70 1.063 1.023 1.083
71 0.6536 0.6325 0.6621
72 0.1176 0.1135 0.1189
73 0.4486 0.4327 0.4563
74 0.1524 0.1384 0.1636
76 0.8553 0.8515 0.8759
77 1.839 1.78 1.906
78 1.2 1.19 1.245
79 1.169 1.136 1.209
80 1.154 1.132 1.185
81 1.651 1.615 1.689
82 0.8612 0.8457 0.8878
83 0.2394 0.2203 0.2492
84 0.6433 0.623 0.653
85 0.3314 0.3301 0.3406
87 1.31 1.295 1.342
88 2.064 2.011 2.117
89 0.9952 0.9773 1.019
90 0.9762 0.9523 0.997
91 1.797 1.73 1.846
92 1.054 1.037 1.077
93 0.3769 0.3667 0.3831
94 1.003 0.9189 1.028
95 0.4313 0.4217 0.437
97 0.7223 0.6963 0.7487
98 1.492 1.454 1.545
99 1.102 1.053 1.174
100 1.058 1.012 1.095
101 1.209 1.139 1.273
102 0.1539 0.1482 0.1669
103 0.637 0.609 0.6592
104 0.2283 0.2147 0.2345
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "tcsf(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:0,3,1,2", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csf:1,3,0,2", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "csf:2,0,1,3", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "tcsf(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:0,3,1,2", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csf:1,3,0,2", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "csf:2,0,1,3", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s19 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s20 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
