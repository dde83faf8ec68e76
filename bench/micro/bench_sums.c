/* How the C text of a sum grows with the number of operands, and how long making it takes.
 *
 *     bench_sums [rounds]
 *
 * The sums have 2 to 16 operands, all sparse, the result too. The time is the least of the rounds (50 by default): reading the
 * statement, planning, lowering, checking the program, and printing C11. The plan is that for two threads with the default numbers of
 * the machine, so that the texts are the same everywhere. Standard output is a table for docs/measurements/kernels.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_run.h"
#include "tsr_kernel.h"

enum { MAX_OPERANDS = 16, MAX_ORDER = 3 };

static const struct {
    const char *name, *format, *index;
    int order;
} forms[] = {{"csr", "ds", "i,j", 2}, {"csf", "sss", "i,j,k", 3}};
static const int operands[] = {2, 3, 4, 6, 8, 12, 16};
static const uint64_t dims[MAX_ORDER] = {1000, 1000, 1000};

typedef struct sum {
    tsr_text expression, text;
    int ntensors; /* the result and the operands */
    tsr_kernel_tensor tensors[MAX_OPERANDS + 1];
    char names[MAX_OPERANDS + 1][2]; /* "A", "B"...; the result is R */
} sum;

static void sum_init(sum *s, size_t form, int n, const tsr_format *format)
{
    *s = (sum){.ntensors = n + 1};
    for (int t = 0; t <= n; t++) {
        s->names[t][0] = t == 0 ? 'R' : (char)('A' + t - 1);
        s->tensors[t] = (tsr_kernel_tensor){.name = s->names[t], .format = format, .dims = dims};
        tsr_text_addf(&s->expression, "%s(%s)%s", s->names[t], forms[form].index,
                      t == 0  ? " = "
                      : t < n ? " + "
                              : "");
    }
}

static void sum_clear(sum *s)
{
    tsr_text_clear(&s->expression);
    tsr_text_clear(&s->text);
}

static tsr_status make(void *ctx, tsr_error *err)
{
    sum *const s = ctx;
    const tsr_kernel_options options = {.nthreads = 2, .engine = TSR_ENGINE_INTERPRETER};
    tsr_kernel *kernel = NULL;
    s->text.nbytes = 0;
    TSR_TRY(tsr_text_status(&s->expression, err));
    TSR_TRY(tsr_kernel_new(&kernel, tsr_text_cstr(&s->expression), s->tensors, s->ntensors, &options, err));
    const tsr_status status = tsr_kernel_print(&s->text, kernel, TSR_KERNEL_C11, err);
    tsr_kernel_free(kernel);
    return status;
}

/* Print the cell of the sum of n tensors. */
static tsr_status print_cell(size_t form, int n, int rounds, tsr_error *err)
{
    tsr_format *format;
    sum s;
    TSR_TRY(tsr_format_parse(&format, forms[form].format, forms[form].order, dims, err));
    sum_init(&s, form, n, format);
    bench_candidate candidate = {.name = "sum", .nthreads = 1, .ctx = &s, .run = make};
    const bench_run_options options = {.reps = rounds, .once = true, .quick = rounds == 1};
    const tsr_status status = bench_run(NULL, &candidate, 1, &options, err);
    if (status == TSR_OK) {
        const char *const text = tsr_text_cstr(&s.text);
        int nlines = 0;
        for (const char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n'))
            nlines++;
        printf(" %d, %.1f, %.2f |", nlines, (double)s.text.nbytes / 1e3, candidate.ns.min / 1e6);
    }
    sum_clear(&s);
    tsr_format_free(format);
    return status;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 50;
    tsr_error err = {0};
    tsr_status status = TSR_OK;
    if (rounds < 1 || rounds > BENCH_MAX_REPS) {
        fprintf(stderr, "bench_sums [rounds]: 1 to %d rounds\n", BENCH_MAX_REPS);
        return 2;
    }
    printf("| operands | csr: lines, kB, ms | csf: lines, kB, ms |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof operands / sizeof operands[0] && status == TSR_OK; i++) {
        printf("| %d |", operands[i]);
        for (size_t form = 0; form < sizeof forms / sizeof forms[0] && status == TSR_OK; form++)
            status = print_cell(form, operands[i], rounds, &err);
        printf("\n");
    }
    if (status != TSR_OK)
        fprintf(stderr, "bench_sums: %s\n", err.message);
    return status != TSR_OK;
}
