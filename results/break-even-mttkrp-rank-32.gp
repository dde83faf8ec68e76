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
set title "Runs until packing has paid: mttkrp, rank 32, 2 threads"
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
set yrange [0.5:120]
$s0 << EOD
1 0.5 1
8 0.5 3
16 0.5 6
25 0.5 6
32 0.5 3
61 0.5 2
EOD
$s1 << EOD
EOD
$s2 << EOD
34 0.5 6
56 0.5 10
70 0.5 5
EOD
$s3 << EOD
19 0.5 7
57 0.5 15
64 0.5 3
71 0.5 7
EOD
$s4 << EOD
5 0.5 20
12 0.5 4
20 0.5 7
EOD
$s5 << EOD
6 0.5 1
13 0.5 4
21 0.5 4
28 0.5 9
35 0.5 5
58 0.5 7
65 0.5 2
EOD
$s6 << EOD
14 0.5 1
22 0.5 1
29 0.5 1
43 0.5 1
59 0.5 1
EOD
$s7 << EOD
30 0.5 12
EOD
$intervals << EOD
EOD
$never << EOD
2 60 4
3 60 13
4 60 12
9 60 4
10 60 13
11 60 12
17 60 4
18 60 13
26 60 4
27 60 13
33 60 4
36 60 2
37 60 14
39 60 3
40 60 4
41 60 13
42 60 6
44 60 14
47 60 3
48 60 4
49 60 13
50 60 12
51 60 6
52 60 2
54 60 3
55 60 4
62 60 4
63 60 13
66 60 2
68 60 3
69 60 4
72 60 6
73 60 2
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "break-even-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf in order", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points pt 2 ps 1 lw 2 lc rgb "black" title "never, or tied"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "break-even-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "tcsf(256)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid noborder title "csf in order", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points pt 2 ps 1 lw 2 lc rgb "black" title "never, or tied"
unset output
