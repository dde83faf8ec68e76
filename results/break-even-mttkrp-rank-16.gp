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
set key at screen 0.5, screen 0.015 center bottom maxrows 2 Left reverse samplen 1.5
set bmargin 7.4
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Runs until packing has paid: mttkrp, rank 16, 2 threads"
set ylabel "runs"
set logscale y 10
set xrange [0:71]
unset xtics
set label "0" at first 3, graph 0 center offset 0, -1
set label "1" at first 9.5, graph 0 center offset 0, -1
set label "2" at first 16.5, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 10, graph 0 center offset 0, -2
set label "0" at first 24.5, graph 0 center offset 0, -1
set label "1" at first 31.5, graph 0 center offset 0, -1
set label "2" at first 38.5, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 31.5, graph 0 center offset 0, -2
set label "0" at first 46.5, graph 0 center offset 0, -1
set label "1" at first 53.5, graph 0 center offset 0, -1
set label "2" at first 60.5, graph 0 center offset 0, -1
set label "3" at first 67.5, graph 0 center offset 0, -1
set label "enron@0.02\n(stand-in)" at first 57, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.5:348]
$s0 << EOD
1 0.5 1
7 0.5 6
14 0.5 58
29 0.5 24
36 0.5 20
58 0.5 6
EOD
$s1 << EOD
8 0.5 24
EOD
$s2 << EOD
9 0.5 16
53 0.5 17
60 0.5 16
EOD
$s3 << EOD
10 0.5 15
17 0.5 22
54 0.5 16
61 0.5 9
68 0.5 43
EOD
$s4 << EOD
5 0.5 1
11 0.5 7
18 0.5 20
32 0.5 10
39 0.5 18
55 0.5 10
62 0.5 4
EOD
$s5 << EOD
12 0.5 1
19 0.5 1
EOD
$s6 << EOD
27 0.5 41
34 0.5 11
41 0.5 15
EOD
$intervals << EOD
EOD
$never << EOD
2 174 4
3 174 13
4 174 12
15 174 4
16 174 13
22 174 3
23 174 4
24 174 13
25 174 6
26 174 1
30 174 4
31 174 13
33 174 1
37 174 4
38 174 13
40 174 1
44 174 3
45 174 4
46 174 13
47 174 12
48 174 6
49 174 1
51 174 3
52 174 4
56 174 1
59 174 4
63 174 1
65 174 3
66 174 4
67 174 13
69 174 6
70 174 1
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "break-even-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points pt 2 ps 1 lw 2 lc rgb "black" title "never, or tied"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "break-even-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "alto", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 12 fs pattern 5 border title "strips(1024)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid noborder title "csf in order", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(4096)", $never using 1:2:3 with points pt 2 ps 1 lw 2 lc variable notitle, NaN with points pt 2 ps 1 lw 2 lc rgb "black" title "never, or tied"
unset output
