# shellcheck shell=bash
# tkern: the C text as a product: comments on parameters, all threads, signed indices, C++, names; a product of sparse matrices
# is compiled and runs.
csr='-f A:csr -f B:csr -f C:csr -d A:4000,5000 -d B:5000,3000'
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $csr -o spgemm.c --header --index-type=int32"
t "grep -c '^ \*   [A-Ci-kn][A-Za-z0-9_]*  *[a-z]' spgemm.h"
t "grep -e ' nthreads ' -e ' A2_pos ' -e ' A2_crd ' -e ' C2_pos_out ' -e ' C_out ' spgemm.h"
# The program names its variables as the function names its parameters.
call=$(tr '\n' ' ' <spgemm.h | sed 's/.*int spgemm(\([^)]*\)).*/\1/' | tr ',' '\n' | sed 's/.*[ *]//' | paste -sd, -)
cat >main.c <<END
#include <stdio.h>
#include <stdlib.h>

#include "spgemm.h"

int main(void)
{
    const int64_t nthreads = 0, i_size = 4, j_size = 3, k_size = 5, A2_npos = 5, B2_npos = 5;
    const int32_t A2_pos[] = {0, 2, 2, 3, 5}, A2_crd[] = {0, 3, 4, 1, 3}, B2_pos[] = {0, 1, 2, 2, 4, 5}, B2_crd[] = {1, 0, 0, 2, 1};
    const double A[] = {1, 2, 3, 4, 5}, B[] = {10, 20, 30, 40, 50};
    tsr_rt_output pos = {0}, crd = {0}, values = {0}, *C2_pos_out = &pos, *C2_crd_out = &crd, *C_out = &values;
    (void)nthreads, (void)i_size, (void)j_size, (void)k_size, (void)A2_npos, (void)B2_npos;
    if (spgemm($call))
        return 1;
    for (int i = 0; i < 4; i++)
        for (int32_t p = ((int32_t *)pos.data)[i]; p < ((int32_t *)pos.data)[i + 1]; p++)
            printf("%d %d %g\n", i, ((int32_t *)crd.data)[p], ((double *)values.data)[p]);
    free(pos.data);
    free(crd.data);
    free(values.data);
    return 0;
}
END
if command -v cc >/dev/null; then
    t "cc -std=c11 -Wall -Wextra -Werror -O1 -fopenmp main.c spgemm.c -o main && ./main"
    t "cc -std=c11 -Wno-unknown-pragmas -O1 main.c spgemm.c -o main && ./main"
else
    printf '%s\n' "$(sed -n '/^\$ cc.*main.c/,/^0 2/p' "$TSR_SOURCE/tests/cli/tkern_c.out")"
fi

# Padding of signed indices is -1: nothing is read below x[0].
t "tkern 'y(i) = A(i,j)*x(j)' -f A:ell -o ell.c --header --name=ell --index-type=int32"
call=$(tr '\n' ' ' <ell.h | sed 's/.*int ell(\([^)]*\)).*/\1/' | tr ',' '\n' | sed 's/.*[ *]//' | paste -sd, -)
cat >padded.c <<END
#include <math.h>
#include <stdio.h>

#include "ell.h"

int main(void)
{
    const int64_t nthreads = 1, i_size = 3, j_size = 3, A2_pitch = 2, A1_npos = 3, A2_low = 0;
    const int32_t A2_crd[] = {0, 1, 2, -1, 0, -1};
    const double A[] = {1, 2, 3, 0, 9, 0}, below[] = {NAN, 1, 10, 100}, *x = below + 1;
    double y[3];
    (void)nthreads, (void)i_size, (void)j_size, (void)A2_pitch, (void)A1_npos, (void)A2_low;
    if (ell($call))
        return 1;
    printf("%g %g %g\n", y[0], y[1], y[2]);
    return 0;
}
END
if command -v cc >/dev/null; then
    t "cc -std=c11 -O1 -fopenmp padded.c ell.c -o padded && ./padded"
else
    printf '%s\n' "$(sed -n '/^\$ cc.*padded/,/^21 /p' "$TSR_SOURCE/tests/cli/tkern_c.out")"
fi

# A row of any length: whole blocks, and the rest in parts.
t "tkern 'Y(i,r) = A(i,j)*X(j,r)' -f A:csr --index-type=int32 -o spmm.c --header"
call=$(tr '\n' ' ' <spmm.h | sed 's/.*int spmm(\([^)]*\)).*/\1/' | tr ',' '\n' | sed 's/.*[ *]//' | paste -sd, -)
cat >rows.c <<END
#include <stdio.h>

#include "spmm.h"

int main(void)
{
    const int64_t nthreads = 2, i_size = 2, A2_npos = 3;
    const int32_t A2_pos[] = {0, 2, 3}, A2_crd[] = {0, 2, 1};
    const double A[] = {1, 2, 3};
    double X[3 * 70], Y[2 * 70];
    int bad = 0, r_size = 0;
    (void)nthreads, (void)i_size, (void)A2_npos;
    for (int q = 0; q < 3 * 70; q++)
        X[q] = q * q % 101;
    for (; r_size < 70; r_size++) {
        Y[2 * r_size] = -1;
        bad |= spmm($call);
        for (int r = 0; r < r_size; r++)
            bad |= Y[r] != X[r] + 2 * X[2 * r_size + r] || Y[r_size + r] != 3 * X[r_size + r];
        bad |= Y[2 * r_size] != -1;
    }
    printf("%d lengths, %s\n", r_size, bad ? "bad" : "good");
    return bad;
}
END
if command -v cc >/dev/null; then
    t "cc -std=c11 -O1 -fopenmp rows.c spmm.c -o rows && ./rows"
else
    printf '%s\n' "$(sed -n '/^\$ cc.*rows/,/^70 /p' "$TSR_SOURCE/tests/cli/tkern_c.out")"
fi

# Two loops of threads append to one list: labels of both had the same name.
t "tkern 'C(i,j) = A(i,j) + B(j,i)' -f A:csr -f B:csr -f C:coo --emit=c11 --schedule='workspace(list)' >lists.c && grep -c 'give_part(C_' lists.c && { ! command -v cc >/dev/null || cc -std=c11 -fopenmp -fsyntax-only lists.c; }"

# C++: by the option, by the name of the file.
# the C functions that the text calls must not become C++ functions, which no library has
check_cxx() {
    ! command -v g++ >/dev/null || { g++ -std=c++17 -Wall -Werror -fopenmp -c -o "$1.o" "$1" && ! nm -u "$1.o" | grep _Z; }
}
t "tkern 'C(i,j) = A(i,k)*B(k,j)' $csr -o spgemm.cpp --header && check_cxx spgemm.cpp"
t "tkern 'C(i,j) = A(i,j) + B(i,j)' -f A:csr -f B:csc -f C:dcsr --emit=c11 --cxx >add.cpp && check_cxx add.cpp"
t "tkern 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:csf -d r:16 --emit=c --cxx >mttkrp.cpp && check_cxx mttkrp.cpp"
t "tkern 'y(j) = A(i,j)*x(i)' -f A:'bcsr(4,4)' --emit=c --cxx --type=f32 --schedule='private(y)' >t.cpp && check_cxx t.cpp"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr --type=c128 --emit=c11 --cxx"

# Names and types.
for type in uint32 uint64 int32 int64; do
    t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr --emit=c11 --name=product --index-type=$type | grep -A1 '^int product'"
done
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr --emit=header --name=2x"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr --emit=c --index-type=int16"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr -d A:2,2 --name=x"

# Code grows with the number of operands of a sum, not with the ways in which they can meet.
nbytes() {
    local expr='A(i,j,k) = B0(i,j,k)' formats=() n
    for n in $(seq 0 $(($1 - 1))); do
        formats+=(-f "B$n:csf")
        [ $n = 0 ] || expr+=" + B$n(i,j,k)"
    done
    tkern "$expr" -f A:csf "${formats[@]}" --emit=c11 | wc -c
}
t '[ $(nbytes 16) -le $((4 * $(nbytes 2))) ] && echo bounded'

# Blocks of a variable of any size: the text held the number of blocks of the size that stood in for it.
t "tkern 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:csf --emit=c -s 'block(r,16)' | grep 'size % .* >='; tkern 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:csf --emit=c -s 'block(r,12)' | grep 'rest % .* >='"
