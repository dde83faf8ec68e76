// As much of ALTO's interface as tbench's driver uses, for headers of the tests' own that multiply entry by entry.
// -DWRONG (through the file wrong.hpp beside it): a wrong answer.
#ifndef ALTO_HPP_
#define ALTO_HPP_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

typedef unsigned long long IType;
typedef double FType;
typedef FType ValType;

struct SparseTensor {
    int nmodes;
    IType *dims, nnz, **cidx;
    FType *vals;
};

template <typename LIT> struct AltoTensor {
    int nmode;
    IType nnz;
    bool is_oidx;
    IType **oidx;
    SparseTensor *entries;
};

static inline void ParMemset(void *dst, int val, size_t bytes)
{
    memset(dst, val, bytes);
}

template <typename LIT> void create_alto(SparseTensor *spt, AltoTensor<LIT> **at, int nprtn)
{
    printf("ALTO: %d partitions, keys of %d bytes\n", nprtn, (int)sizeof(LIT));
    *at = (AltoTensor<LIT> *)malloc(sizeof **at);
    **at = AltoTensor<LIT>{spt->nmodes, spt->nnz, false, NULL, spt};
}

template <typename LIT> void destroy_alto(AltoTensor<LIT> *at)
{
    free(at);
}

template <typename LIT> void create_da_mem(int, IType, AltoTensor<LIT> *, FType ***ofibs)
{
    *ofibs = NULL;
}

template <typename LIT>
void mttkrp_alto_par(int target, FType **factors, IType rank, AltoTensor<LIT> *at, omp_lock_t *, FType **)
{
    const SparseTensor *t = at->entries;
    for (IType e = 0; e < t->nnz; e++)
        for (IType r = 0; r < rank; r++) {
            FType v = t->vals[e];
            for (int m = 0; m < t->nmodes; m++)
                if (m != target)
                    v *= factors[m][t->cidx[m][e] * rank + r];
#ifdef WRONG
            v += 1;
#endif
            factors[target][t->cidx[target][e] * rank + r] += v;
        }
}

#endif
