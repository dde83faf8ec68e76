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
roof(x) = x * 39.5175 < 237.003 ? x * 39.5175 : 237.003
$c0 << EOD
0.1094 3.664
0.1111 1.584
0.1111 3.121
0.1111 1.943
0.1176 1.504
0.1042 3.436
0.1093 3.311
0.1234 2.235
0.1125 2.816
0.119 3.276
0.1103 3.497
0.1118 2.112
0.1118 1.819
0.1179 2.962
0.1058 2.412
0.1192 3.764
0.1103 4.011
0.1118 1.825
0.1118 3.09
0.1179 1.524
0.1058 4.069
0.1192 2.729
0.4762 16.01
0.4762 12.02
0.4762 12.27
0.6383 27.62
0.6383 18.38
0.6383 20.73
2.331 51.62
4.533 75.91
2.331 26.2
4.533 47.3
2.331 39.92
4.533 50.57
1.775 34.66
2.817 34.04
1.775 22.67
2.817 27.28
1.775 26.23
2.817 35.43
1.985 45.22
3.161 58.83
1.985 32.12
3.161 41.31
1.985 26.04
3.161 21.5
1.985 34.58
3.161 42.89
0.06333 1.282
0.09124 2.629
0.6309 14.49
0.07143 0.4832
0.07143 0.7042
EOD
$c1 << EOD
0.1346 5.444
0.1379 2.764
0.1379 2.308
0.1379 3.051
0.1509 2.821
0.125 3.793
0.1344 3.846
0.1631 6.198
0.1406 5.568
0.1538 6.162
0.1339 4.465
0.1371 3.116
0.1371 2.775
0.15 2.809
0.125 2.456
0.153 5.304
0.1339 5.048
0.1371 2.801
0.1371 2.362
0.15 3.017
0.125 4.616
0.153 6.23
0.5 22.93
0.5 19.99
0.5 19.06
0.6667 30.22
0.6667 25.04
0.6667 23.7
0.1894 0.3453
0.1894 0.4567
0.1994 0.3508
0.1994 0.3902
0.5104 1.266
0.5104 3.904
0.2976 0.2117
0.2976 1.287
3.257 4.898
3.257 5.75
0.5977 2.692
0.5977 3.307
0.05406 0.4508
0.05406 0.5018
0.05406 0.3883
0.05406 0.4251
0.05422 0.65
0.05422 0.913
0.05521 0.0841
0.05521 0.531
0.05319 0.5795
0.05319 0.6906
0.05539 0.7606
0.05539 0.9055
0.05488 0.7857
0.05488 0.8725
0.05825 0.4077
0.05825 0.452
0.05825 0.3359
0.05825 0.3704
0.05961 0.1165
0.05961 0.4395
0.05725 0.4558
0.05725 0.5298
1.103e-06 2.625e-05
1.103e-06 3.837e-05
1.103e-06 3.405e-05
1.103e-06 3.609e-05
1.246e-06 4.748e-05
1.246e-06 5.202e-05
8.484e-06 0.0002392
8.484e-06 0.0002807
3.376e-07 1.093e-06
3.376e-07 1.109e-05
6.652e-05 0.001739
6.652e-05 0.002247
3.068e-06 8.858e-05
3.068e-06 0.0001058
2.929e-05 0.0001018
2.929e-05 9.997e-05
8.463e-05 0.0001284
8.463e-05 0.0001274
2.377e-05 5.689e-05
2.377e-05 5.927e-05
3.6e-06 7.299e-06
3.6e-06 1.032e-05
0.1344 0.1172
0.1344 0.1186
0.002698 0.0005083
0.002698 0.0005111
2.93e-05 0.0001326
8.526e-05 0.0001525
3.905e-05 0.0001471
5.85e-06 4.569e-05
0.2235 0.1253
0.004276 0.0004595
EOD
$c2 << EOD
0.1941 8.831
0.1782 7.053
0.1929 6.818
0.1908 6.976
0.1872 8.046
0.1715 5.894
0.1872 8.284
0.1715 10.44
EOD
$c3 << EOD
0.15 5.303
0.148 5.663
EOD
$c4 << EOD
0.15 5.753
0.125 3.897
0.148 5.147
0.148 5.699
EOD
$c5 << EOD
0.134 4.871
0.1373 4.267
0.1054 3.695
0.1242 4.447
0.1337 4.036
0.1536 5.754
0.1333 4.972
0.1363 3.975
0.1243 3.329
0.1525 6.449
0.1333 4.999
0.1365 4.723
0.1243 5.33
0.1527 6.168
0.4992 22.19
0.6657 33.64
EOD
$c6 << EOD
0.1296 5.045
0.1333 2.699
0.1333 2.367
0.1333 2.509
0.1504 3.311
0.119 3.569
0.1294 4.065
0.1624 6.266
0.1364 5.745
0.1515 6.806
0.1328 2.929
0.1495 3.008
0.1293 5.439
0.1328 2.714
0.1328 2.419
0.1495 3.324
0.1195 4.571
0.1507 6.339
0.4938 18.34
0.4938 15.14
0.4938 12.21
0.6593 18.67
0.6593 19.82
EOD
$c7 << EOD
0.1285 3.922
0.1311 4.266
0.1283 3.044
EOD
$c8 << EOD
0.1428 2.677
0.1416 3.197
0.1416 3.319
0.1416 3.067
0.1416 3.708
0.1553 3.755
0.5063 9.117
0.5063 8.851
0.6741 14.29
EOD
$c9 << EOD
0.1338 2.344
0.1339 1.307
0.1503 2.892
0.1624 6.461
0.1364 4.372
0.1293 5.372
0.1333 2.579
0.1328 2.185
0.1494 3.399
0.1195 3.818
0.1508 6.311
0.1333 2.534
0.1494 3.196
0.4956 3.656
0.4939 3.8
0.6614 19.01
0.6594 18.64
EOD
$c10 << EOD
0.1428 3.28
0.1528 4.256
0.1528 4.129
EOD
$c11 << EOD
0.1379 2.061
0.1509 2.552
0.1631 6.409
0.1406 4.325
0.1538 5.231
0.1339 5.434
0.1371 2.498
0.1371 2.15
0.15 2.944
0.125 3.588
0.153 6.796
0.1371 2.618
0.15 2.845
0.5 3.976
0.6667 30.38
0.6667 22.66
0.6667 23.67
EOD
$c12 << EOD
0.1429 3.295
0.1316 4.063
0.1309 4.167
0.1309 4.293
0.6742 30.79
0.6742 13.63
EOD
$c13 << EOD
0.1428 5.128
0.1458 5.186
0.1422 4.745
EOD
$c14 << EOD
0.1538 3.842
EOD
$c15 << EOD
0.1505 5.265
0.1617 5.842
0.1477 5.767
0.08849 0.8021
0.1543 2.834
0.1053 0.299
EOD
$c16 << EOD
0.1398 4.053
EOD
$c17 << EOD
0.163 6.41
EOD
$c18 << EOD
0.125 5.427
0.5128 17.03
0.6667 29.71
EOD
$c19 << EOD
0.2228 8.771
0.2187 7.848
0.2187 11.64
EOD
$c20 << EOD
0.2228 10.43
0.2187 9.332
0.2187 9.198
EOD
$c21 << EOD
0.148 5.486
EOD
$c22 << EOD
0.09485 2.687
EOD
$c23 << EOD
0.2187 9.674
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [1.69e-07:17] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 9 title "bdia(256)", $c3 using 1:2 with points lt 15 title "bcsrc(3,3)", $c4 using 1:2 with points lt 8 title "bcsr(3,3)", $c5 using 1:2 with points lt 17 title "sell(8,4096)", $c6 using 1:2 with points lt 6 title "dcsr", $c7 using 1:2 with points lt 19 title "sell(8,500000)", $c8 using 1:2 with points lt 7 title "csbc(2048,32768)", $c9 using 1:2 with points lt 10 title "dcsc", $c10 using 1:2 with points lt 3 title "csbc(8192,32768)", $c11 using 1:2 with points lt 5 title "csc", $c12 using 1:2 with points lt 4 title "csbc(65536,32768)", $c13 using 1:2 with points lt 14 title "sell(8,131072)", $c14 using 1:2 with points lt 11 title "csbc(16384,32768)", $c15 using 1:2 with points lt 12 title "hicoo(128)", $c16 using 1:2 with points lt 13 title "csbc(32768,32768)", $c17 using 1:2 with points lt 16 title "sell(8,80999)", $c18 using 1:2 with points lt 18 title "bcsrc(2,2)", $c19 using 1:2 with points lt 20 title "bcsrc(4,4)", $c20 using 1:2 with points lt 20 title "bcsr(4,4)", $c21 using 1:2 with points lt 20 title "bcsc(3,3)", $c22 using 1:2 with points lt 20 title "bcsc(2,2)", $c23 using 1:2 with points lt 20 title "bcsc(4,4)"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [1.69e-07:17] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 9 title "bdia(256)", $c3 using 1:2 with points lt 15 title "bcsrc(3,3)", $c4 using 1:2 with points lt 8 title "bcsr(3,3)", $c5 using 1:2 with points lt 17 title "sell(8,4096)", $c6 using 1:2 with points lt 6 title "dcsr", $c7 using 1:2 with points lt 19 title "sell(8,500000)", $c8 using 1:2 with points lt 7 title "csbc(2048,32768)", $c9 using 1:2 with points lt 10 title "dcsc", $c10 using 1:2 with points lt 3 title "csbc(8192,32768)", $c11 using 1:2 with points lt 5 title "csc", $c12 using 1:2 with points lt 4 title "csbc(65536,32768)", $c13 using 1:2 with points lt 14 title "sell(8,131072)", $c14 using 1:2 with points lt 11 title "csbc(16384,32768)", $c15 using 1:2 with points lt 12 title "hicoo(128)", $c16 using 1:2 with points lt 13 title "csbc(32768,32768)", $c17 using 1:2 with points lt 16 title "sell(8,80999)", $c18 using 1:2 with points lt 18 title "bcsrc(2,2)", $c19 using 1:2 with points lt 20 title "bcsrc(4,4)", $c20 using 1:2 with points lt 20 title "bcsr(4,4)", $c21 using 1:2 with points lt 20 title "bcsc(3,3)", $c22 using 1:2 with points lt 20 title "bcsc(2,2)", $c23 using 1:2 with points lt 20 title "bcsc(4,4)"
unset output
