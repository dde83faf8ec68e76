/* tsr_transform: one pass over the entries, block by block. Each thread has a contiguous share of the
 * entries and moves the entries that stay to the front of its share; after all threads have ended, the shares
 * are joined. A thread reads all coordinates of a block before it writes the first one, and writes no entry
 * behind the place from which it was read. So the arrays that are read can be the arrays that are written. */
#include "tsr_transform.h"

#include <inttypes.h>
#include <stdio.h>

#include "tsr_checked.h"
#include "tsr_map.h"
#include "tsr_memory.h"
#include "tsr_parallel.h"

/* Another thread pays only for at least this number of entries. */
enum { ENTRIES_PER_THREAD = 1 << 14 };

/* The share of one thread, and memory for a block of entries. */
typedef struct share {
    uint64_t first, nkept;
    tsr_error err; /* status TSR_OK: no error */
    void *memory;
    uint64_t *in[TSR_MAX_ORDER], *out[TSR_MAX_ORDER]; /* TSR_MAP_BLOCK elements each */
    uint8_t *inside;                                  /* TSR_MAP_BLOCK flags */
    uint32_t *kept; /* the numbers, in the block, of the entries in the domain */
    void *plan_scratch;
} share;

typedef struct job {
    tsr_coo *coo;
    const tsr_map *map;
    tsr_map_plan *plan;
    int nin, nout, nthreads;
    uint64_t dims[TSR_MAX_ORDER]; /* nout elements, as the arrays below */
    int alias[TSR_MAX_ORDER];     /* the mode of which a result is a copy, or -1 */
    bool unsure[TSR_MAX_ORDER];   /* the result may be outside the dim */
    int reused[TSR_MAX_ORDER];    /* the mode whose array gets the coordinates of the result, or -1 */
    tsr_array crd[TSR_MAX_ORDER]; /* the coordinates of the results; owned where reused is -1 */
    bool selects;                 /* some cells are outside the domain of the map */
    share *shares;                /* nthreads elements */
} job;

/* ---- a block ---- */

/* List in s->kept the entries of the block that are in the domain; return the number of them. s->kept is not
 * written if all cells are in the domain. */
static size_t find_kept(const job *j, share *s, const int64_t *const *in, size_t n)
{
    if (!j->selects)
        return n;
    size_t nkept = 0;
    tsr_map_plan_inside(j->plan, s->inside, in, n, s->plan_scratch);
    for (size_t e = 0; e < n; e++) {
        s->kept[nkept] = (uint32_t)e;
        nkept += s->inside[e];
    }
    return nkept;
}

/* Keep only the elements of a row that `kept` lists. */
static void compress_row(uint64_t *row, const uint32_t *kept, size_t nkept)
{
    for (size_t i = 0; i < nkept; i++)
        row[i] = row[kept[i]];
}

#define COMPRESS(ctype)                       \
    do {                                      \
        ctype *const to = (ctype *)data;      \
        for (size_t i = 0; i < nkept; i++)    \
            to[at + i] = to[first + kept[i]]; \
        return;                               \
    } while (0)

typedef struct value16 {
    uint64_t half[2];
} value16;

/* Move the values of the listed entries of the block that begins at entry `first` to entries [at, at +
 * nkept), where at <= first. `all`: the list has all entries of the block. */
static void move_values(tsr_array *values, uint64_t at, uint64_t first, const uint32_t *kept, size_t nkept,
                        bool all)
{
    unsigned char *const bytes = values->data;
    void *const data = values->data;
    if (all) {
        if (at != first)
            memmove(bytes + at * values->width, bytes + first * values->width, nkept * values->width);
        return;
    }
    switch (values->width) {
    case 1:
        COMPRESS(uint8_t);
    case 2:
        COMPRESS(uint16_t);
    case 4:
        COMPRESS(uint32_t);
    case 8:
        COMPRESS(uint64_t);
    default:
        COMPRESS(value16);
    }
}

/* Write "(3, 4)" for element i of each of n rows to buf, and return buf. buf has 22 bytes for each
 * coordinate and 3 bytes more. */
static const char *tuple_text(char *buf, size_t nbytes, uint64_t *const *row, int n, size_t i)
{
    size_t at = 1;
    buf[0] = '(';
    for (int m = 0; m < n; m++)
        at += (size_t)snprintf(buf + at, nbytes - at, "%s%" PRId64, m > 0 ? ", " : "", (int64_t)row[m][i]);
    buf[at] = ')';
    buf[at + 1] = '\0';
    return buf;
}

/* Return true if every result is inside its dim; else set s->err. */
static bool check_results(const job *j, share *s, uint64_t *const *out, size_t n)
{
    for (int r = 0; r < j->nout; r++) {
        bool bad = false;
        for (size_t i = 0; j->unsure[r] && i < n; i++)
            bad |= out[r][i] >= j->dims[r];
        for (size_t i = 0; bad && i < n; i++)
            if (out[r][i] >= j->dims[r]) {
                char from[TSR_MAX_ORDER * 22 + 3], to[TSR_MAX_ORDER * 22 + 3];
                (void)tsr_fail(&s->err, TSR_RANGE,
                               "the entry at %s (counted from 0) moves to %s, which is outside dim %d of "
                               "%" PRIu64 "; make the dim larger, or leave the entry out with a domain",
                               tuple_text(from, sizeof from, s->in, j->nin, i),
                               tuple_text(to, sizeof to, out, j->nout, i), r, j->dims[r]);
                return false;
            }
    }
    return true;
}

/* Transform n entries from `first` on, and set *nkept to the number of entries that stay. Returns false when
 * s->err is set. */
static bool take_block(job *j, share *s, size_t *nkept, uint64_t first, size_t n)
{
    const uint64_t at = s->first + s->nkept;
    const int64_t *in[TSR_MAX_ORDER];
    int64_t *wanted[TSR_MAX_ORDER];
    uint64_t *out[TSR_MAX_ORDER];
    for (int m = 0; m < j->nin; m++) {
        tsr_array_load(s->in[m], &j->coo->crd[m], first, n);
        in[m] = (const int64_t *)s->in[m];
    }
    *nkept = find_kept(j, s, in, n);
    const bool all = *nkept == n, same_place = all && at == first;
    for (int m = 0; !all && m < j->nin; m++)
        compress_row(s->in[m], s->kept, *nkept);
    for (int r = 0; r < j->nout; r++) {
        wanted[r] = j->alias[r] < 0 ? (int64_t *)s->out[r] : NULL;
        out[r] = j->alias[r] < 0 ? s->out[r] : s->in[j->alias[r]];
    }
    tsr_map_plan_apply(j->plan, wanted, in, *nkept, s->plan_scratch);
    if (!check_results(j, s, out, *nkept))
        return false;
    for (int r = 0; r < j->nout; r++)
        if (!(same_place && j->reused[r] >= 0 && j->reused[r] == j->alias[r]))
            tsr_array_store(&j->crd[r], at, out[r], *nkept);
    if (!j->coo->iso)
        move_values(&j->coo->values, at, first, s->kept, *nkept, all);
    return true;
}

static void take_share(void *arg, int t, int nthreads)
{
    job *j = arg;
    share *s = &j->shares[t];
    const uint64_t end = tsr_cut(j->coo->nnz, t + 1, nthreads);
    size_t n, nkept;
    for (uint64_t first = s->first; first < end; first += n) {
        n = end - first < TSR_MAP_BLOCK ? (size_t)(end - first) : TSR_MAP_BLOCK;
        if (!take_block(j, s, &nkept, first, n))
            return;
        s->nkept += nkept;
    }
}

/* ---- the job ---- */

static tsr_status check_arguments(const job *j, const uint64_t *out_dims, tsr_error *err)
{
    const tsr_coo *coo = j->coo;
    const int nresults = tsr_map_nresults(j->map);
    if (coo->structure != TSR_GENERAL)
        return tsr_fail(err, TSR_ARGUMENT,
                        "cannot transform a %s matrix: expand it to a general matrix first",
                        tsr_structure_name(coo->structure));
    if (tsr_map_ndims(j->map) != coo->order)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "the map has %d dims, but the tensor has %d modes: the map needs one dim for each mode",
            tsr_map_ndims(j->map), coo->order);
    if (tsr_map_nvars(j->map) != tsr_map_ndims(j->map))
        return tsr_fail(err, TSR_ARGUMENT,
                        "cannot apply a map with symbols to a tensor: put numbers in place of the symbols");
    if (nresults > TSR_MAX_ORDER)
        return tsr_fail(err, TSR_LIMIT,
                        "the transformed tensor would have %d modes: at most %d are supported", nresults,
                        (int)TSR_MAX_ORDER);
    for (int r = 0; r < nresults; r++)
        if (out_dims[r] > INT64_MAX)
            return tsr_fail(err, TSR_LIMIT, "dim %d of %" PRIu64 " is over 2^63 - 1", r, out_dims[r]);
    return TSR_OK;
}

/* Give result r the array of mode m if the width is right and no result has the array yet. */
static bool reuse(job *j, bool *taken, int r, int m)
{
    if (taken[m] || j->coo->crd[m].width != tsr_crd_width(j->dims[r]))
        return false;
    taken[m] = true;
    j->reused[r] = m;
    j->crd[r] = j->coo->crd[m];
    return true;
}

/* Find an array for each result: the array of the mode of which the result is a copy, else an array that no
 * result has, else a new array. */
static tsr_status find_arrays(job *j, tsr_error *err)
{
    bool taken[TSR_MAX_ORDER] = {false}, done[TSR_MAX_ORDER] = {false};
    for (int r = 0; r < j->nout; r++) {
        j->reused[r] = -1;
        if (j->alias[r] >= 0)
            done[r] = reuse(j, taken, r, j->alias[r]);
    }
    double nbytes = 0;
    for (int r = 0; r < j->nout; r++) {
        for (int m = 0; m < j->nin && !done[r]; m++)
            done[r] = reuse(j, taken, r, m);
        nbytes += done[r] ? 0 : (double)j->coo->nnz * (double)tsr_crd_width(j->dims[r]);
    }
    TSR_TRY(tsr_memory_check(nbytes, "transforming the coordinates", err));
    for (int r = 0; r < j->nout; r++) {
        if (!done[r])
            TSR_TRY(tsr_array_init(&j->crd[r], j->coo->nnz, tsr_crd_width(j->dims[r]), 0,
                                   "an array of coordinates", err));
    }
    return TSR_OK;
}

/* Whether all entries stay and each result is the array of a mode: only the pointers to the arrays
 * change. */
static bool only_moves_modes(const job *j)
{
    bool moves = !j->selects;
    for (int r = 0; r < j->nout; r++)
        moves = moves && !j->unsure[r] && j->reused[r] >= 0 && j->reused[r] == j->alias[r];
    return moves;
}

static int threads_for(uint64_t n, int requested)
{
    const int most = tsr_thread_count(requested);
    const uint64_t useful = n / ENTRIES_PER_THREAD + 1;
    /* the caller's number is used even for few entries: tests rely on it */
    return requested > 0 || useful > (uint64_t)most ? most : (int)useful;
}

static tsr_status make_shares(job *j, tsr_error *err)
{
    void *p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)j->nthreads, sizeof *j->shares, 1, "transforming", err));
    j->shares = p;
    const size_t row = TSR_MAP_BLOCK * sizeof(uint64_t);
    for (int t = 0; t < j->nthreads; t++) {
        share *s = &j->shares[t];
        TSR_TRY(tsr_alloc_array(&s->memory,
                                (size_t)(j->nin + j->nout + 1) * row + tsr_map_plan_scratch_nbytes(j->plan),
                                1, 0, "transforming", err));
        unsigned char *memory = s->memory;
        for (int m = 0; m < j->nin; m++, memory += row)
            s->in[m] = (uint64_t *)(void *)memory;
        for (int r = 0; r < j->nout; r++, memory += row)
            s->out[r] = (uint64_t *)(void *)memory;
        s->kept = (uint32_t *)(void *)memory; /* kept and inside share one row */
        s->inside = memory + TSR_MAP_BLOCK * sizeof *s->kept;
        s->plan_scratch = memory + row;
        s->first = tsr_cut(j->coo->nnz, t, j->nthreads);
    }
    return TSR_OK;
}

static void close_gap(tsr_array *array, uint64_t to, uint64_t from, uint64_t n)
{
    unsigned char *const bytes = array->data;
    if (to != from && n > 0)
        memmove(bytes + to * array->width, bytes + from * array->width, n * array->width);
}

/* Move the entries that stay in all shares together. */
static tsr_status join_shares(job *j, tsr_error *err)
{
    tsr_coo *coo = j->coo;
    uint64_t n = 0;
    for (int t = 0; t < j->nthreads; t++) {
        const share *s = &j->shares[t];
        for (int r = 0; r < j->nout; r++)
            close_gap(&j->crd[r], n, s->first, s->nkept);
        if (!coo->iso)
            close_gap(&coo->values, n, s->first, s->nkept);
        n += s->nkept;
    }
    for (int r = 0; r < j->nout; r++)
        TSR_TRY(tsr_array_resize(&j->crd[r], n, j->crd[r].width, "coordinates", err));
    if (!coo->iso)
        TSR_TRY(tsr_array_resize(&coo->values, n, coo->values.width, "values", err));
    coo->nnz = n;
    return TSR_OK;
}

static tsr_status move_entries(job *j, tsr_error *err)
{
    TSR_TRY(make_shares(j, err));
    tsr_parallel(j->nthreads, take_share, j);
    for (int t = 0; t < j->nthreads; t++)
        TSR_TRY(tsr_fail_as(err, &j->shares[t].err));
    return join_shares(j, err);
}

static tsr_status start_job(job *j, const uint64_t *out_dims, tsr_error *err)
{
    TSR_TRY(check_arguments(j, out_dims, err));
    j->nin = j->coo->order;
    j->nout = tsr_map_nresults(j->map);
    j->selects = tsr_map_is_constrained(j->map);
    for (int m = 0; m < j->nin; m++) {
        const tsr_interval bounds = tsr_map_var_bounds(j->map, m);
        j->selects |= bounds.lo > 0 || bounds.hi < 0 || (uint64_t)bounds.hi < j->coo->dims[m] - 1;
    }
    if (j->coo->nnz > 0)
        TSR_TRY(tsr_map_plan_new(&j->plan, j->map, err));
    for (int r = 0; r < j->nout; r++) {
        const tsr_interval bounds = tsr_map_result_bounds(j->map, r);
        j->dims[r] = out_dims[r];
        j->unsure[r] = bounds.lo < 0 || bounds.hi < 0 || (uint64_t)bounds.hi >= out_dims[r];
        j->alias[r] = j->plan ? tsr_map_plan_alias(j->plan, r) : -1;
    }
    return find_arrays(j, err);
}

/* Give coo the arrays of the results, and free the arrays of modes that no result uses. */
static void install(job *j)
{
    tsr_coo *coo = j->coo;
    for (int r = 0; r < j->nout; r++)
        if (j->reused[r] >= 0)
            coo->crd[j->reused[r]] = (tsr_array){0};
    for (int m = 0; m < j->nin; m++)
        tsr_array_clear(&coo->crd[m]);
    for (int r = 0; r < j->nout; r++) {
        coo->crd[r] = j->crd[r];
        coo->dims[r] = j->dims[r];
    }
    coo->order = j->nout;
    coo->natural = NULL;
}

static void end_job(job *j, bool failed)
{
    for (int t = 0; j->shares && t < j->nthreads; t++)
        tsr_free(j->shares[t].memory);
    tsr_free(j->shares);
    tsr_map_plan_free(j->plan);
    for (int r = 0; failed && r < j->nout; r++)
        if (j->reused[r] < 0)
            tsr_array_clear(&j->crd[r]);
}

tsr_status tsr_transform(tsr_coo *coo, uint64_t *ndropped, const tsr_map *forward, const uint64_t *out_dims,
                         int nthreads, tsr_error *err)
{
    job j = {.coo = coo, .map = forward, .nthreads = threads_for(coo->nnz, nthreads)};
    const uint64_t before = coo->nnz;
    tsr_status status = start_job(&j, out_dims, err);
    if (status == TSR_OK && coo->nnz > 0 && !only_moves_modes(&j))
        status = move_entries(&j, err);
    if (status == TSR_OK)
        install(&j);
    if (ndropped)
        *ndropped = before - coo->nnz;
    end_job(&j, status != TSR_OK);
    return status;
}

/* ---- tsr_transform_mode ---- */

typedef struct table_job {
    tsr_array *crd;
    const uint64_t *table;
} table_job;

static void look_up_share(void *arg, int t, int nthreads)
{
    const table_job *j = arg;
    const uint64_t end = tsr_cut(j->crd->n, t + 1, nthreads);
    uint32_t *const narrow = j->crd->data;
    uint64_t *const wide = j->crd->data;
    for (uint64_t e = tsr_cut(j->crd->n, t, nthreads); e < end; e++)
        if (j->crd->width == 4)
            narrow[e] = (uint32_t)j->table[narrow[e]];
        else
            wide[e] = j->table[wide[e]];
}

void tsr_transform_mode(tsr_coo *coo, int mode, const uint64_t *table, int nthreads)
{
    table_job j = {.crd = &coo->crd[mode], .table = table};
    tsr_parallel(threads_for(coo->nnz, nthreads), look_up_share, &j);
    coo->natural = NULL;
}
