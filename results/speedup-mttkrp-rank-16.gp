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
set title "Speed-up: mttkrp, rank 16, 2 threads\nfilled: a format, framed: another library, whisker: its interval"
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
set yrange [0.209:3.507]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 2.806
7 1 2.73
14 0.9511 1
22 1 1.173
29 1 1.251
36 1 1.105
44 1 1.005
51 0.9615 1
58 1 1.399
65 0.8083 1
EOD
$s1 << EOD
2 1 1.123
8 1 1.109
15 0.8864 1
23 0.5321 1
30 0.5312 1
37 0.5087 1
45 0.6944 1
52 0.7007 1
59 0.5319 1
66 0.6607 1
EOD
$s2 << EOD
3 1 2.253
9 1 2.105
16 1 1.626
24 1 1.627
31 1 1.647
38 1 1.377
46 1 1.687
53 1 1.742
60 1 2.384
67 1 1.521
EOD
$s3 << EOD
10 1 2.734
17 1 1.537
25 1 1.186
32 0.9051 1
39 0.8674 1
47 1 1.872
54 1 1.876
61 1 1.452
68 1 1.369
EOD
$s4 << EOD
4 0.4988 1
11 0.4625 1
18 0.3046 1
26 0.3323 1
33 0.4247 1
40 0.3322 1
48 0.2612 1
55 0.2754 1
62 0.4956 1
69 0.2631 1
EOD
$s5 << EOD
5 0.705 1
12 0.6059 1
19 0.3764 1
27 0.3777 1
34 0.4119 1
41 0.3653 1
49 0.3921 1
56 0.3903 1
63 0.567 1
70 0.3474 1
EOD
$intervals << EOD
1 2.806 2.646 2.892
2 1.123 0.9646 1.158
3 2.253 1.768 2.285
4 0.4988 0.4651 0.6857
5 0.705 0.5178 0.7308
7 2.73 2.666 3.003
8 1.109 1.084 1.163
9 2.105 2.066 2.215
10 2.734 2.616 2.951
11 0.4625 0.4063 0.4903
12 0.6059 0.5939 0.6431
14 0.9511 0.9345 0.988
15 0.8864 0.8705 0.9132
16 1.626 1.557 1.682
17 1.537 1.455 1.633
18 0.3046 0.2794 0.487
19 0.3764 0.3673 0.39
22 1.173 1.072 1.244
23 0.5321 0.52 0.5515
24 1.627 1.557 1.677
25 1.186 1.113 1.276
26 0.3323 0.2222 0.3858
27 0.3777 0.368 0.3962
29 1.251 1.228 1.438
30 0.5312 0.4541 0.5905
31 1.647 1.515 1.763
32 0.9051 0.8716 1.061
33 0.4247 0.3321 0.5363
34 0.4119 0.3915 0.4973
36 1.105 1.06 1.171
37 0.5087 0.4785 0.5406
38 1.377 1.315 1.509
39 0.8674 0.8129 0.9421
40 0.3322 0.2855 0.5081
41 0.3653 0.3427 0.3947
44 1.005 0.9845 1.072
45 0.6944 0.6583 0.7409
46 1.687 1.612 1.807
47 1.872 1.82 2.001
48 0.2612 0.2506 0.2827
49 0.3921 0.3834 0.42
51 0.9615 0.9175 1.137
52 0.7007 0.5555 0.7581
53 1.742 1.653 2.004
54 1.876 1.768 2.271
55 0.2754 0.2114 0.3122
56 0.3903 0.3797 0.4535
58 1.399 1.192 1.504
59 0.5319 0.4458 0.6969
60 2.384 2.032 2.701
61 1.452 1.35 1.625
62 0.4956 0.3703 0.5386
63 0.567 0.4869 0.6318
65 0.8083 0.7304 0.9258
66 0.6607 0.612 0.739
67 1.521 1.434 1.671
68 1.369 1.27 1.518
69 0.2631 0.2273 0.3069
70 0.3474 0.3249 0.3868
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-mttkrp-rank-16.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf in order", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-mttkrp-rank-16.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 13 fs pattern 5 border title "csf in order", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 2 fs solid 0.2 border title "splatt", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
