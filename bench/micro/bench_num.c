/* Measures parsing and printing of numbers in ns per number, beside the C library. Each kind of number is a
 * text with one number per line, as text readers see them; the figure is the least of several passes. Every
 * parsed number is compared with strtod, every printed number is parsed back, before its time counts.
 *
 *     bench_num [numbers [passes]] */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tsr_digits.h"
#include "tsr_num.h"

enum { LINE_NBYTES = 64, PADDING = 64 };

static uint64_t rng = 1;

static uint64_t random_u64(void)
{
    uint64_t z = (rng += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double random_unit(void)
{
    return (double)(random_u64() >> 11) * 0x1p-53;
}

/* Functions that write one line of each kind. */
static int line_unit17(char *buf)
{
    return snprintf(buf, LINE_NBYTES, "%.17g\n", random_unit());
}
static int line_sci17(char *buf)
{
    return snprintf(buf, LINE_NBYTES, "%.16e\n",
                    (random_unit() - 0.5) * pow(10, (double)(random_u64() % 20) - 10));
}
static int line_any17(char *buf)
{
    double v;
    do {
        const uint64_t bits = random_u64();
        memcpy(&v, &bits, sizeof v);
    } while (!isfinite(v));
    return snprintf(buf, LINE_NBYTES, "%.17g\n", v);
}
static int line_short(char *buf)
{
    return snprintf(buf, LINE_NBYTES, "%.1f\n", random_unit() * 100);
}
static int line_same(char *buf)
{
    return snprintf(buf, LINE_NBYTES, "12.5\n");
}
static int line_mixed(char *buf)
{
    return snprintf(buf, LINE_NBYTES, "%.*g\n", (int)(random_u64() % 7) + 1, (random_unit() - 0.5) * 1000);
}
static int line_point0(char *buf)
{
    return snprintf(buf, LINE_NBYTES, "%" PRIu64 ".0\n", random_u64() % 1000);
}
static int line_index(char *buf)
{
    return snprintf(buf, LINE_NBYTES, "%" PRIu64 "\n", random_u64() % 1000000);
}
static int line_u64(char *buf)
{
    return snprintf(buf, LINE_NBYTES, "%" PRIu64 "\n", random_u64() >> (random_u64() % 64));
}

static const struct kind {
    const char *name;
    int (*line)(char *buf);
    bool integer;
} kinds[] = {
    {"0.d17 in [0,1)", line_unit17, false},
    {"d.d16e+-x", line_sci17, false},
    {"17 digits, any bits", line_any17, false},
    {"12.5 (always)", line_same, false},
    {"d.d or dd.d", line_short, false},
    {"1..7 digits, signed", line_mixed, false},
    {"ddd.0", line_point0, false},
    {"index < 1e6", line_index, true},
    {"u64, any length", line_u64, true},
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The measured functions: parse all numbers of a text into v[], or print all of v[] into a text. */
typedef struct job {
    const char *text, *end;
    uint64_t n;
    double *f64;
    float *f32;
    uint64_t *u64;
    char *out; /* room for n lines */
    size_t out_nbytes;
} job;

#define PARSE(name, call)                     \
    static void name(job *j)                  \
    {                                         \
        const char *p = j->text;              \
        for (uint64_t i = 0; i < j->n; i++) { \
            p = call;                         \
            p++;                              \
        }                                     \
    }
static const char *libc_f64(double *out, const char *p)
{
    char *stop;
    *out = strtod(p, &stop);
    return stop;
}
static const char *libc_f32(float *out, const char *p)
{
    char *stop;
    *out = strtof(p, &stop);
    return stop;
}
static const char *libc_u64(uint64_t *out, const char *p)
{
    char *stop;
    *out = strtoull(p, &stop, 10);
    return stop;
}
PARSE(parse_f64, tsr_parse_f64(&j->f64[i], p, j->end))
PARSE(parse_f64_libc, libc_f64(&j->f64[i], p))
PARSE(parse_f32, tsr_parse_f32(&j->f32[i], p, j->end))
PARSE(parse_f32_libc, libc_f32(&j->f32[i], p))
PARSE(parse_u64, tsr_parse_u64(&j->u64[i], p, j->end))
static inline const char *digits_u64(uint64_t *out, const char *p, const char *end)
{
    const char *stop = tsr_digits(out, p);
    return stop ? stop : tsr_parse_u64(out, p, end); /* 20 digits */
}
PARSE(parse_digits, digits_u64(&j->u64[i], p, j->end))
PARSE(parse_u64_libc, libc_u64(&j->u64[i], p))

#define PRINT(name, call)                     \
    static void name(job *j)                  \
    {                                         \
        char *p = j->out;                     \
        for (uint64_t i = 0; i < j->n; i++) { \
            p += call;                        \
            *p++ = '\n';                      \
        }                                     \
        j->out_nbytes = (size_t)(p - j->out); \
    }
PRINT(print_f64, tsr_print_f64(p, j->f64[i]))
PRINT(print_f32, tsr_print_f32(p, j->f32[i]))
PRINT(print_u64, tsr_print_u64(p, j->u64[i]))
PRINT(print_f64_libc, snprintf(p, LINE_NBYTES, "%.17g", j->f64[i]))
PRINT(print_f32_libc, snprintf(p, LINE_NBYTES, "%.9g", (double)j->f32[i]))
PRINT(print_u64_libc, snprintf(p, LINE_NBYTES, "%" PRIu64, j->u64[i]))

static double least_ns(job *j, void (*subject)(job *), int npasses)
{
    double least = INFINITY;
    for (int pass = 0; pass < npasses; pass++) {
        const double start = now_ns();
        subject(j);
        const double ns = (now_ns() - start) / (double)j->n;
        least = ns < least ? ns : least;
    }
    return least;
}

static bool same(const char *what, const char *kind, const void *a, const void *b, size_t nbytes)
{
    if (memcmp(a, b, nbytes) != 0)
        fprintf(stderr, "bench_num: %s, %s: the answers differ\n", what, kind);
    return memcmp(a, b, nbytes) == 0;
}

static void compare(job *j, const char *what, const char *kind, void (*ours)(job *), void (*libc)(job *),
                    int npasses)
{
    const double a = least_ns(j, ours, npasses), b = least_ns(j, libc, npasses);
    printf("%-17s %-21s %6.1f ns %9.1f ns %6.1fx\n", what, kind, a, b, b / a);
}

/* Time all functions on the text of one kind; false if an answer is wrong. */
static bool run(job *j, const struct kind *kind, int npasses)
{
    const size_t n = j->n;
    const char *const text = j->text, *const end = j->end;
    double *f64 = malloc(n * sizeof *f64);
    float *f32 = malloc(n * sizeof *f32);
    uint64_t *u64 = malloc(n * sizeof *u64);
    bool ok = f64 && f32 && u64;
    if (ok) {
        parse_f64_libc(j);
        parse_f32_libc(j);
        memcpy(f64, j->f64, n * sizeof *f64);
        memcpy(f32, j->f32, n * sizeof *f32);
        parse_f64(j);
        parse_f32(j);
        ok = same("parse f64", kind->name, f64, j->f64, n * sizeof *f64) &&
             same("parse f32", kind->name, f32, j->f32, n * sizeof *f32);
    }
    if (ok && kind->integer) {
        parse_u64_libc(j);
        memcpy(u64, j->u64, n * sizeof *u64);
        parse_u64(j);
        ok = same("parse u64", kind->name, u64, j->u64, n * sizeof *u64);
        parse_digits(j);
        ok = ok && same("parse digits", kind->name, u64, j->u64, n * sizeof *u64);
    }
    if (ok) { /* printed numbers read back */
        print_f64(j);
        j->text = j->out;
        j->end = j->out + j->out_nbytes;
        parse_f64(j);
        ok = same("print f64", kind->name, f64, j->f64, n * sizeof *f64);
        print_f32(j);
        j->end = j->out + j->out_nbytes;
        parse_f32(j);
        ok = ok && same("print f32", kind->name, f32, j->f32, n * sizeof *f32);
        j->text = text;
        j->end = end;
    }
    if (ok) {
        compare(j, "parse f64", kind->name, parse_f64, parse_f64_libc, npasses);
        compare(j, "parse f32", kind->name, parse_f32, parse_f32_libc, npasses);
        if (kind->integer) {
            compare(j, "parse u64", kind->name, parse_u64, parse_u64_libc, npasses);
            compare(j, "parse digits", kind->name, parse_digits, parse_u64_libc, npasses);
            compare(j, "print u64", kind->name, print_u64, print_u64_libc, npasses);
        }
        compare(j, "print f64", kind->name, print_f64, print_f64_libc, npasses);
        compare(j, "print f32", kind->name, print_f32, print_f32_libc, npasses);
    }
    free(f64);
    free(f32);
    free(u64);
    return ok;
}

int main(int argc, char **argv)
{
    const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
    const int npasses = argc > 2 ? atoi(argv[2]) : 15;
    if (n == 0 || n > 100000000 || npasses < 1) {
        fprintf(stderr, "usage: bench_num [numbers [passes]]\n");
        return 2;
    }
    char *text = malloc(n * LINE_NBYTES + PADDING), *out = malloc(n * LINE_NBYTES);
    job j = {.n = n, .out = out, .text = text};
    j.f64 = malloc(n * sizeof *j.f64);
    j.f32 = malloc(n * sizeof *j.f32);
    j.u64 = calloc(n, sizeof *j.u64);
    bool ok = text && out && j.f64 && j.f32 && j.u64;
    if (ok)
        printf("%-39s %9s %12s %7s\n", "", "Tessera", "C library", "ratio");
    for (size_t k = 0; ok && k < sizeof kinds / sizeof kinds[0]; k++) {
        char *end = text;
        for (uint64_t i = 0; i < n; i++)
            end += kinds[k].line(end);
        memset(end, 0, PADDING);
        j.end = end;
        ok = run(&j, &kinds[k], npasses);
    }
    free(text);
    free(out);
    free(j.f64);
    free(j.f32);
    free(j.u64);
    return ok ? 0 : 1;
}
