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
set key at screen 0.5, screen 0.015 center bottom maxrows 7 Left reverse samplen 1.5
set bmargin 11.9
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Roofline: 2 threads, f64"
set xlabel "operations per byte"
set ylabel "GFLOP/s"
set logscale xy 10
set grid xtics
roof(x) = x * 33.8926 < 100.874 ? x * 33.8926 : 100.874
$c0 << EOD
0.1094 2.423
0.1111 1.228
0.1111 1.41
0.119 1.572
0.1103 2.525
0.1118 1.458
0.1118 1.72
0.1192 2.325
0.1103 2.5
0.1118 1.251
0.1118 1.746
0.1192 1.665
0.4762 15.14
0.4762 5.701
0.4762 3.501
0.6383 23.37
0.6383 11
0.6383 6.035
2.331 36.76
4.533 46.43
2.331 18.26
4.533 28.7
2.331 21.84
4.533 22.16
1.775 18.26
2.817 15.24
1.775 13.33
2.817 12.37
1.775 14.25
2.817 15.45
1.985 26.65
3.161 15.15
1.985 18.53
3.161 17.48
1.985 10.45
3.161 10.6
1.985 19.42
3.161 20.33
0.06333 0.7585
0.09124 1.51
0.6309 7.298
0.07143 0.2609
0.07143 0.3887
EOD
$c1 << EOD
0.1346 3.494
0.1379 2.05
0.1379 1.74
0.1538 4.979
0.1339 2.851
0.1371 1.8
0.1371 1.793
0.153 3.659
0.1339 4.157
0.1371 2.173
0.1371 2.089
0.153 4.903
0.5 21.56
0.5 7.44
0.5 4.375
0.6667 24.81
0.6667 12.98
0.6667 5.877
0.1894 0.4527
0.1994 0.3418
0.5104 2.764
0.04878 0.8296
0.04878 0.7016
0.05921 0.961
0.04878 0.5705
0.04878 0.4703
0.06368 1.123
1.28e-06 1.827e-05
1.28e-06 1.654e-05
1.125e-06 1.694e-05
3.072e-05 1.554e-05
3.059e-05 1.7e-05
2.377e-05 4.592e-05
3.072e-05 1.414e-05
3.072e-05 1.751e-05
3.905e-05 0.0001004
EOD
$c2 << EOD
0.1346 2.64
0.1379 1.401
0.1379 1.522
0.1538 2.443
0.1339 4.134
0.1371 1.804
0.1371 1.82
0.153 4.835
0.1339 2.324
0.1371 1.276
0.1371 1.753
0.153 4.173
0.5 0.9851
0.5 2.664
0.5 1.843
0.6667 26.43
0.6667 10.78
0.6667 6.759
EOD
$c3 << EOD
0.1296 3.607
0.1333 1.986
0.1333 1.728
0.1515 4.105
0.1293 3.034
0.1328 1.682
0.1328 1.833
0.1507 3.964
0.1293 4.251
0.1328 1.912
0.1328 1.796
0.1507 4.484
0.4938 20.99
0.4938 6.002
0.4938 3.761
0.6593 24.98
0.6593 7.524
0.6593 7.031
EOD
$c4 << EOD
0.1624 2.454
0.1097 0.9544
0.1051 0.927
0.1774 2.127
0.1593 3.3
0.1105 0.8096
0.1061 1.038
0.1756 2.567
0.1593 2.603
0.1105 0.9604
0.1061 1.041
0.1756 2.88
0.5226 16.17
0.478 2.467
0.4722 1.327
0.6933 25.86
0.6405 4.026
0.6335 2.829
4.134 23.75
7.868 29.34
4.134 19.53
7.868 25.63
4.134 20.62
7.868 26.64
2.079 8.131
3.186 8.39
2.079 9.433
3.186 5.719
2.079 7.316
3.186 7.047
2.912 12.4
4.235 8.601
2.912 8.523
4.235 8.337
2.912 4.949
4.235 6.333
2.912 13.07
4.235 9.791
0.08849 0.7711
0.1543 1.312
0.7663 2.122
0.1053 0.1849
0.1053 0.2634
EOD
$c5 << EOD
0.14 3.209
0.1429 2.215
0.1429 2.143
0.1389 2.279
0.1417 1.484
0.1417 2.165
0.1389 3.062
0.1417 1.855
0.1417 2.217
EOD
$c6 << EOD
0.134 3.393
0.1373 1.809
0.1536 2.923
0.1333 3.515
0.1363 2.605
0.1525 4.39
0.1333 3.352
0.1365 2.058
0.1527 4.42
EOD
$c7 << EOD
0.1941 5.29
0.1872 3.363
0.1872 5.582
EOD
$c8 << EOD
0.1285 2.41
0.1311 1.708
0.1283 2.013
EOD
$c9 << EOD
0.1562 2.355
0.1553 2.142
0.1553 3.502
EOD
$c10 << EOD
0.2228 6.509
0.2187 5.255
0.2187 7.385
EOD
$c11 << EOD
0.5063 16.57
0.5063 4.24
0.5063 2.885
0.6741 19.44
0.6741 8.178
0.6741 5.261
EOD
$c12 << EOD
3.799 43
7.26 54.92
3.8 41.93
7.262 56.67
2.865 27.16
5.536 38.03
1.767 16.74
2.807 17.79
1.761 19.9
2.799 17.58
1.775 15.66
2.817 19.97
2.432 20.75
3.703 17.22
2.481 18.06
3.76 20.89
1.877 19.85
3.024 27.39
2.481 18.88
3.76 16.69
0.08467 1.656
0.07095 2.237
0.1289 1.639
2.473 32.69
0.2152 5.532
0.7221 7.754
0.09765 0.2564
0.09765 0.2858
0.04056 0.2372
0.165 0.3722
0.1642 0.1063
EOD
$c13 << EOD
2.893 28.24
5.588 29.35
2.893 23.45
5.588 30.34
2.893 25.18
5.588 26.86
2.083 11.92
3.191 7.875
2.083 16.63
3.191 14.31
2.083 14
3.191 7.284
2.64 20.76
3.94 20.05
2.64 19.11
3.94 20.71
2.64 14.41
3.94 13.14
2.64 21.61
3.94 22.01
EOD
$c14 << EOD
3.29 27.02
6.324 27.48
3.29 24.65
6.324 27.79
3.29 33.89
6.324 37.66
2.439 19.28
3.711 17.6
2.439 15.2
3.711 21.43
2.439 26.75
3.711 23.75
2.439 21.51
3.711 23.9
EOD
$c15 << EOD
2.893 38.66
5.587 49.84
2.893 32.03
5.587 39.75
2.892 34.15
5.585 36.15
2.076 19.73
3.183 16.67
2.073 20.51
3.179 17.5
2.082 16.84
3.189 16.1
2.265 28.19
3.507 20.38
2.266 22.61
3.507 19.67
2.247 27.02
3.485 28.43
2.266 27.53
3.508 21.75
0.07251 0.7747
0.1116 1.619
0.6849 7.563
0.08333 0.2896
0.08333 0.2775
EOD
$c16 << EOD
3.799 38.55
7.26 56.3
3.799 27.35
7.26 36.89
1.765 16.61
2.804 18.24
1.765 13.83
2.804 9.297
1.765 11.59
2.804 12.61
2.57 19.27
3.862 21.1
2.57 16.3
3.862 18.08
2.57 9.061
3.862 10.58
2.57 17.48
3.862 21.91
EOD
$c17 << EOD
2.281 16.55
3.419 16.5
2.281 18.78
3.419 20.76
2.281 12.79
3.419 15.11
EOD
$c18 << EOD
0.08468 1.679
0.07116 1.947
0.1289 1.621
2.474 29.87
0.2153 5.438
0.7222 7.894
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [5.62e-07:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 17 title "sell(8,4096)", $c7 using 1:2 with points lt 9 title "bdia(256)", $c8 using 1:2 with points lt 19 title "sell(8,500000)", $c9 using 1:2 with points lt 3 title "csbc(16384,32768)", $c10 using 1:2 with points lt 8 title "bcsr(4,4)", $c11 using 1:2 with points lt 10 title "csbc(2048,32768)", $c12 using 1:2 with points lt 13 title "csf", $c13 using 1:2 with points lt 11 title "alto", $c14 using 1:2 with points lt 12 title "strips(1024)", $c15 using 1:2 with points lt 16 title "duq", $c16 using 1:2 with points lt 14 title "csf in order", $c17 using 1:2 with points lt 15 title "strips(2048)", $c18 using 1:2 with points lt 18 title "dss"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [5.62e-07:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 17 title "sell(8,4096)", $c7 using 1:2 with points lt 9 title "bdia(256)", $c8 using 1:2 with points lt 19 title "sell(8,500000)", $c9 using 1:2 with points lt 3 title "csbc(16384,32768)", $c10 using 1:2 with points lt 8 title "bcsr(4,4)", $c11 using 1:2 with points lt 10 title "csbc(2048,32768)", $c12 using 1:2 with points lt 13 title "csf", $c13 using 1:2 with points lt 11 title "alto", $c14 using 1:2 with points lt 12 title "strips(1024)", $c15 using 1:2 with points lt 16 title "duq", $c16 using 1:2 with points lt 14 title "csf in order", $c17 using 1:2 with points lt 15 title "strips(2048)", $c18 using 1:2 with points lt 18 title "dss"
unset output
