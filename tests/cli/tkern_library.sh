# shellcheck shell=bash
# tkern --emit=library: kernels made ahead of time as one C file and its header; test_door_made runs such kernels.
export XDG_CACHE_HOME=$PWD/cache
t "tkern --emit=library -o fast.c 'y(i) = A(i,j)*x(j)' -f A:csr -e 'twice: B(i,j) = 2*A(i,j); A:csr; B:csr' --type=f32"
grep -E '^int (fast_0|twice)\(|_kernels\[' fast.h
grep -E '^    \{sizeof|f32' fast.c | sed -E 's/"[0-9a-f]{32}"/"KEY"/' | grep -v '^ \*'
# All built-in kernels in one file: it compiles without a warning, and only the functions and the table have names outside.
all=()
for file in "$TSR_SOURCE"/bench/kernels/*.kernel; do all+=("--kernels=$file"); done
tkern --emit=library -o all.c "${all[@]}" || echo "all kernels: failed"
if command -v cc >/dev/null; then
    for define in -DWITH_TABLE -DTESSERA_ALONE; do
        cc -std=c11 -Wall -Wextra -Wno-psabi -Werror -fopenmp -O1 $define -I"$TSR_SOURCE/include" -c all.c -o all.o || echo "all.c: not compiled"
        nm -g --defined-only all.o | awk '{print $3}' | grep -v gomp | sed -E 's/_[0-9]+$//' | sort -u | paste -sd' '
    done
else
    cat "$TSR_SOURCE/tests/cli/tkern_library.out" | tail -n +6 | head -n 2
fi
printf '# two kernels\nkernel: one\nexpression: y(i) = A(i,j)*x(j)\nformats: A:csr\nformats: A:csc\nkernel: two\nexpression: y(i) = 2*x(i)\n' >list
t tkern --emit=library -o list.c --kernels=list
grep -E '^int ' list.h | sed 's/(.*//'
t tkern --emit=library "'y(i) = A(i,j)*x(j)'" -f A:csr
t tkern --emit=library -o none.c
t tkern --emit=library -o bad.c -e "'y(i) = A(i,j)*x(j); A:nothing'"
t tkern --emit=library -o bad.c -e "'y(i) = A(i,j)*x(j; A:csr'"
t tkern --emit=library -o bad.c "'y(i) = A(i,j)*x(j)'" -f A:csr --index=narrow
t tkern --emit=library -o bad.c --kernels=missing
t tkern --emit=library -o bad.c -e "'one: y(i) = 2*x(i)'" -e "'one: y(i) = 3*x(i)'"
t tkern --emit=library -o bad.c -e "'if: y(i) = 2*x(i)'"
t tkern --emit=library -o bad.c "'y(i) = tril(i,j)*x(j)'"
t tkern --emit=library -o chain.c -e "'chain: D(i,l) = A(i,j)*B(j,k)*C(k,l); A:csr; B:csr; C:csr; D:csr'"
grep -o '"chain[_0-9]*", "D.*"' chain.c
t tkern "'y(i) = A(i,j)*x(j)'" -f A:csr -e "'y(i) = x(i)'"
ls
