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
set title "Speed-up: elmul, new result, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
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
set yrange [0.08721:1.25]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0.217 1
6 0.2285 1
11 0.87 1
16 0.1986 1
21 0.8159 1
26 0.8686 1
31 0.385 1
EOD
$s1 << EOD
2 0.1928 1
7 0.1961 1
12 0.7789 1
17 0.1401 1
22 0.7655 1
27 0.78 1
32 0.3713 1
EOD
$s2 << EOD
3 0.182 1
8 0.203 1
13 0.5088 1
18 0.109 1
23 0.5371 1
28 0.5213 1
33 0.2426 1
EOD
$intervals << EOD
1 0.217 0.2137 0.2237
2 0.1928 0.1785 0.1964
3 0.182 0.1802 0.1899
6 0.2285 0.2274 0.2338
7 0.1961 0.1934 0.2014
8 0.203 0.1965 0.2148
11 0.87 0.8506 1.035
12 0.7789 0.7581 0.9254
13 0.5088 0.4915 0.6259
16 0.1986 0.1968 0.2004
17 0.1401 0.1349 0.1664
18 0.109 0.102 0.1135
21 0.8159 0.5214 1.02
22 0.7655 0.4855 0.966
23 0.5371 0.3285 0.6459
26 0.8686 0.5055 1.069
27 0.78 0.5567 0.9619
28 0.5213 0.3743 0.6297
31 0.385 0.385 0.4045
32 0.3713 0.3616 0.3992
33 0.2426 0.2164 0.258
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-elmul-new-result.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-elmul-new-result.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid 0.2 border title "eigen", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
