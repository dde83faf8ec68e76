set linetype 1 lc rgb "#4477aa" lw 2 pt 7 ps 0.8
set linetype 2 lc rgb "#ee6677" lw 2 pt 5 ps 0.8
set linetype 3 lc rgb "#228833" lw 2 pt 9 ps 0.8
set linetype 4 lc rgb "#ccbb44" lw 2 pt 11 ps 0.8
set linetype 5 lc rgb "#66ccee" lw 2 pt 13 ps 0.8
set linetype 6 lc rgb "#aa3377" lw 2 pt 15 ps 0.8
set linetype 7 lc rgb "#ee7733" lw 2 pt 6 ps 0.8
set linetype 8 lc rgb "#999999" lw 2 pt 4 ps 0.8
set encoding utf8
set datafile missing "NaN"
set key outside right top
set grid ytics lt 0 lc rgb "#999999"
set border 3 lc rgb "black"
set tics nomirror out
set style fill solid 0.9 noborder
set title "Speed-up by threads"
set xlabel "threads"
set ylabel "times as fast as 1 thread"
set yrange [0:*]
set xtics 1
$l0 << EOD
1 1
2 1.85196
EOD
$l1 << EOD
1 1
2 1.71953
EOD
$l2 << EOD
1 1
2 1.43589
EOD
$l3 << EOD
1 1
2 1.73731
EOD
$l4 << EOD
1 1
2 1.9868
EOD
$l5 << EOD
1 1
2 1.98519
EOD
$l6 << EOD
1 1
2 1.51798
EOD
$l7 << EOD
1 1
2 1.03751
EOD
$l8 << EOD
1 1
2 1.75224
EOD
$l9 << EOD
1 1
2 2.24782
EOD
$l10 << EOD
1 1
2 2.16886
EOD
$l11 << EOD
1 1
2 1.71089
EOD
set terminal svg size 860,420 dynamic noenhanced font "sans-serif,13" background "#ffffff"
set output "threads-1.svg"
plot [1:2] x with lines lc rgb "#888888" dt 2 title "ideal", $l0 using 1:2 with linespoints lt 1 title "spmv, banded:n=500000,width=7, coo", $l1 using 1:2 with linespoints lt 2 title "spmv, banded:n=500000,width=7, csr", $l2 using 1:2 with linespoints lt 3 title "spmv, banded:n=500000,width=7, csc", $l3 using 1:2 with linespoints lt 4 title "spmv, banded:n=500000,width=7, dcsr", $l4 using 1:2 with linespoints lt 5 title "spmv, banded:n=500000,width=7, hicoo(128)", $l5 using 1:2 with linespoints lt 6 title "spmv, banded:n=500000,width=7, csbc(2048,32768)", $l6 using 1:2 with linespoints lt 7 title "spmv, banded:n=500000,width=7, graphblas its own", $l7 using 1:2 with linespoints lt 8 title "spmv, banded:n=500000,width=7, librsb its own", $l8 using 1:2 with linespoints lt 1 title "spmv, banded:n=500000,width=7, eigen csr", $l9 using 1:2 with linespoints lt 2 title "spmv, power-law:dims=500000x500000,nnz=4000000,skew=0.8, coo", $l10 using 1:2 with linespoints lt 3 title "spmv, power-law:dims=500000x500000,nnz=4000000,skew=0.8, csr", $l11 using 1:2 with linespoints lt 4 title "spmv, power-law:dims=500000x500000,nnz=4000000,skew=0.8, csc"
set terminal pngcairo size 1720,840 noenhanced font "sans-serif,22" background "#ffffff"
set output "threads-1.png"
plot [1:2] x with lines lc rgb "#888888" dt 2 title "ideal", $l0 using 1:2 with linespoints lt 1 title "spmv, banded:n=500000,width=7, coo", $l1 using 1:2 with linespoints lt 2 title "spmv, banded:n=500000,width=7, csr", $l2 using 1:2 with linespoints lt 3 title "spmv, banded:n=500000,width=7, csc", $l3 using 1:2 with linespoints lt 4 title "spmv, banded:n=500000,width=7, dcsr", $l4 using 1:2 with linespoints lt 5 title "spmv, banded:n=500000,width=7, hicoo(128)", $l5 using 1:2 with linespoints lt 6 title "spmv, banded:n=500000,width=7, csbc(2048,32768)", $l6 using 1:2 with linespoints lt 7 title "spmv, banded:n=500000,width=7, graphblas its own", $l7 using 1:2 with linespoints lt 8 title "spmv, banded:n=500000,width=7, librsb its own", $l8 using 1:2 with linespoints lt 1 title "spmv, banded:n=500000,width=7, eigen csr", $l9 using 1:2 with linespoints lt 2 title "spmv, power-law:dims=500000x500000,nnz=4000000,skew=0.8, coo", $l10 using 1:2 with linespoints lt 3 title "spmv, power-law:dims=500000x500000,nnz=4000000,skew=0.8, csr", $l11 using 1:2 with linespoints lt 4 title "spmv, power-law:dims=500000x500000,nnz=4000000,skew=0.8, csc"
unset output
