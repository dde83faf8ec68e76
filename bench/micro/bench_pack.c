/* Measures packing of coordinates: bench_pack [-r RUNS] [-t MAX_THREADS] [CASE...]
 *
 * For each case whose name begins with one of the arguments (by default all except the largest), with 1, 2,
 * 4... threads: wall time, time per entry, user time, the wall time of each step, the time to unpack, and the
 * peak memory of packing as a multiple of the coordinate form; the best of several runs. Every result must
 * equal the first one byte by byte. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench_clock.h"
#include "tsr_pack.h"

enum { NSTEPS = 4 }; /* steps: inspect, sort, count, fill */

/* Coordinates are dim * u^skew with u uniform in [0, 1): skew 1 is uniform, 3 a power law. */
typedef struct bench_case {
    const char *name, *format;
    int order;
    uint64_t dims[4], nnz;
    double skew;
    bool sorted;
} bench_case;

static const bench_case cases[] = {
    {"csr-800k", "ds", 2, {100000, 100000}, 800000, 1, false},
    {"csr-8m", "ds", 2, {1000000, 1000000}, 8000000, 1, false},
    {"csr-80m", "ds", 2, {10000000, 10000000}, 80000000, 1, false},
    {"csr-8m-skewed", "ds", 2, {1000000, 1000000}, 8000000, 3, false},
    {"csr-8m-sorted", "ds", 2, {1000000, 1000000}, 8000000, 1, true},
    {"csf-2m", "sss", 3, {100000, 60000, 2000}, 2000000, 1, false},
    {"csf-2m-skewed", "sss", 3, {100000, 60000, 2000}, 2000000, 3, false},
    {"csf-2m-skewed-sorted", "sss", 3, {100000, 60000, 2000}, 2000000, 3, true},
    {"csf4-2m-wide", "ssss", 4, {1u << 28, 1u << 28, 1u << 28, 1u << 28}, 2000000, 1, false},
    {"dense-8m", "dd", 2, {6000, 6000}, 8000000, 1, false},
};

static void die(const tsr_error *err)
{
    char buf[1200];
    fprintf(stderr, "bench_pack: %s\n", tsr_error_text(buf, sizeof buf, err));
    exit(1);
}

static uint64_t next_random(uint64_t *s)
{
    uint64_t z = (*s += 0x9e3779b97f4a7c15u); /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static tsr_format *parse(const bench_case *c)
{
    tsr_error err;
    tsr_format *format;
    if (tsr_format_parse(&format, c->format, c->order, c->dims, &err) != TSR_OK)
        die(&err);
    return format;
}

static tsr_coo *generate(const bench_case *c)
{
    tsr_error err;
    tsr_coo *coo;
    uint64_t s = 1;
    if (tsr_coo_new_sized(&coo, (tsr_shape){c->order, c->dims}, TSR_F64, false, c->nnz, &err) != TSR_OK)
        die(&err);
    for (uint64_t e = 0; e < c->nnz; e++)
        for (int m = 0; m < c->order; m++) {
            const double u = (double)(next_random(&s) >> 11) * 0x1p-53;
            tsr_array_set(&coo->crd[m], e, (uint64_t)((double)c->dims[m] * pow(u, c->skew)));
        }
    for (uint64_t e = 0; e < c->nnz; e++)
        ((double *)coo->values.data)[e] = 1 + (double)(e % 1000);
    if (!c->sorted)
        return coo;
    tsr_format *format = parse(c);
    tsr_tensor *tensor;
    if (tsr_pack(&tensor, coo, format, NULL, NULL, &err) != TSR_OK ||
        tsr_unpack(&coo, tensor, 0, &err) != TSR_OK)
        die(&err);
    tsr_tensor_free(tensor);
    tsr_format_free(format);
    return coo;
}

static tsr_coo *copy(const tsr_coo *from)
{
    tsr_error err;
    tsr_coo *to;
    if (tsr_coo_new_sized(&to, (tsr_shape){from->order, from->dims}, from->type, from->iso, from->nnz,
                          &err) != TSR_OK)
        die(&err);
    for (int m = 0; m < from->order; m++)
        memcpy(to->crd[m].data, from->crd[m].data, tsr_array_nbytes(&from->crd[m]));
    memcpy(to->values.data, from->values.data, tsr_array_nbytes(&from->values));
    return to;
}

static bool same_array(const tsr_array *a, const tsr_array *b)
{
    return a->n == b->n && a->width == b->width &&
           (!a->data || memcmp(a->data, b->data, a->n * a->width) == 0);
}

static void must_equal(const tsr_tensor *a, const tsr_tensor *b, const char *name)
{
    bool same = same_array(&a->values, &b->values);
    for (int l = 0; l < a->nlevels; l++)
        same = same && same_array(&a->levels[l].pos, &b->levels[l].pos) &&
               same_array(&a->levels[l].crd, &b->levels[l].crd);
    if (!same) {
        fprintf(stderr, "bench_pack: %s: a result differs from the first\n", name);
        exit(1);
    }
}

/* The times at which the packer reported the end of each step. */
typedef struct steps {
    int n;
    uint64_t at_ns[NSTEPS + 1];
} steps;

static bool note_step(void *ctx, const char *phase, uint64_t done, uint64_t total)
{
    steps *s = ctx;
    (void)phase, (void)done, (void)total;
    if (s->n <= NSTEPS)
        s->at_ns[s->n++] = bench_now_ns();
    return true;
}

/* User time of this process, without system time (zeroing of pages): stable on a busy machine. */
static double user_ms(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return 1e3 * (double)u.ru_utime.tv_sec + 1e-3 * (double)u.ru_utime.tv_usec;
}

static void run_case(const bench_case *c, const tsr_coo *coo, int nthreads, int nruns, tsr_tensor **first)
{
    tsr_format *format = parse(c);
    double best = INFINITY, best_user = INFINITY, best_unpack = INFINITY, step[NSTEPS] = {0}, memory = 0;
    for (int r = 0; r < nruns; r++) {
        tsr_coo *used = copy(coo);
        tsr_error err;
        tsr_tensor *tensor;
        steps s = {0};
        const tsr_observer observer = {.ctx = &s, .progress = note_step};
        const tsr_pack_options options = {.nthreads = nthreads, .observer = &observer};
        const uint64_t coo_nbytes = tsr_coo_nbytes(used);
        const uint64_t resident = bench_resident_nbytes() - coo_nbytes;
        bench_reset_peak();
        const double user = user_ms();
        const uint64_t from = bench_now_ns();
        if (tsr_pack(&tensor, used, format, &options, NULL, &err) != TSR_OK)
            die(&err);
        const double ms = 1e-6 * (double)(bench_now_ns() - from), spent = user_ms() - user;
        memory = fmax(memory, (double)(bench_peak_nbytes() - resident) / (double)coo_nbytes);
        best_user = fmin(best_user, spent);
        if (ms < best) {
            best = ms;
            for (int k = 0; k < NSTEPS; k++)
                step[k] = 1e-6 * (double)(s.at_ns[k + 1] - s.at_ns[k]);
        }
        tsr_coo *back;
        const uint64_t unpack_from = bench_now_ns();
        if (tsr_unpack(&back, tensor, nthreads, &err) != TSR_OK)
            die(&err);
        best_unpack = fmin(best_unpack, 1e-6 * (double)(bench_now_ns() - unpack_from));
        tsr_coo_free(back);
        if (*first) {
            must_equal(*first, tensor, c->name);
            tsr_tensor_free(tensor);
        } else {
            *first = tensor;
        }
    }
    printf("%-22s %d %8.1f %8.1f %8.1f   %6.1f %6.1f %6.1f %6.1f   %6.1f %5.2f\n", c->name, nthreads, best,
           1e6 * best / (double)c->nnz, best_user, step[0], step[1], step[2], step[3], best_unpack, memory);
    fflush(stdout);
    tsr_format_free(format);
}

static bool wanted(const bench_case *c, int argc, char **argv)
{
    for (int a = 1; a < argc; a++)
        if (strncmp(c->name, argv[a], strlen(argv[a])) == 0)
            return true;
    return argc < 2 && c->nnz <= 10000000;
}

int main(int argc, char **argv)
{
    int nruns = 9, max_threads = 2;
    for (; argc > 2 && argv[1][0] == '-'; argc -= 2, argv += 2)
        *(argv[1][1] == 'r' ? &nruns : &max_threads) = atoi(argv[2]);
    printf("%-22s %s %8s %8s %8s   %6s %6s %6s %6s   %6s %5s\n", "case", "t", "ms", "ns/entry", "user ms",
           "look", "sort", "count", "fill", "unpack", "peak");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!wanted(&cases[k], argc, argv))
            continue;
        tsr_coo *coo = generate(&cases[k]);
        tsr_tensor *first = NULL;
        for (int t = 1; t <= max_threads; t *= 2)
            run_case(&cases[k], coo, t, nruns, &first);
        tsr_tensor_free(first);
        tsr_coo_free(coo);
    }
    return 0;
}
