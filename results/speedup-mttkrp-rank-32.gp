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
set title "Speed-up: mttkrp, rank 32, 2 threads\nfilled: a format, framed: another library, whisker: its interval"
set ylabel "times as fast as coo"
set logscale y 2
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
set yrange [0.1344:9.626]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 2.312
7 1 2.422
14 1 1.206
22 0.9082 1
29 1 1.436
36 0.9237 1
44 1 1.208
51 1 1.185
58 1 5.063
65 1 1.109
EOD
$s1 << EOD
2 0.8623 1
8 0.8832 1
15 0.8796 1
23 0.5281 1
30 0.5729 1
37 0.4783 1
45 0.5697 1
52 0.6282 1
59 0.7204 1
66 0.5706 1
EOD
$s2 << EOD
3 1 1.595
9 1 1.657
16 1 1.597
24 0.9252 1
31 1 1.36
38 0.845 1
46 1 1.348
53 1 1.482
60 1 7.701
67 1 1.32
EOD
$s3 << EOD
10 1 2.408
17 1 1.697
25 0.9428 1
32 0.9518 1
39 0.8341 1
47 1 1.8
54 1 1.769
61 1 1.12
68 1 1.418
EOD
$s4 << EOD
4 0.5585 1
11 0.5429 1
18 0.6184 1
26 0.4708 1
33 0.687 1
40 0.4048 1
48 0.1879 1
55 0.2927 1
62 1 1.29
69 0.168 1
EOD
$s5 << EOD
5 0.4775 1
12 0.4144 1
19 0.392 1
27 0.3309 1
34 0.4913 1
41 0.3367 1
49 0.2747 1
56 0.2956 1
63 1 1.82
70 0.1825 1
EOD
$intervals << EOD
1 2.312 2.067 2.425
2 0.8623 0.7883 0.881
3 1.595 1.453 1.653
4 0.5585 0.3688 0.9162
5 0.4775 0.4401 0.4941
7 2.422 2.365 2.525
8 0.8832 0.8605 0.908
9 1.657 1.599 1.67
10 2.408 2.279 2.482
11 0.5429 0.484 0.8085
12 0.4144 0.4043 0.42
14 1.206 1.172 1.231
15 0.8796 0.8646 0.8985
16 1.597 1.527 1.637
17 1.697 1.647 1.734
18 0.6184 0.5848 0.6569
19 0.392 0.3851 0.3999
22 0.9082 0.8397 0.9944
23 0.5281 0.3819 0.5336
24 0.9252 0.8595 1.193
25 0.9428 0.8072 1.073
26 0.4708 0.1188 0.4889
27 0.3309 0.1971 0.3529
29 1.436 1.273 1.592
30 0.5729 0.457 0.6355
31 1.36 1.197 1.501
32 0.9518 0.8641 1.092
33 0.687 0.6008 0.7559
34 0.4913 0.4319 0.5723
36 0.9237 0.8734 0.992
37 0.4783 0.4521 0.5105
38 0.845 0.7952 0.9168
39 0.8341 0.7461 0.9
40 0.4048 0.3272 0.4254
41 0.3367 0.3166 0.3566
44 1.208 1.151 1.258
45 0.5697 0.5372 0.6137
46 1.348 1.264 1.431
47 1.8 1.628 1.899
48 0.1879 0.1733 0.2678
49 0.2747 0.2527 0.3182
51 1.185 1.132 1.274
52 0.6282 0.5736 0.6539
53 1.482 1.302 1.598
54 1.769 1.661 1.887
55 0.2927 0.2009 0.3043
56 0.2956 0.2519 0.315
58 5.063 4.974 5.447
59 0.7204 0.6982 0.7718
60 7.701 7.573 8.326
61 1.12 1.068 1.187
62 1.29 1.176 1.668
63 1.82 1.743 1.964
65 1.109 0.9816 1.172
66 0.5706 0.4772 0.6293
67 1.32 1.161 1.466
68 1.418 1.277 1.501
69 0.168 0.1634 0.2025
70 0.1825 0.1734 0.3101
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-32.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf in order", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-32.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf in order", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
