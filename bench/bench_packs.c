/* The sparse operand in each format: see bench_packs.h. */
#include "bench_packs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_clock.h"
#include "bench_contest.h"
#include "tsr_advice.h"
#include "tsr_alloc.h"
#include "tsr_pack.h"

enum { MAX_BLOW_UP = 32, FREE_NBYTES = 1 << 30 };

/* The memory that a format may take: blocks with single entries, for instance, take hundreds of times the
 * memory of the entries. */
static uint64_t allowed_nbytes(const tsr_coo *coo)
{
    const uint64_t most = MAX_BLOW_UP * tsr_coo_nbytes(coo);
    return most > FREE_NBYTES ? most : FREE_NBYTES;
}

/* Pack once and measure the time; the last tensor is kept. */
static tsr_status pack_once(bench_pack *pack, double *ns, const tsr_coo *coo, const tsr_format *format,
                            int nthreads, tsr_error *err)
{
    const tsr_pack_options options = {.nthreads = nthreads,
                                      .duplicates = TSR_DUP_SUM,
                                      .index_width = TSR_INDEX_AUTO,
                                      .max_nbytes = allowed_nbytes(coo)};
    tsr_coo *copy;
    tsr_tensor_free(pack->tensor);
    pack->tensor = NULL;
    TSR_TRY(tsr_coo_copy(&copy, coo, err));
    const uint64_t start = bench_now_ns();
    TSR_TRY(tsr_pack(&pack->tensor, copy, format, &options, NULL, err));
    *ns = (double)(bench_now_ns() - start);
    return TSR_OK;
}

tsr_status bench_store_as(tsr_tensor *tensor, tsr_type type, tsr_error *err)
{
    const tsr_status status = tsr_values_retype(&tensor->values, type, tensor->type, err);
    if (status == TSR_OK)
        tensor->type = type;
    return status;
}

/* Find the least of a few packing times for each thread count: of the packings that fit into half a second, at most
 * five. */
static tsr_status time_packing(bench_pack *pack, const bench_contest *contest, const bench_case *c,
                               const tsr_format *format, tsr_error *err)
{
    for (int t = 0; t < contest->how->nthreads; t++) {
        double best = INFINITY, sum = 0, ns;
        for (int i = 0; i < (contest->how->quick ? 1 : 5) && sum < 5e8; i++) {
            if (tsr_cli_interrupted())
                return tsr_fail(err, TSR_CANCELLED, "interrupted");
            TSR_TRY(pack_once(pack, &ns, c->coo, format, (int)contest->how->threads[t], err));
            best = ns < best ? ns : best;
            sum += ns;
        }
        pack->pack_ns[t] = best;
    }
    return bench_store_as(pack->tensor, contest->stored, err);
}

/* Parse the text of the pack. */
static tsr_status parse_format(tsr_format **out, const bench_pack *pack, const bench_case *c, tsr_error *err)
{
    const tsr_format_hints hints = {.order = c->coo->order, .dims = c->coo->dims, .type = &c->type};
    tsr_format_widths widths;
    TSR_TRY(tsr_format_parse_for(out, &widths, pack->text, &hints, err));
    if (!widths.pos_nbits && !widths.crd_nbits)
        return TSR_OK;
    tsr_format_free(*out);
    return tsr_fail(err, TSR_UNSUPPORTED, "formats in tbench have no posWidth and crdWidth: leave them out");
}

tsr_status bench_pack_time(bench_pack *pack, const bench_contest *contest, const bench_case *c,
                           tsr_error *err)
{
    tsr_format *format;
    bench_settings_show(contest->report, "packing into %s", pack->text);
    TSR_TRY(parse_format(&format, pack, c, err));
    const tsr_status status = time_packing(pack, contest, c, format, err);
    tsr_format_free(format);
    return status;
}

bool bench_ends_all(tsr_status status)
{
    return status == TSR_CANCELLED;
}

bool bench_lacks_memory(tsr_status status)
{
    return status == TSR_NOMEM || status == TSR_LIMIT;
}

void bench_tell(char *why, const tsr_error *err)
{
    snprintf(why, BENCH_WHY_NBYTES, "%.*s", BENCH_WHY_NBYTES - 1, err->message);
}

void bench_packs_drop(bench_packs *packs)
{
    for (int f = 0; f < packs->formats.n; f++) {
        tsr_tensor_free(packs->pack[f].tensor);
        packs->pack[f].tensor = NULL;
    }
}

bool bench_packs_has_other(const bench_packs *packs, const bench_pack *pack)
{
    bool any = false;
    for (int f = 0; f < packs->formats.n; f++)
        any = any || (&packs->pack[f] != pack && packs->pack[f].tensor);
    return any;
}

/* Whether a format was refused for its size relative to the entries, not for lack of memory. */
static bool is_blown_up(const tsr_error *err)
{
    return err->status == TSR_LIMIT && strstr(err->message, " that are allowed");
}

/* ---- predictions ---- */

/* Keep what the advice says of each format, for thread count t. */
static void keep_predictions(bench_packs *packs, const bench_case *c, const tsr_advice *advice, int t)
{
    const int order = c->coo->order;
    for (int f = 0; f < packs->formats.n; f++) {
        tsr_format *format, *other;
        if (tsr_format_parse(&format, packs->pack[f].text, order, c->coo->dims, NULL) != TSR_OK)
            continue;
        for (int k = 0; k < advice->nrows && packs->pack[f].predicted_ns[t] == 0; k++) {
            const tsr_advice_row *const row = &advice->row[k];
            if (tsr_format_parse(&other, row->format, order, c->coo->dims, NULL) != TSR_OK)
                continue;
            if (tsr_format_equal(format, other)) {
                packs->pack[f].predicted_ns[t] = row->run_ns;
                packs->pack[f].predicted_pack_ns[t] = row->pack_ns;
            }
            tsr_format_free(other);
        }
        tsr_format_free(format);
    }
}

/* Predict all formats for each thread count. Where different sparse tensors meet, the advisor knows one of them alone: then nothing is
 * predicted. */
static tsr_status predict_all(bench_packs *packs, const bench_contest *contest, const bench_case *c,
                              tsr_error *err)
{
    tsr_tuning tuning;
    tsr_text formats = {0};
    for (int k = 0; k < TSR_NOTATION_MAX_TENSORS; k++)
        if (c->siblings[k])
            return TSR_OK;
    TSR_TRY(tsr_tuning_load(&tuning, err));
    const tsr_costs costs = tsr_costs_of_machine(&tuning);
    const tsr_advice_question question = {
        .coo = c->coo, .kernels = (const tsr_notation *const[]){c->notation}, .nkernels = 1};
    for (int f = 0; f < packs->formats.n; f++)
        tsr_text_addf(&formats, "%s\n", packs->pack[f].text);
    tsr_status status = tsr_text_status(&formats, err);
    for (int t = 0; t < contest->how->nthreads && status == TSR_OK; t++) {
        tsr_advice advice;
        const tsr_advice_options how = {.nthreads = (int)contest->how->threads[t],
                                        .nruns = 1,
                                        .rank = (uint64_t)c->rank,
                                        .formats = formats.s,
                                        .costs = &costs};
        status = tsr_advice_init(&advice, &question, &how, err);
        if (status == TSR_OK)
            keep_predictions(packs, c, &advice, t);
        tsr_advice_clear(&advice);
    }
    tsr_text_clear(&formats);
    return status;
}

static tsr_status pack_all(bench_packs *packs, const bench_contest *contest, const bench_case *c,
                           tsr_error *err)
{
    TSR_TRY(bench_formats_init(&packs->formats, contest->formats, c, err));
    for (int f = 0; f < packs->formats.n; f++)
        packs->pack[f].text = tsr_text_cstr(&packs->formats.text[f]);
    TSR_TRY(predict_all(packs, contest, c, err));
    for (int f = 0; f < packs->formats.n; f++) {
        bench_pack *const pack = &packs->pack[f];
        tsr_error mine = {0};
        const tsr_status status = bench_pack_time(pack, contest, c, &mine);
        if (bench_ends_all(status)) {
            *err = mine;
            return status;
        }
        if (status == TSR_OK)
            continue;
        tsr_tensor_free(pack->tensor);
        pack->tensor = NULL;
        bench_tell(pack->why, &mine);
        pack->lacks_memory = bench_lacks_memory(status);
        pack->late = pack->lacks_memory && !is_blown_up(&mine) && bench_packs_has_other(packs, pack);
    }
    return TSR_OK;
}

tsr_status bench_pack_again(bench_pack *pack, const bench_contest *contest, const bench_case *c,
                            tsr_error *err)
{
    tsr_format *format;
    double ns;
    bench_settings_show(contest->report, "packing into %s again", pack->text);
    TSR_TRY(parse_format(&format, pack, c, err));
    const tsr_status status = pack_once(pack, &ns, c->coo, format, 0, err);
    tsr_format_free(format);
    return status == TSR_OK ? bench_store_as(pack->tensor, contest->stored, err) : status;
}

tsr_status bench_packs_init(bench_packs **out, const bench_contest *contest, const bench_case *c,
                            tsr_error *err)
{
    void *block;
    *out = NULL;
    TSR_TRY(tsr_alloc_array(&block, 1, sizeof **out, 1, "formats to compare", err));
    const tsr_status status = pack_all(block, contest, c, err);
    if (status != TSR_OK)
        bench_packs_free(block);
    else
        *out = block;
    return status;
}

void bench_packs_free(bench_packs *packs)
{
    if (!packs)
        return;
    bench_packs_drop(packs);
    bench_formats_clear(&packs->formats);
    tsr_free(packs);
}
