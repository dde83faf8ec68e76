/* What tkern prints about a kernel and its run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"
#include "table.h"
#include "tkern.h"
#include "tsr_jit.h"
#include "tsr_lower.h"
#include "tsr_machine.h"
#include "tsr_parallel.h"

/* ---- the summary ---- */

/* Value i of an array as a complex number. */
static void get_value(double v[2], const tsr_tensor *tensor, uint64_t i)
{
    const unsigned char *const at = (const unsigned char *)tensor->values.data + i * tensor->values.width;
    v[0] = v[1] = 0;
    switch (tsr_type_class(tensor->type)) {
    case 'R':
    case 'C': {
        const int n = tsr_type_class(tensor->type) == 'C' ? 2 : 1;
        float f[2] = {0};
        if (tsr_type_nbytes(tensor->type) == (size_t)n * sizeof(double)) {
            memcpy(v, at, (size_t)n * sizeof(double));
            return;
        }
        memcpy(f, at, (size_t)n * sizeof(float));
        v[0] = (double)f[0];
        v[1] = (double)f[1];
        return;
    }
    case 'I':
        if (tensor->values.width == 8)
            v[0] = (double)((const int64_t *)tensor->values.data)[i];
        else if (tensor->values.width == 4)
            v[0] = ((const int32_t *)tensor->values.data)[i];
        else if (tensor->values.width == 2)
            v[0] = ((const int16_t *)tensor->values.data)[i];
        else
            v[0] = ((const int8_t *)tensor->values.data)[i];
        return;
    default:
        v[0] = (double)tsr_array_get(&tensor->values, i);
    }
}

tsr_tkern_sums tsr_tkern_sum(const tsr_tensor *tensor)
{
    tsr_tkern_sums sums = {0};
    double squares = 0, v[2];
    for (uint64_t i = 0; i < tensor->values.n; i++) { /* padding is 0 and adds nothing */
        get_value(v, tensor, i);
        sums.sum[0] += v[0];
        sums.sum[1] += v[1];
        squares += v[0] * v[0] + v[1] * v[1];
    }
    sums.norm = sqrt(squares);
    return sums;
}

/* "sum 12.5, norm 3.25". */
static void show_sums(const tsr_tensor *tensor)
{
    const tsr_tkern_sums s = tsr_tkern_sum(tensor);
    if (tensor->type == TSR_PATTERN)
        return;
    if (tsr_type_class(tensor->type) == 'C')
        printf("sum   %.6g%+.6gi, norm %.6g\n", s.sum[0], s.sum[1], s.norm);
    else
        printf("sum   %.6g, norm %.6g\n", s.sum[0], s.norm);
}

static void add_row(tsr_cli_table *table, const tsr_tensor *tensor, uint64_t n, const char *name,
                    const char *source)
{
    char number[32], nbytes[32];
    tsr_text dims = {0}, format = {0};
    tsr_cli_add_dims(&dims, tensor->order, tensor->dims);
    tsr_format_print_name_for(&format, tensor->format, tensor->dims);
    tsr_cli_table_cell(table, "%s", name);
    tsr_cli_table_cell(table, "%s", tsr_text_cstr(&dims));
    tsr_cli_table_cell(table, "%s", tsr_text_cstr(&format));
    tsr_cli_table_cell(table, "%s", tsr_cli_count_text(number, (double)n));
    tsr_cli_table_cell(table, "%s", tsr_type_name(tensor->type));
    tsr_cli_table_cell(table, "%s", tsr_bytes_text(nbytes, tsr_tensor_nbytes(tensor)));
    tsr_cli_table_cell(table, "%s", source);
    tsr_cli_table_end_row(table);
    tsr_text_clear(&dims);
    tsr_text_clear(&format);
}

/* How the kernel was made: "built in", "compiled in 230 ms", "from the cache in 1.2 ms", "interpreted". */
static void show_engine(const tsr_kernel_info *info)
{
    switch (info->engine) {
    case TSR_ENGINE_BUILTIN:
        printf("built in");
        break;
    case TSR_ENGINE_JIT:
        if (info->from_cache)
            printf("from the cache in %.3g ms", 1e-6 * (double)(info->lower_ns + info->load_ns));
        else
            printf("compiled in %.3g ms", 1e-6 * (double)(info->lower_ns + info->compile_ns + info->load_ns));
        break;
    default:
        printf("interpreted");
        break;
    }
}

int tsr_tkern_threads(const tsr_tkern *t)
{
    const int asked = t->s->common.nthreads;
    return tsr_thread_count(t->blocks ? asked : tsr_kernel_threads(t->kernel, t->operands, asked));
}

void tsr_tkern_show(const tsr_tkern *t)
{
    const tsr_kernel_info *const info = tsr_kernel_get_info(t->kernel);
    const int nthreads = tsr_tkern_threads(t);
    if (t->json) {
        tsr_tkern_json_show(t);
        return;
    }
    tsr_cli_table table = {0};
    static const char *const heads[] = {"", "dims", "format", "values", "type", "memory", ""};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        tsr_cli_table_cell(&table, "%s", heads[i]);
    tsr_cli_table_end_row(&table);
    for (int i = 1; i < t->notation->ntensors; i++)
        add_row(&table, t->tensor[i].tensor,
                i == tsr_tkern_blocks_operand(t) ? tsr_tkern_blocks_nnz(t) : t->tensor[i].tensor->npos,
                t->tensor[i].name,
                t->tensor[i].path    ? t->tensor[i].path
                : t->tensor[i].value ? "given"
                                     : "generated");
    add_row(&table, t->result, t->result->npos, t->tensor[0].name,
            t->tensor[0].out ? t->tensor[0].out : "result");
    printf("%s\n", t->blocks ? t->s->expression : info->expression);
    tsr_cli_table_print(stdout, &table, "lllrlrl");
    show_sums(t->result);
    tsr_tkern_show_entries(t);
    if (t->blocks)
        printf("%s     read in %llu block%s, of which the table shows the memory of the first\n",
               t->tensor[tsr_tkern_blocks_operand(t)].name, (unsigned long long)tsr_tkern_blocks_count(t),
               tsr_tkern_blocks_count(t) == 1 ? "" : "s");
    printf("run   %.3g ms on %d thread%s, ", 1e-6 * (double)t->run_ns, nthreads, nthreads == 1 ? "" : "s");
    show_engine(info);
    if (info->schedule[0])
        printf(", schedule %s", info->schedule);
    putchar('\n');
}

/* ---- timing ---- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

tsr_status tsr_tkern_run(const tsr_tkern *t, tsr_tensor *result, tsr_error *err)
{
    /* compiled code cannot be stopped, and there are no temporary files now */
    TSR_TRY(tsr_cli_signals_direct(tsr_kernel_get_info(t->kernel)->engine != TSR_ENGINE_INTERPRETER, err));
    static tsr_status (*const run[])(const tsr_kernel *, tsr_tensor *, const tsr_tensor *const *, int,
                                     tsr_error *) = {tsr_kernel_run, tsr_kernel_assemble, tsr_kernel_compute,
                                                     tsr_kernel_assemble};
    const tsr_status status = run[t->s->part](t->kernel, result, t->operands, t->s->common.nthreads, err);
    const tsr_status off = tsr_cli_signals_direct(false, err);
    return status == TSR_OK ? off : status;
}

enum { MAX_WARM_UP = 3 };

/* The nanoseconds of s->nruns runs, in rising order, after some runs that do not count. */
static tsr_status measure(double *ns, tsr_tkern *t, tsr_error *err)
{
    const int nruns = t->s->nruns, nwarm = nruns < MAX_WARM_UP ? 1 : MAX_WARM_UP;
    for (int i = -nwarm; i < nruns; i++) {
        if (tsr_cli_interrupted())
            return tsr_fail(err, TSR_CANCELLED, "interrupted");
        const uint64_t start = tsr_now_ns();
        TSR_TRY(tsr_tkern_run(t, t->result, err));
        if (i >= 0)
            ns[i] = (double)(tsr_now_ns() - start);
    }
    qsort(ns, (size_t)nruns, sizeof *ns, by_size);
    return TSR_OK;
}

static void show_timing(const tsr_tkern *t, const tsr_tkern_timing *timing)
{
    char touched[32], rate[32], best[32];
    const int nruns = t->s->nruns;
    const double seconds = 1e-9 * timing->min_ns, nbytes = timing->work.nbytes;
    printf("time  min %.4g ms, median %.4g ms of %d run%s\n", 1e-6 * timing->min_ns, 1e-6 * timing->median_ns,
           nruns, nruns == 1 ? "" : "s");
    printf("rate  %.3g GFLOP/s, %s at %s/s", 1e-9 * timing->work.flops / seconds,
           tsr_bytes_text_f(touched, nbytes), tsr_bytes_text_f(rate, nbytes / seconds));
    if (timing->bandwidth > 0)
        printf(", %.0f%% of the %s/s that a triad reaches here", 100 * nbytes / seconds / timing->bandwidth,
               tsr_bytes_text_f(best, timing->bandwidth));
    putchar('\n');
}

tsr_status tsr_tkern_time(tsr_tkern *t, tsr_error *err)
{
    const int nruns = t->s->nruns;
    void *block;
    TSR_TRY(tsr_alloc_array(&block, (uint64_t)nruns, sizeof(double), 0, "times of runs", err));
    double *const ns = block;
    tsr_tkern_timing timing = {0};
    tsr_status status = tsr_kernel_count(&timing.work, t->kernel, t->result, t->operands, err);
    if (status == TSR_OK)
        status = measure(ns, t, err);
    if (status == TSR_OK) {
        timing.min_ns = ns[0];
        timing.median_ns = 0.5 * (ns[nruns / 2] + ns[(nruns - 1) / 2]);
        timing.bandwidth = tsr_measure_bandwidth(t->s->common.nthreads);
        (t->json ? tsr_tkern_json_timing : show_timing)(t, &timing);
    }
    tsr_free(ns);
    return status;
}

/* ---- the list ---- */

static void list_builtins(void)
{
    tsr_cli_table table = {0};
    const tsr_kernel_builtin *b;
    int n = 0;
    for (; (b = tsr_kernel_builtin_at(n)) != NULL; n++) {
        tsr_cli_table_cell(&table, "  %s", b->name);
        tsr_cli_table_cell(&table, "%s", b->expression);
        tsr_cli_table_cell(&table, "%s", b->formats);
        tsr_cli_table_cell(&table, "%s", b->type);
        tsr_cli_table_cell(&table, "%s", b->sizes);
        tsr_cli_table_cell(&table, "%s", b->schedule);
        tsr_cli_table_end_row(&table);
    }
    printf("Built in:%s\n", n == 0 ? " nothing" : "");
    tsr_cli_table_print(stdout, &table, "llllll");
}

typedef struct listing {
    tsr_cli_table table;
    int n;
    double nbytes;
} listing;

static bool add_entry(void *arg, const tsr_jit_entry *entry)
{
    listing *const list = arg;
    const char *line = entry->first_line;
    line += strncmp(line, "/* ", 3) == 0 ? 3 : 0;
    const char *const end = strstr(line, " */");
    char nbytes[32];
    list->n++;
    list->nbytes += (double)entry->nbytes;
    tsr_cli_table_cell(&list->table, "  %.8s", entry->key);
    tsr_cli_table_cell(&list->table, "%s", tsr_bytes_text(nbytes, entry->nbytes));
    tsr_cli_table_cell(&list->table, "%.*s", end ? (int)(end - line) : (int)strlen(line), line);
    tsr_cli_table_end_row(&list->table);
    return true;
}

void tsr_tkern_list(const tsr_cli_tool *tool)
{
    listing list = {0};
    char text[sizeof(tsr_error) + 64], nbytes[32];
    tsr_error err = {0};
    list_builtins();
    if (tsr_jit_list(NULL, add_entry, &list, &err) != TSR_OK) {
        fprintf(stderr, "%s: %s\n", tool->name, tsr_error_text(text, sizeof text, &err));
    } else if (list.n == 0) {
        printf("\nThe cache is empty.\n");
    } else {
        printf("\nIn the cache, %d kernel%s, %s, the last used first:\n", list.n, list.n == 1 ? "" : "s",
               tsr_bytes_text_f(nbytes, list.nbytes));
        tsr_cli_table_print(stdout, &list.table, "lrl");
    }
    tsr_text_clear(&list.table.text);
}

void tsr_tkern_list_schedule(const tsr_cli_tool *tool)
{
    enum { INDENT = 22, WIDTH = 96 };
    const tsr_schedule_item *item;
    (void)tool;
    for (int k = 0; (item = tsr_schedule_item_at(k)) != NULL; k++)
        tsr_cli_print_wrapped(stdout, item->help, printf("%s", item->example), INDENT, WIDTH);
}

void tsr_tkern_describe(const char *table)
{
    const tsr_schedule_item *item;
    for (int k = 0; (item = tsr_schedule_item_at(k)) != NULL; k++)
        printf("%s\titem\t%s\t%s\n", table, item->example, item->help);
}
