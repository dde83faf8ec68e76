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
set key at screen 0.5, screen 0.015 center bottom maxrows 9 Left reverse samplen 1.5
set bmargin 14.1
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Roofline: 2 threads, f64"
set xlabel "operations per byte"
set ylabel "GFLOP/s"
set logscale xy 10
set grid xtics
roof(x) = x * 47.6607 < 241.621 ? x * 47.6607 : 241.621
$c0 << EOD
0.1094 4.813
0.1111 1.848
0.1111 2.626
0.1111 1.776
0.1176 1.486
0.1042 3.769
0.1093 3.806
0.1234 2.108
0.1125 2.997
0.119 3.465
0.1103 3.964
0.1118 2.545
0.1118 2.108
0.1179 2.982
0.1058 2.887
0.1192 4.558
0.1103 4.537
0.1118 2.135
0.1118 2.34
0.1179 1.501
0.1058 3.679
0.1192 3.23
0.4762 19.86
0.4762 11.39
0.4762 11.33
0.6383 28.73
0.6383 19.02
0.6383 20.88
2.331 52.71
4.533 75.77
2.331 24.84
4.533 42.29
2.331 37.41
4.533 49.88
1.775 38.75
2.817 33.52
1.775 24.95
2.817 31.85
1.775 26.2
2.817 34.65
1.985 45.78
3.161 50.28
1.985 32.05
3.161 40.73
1.985 26.87
3.161 21.6
1.985 35.73
3.161 40.17
0.06333 1.25
0.09124 2.546
0.6309 15.26
0.07143 0.4876
0.07143 0.712
EOD
$c1 << EOD
0.1346 6.356
0.1379 2.937
0.1379 2.599
0.1379 2.726
0.1509 3.267
0.125 4.591
0.1344 4.541
0.1631 7.105
0.1406 6.723
0.1538 6.877
0.1339 4.982
0.1371 3.791
0.1371 3.069
0.15 2.947
0.125 3.132
0.153 6.719
0.1339 5.846
0.1371 3.002
0.1371 2.399
0.15 2.974
0.125 4.342
0.153 6.524
0.5 26.85
0.5 19.05
0.5 19.34
0.6667 30.78
0.6667 24.11
0.6667 24.93
0.1894 0.1729
0.1894 0.4244
0.1994 0.4016
0.1994 0.3871
0.5104 0.4855
0.5104 3.593
0.2976 0.6623
0.2976 1.358
3.257 4.978
3.257 5.724
0.5977 2.808
0.5977 3.448
0.05406 0.1964
0.05406 0.4467
0.05406 0.3502
0.05406 0.3869
0.05422 0.126
0.05422 0.6953
0.05521 0.2077
0.05521 0.4828
0.05319 0.07164
0.05319 0.5553
0.05539 0.6279
0.05539 0.7773
0.05488 0.5959
0.05488 0.6613
0.05825 0.1907
0.05825 0.4111
0.05825 0.3156
0.05825 0.3456
0.05961 0.1733
0.05961 0.3933
0.05725 0.4204
0.05725 0.4691
1.103e-06 1.717e-05
1.103e-06 1.777e-05
1.103e-06 1.555e-05
1.103e-06 1.567e-05
1.246e-06 2.151e-05
1.246e-06 2.167e-05
8.484e-06 0.0001456
8.484e-06 0.0001729
3.376e-07 2.008e-06
3.376e-07 3.887e-06
6.652e-05 0.0003613
6.652e-05 0.001752
3.068e-06 4.562e-05
3.068e-06 5.072e-05
2.929e-05 9.792e-05
2.929e-05 0.0001005
8.463e-05 0.0001283
8.463e-05 0.0001219
2.377e-05 2.682e-05
2.377e-05 5.822e-05
3.6e-06 7.373e-06
3.6e-06 1.021e-05
0.1344 0.1086
0.1344 0.1078
0.002698 0.0004711
0.002698 0.0004656
2.93e-05 0.0001416
8.526e-05 0.0001489
3.905e-05 0.0001464
5.85e-06 4.414e-05
0.2235 0.1201
0.004276 0.0003487
EOD
$c2 << EOD
0.1941 12.56
0.1782 8.634
0.1929 9.228
0.1908 8.679
0.1872 9.275
0.1715 7.243
0.1872 9.475
0.1715 7.743
EOD
$c3 << EOD
0.15 5.849
0.148 5.76
0.148 6.006
EOD
$c4 << EOD
0.15 6.282
0.125 4.861
0.148 5.683
0.148 5.819
EOD
$c5 << EOD
0.134 6.502
0.1373 4.392
0.1054 3.52
0.1242 5.268
0.1337 5.897
0.1536 6.816
0.1333 5.554
0.1363 4.21
0.1243 4.714
0.1525 6.698
0.1333 6.003
0.1365 4.184
0.1243 4.893
0.1527 6.531
0.4992 28.17
0.6657 33.51
EOD
$c6 << EOD
0.1296 6.423
0.1333 2.994
0.1333 2.502
0.1333 2.735
0.1504 3.321
0.119 4.451
0.1294 4.46
0.1624 7.446
0.1364 6.55
0.1515 7.796
0.1328 3.037
0.1495 2.951
0.1293 5.831
0.1328 3.005
0.1328 2.582
0.1495 3.319
0.1195 4.353
0.1507 6.872
0.4938 23.92
0.4938 14.3
0.4938 14.28
0.6593 19.79
0.6593 21.17
EOD
$c7 << EOD
0.1285 4.523
0.1311 4.422
0.1283 3.764
EOD
$c8 << EOD
0.1428 3.251
0.1538 4.697
0.1416 3.205
0.1416 3.502
0.1528 4.688
0.1416 3.332
0.1416 3.4
0.1528 4.754
0.5063 8.881
0.5063 8.629
EOD
$c9 << EOD
0.1338 2.674
0.1503 3.052
0.1624 7.439
0.1364 5.076
0.1333 2.659
0.1328 2.409
0.1494 3.31
0.1195 4.281
0.1508 7.355
0.1333 2.52
0.1494 3.08
0.4956 0.5331
0.4939 4.115
0.6614 20.06
0.6594 19.65
EOD
$c10 << EOD
0.1428 3.549
0.1398 4.545
EOD
$c11 << EOD
0.1379 2.181
0.1509 2.797
0.125 3.353
0.1344 3.552
0.1631 7.093
0.1406 5.374
0.1538 5.625
0.1339 6.111
0.1371 2.576
0.1371 2.382
0.15 3.011
0.125 4.391
0.153 7.27
0.15 2.826
0.125 3.216
0.153 5.256
0.5 2.948
0.6667 31.15
0.6667 23.67
0.6667 24.72
EOD
$c12 << EOD
0.1429 3.533
0.1316 4.258
0.1309 4.352
0.1309 4.249
0.6742 32.43
0.6742 14.56
EOD
$c13 << EOD
0.05238 1.704
0.125 6.303
0.05414 2.093
0.5128 24.97
0.6667 30.97
EOD
$c14 << EOD
0.1428 5.425
0.1458 5.147
0.1422 5.317
EOD
$c15 << EOD
0.163 7.755
EOD
$c16 << EOD
0.2228 12.36
0.2187 8.61
0.2187 10.57
EOD
$c17 << EOD
0.2228 12.82
0.2187 10.97
0.2187 10.73
EOD
$c18 << EOD
0.148 5.906
EOD
$c19 << EOD
0.2187 11.58
EOD
$c20 << EOD
0.5128 26.88
0.6667 30.9
EOD
$c21 << EOD
0.4899 5.815
EOD
$c22 << EOD
0.6742 11.85
EOD
$c23 << EOD
3.799 70.46
7.26 100.3
3.8 64.62
7.262 93.94
2.865 36.76
2.865 37.07
5.536 57.35
5.536 57.25
1.767 31.58
1.767 31.07
2.807 35.4
2.807 35.9
1.761 30.63
1.76 31.5
2.799 35.27
2.798 35.09
1.775 29.15
1.774 29.19
2.817 32.47
2.816 31.92
2.432 29.18
2.432 29.92
3.703 43.83
3.703 43.88
2.481 27.41
2.481 27.6
3.76 43.61
3.76 43.94
1.877 35.21
2.203 28.33
3.024 45.66
3.432 46.2
2.481 25.81
3.76 39.29
0.08467 6.125
0.07095 4.063
0.1289 2.155
2.473 50.84
0.2152 6.814
0.7221 21.41
0.09765 0.5082
0.09765 0.5856
0.09704 0.6935
0.04114 0.273
0.04114 0.3274
0.08127 1.035
0.08127 1.659
0.165 0.3101
0.165 0.566
0.1642 0.09621
0.1642 0.1822
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [1.69e-07:18] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 9 title "bdia(256)", $c3 using 1:2 with points lt 15 title "bcsrc(3,3)", $c4 using 1:2 with points lt 8 title "bcsr(3,3)", $c5 using 1:2 with points lt 17 title "sell(8,4096)", $c6 using 1:2 with points lt 6 title "dcsr", $c7 using 1:2 with points lt 19 title "sell(8,500000)", $c8 using 1:2 with points lt 7 title "csbc(2048,32768)", $c9 using 1:2 with points lt 10 title "dcsc", $c10 using 1:2 with points lt 3 title "csbc(8192,32768)", $c11 using 1:2 with points lt 5 title "csc", $c12 using 1:2 with points lt 4 title "csbc(65536,32768)", $c13 using 1:2 with points lt 13 title "bcsrc(2,2)", $c14 using 1:2 with points lt 14 title "sell(8,131072)", $c15 using 1:2 with points lt 11 title "sell(8,80999)", $c16 using 1:2 with points lt 12 title "bcsrc(4,4)", $c17 using 1:2 with points lt 18 title "bcsr(4,4)", $c18 using 1:2 with points lt 16 title "bcsc(3,3)", $c19 using 1:2 with points lt 20 title "bcsc(4,4)", $c20 using 1:2 with points lt 20 title "bcsr(2,2)", $c21 using 1:2 with points lt 20 title "sell(8,200000)", $c22 using 1:2 with points lt 20 title "csbc(32768,32768)", $c23 using 1:2 with points lt 20 title "csf"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [1.69e-07:18] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 9 title "bdia(256)", $c3 using 1:2 with points lt 15 title "bcsrc(3,3)", $c4 using 1:2 with points lt 8 title "bcsr(3,3)", $c5 using 1:2 with points lt 17 title "sell(8,4096)", $c6 using 1:2 with points lt 6 title "dcsr", $c7 using 1:2 with points lt 19 title "sell(8,500000)", $c8 using 1:2 with points lt 7 title "csbc(2048,32768)", $c9 using 1:2 with points lt 10 title "dcsc", $c10 using 1:2 with points lt 3 title "csbc(8192,32768)", $c11 using 1:2 with points lt 5 title "csc", $c12 using 1:2 with points lt 4 title "csbc(65536,32768)", $c13 using 1:2 with points lt 13 title "bcsrc(2,2)", $c14 using 1:2 with points lt 14 title "sell(8,131072)", $c15 using 1:2 with points lt 11 title "sell(8,80999)", $c16 using 1:2 with points lt 12 title "bcsrc(4,4)", $c17 using 1:2 with points lt 18 title "bcsr(4,4)", $c18 using 1:2 with points lt 16 title "bcsc(3,3)", $c19 using 1:2 with points lt 20 title "bcsc(4,4)", $c20 using 1:2 with points lt 20 title "bcsr(2,2)", $c21 using 1:2 with points lt 20 title "sell(8,200000)", $c22 using 1:2 with points lt 20 title "csbc(32768,32768)", $c23 using 1:2 with points lt 20 title "csf"
unset output
