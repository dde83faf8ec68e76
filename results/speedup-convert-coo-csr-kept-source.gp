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
set title "Speed-up: convert coo:csr, kept source, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as csr"
set logscale y 2
set xrange [0:27]
unset xtics
set label "uniform\n500k\n4M" at first 1.5, graph 0 center offset 0, -1 font ",12"
set label "power-law:dims=500000x500000,nnz=4000000,skew=0.6" at first 5.5, graph 0 center offset 0, -1 font ",12"
set label "banded\n500k\nwidth 9" at first 9.5, graph 0 center offset 0, -1 font ",12"
set label "rmat\nscale 17" at first 13.5, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 1000x1000" at first 17.5, graph 0 center offset 0, -1 font ",12"
set label "stencil\ngrid 30x30x30\npoints 27\nunknowns 3, cut 1" at first 21.5, graph 0 center offset 0, -1 font ",12"
set label "arrow\n200k\nwidth 7" at first 25.5, graph 0 center offset 0, -1 font ",12"
set yrange [0.3024:1.25]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 0.5448 1
5 0.378 1
9 0.3992 1
13 0.4233 1
17 0.4579 1
21 0.4008 1
25 0.4834 1
EOD
$s1 << EOD
2 0.8004 1
6 0.6672 1
10 0.4024 1
14 0.7768 1
18 0.41 1
22 0.4574 1
26 0.8198 1
EOD
$intervals << EOD
1 0.5448 0.5243 0.5704
2 0.8004 0.7734 0.84
5 0.378 0.36 0.3933
6 0.6672 0.6443 0.6925
9 0.3992 0.02481 0.4168
10 0.4024 0.3914 0.4131
13 0.4233 0.4131 0.4359
14 0.7768 0.7541 0.8007
17 0.4579 0.454 0.4821
18 0.41 0.4066 0.4309
21 0.4008 0.3888 0.4041
22 0.4574 0.4453 0.464
25 0.4834 0.4604 0.5598
26 0.8198 0.7238 0.9602
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-convert-coo-csr-kept-source.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-convert-coo-csr-kept-source.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 7 fs solid 0.2 border title "scipy", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
