# shellcheck shell=bash
# The errors of tkern.
export XDG_CACHE_HOME=$PWD/cache
generate 7 40 6 5 7 >b.tns
generate 8 20 30 20 >m.tns
t tkern
t tkern 'a = b' 'c = d'
t tkern "'y(i) = A(i,j*x(j)'"
t tkern "'y(i) = A(i,j) x(j)'"
t tkern "'y(i) = sinh2(x(i))'"
t tkern "'y(i) = foo(max(A(i,j), x(j)))'"
t tkern "'y(i) = A(i,j)*A(j)'"
t tkern "'y(i) = A(i,j)*x(j)' -f B:csr"
t tkern "'y(i) = A(i,j)*x(j)' -f csr"
t tkern "'y(i) = A(i,j)*x(j)' -f A:csr -f A:csc"
t "tkern 'y(i) = A(i,j)*x(j)' -i A:m.tns -f A:csz 2>&1 | sed 's/formats: .*/formats: .../'"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -f A:csf:0,1,2"
t tkern "'y(i) = A(i,j)*x(j)' -i y:m.tns"
t tkern "'y(i) = A(i,j)*x(j)' -i A:nothing.tns"
t tkern "'y(i) = A(i,j)*x(j)' -i A:b.tns"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -d A:7"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -d q:7"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -d i:0"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -d i:many"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -d x:9"
t tkern "'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -i B:b.tns"
t tkern "'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -i B:b.tns -d C:9,16"
t tkern "'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -i B:b.tns -d C:5,16 -d D:7,17"
t tkern "'y(i) = A(i,j)*x(j)' -f A:csr -d A:4,4"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -o x:x.tns"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -o y.tns"
t "tkern 'y(i) = A(i,j)*x(j)' -i A:m.tns -o y:y.foo 2>&1 | sed 's/suffixes: .*/suffixes: .../'"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -o y:nowhere/y.tns"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns -o y:m.tns"
t tkern "'y(i) = A(i,j)*x(j)' -f A:csr -o 2.c"
t tkern "'y(i) = A(i,j)*x(j)' -f A:csr -o a.c -o b.c"
t tkern "'y(i) = A(i,j)*x(j)' -f A:csr --header"
t tkern "'y(i) = A(i,j)*x(j)' -f A:csr --vectors"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns --schedule='private(x)'"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns --schedule='fast'"
# The error named a limit of an inner step ("two different sparse operands in one term are not supported here").
t tkern "'C(i,j) = A(i,j)*B(i,j)' -i A:m.tns -i B:m.tns -f C:csr --schedule='width(32)'"
t tkern "'C(i,j) = A(i,j)*B(i,j)' -i A:m.tns -i B:m.tns -f C:csr --schedule='unroll(j,4), reorder(i,j)'"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns --emit=cpp"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns --engine=gpu"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns --time=0"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns --time 3"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns --seed=x"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.tns --type=pattern"
machine() { sed 's/than the .* that/than the SIZE that/'; return 0; }
printf '1 1 1 2\n9 8 7 6\n' >t.tns
far="--engine=interpreter -i B:t.tns -d B:100000000,100000000,9"
t "tkern 'A(i,j) = B(i,j,k)*c(k)' $far 2>&1 | head -1"
t "tkern 'A(i,j) = B(i,j,k)*c(k)' -f A:dd $far 2>&1 | machine"
t "tkern 'A(j,k) = B(i,j,k)*c(i)' -f A:dd -f B:sss -i B:t.tns -d B:9,1000000000,1000000000"
# Without a format for the result, the pattern of the operand is proposed.
t "tkern 'A(j,i,r) = B(i,j,k)*C(k,r)' $far -f B:sss:0,1,2 -d r:2 2>&1 | head -1"
t "tkern 'A(j,k) = B(i,j,k)*c(i)' --engine=interpreter -f B:coo -i B:t.tns -d B:9,1000000000,1000000000 2>&1 | head -1"
t "tkern 'A(i,j) = B(i,j)*C(i,k)*D(j,k)' -f B:csr -d B:4000000000000,4000000000000 -d k:2 --emit=ir"
# A sparse result was proposed, which would have all cells.
t "tkern 'A(i,j) = B(i,j) + 1' -f B:ss -d B:4000000000000,4000000000000 --emit=ir"
rm t.tns
# Two operands from standard input: "-: the file is empty".
t "tkern 'C(i,j) = A(i,j) + B(i,j)' -i A:- -i B:- <m.tns"
t "tkern 'A(i,j) = b(i)*c(j)' -d i:4000000000000000 -d j:3 2>&1 | sed 's/than the .* that/than the SIZE that/'"
t ls
