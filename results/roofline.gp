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
set key at screen 0.5, screen 0.015 center bottom maxrows 5 Left reverse samplen 1.5
set bmargin 9.7
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set title "Roofline: 2 threads, f64"
set xlabel "operations a byte"
set ylabel "GFLOP/s"
set logscale xy 10
set grid xtics
roof(x) = x * 42.5228 < 240.482 ? x * 42.5228 : 240.482
$c0 << EOD
0.1094 4.234
0.1111 1.821
0.1111 2.363
0.119 3.4
0.1103 3.93
0.1118 2.152
0.1118 1.888
0.1192 4.502
0.1103 4.788
0.1118 1.833
0.1118 2.376
0.1192 3.419
0.4762 18.92
0.4762 12.33
0.4762 11.59
0.6383 29.06
0.6383 20.4
0.6383 21.79
2.331 24.87
1.183 12.84
4.533 43.58
2.331 25.65
1.183 13.29
4.533 43.78
2.331 35.8
1.183 25.43
4.533 45.05
1.775 26.07
1.02 14.96
2.817 35.04
1.775 24.1
1.02 18.74
2.817 23.62
1.775 25.51
1.02 19.37
2.817 33.93
1.985 27.5
1.138 16.64
3.161 36.45
1.985 26.39
1.138 16.8
3.161 35.47
1.985 20.49
1.138 22.09
3.161 8.182
1.985 29.95
1.138 25.27
3.161 33.78
0.06333 1.164
0.09124 2.194
0.6309 13.93
0.07143 0.4646
0.07143 0.6975
EOD
$c1 << EOD
0.1346 5.532
0.1379 2.892
0.1379 2.658
0.1538 7.086
0.1339 4.702
0.1371 2.99
0.1371 2.784
0.153 6.247
0.1339 5.794
0.1371 2.723
0.1371 2.579
0.153 6.807
0.5 26.09
0.5 20.11
0.5 19.35
0.6667 29.66
0.6667 26.42
0.6667 25.95
EOD
$c2 << EOD
0.1346 4.007
0.1379 2.493
0.1379 2.453
0.1538 6.143
0.1339 5.67
0.1371 2.527
0.1371 2.064
0.153 7.009
0.1339 4.607
0.1371 2.327
0.1371 2.484
0.153 5.971
0.5 1.645
0.5 1.576
0.5 1.551
0.6667 31.57
0.6667 23.64
0.6667 24.65
EOD
$c3 << EOD
0.1296 5.71
0.1333 2.88
0.1333 2.434
0.1515 7.818
0.1293 4.513
0.1328 3.023
0.1328 2.784
0.1507 6.34
0.1293 5.918
0.1328 2.842
0.1328 2.617
0.1507 7.607
0.4938 19.56
0.4938 14.39
0.4938 12.56
0.6593 30.45
0.6593 19.57
0.6593 21.36
EOD
$c4 << EOD
0.1624 4.063
0.1097 1.339
0.1051 1.474
0.1774 4.342
0.1593 4.112
0.1105 1.274
0.1061 1.231
0.1756 3.665
0.1593 4.416
0.1105 1.37
0.1061 1.528
0.1756 4.22
0.5226 19.17
0.478 3.594
0.4722 2.977
0.6933 31.43
0.6405 5.714
0.6335 4.429
4.134 27.94
2.121 16.21
7.868 37.58
4.134 28.45
2.121 17.22
7.868 38.67
4.134 31.74
2.121 23.28
7.868 39.63
2.079 13.88
1.227 8.295
3.186 18.51
2.079 12.8
1.227 7.963
3.186 13.53
2.079 12.98
1.227 8.189
3.186 16.23
2.912 19.09
1.792 12.92
4.235 20.76
2.912 18.49
1.792 13.5
4.235 22.28
2.912 10.9
1.792 11.38
4.235 5.894
2.912 19.79
1.792 14
4.235 19.27
0.08849 0.7407
0.1543 2.526
0.7663 1.452
0.1053 0.296
0.1053 0.4245
EOD
$c5 << EOD
0.14 4.503
0.1428 3.142
0.1428 3.516
0.1562 5.158
0.1389 3.593
0.1416 2.464
0.1416 2.585
0.1553 3.088
0.1389 4.754
0.1416 3.033
0.1416 3.217
0.1553 4.929
0.5063 20.54
0.5063 8.732
0.5063 8.472
0.6741 32
0.6741 15.84
0.6741 15.23
EOD
$c6 << EOD
0.1941 10.08
0.1872 8.184
0.1872 9.751
EOD
$c7 << EOD
0.2228 12.81
0.2187 10.62
0.2187 11.33
EOD
$c8 << EOD
3.799 69.79
1.945 37.76
7.26 100.8
3.8 70.03
1.946 36.17
7.262 106.1
2.865 34.05
1.458 18.24
5.536 54.34
1.767 30.58
1.015 18.46
2.807 31.82
1.761 30.16
1.011 19.18
2.799 33.92
1.775 28.2
1.02 18.35
2.817 31.34
2.432 27.63
1.442 13.74
3.703 44.04
2.481 25.38
1.476 12.28
3.76 42.03
1.877 28.66
1.068 16.01
3.024 41.43
2.481 24.21
1.476 12.17
3.76 37.47
0.08467 4.935
0.07095 4.247
0.1289 2.071
2.473 44.84
0.2152 6.569
0.7221 19.81
0.09765 0.4871
0.09765 0.573
EOD
$c9 << EOD
2.893 56.04
1.472 32.71
5.587 69.52
2.893 54
1.473 31.32
5.587 72.57
2.892 58.23
1.472 34.26
5.585 71.96
2.076 42.43
1.224 24.46
3.183 32.42
2.073 39.68
1.222 23.91
3.179 32.13
2.082 35.14
1.228 23.61
3.189 28.67
2.265 46.39
1.326 37.41
3.507 49.13
2.266 45.97
1.326 37.77
3.507 52.58
2.247 48.85
1.313 31.86
3.485 63.01
2.266 45.55
1.327 30.55
3.508 44.59
0.07251 1.289
0.1116 3.132
0.6849 17.54
0.08333 0.4617
0.08333 0.5361
EOD
$c10 << EOD
3.799 70.13
1.945 35.5
7.26 105.4
3.799 55.03
1.945 35.24
7.26 76.43
1.765 30.93
1.014 19.63
2.804 33.03
1.765 21.81
1.014 15.97
2.804 22.48
1.765 22.13
1.014 16.33
2.804 28.3
2.57 51.48
1.54 32.29
3.862 65.62
2.57 49.52
1.54 32.25
3.862 62.76
2.57 29.76
1.54 23.75
3.862 9.16
2.57 41.01
1.54 28.96
3.862 47.88
EOD
$c11 << EOD
0.08468 4.628
0.07116 3.91
0.1289 2.006
2.474 44.11
0.2153 6.442
0.7222 19.12
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [0.0317:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(2048,32768)", $c6 using 1:2 with points lt 9 title "bdia(256)", $c7 using 1:2 with points lt 8 title "bcsr(4,4)", $c8 using 1:2 with points lt 3 title "csf", $c9 using 1:2 with points lt 16 title "duq", $c10 using 1:2 with points lt 13 title "csf in order", $c11 using 1:2 with points lt 15 title "dss"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [0.0317:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(2048,32768)", $c6 using 1:2 with points lt 9 title "bdia(256)", $c7 using 1:2 with points lt 8 title "bcsr(4,4)", $c8 using 1:2 with points lt 3 title "csf", $c9 using 1:2 with points lt 16 title "duq", $c10 using 1:2 with points lt 13 title "csf in order", $c11 using 1:2 with points lt 15 title "dss"
unset output
