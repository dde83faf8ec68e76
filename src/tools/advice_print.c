/* Advice on formats: see advice_print.h. */
#include "advice_print.h"

#include <string.h>

#include "options.h"
#include "table.h"
#include "tsr_kernel.h"
#include "tsr_kernel_named.h"
#include "tsr_num.h"
#include "tsr_shown.h"

static tsr_status parse_number(double *out, const char *text, const char *unit, double least, tsr_error *err)
{
    const char *const end = text + strlen(text), *const after = tsr_parse_f64(out, text, end);
    if (!after || (*after && strcmp(after, unit) != 0) || !(*out >= least && *out <= 1e15))
        return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a number from %g on", text, least);
    return TSR_OK;
}

tsr_status tsr_cli_parse_runs(double *out, const char *text, tsr_error *err)
{
    return parse_number(out, text, "", 1, err);
}

tsr_status tsr_cli_parse_budget(double *out, const char *text, tsr_error *err)
{
    return parse_number(out, text, "x", 1, err);
}

tsr_status tsr_cli_advice(tsr_advice *out, const tsr_data *data, const tsr_cli_advise *ask, tsr_error *err)
{
    const int order = data->tensor ? data->tensor->order : data->coo->order;
    tsr_named_kernels list;
    tsr_tuning tuning;
    memset(out, 0, sizeof *out);
    TSR_TRY(tsr_tuning_load(&tuning, err));
    const tsr_costs costs = tsr_costs_of_machine(&tuning);
    const tsr_advice_options how = {.nthreads = ask->nthreads,
                                    .nruns = ask->nruns,
                                    .budget = ask->budget,
                                    .rank = (uint64_t)ask->rank,
                                    .costs = &costs,
                                    .observer = ask->observer};
    tsr_status status = tsr_named_kernels_init(&list, ask->kernels, order, err);
    if (status == TSR_OK)
        status = tsr_advice_init(out,
                                 &(tsr_advice_question){.tensor = data->tensor,
                                                        .coo = data->coo,
                                                        .kernels = (const tsr_notation *const *)list.notation,
                                                        .nkernels = list.n,
                                                        .thin = ask->thin},
                                 &how, err);
    tsr_named_kernels_clear(&list);
    TSR_TRY(status);
    if (ask->measure)
        status = tsr_cli_measure_advice(out, data, ask, err);
    if (status == TSR_OK && ask->measure)
        status = tsr_cli_append_errors(out, data, ask, err);
    if (status != TSR_OK)
        tsr_advice_clear(out);
    return status;
}

/* A time in ms; 0: "-". */
static void add_ms(tsr_cli_table *table, double ns)
{
    if (ns > 0)
        tsr_cli_table_cell(table, "%.3g", ns / 1e6);
    else
        tsr_cli_table_cell(table, "-");
}

static void add_row(tsr_cli_table *table, const tsr_advice *advice, const tsr_advice_row *row, bool is_chosen)
{
    char number[32];
    tsr_text terms = {0};
    tsr_advice_terms(&terms, advice, row);
    tsr_cli_table_cell(table, "%s%s", is_chosen ? "> " : "", row->format);
    tsr_cli_table_cell(table, "%s", tsr_bytes_text(number, (uint64_t)row->nbytes));
    add_ms(table, row->is_source ? 0 : row->pack_ns);
    if (advice->is_measured)
        add_ms(table, row->measured_pack_ns);
    tsr_cli_table_cell(table, "%.3g", row->run_ns / 1e6);
    if (advice->is_measured)
        add_ms(table, row->measured_ns);
    tsr_cli_table_cell(table, "%s", tsr_text_cstr(&terms));
    tsr_cli_table_end_row(table);
    tsr_text_clear(&terms);
}

tsr_status tsr_cli_print_advice(FILE *to, const tsr_advice *advice, int most, tsr_error *err)
{
    static const char *const heads[2][8] = {
        {"format", "bytes", "pack ms", "run ms", "most of a run"},
        {"format", "bytes", "pack ms", "measured", "run ms", "measured", "most of a run"}};
    const char *const *const head = heads[advice->is_measured];
    tsr_cli_table table = {0};
    tsr_text sentence = {0};
    fprintf(to, "Predicted for %d thread%s, costs from %s", advice->nthreads,
            advice->nthreads == 1 ? "" : "s", advice->costs.source);
    if (advice->nread < advice->nnz)
        fprintf(to, ", from %llu of %llu entries, in blocks", (unsigned long long)advice->nread,
                (unsigned long long)advice->nnz);
    fputs(":\n", to);
    for (int k = 0; k < advice->nkernels; k++)
        fprintf(to, "  %s\n", advice->kernel[k]);
    for (size_t k = 0; head[k]; k++)
        tsr_cli_table_cell(&table, "%s", head[k]);
    tsr_cli_table_end_row(&table);
    for (int k = 0; k < advice->nrows; k++)
        if (k < most || k == advice->source || k == advice->chosen)
            add_row(&table, advice, &advice->row[k], k == advice->chosen);
    tsr_cli_table_print(to, &table, advice->is_measured ? "lrrrrrl" : "lrrrl");
    tsr_advice_sentence(&sentence, advice);
    const tsr_status status = tsr_text_status(&sentence, err);
    fprintf(to, "%s\n", tsr_text_cstr(&sentence));
    tsr_text_clear(&sentence);
    return status;
}
