# shellcheck shell=bash
# shellcheck disable=SC2086
# --runtime=header: several texts and the one file tessera_rt.h that they include. It compiles alone; the texts compile without a
# warning; a program with the short texts prints what a program with the whole texts prints.
mkdir short whole
write() { # NAME EXPR OPTION...
    local name=$1 expression=$2
    shift 2
    tkern "$expression" "$@" -o "short/$name.c" --header --runtime=header && tkern "$expression" "$@" -o "whole/$name.c" --header
}
names='spmv spgemm sum product mttkrp divided blocked scalar'
t "write spmv 'y(i) = A(i,j)*x(j)' -f A:csr --vectors"
t "write spgemm 'C(i,j) = A(i,k)*B(k,j)' -f A:csr -f B:csr -f C:csr"
t "write sum 'C(i,j) = A(i,j) + B(i,j)' -f A:csr -f B:csr -f C:csr"
t "write product 'C(i,j) = A(i,j)*B(i,j)' -f A:csr -f B:csr -f C:csr --type=i32"
t "write mttkrp 'A(k,r) = B(i,j,k)*C(i,r)*D(j,r)' -f B:csf -d r:16 --vectors --type=f32"
t "write divided 'y(j) = A(i,j)*x(i)/z(i)' -f A:csr --type=c64"
t "write blocked 'y(i) = A(i,j)*x(j)' -f 'A:bcsr(4,4)' --vectors --index-type=uint64"
t "write scalar 'C(i,j) = A(i,j) + B(i,j)' -f A:csr -f B:csr -f C:csr --schedule=scalar"
t "ls short"
# What a text includes is in the header alone, and the header is the same for all of them.
t "tkern 'a = b(i)' -f b:s --emit=runtime | cmp - short/tessera_rt.h"
t "grep -c '^static inline' short/spgemm.c short/scalar.c; grep TSR_RT_SCALAR short/*.c"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr --emit=c --runtime=header | grep '#include'"

strict='-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
compile() { # the header alone, and the short texts, with each compiler, for processors with and without wide vectors
    local cc flags name
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        for flags in '-O1 -fopenmp' '-O0 -march=native -Wno-unknown-pragmas'; do
            echo '#include "tessera_rt.h"' | $cc $strict $flags -Ishort -fsyntax-only -xc - || return 1
            for name in $names; do
                $cc $strict $flags -Wno-pass-failed -c short/$name.c -o short/$name.o || return 1
            done
        done
    done
    for cc in g++ clang++; do
        ! command -v $cc >/dev/null || echo '#include "tessera_rt.h"' | $cc -std=c++17 -Wall -Werror -fopenmp -Ishort -fsyntax-only -x c++ - || return 1
    done
}
t "compile && echo compiled"

args() { # the parameters' names of a function, as its header has them
    tr '\n' ' ' <"short/$1.h" | sed "s/.*int $1(\([^)]*\)).*/\1/" | tr ',' '\n' | sed 's/.*[ *]//' | paste -sd, -
}
cat >main.c <<END
#include <stdio.h>
#include <stdlib.h>

#include "spgemm.h"
#include "spmv.h"
#include "sum.h"

/* A matrix of n x n: every third coordinate of each row, and 50 neighbours in every tenth row. */
enum { N = 400 };
static uint32_t A2_pos[N + 1], A2_crd[N * N];
static double A[N * N];

static void show(tsr_rt_output pos, tsr_rt_output crd, tsr_rt_output values)
{
    double sum = 0;
    for (int64_t p = 0; p < values.n; p++)
        sum += ((double *)values.data)[p] * (double)(p % 7) + ((uint32_t *)crd.data)[p];
    printf("%lld %.17g\n", (long long)values.n, sum + ((uint32_t *)pos.data)[N]);
    free(pos.data);
    free(crd.data);
    free(values.data);
}

int main(void)
{
    const int64_t nthreads = 2, i_size = N, j_size = N, k_size = N;
    const uint32_t *B2_pos = A2_pos, *B2_crd = A2_crd;
    const double *B = A;
    double x[N], y[N], all = 0;
    int64_t n = 0;
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = i % 3; j < N; j += i % 10 && (j < i || j > i + 50) ? 37 : 1) {
            A2_crd[n] = j;
            A[n++] = 1.0 / (i + j + 1);
        }
        A2_pos[i + 1] = (uint32_t)n;
        x[i] = i;
    }
    const int64_t A2_npos = n, B2_npos = n;
    tsr_rt_output pos = {0}, crd = {0}, values = {0}, *C2_pos_out = &pos, *C2_crd_out = &crd, *C_out = &values;
    (void)nthreads, (void)i_size, (void)j_size, (void)k_size, (void)A2_npos, (void)B2_npos;
    if (spmv($(args spmv)))
        return 1;
    for (int i = 0; i < N; i++)
        all += y[i];
    printf("%.10g\n", all);
    if (spgemm($(args spgemm)))
        return 1;
    show(pos, crd, values);
    if (sum($(args sum)))
        return 1;
    show(pos, crd, values);
    return 0;
}
END
build() { # FOLDER
    local cc=gcc
    command -v $cc >/dev/null || cc=cc
    $cc -std=c11 -O2 -march=native -fopenmp -I$1 main.c $1/spmv.c $1/spgemm.c $1/sum.c -o $1/main && $1/main >$1/result
}
if command -v cc >/dev/null; then
    t "build short && build whole && cmp short/result whole/result && wc -l <short/result"
else
    printf '%s\n' "$(sed -n '/^\$ build short/,/^3/p' "$TSR_SOURCE/tests/cli/tkern_runtime.out")"
fi

# What goes wrong.
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr -d A:2,2 --runtime=header"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr --emit=c --runtime=file"
t "tkern 'y(i) = A(i,j)*x(j)' -f A:csr -o tessera_rt.c --header --runtime=header"
t "ls tessera_rt.*"
