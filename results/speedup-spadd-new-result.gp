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
set key at screen 0.5, screen 0.015 center bottom maxrows 1 Left reverse samplen 1.5
set bmargin 6.3
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: spadd, new result, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as csr"
set logscale y 2
set xrange [0:34]
unset xtics
set label "uniform\n500k\n4M" at first 2, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.6" at first 7, graph 0 center offset 0, -1 font ",12"
set label "banded\n500k\nwidth 9" at first 12, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 17" at first 17, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 22, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 30x30x30\npoints 27\nunknowns 3, cut 1" at first 27, graph 0 center offset 0, -1 font ",12"
set label "arrow\n200k\nwidth 7" at first 32, graph 0 center offset 0, -1 font ",12"
set yrange [0.2733:5.965]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0.6516 1
6 0.4463 1
11 1 1.74
16 0.8251 1
21 1 3.067
26 0.3416 1
31 0.4336 1
EOD
$s1 << EOD
2 0.8266 1
7 0.5522 1
12 1 2.6
17 1 1.078
22 1 4.772
27 0.526 1
32 0.6819 1
EOD
$s2 << EOD
3 0.4592 1
8 0.5285 1
13 0.7018 1
18 0.6935 1
23 1 1.371
28 0.4272 1
33 0.4631 1
EOD
$intervals << EOD
1 0.6516 0.3192 1.499
2 0.8266 0.3227 2.011
3 0.4592 0.2611 1.077
6 0.4463 0.4391 0.9874
7 0.5522 0.5466 1.211
8 0.5285 0.2549 0.5611
11 1.74 1.374 2.627
12 2.6 1.795 3.993
13 0.7018 0.4545 1.222
16 0.8251 0.7867 0.9834
17 1.078 1.038 1.286
18 0.6935 0.6415 0.8717
21 3.067 2.833 3.728
22 4.772 4.33 5.781
23 1.371 1.278 3.867
26 0.3416 0.339 0.3525
27 0.526 0.4763 0.5352
28 0.4272 0.3855 0.4328
31 0.4336 0.4226 0.4587
32 0.6819 0.6638 0.7389
33 0.4631 0.4521 0.4943
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-spadd-new-result.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-spadd-new-result.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
