/* The peak rate of fused multiply-adds: see bench_fma.h. Twelve independent chains cover four cycles of
 * latency on two or three units, and fit into sixteen registers together with the two factors. Vector types
 * and targets are compiler extensions, since a loop that the compiler may or may not vectorise would not
 * reach the peak. */
#include "bench_fma.h"

#include "tsr_cpu.h"

#define CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
enum { NCHAINS = 12 };
#define START(i) v##i = factor * (element)(i + 1);
#define DECLARE(i) vector v##i;
#define STEP(i) v##i = v##i * factor + term;
#define SUM(i) term += v##i;

/* factor < 1 and a small term keep the numbers of the chains normal; both come from *sink, so that the
 * compiler does not know them. */
#define PEAK(name, element_type, nbytes, attribute)                       \
    attribute static double name(long n, element_type *sink)              \
    {                                                                     \
        typedef element_type element;                                     \
        typedef element_type vector __attribute__((vector_size(nbytes))); \
        enum { WIDTH = (nbytes) / sizeof(element_type) };                 \
        vector factor, term;                                              \
        for (int k = 0; k < WIDTH; k++) {                                 \
            factor[k] = (element)0.5 + *sink / (element)(k + 3);          \
            term[k] = (element)0.25 + *sink;                              \
        }                                                                 \
        CHAINS(DECLARE)                                                   \
        CHAINS(START)                                                     \
        for (long r = 0; r < n; r++) {                                    \
            CHAINS(STEP)                                                  \
        }                                                                 \
        CHAINS(SUM)                                                       \
        element sum = 0;                                                  \
        for (int k = 0; k < WIDTH; k++)                                   \
            sum += term[k];                                               \
        *sink = sum > 0 ? 0 : 1;                                          \
        return 2.0 * NCHAINS * WIDTH * (double)n;                         \
    }

PEAK(peak_f64, double, 16, )
PEAK(peak_f32, float, 16, )

#if defined(__x86_64__) && defined(__GNUC__)
#define V3 __attribute__((target("avx2,fma")))
#define V4 __attribute__((target("avx512f,avx2,fma")))
PEAK(peak_f64_v3, double, 32, V3)
PEAK(peak_f32_v3, float, 32, V3)
PEAK(peak_f64_v4, double, 64, V4)
PEAK(peak_f32_v4, float, 64, V4)

double bench_fma_f64(long n, double *sink)
{
    const int level = tsr_cpu_level();
    return level >= 4 ? peak_f64_v4(n, sink) : level >= 3 ? peak_f64_v3(n, sink) : peak_f64(n, sink);
}

double bench_fma_f32(long n, float *sink)
{
    const int level = tsr_cpu_level();
    return level >= 4 ? peak_f32_v4(n, sink) : level >= 3 ? peak_f32_v3(n, sink) : peak_f32(n, sink);
}
#else
double bench_fma_f64(long n, double *sink)
{
    return peak_f64(n, sink);
}

double bench_fma_f32(long n, float *sink)
{
    return peak_f32(n, sink);
}
#endif
