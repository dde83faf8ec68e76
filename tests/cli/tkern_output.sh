# shellcheck shell=bash
# The result on standard output, scalars in files, several sizes in one -d, and refusals before the kernel runs: none of
# these was there; a scalar was computed and then lost.
export XDG_CACHE_HOME=$PWD/cache
printf '1 1 2.0\n1 3 1.5\n2 2 4\n' >A.tns
printf '1 1.0\n2 10\n3 100\n' >x.tns
echo 2.5 >a.tns
y='y(i) = A(i,j)*x(j)' s='s = A(i,j)*x(j)' in='-i A:A.tns -i x:x.tns'
t "tkern '$y' $in -o -"
t "tkern '$y' $in -o y:- --to=mtx"
t "tkern '$y' $in -o y:- | tconv - --from=tns -o - --to=mtx -q"
t "tkern '$y' $in -o y:y.txt --to=tns -q && cat y.txt"
t "tkern '$y' $in -o y:- --to=binsparse"
t "tkern '$y' $in -o y:- --to=edges"
t "tkern '$y' $in -o y:- --to=none 2>&1 | sed 's/:.*//'"
t "tkern '$y' $in -o - --time"
t "tkern '$y' $in -o - --check"
t "tkern '$y' $in -o - --emit=c"
t "tkern '$y' $in -o - -o y:y.tns"
t "tkern '$y' $in --to=tns"
t "tkern '$y' $in -o - >/dev/full"

# Scalars.
t "tkern '$s' $in -o -"
t "tkern '$s' $in -o s:s.tns -q && cat s.tns"
t "tkern 'y(i) = a*x(i)' -i a:a.tns -i x:x.tns -o -"

# Refused at once: the kernel would compile or run for ever.
t "TSR_CC=/bin/false tkern '$s' $in -o s:s.mtx"
t "tkern 's = B(i,j)*x(j)' -i B:nothing.tns -i x:x.tns -o s:s.mtx"
t "TSR_CC=/bin/false tkern 'y(i) = x(i)' --type=c128 -d i:5 -o y:y.tns"

# Sizes.
t "tkern 'y(i,j) = x(i)*z(j)' -d i:2,j:3 -o - | wc -l"
t "tkern 'y(i,j) = x(i,k)*z(j,k)' -d x:2,3,j:4 -o - | wc -l"
t "tkern 'y(i,j) = x(i)*z(j)' -d i:2,i:3 -o -"
t "tkern 'y(i,j) = x(i)*z(j)' -d x:2,x:3 -o -"
t "tkern 'y(i,j) = x(i)*z(j)' -d i:2,q:3 -o -"
t "tkern 'y(i,j) = x(i)*z(j)' -d i:2,j:3, -o -"
t "tkern 'y(i,j) = x(i)*z(j)' -d i:2,,j:3 -o -"
