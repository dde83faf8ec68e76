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
roof(x) = x * 42.5902 < 225.232 ? x * 42.5902 : 225.232
$c0 << EOD
0.1094 4.519
0.1111 1.882
0.1111 2.539
0.1111 1.98
0.1176 1.502
0.1042 3.579
0.1093 4.026
0.1234 2.238
0.1125 3.028
0.119 3.629
0.1103 3.916
0.1118 2.384
0.1118 2.104
0.1179 3.054
0.1058 3.454
0.1192 5.022
0.1103 4.637
0.1118 2.156
0.1118 3.279
0.1179 1.531
0.1058 3.847
0.1192 3.674
0.4762 27.97
0.4762 12.77
0.4762 13.73
0.6383 38.82
0.6383 18.8
0.6383 21.11
2.331 51.54
4.533 76.42
2.331 26.01
4.533 47.03
2.331 38.08
4.533 48.06
1.775 36.77
2.817 34.47
1.775 24.95
2.817 28.97
1.775 25.7
2.817 34.53
1.985 48.76
3.161 62.23
1.985 30.46
3.161 41.8
1.985 26.76
3.161 22.65
1.985 36.4
3.161 40.34
0.06333 1.268
0.09124 2.647
0.6309 17.6
0.07143 0.5053
0.07143 0.7617
EOD
$c1 << EOD
0.1346 6.206
0.1379 2.909
0.1379 2.447
0.1379 2.969
0.1509 2.918
0.125 4.308
0.1344 4.702
0.1631 9.991
0.1406 6.534
0.1538 6.888
0.1339 4.919
0.1371 3.12
0.1371 3.03
0.15 2.953
0.125 3.642
0.153 6.903
0.1339 5.771
0.1371 3.8
0.1371 2.378
0.15 3.085
0.125 4.505
0.153 7.579
0.5 41.53
0.5 21.8
0.5 21.44
0.6667 41.57
0.6667 23.32
0.6667 24.3
0.1894 0.1324
0.1894 0.4431
0.1994 0.4313
0.1994 0.4667
0.5104 0.1991
0.5104 3.527
0.2976 1.177
0.2976 1.31
3.257 4.699
3.257 5.553
0.5977 2.456
0.5977 2.755
0.05406 0.331
0.05406 0.5001
0.05406 0.4052
0.05406 0.4363
0.05422 0.7917
0.05422 0.99
0.05521 0.5032
0.05521 0.5561
0.05319 0.7338
0.05319 0.7365
0.05539 0.8253
0.05539 1.142
0.05488 0.8573
0.05488 0.8338
0.05825 0.4077
0.05825 0.454
0.05825 0.3446
0.05825 0.3815
0.05961 0.4184
0.05961 0.4441
0.05725 0.4679
0.05725 0.5397
1.103e-06 4.052e-05
1.103e-06 4.297e-05
1.103e-06 3.189e-05
1.103e-06 3.334e-05
1.246e-06 4.51e-05
1.246e-06 4.993e-05
8.484e-06 0.0002367
8.484e-06 0.0002645
3.376e-07 1.015e-05
3.376e-07 1.025e-05
6.652e-05 0.002008
6.652e-05 0.001997
3.068e-06 6.463e-05
3.068e-06 9.909e-05
2.929e-05 9.338e-05
2.929e-05 0.0001024
8.463e-05 0.0001239
8.463e-05 0.0001222
2.377e-05 5.508e-05
2.377e-05 5.711e-05
3.6e-06 6.818e-06
3.6e-06 9.876e-06
0.1344 0.09558
0.1344 0.09767
0.002698 0.0003986
0.002698 0.0004108
2.93e-05 0.000136
8.526e-05 0.000148
3.905e-05 0.0001434
5.85e-06 4.313e-05
0.2235 0.1183
0.004276 0.0004524
EOD
$c2 << EOD
0.1941 11.5
0.1782 7.809
0.1929 13.18
0.1908 14.87
0.1872 9.263
0.1715 9.956
0.1872 10.05
0.1715 8.248
EOD
$c3 << EOD
0.15 5.868
0.148 5.775
EOD
$c4 << EOD
0.15 6.254
0.125 4.434
0.148 5.555
0.148 5.885
EOD
$c5 << EOD
0.134 6.188
0.1373 4.414
0.1054 4.147
0.1242 4.809
0.1337 5.901
0.1536 7.37
0.1333 5.674
0.1363 4.41
0.1243 5.422
0.1525 7.028
0.1333 5.55
0.1365 4.315
0.1243 4.925
0.1527 6.685
0.4992 48.9
0.6657 56.26
EOD
$c6 << EOD
0.1296 6.221
0.1333 2.921
0.1333 2.453
0.1333 2.702
0.1504 3.338
0.119 4.295
0.1294 4.644
0.1624 7.682
0.1364 6.537
0.1515 7.951
0.1328 3.155
0.1495 3.133
0.1293 5.904
0.1328 3.749
0.1328 2.497
0.1495 3.536
0.1195 4.496
0.1507 8.099
0.4938 34.52
0.4938 16.56
0.4938 17.11
0.6593 18.64
0.6593 21.04
EOD
$c7 << EOD
0.1285 4.389
0.1311 4.615
0.1283 4.356
EOD
$c8 << EOD
0.1428 3.265
0.1416 3.476
0.1416 3.575
0.1416 3.518
0.1416 3.536
0.1553 4.601
0.5063 10.04
0.5063 9.068
0.6741 14.43
EOD
$c9 << EOD
0.1338 2.652
0.1339 1.734
0.1503 3.102
0.1624 9.324
0.1364 5.25
0.1293 6.056
0.1333 2.772
0.1328 2.331
0.1494 3.616
0.1195 4.768
0.1508 7.681
0.1333 2.873
0.1494 3.064
0.4956 0.407
0.4939 0.6562
0.6614 18.04
0.6594 19.16
EOD
$c10 << EOD
0.1428 3.633
0.1528 4.538
0.1528 4.12
EOD
$c11 << EOD
0.1379 2.283
0.1509 2.749
0.1631 7.741
0.1406 4.82
0.1538 5.713
0.1339 5.828
0.1371 2.648
0.1371 2.561
0.15 3.23
0.125 4.82
0.153 7.559
0.1371 2.268
0.15 2.789
0.5 0.4762
0.6667 44.34
0.6667 22.07
0.6667 24
EOD
$c12 << EOD
0.1429 3.537
0.1316 4.145
0.1309 4.454
0.1309 4.289
0.6742 40.91
0.6742 13.95
EOD
$c13 << EOD
0.1428 5.438
0.1458 5.282
0.1422 5.224
EOD
$c14 << EOD
0.1538 3.732
EOD
$c15 << EOD
0.1505 6.022
0.1617 6.084
0.1477 6.028
0.08849 0.7868
0.1543 3.061
0.1053 0.3131
EOD
$c16 << EOD
0.1398 4.401
EOD
$c17 << EOD
0.163 9.762
EOD
$c18 << EOD
0.125 5.852
0.5128 30.74
0.6667 39.51
EOD
$c19 << EOD
0.2228 14.23
0.2187 8.111
0.2187 12.5
EOD
$c20 << EOD
0.2228 12.73
0.2187 11.24
0.2187 11.03
EOD
$c21 << EOD
0.148 5.771
EOD
$c22 << EOD
0.09485 3.274
EOD
$c23 << EOD
0.2187 12.66
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [1.69e-07:17] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 9 title "bdia(256)", $c3 using 1:2 with points lt 15 title "bcsrc(3,3)", $c4 using 1:2 with points lt 8 title "bcsr(3,3)", $c5 using 1:2 with points lt 17 title "sell(8,4096)", $c6 using 1:2 with points lt 6 title "dcsr", $c7 using 1:2 with points lt 19 title "sell(8,500000)", $c8 using 1:2 with points lt 7 title "csbc(2048,32768)", $c9 using 1:2 with points lt 10 title "dcsc", $c10 using 1:2 with points lt 3 title "csbc(8192,32768)", $c11 using 1:2 with points lt 5 title "csc", $c12 using 1:2 with points lt 4 title "csbc(65536,32768)", $c13 using 1:2 with points lt 14 title "sell(8,131072)", $c14 using 1:2 with points lt 11 title "csbc(16384,32768)", $c15 using 1:2 with points lt 12 title "hicoo(128)", $c16 using 1:2 with points lt 13 title "csbc(32768,32768)", $c17 using 1:2 with points lt 16 title "sell(8,80999)", $c18 using 1:2 with points lt 18 title "bcsrc(2,2)", $c19 using 1:2 with points lt 20 title "bcsrc(4,4)", $c20 using 1:2 with points lt 20 title "bcsr(4,4)", $c21 using 1:2 with points lt 20 title "bcsc(3,3)", $c22 using 1:2 with points lt 20 title "bcsc(2,2)", $c23 using 1:2 with points lt 20 title "bcsc(4,4)"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [1.69e-07:17] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 9 title "bdia(256)", $c3 using 1:2 with points lt 15 title "bcsrc(3,3)", $c4 using 1:2 with points lt 8 title "bcsr(3,3)", $c5 using 1:2 with points lt 17 title "sell(8,4096)", $c6 using 1:2 with points lt 6 title "dcsr", $c7 using 1:2 with points lt 19 title "sell(8,500000)", $c8 using 1:2 with points lt 7 title "csbc(2048,32768)", $c9 using 1:2 with points lt 10 title "dcsc", $c10 using 1:2 with points lt 3 title "csbc(8192,32768)", $c11 using 1:2 with points lt 5 title "csc", $c12 using 1:2 with points lt 4 title "csbc(65536,32768)", $c13 using 1:2 with points lt 14 title "sell(8,131072)", $c14 using 1:2 with points lt 11 title "csbc(16384,32768)", $c15 using 1:2 with points lt 12 title "hicoo(128)", $c16 using 1:2 with points lt 13 title "csbc(32768,32768)", $c17 using 1:2 with points lt 16 title "sell(8,80999)", $c18 using 1:2 with points lt 18 title "bcsrc(2,2)", $c19 using 1:2 with points lt 20 title "bcsrc(4,4)", $c20 using 1:2 with points lt 20 title "bcsr(4,4)", $c21 using 1:2 with points lt 20 title "bcsc(3,3)", $c22 using 1:2 with points lt 20 title "bcsc(2,2)", $c23 using 1:2 with points lt 20 title "bcsc(4,4)"
unset output
