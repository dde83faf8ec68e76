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
roof(x) = x * 25.2415 < 106.29 ? x * 25.2415 : 106.29
$c0 << EOD
0.1094 2.11
0.1111 0.7686
0.1111 0.7161
0.119 1.491
0.1103 1.864
0.1118 0.7892
0.1118 0.7175
0.1192 1.514
0.1103 2.122
0.1118 0.8416
0.1118 0.8025
0.1192 1.207
0.4762 8.571
0.4762 4.272
0.4762 3.875
0.6383 14.64
0.6383 8.059
0.6383 6.315
2.331 19.12
4.533 25.67
2.331 18.79
4.533 31.73
2.331 26.63
4.533 30
1.775 8.583
2.817 9.353
1.775 8.811
2.817 8.315
1.775 7.994
2.817 8.98
1.985 14.04
3.161 17.3
1.985 14.52
3.161 16.72
1.985 10.27
3.161 12.06
1.985 14.44
3.161 18.98
0.06333 0.9009
0.09124 1.564
0.6309 7.469
0.07143 0.3561
0.07143 0.6265
EOD
$c1 << EOD
0.1346 2.643
0.1379 0.9372
0.1379 0.8886
0.1538 2.226
0.1339 1.52
0.1371 0.9632
0.1371 0.8275
0.153 1.659
0.1339 2.444
0.1371 0.929
0.1371 0.8458
0.153 1.508
0.5 12.77
0.5 6.518
0.5 5.459
0.6667 16.77
0.6667 8.341
0.6667 6.886
EOD
$c2 << EOD
0.1346 1.981
0.1379 0.8231
0.1379 0.7777
0.1538 1.282
0.1339 1.903
0.1371 1.03
0.1371 0.957
0.153 1.823
0.1339 2.169
0.1371 0.9147
0.1371 0.7989
0.153 1.569
0.5 1.279
0.5 1.725
0.5 1.457
0.6667 19.73
0.6667 8.288
0.6667 7.118
EOD
$c3 << EOD
0.1296 2.552
0.1333 0.8318
0.1333 0.7755
0.1515 1.361
0.1293 1.545
0.1328 0.9312
0.1328 0.86
0.1507 1.675
0.1293 2.367
0.1328 1.001
0.1328 0.9566
0.1507 1.526
0.4938 10.6
0.4938 5.083
0.4938 4.033
0.6593 19.43
0.6593 8.215
0.6593 6.964
EOD
$c4 << EOD
0.1624 2.235
0.1097 0.5139
0.1051 0.4942
0.1774 1.305
0.1593 1.801
0.1105 0.531
0.1061 0.4852
0.1756 1.304
0.1593 2.198
0.1105 0.5581
0.1061 0.5546
0.1756 1.276
0.5226 8.892
0.478 2.289
0.4722 2.013
0.6933 23.88
0.6405 3.842
0.6335 3.006
4.134 17.16
7.868 23.05
4.134 27.25
7.868 34.51
4.134 31.64
7.868 36.5
2.079 4.302
3.186 5.735
2.079 5.485
3.186 5.455
2.079 4.635
3.186 5.244
2.912 7.871
4.235 10.71
2.912 8.788
4.235 10.62
2.912 7.082
4.235 8.546
2.912 13.5
4.235 10.95
0.08849 0.2514
0.1543 1.242
0.7663 2.805
0.1053 0.2749
0.1053 0.6493
EOD
$c5 << EOD
0.14 2.12
0.1429 1.584
0.1429 1.74
0.1389 1.549
0.1417 1.397
0.1417 1.493
0.1389 2.233
0.1417 1.767
0.1417 1.946
EOD
$c6 << EOD
0.1941 5.252
0.1872 1.844
0.1872 4.85
EOD
$c7 << EOD
0.1562 1.833
0.1553 1.867
0.1553 1.719
EOD
$c8 << EOD
0.2228 2.221
0.2187 3.175
0.2187 2.42
EOD
$c9 << EOD
0.5063 8.703
0.5063 4.562
0.5063 3.714
0.6741 23.1
0.6741 8.701
0.6741 6.657
EOD
$c10 << EOD
3.799 37.49
7.26 49.25
3.8 39.79
7.262 51.22
2.865 22.87
5.536 36.77
1.767 8.248
2.807 9.435
1.761 10.63
2.799 10.16
1.775 7.284
2.817 8.411
2.432 13.16
3.703 20.2
2.481 12.87
3.76 19
1.877 15.84
3.024 27.92
2.481 12.44
3.76 15.93
0.08467 1.556
0.07095 2.203
0.1289 1.099
2.473 27.66
0.2152 4.029
0.7221 8.984
0.09765 0.3413
0.09765 0.5322
EOD
$c11 << EOD
2.893 16.69
5.588 22.39
2.893 24.57
5.588 29.1
2.893 29.77
5.588 36.93
2.083 10.67
3.191 9.913
2.083 12.97
3.191 10.99
2.083 13.43
3.191 10.8
2.64 17.27
3.94 21.15
2.64 17.66
3.94 20.58
2.64 13.83
3.94 14.71
2.64 24.55
3.94 22.4
EOD
$c12 << EOD
3.29 21.75
6.324 25.69
3.29 23.55
6.324 34.2
3.29 23.38
6.324 34.18
2.439 20.2
3.711 22.34
2.439 20.44
3.711 23.49
2.439 21.78
3.711 27.76
2.439 24.68
3.711 24.5
EOD
$c13 << EOD
2.893 28.99
5.587 35.36
2.893 31.59
5.587 38.67
2.892 41.79
5.585 43.11
2.076 10.26
3.183 10.94
2.073 12.62
3.179 12.37
2.082 8.787
3.189 9.773
2.265 16.89
3.507 22.28
2.266 18.86
3.507 21.48
2.247 26.9
3.485 37.14
2.266 15.25
3.508 16.92
0.07251 0.8745
0.1116 2.413
0.6849 8.068
0.08333 0.3092
0.08333 0.5393
EOD
$c14 << EOD
3.799 39.3
7.26 64.12
3.799 30.81
7.26 33.24
1.765 7.755
2.804 9.941
1.765 7.737
2.804 7.916
1.765 7.453
2.804 7.908
2.57 18.78
3.862 26.56
2.57 19.78
3.862 24.67
2.57 13.23
3.862 13.54
2.57 21.51
3.862 23.25
EOD
$c15 << EOD
2.281 12.7
3.419 11.59
2.281 16.39
3.419 14.4
2.281 14.73
3.419 11.52
EOD
$c16 << EOD
0.08468 1.574
0.07116 1.738
0.1289 1.332
2.474 27.41
0.2153 3.893
0.7222 8.809
EOD
set terminal svg size 720,460 dynamic noenhanced font "sans-serif,14" background "#ffffff"
set output "roofline.svg"
plot [0.0317:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 9 title "bdia(256)", $c7 using 1:2 with points lt 17 title "csbc(16384,32768)", $c8 using 1:2 with points lt 8 title "bcsr(4,4)", $c9 using 1:2 with points lt 3 title "csbc(2048,32768)", $c10 using 1:2 with points lt 13 title "csf", $c11 using 1:2 with points lt 10 title "alto", $c12 using 1:2 with points lt 12 title "strips(1024)", $c13 using 1:2 with points lt 16 title "duq", $c14 using 1:2 with points lt 11 title "csf in order", $c15 using 1:2 with points lt 14 title "strips(4096)", $c16 using 1:2 with points lt 15 title "dss"
set terminal pngcairo size 1080,690 noenhanced font "sans-serif,16" background "#ffffff"
set output "roofline.png"
plot [0.0317:15.7] roof(x) with lines lc rgb "#888888" lw 2 title "roof", $c0 using 1:2 with points lt 1 title "coo", $c1 using 1:2 with points lt 2 title "csr", $c2 using 1:2 with points lt 5 title "csc", $c3 using 1:2 with points lt 6 title "dcsr", $c4 using 1:2 with points lt 4 title "hicoo(128)", $c5 using 1:2 with points lt 7 title "csbc(32768,32768)", $c6 using 1:2 with points lt 9 title "bdia(256)", $c7 using 1:2 with points lt 17 title "csbc(16384,32768)", $c8 using 1:2 with points lt 8 title "bcsr(4,4)", $c9 using 1:2 with points lt 3 title "csbc(2048,32768)", $c10 using 1:2 with points lt 13 title "csf", $c11 using 1:2 with points lt 10 title "alto", $c12 using 1:2 with points lt 12 title "strips(1024)", $c13 using 1:2 with points lt 16 title "duq", $c14 using 1:2 with points lt 11 title "csf in order", $c15 using 1:2 with points lt 14 title "strips(4096)", $c16 using 1:2 with points lt 15 title "dss"
unset output
