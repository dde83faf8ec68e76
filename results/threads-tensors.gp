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
set key at screen 0.5, screen 0.015 center bottom maxrows 4 Left reverse samplen 1.5
set bmargin 8.6
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up of 2 threads over 1, mean over tensors and modes"
set ylabel "times as fast as 1 thread"
set yrange [0:*]
set xrange [0:90]
unset xtics
set label "mttkrp\nrank 16" at first 7.5, graph 0 center offset 0, -1 font ",12"
set label "mttkrp\nrank 32" at first 23.5, graph 0 center offset 0, -1 font ",12"
set label "ttv" at first 37, graph 0 center offset 0, -1 font ",12"
set label "ttm\nrank 16" at first 46.5, graph 0 center offset 0, -1 font ",12"
set label "innerprod" at first 56, graph 0 center offset 0, -1 font ",12"
set label "tensor-add\nnew result" at first 63.5, graph 0 center offset 0, -1 font ",12"
set label "tensor-add\nreused result" at first 67, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttv\nnew result" at first 70.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttv\nreused result" at first 74.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttm\nrank 16\nnew result" at first 78.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttm\nrank 16\nreused result" at first 82, graph 0 center offset 0, -1 font ",12"
set label "sparse-mttkrp\nrank 16\nnew result" at first 85.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-mttkrp\nrank 16\nreused result" at first 89, graph 0 center offset 0, -1 font ",12"
set arrow 1 from graph 0, first 2 to graph 1, first 2 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0 1.798
17 0 1.782
33 0 2.077
44 0 2.007
52 0 2.035
EOD
$s1 << EOD
2 0 2.007
18 0 1.988
34 0 1.768
45 0 1.789
53 0 2.024
63 0 1.592
67 0 1.714
70 0 1.104
74 0 1.332
78 0 0.1526
82 0 1.5
85 0 1.389
89 0 1.425
EOD
$s2 << EOD
3 0 1.931
19 0 1.989
35 0 1.603
54 0 2.033
EOD
$s3 << EOD
4 0 1.99
20 0 1.917
36 0 2.226
46 0 1.72
71 0 1.1
75 0 1.27
EOD
$s4 << EOD
5 0 1.963
21 0 2.067
37 0 2.101
47 0 1.813
55 0 2.034
EOD
$s5 << EOD
6 0 1.807
22 0 1.846
56 0 2.201
EOD
$s6 << EOD
7 0 1.831
23 0 1.955
57 0 2.106
EOD
$s7 << EOD
8 0 1.926
24 0 1.95
EOD
$s8 << EOD
9 0 2.014
25 0 2.055
EOD
$s9 << EOD
10 0 2.088
26 0 2.246
EOD
$s10 << EOD
11 0 1.651
27 0 1.562
38 0 2.639
48 0 0.9225
EOD
$s11 << EOD
39 0 1.004
58 0 2.046
EOD
$s12 << EOD
40 0 1.131
59 0 2.015
EOD
$s13 << EOD
12 0 1.613
28 0 1.774
EOD
$s14 << EOD
13 0 2.053
29 0 1.954
EOD
$s15 << EOD
14 0 1.93
30 0 2.064
41 0 2.069
49 0 1.184
60 0 1.31
64 0 1.002
79 0 0.9815
86 0 1.229
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "threads-tensors.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "strips(16384)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(256)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "hicoo(128)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "threads-tensors.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "strips(16384)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(256)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "hicoo(128)", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
