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
set title "Runs until packing has paid: mttkrp, rank 16, 2 threads"
set ylabel "runs"
set logscale y 10
set xrange [0:74]
unset xtics
set label "0" at first 3.5, graph 0 center offset 0, -1
set label "1" at first 11, graph 0 center offset 0, -1
set label "2" at first 19, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 11.5, graph 0 center offset 0, -2
set label "0" at first 27.5, graph 0 center offset 0, -1
set label "1" at first 34.5, graph 0 center offset 0, -1
set label "2" at first 41.5, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 34.5, graph 0 center offset 0, -2
set label "0" at first 49.5, graph 0 center offset 0, -1
set label "1" at first 56.5, graph 0 center offset 0, -1
set label "2" at first 63.5, graph 0 center offset 0, -1
set label "3" at first 70.5, graph 0 center offset 0, -1
set label "enron@0.02\n(stand-in)" at first 60, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.5:804]
$s0 << EOD
1 0.5 1
8 0.5 4
32 0.5 11
39 0.5 118
61 0.5 8
EOD
$s1 << EOD
9 0.5 16
EOD
$s2 << EOD
10 0.5 9
70 0.5 47
EOD
$s3 << EOD
11 0.5 13
19 0.5 15
57 0.5 40
64 0.5 6
EOD
$s4 << EOD
5 0.5 41
12 0.5 6
20 0.5 18
EOD
$s5 << EOD
6 0.5 1
13 0.5 4
21 0.5 11
28 0.5 4
35 0.5 12
42 0.5 18
58 0.5 12
65 0.5 4
EOD
$s6 << EOD
14 0.5 1
22 0.5 1
29 0.5 1
59 0.5 1
EOD
$s7 << EOD
37 0.5 10
44 0.5 134
EOD
$intervals << EOD
EOD
$never << EOD
2 402 4
3 402 13
4 402 12
16 402 3
17 402 4
18 402 13
25 402 3
26 402 4
27 402 13
30 402 14
33 402 4
34 402 13
36 402 2
40 402 4
41 402 13
43 402 2
47 402 3
48 402 4
49 402 13
50 402 12
51 402 6
52 402 2
54 402 3
55 402 4
56 402 13
62 402 4
63 402 13
66 402 2
68 402 3
69 402 4
71 402 12
72 402 6
73 402 2
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "break-even-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf in order", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points pt 2 ps 1 lw 2 lc rgb "black" title "never, or tied"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "break-even-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf in order", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points pt 2 ps 1 lw 2 lc rgb "black" title "never, or tied"
unset output
