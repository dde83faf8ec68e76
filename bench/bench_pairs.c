/* Conversions in memory: see bench_pairs.h. Tessera converts in two ways: the source is kept, as the public functions and other
 * libraries do it, or consumed, as tconv does it; a run that consumes gets a fresh copy. Making the copy and freeing the last result
 * are not timed. Every answer is compared with the entries of the file before its time counts. A further candidate makes the arrays of
 * the result and touches each of their pages: no conversion that makes a new result in new memory takes less time. */
#include "bench_pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_baseline.h"
#include "bench_ops.h"
#include "tsr_alloc.h"
#include "tsr_parallel.h"
#include "tsr_shown.h"

enum { MAX_CANDIDATES = (BENCH_MAX_BASELINES + 3) * BENCH_MAX_THREAD_COUNTS, PAIR_NBYTES = 128 };

/* One pair on one tensor. */
typedef struct pair_case {
    char name[PAIR_NBYTES]; /* "csr:csc" */
    tsr_format *from, *to;
    const tsr_coo *coo;  /* the entries */
    tsr_coo *shuffled;   /* the same as `coo`, where that is the source; else NULL */
    tsr_coo *want;       /* the entries that the target has: without those that its fill stands for */
    tsr_tensor *packed;  /* the source; NULL: `shuffled` is */
    tsr_tensor *target;  /* a result */
    bench_kernel kernel; /* for baselines: a copy, with the pair's name */
    bench_case c;        /* the same */
} pair_case;

typedef struct pair_candidate {
    const pair_case *pair;
    const bench_baseline *baseline; /* NULL: Tessera */
    bool consumes;                  /* Tessera: its source, which is a copy */
    bool touches;                   /* Tessera: makes and touches the memory of the result, without values */
    bench_opened opened;
    void *state; /* of the baseline */
    int nthreads;
    tsr_tensor *source, *result; /* of Tessera: before and after a run */
    tsr_coo *coo;                /* of Tessera: the source where it is not a tensor */
} pair_candidate;

/* ---- the text ---- */

/* Whether text begins with a comma between two pairs: those in csf:2,0,1 are followed by numbers. */
static bool ends_pair(const char *text)
{
    return text[0] == ',' && !(text[1] >= '0' && text[1] <= '9');
}

/* Take the next pair from *text, to the comma that is not in parentheses. False: there is none. */
static bool next_pair(const char **text, char pair[PAIR_NBYTES])
{
    int depth = 0;
    size_t n = 0;
    if (!**text)
        return false;
    for (; (*text)[n] && (depth > 0 || !ends_pair(*text + n)); n++)
        depth += ((*text)[n] == '(') - ((*text)[n] == ')');
    snprintf(pair, PAIR_NBYTES, "%.*s", (int)(n < PAIR_NBYTES ? n : PAIR_NBYTES - 1), *text);
    *text += n + ((*text)[n] == ',');
    return true;
}

tsr_status bench_pairs_check(const char *text, tsr_error *err)
{
    char pair[PAIR_NBYTES];
    if (!*text)
        return tsr_fail(err, TSR_ARGUMENT, "write FROM:TO, as in csr:csc");
    while (next_pair(&text, pair)) {
        const char *const colon = strchr(pair, ':');
        if (!colon || colon == pair || !colon[1])
            return tsr_fail(err, TSR_ARGUMENT, "'%s' is not FROM:TO, as in csr:csc", pair);
    }
    return TSR_OK;
}

/* ---- Tessera ---- */

/* An array that is copied, or whose pages are touched. */
static void touch_share(void *arg, int t, int nthreads)
{
    enum { PAGE_NBYTES = 4096 };
    const tsr_array *const array = arg;
    volatile unsigned char *const bytes = array->data;
    const uint64_t n = tsr_array_nbytes(array), end = tsr_cut(n, t + 1, nthreads);
    for (uint64_t i = tsr_cut(n, t, nthreads); i < end; i += PAGE_NBYTES)
        bytes[i] = 0;
}

/* nthreads: those that touch the pages; 0: copy. */
static tsr_status copy_array(tsr_array *to, const tsr_array *from, int nthreads, tsr_error *err)
{
    if (!from->data)
        return TSR_OK;
    TSR_TRY(tsr_array_init(to, from->n, from->width, false, "a copy", err));
    if (nthreads > 0)
        tsr_parallel(nthreads, touch_share, to);
    else
        memcpy(to->data, from->data, (size_t)tsr_array_nbytes(from));
    return TSR_OK;
}

static tsr_status copy_arrays(tsr_tensor *to, const tsr_tensor *from, int nthreads, tsr_error *err)
{
    for (int l = 0; l < from->nlevels; l++) {
        tsr_level *const level = &to->levels[l];
        const tsr_level *const given = &from->levels[l];
        level->nparents = given->nparents;
        level->npos = given->npos;
        level->pitch = given->pitch;
        level->low = given->low;
        for (int role = 0; role < TSR_LEVEL_NROLES; role++)
            TSR_TRY(copy_array(tsr_level_array_of(level, (tsr_level_role)role),
                               tsr_level_array_at(given, (tsr_level_role)role), nthreads, err));
    }
    to->npos = from->npos;
    to->iso = from->iso;
    return copy_array(&to->values, &from->values, nthreads, err);
}

static tsr_status free_result(void *ctx, tsr_error *err)
{
    pair_candidate *const k = ctx;
    (void)err;
    tsr_tensor_free(k->result);
    k->result = NULL;
    return TSR_OK;
}

static tsr_status copy_source(void *ctx, tsr_error *err)
{
    pair_candidate *const k = ctx;
    const tsr_tensor *const from = k->pair->packed;
    TSR_TRY(free_result(k, err));
    tsr_tensor_free(k->source);
    tsr_coo_free(k->coo);
    k->source = NULL;
    k->coo = NULL;
    if (!from)
        return tsr_coo_copy(&k->coo, k->pair->shuffled, err);
    TSR_TRY(tsr_tensor_new(&k->source, from->format, from->dims, from->type, err));
    return copy_arrays(k->source, from, 0, err);
}

static tsr_status convert(void *ctx, tsr_error *err)
{
    pair_candidate *const k = ctx;
    const tsr_pack_options options = {.nthreads = k->nthreads};
    tsr_tensor *const source = k->source;
    tsr_coo *const coo = k->coo;
    k->source = NULL;
    k->coo = NULL;
    return coo ? tsr_pack(&k->result, coo, k->pair->to, &options, NULL, err)
               : tsr_convert(&k->result, source, k->pair->to, &options, NULL, err);
}

/* Coordinates with the arrays of others. */
static tsr_status view_coo(tsr_coo **out, const tsr_coo *from, tsr_error *err)
{
    TSR_TRY(tsr_coo_new(out, (tsr_shape){from->order, from->dims}, from->type, err));
    tsr_coo *const coo = *out;
    coo->nnz = from->nnz;
    coo->iso = from->iso;
    for (int m = 0; m <= from->order; m++) {
        tsr_array *const to = m < from->order ? &coo->crd[m] : &coo->values;
        tsr_array_clear(to);
        *to = m < from->order ? from->crd[m] : from->values;
        to->borrowed = true;
    }
    return TSR_OK;
}

/* The same as the public functions: the result owns its arrays. */
static tsr_status convert_kept(void *ctx, tsr_error *err)
{
    pair_candidate *const k = ctx;
    if (k->pair->packed)
        TSR_TRY(tsr_tensor_view(&k->source, k->pair->packed, err));
    else
        TSR_TRY(view_coo(&k->coo, k->pair->shuffled, err));
    TSR_TRY(convert(k, err));
    return tsr_tensor_own(k->result, k->nthreads, err);
}

static tsr_status touch_pages(void *ctx, tsr_error *err)
{
    pair_candidate *const k = ctx;
    const tsr_tensor *const target = k->pair->target;
    TSR_TRY(tsr_tensor_new(&k->result, target->format, target->dims, target->type, err));
    return copy_arrays(k->result, target, k->nthreads, err);
}

/* ---- any candidate ---- */

static const char *name_of(const pair_candidate *k)
{
    return k->baseline ? k->baseline->name : k->touches ? "(pages)" : BENCH_TESSERA;
}

static tsr_status run_baseline(void *ctx, tsr_error *err)
{
    pair_candidate *const k = ctx;
    return k->baseline->run(k->state, err);
}

static double said_ns(void *ctx)
{
    pair_candidate *const k = ctx;
    return k->baseline->said_ns(k->state);
}

static tsr_status compare(const pair_candidate *k, const tsr_coo *got, tsr_error *err)
{
    bool same = false;
    tsr_error difference = {0};
    TSR_TRY(tsr_coo_same(&same, k->pair->want, got, &difference));
    if (same)
        return TSR_OK;
    return tsr_fail(err, TSR_CORRUPT, "%s by %s is wrong: %s", k->pair->name, name_of(k), difference.message);
}

static tsr_status check(void *ctx, tsr_error *err)
{
    pair_candidate *const k = ctx;
    if (k->baseline) {
        const tsr_coo *entries = NULL;
        TSR_TRY(k->baseline->entries(&entries, k->state, err));
        return entries ? compare(k, entries, err)
                       : tsr_fail(err, TSR_CORRUPT, "%s gives no sparse result", k->baseline->name);
    }
    if (k->touches)
        return TSR_OK;
    tsr_coo *got = NULL;
    TSR_TRY(tsr_tensor_check(k->result, 0, err));
    TSR_TRY(tsr_unpack(&got, k->result, 0, err));
    const tsr_status status = compare(k, got, err);
    tsr_coo_free(got);
    return status;
}

static void close_candidate(pair_candidate *k)
{
    if (k->baseline && k->state)
        k->baseline->close(k->state);
    tsr_tensor_free(k->source);
    tsr_coo_free(k->coo);
    tsr_tensor_free(k->result);
}

static bench_candidate as_candidate(pair_candidate *k)
{
    if (!k->baseline)
        return (bench_candidate){.name = name_of(k),
                                 .nthreads = k->nthreads,
                                 .ctx = k,
                                 .prepare = k->consumes ? copy_source : free_result,
                                 .run = k->touches    ? touch_pages
                                        : k->consumes ? convert
                                                      : convert_kept,
                                 .check = check};
    return (bench_candidate){.name = name_of(k),
                             .nthreads = k->nthreads,
                             .external = true,
                             .ctx = k,
                             .run = run_baseline,
                             .said_ns = said_ns,
                             .check = check};
}

/* ---- one pair ---- */

static tsr_status pack_copy(tsr_tensor **out, const tsr_coo *coo, const tsr_format *format, tsr_error *err)
{
    tsr_coo *copy = NULL;
    *out = NULL;
    TSR_TRY(tsr_coo_copy(&copy, coo, err));
    return tsr_pack(out, copy, format, NULL, NULL, err);
}

static tsr_status open_case(pair_case *p, const char *text, const tsr_coo *coo, tsr_error *err)
{
    char from[PAIR_NBYTES];
    const char *const colon = strchr(text, ':');
    snprintf(p->name, sizeof p->name, "%s", text);
    snprintf(from, sizeof from, "%.*s", (int)(colon - text), text);
    p->coo = coo;
    TSR_TRY(tsr_format_parse(&p->to, colon + 1, coo->order, coo->dims, err));
    TSR_TRY(pack_copy(&p->target, coo, p->to, err));
    TSR_TRY(tsr_unpack(&p->want, p->target, 0, err));
    if (strcmp(from, BENCH_SHUFFLED) == 0) {
        TSR_TRY(tsr_coo_copy(&p->shuffled, coo, err));
        TSR_TRY(bench_reorder(&p->shuffled, BENCH_ORDER_SHUFFLED, err));
        p->coo = p->shuffled;
        return TSR_OK;
    }
    TSR_TRY(tsr_format_parse(&p->from, from, coo->order, coo->dims, err));
    return pack_copy(&p->packed, coo, p->from, err);
}

static void close_case(pair_case *p)
{
    bench_case_clear(&p->c);
    tsr_tensor_free(p->packed);
    tsr_tensor_free(p->target);
    tsr_coo_free(p->shuffled);
    tsr_coo_free(p->want);
    tsr_format_free(p->from);
    tsr_format_free(p->to);
}

/* The case for baselines. False: there is none. */
static bool make_bench_case(pair_case *p)
{
    static const char *const expressions[] = {[1] = "Y(i) = A(i)",
                                              [2] = "Y(i,j) = A(i,j)",
                                              [3] = "Y(i,j,k) = A(i,j,k)",
                                              [4] = "Y(i,j,k,l) = A(i,j,k,l)"};
    const int order = p->coo->order;
    if (order < 1 || order >= (int)(sizeof expressions / sizeof *expressions))
        return false;
    p->kernel = (bench_kernel){.name = p->name, .expression = expressions[order]};
    return p->coo->type == TSR_F64 && bench_case_init(&p->c, &p->kernel, p->coo, -1, 0, NULL) == TSR_OK;
}

/* Add the baselines that take the case. Where one that the user asked for does not, the table says why. */
static int add_baselines(pair_candidate *k, int n, pair_case *p, const bench_pairs *pairs, tsr_folder *folder)
{
    const bench_settings *const how = pairs->how;
    if (!make_bench_case(p))
        return n;
    for (int i = 0; bench_baselines[i]; i++) {
        const bench_baseline *const b = bench_baselines[i];
        const bench_chosen_baseline *const chosen = bench_chosen_find(pairs->baselines, b);
        const char *const path = chosen ? chosen->path : NULL;
        if (!b->open || (b->wants_path && !path) || !b->entries || !b->takes(&p->c))
            continue;
        for (int t = 0; t < (b->one_thread ? 1 : how->nthreads) && n < MAX_CANDIDATES; t++) {
            const bench_asked asked = {.nthreads = b->one_thread ? 1 : (int)how->threads[t],
                                       .cold = how->cold,
                                       .path = path,
                                       .folder = folder};
            tsr_error why = {0};
            k[n] = (pair_candidate){.pair = p, .baseline = b, .nthreads = asked.nthreads};
            if (b->open(&k[n].state, &k[n].opened, &p->c, &asked, &why) == TSR_OK)
                n++;
            else if (chosen)
                printf("%s: %s: %s\n", p->name, b->name, why.message);
        }
    }
    return n;
}

/* The least time that touching the memory of the result takes on this number of threads, in ns. */
static double pages_ns(const pair_candidate *k, const bench_candidate *candidates, int n, int nthreads)
{
    for (int i = 0; i < n; i++)
        if (k[i].touches && k[i].nthreads == nthreads)
            return candidates[i].ns.min;
    return 0;
}

static void print_rows(const pair_case *p, const pair_candidate *k, const bench_candidate *candidates, int n)
{
    printf("convert %s, %" PRIu64 " entries\n  %-9s %-8s %7s %10s %10s %9s %8s %8s\n", p->name, p->coo->nnz,
           "candidate", "source", "threads", "min ms", "median ms", "ns/entry", "speed-up", "pages/it");
    for (int i = 0; i < n; i++) {
        const bench_candidate *const c = &candidates[i];
        printf("  %-9s %-8s %7d %10.2f %10.2f %9.2f %8.2f %8.2f%s\n", c->name,
               k[i].touches    ? "-"
               : k[i].consumes ? "consumed"
                               : "kept",
               c->nthreads, c->ns.min / 1e6, c->ns.median / 1e6,
               p->coo->nnz ? c->ns.min / (double)p->coo->nnz : 0.0, c->speedup.ratio,
               pages_ns(k, candidates, n, k[i].nthreads) / c->ns.min, c->noisy ? " ~" : "");
    }
}

/* The room for the candidates of a pair, which is too large for the stack. */
typedef struct pair_room {
    pair_candidate k[MAX_CANDIDATES];
    bench_candidate candidates[MAX_CANDIDATES];
} pair_room;

/* Record the rows by what is done with the source, and by numbers of threads: rows of one case stand together. Baselines
 * that run on one thread stand beside each number of threads. */
static tsr_status keep_rows(const bench_pairs *pairs, const pair_case *p, const bench_tensor *tensor,
                            pair_room *room, int n, tsr_error *err)
{
    const bench_settings *const how = pairs->how;
    char kernel[PAIR_NBYTES + 16], pages[64];
    snprintf(kernel, sizeof kernel, "convert %s", p->name);
    bench_row row = {.kernel = kernel,
                     .dataset = tensor->dataset,
                     .type = tsr_type_name(p->coo->type),
                     .format = strchr(p->name, ':') + 1,
                     .nbytes = p->packed ? tsr_tensor_nbytes(p->packed) : tsr_coo_nbytes(p->coo),
                     .reference = BENCH_TESSERA,
                     .cold = how->cold};
    for (int consumes = 0; consumes < 2; consumes++)
        for (int t = 0; t < how->nthreads; t++)
            for (int i = 0; i < n; i++) {
                const pair_candidate *const k = &room->k[i];
                const bool one_thread = k->baseline && k->baseline->one_thread;
                const int nthreads = (int)how->threads[t];
                if (k->touches || k->consumes != consumes || (k->nthreads != nthreads && !one_thread))
                    continue;
                room->candidates[i].nthreads = nthreads;
                snprintf(pages, sizeof pages, "touching new memory alone: %.3g ms",
                         pages_ns(room->k, room->candidates, n, nthreads) / 1e6);
                row.note = one_thread && nthreads > 1 ? "runs on one thread" : !k->baseline ? pages : NULL;
                row.memory = consumes ? BENCH_CONSUMED : BENCH_KEPT;
                row.version = k->opened.version[0] ? k->opened.version : NULL;
                TSR_TRY(bench_record_add_candidate(pairs->record, &row, &room->candidates[i], err));
            }
    return TSR_OK;
}

static tsr_status run_pair(const bench_pairs *pairs, pair_case *p, pair_room *room, int n,
                           const bench_tensor *tensor, tsr_error *err)
{
    bench_run_options run = bench_settings_run(pairs->how);
    bench_noise noise;
    run.once = true;
    for (int i = 0; i < n; i++)
        room->candidates[i] = as_candidate(&room->k[i]);
    TSR_TRY(bench_run(&noise, room->candidates, n, &run, err));
    print_rows(p, room->k, room->candidates, n);
    if (!pairs->record)
        return TSR_OK;
    bench_record_noise(pairs->record, &noise);
    return keep_rows(pairs, p, tensor, room, n, err);
}

static tsr_status measure_pair(const bench_pairs *pairs, const char *text, const tsr_coo *coo,
                               const bench_tensor *tensor, tsr_error *err)
{
    pair_case p = {.coo = coo};
    tsr_folder folder = {0};
    int n = 0;
    pair_room *const room = tsr_calloc(1, sizeof *room);
    if (!room)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = open_case(&p, text, coo, err);
    const int nthreads = pairs->how->nthreads;
    for (; status == TSR_OK && n < 3 * nthreads; n++)
        room->k[n] = (pair_candidate){.pair = &p,
                                      .consumes = n / nthreads == 1,
                                      .touches = n / nthreads == 2,
                                      .nthreads = (int)pairs->how->threads[n % nthreads]};
    if (status == TSR_OK) {
        n = add_baselines(room->k, n, &p, pairs, &folder);
        status = run_pair(pairs, &p, room, n, tensor, err);
    }
    for (int i = 0; i < n; i++)
        close_candidate(&room->k[i]);
    close_case(&p);
    tsr_folder_remove(&folder);
    tsr_free(room);
    return status;
}

/* Combine duplicates, as every packed source has. */
static tsr_status combine(tsr_coo **coo, tsr_error *err)
{
    tsr_format *format = NULL;
    tsr_tensor *tensor = NULL;
    TSR_TRY(tsr_format_coordinates(&format, (*coo)->order, false, err));
    tsr_coo *const all = *coo;
    *coo = NULL;
    tsr_status status = tsr_pack(&tensor, all, format, NULL, NULL, err);
    tsr_format_free(format);
    if (status == TSR_OK)
        status = tsr_unpack(coo, tensor, 0, err);
    tsr_tensor_free(tensor);
    return status;
}

tsr_status bench_pairs_measure(const bench_pairs *pairs, const tsr_datasets *datasets, const char *text,
                               tsr_error *err)
{
    char pair[PAIR_NBYTES], shown[TSR_SHOWN_NBYTES];
    const char *list = pairs->text;
    tsr_coo *coo = NULL;
    bench_tensor tensor;
    tsr_status status = bench_tensor_find(&tensor, text, datasets, pairs->report, err);
    if (status == TSR_OK)
        status = bench_read_source(&coo, tensor.path, NULL, err);
    if (status == TSR_OK)
        status = combine(&coo, err);
    if (status == TSR_OK) {
        bench_tensor_size(&tensor, coo);
        printf("%s\n", tsr_show(shown, text));
    }
    while (status == TSR_OK && next_pair(&list, pair))
        status = measure_pair(pairs, pair, coo, &tensor, err);
    tsr_coo_free(coo);
    bench_tensor_clear(&tensor);
    return status;
}
