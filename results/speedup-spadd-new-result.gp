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
set yrange [0.1492:2.926]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0.2901 1
6 0.5174 1
11 0.3985 1
16 0.3626 1
21 1 1.166
26 0.2151 1
31 0.5108 1
EOD
$s1 << EOD
2 0.6647 1
7 1 1.041
12 0.5392 1
17 0.4777 1
22 1 2.341
27 0.5417 1
32 0.8098 1
EOD
$s2 << EOD
3 0.3119 1
8 0.6162 1
13 0.4035 1
18 0.3199 1
23 0.6773 1
28 0.1866 1
33 0.505 1
EOD
$intervals << EOD
1 0.2901 0.2082 0.5093
2 0.6647 0.4724 1.137
3 0.3119 0.1992 0.7097
6 0.5174 0.285 0.6603
7 1.041 0.5588 1.532
8 0.6162 0.283 1.055
11 0.3985 0.3798 0.5058
12 0.5392 0.516 0.674
13 0.4035 0.3881 0.5093
16 0.3626 0.3587 0.3684
17 0.4777 0.4721 0.4895
18 0.3199 0.2757 0.3264
21 1.166 0.5819 1.249
22 2.341 1.136 2.488
23 0.6773 0.3699 0.7781
26 0.2151 0.1541 1.078
27 0.5417 0.4787 0.9305
28 0.1866 0.1628 0.6865
31 0.5108 0.4022 0.5297
32 0.8098 0.6377 0.8352
33 0.505 0.3865 0.5685
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
