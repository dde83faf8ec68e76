# shellcheck shell=bash
# tkern: what the notation says beyond sums of products, on tensors whose answers can be worked out by hand.
export XDG_CACHE_HOME=$PWD/cache
cat >a.tns <<'END'
1 1 3
1 3 -2
2 2 5
4 1 7
4 4 1
END
cat >v.tns <<'END'
1 2
3 4
6 -1
8 5
END
printf '1 1\n2 3\n3 1\n4 4\n' >x.tns
printf '2 3\n3 -1\n' >small.tns
printf '1 200000000\n' >big.tns
printf '2 3\n4 0.5\n' >old.tns
cat >w.tns <<'END'
1 1 9
2 3 4
END
# k EXPR ARG...: interpreted, entries printed.
k() { tkern "$@" --engine=interpreter -o -; }

# Reductions: the pattern is that of the contributions; in a dense result what is absent is the identity.
for op in + min max '*' or and xor; do
    t "k 'y(i) $op= A(i,j)' -i A:a.tns -f A:csr -f y:s"
done
t "tkern 'y(i) min= A(i,j)' -i A:a.tns -f A:csr -f y:s -q -o -"
t "k 'y(i) min= A(i,j)*x(j)' -i A:a.tns -i x:x.tns -f A:csr --type=f64"
t "k 'y(i) max= A(i,j)*x(j)' -i A:a.tns -i x:x.tns -f A:csr --type=i16"
t "k 'y(i) max= A(i,j) - x(i)' -i A:a.tns -i x:x.tns -f A:csr -f x:d -f y:s"
t "k 's max= A(i,j) + 1' -i A:a.tns -f A:csr -f s:dense -q"
# A result that is there before: what it held takes part, whatever its format.
t "k 'y(i) min= A(i,j)' -i A:a.tns -f A:csr --type=f64 -f y:s -i y:old.tns"
t "k 'y(i) min= A(i,j)' -i A:a.tns -f A:csr --type=f64 -f y:d -i y:old.tns"
# A dense result: rows without entries hold -inf, which the dense oracle of + and * does not know.
t "tkern 'y(i) max= A(i,j)' -i A:a.tns -f A:csr --type=f64 --check | grep check"
for format in s u 'bvec(2)' d; do
    t "k 'y(i) += A(i,j)' -i A:a.tns -f A:csr --type=f64 -f y:'$format' -i y:old.tns -d i:4"
done
t "k 'A(i,j) += B(j,i)' -i A:a.tns -f A:csr -i B:w.tns -f B:dcsr -d i:4,j:4"
t "tkern 'A(i,j) += B(j,i)' -i A:a.tns -f A:csr -i B:w.tns -f B:dcsr -d i:4,j:4 --check | grep check"
t "k 'A(i,i) += B(i,j)' -i A:a.tns -f A:csr -i B:w.tns -f B:dcsr -d i:4,j:4"
t "k 'y(i) min= A(i,j)' --semiring=max-plus -i A:a.tns -f A:csr"

# Windows, strides and lists, on both sides.
t "k 'y(i) = b(i(2,6))' -i b:v.tns -f b:s -f y:s"
t "k 'y(i) = b(i(0,8,2)) + b(i({7,0,1,2}))' -i b:v.tns -f b:s -f y:s"
t "k 'y(i) = b(i(2,6))*c(i(0,4))' -i b:v.tns -f b:s -i c:v.tns -f c:s -f y:s"
t "k 'y(i) = A(i,j(0,2))*x(j(2,4))' -i A:a.tns -f A:csc -i x:x.tns -f y:s"
t "k 'Y(i,j) = A(i(0,2),j(1,3)) + A(i(2,4),j({3,0}))' -i A:a.tns -f A:csr -f Y:csr"
t "k 'y(i(2,4)) = b(i(0,2))' -i b:v.tns -f b:s -f y:s -d b:8"
t "k 'y(i({5,1})) = b(i(0,2))' -i b:v.tns -f b:s -d y:9"
t "k 'Y(i(1,5,2),j) = A(i(0,2),j)' -i A:a.tns -f A:csr -f Y:'bcsr(2,2)'"
t "k 'Y(i(1,5,2),j) = A(i(0,2),j)' -i A:a.tns -f A:csr -f Y:densec"
t "k 'Y(i(0,4,2),j) += A(i(0,2),j(1,4))' -i A:a.tns -f A:csr"
t "k 'y(i(0,7,2)) max= A(i,j)' -i A:a.tns -f A:csr"
t "tkern 'Y(i(1,5,2),j) = A(i(0,2),j)*x(j)' -f A:csr -d A:4,4 -j1 --emit=graph"
t "tkern 'Y(i(1,5,2),j) = A(i(0,2),j)' -f A:csr -f Y:csr -d A:4,4 -j1 --emit=graph"
t "tkern 'Y(i(1,5,2),j) = A(i(0,2),j)' -i A:a.tns -f A:csr -f Y:csr -j1 --schedule='exclusive(Y)'"
t "tkern 'Y(i(1,5,2),j) = A(i(0,2),j)' -f A:csr -f Y:dcsr -d A:4,4 -j1 --emit=c --schedule=plain | grep -c ' * 2 + 1'"
t "tkern 'Y(i,j(1,4)) += A(i,j)' -f A:csr -f Y:csr -d A:4,3 -d Y:4,4 -j1 --emit=graph | grep -e step -e then -e places"
t "k 'y(i) = b(i(2,9))' -i b:v.tns -f b:s -f y:s"
t "k 'y(i) = b(i({1,1}))' -i b:v.tns -f b:s -f y:s"
t "k 'y(i(2,4)) += b(i(0,2))' -i b:v.tns -f b:s -f y:s -d y:4"
for window in 'i(1,3),j(1,4)' 'i({3,0}),j(0,3)'; do
    for how in += max=; do
        t "k 'A($window) $how B(i,j)' -i A:a.tns -f A:csr -i B:w.tns -f B:dcsr"
    done
done
t "k 'A(i({1,1}),j(0,3)) += B(i,j)' -i A:a.tns -f A:csr -i B:w.tns -f B:dcsr"
t "tkern 'A(i({3,0}),j(1,4)) += B(i,j)' -i A:a.tns -f A:csr -i B:w.tns -f B:dcsr --check | grep check"
t "tkern 'y(i) = A(i({3,0,3}),j)*x(j)' -f A:csr -d A:4,4 -j1 --emit=graph"
t "tkern 'C(i,j) = B(i,j)/(A(i({3,0}),j(0,3)) + x(j({2,1,2})))' -i A:a.tns -f A:csr -i x:x.tns -i B:w.tns -f B:dcsr -q --check | grep check"
t "k 'y(i({3,0})) = A(i({1,2}),k)*x(k)' --semiring=min-plus -i A:a.tns -f A:csr -i x:x.tns -d y:5"
t "k 'C(i,k) = A(i({0,3}),j)*B(j,k)' --schedule='precompute(A,B)' -i A:a.tns -f A:csr -i B:a.tns -f B:csr -f C:csr"
# Sums of integers wrap around, whatever collects the contributions.
printf '1 1 200\n1 2 100\n2 2 3\n' >bytes.tns
for schedule in '' 'workspace(list)' 'workspace(i,hash)'; do
    t "k 'y(i) = A(i,j)' -i A:bytes.tns -f A:csc --type=u8 -f y:s --schedule='$schedule'"
done
# Variables whose sizes only the result tells (they were unknown).
t "k 'Y(i(1,4,2),j) = i + b(j)' -i b:small.tns -f b:s -d b:3 -d Y:5,3 -f Y:csr"
t "k 'Y(i(1,4,2),j) = s*i' --scalar=s=2 -d Y:5,3 -f Y:csr"
t "k 'y(i) = b(i(4,2))' -i b:v.tns"
t "tkern 'y(i) = A(i,j(0,2))*x(j(2,4))' -i A:a.tns -f A:csc -i x:x.tns -f y:s --check | grep check"
t "tkern 'C(i,j) = A(i(0,3,2),k)*A(k,j(1,3))' -f A:csr -f C:csr -d A:4,4 -j1 --emit=graph"
t "k 'y(i) = max(A(i,j), !x(j))' -i A:a.tns -f A:csr --type=f64 -i x:x.tns"

# A coordinate as a value.
t "k 'B(i,j) = A(i,j)*(i*4 + j)' -i A:a.tns -f A:csr -f B:csr"
t "k 'y(i) = i' -d i:3"
t "k 's = i*b(i)' -i b:v.tns -f b:s -q"
t "k 'y(i) = b(i(2,8))*i' -i b:v.tns -f b:s -f y:s"
# What is reduced may have a minus and a division.
t "tkern 'y(i) max= -A(i,j)/x(j)' -f A:csr -d A:4,4 --emit=graph | grep -c ^step"
t "tkern 'y(i) max= abs(A(i,j) + B(i,j))' -f A:csr -f B:csr -d A:4,4 --emit=graph | grep -c ^step"
t "k 'y(i) max= abs(A(i,j) + A(j,i))' -i A:a.tns -f A:csr -d A:4,4 -f y:s"
t "k 'y(i) max= abs(A(i,j) + A(j,i))' -i A:a.tns -f A:csr -d A:4,4"
t "k 'y(i) max= -2*A(i,j)' -i A:a.tns -f A:csr -f y:s"
t "k 'y(i) min= A(i,j)/b(j)' -i A:a.tns -f A:csr --type=f64 -i b:small.tns -f b:s -d b:4 -f y:s"
# The program of += has the entries before as an operand.
t "tkern 'Y(i,j) += A(i,j)' -f A:csr -f Y:csr -d A:4,4 -j1 --emit=c --schedule=plain | grep -e '^int kernel' -e '= Y_before\['"
# It is no step, whatever the semiring and the types are.
t "tkern 'y(i) max= A(i,j)*j' -f A:csr --type=i32 -d i:3,j:4 --emit=graph | grep -c ^step"
t "tkern 'B(i,j) = A(i,j)*j' -f A:csr -f B:csr --type=f32 -d i:3,j:4 --semiring=min-plus --emit=graph | grep -c ^step"
t "k 'y(i) max= A(i,j)*j' -i A:a.tns -f A:csr"
t "k 'y(i) = lt(i, j)*A(i,j)' -i A:a.tns -f A:csr -f y:s"

# Functions: integers stay integers where the function does.
t "k 'B(i,j) = exp(A(i,j)*0.5)' -i A:a.tns -f A:csr -f B:csr --type=f64 | head -3"
t "k 'y(i) = sin(b(i))' -i b:v.tns -f b:s -f y:s"
t "k 'y(i) = square(b(i))' -i b:v.tns -f b:s -f y:s"
t "k 'y(i) = pow(b(i), 3) - cube(b(i))' -i b:v.tns -f b:s -f y:s"
t "k 'y(i) = xor(b(i), gt(b(i), 3))' -i b:v.tns -f b:s -f y:s"
t "k 'y(i) = not(b(i))' -i b:small.tns -f b:s -f y:s -d b:4"
t "k 'y(i) = x(i)*not(lt(b(i), 3))' -i b:small.tns -f b:s -f y:s -i x:x.tns -d b:4"
t "k 'y(i) = cos(b(i))' -i b:small.tns -f b:s -f y:s -d b:3 --type=f64"
t "k 'y(i) = square(b(i))' -i b:big.tns -f b:s -f y:s"
t "tkern 'B(i,j) = sin(A(i,j)) + xor(A(i,j), 1) + sin(A(i,j))' -i A:a.tns -f A:csr -f B:csr --emit=graph"

# In semirings, in reductions, of several types, and of many operands, functions are loops of a kernel of their own.
t "tkern 'y(i) min= abs(b(i))*x(i)' -i b:small.tns -f b:s -i x:x.tns -d b:4 --emit=plan --type=f64"
t "k 'y(i) max= abs(b(i))*x(i)' -i b:small.tns -f b:s -i x:x.tns --type=f64 -d b:4"
t "k 'y(i) = sqrt(b(i)*b(i))*x(i)' -i b:small.tns -f b:s -i x:x.tns --type=f64 -d b:4 --semiring=max-plus"
t "k 'y(i) = min(min(min(min(b(i), c(i)), d(i)), e(i)), g(i))' -i b:v.tns -f b:s -i c:small.tns -f c:s -i d:v.tns -f d:s -i e:v.tns -f e:s -i g:v.tns -f g:s -d c:8 -j2"

# Integers of one type compute these functions themselves, exactly.
printf '1 9007199254740993\n3 -4\n' >huge.tns
printf '1 9007199254740992\n2 7\n' >huger.tns
t "k 'y(i) = max(b(i), c(i)) + 2*sign(b(i))' -i b:huge.tns -f b:s -i c:huger.tns -f c:s -f y:s -d i:3"
t "k 'y(i) = gt(b(i), c(i)) + 2*le(b(i), c(i)) + 4*ne(b(i), 7) + 8*not(c(i))' -i b:huge.tns -f b:s -i c:huger.tns -f c:s -f y:s -d i:3"
t "tkern 'y(i) = min(b(i), -3) + abs(c(i))*and(b(i), 1) + xor(b(i), c(i)) + or(b(i), c(i))' -i b:huge.tns -f b:s -i c:huger.tns -f c:s -f y:s -d i:3 --check | grep check"
t "tkern 'y(i) = max(b(i), c(i))' -i b:huge.tns -f b:s -i c:huger.tns -f c:s -f y:s -d i:3 -j1 --emit=graph"

# Semirings on integers: inf is the greatest value of the type.
for type in f32 i8 u8 i64 u64; do
    t "k 'y(i) = A(i,j)*x(j)' --semiring=min-plus --type=$type -i A:w.tns -f A:csr -i x:x.tns -d i:3,j:4"
    t "k 'y(j) = A(i,j)*band(i,j,0,2)' --semiring=min-plus --type=$type -i A:w.tns -f A:csr -d i:3,j:4"
done
t "k 'y(i) = A(i,j)*x(j)' --semiring=max-plus --type=i32 -i A:w.tns -f A:csr -i x:x.tns -d i:3,j:4"
t "k 'C(i,j) = A(i,k)*A(k,j)' --semiring=plus-pair -i A:a.tns -f A:csr -f C:csr"
t "k 'C(i,j) = A(i,k)*A(k,j)' --semiring=min-second -i A:a.tns -f A:csr -f C:csr"
t "k 'y(i) = A(i,j)' --semiring=or-and -i A:a.tns -f A:csr -f y:s"
t "k 'y(i) = A(i,j)' --semiring=xor-and -i A:a.tns -f A:csr -f y:s"

# Division by sums of sparse tensors.
t "k 'a(i) = b(i)/(1 + 3*c(i))' -i b:v.tns -i c:v.tns -f c:s -f b:s --type=f64 -f a:s"
t "k 'a(i) = b(i)/(b(i) - 4)/2' -i b:v.tns -f b:s --type=f64 -f a:s"

# Sizes of 0.
t "tkern 'y(i) = A(i,j)*x(j)' -d i:2,j:0 --engine=interpreter -o - -q"
t "tkern 'Y(i,r) = A(i,j)*X(j,r)' -d A:2,3,r:0 --engine=interpreter -j1 | grep ^Y.*result"
t "tkern 'C(i,j) = A(i,j) + b(j)' -i A:a.tns -d j:0 --engine=interpreter"

# Scalars, zeros that are dropped, a summary of a sparse result, and a result that nobody gave a format.
t "tkern 'y(i) = alpha*x(i) + beta' -i x:small.tns --scalar=alpha=2,beta=-0.5 -f x:d -o - --engine=interpreter"
t "tkern 'y(i) = alpha*x(i)' -i x:small.tns --scalar=beta=2"
t "tkern 'y(i) = alpha*x(i)' -i x:small.tns --scalar=x=2"
t "tkern 'y(i) = alpha*x(i)' -i x:small.tns --scalar=alpha=two"
t "tkern 'y(i) = alpha*x(i)' -i x:small.tns --scalar=alpha=1-2i --engine=interpreter -o y:y.mtx -q && tail -n 1 y.mtx"
t "tkern 'y(i) = alpha*x(i)*beta' -i x:small.tns --scalar=alpha=-0.5e1i,beta=3 --engine=interpreter -o y:y.mtx -q && tail -n 1 y.mtx"
t "tkern 'y(i) = alpha*x(i)' -i x:small.tns --scalar=alpha=1+2"
t "tkern 'y(i) = alpha*x(i)' -i x:small.tns --scalar=alpha=1+2j"
t "tkern 'y(i) = alpha*x(i)' -i x:small.tns --scalar=alpha"
t "tkern 'B(i,j) = A(i,j) - A(i,j)*i' -i A:a.tns -f A:csr -f B:csr --engine=interpreter -j1 | grep -v ^run"
t "tkern 'B(i,j) = A(i,j) - A(i,j)*i' -i A:a.tns -f A:csr -f B:csr --engine=interpreter -j1 --drop-zeros --check -o B:b.h5 | grep -v ^run"
t "tinfo --brief b.h5"
t "tkern 'B(i,j) = A(i,k)*A(k,j)' -i A:a.tns -f A:csr --engine=interpreter -j1 | grep -v ^run"

# A function that is not defined (the error asked for a window's first coordinate).
t "k 'y(i) = 2*foo(A(i,j), x(j))' -i A:a.tns -i x:x.tns --function='foo2(x,y) = x + y'"

# A scalar that is 0 is written (it has no entry), and so is one without contributions.
t "k 's = b(i) - b(i)' -i b:v.tns -f b:s --type=f64"
t "k 's = b(i)*c(i)' -i b:small.tns -f b:s -i c:big.tns -f c:s -d b:3 -d c:3"
t "tkern 's = b(i) - b(i)' -i b:v.tns -f b:s -q -o s:s.tns && tconv -q s.tns -o s.h5 && tconv -q s.h5 -o s2.tns && cat s2.tns"
# An input without a byte: an offset was added to a null pointer (seen by clang's sanitizer of undefined behaviour).
t ": >empty.tns; k 'y(i) = b(i) + c(i)' -i b:empty.tns -f b:s -i c:small.tns -f c:s -d b:4 -d c:4 -f y:s"

# Products of many operands: binary steps where one nest has more loops.
t "tkern 'A(i,l) = B(i,j)*C(j,k)*D(k,l)' -f A:csr -f B:csr -f C:csr -f D:csr -d i:50,j:50,k:50,l:50 --emit=graph"
t "tkern 'A(i,j) = M(i,j)*B(i,k)*C(k,j)' -f A:csr -f M:csr -f B:csr -f C:csr -d i:50,j:50,k:50 --emit=graph | head -1"
t "tkern 'A(i,l) = B(i,j)*C(j,k)*D(k,l)' --semiring=plus-min -f A:csr -f B:csr -f C:csr -f D:csr -d i:50,j:50,k:50,l:50 --emit=graph | grep -c ^step"

# A scalar has no sparse format (the message was about the array of an output); steps of steps have names of their own.
t "tkern 's = A(k)*A(k)' -f s:linear -f A:s -d A:4 --emit=graph"
t "k 'y(i) max= b(i(0,4,2)) + b(i({3,1}))' -i b:v.tns -f b:s -f y:s"

# What the compiler of the founding paper gets wrong on its command line: (B+C)*d gives C that does not compile; assemble and compute
# fused from the command line gives uninitialised values; and sparse results are made on one thread (its reports 561, 559, 471).
t "tkern 'y(i) = (B(i,j) + C(i,j))*d(j)' -f B:csr -f C:csr -d i:3,j:4 --emit=c11 | cc -std=c11 -Wall -Werror -Wno-unknown-pragmas -c -o bc.o -xc - && echo compiled"
t "tkern 'C(i,j) = A(i,j) + A(i,j)' -i A:a.tns -f A:csr -f C:csr -j1 -o C:-"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' -f A:dcsr -f B:dcsr -f C:dcsr -d i:3,j:4,k:5 --emit=c | grep -q 'omp parallel' && echo on several threads"

# The entries of a sparse result, and the values of entries that are there, by separate runs.
printf '1 2 3\n4 4 5\n' >other.tns
aa="-i A:a.tns -f A:csr -f C:csr --engine=interpreter -j1"
t "tkern 'C(i,j) = A(i,k)*A(k,j)' $aa --part=assemble -o C:entries.h5 | grep -v ^run"
t "tkern 'C(i,j) = A(i,k)*A(k,j)' $aa --part=compute -i C:entries.h5 -o C:-"
t "tkern 'C(i,j) = A(i,j)' $aa --part=compute -i C:entries.h5 -o C:-"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $aa -i B:other.tns -f B:csr --part=compute -i C:entries.h5 -o C:-"
t "tkern 'C(i,j) = A(i,k)*A(k,j)' $aa --part=compute"
t "tkern 'C(i,j) = A(i,k)*A(k,j)' -f A:csr -f C:csr -d A:20000,20000 --part=compute --emit=c11 >values.c && head -4 values.c && { ! command -v cc >/dev/null || cc -std=c11 -fopenmp -fsyntax-only values.c; }"
t "tkern 'C(i,j) = A(i,k)*A(k,j)' -f A:csr -f 'C:bcsr(2,2)' -d A:20000,20000 --part=compute --emit=c11"
t "tkern 'C(i,j) = A(i,k)*A(k,j)' $aa --part=assemble --check"

# Items of the schedule that a plan follows: each overrules what would be taken, and what no plan has is refused.
abc="-f A:csr -f B:csr -f C:csr -d i:200,j:200,k:200"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s 'reorder(i,j,k)'"
# Compressed rows of the result and a table or a list of contributions: these ended with an error of the loop program.
for item in 'workspace(j,hash)' 'workspace(j,list)' 'workspace(i,hash)'; do
    t "k 'C(i,j) = A(i,k)*A(k,j)' -i A:a.tns -f A:csr -f C:dcsr -s '$item'"
done
# How rows are computed depends on the types, too.
t "tkern 'C(i,j) = A(i,j) + B(i,j)' -f A:csr -f B:csr -f C:csr -d i:200,j:200 --emit=graph"
t "tkern 'C(i,j) = A(i,j) + B(i,j) + D(i,j)' -f A:csr -f B:csr -f C:csr -f D:csr -d i:200,j:200 --emit=graph | grep rows"
t "tkern 'C(i,j) = A(i,j) - B(i,j)' -f A:csr -f B:csr -f C:csr -d i:200,j:200 --emit=graph | grep rows"
t "tkern 'C(i,j) = A(i,j) + B(i,j)' -f A:csr -f B:csr -f C:csr -d i:200,j:200 --type=f32 --emit=graph | grep rows"
t "tkern 'C(i,j) = 2*A(i,j) - b(i)*B(i,j)' -f A:csr -f B:csr -f C:csr -d i:200,j:200 --type=u64 --emit=graph | grep rows"
t "tkern 'C(i,j) = 2*A(i,j) - b(j)*B(i,j)' -f A:csr -f B:csr -f C:csr -d i:200,j:200 --emit=graph | grep rows"
t "tkern 'C(i,j) = A(i,j) + B(i,j)' -f A:csr -f B:csr -f C:csr -d i:200,j:200 --type=i16 --emit=graph | grep rows"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --type=i64 --emit=graph | grep row"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s 'reorder(k,i)'"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s 'workspace(list)'"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s 'workspace(i,j,dense), reorder(k,i,j)'"
t "tkern 'C(i,j) = A(i,j) + B(i,j)' -f A:csr -f B:csr -f C:csr -d i:200,j:200 --emit=graph -s 'workspace(j,dense)'"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s 'workspace(j,dense), reorder(i,j,k)'"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' -f A:csr -f B:csr -f C:dense -d i:5,j:5,k:5 --emit=graph -s 'workspace(j,dense)'"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s 'workspace(k,dense)'"
t "tkern 'C(i,j) = max(A(i,j), B(j,i)) - lt(A(i,j), 2)' -f A:csr -f B:csr -f C:csr -d i:9,j:9 --emit=graph"
# functions that the user defines: in the kernel, in a step (integers), interpreted, in the C text
for type in --type=f64 ''; do
    for engine in jit interpreter; do
        t "tkern 'y(i) = relu(A(i,j) - 2) + prod(A(i,j), A(j,i))' --function='relu(x) = x > 0 ? x : 0' --function='prod(x,y) = x*y; zero at x=0, y=0' -i A:a.tns -f A:csr -f y:s $type --engine=$engine -o -"
    done
done
t "tkern 'C(i,j) = prod(A(i,j), B(i,j))' -f A:csr -f B:csr -f C:csr -d i:9,j:9 --function='prod(x,y) = x*y; zero at x=0, y=0' --emit=graph"
t "tkern 'C(i,j) = first(A(i,j), B(i,j))' -f A:csr -f B:csr -f C:csr -d i:9,j:9 --function='first(x,y) = x; zero at x=0' --emit=graph"
t "tkern 'C(i,j) = relu(A(i,j))' -f A:csr -f C:csr -d i:9,j:9 --function='relu(x) = x > 0 ? x : 0' --emit=c11 | grep -A3 relu_of"
for f in 'f(x,y) = x + y; zero at x=0' 'f(x) = x); abort(' 'max(x) = x' 'f(z) = z' 'f(x)' 'f(x) = x; zero at y=0' 'f(x) = "x"' 'f(x) = ' '2f(x) = x'; do
    t "tkern 'C(i) = f(A(i))' -f A:s -d i:9 --function='$f' --emit=graph"
done
t "tkern 'C(i) = f(A(i))' -f A:s -d i:9 --function='f(x) = x +* 2' --emit=graph 2>&1 | sed 's/: the compiler.*//'"
t "tkern 'C(i,j) = !B(i,j)*A(i,k)*A(k,j)' $abc --emit=graph"
for s in 'workspace(j,bitmap)' 'workspace(bitmap), reorder(i,k,j)' 'gallop(k)' 'workspace(i,j,bitmap)'; do
    t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s '$s'"
done
for s in 'merge(j)' 'gallop(j)' 'locate(j)' '' 'locate(k)' 'merge(j), gallop(j)'; do
    t "tkern 'C(i,j) = A(i,j)*B(i,k)*B(k,j)' $abc --emit=graph -s '$s'"
    tkern 'C(i,j) = A(i,j)*A(i,k)*A(k,j)' -i A:a.tns -f A:csr -f C:csr -s "$s" --engine=interpreter -o - | cksum
done
for s in 'workspace(j,bitmap)' 'workspace(j,dense)' ''; do
    tkern 'C(i,j) = A(i,k)*A(k,j)' -i A:a.tns -f A:csr -f C:csr -s "$s" --engine=interpreter -o - | cksum
done
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s 'workspace(j,bitmap)' --semiring=min-plus"
for s in 'workspace(j,hash)' 'workspace(j,list)' 'workspace(j,map)' 'assemble(two-pass)' 'assemble(two-pass),workspace(j,bitmap)' 'assemble(once)' \
    'convert(A,dcsr)' 'convert(A,csc)' 'convert(A,csc),reorder(i,k,j)' 'convert(A,coo)' 'convert(A,dense)' 'convert(A,foo)' 'convert(C,csr)' 'convert(A,' 'convert(A,ds),convert(A,ss)' \
    'precompute(A,B)' 'precompute(none)' 'precompute(A)' 'precompute(A,C)' 'precompute(A,B),precompute(none)'; do
    t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s '$s'"
done
t "tkern 'c(i) = A(i,k)*B(k,j)' -f A:csr -f B:csr -f c:dense -d i:200,j:200,k:200 --emit=graph -s 'assemble(two-pass)'"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=c11 -s 'workspace(j,hash),assemble(two-pass),serial' | grep -c 'table\|count the entries\|fill the result'"
# chains: steps of steps (four factors were refused), and a term with a division beside a chain (it was printed as a product, without its last factor)
chain="-f A:csr -f B:csr -f C:csr -f D:csr -f E:csr -d i:50,j:50,k:50,l:50"
for s in '' 'precompute(C,D,E)' 'precompute(D,E),workspace(m,hash)' 'precompute(C,D),reorder(k,i)' 'precompute(B,D),convert(D,csr)'; do
    t "tkern 'A(i,m) = B(i,j)*C(j,k)*D(k,l)*E(l,m)' $chain -d m:50 --emit=graph -s '$s' 2>&1 | grep 'step\|then \|tkern'"
    tkern 'A(i,m) = B(i,j)*C(j,k)*D(k,l)*E(l,m)' $(for x in B C D E; do echo "-i $x:a.tns -f $x:csr"; done) -f A:csr -s "$s" --engine=interpreter -o - 2>/dev/null | cksum
done
t "tkern 'A(i,l) = B(i,j)*C(j,k)*D(k,l) + E(i,l)/f(l)*B(i,l)' $chain --emit=graph | grep then"
# an array over the columns would not fit: a hash table, which gives the same entries as a list
printf '1 900000000 2\n1 5 4\n2 5 3\n4 123456789 1\n3 900000000 2\n' >wide.tns
t "tkern 'C(i,j) = A(i,k)*B(k,j)' -i A:a.tns -f A:csr -i B:wide.tns -f B:csr -f C:csr -j2 --emit=graph"
for s in '' 'workspace(list)' 'workspace(j,list)' 'assemble(two-pass)'; do
    tkern 'C(i,j) = A(i,k)*B(k,j)' -i A:a.tns -f A:csr -i B:wide.tns -f B:csr -f C:csr -s "$s" -j2 --engine=interpreter -o - | cksum
done
# a sum over a variable of size 0 contributes nothing: the result had the entries of B
t "tkern 'A(i,k) = B(i,k)*C(i,r)' -i B:a.tns -f B:csr -f A:csr -d C:4,0 --engine=interpreter -j1 | grep '^A'"
t "tkern 'A(i) = B(i,j)*C(i,j)*x(j) + B(i,j)*y(j)' -f A:s -f B:csr -f C:csr -d i:9,j:9 --emit=graph -s 'precompute(x,y)'"
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $abc --emit=graph -s 'reorder(i,i)'"
for s in '' 'reorder(i,j,k)' 'reorder(k,i,j)' 'workspace(list)' 'workspace(i,j,dense)' 'workspace(dense)' 'reorder(j,i), workspace(i,dense)'; do
    tkern 'B(i,j) = A(i,k)*A(j,k)' -i A:a.tns -f A:csr -f B:csr -s "$s" --engine=interpreter -o - | cksum
done

# A coordinate in a product of many operands: the products that are cut off had no tensor with its variable ("no format or tensor given for l").
t "k 's = !A(j,k)*(l - b(i))*(c(k) + B(l,i))' -i A:a.tns -f A:csr -i b:small.tns -f b:s -d b:3 -i c:small.tns -f c:s -d c:4 -i B:w.tns -f B:coo -d B:2,3 --type=f64"
t "tkern 's = !A(j,k)*(l - b(i))*(c(k) + B(l,i))' -f A:csr -f b:s -f c:s -f B:coo -d i:2,l:3,k:4,j:2 --type=f64 --emit=graph | grep -e step -e then"
# The same product in many terms is one step; without that there were more steps than there is room for, and tkern crashed.
many=$(seq -f '%g*x(k)' -s ' + ' 33)
t "tkern 'y(i) = A(i,j)*B(j,k)*($many)' -f A:csr -f B:csr -f x:s -d i:5,j:5,k:5 -f y:s --emit=graph -s 'precompute(A,B)' | grep -c ^step"
many=; many=$(for v in $(seq 28); do printf '%s' "${many:+ + }A(i,j$v)*B(j$v,k)*x(k)"; many=1; done)
t "tkern 'y(i) = $many' -f A:csr -f B:csr -f x:s -d A:5,5 -d B:5,5 -d x:5 -f y:s --emit=graph -s 'precompute(A,B)'"
# Sums are printed as they are computed: parentheses and signs were dropped.
t "tkern 's = (p + q)*(u + v)' -j1 --emit=graph"
t "tkern 'y(i) = (p + q)*(u + v)*b(i)*c(i) - b(i)' -f b:s -f c:s -f y:s -d i:9 --emit=graph"
# Semirings in which * does not distribute over +: a sum is computed before it is multiplied; it was multiplied out.
for semiring in plus-min plus-max plus-first plus-second plus-pair min-times max-times min-plus; do
    t "k 'y(i) = x(i)*(b(i) + c(i))' --semiring=$semiring -i x:v.tns -i b:small.tns -f b:s -d b:8 -i c:old.tns -f c:s -d c:8 -f x:s -f y:s --type=f64"
done
t "tkern 'y(i) = x(i)*(b(i) + c(i))' --semiring=plus-min -f x:s -f b:s -f c:s -f y:s -d i:4 --emit=graph"
# A function of numbers is a number of the type of the others.
t "k 'y(i) = floor(3)*b(i)' --semiring=plus-min -i b:v.tns -f b:s -f y:s --type=i32"
# *= of complex values.
printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 3\n1 1 3 1\n1 2 2 -1\n2 2 1 1\n' >complex.mtx
for f in s dense; do
    t "tkern 'y(i) *= A(i,j)' -i A:complex.mtx -f A:csr -f y:$f --engine=interpreter -q -o y:y.mtx && cat y.mtx"
done
t "tkern 'y(i) min= A(i,j)' -i A:complex.mtx -f A:csr"
# min= into tiles with padding was refused; a number that is reduced has the type of the result.
printf '1 1 3\n3 2 -4\n1 2 7\n' >tall.tns
t "k 'C(i,j) min= A(i,j)*c(k)' -i A:tall.tns -d A:3,2 -i c:small.tns -f A:csr -f c:s -f 'C:tiled(2,2)'"
t "k 'y(i) max= -2' -d i:3 --type=i16"
# Adding to the diagonal of a sparse result, and setting it in other semirings, was refused.
for how in += min= '*='; do
    t "k 'A(i,i) $how 2*B(i,j)*c(j) - c(i)' -i B:tall.tns -d B:3,3 -f B:csr -i c:small.tns -f c:s -i A:w.tns -d A:3,3 -f A:csr --type=f64"
done
t "tkern 'A(i,i) += B(i,j)' -f B:csr -f A:csr -d i:9,j:9 --emit=graph"
t "k 'A(i,i) = B(i,j) + B(j,i)' --semiring=max-plus -i B:tall.tns -d B:3,3 -f B:csr -f A:bitmapc"
# Cells of a dense result outside a window or a diagonal were 0 in semirings in which absent cells are not.
t "k 'y(i(1,4)) = b(i)*c(i)' --semiring=max-times -i b:small.tns -f b:s -d b:3 -i c:small.tns -f c:s -d c:3 -d y:5 -f y:dense --type=f64"
t "k 'C(i,i) = b(i)' --semiring=min-plus -i b:small.tns -f b:s -d b:3 -f 'C:tiled(2,2)' --type=f64"
# A sum of sparse tensors in a product that is a divisor was refused.
t "k 'y(i) = b(i)/(2*(b(i) - 4))/-(b(i) + 1)' -i b:v.tns -f b:s --type=f64 -f y:s"
# many contributions meet in a cell: rows, not an inner product for each cell, which took 6 to 18 times as long
for n in 100 500 3000; do
    t "tkern 'C(i,j) = A(i,k)*B(k,j)' -f A:csr -f B:csr -f C:csr -d i:$n,j:$n,k:$n --emit=graph | sed -n 1p"
done
# The largest of 5, NaN and 3 was 3, as the last NaN hid what stood before; so one thread reduced columns and scalars.
{ printf '1 1 5\n1 2 nan\n1 3 3\n2 1 2\n2 2 7\n' && awk 'BEGIN { for (i = 3; i <= 300; i++) print i, i % 3 + 1, i % 7 }'; } >nan.tns
for left in 's max' 'y(j) max' 'y(j) min' 'y(i) max' 'y(i) min'; do
    for how in dense,-j1 dense,-j3 $(case $left in y*) echo s,-j3 ;; esac); do
        t "k '$left= A(i,j)' -i A:nan.tns -f A:csr -d A:300,3 -f ${left%%[ (]*}:${how%,*} --type=f64 ${how#*,} -q | head -3 | paste -s -d ' '"
    done
done
t "tkern 'y(j) = A(i,j)' --semiring=min-plus -f A:csr -d i:100000,j:10 -j2 --emit=plan | grep threads"
# Absent places of blocks became entries with the value -0; functions of integers were refused.
for f in 'bcsr(2,2)' dia sd; do
    for right in '-B(i,j)' '-2*B(i,j)' 'A(i,j) - B(i,j)'; do
        t "k 'C(i,j) = $right' $(case $right in A*) echo "-i A:w.tns -d A:3,3 -f 'A:$f'" ;; esac) -i B:tall.tns -d B:3,3 -f 'B:$f' -f 'C:$f' --type=f64 -q"
    done
done
for left in 'y(j) +' 'y(j) max' 'y(j({2,0})) +' 'C(j,j) max'; do # integers whose function has values of f64
    t "k '$left= hypot(A(i,j), 4)/(A(i,j)/2 + hypot(A(i,j), 4))' -i A:tall.tns -d A:3,2 -f A:csr -f ${left%%(*}:$(case $left in C*) echo csr ;; *) echo s ;; esac) -q"
done
# Bands beyond the matrix, in every kind of place; the C text has the runs as an operand.
for right in 'eye(i,j,7)' 'band(i,j,-9,9)' 'tril(i,j,-1)*A(i,j)' 'A(i,j)*triu(i,j,1) - 2*eye(i,j)' 'max(A(i,j), tril(i,j))' 'A(i,k)*eye(k,j,-1)' 'A(i,j)/band(i,j,0,1)'; do
    t "k 'C(i,j) = $right' -i A:w.tns -d A:3,3 -f A:csr -f C:csr -d i:3,j:3 -q"
done
t "k 'y(i) = tril(i,j)*x(j)' -i x:x.tns -d x:4 -d i:5 -q; k 'y(j) += triu(i,j,1)*x(i)' -i x:x.tns -d x:4 -d j:5 -q"
t "tkern 'y(i) = tril(i,j)*x(j)' -d i:9,j:9 -j1 --emit=c --schedule=plain | sed -n '/for (/,/^}/p'"
t "tkern 'y(i) = A(i,j)*tril(i,j)*x(j)' -f A:csr -d A:9,9 -j1 --emit=graph"
t "tkern 'y(i) = A(i,j)*tril(i,j)*x(j)' -f A:csr -d A:9,9 --emit=c --schedule=plain | sed -n '/^int kernel(/,/^}/p'"
t "k 'y(i) = tril(i,j)*x(i)' -i x:x.tns -d x:4 -q; k 'y(i) = tril(i,j)*x(i)' -i x:x.tns -d x:4 -d j:5; tkern 'y(i) = tril(i,j)' --emit=plan; k 'y(i) = tril(i,j)'"
# Endings: ties by the smaller coordinate, NaN last, -0 and 0 are equal, the least integer has the largest absolute value.
printf '1 1 2\n1 2 nan\n1 3 2\n1 4 2\n1 5 -3\n2 2 nan\n2 3 nan\n3 1 0\n3 4 -0\n3 5 -1\n' >ties.tns
printf '1 1 -128\n1 2 127\n1 3 -127\n2 3 5\n' >narrow.tns
for how in 'top(2)=' 'bottom(2)=' 'top(2, abs)=' 'bottom(1, abs)='; do
    t "k 'C(i,j) $how A(i,j)' -i A:ties.tns -f A:csr -f C:csr --type=f64"
    t "k 'C(i,j) $how A(i,j)' -i A:narrow.tns -f A:csr -f C:csc --type=i8"
done
# Coordinates of the first entries in this order: -1 for rows without entries, which a sparse result leaves out.
for how in 'argmax(j)=' 'argmin(j)=' 'argmax(j, abs)=' 'argmin(j, abs)='; do
    t "k 'p(i) $how A(i,j)' -i A:ties.tns -d A:4,5 -f A:csr --type=f64 -f p:dense"
    t "k 'p(i) $how A(i,j)' -i A:narrow.tns -d A:3,3 -f A:csr -f p:s"
done
t "k 'p argmax(i)= x(i)' -i x:a.tns -f x:s 2>&1 | tail -1"
t "k 'p argmin(i)= A(i,j)' -i A:ties.tns -f A:csr --semiring=max-plus"
t "k 'p(i) argmax(j)= A(i,j) where p > 2' -i A:ties.tns -f A:csr"
t "tkern 'p(i) argmax(j)= A(i,k)*B(k,j)' -f A:csr -f B:csr -d i:99,j:99,k:99 -j1 --emit=plan >argmax.plan && tkern 'p(i) argmax(j)= A(i,k)*B(k,j)' -f A:csr -f B:csr -d i:99,j:99,k:99 -j1 --plan=argmax.plan --emit=plan | cmp - argmax.plan && cat argmax.plan"
t "tkern 'p(i) argmax(j)= A(i,j)' -f A:csr -d A:9,9 --emit=c -j1 --schedule=serial | sed -n '/^int kernel(/,/^}/p'"
t "tkern 'p(i) argmax(j)= A(i,j)' -i A:complex.mtx -f A:csr -o p:p.mtx"
printf '1 1 9007199254740993\n1 2 9007199254740992\n' >wide.tns
t "k 'y(i,j) = A(i,j) where y - 9007199254740000 > 992' -i A:wide.tns -f A:csr -f y:csr --type=i64"
t "k 'y(i,j) = A(i,j) where y > 9007199254740000 + 992' -i A:wide.tns -f A:csr -f y:csr --type=u64"
t "k 'C(i,j) = A(i,j) where j > i or C >= 4.5' -i A:a.tns -f A:coo -f C:coo"
t "k 'C(i,j) = A(i,j) where' -i A:a.tns -f A:coo"
t "k 'C(i,j) top(3)= A(i,j)' -i A:a.tns -f A:csr -f C:dense"
t "tkern 'C(i,j) = A(i,j) where abs(C) > 1' -i A:complex.mtx -f A:csr -f C:csr -o C:c.mtx"
t "k 'C(i,j) top(3)= A(i,j)' -i A:a.tns -f A:csr -f C:csr --schedule='assemble(two-pass)'"
t "k 'C(i,j) top(3)= A(i,j) where A(i,j) > 2' -i A:a.tns -f A:csr"
t "tkern 'C(i,j) top(1)= A(i,j)' -i A:a.tns -f A:csr -q --engine=interpreter -o -"
# The plan with an ending is followed.
t "tkern 'C(i,j) top(2)= A(i,k)*B(k,j) where j != i' -f A:csr -f B:csr -f C:csr -d i:99,j:99,k:99 -j1 --emit=plan >ending.plan && tkern 'C(i,j) top(2)= A(i,k)*B(k,j) where j != i' -f A:csr -f B:csr -f C:csr -d i:99,j:99,k:99 -j1 --plan=ending.plan --emit=plan | cmp - ending.plan && cat ending.plan"
# Steps before a statement with an ending do not have it.
t "tkern 'C(i,j) = A(i,k)*B(k,l)*A(l,j) where C > 0' -f A:csr -f B:csr -f C:csr -d A:99,99 -d B:99,99 -j1 --emit=graph"
# A choice by the difference of two indices that never holds has no entry: it had one, 0, in each cell.
t "k 'R(i,j) = (2*j - 2*i == 5 ? j : 0)' -d R:4,4 -f R:csr -q"
# Functions of bands have the type of the operands: of integers they were f64, which the result did not take.
t "k 'R(j,i,k) = or(3, eye(k,i,-1))*A(j({3,0}),j(0,2))' -i A:a.tns -f A:csr --type=i32 -f R:csf -q -d R:2,2,2"
# A function of the entries of one operand has their levels; where it has other factors or another order of levels, entries are appended.
for of in 'csr e:csr' 'csc e:csc' 'csr e:csc' 'dcsr e:csr'; do
    t "tkern 'e(i,j) = !!A(i,j)*exp(A(i,j) - m(i))' -f A:${of% *} -f ${of#* } -d i:9,j:9 -j2 --emit=plan | sed -n 2p"
done
t "tkern 'e(i,j) = A(i,j)*sqrt(A(i,j))' -i A:a.tns -f A:csr -f e:csr --check -q"
# The terms of a reduction are added at each point where operands are lists of several coordinates, too: they were reduced one by one.
t "k 's min= v(i) + x(j)' -i v:v.tns -i x:x.tns -f v:d -f 'x:(a) -> (a mod 2 : compressed(nonunique), a floordiv 2 : singleton)' -q"
# One operand of any format is read where it is stored in every semiring, and gives what csr gives.
k 'y(i) = A(i,j)*x(j)' -i A:a.tns -f A:csr --semiring=min-plus -q >csr.min
for of in coo 'hicoo(2)' 'bcsr(2,2)' dia 'sell(2,4)' alto; do
    t "k 'y(i) = A(i,j)*x(j)' -i A:a.tns -f 'A:$of' --semiring=min-plus -j3 -q | cmp - csr.min && tkern 'y(i) = A(i,j)*x(j)' -f 'A:$of' -d A:9,9 --semiring=min-plus --emit=plan | grep driver"
done
