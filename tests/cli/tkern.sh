# shellcheck shell=bash
# tkern: kernels on small tensors with known results: run, checked, written.
export XDG_CACHE_HOME=$PWD/cache
cat >a.mtx <<'END'
%%MatrixMarket matrix coordinate real general
3 4 4
1 1 1
1 4 2
2 2 4
3 1 8
END
cat >s.mtx <<'END'
%%MatrixMarket matrix coordinate integer symmetric
3 3 3
1 1 1
2 1 2
3 3 4
END
printf '%%%%MatrixMarket matrix array real general\n4 1\n1\n10\n100\n1000\n' >x.mtx
generate 7 40 6 5 7 >b.tns

# tk ARG...: tkern on 2 threads, without what differs: who runs it, the last bits.
tk() { tkern -j 2 "$@" | sed '/^run /d; s/difference .* of/difference N of/'; return "${PIPESTATUS[0]}"; }

# What is computed, from files and generated; sums and norms are the same in every format.
t "tk 'y(i) = A(i,j)*x(j)' -i A:a.mtx -i x:x.mtx --check -o y:y.tns"
t cat y.tns
t "tk 'y(i) = S(i,j)*S(i,j)' -i S:s.mtx --check -q"
# A number beyond all integers: the oracle converted it to one (seen by clang's sanitizer of undefined behaviour).
t "tk 'y(i) = A(i,j)*6e78' -i A:a.mtx --check -q"
t "tk 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:sss -i B:b.tns -d r:16 --check"
for format in 'csf:2,0,1' coo 'hicoo(4)' 'linear' alto dss sds ddd; do
    t "tk 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:'$format' -i B:b.tns -d r:16 --check | grep -e '^sum' -e '^check'"
done
t "tk 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -i B:b.tns -d r:16 --seed=1 | grep '^sum'"
t "tk 'A(j,k) = B(i,j,k)*x(i)' -i B:b.tns --type=f32 --check"
t "tk 'A(i,j) = B(i,j)*C(i,k)*D(j,k)' -i B:a.mtx -f B:csr -f A:csr -d k:5 --check -o A:a.h5"
t "tinfo a.h5 -q | grep -i -e csr -e nonz"
t "tk 's = B(i,j,k)*B(i,j,k)' -i B:b.tns -j 1 | grep '^sum'"

# Dims that the file does not tell.
printf '1 1 2\n2 3 4\n' >small.tns
t "tk 'y(i) = A(i,j)*x(j)' -i A:small.tns -d i:3 -d j:4 | sed -n 3,5p"
t "tk 'y(i) = A(i,j)*x(j)' -i A:small.tns -d A:3,4 | sed -n 3,5p"
t "tk 'y(i) = A(i,j)*x(j)' -i A:small.tns -d j:4"

# += adds to what a file holds.
t "tk 'y(i) += A(i,j)*x(j)' -i A:a.mtx -i x:x.mtx -i y:y.tns -d y:3 --check --time=3 -q -o y:twice.tns | grep -v -e ^rate -e ^time"
t cat twice.tns

# Texts: no sizes are needed, and no compiler.
t "TSR_CC=none tkern 'y(i) = A(i,j)*x(j)' -f A:csr --emit=header | sed '1,/ [*][/]$/d'"
t "tk 'y(i) = A(i,j)*x(j)' -f A:csr --emit=c11 | grep 'x j\\|vector_size\\|1000003'"
t "tk 'y(i) = A(i,j)*x(j)' -f A:csr -o spmv.c --header"
t "tk 'y(i) = A(i,j)*x(j)' -f A:csr -o other.c --header=elsewhere.h --vectors"
t ls
compiler=${TSR_C_COMPILER:-cc}
$compiler -std=c11 -Wall -Wextra -Wno-unknown-pragmas -Werror -c spmv.c || echo "spmv.c does not compile"
echo '#include "spmv.h"' | $compiler -std=c11 -Wall -Werror -x c -fsyntax-only -I. - || echo "spmv.h does not compile"
t "tk 'y(i) = A(i,j)*x(j)' -f A:csr --emit=ir | head -1"
t "tk 'A(i,j,r) = B(i,j,k)*C(k,r)' -f B:csf --emit=ir | head -3" # dense results of some modes
t "tk 'A(i,j,k,l) = 2*B(i,j,k,l)' -f B:csf --emit=ir | head -3"
t "tk 'y(i) = A(i,j)*x(j)' -f A:csr --emit=graph | grep -c A"
t "tk 'y(i) = A(i,j)*X(j,r)' -f A:csr --emit=graph | grep -c 'for r in .0, size of r)'"
# a row of unknown length is computed in blocks of 128 bytes, unless a schedule says how
t "tk 'Y(i,r) = A(i,j)*X(j,r)' -f A:csr --emit=c11 | grep -c 'r_size / 16'"
t "tk 'Y(i,r) = A(i,j)*X(j,r)' -f A:csr --type=f32 --emit=c11 | grep -c 'r_size / 32'"
t "tk 'Y(i,r) = A(i,j)*X(j,r)' -f A:csr --emit=c11 -s plain | grep -c 'r_size /'"
