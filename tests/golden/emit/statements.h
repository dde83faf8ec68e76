/* Statements of every kind */
#ifndef STATEMENTS_H
#define STATEMENTS_H

#include <stdint.h>

#ifdef __cplusplus
#include <complex>
typedef std::complex<float> tsr_c64;
typedef std::complex<double> tsr_c128;
#else
typedef float _Complex tsr_c64;
typedef double _Complex tsr_c128;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap other arrays. */
int statements(int64_t n, int64_t double_2, float *y, tsr_c64 *z, const uint8_t *int_2);

#ifdef __cplusplus
}
#endif
#endif
