# shellcheck shell=bash
# Mistakes of newcomers: each message says what is wrong and what to do. What broke: questions as errors ("which file?"), messages that
# named neither the option nor a way out.
printf '1 1 10\n1 3 20\n3 1 30\n3 2 40\n' >m.tns
printf '1 1 1 5\n2 3 4 6\n' >cube.tns
tconv -q m.tns -o m.h5
mkdir folder
t tconv
t tconv m.tns
t tconv m.tns m.h5
t tconv m.tns -o folder
t tconv m.tns -o nofolder/x.h5
t tconv folder -o x.h5
t tconv m.tns -o m.tns
t tconv missing.tns -o x.h5
t tconv m.tns -o x.h5 "-f 'bcsr(4)'"
t tconv m.tns -o x.h5 -f dsc
t tconv m.tns -o x.h5 -f csr:1
t tconv m.tns -o x.h5 --index-base=2
t tconv m.tns -o x.h5 --transpose=0
t tconv m.tns -o x.h5 --transpose=0,2
t tconv m.tns -o x.h5 --slice=9,:
t tconv m.tns -o x.h5 --reshape=5,5
t tconv m.tns -o x.h5 --concat=m.tns
t tconv m.tns -o x.h5 --dims=2,2
t tconv m.tns -o x.edges
# What broke: these got a list of all known words, or "No such file or directory".
t tconv m.tns -o x.h5 --type=float32
t tconv m.tns -o x.h5 --type=Complex128
t tconv m.tns -o x.h5 --to=hdf5
t tconv m.tns -o x.h5 --to=libsvm
t tconv https://example.org/m.mtx -o x.h5
printf '\004\042\115\030 more' >m.lz4
t tconv m.lz4 -o x.h5
tar -czf m.tar.gz m.tns
t tconv m.tar.gz -o x.h5
t tinfo
t tinfo m.h5 m.tns
t tinfo m.h5 --arrays
t tinfo m.h5 --modes=0
t tkern
t tkern "'y(i) = A(i,j)*x(j)' A:m.h5"
t tkern "'y(i) = A(i,j)*x(j)' -i m.h5"
t tkern "'y(i) = A(i,j)*x(j)' -f csr -i A:m.h5"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.h5 -d i=7"
t tkern "'y(i) = A(i,j)*x(j)' -i A:cube.tns"
t tkern "'y(i) = A(i,j)*x(j)' -f A:csr --time"
t tkern "'y(i) = A(i,j)*x(j)' -i A:m.h5 -o y.csv"
t tkern "'y(i) = A[i,j]*x[j]'"
t tkern "'y(i) = A(i,j)^2'"
t tlayout
t tlayout op nofile.hlo
t tlayout "'f32[3,5]{1,0}'" 1
t tlayout "'f32[3,5]{1,0}'" 9,9
t tlayout compose "'(i) -> (i)' '(i) -> (i, i)'"
if command -v tbench >/dev/null; then
    t tbench
    t tbench spmv missing.mtx --quick
    t tbench spmv cube.tns --quick
    t tbench pack m.tns --format=csrr --quick
    t tbench gen
    t tbench compare
    t tbench compare m.tns m.tns
    t tbench report
fi >tbench.out 2>&1
if command -v tbench >/dev/null; then cat tbench.out; else sed -n '/^\$ tbench/,$p' "$TSR_SOURCE/tests/cli/mistakes.out"; fi
