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
set title "Storage"
set ylabel "bytes an entry"
set style data histograms
set style histogram clustered gap 1
set boxwidth 0.9
set xtics rotate by -20
set yrange [0:*]
$d << EOD
"banded:n=500000,width=7" 16 12.5714 12.5714 13.1429 10.0268 12.0005 17.1429 12.5715
"power-law:dims=500000x500000,nnz=4000000,skew=0.8" 16 12.5 12.5 13 16.2353 12.005 17.0001 12.5001
"uniform:dims=500000x500000,nnz=4000000" 16 12.5 12.5 13 17.0351 12.005 17.0001 12.5001
"block:n=200000,block=4,per-row=5" 16 12.2 12.2 12.4 10.4754 12.0009 16.4001 12.2001
"banded:n=200000,width=5" 16 12.8 12.8 13.6 10.0375 12.0007 NaN NaN
"power-law:dims=200000x200000,nnz=1000000,skew=0.8" 16 12.8 12.8 13.6 15.7439 12.0036 NaN NaN
"uniform:dims=200000x200000,nnz=1000000" 16 12.8 12.8 13.6 16.5695 12.0036 NaN NaN
"nell-2_0.02 (stand-in)" 20 NaN NaN NaN 11.0224 NaN NaN NaN
"uniform:dims=20000x30000x5000,nnz=1000000" 20 NaN NaN NaN 16.0478 NaN NaN NaN
"enron_0.02 (stand-in)" 24 NaN NaN NaN 13.7114 NaN NaN NaN
EOD
set terminal svg size 860,420 dynamic noenhanced font "sans-serif,13" background "#ffffff"
set output "storage-1.svg"
plot $d using 2:xtic(1) title "coo" lt 1, $d using 3 title "csr" lt 2, $d using 4 title "csc" lt 3, $d using 5 title "dcsr" lt 4, $d using 6 title "hicoo(128)" lt 5, $d using 7 title "csbc(2048,32768)" lt 6, $d using 8 title "graphblas its own" lt 7, $d using 9 title "librsb its own" lt 8
set terminal pngcairo size 1720,840 noenhanced font "sans-serif,22" background "#ffffff"
set output "storage-1.png"
plot $d using 2:xtic(1) title "coo" lt 1, $d using 3 title "csr" lt 2, $d using 4 title "csc" lt 3, $d using 5 title "dcsr" lt 4, $d using 6 title "hicoo(128)" lt 5, $d using 7 title "csbc(2048,32768)" lt 6, $d using 8 title "graphblas its own" lt 7, $d using 9 title "librsb its own" lt 8
unset output
