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
set title "Speed-up: triangles, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as csr"
set logscale y 2
set xrange [0:23]
unset xtics
set label "uniform\n200k\n1M" at first 1.5, graph 0 center offset 0, -1 font ",12"
set label "power-law\n100k\n600k" at first 5.5, graph 0 center offset 0, -1 font ",12"
set label "banded\n500k\nwidth 9" at first 9.5, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 13.5, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 12x12x12\npoints 27\nunknowns 3, cut 1" at first 17.5, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 13" at first 21.5, graph 0 center offset 0, -1 font ",12"
set yrange [0.02492:1.25]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0.3933 1
5 0.4152 1
9 0.2772 1
13 0.1445 1
17 0.5568 1
21 0.5025 1
EOD
$s1 << EOD
2 0.03115 1
6 0.06768 1
10 0.1315 1
14 0.06621 1
18 0.1768 1
22 0.1121 1
EOD
$intervals << EOD
1 0.3933 0.3548 0.4462
2 0.03115 0.02822 0.03589
5 0.4152 0.4039 0.4195
6 0.06768 0.06502 0.07056
9 0.2772 0.2307 0.2909
10 0.1315 0.03821 0.1337
13 0.1445 0.1153 0.2073
14 0.06621 0.0271 0.06685
17 0.5568 0.5188 0.6129
18 0.1768 0.1645 0.1932
21 0.5025 0.4709 0.579
22 0.1121 0.09339 0.1233
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-triangles.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-triangles.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid 0.2 border title "graphblas", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
