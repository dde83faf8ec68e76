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
set bmargin 7.6
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up of 2 threads over 1, mean over tensors and modes"
set ylabel "times as fast as 1 thread"
set yrange [0:*]
set xrange [0:66]
unset xtics
set label "mttkrp\nrank 16" at first 6.5, graph 0 center offset 0, -1 font ",12"
set label "mttkrp\nrank 32" at first 20.5, graph 0 center offset 0, -1 font ",12"
set label "ttv" at first 31.5, graph 0 center offset 0, -1 font ",12"
set label "ttm\nrank 16" at first 39.5, graph 0 center offset 0, -1 font ",12"
set label "innerprod" at first 47, graph 0 center offset 0, -1 font ",12"
set label "tensor-add" at first 52.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttv" at first 56.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-ttm\nrank 16" at first 60.5, graph 0 center offset 0, -1 font ",12"
set label "sparse-mttkrp\nrank 16" at first 64.5, graph 0 center offset 0, -1 font ",12"
set arrow 1 from graph 0, first 2 to graph 1, first 2 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0 1.699
15 0 1.615
29 0 1.893
37 0 1.608
45 0 1.829
EOD
$s1 << EOD
2 0 1.848
16 0 1.984
30 0 1.727
38 0 1.79
46 0 1.914
52 0 1.267
56 0 1.522
60 0 1.528
64 0 1.954
EOD
$s2 << EOD
3 0 1.617
17 0 1.72
31 0 1.13
39 0 0.8757
47 0 1.703
EOD
$s3 << EOD
4 0 1.697
18 0 1.546
EOD
$s4 << EOD
5 0 1.864
19 0 1.707
EOD
$s5 << EOD
6 0 1.962
20 0 1.711
EOD
$s6 << EOD
7 0 2.073
21 0 1.958
32 0 1.893
40 0 1.786
48 0 2.195
EOD
$s7 << EOD
8 0 1.818
22 0 1.641
EOD
$s8 << EOD
9 0 1.903
23 0 1.94
EOD
$s9 << EOD
33 0 1.673
41 0 1.774
57 0 1.527
EOD
$s10 << EOD
10 0 1.554
24 0 1.771
EOD
$s11 << EOD
11 0 1.957
25 0 1.798
EOD
$s12 << EOD
12 0 2.209
26 0 2.196
34 0 1.669
42 0 1.153
49 0 2.019
53 0 0.8281
61 0 1.005
65 0 1.218
EOD
$intervals << EOD
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "threads-tensors.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "tcsf(256)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csf in order", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "dss", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "threads-tensors.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "coo", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "tcsf(256)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "csf in order", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "dss", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs solid 0.2 border title "ALTO", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco"
unset output
