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
set key at screen 0.5, screen 0.015 center bottom maxrows 3 Left reverse samplen 1.5
set bmargin 8.5
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Speed-up: ttv, 2 threads\nfilled: a format, framed: a baseline, whisker: its interval"
set ylabel "times as fast as the reference"
set logscale y 2
set xrange [0:21]
unset xtics
set label "2" at first 4, graph 0 center offset 0, -1
set label "nell-2@0.02\n(stand-in)" at first 4, graph 0 center offset 0, -2
set label "2" at first 10.5, graph 0 center offset 0, -1
set label "uniform\n20kx30kx5k\n1M" at first 10.5, graph 0 center offset 0, -2
set label "2" at first 17, graph 0 center offset 0, -1
set label "uniform\n500x400x40k\n1M" at first 17, graph 0 center offset 0, -2
set label "mode" at graph 0, graph 0 right offset -1, -1
set yrange [0.4896:6.659]
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$s0 << EOD
1 1 4.724
14 0.7805 1
EOD
$s1 << EOD
2 1 4.752
10 1 1.443
EOD
$s2 << EOD
3 0.7335 1
15 1 1.151
EOD
$s3 << EOD
4 0.612 1
16 1 1.061
EOD
$s4 << EOD
5 1 4.936
17 0.6801 1
EOD
$s5 << EOD
6 0.6921 1
EOD
$s6 << EOD
18 1 1.058
EOD
$s7 << EOD
19 1 1.658
EOD
$s8 << EOD
7 1 5.327
11 0.8081 1
20 0.8324 1
EOD
$intervals << EOD
1 4.724 4.622 4.807
2 4.752 4.627 4.976
3 0.7335 0.7203 0.7572
4 0.612 0.6059 0.621
5 4.936 4.734 4.983
6 0.6921 0.6888 0.7221
7 5.327 1.407 5.653
10 1.443 1.357 1.583
11 0.8081 0.7938 0.8434
14 0.7805 0.7484 0.8351
15 1.151 1.125 1.233
16 1.061 1 1.136
17 0.6801 0.6592 0.7497
18 1.058 1.008 1.144
19 1.658 1.62 1.824
20 0.8324 0.7847 0.8792
EOD
$never << EOD
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "speedup-ttv.svg"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(256)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "speedup-ttv.png"
plot $s0 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 3 fs solid noborder title "csf", $s1 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 5 fs solid noborder title "dss", $s2 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 14 fs pattern 5 border title "strips(256)", $s3 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 4 fs solid noborder title "hicoo(128)", $s4 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 15 fs pattern 5 border title "tcsf(1024)", $s5 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 11 fs pattern 5 border title "keys(128)", $s6 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 17 fs pattern 5 border title "keys(16)", $s7 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 6 fs solid noborder title "duq", $s8 using 1:2:($1-0.45):($1+0.45):2:3 with boxxyerror lt 1 fs solid 0.2 border title "taco", $intervals using 1:3:(0):($4-$3) with vectors heads size screen 0.004,90 nofilled lw 1 lc rgb "black" notitle
unset output
