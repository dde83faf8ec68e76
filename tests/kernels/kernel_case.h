/* A kernel's test as data: an expression, its tensors, the result, and the formats to try.
 *
 * Files of the folder cases/ have this form; '#' starts a comment:
 *
 *     A(i,k) = B(i,k)*C(i,j)*D(j,k)
 *     entries B 3 2            a tensor and its dims, then its entries: coordinates from 0, value
 *       0 0  1
 *       2 1  3.5
 *     values C 3 2             likewise, but all values, the last mode fastest
 *       1 2  3 4  5 6
 *     values D 2 2
 *       1 0  0 1
 *     result A 3 2             what must come out, all values (before A: what += adds to)
 *       1 0  0 0  0 21
 *     formats B: csr           one line for each choice; what is not named is dense
 *     formats A: csr; B: csr; D: densec */
#ifndef KERNEL_CASE_H
#define KERNEL_CASE_H

#include "dense.h"

enum { KERNEL_CASE_MAX_ROWS = 64 };

typedef struct kernel_case {
    char name[64];
    tsr_notation *notation;
    dense tensors[TSR_NOTATION_MAX_TENSORS]; /* by number; the result's is what was there before: zeros */
    dense want;
    int nrows;
    char *format[KERNEL_CASE_MAX_ROWS]
                [TSR_NOTATION_MAX_TENSORS]; /* of each tensor in each choice; "" or NULL: dense */
} kernel_case;

/* Read a file of cases/. */
void kernel_case_read(kernel_case *c, const char *path);
void kernel_case_clear(kernel_case *c);
/* Call `visit` with every case of TSR_SHARED/cases/expressions.json (skip() without), or of the folder.
 * Returns how many there were. */
int kernel_cases_shared(void (*visit)(void *arg, const kernel_case *c), void *arg);
int kernel_cases_of_folder(const char *folder, void (*visit)(void *arg, const kernel_case *c), void *arg);
/* The format of tensor t in row r. */
const char *kernel_case_format(const kernel_case *c, int r, int t);
/* The tensors as dense_evaluate takes them. */
void kernel_case_operands(const dense **operands, const kernel_case *c);

#endif
