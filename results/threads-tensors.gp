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
set xrange [0:95]
unset xtics
set label "mttkrp\nrank 16" at first 8.5, graph 0 center offset 0, -1 font ",12"
set label "mttkrp\nrank 32" at first 26.5, graph 0 center offset 0, -1 font ",12"
set label "ttv" at first 41.5, graph 0 center offset 0, -1 font ",12"
set label "ttm\nrank 16" at first 51.5, graph 0 center offset 0, -1 font ",12"
set label "innerprod" at first 61, graph 0 center offset 0, -1 font ",12"
set label "tensor-add\nnew result" at first 68.5, graph 0 center offset 0, -1 font ",12"
set label "tensor-add\nreused result" at first 72, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttv\nnew result" at first 75.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttv\nreused result" at first 79.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttm\nrank 16\nnew result" at first 83.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttm\nrank 16\nreused result" at first 87, graph 0 center offset 0, -1 font ",12"
set label "sparse-mttkrp\nrank 16\nnew result" at first 90.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-mttkrp\nrank 16\nreused result" at first 94, graph 0 center offset 0, -1 font ",12"
set arrow 1 from graph 0, first 2 to graph 1, first 2 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0 1.79
19 0 1.736
37 0 1.998
49 0 1.894
57 0 1.909
EOD
$s1 << EOD
2 0 2.03
20 0 1.979
38 0 2.076
50 0 1.644
58 0 1.983
68 0 1.563
72 0 1.738
75 0 0.9497
79 0 1.345
83 0 1.192
87 0 1.652
90 0 1.043
94 0 1.972
EOD
$s2 << EOD
3 0 1.94
21 0 1.805
39 0 1.937
51 0 1.7
59 0 1.981
76 0 1.383
80 0 1.331
EOD
$s3 << EOD
4 0 2.031
22 0 1.895
40 0 1.521
60 0 1.998
EOD
$s4 << EOD
5 0 1.968
23 0 1.981
41 0 2.206
52 0 1.857
61 0 1.978
EOD
$s5 << EOD
6 0 1.777
24 0 1.754
EOD
$s6 << EOD
7 0 1.666
25 0 1.813
62 0 2.076
EOD
$s7 << EOD
8 0 1.926
26 0 1.505
42 0 1.899
53 0 0.59
EOD
$s8 << EOD
9 0 1.743
27 0 1.609
EOD
$s9 << EOD
10 0 2.04
28 0 1.986
EOD
$s10 << EOD
11 0 1.818
29 0 1.744
43 0 0.4202
EOD
$s11 << EOD
12 0 1.879
30 0 1.935
EOD
$s12 << EOD
13 0 1.951
31 0 2.064
EOD
$s13 << EOD
44 0 0.951
63 0 1.957
EOD
$s14 << EOD
45 0 1.183
64 0 2.006
EOD
$s15 << EOD
14 0 1.649
32 0 1.62
EOD
$s16 << EOD
15 0 1.991
33 0 1.908
EOD
$s17 << EOD
16 0 1.907
34 0 1.935
46 0 2.096
54 0 1.198
65 0 1.098
69 0 1.003
84 0 1.033
91 0 1.297
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "threads-tensors.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "tcsf(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(256)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "hicoo(128)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "threads-tensors.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "keys(1024)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "tcsf(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "strips(256)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "hicoo(128)", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
