/* Statements that run together. Statements that follow each other run over blocks of rows if the first index of all results is the
 * same variable, whose rows each operand stores one after the other or which the operand lacks: then the rows of a block are computed
 * by one statement and read by the next before they leave the caches, and a result that nothing else reads is kept for a block
 * alone. Threads take blocks of rows, and each computes all statements of the group for one block after the other. A sparse result with
 * the entries of an operand borrows its coordinates from the rows of the operand, and its values are computed in place. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "kernel_steps.h"
#include "tsr_parallel.h"
#include "tsr_rows.h"

enum { WHOLE = -1, NOT_ROWS = -2, LEAST_ROWS = 16 };

/* ---- whether a statement runs over rows ---- */

/* The mode of the accesses of tensor t in e that is `var`, the same in all; WHOLE: no access has it; else NOT_ROWS. *n: accesses. */
static void find_mode(int *mode, int *n, const tsr_expr *e, int t, int var)
{
    if (!e)
        return;
    find_mode(mode, n, e->a, t, var);
    find_mode(mode, n, e->b, t, var);
    if (e->kind != TSR_EXPR_ACCESS || e->tensor != t)
        return;
    int own = WHOLE, times = 0;
    for (int m = 0; m < e->nindices; m++)
        if (e->index[m] == var) {
            own = tsr_expr_window(e, m) ? NOT_ROWS : m;
            times++;
        }
    own = times > 1 ? NOT_ROWS : own;
    *mode = *n > 0 && *mode != own ? NOT_ROWS : own;
    (*n)++;
}

/* Whether a tensor of the format stores the rows of the mode one after the other: NULL is dense and row-major. */
static bool stores_rows(const tsr_format *format, int mode)
{
    int perm[TSR_MAX_LEVELS], ndense;
    if (!format)
        return mode == 0;
    return tsr_format_is_permutation(format, perm) && perm[0] == mode &&
           tsr_format_is_nested(format, &ndense) && ndense > 0 &&
           format->levels[0].type == tsr_level_of_cells;
}

/* Whether the coordinate of the variable is a value in e. */
static bool has_coordinate(const tsr_expr *e, int var)
{
    return e && ((e->kind == TSR_EXPR_VAR && e->index[0] == var) || has_coordinate(e->a, var) ||
                 has_coordinate(e->b, var));
}

/* Why statement k cannot run over rows of its first index; NULL: it can. *name: a tensor that the words are about. */
static const char *refuse(int *modes, const char **name, const kernel_program *p, int k)
{
    const tsr_notation *const own = p->notation->statement[k];
    const tsr_expr *const result = own->result;
    const tsr_kernel *const kernel = kernel_of_statement(p->kernel, k);
    *name = own->tensor[0].name;
    if (result->nindices == 0)
        return "has no rows";
    const int var = result->index[0];
    for (int m = 1; m < result->nindices; m++)
        if (result->index[m] == var)
            return "has the first index twice";
    if (tsr_expr_has_window(result, false))
        return "has a window";
    if (!stores_rows(kernel->tensor[0].format, 0))
        return "is not stored by rows";
    if (kernel_notation(kernel)->accumulate && !tsr_format_is_dense(kernel->tensor[0].format))
        return "is added to";
    if (has_coordinate(own->rhs, var) || has_coordinate(own->where, var))
        return "depends on the number of the row";
    for (int t = 1; t < own->ntensors; t++) {
        const tsr_kernel_tensor *const given = kernel_find_given(p->tensor, p->n, own->tensor[t].name);
        int n = 0;
        *name = own->tensor[t].name;
        modes[t] = WHOLE;
        find_mode(&modes[t], &n, own->rhs, t, var);
        find_mode(&modes[t], &n, own->where, t, var);
        if (!given || modes[t] == NOT_ROWS)
            return "is read by rows in several ways";
        if (modes[t] >= 0 && !stores_rows(given->format, modes[t]))
            return "is not stored by the rows that are read";
    }
    return NULL;
}

/* ---- the groups ---- */

static tsr_status explain(kernel_program *p, int k, const char *name, const char *why)
{
    tsr_text text = {0};
    tsr_text_addf(&text, "%s %s", name, why);
    return tsr_text_take(&p->kernel->groups->why[k], &text, p->err);
}

/* Whether the results of both statements have the same first index. */
static bool has_first_index_of(const kernel_program *p, int k, int other)
{
    const tsr_notation *const a = p->notation->statement[k], *const b = p->notation->statement[other];
    return a->result->nindices > 0 && b->result->nindices > 0 &&
           strcmp(a->var[a->result->index[0]], b->var[b->result->index[0]]) == 0;
}

/* Why statement k cannot run with the group, though it runs over rows; NULL: it can. */
static const char *refuse_with(const char **name, const kernel_program *p, const kernel_group *g, int k,
                               const int *modes)
{
    const tsr_notation *const own = p->notation->statement[k];
    bool reads = false;
    for (int made = g->first; made < k; made++) {
        const int t = tsr_notation_find_tensor(own, p->notation->statement[made]->tensor[0].name);
        if (t <= 0)
            continue;
        reads = true;
        *name = own->tensor[t].name;
        if (modes[t] != 0)
            return "is read whole";
    }
    *name = own->tensor[0].name;
    return reads ? NULL : "reads none of the results before";
}

/* Whether a statement outside of the group reads the result of statement k of it. */
static bool is_read_outside(const kernel_program *p, const kernel_group *g, int k)
{
    for (int other = g->first + g->n; other < p->notation->nstatements; other++)
        if (tsr_notation_find_tensor(p->notation->statement[other],
                                     p->notation->statement[k]->tensor[0].name) > 0)
            return true;
    return k == p->notation->nstatements - 1;
}

/* The bytes of a row of the result of statement k; a sparse one is as full as its fullest operand. */
static double row_nbytes(const kernel_program *p, int k)
{
    const tsr_kernel *const kernel = kernel_of_statement(p->kernel, k);
    const kernel_tensor *const made = &kernel->tensor[0];
    const double width = (double)tsr_type_nbytes(made->operand.type);
    double ncells = 1, nstored = 0;
    for (int m = 1; m < made->format->order; m++)
        ncells *= (double)made->dims[m];
    if (tsr_format_is_dense(made->format))
        return ncells * width;
    for (int i = 0; i < p->n; i++) {
        const tsr_tensor *const given = p->tensor[i].tensor;
        if (given && given->dims[0] == made->dims[0] && !tsr_format_is_dense(given->format) &&
            (double)given->npos > nstored * (double)made->dims[0])
            nstored = (double)given->npos / (double)made->dims[0];
    }
    return (nstored > 0 ? nstored : 8) * (width + 4);
}

/* Choose the rows of a block: the results that are kept fill half of what stays in the cache. */
static void choose_rows(kernel_program *p, kernel_group *g)
{
    const tsr_tuning tuning = tsr_tuning_complete(p->kernel->how.tuning);
    double nbytes = 0;
    g->nrows = kernel_of_statement(p->kernel, g->first)->tensor[0].dims[0];
    for (int k = g->first; k < g->first + g->n; k++)
        nbytes += is_read_outside(p, g, k) ? 0 : row_nbytes(p, k);
    const double fit = (double)tuning.near_nbytes / 2 / (nbytes > 1 ? nbytes : 1);
    g->block = fit < LEAST_ROWS ? LEAST_ROWS : fit > 65536 ? 65536 : (uint64_t)fit;
}

/* ---- kernels for blocks ---- */

/* A description of a tensor, of which rows [0, n) are read. rows: a view with these entries, to be freed; or NULL. */
static tsr_status describe_rows(tsr_kernel_tensor *to, tsr_tensor **rows, uint64_t *dims, int mode,
                                uint64_t n, tsr_error *err)
{
    *rows = NULL;
    if (to->tensor) {
        if (!tsr_rows_are_whole(to->tensor))
            return tsr_fail(err, TSR_ARGUMENT,
                            "the arrays of a tensor do not have the lengths of its levels");
        TSR_TRY(tsr_rows_place(rows, to->tensor, mode, 0, n, err));
        to->tensor = *rows;
        return TSR_OK;
    }
    memcpy(dims, to->dims, TSR_MAX_ORDER * sizeof *dims);
    dims[mode] = n;
    to->dims = dims;
    return TSR_OK;
}

/* Make the kernel of statement k of the group for n rows; is_probe: to be looked at alone. */
static tsr_status make_block(tsr_kernel **out, kernel_program *p, const kernel_group *g, int k, uint64_t n,
                             bool is_probe)
{
    const kernel_part *const part = &g->part[k - g->first];
    const tsr_notation *const own = p->notation->statement[k];
    const kernel_tensor *const made = &kernel_of_statement(p->kernel, k)->tensor[0];
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_tensor *rows[TSR_NOTATION_MAX_TENSORS] = {NULL};
    uint64_t dims[TSR_NOTATION_MAX_TENSORS][TSR_MAX_ORDER];
    tsr_kernel_options how = kernel_statement_options(p);
    char *text = NULL;
    how.nthreads = 1;
    how.takes = k < p->kernel->nsteps ? TSR_KERNEL_TAKES_NO_VALUES : TSR_KERNEL_TAKES_ALL;
    how.engine = is_probe ? TSR_ENGINE_INTERPRETER : how.engine;
    int count = kernel_select_tensors(tensors, p, own);
    tsr_status status = TSR_OK;
    for (int i = 0; i < count && status == TSR_OK; i++) {
        const int mode = part->mode[tsr_notation_find_tensor(own, tensors[i].name)];
        if (mode >= 0)
            status = describe_rows(&tensors[i], &rows[i], dims[i], mode, n, p->err);
    }
    memcpy(dims[count], made->dims, sizeof dims[count]);
    dims[count][0] = n;
    tensors[count] =
        (tsr_kernel_tensor){.name = own->tensor[0].name,
                            .format = made->format,
                            .dims = dims[count],
                            .type = made->operand.type,
                            .index_nbytes = made->operand.nbytes[TSR_LEVEL_CRD][made->format->nlevels - 1]};
    if (status == TSR_OK)
        status = kernel_statement_text(&text, own, p->err);
    if (status == TSR_OK)
        status = tsr_kernel_new(out, text, tensors, count + 1, &how, p->err);
    tsr_free(text);
    for (int i = 0; i < count; i++)
        tsr_tensor_free(rows[i]);
    return status;
}

/* Find which sparse results have the entries of an operand: part->like. */
static tsr_status find_likes(kernel_program *p, kernel_group *g)
{
    for (int i = 0; i < g->n; i++) {
        const kernel_tensor *const made = &kernel_of_statement(p->kernel, g->first + i)->tensor[0];
        const tsr_notation *const own = p->notation->statement[g->first + i];
        tsr_kernel *probe;
        if (tsr_format_is_dense(made->format))
            continue;
        TSR_TRY(make_block(&probe, p, g, g->first + i, g->block, true));
        const tsr_lowered *const lowered = probe->original ? NULL : probe->lowered;
        const int t = lowered ? lowered->pattern_tensor : -1;
        bool has =
            t > 0 && g->part[i].mode[t] == 0 && lowered->pattern_nlevels == made->format->nlevels &&
            memcmp(probe->tensor[0].operand.nbytes, made->operand.nbytes, sizeof made->operand.nbytes) == 0;
        for (int j = 0; j < i && has; j++)
            has = g->part[j].like > 0 || strcmp(p->kernel->step[g->first + j].name, own->tensor[t].name) != 0;
        g->part[i].like = has ? t : 0;
        tsr_kernel_free(probe);
    }
    return TSR_OK;
}

/* Whether the level arrays of statement k's sparse result have the widths for which other statements are made: else they are converted,
 * which blocks are not. */
static bool has_widths(const kernel_program *p, int k)
{
    const kernel_tensor *const made = &kernel_of_statement(p->kernel, k)->tensor[0];
    const int width = k < p->kernel->nsteps ? kernel_step_width(&p->kernel->step[k]) : 0;
    bool has = true;
    for (int l = 0; l < made->format->nlevels && width > 0; l++)
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            has = has && (made->operand.nbytes[role][l] == 0 || made->operand.nbytes[role][l] == width);
    return has;
}

/* Decide whether the group runs in blocks: a result that is kept for a block, and large as a whole, is dense; or it has the entries of an
 * operand, and no rows of sparse results must be joined. */
static tsr_status decide(kernel_program *p, kernel_group *g)
{
    bool keeps_dense = false, keeps_like = false, joins = false;
    if (g->n < 2 || g->block >= g->nrows)
        return TSR_OK;
    for (int i = 0; i < g->n; i++)
        if (!has_widths(p, g->first + i))
            return TSR_OK;
    TSR_TRY(find_likes(p, g));
    for (int i = 0; i < g->n; i++) {
        const tsr_format *const made = kernel_of_statement(p->kernel, g->first + i)->tensor[0].format;
        const bool is_dense = tsr_format_is_dense(made), is_inside = !is_read_outside(p, g, g->first + i);
        keeps_dense = keeps_dense || (is_inside && is_dense && made->order > 1);
        keeps_like = keeps_like || (is_inside && g->part[i].like > 0);
        joins = joins || (!is_dense && g->part[i].like == 0);
    }
    g->is_fused = keeps_dense || (keeps_like && !joins);
    return TSR_OK;
}

static tsr_status make_parts(kernel_program *p, kernel_group *g)
{
    const uint64_t rest = g->nrows % g->block;
    for (int i = 0; i < g->n; i++) {
        TSR_TRY(make_block(&g->part[i].block, p, g, g->first + i, g->block, false));
        if (rest > 0)
            TSR_TRY(make_block(&g->part[i].rest, p, g, g->first + i, rest, false));
        g->part[i].is_inside = !is_read_outside(p, g, g->first + i);
    }
    return TSR_OK;
}

/* Find the groups: each statement joins the one before or begins a group. */
static tsr_status find_groups(kernel_program *p)
{
    struct kernel_groups *const groups = p->kernel->groups;
    bool is_open = false;
    for (int k = 0; k < p->notation->nstatements; k++) {
        kernel_part part = {.is_inside = false};
        const char *name, *why = refuse(part.mode, &name, p, k);
        const bool has_rows = !why;
        if (is_open && !has_first_index_of(p, k, k - 1)) {
            name = p->notation->statement[k]->tensor[0].name;
            why = "has another first index";
        } else if (has_rows && is_open)
            why = refuse_with(&name, p, &groups->group[groups->n - 1], k, part.mode);
        if (k > 0 && why)
            TSR_TRY(explain(p, k, name, why));
        if (why || !is_open)
            groups->group[groups->n++] = (kernel_group){.first = k};
        kernel_group *const g = &groups->group[groups->n - 1];
        void *const grown = tsr_realloc(g->part, ((size_t)g->n + 1) * sizeof part);
        if (!grown)
            return tsr_fail(p->err, TSR_NOMEM, "out of memory: a kernel");
        g->part = grown;
        g->part[g->n++] = part;
        is_open = has_rows;
    }
    return TSR_OK;
}

tsr_status kernel_fuse(kernel_program *p)
{
    tsr_kernel *const kernel = p->kernel;
    kernel->groups = tsr_calloc(1, sizeof *kernel->groups);
    if (!kernel->groups)
        return tsr_fail(p->err, TSR_NOMEM, "out of memory: a kernel");
    TSR_TRY(find_groups(p));
    for (int i = 0; i < kernel->groups->n; i++) {
        kernel_group *const g = &kernel->groups->group[i];
        choose_rows(p, g);
        TSR_TRY(decide(p, g));
        if (g->is_fused)
            TSR_TRY(make_parts(p, g));
        for (int k = g->first; k < g->first + g->n && !g->is_fused; k++)
            TSR_TRY(kernel_settle(kernel_of_statement(kernel, k), p));
    }
    return TSR_OK;
}

void kernel_groups_free(struct kernel_groups *groups)
{
    for (int i = 0; groups && i < groups->n; i++) {
        kernel_group *const g = &groups->group[i];
        for (int k = 0; k < g->n; k++) {
            tsr_kernel_free(g->part[k].block);
            tsr_kernel_free(g->part[k].rest);
        }
        tsr_free(g->part);
    }
    for (int k = 0; groups && k < TSR_NOTATION_MAX_STATEMENTS; k++)
        tsr_free(groups->why[k]);
    tsr_free(groups);
}

const kernel_group *kernel_group_at(const tsr_kernel *kernel, int k)
{
    for (int i = 0; kernel->groups && i < kernel->groups->n; i++)
        if (kernel->groups->group[i].first == k && kernel->groups->group[i].is_fused)
            return &kernel->groups->group[i];
    return NULL;
}

/* ---- a run ---- */

/* What all threads share. */
typedef struct group_run {
    const kernel_group *group;
    const kernel_step_input *in;
    tsr_tensor *whole[TSR_NOTATION_MAX_STATEMENTS]; /* results that are read behind the group: dense, or like
                                                       an operand; else NULL */
    const tsr_tensor *root[TSR_NOTATION_MAX_STATEMENTS]; /* of a whole one: that operand */
    tsr_tensor *made; /* owned; the whole one of the last statement, if it has a root */
    tsr_tensor *
        *piece[TSR_NOTATION_MAX_STATEMENTS]; /* owned; of other sparse ones: nblocks results of blocks */
    uint64_t nblocks;
    atomic_ullong next, failed; /* the next block; the first block that failed */
    pthread_mutex_t lock;       /* guards `err` */
    tsr_status status;
    tsr_error err;
} group_run;

/* What one thread has. */
typedef struct worker {
    group_run *run;
    tsr_tensor *out
        [TSR_NOTATION_MAX_STATEMENTS]; /* the rows of each result; owned, but pieces are those of the run */
    tsr_tensor *view[TSR_NOTATION_MAX_STATEMENTS][TSR_NOTATION_MAX_TENSORS]; /* owned; rows of operands */
    tsr_array room[TSR_NOTATION_MAX_STATEMENTS]; /* the values of results that are kept and like an operand */
} worker;

/* The row behind block b. */
static uint64_t end_of(const kernel_group *g, uint64_t b)
{
    return (b + 1) * g->block < g->nrows ? (b + 1) * g->block : g->nrows;
}

/* Operand t of part i, as far as block b reads it. */
static tsr_status find_operand(const tsr_tensor **out, worker *w, int i, int t, uint64_t b, tsr_error *err)
{
    const kernel_group *const g = w->run->group;
    const tsr_notation *const own = w->run->in->kernel->original->statement[g->first + i];
    const char *const name = own->tensor[t].name;
    for (int made = 0; made < i; made++)
        if (strcmp(w->run->in->kernel->step[g->first + made].name, name) == 0) {
            *out = w->out[made];
            return TSR_OK;
        }
    const tsr_tensor *const from = kernel_find_input(w->run->in, name);
    if (!from)
        return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s", name);
    *out = from;
    const int mode = g->part[i].mode[t];
    if (mode < 0)
        return TSR_OK;
    for (int before = 0; before < i; before++) { /* the statement before has placed the same rows */
        const tsr_notation *const other = w->run->in->kernel->original->statement[g->first + before];
        const int same = tsr_notation_find_tensor(other, name);
        if (same > 0 && g->part[before].mode[same] == mode) {
            *out = w->view[before][same];
            return TSR_OK;
        }
    }
    TSR_TRY(tsr_rows_place(&w->view[i][t], from, mode, b * g->block, end_of(g, b), err));
    *out = w->view[i][t];
    return TSR_OK;
}

/* Make w->out[i] the result of part i for block b: it borrows the levels of the operand's rows, and its values are a part of the whole
 * result, or in the room of the worker. */
static tsr_status place_like(worker *w, int i, const tsr_kernel *kernel, uint64_t b, const tsr_tensor *like,
                             tsr_error *err)
{
    const kernel_group *const g = w->run->group;
    const kernel_tensor *const made = &kernel->tensor[0];
    const size_t width = tsr_type_nbytes(made->operand.type);
    tsr_tensor *const whole = w->run->whole[i];
    uint64_t lo = b * g->block, hi = end_of(g, b);
    if (w->out[i] && w->out[i]->dims[0] != hi - lo) {
        tsr_tensor_free(w->out[i]);
        w->out[i] = NULL;
    }
    if (!w->out[i])
        TSR_TRY(tsr_tensor_new(&w->out[i], made->format, made->dims, made->operand.type, err));
    tsr_tensor *const rows = w->out[i];
    rows->number = 0; /* its index arrays change */
    tsr_rows_share_levels(rows, like);
    if (whole) {
        tsr_rows_copy_levels(whole, w->run->root[i], &lo, &hi, hi == g->nrows);
        tsr_rows_borrow(&rows->values, &whole->values, lo, hi - lo);
        return TSR_OK;
    }
    if (w->room[i].n < like->npos || !w->room[i].data) {
        tsr_array_clear(&w->room[i]);
        TSR_TRY(tsr_array_init(&w->room[i], like->npos + like->npos / 4, width, 0, "rows of a result", err));
    }
    tsr_rows_borrow(&rows->values, &w->room[i], 0, like->npos);
    return TSR_OK;
}

/* Whether a result can be the result of the next block, too. */
static bool is_reusable(const tsr_kernel *kernel)
{
    return !kernel_notation(kernel)->accumulate && !(kernel->lowered && kernel->lowered->pattern_tensor > 0);
}

/* Make w->out[i] the result of part i for block b. */
static tsr_status place_result(worker *w, int i, const tsr_kernel *kernel, uint64_t b,
                               const tsr_tensor *const *operands, tsr_error *err)
{
    const kernel_group *const g = w->run->group;
    const uint64_t lo = b * g->block;
    tsr_tensor *const whole = w->run->whole[i];
    const uint64_t nrows = kernel->tensor[0].dims[0];
    if (g->part[i].like > 0)
        return place_like(w, i, kernel, b, operands[g->part[i].like - 1], err);
    if (whole)
        return tsr_rows_place(&w->out[i], whole, 0, lo, lo + nrows, err);
    if (!w->run->piece[i] && w->out[i] && w->out[i]->dims[0] == nrows && is_reusable(kernel))
        return TSR_OK;
    if (!w->run->piece[i])
        tsr_tensor_free(w->out[i]);
    w->out[i] = NULL;
    TSR_TRY(tsr_kernel_result(&w->out[i], kernel, operands, err));
    if (w->run->piece[i])
        w->run->piece[i][b] = w->out[i];
    return TSR_OK;
}

static tsr_status run_block(worker *w, uint64_t b, tsr_error *err)
{
    const kernel_group *const g = w->run->group;
    const bool is_full = end_of(g, b) - b * g->block == g->block;
    for (int i = 0; i < g->n; i++) {
        const tsr_kernel *const kernel = is_full ? g->part[i].block : g->part[i].rest;
        const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS] = {NULL};
        for (int t = 1; t < tsr_kernel_ntensors(kernel); t++)
            TSR_TRY(find_operand(&operands[t - 1], w, i, t, b, err));
        TSR_TRY(place_result(w, i, kernel, b, operands, err));
        TSR_TRY(tsr_kernel_run(kernel, w->out[i], operands, 1, err));
    }
    return TSR_OK;
}

/* Keep the error of the first block that failed. */
static void keep_error(group_run *run, uint64_t b, tsr_status status, const tsr_error *err)
{
    pthread_mutex_lock(&run->lock);
    if (b < atomic_load(&run->failed)) {
        atomic_store(&run->failed, b);
        run->status = status;
        run->err = *err;
    }
    pthread_mutex_unlock(&run->lock);
}

static void run_blocks(void *arg, int thread, int nthreads)
{
    group_run *const run = arg;
    worker *const w = tsr_calloc(1, sizeof *w);
    tsr_error err = {0};
    (void)thread, (void)nthreads;
    if (!w) {
        keep_error(run, 0, tsr_fail(&err, TSR_NOMEM, "out of memory: a kernel"), &err);
        return;
    }
    w->run = run;
    for (;;) {
        const uint64_t b = atomic_fetch_add(&run->next, 1);
        if (b >= run->nblocks || b > atomic_load(&run->failed))
            break;
        const tsr_status status = run_block(w, b, &err);
        if (status != TSR_OK)
            keep_error(run, b, status, &err);
    }
    for (int i = 0; i < run->group->n; i++) {
        if (!run->piece[i])
            tsr_tensor_free(w->out[i]);
        for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
            tsr_tensor_free(w->view[i][t]);
        tsr_array_clear(&w->room[i]);
    }
    tsr_free(w);
}

/* ---- results that are read behind the group ---- */

/* The number of positions of level l of all pieces. */
static uint64_t count_positions(tsr_tensor *const *piece, uint64_t n, int l)
{
    uint64_t npos = 0;
    for (uint64_t b = 0; b < n; b++)
        npos += piece[b]->levels[l].npos;
    return npos;
}

/* Join level l of the pieces. */
static tsr_status join_level(tsr_level *to, tsr_tensor *const *piece, uint64_t n, int l, tsr_error *err)
{
    to->npos = count_positions(piece, n, l);
    if (to->type->full)
        return TSR_OK;
    const tsr_level *const first = &piece[0]->levels[l];
    const size_t width = first->pos.width < 8 && to->npos >> (8 * first->pos.width) ? 8 : first->pos.width;
    uint64_t row = 0, at = 0;
    TSR_TRY(tsr_array_init(&to->pos, to->nparents + 1, width, 0, "positions of a result", err));
    TSR_TRY(tsr_array_init(&to->crd, to->npos, first->crd.width, 0, "coordinates of a result", err));
    for (uint64_t b = 0; b < n; b++) {
        const tsr_level *const from = &piece[b]->levels[l];
        for (uint64_t i = 0; i < from->nparents; i++)
            tsr_array_set(&to->pos, row++, at + tsr_array_get(&from->pos, i));
        if (from->npos > 0)
            memcpy((char *)to->crd.data + at * to->crd.width, from->crd.data, from->npos * to->crd.width);
        at += from->npos;
    }
    tsr_array_set(&to->pos, row, at);
    return TSR_OK;
}

/* *out: the rows of all pieces, one after the other. */
static tsr_status join(tsr_tensor **out, tsr_tensor *const *piece, uint64_t n, const kernel_tensor *made,
                       tsr_error *err)
{
    tsr_tensor *to;
    const size_t width = tsr_type_nbytes(made->operand.type);
    TSR_TRY(tsr_tensor_new(&to, made->format, made->dims, made->operand.type, err));
    tsr_status status = TSR_OK;
    uint64_t npos = 1, at = 0;
    for (int l = 0; l < to->nlevels && status == TSR_OK; l++) {
        to->levels[l].nparents = npos;
        status = join_level(&to->levels[l], piece, n, l, err);
        npos = to->levels[l].npos;
    }
    to->npos = npos;
    if (status == TSR_OK)
        status = tsr_array_init(&to->values, npos, width, 0, "values of a result", err);
    for (uint64_t b = 0; b < n && status == TSR_OK; b++) {
        if (piece[b]->npos > 0)
            memcpy((char *)to->values.data + at * width, piece[b]->values.data, piece[b]->npos * width);
        at += piece[b]->npos;
    }
    if (status == TSR_OK)
        *out = to;
    else
        tsr_tensor_free(to);
    return status;
}

/* Check the operands of which rows are read: the kernels of blocks check the rest. */
static tsr_status check_operands(const group_run *run, tsr_error *err)
{
    const kernel_group *const g = run->group;
    for (int i = 0; i < g->n; i++) {
        const tsr_notation *const own = run->in->kernel->original->statement[g->first + i];
        for (int t = 1; t < own->ntensors; t++) {
            const tsr_tensor *const from = kernel_find_input(run->in, own->tensor[t].name);
            const int mode = g->part[i].mode[t];
            if (!from || mode < 0)
                continue;
            if (mode >= from->order || from->dims[mode] != g->nrows || from->nlevels != from->order ||
                !tsr_rows_are_whole(from))
                return tsr_fail(err, TSR_ARGUMENT, "%s is another tensor than the kernel was made for",
                                own->tensor[t].name);
        }
    }
    return TSR_OK;
}

/* Make the place of result i, which has the entries of an operand. */
static tsr_status open_like(group_run *run, tsr_tensor **owned, int i, tsr_error *err)
{
    const kernel_group *const g = run->group;
    const tsr_kernel *const kernel = run->in->kernel;
    const int k = g->first + i;
    const kernel_tensor *const made = &kernel_of_statement(kernel, k)->tensor[0];
    const char *name = kernel->original->statement[k]->tensor[g->part[i].like].name;
    for (int j = i - 1; j >= 0; j--) /* that of the statement that made it, and so on */
        if (strcmp(kernel->step[g->first + j].name, name) == 0)
            name = kernel->original->statement[g->first + j]->tensor[g->part[j].like].name;
    const tsr_tensor *const root = run->root[i] = kernel_find_input(run->in, name);
    tsr_tensor **const to = k < kernel->nsteps ? &owned[k] : &run->made;
    if (!root)
        return tsr_fail(err, TSR_ARGUMENT, "missing the tensor %s", name);
    TSR_TRY(tsr_tensor_new(to, made->format, made->dims, made->operand.type, err));
    tsr_tensor *const whole = run->whole[i] = *to;
    tsr_rows_share_levels(whole, root);
    for (int l = 0; l < whole->nlevels; l++) {
        tsr_level *const level = &whole->levels[l];
        const tsr_array pos = level->pos, crd = level->crd;
        if (level->type->full)
            continue;
        level->pos = level->crd = (tsr_array){0};
        TSR_TRY(tsr_array_init(&level->pos, pos.n, pos.width, 0, "positions of a result", err));
        TSR_TRY(tsr_array_init(&level->crd, crd.n, crd.width, 0, "coordinates of a result", err));
    }
    return tsr_array_init(&whole->values, whole->npos, tsr_type_nbytes(whole->type), 0, "values of a result",
                          err);
}

/* Make the places of the results that are read behind the group. */
static tsr_status open_results(group_run *run, tsr_tensor **owned, tsr_error *err)
{
    const kernel_group *const g = run->group;
    const tsr_kernel *const kernel = run->in->kernel;
    for (int i = 0; i < g->n; i++) {
        const int k = g->first + i;
        const tsr_kernel *const own = kernel_of_statement(kernel, k);
        if (g->part[i].is_inside)
            continue;
        if (k == kernel->nsteps)
            TSR_TRY(kernel_check_tensor(own, 0, run->in->result, err));
        if (g->part[i].like > 0) {
            TSR_TRY(open_like(run, owned, i, err));
            continue;
        }
        if (!tsr_format_is_dense(own->tensor[0].format)) {
            void *block;
            TSR_TRY(
                tsr_alloc_array(&block, run->nblocks, sizeof *run->piece[i], 1, "pieces of a result", err));
            run->piece[i] = block;
            continue;
        }
        if (k < kernel->nsteps)
            TSR_TRY(tsr_kernel_result(&owned[k], own, NULL, err));
        run->whole[i] = k < kernel->nsteps ? owned[k] : run->in->result;
    }
    return TSR_OK;
}

/* Join the pieces of sparse results. */
static tsr_status close_results(group_run *run, tsr_tensor **owned, tsr_error *err)
{
    const kernel_group *const g = run->group;
    const tsr_kernel *const kernel = run->in->kernel;
    for (int i = 0; i < g->n; i++) {
        const int k = g->first + i;
        tsr_tensor *made;
        if (!run->piece[i])
            continue;
        TSR_TRY(join(&made, run->piece[i], run->nblocks, &kernel_of_statement(kernel, k)->tensor[0], err));
        if (k < kernel->nsteps) {
            owned[k] = made;
        } else {
            kernel_swap(run->in->result, made);
            tsr_tensor_free(made);
        }
    }
    return TSR_OK;
}

tsr_status kernel_run_group(const kernel_group *group, const kernel_step_input *in, tsr_tensor **owned,
                            tsr_error *err)
{
    group_run run = {.group = group,
                     .in = in,
                     .nblocks = (group->nrows + group->block - 1) / group->block,
                     .lock = PTHREAD_MUTEX_INITIALIZER};
    int nthreads = tsr_thread_count(in->nthreads);
    nthreads = (uint64_t)nthreads > run.nblocks ? (int)run.nblocks : nthreads;
    atomic_init(&run.next, 0);
    atomic_init(&run.failed, UINT64_MAX);
    tsr_status status = check_operands(&run, err);
    if (status == TSR_OK)
        status = open_results(&run, owned, err);
    if (status == TSR_OK) {
        tsr_parallel(nthreads, run_blocks, &run);
        status = run.status;
        if (status != TSR_OK && err)
            *err = run.err;
    }
    if (status == TSR_OK)
        status = close_results(&run, owned, err);
    if (status == TSR_OK && run.made)
        kernel_swap(in->result, run.made);
    tsr_tensor_free(run.made);
    for (int i = 0; i < group->n; i++) {
        for (uint64_t b = 0; run.piece[i] && b < run.nblocks; b++)
            tsr_tensor_free(run.piece[i][b]);
        tsr_free(run.piece[i]);
    }
    pthread_mutex_destroy(&run.lock);
    return status;
}
