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
roof(x) = x * 43.0868 < 95.1741 ? x * 43.0868 : 95.1741
$c0 << EOD
0.1094 1.986
0.1111 1.088
0.1111 1.422
0.119 1.429
0.1103 2.417
0.1118 1.134
0.1118 1.197
0.1192 1.79
0.1103 2.36
0.1118 1.298
0.1118 1.485
0.1192 1.547
0.4762 15.05
0.4762 4.795
0.4762 3.568
0.6383 18.19
0.6383 8.36
0.6383 3.625
2.331 24.5
4.533 36.58
2.331 18.82
4.533 25.9
2.331 24.28
4.533 23.68
1.775 17.14
2.817 16.12
1.775 17.22
2.817 15.73
1.775 17.35
2.817 17.78
1.985 31.12
3.161 23.88
1.985 18.96
3.161 19.99
1.985 12.62
3.161 10.41
1.985 19.49
3.161 17.55
0.06333 0.7766
0.09124 1.69
0.6309 7.252
0.07143 0.278
0.07143 0.4643
EOD
$c1 << EOD
0.1346 3.365
0.1379 1.99
0.1379 1.766
0.1538 2.903
0.1339 3.119
0.1371 1.245
0.1371 1.292
0.153 2.466
0.1339 3.513
0.1371 2.018
0.1371 1.792
0.153 3.189
0.5 18.24
0.5 6.378
0.5 4.39
0.6667 19.11
0.6667 9.297
0.6667 3.567
0.1894 0.2248
0.1994 0.3241
0.5104 2.128
0.228 0.2976
0.2394 0.2599
0.04878 0.7742
0.04878 0.5763
0.05921 0.8473
0.04878 0.6552
0.04878 0.4777
0.06368 0.955
1.28e-06 1.563e-05
1.28e-06 1.903e-05
1.125e-06 1.838e-05
3.072e-05 2.009e-05
3.059e-05 1.347e-05
2.377e-05 4.894e-05
3.072e-05 1.447e-05
3.072e-05 1.985e-05
3.905e-05 8.887e-05
EOD
$c2 << EOD
0.1346 2.588
0.1379 1.059
0.1379 1.185
0.1538 2.162
0.1339 3.727
0.1371 1.587
0.1371 1.818
0.153 3.481
0.1339 2.729
0.1371 1.325
0.1371 1.235
0.153 2.652
0.5 1.008
0.5 1.668
0.5 0.4322
0.6667 22.14
0.6667 8.579
0.6667 3.474
EOD
$c3 << EOD
0.1296 3.59
0.1333 1.548
0.1333 1.735
0.1515 3.494
0.1293 2.842
0.1328 1.207
0.1328 1.376
0.1507 2.411
0.1293 3.703
0.1328 1.961
0.1328 1.848
0.1507 3.854
0.4938 16.23
0.4938 5.305
0.4938 3.758
0.6593 19.92
0.6593 9.185
0.6593 3.26
EOD
$c4 << EOD
0.1624 2.077
0.1097 0.7792
0.1051 0.8243
0.1774 2.003
0.1593 2.851
0.1105 0.5995
0.1061 0.7124
0.1756 1.741
0.1593 2.591
0.1105 0.9472
0.1061 0.9464
0.1756 2.09
0.5226 15.13
0.478 1.757
0.4722 1.178
0.6933 22.97
0.6405 2.489
0.6335 1.561
4.134 15.75
7.868 25.26
4.134 24.84
7.868 24.11
4.134 24.13
7.868 23.09
2.079 8.747
3.186 10.9
2.079 9.226
3.186 9.424
2.079 11.11
3.186 9.598
2.912 11.25
4.235 12.16
2.912 9.44
4.235 12.68
2.912 4.917
4.235 7.609
2.912 9.815
4.235 10.11
0.08849 0.8106
0.1543 1.422
0.7663 2.536
0.1053 0.1891
0.1053 0.2856
EOD
$c5 << EOD
0.14 2.148
0.1429 2.119
0.1429 2.101
0.1389 2.427
0.1389 3.028
0.1417 1.237
0.1417 2.343
0.1417 1.647
0.1417 2.528
0.1389 3.434
0.1417 2.231
0.1417 2.096
EOD
$c6 << EOD
0.134 3.376
0.1373 1.77
0.1536 2.898
0.1333 3.237
0.1363 1.908
0.1525 2.699
0.1333 3.399
0.1365 1.998
0.1527 2.973
EOD
$c7 << EOD
0.1941 4.558
0.1872 3.814
0.1872 4.949
0.1872 5.614
EOD
$c8 << EOD
0.1285 1.285
0.1311 1.383
0.1283 2.093
EOD
$c9 << EOD
0.1562 2.769
0.1553 1.865
0.1553 2.608
0.1553 2.748
EOD
$c10 << EOD
0.2228 5.57
0.2187 3.77
0.2187 5.45
EOD
$c11 << EOD
0.2228 6.552
0.2187 2.75
0.2187 6.036
0.2187 6.858
EOD
$c12 << EOD
0.5063 14.87
0.5063 3.786
0.5063 2.564
0.6741 19.1
0.6741 6.034
0.6741 2.951
EOD
$c13 << EOD
3.799 34.17
7.26 53.85
3.8 53.36
7.262 54.1
2.865 27.53
5.536 29.71
1.767 14.79
2.807 19.16
1.761 21.25
2.799 22.58
1.775 20.37
2.817 20.01
2.432 22.62
3.703 22.37
2.481 19.99
3.76 30.66
1.877 17.72
3.024 31.18
2.481 19.4
3.76 14.78
0.08467 1.77
0.07095 2.069
0.1289 1.837
2.473 34.9
0.2152 3.713
0.7221 8.499
0.09765 0.2674
0.09765 0.3131
0.04056 0.2369
0.08127 0.9773
0.165 0.3312
0.1642 0.09022
EOD
$c14 << EOD
2.893 18.79
5.588 23.9
2.893 28.8
5.588 24.24
2.893 25.49
5.588 22.53
2.083 13.76
3.191 12.12
2.083 17.87
3.191 16.19
2.083 19.38
3.191 9.409
2.64 27.23
3.94 21.82
2.64 26.34
3.94 25.06
2.64 16.14
3.94 14.91
2.64 21.97
3.94 21.38
EOD
$c15 << EOD
3.29 16.24
6.324 22.42
3.29 30.08
6.324 22.6
3.29 38.31
6.324 36.85
2.439 24.72
3.711 23.28
2.439 22.71
3.711 23.68
2.439 18.19
3.711 27.54
2.439 21.5
3.711 23.32
EOD
$c16 << EOD
2.893 25.29
5.587 43.7
2.893 43
5.587 36.63
2.892 37.71
5.585 35.27
2.076 19.17
3.183 19.21
2.073 24.4
3.179 19.47
2.082 22.54
3.189 15.91
2.265 29.61
3.507 29.33
2.266 26.68
3.507 25.54
2.247 23.87
3.485 38.61
2.266 19.82
3.508 21.13
0.07251 0.8584
0.1116 2.541
0.6849 9.503
0.08333 0.2563
0.08333 0.3088
EOD
$c17 << EOD
3.799 54.94
7.26 49.08
3.799 31.98
7.26 31.44
1.765 14.1
2.804 22.12
1.765 14.66
2.804 14.91
1.765 16.67
2.804 16.15
2.57 23.54
3.862 26
2.57 15.35
3.862 28.36
2.57 11.89
3.862 12.91
2.57 15.18
3.862 19.72
EOD
$c18 << EOD
2.281 19.37
3.419 21.02
2.281 25.81
3.419 19.1
2.281 23.22
3.419 19.35
EOD
$c19 << EOD
0.08468 1.845
0.07116 2.073
0.1289 1.807
2.474 34.77
0.2153 5.177
0.7222 9.824
0.08128 1.107
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [5.62e-07:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 17 title "sell(8,4096)", $c7 using 1:2 with points lt 9 title "bdia(256)", $c8 using 1:2 with points lt 19 title "sell(8,500000)", $c9 using 1:2 with points lt 3 title "csbc(16384,32768)", $c10 using 1:2 with points lt 8 title "bcsr(4,4)", $c11 using 1:2 with points lt 10 title "bcsrc(4,4)", $c12 using 1:2 with points lt 11 title "csbc(2048,32768)", $c13 using 1:2 with points lt 13 title "csf", $c14 using 1:2 with points lt 12 title "alto", $c15 using 1:2 with points lt 14 title "strips(1024)", $c16 using 1:2 with points lt 16 title "duq", $c17 using 1:2 with points lt 15 title "csf in order", $c18 using 1:2 with points lt 18 title "strips(4096)", $c19 using 1:2 with points lt 20 title "dss"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [5.62e-07:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 17 title "sell(8,4096)", $c7 using 1:2 with points lt 9 title "bdia(256)", $c8 using 1:2 with points lt 19 title "sell(8,500000)", $c9 using 1:2 with points lt 3 title "csbc(16384,32768)", $c10 using 1:2 with points lt 8 title "bcsr(4,4)", $c11 using 1:2 with points lt 10 title "bcsrc(4,4)", $c12 using 1:2 with points lt 11 title "csbc(2048,32768)", $c13 using 1:2 with points lt 13 title "csf", $c14 using 1:2 with points lt 12 title "alto", $c15 using 1:2 with points lt 14 title "strips(1024)", $c16 using 1:2 with points lt 16 title "duq", $c17 using 1:2 with points lt 15 title "csf in order", $c18 using 1:2 with points lt 18 title "strips(4096)", $c19 using 1:2 with points lt 20 title "dss"
unset output
