/* The peak rate of fused multiply-adds. */
#ifndef BENCH_FMA_H
#define BENCH_FMA_H

/* Run n rounds of fused multiply-adds on vectors in registers, of the widest kind that this processor has,
 * and store a result in *sink. Returns the number of operations (two for each element of a multiply-add). */
double bench_fma_f64(long n, double *sink);
double bench_fma_f32(long n, float *sink);

#endif
