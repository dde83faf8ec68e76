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
set title "Runs until packing has paid: mttkrp, rank 16, 2 threads"
set ylabel "runs"
set logscale y 10
set xrange [0:75]
unset xtics
set label "0" at first 3.5, graph 0 center offset 0, -1
set label "1" at first 10.5, graph 0 center offset 0, -1
set label "2" at first 18, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 11, graph 0 center offset 0, -2
set label "0" at first 27, graph 0 center offset 0, -1
set label "1" at first 34.5, graph 0 center offset 0, -1
set label "2" at first 41.5, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 34, graph 0 center offset 0, -2
set label "0" at first 50, graph 0 center offset 0, -1
set label "1" at first 58, graph 0 center offset 0, -1
set label "2" at first 65.5, graph 0 center offset 0, -1
set label "3" at first 72, graph 0 center offset 0, -1
set label "enron@0.02\n(stand-in)" at first 60.5, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.5:978]
$s0 << EOD
1 0.5 1
8 0.5 5
32 0.5 20
39 0.5 34
63 0.5 13
EOD
$s1 << EOD
2 0.5 1
9 0.5 1
16 0.5 1
EOD
$s2 << EOD
3 0.5 23
10 0.5 7
EOD
$s3 << EOD
4 0.5 1
11 0.5 5
17 0.5 14
26 0.5 61
33 0.5 9
40 0.5 11
48 0.5 32
56 0.5 8
64 0.5 6
71 0.5 11
EOD
$s4 << EOD
12 0.5 12
18 0.5 163
57 0.5 26
72 0.5 50
EOD
$s5 << EOD
19 0.5 144
58 0.5 30
73 0.5 84
EOD
$s6 << EOD
13 0.5 24
EOD
$s7 << EOD
42 0.5 32
EOD
$s8 << EOD
21 0.5 22
EOD
$s9 << EOD
EOD
$s10 << EOD
43 0.5 69
EOD
$s11 << EOD
EOD
$s12 << EOD
36 0.5 17
EOD
$s13 << EOD
37 0.5 23
59 0.5 32
67 0.5 8
74 0.5 27
EOD
$s14 << EOD
52 0.5 3
60 0.5 1
EOD
$s15 << EOD
EOD
$s16 << EOD
EOD
$s17 << EOD
68 0.5 58
EOD
$intervals << EOD
EOD
$never << EOD
5 489 13
6 489 1
15 489 3
20 489 2
24 489 3
25 489 5
27 489 13
28 489 7
29 489 12
30 489 11
34 489 13
35 489 11
41 489 13
44 489 11
47 489 3
49 489 13
50 489 1
51 489 14
53 489 9
55 489 3
61 489 10
65 489 13
66 489 1
70 489 3
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "break-even-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "tcsf(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:0,3,1,2", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csf:1,3,0,2", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "csf:2,0,1,3", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points pt 2 ps 1 lw 2 lc rgb "black" title "never, or tied"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "break-even-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "keys(1024)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf:2,1,0", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "tcsf(256)", $s9 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid noborder title "csf:0,2,1", $s10 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s11 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s12 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 8 fs solid noborder title "csf:1,0,2", $s13 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $s14 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 16 fs pattern 5 border title "dsss", $s15 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 9 fs solid noborder title "csf:0,3,1,2", $s16 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 10 fs solid noborder title "csf:1,3,0,2", $s17 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 18 fs pattern 5 border title "csf:2,0,1,3", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points pt 2 ps 1 lw 2 lc rgb "black" title "never, or tied"
unset output
