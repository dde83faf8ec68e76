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
set title "Speed-up: mttkrp, rank 8, 2 threads\nfilled: a format, framed: another library, whisker: its interval"
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
set yrange [0.1593:3.677]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 2.941
7 1 2.721
14 0.7173 1
22 1 1.234
29 1 1.023
36 0.9474 1
44 0.8258 1
51 0.7309 1
58 0.7249 1
65 0.4818 1
EOD
$s1 << EOD
2 1 1.263
8 1 1.296
15 0.9154 1
23 0.5546 1
30 0.4249 1
37 0.4228 1
45 0.7765 1
52 0.8038 1
59 0.5152 1
66 0.554 1
EOD
$s2 << EOD
3 1 2.548
9 1 2.356
16 1 1.347
24 1 1.636
31 1 1.276
38 1 1.219
46 1 2.249
53 1 2.248
60 1 1.443
67 1 1.209
EOD
$s3 << EOD
10 1 2.67
17 1 1.386
25 1 1.313
32 0.8523 1
39 0.8433 1
47 1 1.941
54 1 1.92
61 1 1.075
68 1 1.146
EOD
$s4 << EOD
4 0.3801 1
11 0.4736 1
18 0.2252 1
26 0.2735 1
33 0.2303 1
40 0.3141 1
48 0.2811 1
55 0.2962 1
62 0.2759 1
69 0.1991 1
EOD
$s5 << EOD
5 1 1.14
12 0.9729 1
19 0.3264 1
27 0.4654 1
34 0.3813 1
41 0.3506 1
49 0.4144 1
56 0.4032 1
63 0.3309 1
70 0.2648 1
EOD
$intervals << EOD
1 2.941 2.57 3.235
2 1.263 1.073 1.299
3 2.548 2.146 2.642
4 0.3801 0.3595 0.7699
5 1.14 0.7887 1.168
7 2.721 2.492 2.912
8 1.296 1.099 1.331
9 2.356 1.99 2.499
10 2.67 2.506 2.782
11 0.4736 0.3578 1.025
12 0.9729 0.9027 1.002
14 0.7173 0.6216 0.7608
15 0.9154 0.7497 1.006
16 1.347 1.269 1.482
17 1.386 1.298 1.617
18 0.2252 0.1704 0.3282
19 0.3264 0.2492 0.3647
22 1.234 1.111 1.319
23 0.5546 0.5396 0.5644
24 1.636 1.543 1.662
25 1.313 1.267 1.352
26 0.2735 0.2006 0.2864
27 0.4654 0.4195 0.4855
29 1.023 0.9585 1.068
30 0.4249 0.3874 0.4424
31 1.276 1.13 1.308
32 0.8523 0.8256 0.9007
33 0.2303 0.154 0.3963
34 0.3813 0.3529 0.4048
36 0.9474 0.8927 0.9767
37 0.4228 0.3886 0.4325
38 1.219 1.143 1.265
39 0.8433 0.7923 0.8886
40 0.3141 0.214 0.4324
41 0.3506 0.3222 0.3633
44 0.8258 0.7917 0.8472
45 0.7765 0.7528 0.8057
46 2.249 2.143 2.304
47 1.941 1.879 1.988
48 0.2811 0.2245 0.3228
49 0.4144 0.3269 0.4468
51 0.7309 0.7095 0.7484
52 0.8038 0.7859 0.8343
53 2.248 2.201 2.382
54 1.92 1.86 1.972
55 0.2962 0.1958 0.35
56 0.4032 0.3067 0.4367
58 0.7249 0.5893 0.7717
59 0.5152 0.4568 0.5578
60 1.443 1.317 1.565
61 1.075 0.9881 1.18
62 0.2759 0.1961 0.3035
63 0.3309 0.2447 0.3604
65 0.4818 0.4381 0.5376
66 0.554 0.46 0.5639
67 1.209 1.081 1.264
68 1.146 0.9085 1.213
69 0.1991 0.1529 0.2226
70 0.2648 0.1892 0.2807
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-8.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf in order", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-8.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf in order", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
