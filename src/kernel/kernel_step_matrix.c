/* Steps that are matrices of the statement: bands, and lists of coordinates. */
#include <inttypes.h>

#include "kernel_steps.h"
#include "tsr_parallel.h"

enum { FEW = 65536 }; /* elements that one thread fills */

/* ---- bands ---- */

/* The rows [first, behind) of a band have entries; row i those from i + low, or 0, to i + high, or ncols - 1. */
typedef struct interval {
    int64_t nrows, ncols, first, behind, low, high;
} interval;

static interval rows_of(const kernel_step *step)
{
    interval s = {.nrows = (int64_t)step->dims[0], .ncols = (int64_t)step->dims[1]};
    s.low = step->expr->low < -s.nrows ? -s.nrows : step->expr->low;
    s.high = step->expr->high > s.ncols ? s.ncols : step->expr->high;
    s.first = s.high < 0 ? -s.high : 0;
    s.behind = s.low < s.ncols ? s.ncols - s.low : 0;
    s.first = s.first < s.nrows ? s.first : s.nrows;
    s.behind = s.behind < s.nrows ? s.behind : s.nrows;
    s.behind = s.behind > s.first ? s.behind : s.first;
    return s;
}

/* A part of the arrays of the runs, of which a row has at most one. */
typedef struct band {
    interval s;
    const tsr_level *runs;
} band;

/* Fill this part, with elements of this type. */
#define FILL_RUNS(name, T)                                                                           \
    static void name(void *arg, int t, int nthreads)                                                 \
    {                                                                                                \
        const interval *const s = &((const band *)arg)->s;                                           \
        const tsr_level *const runs = ((const band *)arg)->runs;                                     \
        T *const pos = runs->pos.data, *const start = runs->start.data, *const end = runs->end.data; \
        const uint64_t nrows = (uint64_t)s->nrows + 1, n = (uint64_t)(s->behind - s->first);         \
        const int64_t row_end = (int64_t)tsr_cut(nrows, t + 1, nthreads);                            \
        const int64_t q_end = (int64_t)tsr_cut(n, t + 1, nthreads);                                  \
        for (int64_t i = (int64_t)tsr_cut(nrows, t, nthreads); i < row_end; i++)                     \
            pos[i] = (T)((i < s->first ? s->first : i > s->behind ? s->behind : i) - s->first);      \
        for (int64_t q = (int64_t)tsr_cut(n, t, nthreads); q < q_end; q++) {                         \
            const int64_t lo = s->first + q + s->low, hi = s->first + q + s->high + 1;               \
            start[q] = (T)(lo < 0 ? 0 : lo);                                                         \
            end[q] = (T)(hi < s->ncols ? hi : s->ncols);                                             \
        }                                                                                            \
    }
FILL_RUNS(fill_runs_32, uint32_t)
FILL_RUNS(fill_runs_64, uint64_t)

static tsr_status make_runs(tsr_level *runs, const kernel_step *step, int nthreads, tsr_error *err)
{
    band b = {rows_of(step), runs};
    const size_t width = (size_t)kernel_step_width(step);
    runs->nparents = step->dims[0];
    runs->npos = (uint64_t)(b.s.behind - b.s.first);
    for (const tsr_level_array *row = runs->type->arrays;
         row < runs->type->arrays + TSR_LEVEL_NROLES && row->name; row++)
        TSR_TRY(tsr_array_init(tsr_level_array_of(runs, row->role),
                               row->role == TSR_LEVEL_POS ? runs->nparents + 1 : runs->npos, width, 0,
                               "a band", err));
    tsr_parallel(runs->nparents < FEW ? 1 : tsr_thread_count(nthreads),
                 width == 4 ? fill_runs_32 : fill_runs_64, &b);
    return TSR_OK;
}

tsr_status kernel_step_band(tsr_tensor **out, const kernel_step *step, int nthreads, tsr_error *err)
{
    tsr_tensor *made;
    *out = NULL;
    TSR_TRY(tsr_tensor_new(&made, step->format, step->dims, TSR_PATTERN, err));
    made->levels[0].nparents = 1;
    made->levels[0].npos = step->dims[0];
    tsr_status status = make_runs(&made->levels[1], step, nthreads, err);
    made->npos = made->levels[1].npos;
    made->iso = true;
    if (status == TSR_OK)
        status = tsr_array_init(&made->values, 1, tsr_type_nbytes(TSR_PATTERN), 0, "values of a step", err);
    if (status != TSR_OK) {
        tsr_tensor_free(made);
        return status;
    }
    *(unsigned char *)made->values.data = 1;
    *out = made;
    return TSR_OK;
}

/* ---- lists ---- */

void kernel_print_list_step(tsr_text *text, const kernel_step *step, const tsr_notation *notation)
{
    const tsr_mode_window *const w = tsr_expr_window(step->expr, step->mode);
    tsr_text_addf(text, ", the %s of %s in ",
                  !w        ? "places"
                  : w->list ? "list"
                            : "window",
                  notation->var[step->expr->index[step->mode]]);
    tsr_expr_print(text, notation, step->expr);
    tsr_text_add(text, "\n");
}

/* The coordinates of the entries, which threads write. */
typedef struct list {
    tsr_array *from, *to; /* of the list, of the tensor */
    const tsr_mode_window *window;
    uint64_t n;
} list;

static void fill_list(void *arg, int t, int nthreads)
{
    const list *const l = arg;
    for (uint64_t k = tsr_cut(l->n, t, nthreads); k < tsr_cut(l->n, t + 1, nthreads); k++) {
        tsr_array_set(l->from, k, k);
        tsr_array_set(l->to, k, tsr_window_coordinate(l->window, k));
    }
}

tsr_status kernel_step_list(tsr_tensor **out, const kernel_step *step, const kernel_step_input *in,
                            tsr_error *err)
{
    const tsr_mode_window *const w = tsr_expr_window(step->expr, step->mode);
    const uint64_t n = step->dims[step->turned];
    tsr_coo *coo = NULL;
    const tsr_status status = tsr_coo_new_sized(&coo, (tsr_shape){2, step->dims}, TSR_PATTERN, true, n, err);
    if (status == TSR_OK) {
        list l = {&coo->crd[step->turned], &coo->crd[!step->turned], w, n};
        tsr_parallel(n < FEW ? 1 : tsr_thread_count(in->nthreads), fill_list, &l);
        *(unsigned char *)coo->values.data = 1;
    }
    return kernel_step_pack(out, step, coo, status, in->nthreads, err);
}
