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
set yrange [0.09324:1.25]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0.2054 1
6 0.2226 1
11 0.3257 1
16 0.2192 1
21 0.8736 1
26 0.9649 1
31 0.3928 1
EOD
$s1 << EOD
2 0.1934 1
7 0.1957 1
12 0.2956 1
17 0.1734 1
22 0.902 1
27 0.8882 1
32 0.3853 1
EOD
$s2 << EOD
3 0.1869 1
8 0.1948 1
13 0.1948 1
18 0.1166 1
23 0.6039 1
28 0.6084 1
33 0.2513 1
EOD
$intervals << EOD
1 0.2054 0.2005 0.2077
2 0.1934 0.1889 0.1959
3 0.1869 0.1763 0.2012
6 0.2226 0.2194 0.2259
7 0.1957 0.1889 0.1981
8 0.1948 0.1915 0.2053
11 0.3257 0.3219 0.3272
12 0.2956 0.2895 0.3002
13 0.1948 0.1833 0.2109
16 0.2192 0.1993 0.2212
17 0.1734 0.1504 0.1764
18 0.1166 0.1008 0.1243
21 0.8736 0.8508 0.8836
22 0.902 0.8737 0.9172
23 0.6039 0.5823 0.621
26 0.9649 0.546 1.149
27 0.8882 0.5054 1.053
28 0.6084 0.3377 0.6783
31 0.3928 0.3714 0.4425
32 0.3853 0.3681 0.4305
33 0.2513 0.2434 0.2759
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
