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
set title "Speed-up: convert csr:csc, kept source, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as csc"
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
set yrange [0.04086:1.25]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0.3004 1
6 0.326 1
11 0.5676 1
16 0.582 1
21 0.05107 1
26 0.7915 1
31 0.5405 1
EOD
$s1 << EOD
2 0.2748 1
7 0.2638 1
12 0.5439 1
17 0.4268 1
22 0.5476 1
27 0.4561 1
32 0.855 1
EOD
$s2 << EOD
3 0.2659 1
8 0.2572 1
13 0.4693 1
18 0.4204 1
23 0.1764 1
28 0.5179 1
33 0.7013 1
EOD
$intervals << EOD
1 0.3004 0.2877 0.3306
2 0.2748 0.2655 0.2947
3 0.2659 0.1594 0.2743
6 0.326 0.2637 0.3582
7 0.2638 0.242 0.2757
8 0.2572 0.1752 0.2754
11 0.5676 0.5548 0.5771
12 0.5439 0.5279 0.5576
13 0.4693 0.4554 0.4835
16 0.582 0.5582 0.6036
17 0.4268 0.4123 0.4355
18 0.4204 0.3891 0.4335
21 0.05107 0.04555 0.5659
22 0.5476 0.5323 0.559
23 0.1764 0.05145 0.5047
26 0.7915 0.5478 0.8967
27 0.4561 0.41 0.5502
28 0.5179 0.3669 0.537
31 0.5405 0.05675 0.7409
32 0.855 0.8328 0.8812
33 0.7013 0.6847 0.7227
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-convert-csr-csc-kept-source.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-convert-csr-csc-kept-source.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
