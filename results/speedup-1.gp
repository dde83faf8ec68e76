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
set title "Speed-up over the reference: spmv, 2 threads"
set ylabel "times as fast"
set style data histograms
set style histogram clustered gap 1
set boxwidth 0.9
set xtics rotate by -20
set logscale y 2
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888" dt 2
$d << EOD
"banded:n=500000,width=7" 1 1.17886 0.891999 1.17706 0.933495 1.03601 0.826294 0.594045
"power-law:dims=500000x500000,nnz=4000000,skew=0.8" 1 1.68593 1.1566 1.38338 0.67284 1.77731 1.49296 0.572705
"uniform:dims=500000x500000,nnz=4000000" 1 1.23969 1.02212 1.12605 0.702535 1.66471 1.08464 0.533182
"block:n=200000,block=4,per-row=5" 1 2.41414 1.6008 1.91044 1.60877 1.87146 1.23501 0.655631
EOD
set yrange [0.5:*]
set terminal svg size 860,420 dynamic noenhanced font "sans-serif,13" background "#ffffff"
set output "speedup-1.svg"
plot $d using 2:xtic(1) title "coo" lt 1, $d using 3 title "csr" lt 2, $d using 4 title "csc" lt 3, $d using 5 title "dcsr" lt 4, $d using 6 title "hicoo(128)" lt 5, $d using 7 title "csbc(2048,32768)" lt 6, $d using 8 title "graphblas its own" lt 7, $d using 9 title "librsb its own" lt 8
set terminal pngcairo size 1720,840 noenhanced font "sans-serif,22" background "#ffffff"
set output "speedup-1.png"
plot $d using 2:xtic(1) title "coo" lt 1, $d using 3 title "csr" lt 2, $d using 4 title "csc" lt 3, $d using 5 title "dcsr" lt 4, $d using 6 title "hicoo(128)" lt 5, $d using 7 title "csbc(2048,32768)" lt 6, $d using 8 title "graphblas its own" lt 7, $d using 9 title "librsb its own" lt 8
unset output
