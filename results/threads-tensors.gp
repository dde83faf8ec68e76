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
set bmargin 9.7
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up of 2 threads over 1, mean over tensors and modes"
set ylabel "times as fast as 1 thread"
set yrange [0:*]
set xrange [0:101]
unset xtics
set label "mttkrp\nrank 16" at first 10, graph 0 center offset 0, -1 font ",12"
set label "mttkrp\nrank 32" at first 31, graph 0 center offset 0, -1 font ",12"
set label "ttv" at first 47.5, graph 0 center offset 0, -1 font ",12"
set label "ttm\nrank 16" at first 57.5, graph 0 center offset 0, -1 font ",12"
set label "innerprod" at first 67, graph 0 center offset 0, -1 font ",12"
set label "tensor-add\nnew result" at first 74.5, graph 0 center offset 0, -1 font ",12"
set label "tensor-add\nreused result" at first 78, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttv\nnew result" at first 81.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttv\nreused result" at first 85.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttm\nrank 16\nnew result" at first 89.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttm\nrank 16\nreused result" at first 93, graph 0 center offset 0, -1 font ",12"
set label "sparse-mttkrp\nrank 16\nnew result" at first 96.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-mttkrp\nrank 16\nreused result" at first 100, graph 0 center offset 0, -1 font ",12"
set arrow 1 from graph 0, first 2 to graph 1, first 2 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0 1.785
22 0 1.678
43 0 2.083
55 0 1.608
63 0 1.881
EOD
$s1 << EOD
2 0 1.975
23 0 1.971
44 0 1.596
56 0 1.584
64 0 1.967
74 0 1.506
78 0 1.613
81 0 0.979
85 0 1.265
89 0 1.106
93 0 1.483
96 0 1.479
100 0 1.472
EOD
$s2 << EOD
3 0 1.896
24 0 1.938
45 0 1.939
57 0 1.599
65 0 1.967
82 0 1.375
86 0 1.253
EOD
$s3 << EOD
4 0 2.147
25 0 1.947
46 0 1.813
66 0 2.008
EOD
$s4 << EOD
5 0 1.985
26 0 2.031
47 0 1.981
58 0 1.474
67 0 1.988
EOD
$s5 << EOD
6 0 1.822
27 0 1.84
48 0 1.136
68 0 1.974
EOD
$s6 << EOD
7 0 1.933
28 0 1.956
49 0 1.993
59 0 0.6479
EOD
$s7 << EOD
8 0 1.544
29 0 1.579
EOD
$s8 << EOD
9 0 2.007
30 0 1.992
50 0 1.009
69 0 1.896
EOD
$s9 << EOD
10 0 1.753
31 0 1.668
70 0 2.089
EOD
$s10 << EOD
11 0 1.889
32 0 1.97
EOD
$s11 << EOD
12 0 1.739
33 0 1.74
51 0 0.4367
EOD
$s12 << EOD
13 0 2.006
34 0 2.097
EOD
$s13 << EOD
14 0 1.796
35 0 1.679
EOD
$s14 << EOD
15 0 1.896
36 0 1.915
EOD
$s15 << EOD
16 0 1.981
37 0 2.11
EOD
$s16 << EOD
17 0 1.751
38 0 1.803
EOD
$s17 << EOD
18 0 2.028
39 0 1.915
EOD
$s18 << EOD
19 0 2.006
40 0 2.079
52 0 1.88
60 0 1.1
71 0 1.261
75 0 0.9303
90 0 1.009
97 0 1.288
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "threads-tensors.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "tcsf(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(16384)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "alto", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "strips(4096)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "threads-tensors.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "tcsf(256)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(16384)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "alto", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "strips(4096)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s18 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
