/* Programs that several tests of ir use. */
#ifndef IR_PROGRAMS_H
#define IR_PROGRAMS_H

#include "tsr_ir.h"

/* y(i) = A(i,j)*x(j), A in CSR, in parallel. Parameters: nthreads, i_size, j_size, nnz, A2_pos, A2_crd, A, x,
 * y. */
void program_spmv(tsr_ir_builder *b);
/* A(i,r) = B(i,j,k)*C(j,r)*D(k,r), B in CSF, with rank elements of `elem` per row, computed in `type`.
 * Parameters: i_size, j_size, k_size, n1, n2, nnz, B1_crd, B2_pos, B2_crd, B3_pos, B3_crd, B, C, D, A. */
void program_mttkrp(tsr_ir_builder *b, int rank, tsr_type elem, tsr_type type);

/* The program that was built; fails the test if it cannot be finished. */
tsr_ir *program_finish(tsr_ir_builder *b, const char *header);
/* Its text; the caller frees (free). */
char *program_text(const tsr_ir *ir);

#endif
