# tbench calibrate: what is measured differs from machine to machine, what kernels do with it does not.
export TSR_TUNING=$PWD/kept/tuning
t 'tbench calibrate | sed -E "/ varied between /d; s/[0-9]+$/N/; s/ in .*/ in FILE/"'
t 'grep -c "^prefetch-.*: [1-9]" kept/tuning'
rm -r kept
t 'tbench calibrate --print -q; ls'
TSR_TUNING=none
t tbench calibrate
t tbench calibrate --output=none/../../here.txt -q
# The distance is lines / lines of an entry, and no row of a tensor up to prefetch-bytes is prefetched.
ir() { tkern 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:coo -d B:100000,60000,2000 -d r:16 -j1 --emit=ir | grep -E 'ahead|prefetch' | sed 's/^ *//'; }
printf '# mine\n\nprefetch-lines: 160\n' >mine
TSR_TUNING=mine
t ir
printf 'prefetch-bytes: 100000000\n' >mine
t ir
printf 'prefetch-bytes: 1\nprefetch-lines: 0\n' >mine
t ir
printf 'distance: 5\n' >mine
t ir
