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
1 0 1.745
17 0 1.747
33 0 2.17
44 0 1.838
52 0 1.899
EOD
$s1 << EOD
2 0 1.99
18 0 1.983
34 0 1.744
45 0 1.695
53 0 1.963
63 0 1.597
67 0 1.752
70 0 1.315
74 0 1.322
78 0 1.279
82 0 1.534
85 0 1.443
89 0 1.437
EOD
$s2 << EOD
3 0 1.875
19 0 1.94
35 0 1.819
54 0 2.004
EOD
$s3 << EOD
4 0 1.886
20 0 1.902
36 0 1.889
46 0 1.691
71 0 1.702
75 0 1.265
EOD
$s4 << EOD
5 0 1.982
21 0 2.063
37 0 2.099
47 0 1.752
55 0 1.965
EOD
$s5 << EOD
6 0 1.807
22 0 1.817
56 0 2.055
EOD
$s6 << EOD
7 0 1.903
23 0 1.944
57 0 2.075
EOD
$s7 << EOD
8 0 1.931
24 0 1.976
EOD
$s8 << EOD
9 0 1.951
25 0 1.942
EOD
$s9 << EOD
10 0 2.029
26 0 2.133
EOD
$s10 << EOD
11 0 1.691
27 0 1.619
38 0 2.175
48 0 0.8779
EOD
$s11 << EOD
39 0 0.9131
58 0 1.936
EOD
$s12 << EOD
40 0 1.116
59 0 1.953
EOD
$s13 << EOD
12 0 1.432
28 0 1.562
EOD
$s14 << EOD
13 0 1.948
29 0 1.921
EOD
$s15 << EOD
14 0 2.123
30 0 2.114
41 0 1.636
49 0 1.191
60 0 1.549
64 0 0.9959
79 0 1.003
86 0 1.278
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
