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
set key at screen 0.5, screen 0.015 center bottom maxrows 8 Left reverse samplen 1.5
set bmargin 13
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Roofline: 2 threads, f64"
set xlabel "operations per byte"
set ylabel "GFLOP/s"
set logscale xy 10
set grid xtics
roof(x) = x * 37.2065 < 108.141 ? x * 37.2065 : 108.141
$c0 << EOD
0.1094 2.419
0.1111 1.375
0.1111 1.888
0.119 1.693
0.1103 2.542
0.1118 1.585
0.1118 1.937
0.1192 3.152
0.1103 1.927
0.1118 1.202
0.1118 1.57
0.1192 1.219
0.4762 12.8
0.4762 5.087
0.4762 3.752
0.6383 18
0.6383 7.907
0.6383 6.615
2.331 41.43
4.533 49.18
2.331 18.74
4.533 22.64
2.331 26.04
4.533 21.21
1.775 11.4
2.817 16.66
1.775 13.2
2.817 11.26
1.775 16.21
2.817 17.79
1.985 29.15
3.161 28.59
1.985 21.74
3.161 13.55
1.985 13.18
3.161 11.62
1.985 19.13
3.161 19.53
0.06333 0.8945
0.09124 1.868
0.6309 8.699
0.07143 0.2762
0.07143 0.4778
EOD
$c1 << EOD
0.1346 4.548
0.1379 2.444
0.1379 2.379
0.1538 4.818
0.1339 2.587
0.1371 1.636
0.1371 1.953
0.153 4.227
0.1339 2.308
0.1371 1.956
0.1371 1.94
0.153 2.806
0.5 14.47
0.5 5.96
0.5 4.032
0.6667 19.3
0.6667 8.651
0.6667 6.822
0.1894 0.2489
0.1994 0.2879
0.5104 2.366
0.228 0.3293
0.2394 0.4113
0.04878 0.7926
0.04878 0.6489
0.05921 0.8549
0.04878 0.6003
0.04878 0.4704
0.06368 1.12
1.28e-06 1.791e-05
1.28e-06 1.523e-05
1.125e-06 1.438e-05
3.072e-05 1.874e-05
3.059e-05 1.325e-05
2.377e-05 4.759e-05
3.072e-05 1.735e-05
3.072e-05 1.545e-05
3.905e-05 0.0001219
EOD
$c2 << EOD
0.1346 3.486
0.1379 1.707
0.1379 1.896
0.1538 2.742
0.1339 4.724
0.1371 1.914
0.1371 2.206
0.153 5.068
0.1339 1.668
0.1371 1.179
0.1371 1.294
0.153 1.941
0.5 4.388
0.5 2.113
0.5 0.4809
0.6667 18.67
0.6667 8.451
0.6667 6.459
EOD
$c3 << EOD
0.1296 4.21
0.1333 2.389
0.1333 2.177
0.1515 4.535
0.1293 2.793
0.1328 1.533
0.1328 1.886
0.1507 4.144
0.1293 2.311
0.1328 1.591
0.1328 1.826
0.1507 2.489
0.4938 13.06
0.4938 5.001
0.4938 3.466
0.6593 15.9
0.6593 7.813
0.6593 6.365
EOD
$c4 << EOD
0.1624 2.574
0.1097 1.099
0.1051 1.181
0.1774 2.388
0.1593 2.945
0.1105 0.8456
0.1061 1.081
0.1756 2.825
0.1593 2.26
0.1105 0.851
0.1061 0.9401
0.1756 1.532
0.5226 13.76
0.478 1.66
0.4722 1.28
0.6933 16.36
0.6405 2.997
0.6335 2.806
4.134 24.15
7.868 30.97
4.134 25.03
7.868 24.11
4.134 24.8
7.868 22.37
2.079 9.662
3.186 12.89
2.079 6.355
3.186 6.732
2.079 8.291
3.186 10.62
2.912 10.29
4.235 10.63
2.912 14.11
4.235 8.612
2.912 4.417
4.235 4.905
2.912 5.258
4.235 9.167
0.08849 0.8722
0.1543 1.503
0.7663 2.744
0.1053 0.1899
0.1053 0.2978
EOD
$c5 << EOD
0.14 3.608
0.1429 2.803
0.1429 2.685
0.1389 2.412
0.1389 3.687
0.1417 1.51
0.1417 2.778
0.1417 2.384
0.1417 2.757
0.1389 2.527
0.1417 2.001
0.1417 2.312
EOD
$c6 << EOD
0.134 4.458
0.1373 3.499
0.1536 3.903
0.1333 4.751
0.1363 3.175
0.1525 4.834
0.1333 2.398
0.1365 1.863
0.1527 2.451
EOD
$c7 << EOD
0.1941 6.493
0.1872 3.641
0.1872 7.461
0.1872 3.493
EOD
$c8 << EOD
0.1285 3.355
0.1311 2.47
0.1283 1.062
EOD
$c9 << EOD
0.1562 3.386
0.1553 2.387
0.1553 3.392
0.1553 3.254
EOD
$c10 << EOD
0.2228 6.414
0.2187 5.607
0.2187 4.685
EOD
$c11 << EOD
0.2228 7.401
0.2187 5.303
0.2187 7.805
0.2187 6.279
EOD
$c12 << EOD
0.5063 13.07
0.5063 2.851
0.5063 2.291
0.6741 17.88
0.6741 5.597
0.6741 5.276
EOD
$c13 << EOD
3.799 57.21
7.26 63.67
3.8 56.52
7.262 43.23
2.865 29.63
5.536 33.47
1.767 12.1
2.807 23.65
1.761 16.88
2.799 21.74
1.775 16.68
2.817 16.62
2.432 20.76
3.703 28.43
2.481 21.45
3.76 16.7
1.877 19.21
3.024 29.67
2.481 17.95
3.76 14.79
0.08467 2.061
0.07095 1.878
0.1289 1.793
2.473 34.32
0.2152 5.459
0.7221 9.495
0.09765 0.2738
0.09765 0.3286
0.04056 0.1851
0.08127 1.1
0.165 0.4237
0.1642 0.1061
EOD
$c14 << EOD
2.893 30.48
5.588 28.77
2.893 29.41
5.588 24.78
2.893 28.42
5.588 22.13
2.083 12.41
3.191 14.67
2.083 12.74
3.191 14.58
2.083 13.96
3.191 8.975
2.64 21.2
3.94 23.15
2.64 23.08
3.94 15.4
2.64 12.9
3.94 11.96
2.64 20.25
3.94 27.06
EOD
$c15 << EOD
3.29 28.6
6.324 27.85
3.29 30.93
6.324 14.94
3.29 42.5
6.324 34.16
2.439 22.25
3.711 24.27
2.439 24.37
3.711 14.89
2.439 25.52
3.711 23.27
2.439 18.75
3.711 24.13
EOD
$c16 << EOD
4.763 58.53
8.999 77.63
4.763 68.97
8.999 64.53
4.763 37.05
8.999 32.1
EOD
$c17 << EOD
2.893 45.28
5.587 50.61
2.893 43.31
5.587 34.92
2.892 40.38
5.585 36.29
2.076 22.49
3.183 19.9
2.073 20.09
3.179 19.46
2.082 19.09
3.189 18.67
2.265 29.68
3.507 28.99
2.266 31.67
3.507 16.62
2.247 30.94
3.485 34.52
2.266 20.24
3.508 16.49
0.07251 0.97
0.1116 2.521
0.6849 9.646
0.08333 0.3001
0.08333 0.316
EOD
$c18 << EOD
3.799 58.18
7.26 41.7
3.799 33.29
7.26 26.89
1.765 16.35
2.804 22.45
1.765 9.629
2.804 11.09
1.765 11.91
2.804 17.9
2.57 25.94
3.862 26.84
2.57 25.35
3.862 20.58
2.57 9.698
3.862 11.6
2.57 11.79
3.862 18.98
EOD
$c19 << EOD
2.281 19.32
3.419 20.79
2.281 19.13
3.419 22.3
2.281 16.74
3.419 18.81
EOD
$c20 << EOD
0.08468 2.095
0.07116 1.912
0.1289 1.733
2.474 33.42
0.2153 5.285
0.7222 9.732
0.08128 1.102
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [5.62e-07:18] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 17 title "sell(8,4096)", $c7 using 1:2 with points lt 9 title "bdia(256)", $c8 using 1:2 with points lt 19 title "sell(8,500000)", $c9 using 1:2 with points lt 3 title "csbc(16384,32768)", $c10 using 1:2 with points lt 8 title "bcsr(4,4)", $c11 using 1:2 with points lt 10 title "bcsrc(4,4)", $c12 using 1:2 with points lt 11 title "csbc(2048,32768)", $c13 using 1:2 with points lt 13 title "csf", $c14 using 1:2 with points lt 12 title "alto", $c15 using 1:2 with points lt 14 title "strips(1024)", $c16 using 1:2 with points lt 15 title "tcsf(256)", $c17 using 1:2 with points lt 16 title "duq", $c18 using 1:2 with points lt 18 title "csf in order", $c19 using 1:2 with points lt 20 title "strips(4096)", $c20 using 1:2 with points lt 20 title "dss"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [5.62e-07:18] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 17 title "sell(8,4096)", $c7 using 1:2 with points lt 9 title "bdia(256)", $c8 using 1:2 with points lt 19 title "sell(8,500000)", $c9 using 1:2 with points lt 3 title "csbc(16384,32768)", $c10 using 1:2 with points lt 8 title "bcsr(4,4)", $c11 using 1:2 with points lt 10 title "bcsrc(4,4)", $c12 using 1:2 with points lt 11 title "csbc(2048,32768)", $c13 using 1:2 with points lt 13 title "csf", $c14 using 1:2 with points lt 12 title "alto", $c15 using 1:2 with points lt 14 title "strips(1024)", $c16 using 1:2 with points lt 15 title "tcsf(256)", $c17 using 1:2 with points lt 16 title "duq", $c18 using 1:2 with points lt 18 title "csf in order", $c19 using 1:2 with points lt 20 title "strips(4096)", $c20 using 1:2 with points lt 20 title "dss"
unset output
