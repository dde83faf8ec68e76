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
set key at screen 0.5, screen 0.015 center bottom maxrows 6 Left reverse samplen 1.5
set bmargin 10.8
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Roofline: 2 threads, f64"
set xlabel "operations per byte"
set ylabel "GFLOP/s"
set logscale xy 10
set grid xtics
roof(x) = x * 31.6083 < 89.5714 ? x * 31.6083 : 89.5714
$c0 << EOD
0.1094 2.457
0.1111 1.348
0.1111 1.68
0.119 1.151
0.1103 2.656
0.1118 1.295
0.1118 1.804
0.1192 2.867
0.1103 2.499
0.1118 1.415
0.1118 1.841
0.1192 1.6
0.4762 10.94
0.4762 5.796
0.4762 4.573
0.6383 23.86
0.6383 10.4
0.6383 8.626
2.331 19.07
4.533 27.7
2.331 19.6
4.533 27.21
2.331 23.34
4.533 26.88
1.775 17.57
2.817 14.59
1.775 16.4
2.817 11.87
1.775 17.77
2.817 18.57
1.985 23.42
3.161 21.1
1.985 21.41
3.161 19.01
1.985 16
3.161 8.994
1.985 17.61
3.161 24.33
0.06333 0.9068
0.09124 1.793
0.6309 6.473
0.07143 0.3587
0.07143 0.5226
EOD
$c1 << EOD
0.1346 4.005
0.1379 2.212
0.1379 2.03
0.1538 3.928
0.1339 3.308
0.1371 1.25
0.1371 1.617
0.153 4.169
0.1339 4.125
0.1371 2.573
0.1371 2.134
0.153 3.329
0.5 15.17
0.5 7.909
0.5 5.147
0.6667 24.83
0.6667 10.87
0.6667 9.734
EOD
$c2 << EOD
0.1346 2.723
0.1379 1.684
0.1379 1.722
0.1538 3.091
0.1339 4.079
0.1371 1.679
0.1371 2.114
0.153 4.437
0.1339 2.584
0.1371 1.728
0.1371 1.782
0.153 4.09
0.5 4.284
0.5 2.42
0.5 1.812
0.6667 23.91
0.6667 10.7
0.6667 9.311
EOD
$c3 << EOD
0.1296 3.904
0.1333 2.243
0.1333 1.853
0.1515 3.121
0.1293 3.343
0.1328 1.56
0.1328 1.731
0.1507 3.645
0.1293 4.667
0.1328 2.325
0.1328 2.084
0.1507 4.654
0.4938 11.4
0.4938 6.204
0.4938 4.881
0.6593 25.02
0.6593 9.618
0.6593 8.488
EOD
$c4 << EOD
0.1624 2.49
0.1097 1.048
0.1051 1.113
0.1774 1.511
0.1593 3.297
0.1105 0.6752
0.1061 1.041
0.1756 2.487
0.1593 2.567
0.1105 1.176
0.1061 1.218
0.1756 2.459
0.5226 10.19
0.478 2.557
0.4722 2.18
0.6933 25.2
0.6405 3.861
0.6335 3.388
4.134 21.75
7.868 25.15
4.134 23.45
7.868 24.15
4.134 23.14
7.868 28.87
2.079 11.21
3.186 12.71
2.079 10.22
3.186 7.509
2.079 10.23
3.186 10.3
2.912 17.31
4.235 10.15
2.912 10.56
4.235 8.509
2.912 8.317
4.235 5.296
2.912 16.64
4.235 13.93
0.08849 1.108
0.1543 1.967
0.7663 1.81
0.1053 0.2884
0.1053 0.3933
EOD
$c5 << EOD
0.14 3.185
0.1429 2.342
0.1429 2.326
0.1389 2.299
0.1417 1.284
0.1417 2.03
0.1389 3.668
0.1417 2.284
0.1417 2.279
EOD
$c6 << EOD
0.1941 5.204
0.1872 5.001
0.1872 6.761
EOD
$c7 << EOD
0.1562 2.759
0.1553 2.31
0.1553 3.345
EOD
$c8 << EOD
0.2228 6.923
0.2187 6.561
0.2187 7.088
EOD
$c9 << EOD
0.5063 10.94
0.5063 4.424
0.5063 3.275
0.6741 27.52
0.6741 7.817
0.6741 6.369
EOD
$c10 << EOD
3.799 43.12
7.26 54.61
3.8 43.07
7.262 49.68
2.865 26.47
5.536 40.51
1.767 21.19
2.807 20.39
1.761 20.96
2.799 21.51
1.775 19
2.817 23.07
2.432 24.34
3.703 23.67
2.481 21.47
3.76 20.47
1.877 24.09
3.024 22.54
2.481 19.6
3.76 21.04
0.08467 2.055
0.07095 2.289
0.1289 1.893
2.473 31.01
0.2152 5.458
0.7221 7.631
0.09765 0.3688
0.09765 0.4328
EOD
$c11 << EOD
2.893 24.91
5.588 24.34
2.893 25.9
5.588 25.2
2.893 26.01
5.588 28.17
2.083 14.82
3.191 11.96
2.083 16.97
3.191 13.05
2.083 19.4
3.191 9.447
2.64 27.43
3.94 22.41
2.64 26.44
3.94 25.87
2.64 18.67
3.94 12.11
2.64 27.75
3.94 25
EOD
$c12 << EOD
3.29 24.43
6.324 25.95
3.29 27.42
6.324 26.01
3.29 18.73
6.324 30.03
2.439 26.65
3.711 21.54
2.439 23.16
3.711 17.55
2.439 23.97
3.711 21.11
2.439 24.54
3.711 20.86
EOD
$c13 << EOD
2.893 39.57
5.587 42.1
2.893 41.6
5.587 42.25
2.892 38.56
5.585 34.85
2.076 21.99
3.183 17.15
2.073 21.19
3.179 19.69
2.082 21.35
3.189 18.37
2.265 37.25
3.507 24.34
2.266 27.52
3.507 18.97
2.247 36.34
3.485 28.06
2.266 32.7
3.508 23.83
0.07251 0.9044
0.1116 2.221
0.6849 6.797
0.08333 0.3628
0.08333 0.4371
EOD
$c14 << EOD
3.799 45.51
7.26 46.98
3.799 33.35
7.26 40.81
1.765 21.38
2.804 17.91
1.765 14.33
2.804 11.38
1.765 12.56
2.804 18.61
2.57 33.14
3.862 24.47
2.57 16.86
3.862 20.05
2.57 14.67
3.862 11.42
2.57 20.28
3.862 20.09
EOD
$c15 << EOD
2.281 18.15
3.419 22.72
2.281 18.7
3.419 22.97
2.281 14.63
3.419 21.01
EOD
$c16 << EOD
0.08468 2.007
0.07116 2.333
0.1289 1.857
2.474 30.25
0.2153 5.302
0.7222 7.447
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [0.0317:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 9 title "bdia(256)", $c7 using 1:2 with points lt 17 title "csbc(16384,32768)", $c8 using 1:2 with points lt 8 title "bcsr(4,4)", $c9 using 1:2 with points lt 3 title "csbc(2048,32768)", $c10 using 1:2 with points lt 13 title "csf", $c11 using 1:2 with points lt 10 title "alto", $c12 using 1:2 with points lt 12 title "strips(1024)", $c13 using 1:2 with points lt 16 title "duq", $c14 using 1:2 with points lt 11 title "csf in order", $c15 using 1:2 with points lt 19 title "strips(2048)", $c16 using 1:2 with points lt 15 title "dss"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [0.0317:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 9 title "bdia(256)", $c7 using 1:2 with points lt 17 title "csbc(16384,32768)", $c8 using 1:2 with points lt 8 title "bcsr(4,4)", $c9 using 1:2 with points lt 3 title "csbc(2048,32768)", $c10 using 1:2 with points lt 13 title "csf", $c11 using 1:2 with points lt 10 title "alto", $c12 using 1:2 with points lt 12 title "strips(1024)", $c13 using 1:2 with points lt 16 title "duq", $c14 using 1:2 with points lt 11 title "csf in order", $c15 using 1:2 with points lt 19 title "strips(2048)", $c16 using 1:2 with points lt 15 title "dss"
unset output
