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
roof(x) = x * 51.4065 < 232.137 ? x * 51.4065 : 232.137
$c0 << EOD
0.1094 4.7
0.1111 2.08
0.1111 2.441
0.1111 1.755
0.1176 1.442
0.1042 3.971
0.1093 4.005
0.1234 2.195
0.1125 3.053
0.119 3.403
0.1103 4.254
0.1118 2.418
0.1118 2.242
0.1179 3.14
0.1058 3.004
0.1192 5.132
0.1103 4.932
0.1118 1.98
0.1118 2.585
0.1179 1.553
0.1058 4.032
0.1192 3.548
0.4762 23.64
0.4762 12.22
0.4762 12.28
0.6383 31.04
0.6383 20.96
0.6383 22.56
2.331 55.15
4.533 74.65
2.331 25.61
4.533 47.06
2.331 39.2
4.533 50.1
1.775 36.66
2.817 35.31
1.775 24.89
2.817 29.46
1.775 26.91
2.817 37.68
1.985 51.51
3.161 55.54
1.985 31.71
3.161 44.48
1.985 27.7
3.161 18.12
1.985 38.4
3.161 44.94
0.06333 1.325
0.09124 2.875
0.6309 14.23
0.07143 0.4982
0.07143 0.7209
EOD
$c1 << EOD
0.1346 6.379
0.1379 4.167
0.1379 2.701
0.1379 2.766
0.1509 2.953
0.125 4.796
0.1344 4.494
0.1631 8.227
0.1406 7.781
0.1538 5.859
0.1339 5.153
0.1371 3.218
0.1371 3.016
0.15 3.033
0.125 3.326
0.153 7.134
0.1339 6.377
0.1371 3.13
0.1371 2.839
0.15 3.286
0.125 4.742
0.153 8.375
0.5 31.07
0.5 20.78
0.5 20.72
0.6667 34.91
0.6667 23.82
0.6667 28.07
0.1894 0.3914
0.1894 0.3354
0.1994 0.4887
0.1994 0.4885
0.5104 2.976
0.5104 3.57
0.2976 0.9946
0.2976 1.114
3.257 5.34
3.257 5.807
0.5977 0.5356
0.5977 3.383
0.05406 0.3108
0.05406 0.4642
0.05406 0.1807
0.05406 0.3977
0.05422 0.5951
0.05422 0.6628
0.05521 0.4727
0.05521 0.4659
0.05319 0.1365
0.05319 0.5225
0.05539 0.5387
0.05539 0.7166
0.05488 0.501
0.05488 0.6748
0.05825 0.1576
0.05825 0.4278
0.05825 0.2206
0.05825 0.3399
0.05961 0.3341
0.05961 0.387
0.05725 0.4211
0.05725 0.4765
1.103e-06 1.773e-05
1.103e-06 1.776e-05
1.103e-06 1.571e-05
1.103e-06 1.597e-05
1.246e-06 8.065e-06
1.246e-06 2.284e-05
8.484e-06 0.0001624
8.484e-06 0.0001782
3.376e-07 2.337e-06
3.376e-07 3.738e-06
6.652e-05 0.0004041
6.652e-05 0.00168
3.068e-06 4.687e-05
3.068e-06 5.086e-05
2.929e-05 9.753e-05
2.929e-05 0.0001055
8.463e-05 0.0001322
8.463e-05 0.0001347
2.377e-05 5.542e-05
2.377e-05 5.765e-05
3.6e-06 7.247e-06
3.6e-06 9.288e-06
0.1344 0.101
0.1344 0.1011
0.002698 0.000423
0.002698 0.0004228
2.93e-05 0.000139
8.526e-05 0.0001477
3.905e-05 0.00015
5.85e-06 4.578e-05
0.2235 0.1292
0.004276 0.000463
EOD
$c2 << EOD
0.1941 11
0.1782 11.53
0.1929 12.06
0.1908 9.693
0.1872 9.868
0.1715 7.945
0.1872 11.44
0.1715 8.879
EOD
$c3 << EOD
0.15 5.582
0.148 5.835
0.148 5.9
EOD
$c4 << EOD
0.15 5.959
0.125 5.309
0.148 5.733
0.148 5.902
EOD
$c5 << EOD
0.134 5.699
0.1373 4.337
0.1054 3.568
0.1242 5.846
0.1337 5.56
0.1536 7.216
0.1333 6.033
0.1363 4.261
0.1243 4.962
0.1525 7.065
0.1333 6.472
0.1365 4.408
0.1243 5.397
0.1527 7.095
0.4992 30.44
0.6657 41.3
EOD
$c6 << EOD
0.1296 6.27
0.1333 4.027
0.1333 2.764
0.1333 2.559
0.1504 3.35
0.119 4.858
0.1294 4.447
0.1624 7.392
0.1364 7.65
0.1515 8.071
0.1328 3.26
0.1495 3.314
0.1293 6.448
0.1328 3.116
0.1328 2.961
0.1495 3.836
0.1195 4.812
0.1507 8.27
0.4938 27.7
0.4938 15.64
0.4938 15.36
0.6593 20.08
0.6593 22.39
EOD
$c7 << EOD
0.1285 5.274
0.1311 4.502
0.1283 3.601
EOD
$c8 << EOD
0.1428 3.556
0.1538 4.605
0.1416 3.394
0.1416 3.626
0.1528 5.055
0.1416 3.253
0.1416 3.736
0.1528 4.813
0.5063 9.317
0.5063 9.228
EOD
$c9 << EOD
0.1338 2.824
0.1503 3.08
0.1624 8.226
0.1364 5.644
0.1333 2.865
0.1328 2.563
0.1494 3.715
0.1195 4.674
0.1508 7.905
0.1333 2.71
0.1494 3.256
0.4956 5.211
0.4939 4.605
0.6614 20.6
0.6594 20.99
EOD
$c10 << EOD
0.1428 3.493
0.1398 4.396
EOD
$c11 << EOD
0.1379 2.326
0.1509 2.717
0.125 3.499
0.1344 3.697
0.1631 7.445
0.1406 5.748
0.1538 5.699
0.1339 6.319
0.1371 2.716
0.1371 2.549
0.15 3.121
0.125 4.645
0.153 7.986
0.15 3.032
0.125 3.624
0.153 5.956
0.5 4.365
0.6667 35.46
0.6667 23.75
0.6667 25.7
EOD
$c12 << EOD
0.1429 3.457
0.1316 4.261
0.1309 4.416
0.1309 4.511
0.5063 7.885
0.6742 36.77
0.6742 17.51
EOD
$c13 << EOD
0.05238 1.619
0.125 7.417
0.05414 2.49
0.6667 34.97
EOD
$c14 << EOD
0.1428 5.188
0.1458 5.449
0.1422 5.408
EOD
$c15 << EOD
0.163 8.438
EOD
$c16 << EOD
0.2228 14.59
0.2187 8.451
0.2187 14.79
EOD
$c17 << EOD
0.2228 12.26
0.2187 13.02
0.2187 11.48
EOD
$c18 << EOD
0.148 5.834
EOD
$c19 << EOD
0.2187 13.4
EOD
$c20 << EOD
0.5128 30.65
0.6667 35.42
EOD
$c21 << EOD
0.4899 6.615
EOD
$c22 << EOD
0.6742 13.01
EOD
$c23 << EOD
3.799 72.38
7.26 108.7
3.8 76.21
7.262 109.6
2.865 36.64
2.865 37.46
5.536 56.63
5.536 57.18
1.767 31.96
1.767 31.76
2.807 36.88
2.807 37.12
1.761 29.85
1.76 31.49
2.799 35.41
2.798 36.31
1.775 29.86
1.774 30.92
2.817 33.12
2.816 32.74
2.432 30.06
3.703 44.95
2.481 26.48
3.76 46.05
1.877 36.14
2.203 28.8
3.024 45.08
3.432 47.11
2.481 26.26
3.76 40.9
0.08467 6.257
0.07095 3.243
0.1289 2.244
2.473 51.33
0.2152 7.269
0.7221 20
0.09765 0.4992
0.09765 0.5906
0.04114 0.3047
0.04114 0.3394
0.08127 1.054
0.08127 1.58
0.165 0.2973
0.165 0.5101
0.1642 0.1415
0.1642 0.1401
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [1.69e-07:18] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 9 title "bdia(256)", $c3 using 1:2 with points lt 15 title "bcsrc(3,3)", $c4 using 1:2 with points lt 8 title "bcsr(3,3)", $c5 using 1:2 with points lt 17 title "sell(8,4096)", $c6 using 1:2 with points lt 6 title "dcsr", $c7 using 1:2 with points lt 19 title "sell(8,500000)", $c8 using 1:2 with points lt 7 title "csbc(2048,32768)", $c9 using 1:2 with points lt 10 title "dcsc", $c10 using 1:2 with points lt 3 title "csbc(8192,32768)", $c11 using 1:2 with points lt 5 title "csc", $c12 using 1:2 with points lt 4 title "csbc(65536,32768)", $c13 using 1:2 with points lt 13 title "bcsrc(2,2)", $c14 using 1:2 with points lt 14 title "sell(8,131072)", $c15 using 1:2 with points lt 11 title "sell(8,80999)", $c16 using 1:2 with points lt 12 title "bcsrc(4,4)", $c17 using 1:2 with points lt 18 title "bcsr(4,4)", $c18 using 1:2 with points lt 16 title "bcsc(3,3)", $c19 using 1:2 with points lt 20 title "bcsc(4,4)", $c20 using 1:2 with points lt 20 title "bcsr(2,2)", $c21 using 1:2 with points lt 20 title "sell(8,200000)", $c22 using 1:2 with points lt 20 title "csbc(32768,32768)", $c23 using 1:2 with points lt 20 title "csf"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [1.69e-07:18] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 9 title "bdia(256)", $c3 using 1:2 with points lt 15 title "bcsrc(3,3)", $c4 using 1:2 with points lt 8 title "bcsr(3,3)", $c5 using 1:2 with points lt 17 title "sell(8,4096)", $c6 using 1:2 with points lt 6 title "dcsr", $c7 using 1:2 with points lt 19 title "sell(8,500000)", $c8 using 1:2 with points lt 7 title "csbc(2048,32768)", $c9 using 1:2 with points lt 10 title "dcsc", $c10 using 1:2 with points lt 3 title "csbc(8192,32768)", $c11 using 1:2 with points lt 5 title "csc", $c12 using 1:2 with points lt 4 title "csbc(65536,32768)", $c13 using 1:2 with points lt 13 title "bcsrc(2,2)", $c14 using 1:2 with points lt 14 title "sell(8,131072)", $c15 using 1:2 with points lt 11 title "sell(8,80999)", $c16 using 1:2 with points lt 12 title "bcsrc(4,4)", $c17 using 1:2 with points lt 18 title "bcsr(4,4)", $c18 using 1:2 with points lt 16 title "bcsc(3,3)", $c19 using 1:2 with points lt 20 title "bcsc(4,4)", $c20 using 1:2 with points lt 20 title "bcsr(2,2)", $c21 using 1:2 with points lt 20 title "sell(8,200000)", $c22 using 1:2 with points lt 20 title "csbc(32768,32768)", $c23 using 1:2 with points lt 20 title "csf"
unset output
