/* tinfo's answers in words: see tinfo.h. */
#include <string.h>

#include "lists.h"
#include "report.h"
#include "table.h"
#include "tinfo.h"
#include "tsr_shown.h"

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* "5%", "0.0013%", "1.2e-07%" */
static void print_density(FILE *to, const tsr_tinfo *info)
{
    if (info->survey.ncells > 0)
        fprintf(to, ", density %.3g%%", 100.0 * (double)info->coo->nnz / info->survey.ncells);
}

static void print_head(FILE *to, const tsr_tinfo *info)
{
    const tsr_coo *const coo = info->coo;
    char number[32], path[TSR_SHOWN_NBYTES];
    tsr_text dims = {0};
    tsr_cli_add_dims(&dims, coo->order, coo->dims);
    fprintf(to, "%s: %s, %llu nonzero%s", tsr_show(path, info->path), tsr_text_cstr(&dims),
            (unsigned long long)coo->nnz, plural(coo->nnz));
    tsr_text_clear(&dims);
    print_density(to, info);
    fprintf(to, ", %s", tsr_type_name(coo->type));
    if (coo->structure != TSR_GENERAL)
        fprintf(to, ", %s (one triangle is stored)", tsr_structure_name(coo->structure));
    if (coo->iso && coo->type != TSR_PATTERN)
        fputs(", one value for all", to);
    fputc('\n', to);
    if (info->codec) {
        fprintf(to, "file        %s", info->codec);
        if (info->file_nbytes)
            fprintf(to, ", %s", tsr_bytes_text(number, info->file_nbytes));
        fputc('\n', to);
    }
    if (coo->has_fill) {
        char value[TSR_VALUE_TEXT_NBYTES];
        fprintf(to, "fill        %.*s\n", (int)tsr_value_print(value, coo->type, coo->fill), value);
    }
}

static void print_entries(FILE *to, const tsr_tinfo *info)
{
    const tsr_cli_survey *const survey = &info->survey;
    fputs("entries     ", to);
    if (info->coo->order == 0) {
        fputs("one\n", to);
        return;
    }
    fputs(survey->sorted ? "sorted by modes " : "not sorted", to);
    for (int m = 0; survey->sorted && m < info->coo->order; m++)
        fprintf(to, "%s%d", m ? "," : "", survey->sorted_by[m]);
    if (survey->nduplicates)
        fprintf(to, ", %llu duplicate%s\n", (unsigned long long)survey->nduplicates,
                plural(survey->nduplicates));
    else
        fputs(", no duplicates\n", to);
}

static void print_format(FILE *to, const tsr_tinfo *info)
{
    const tsr_tensor *const t = info->data->tensor;
    char number[32];
    if (!t) {
        fprintf(to, "format      coordinates, not packed\nmemory      %s\n",
                tsr_bytes_text(number, tsr_coo_nbytes(info->coo)));
        return;
    }
    tsr_text name = {0}, text = {0};
    tsr_format_print_name_for(&name, t->format, t->dims);
    tsr_format_print_long(&text, t->format);
    if (strcmp(tsr_text_cstr(&name), tsr_text_cstr(&text)) != 0)
        fprintf(to, "format      %s = %s\n", tsr_text_cstr(&name), tsr_text_cstr(&text));
    else
        fprintf(to, "format      %s\n", tsr_text_cstr(&text));
    tsr_text_clear(&name);
    tsr_text_clear(&text);
    fprintf(to, "memory      %s\n", tsr_bytes_text(number, tsr_tensor_nbytes(t)));
}

static void array_cell(tsr_table *table, const tsr_array *array)
{
    if (array->data)
        tsr_table_cell(table, "%llu x %zu bit", (unsigned long long)array->n, array->width * 8);
    else
        tsr_table_cell(table, "-");
}

static void print_levels(FILE *to, const tsr_tensor *t)
{
    static const char *const head[] = {"level", "kind", "size", "positions", "pos", "crd", "bytes"};
    tsr_table table = {0};
    char number[32];
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        tsr_table_cell(&table, "%s", head[i]);
    tsr_table_end_row(&table);
    for (int l = 0; l < t->nlevels; l++) {
        const tsr_level *const level = &t->levels[l];
        tsr_table_cell(&table, "%d", l);
        if (level->pitch > level->size)
            tsr_table_cell(&table, "%s(pitch = %llu)", level->type->name, (unsigned long long)level->pitch);
        else
            tsr_table_cell(&table, "%s%s", level->type->name, level->nonunique ? "(nonunique)" : "");
        tsr_table_cell(&table, "%llu", (unsigned long long)level->size);
        tsr_table_cell(&table, "%llu", (unsigned long long)level->npos);
        array_cell(&table, &level->pos);
        array_cell(&table, &level->crd);
        tsr_table_cell(&table, "%s", tsr_bytes_text(number, tsr_level_nbytes(level)));
        tsr_table_end_row(&table);
    }
    tsr_table_cell(&table, "values");
    tsr_table_cell(&table, "%s%s", tsr_type_name(t->type), t->iso ? ", one for all" : "");
    tsr_table_cell(&table, "%s", "");
    tsr_table_cell(&table, "%llu", (unsigned long long)t->npos);
    tsr_table_cell(&table, "%s", "");
    tsr_table_cell(&table, "%s", "");
    tsr_table_cell(&table, "%s", tsr_bytes_text(number, tsr_array_nbytes(&t->values)));
    tsr_table_end_row(&table);
    fputc('\n', to);
    tsr_table_print(to, &table, "ll");
}

static void spread_row(tsr_table *table, int mode, const char *what, const tsr_cli_spread *spread)
{
    char total[32], empty[32];
    tsr_table_cell(table, "%d", mode);
    tsr_table_cell(table, "%s", what);
    tsr_table_cell(table, "%s", tsr_cli_count_text(total, spread->total));
    tsr_table_cell(table, "%s", tsr_cli_count_text(empty, spread->total - (double)spread->used));
    tsr_table_cell(table, "%llu", (unsigned long long)spread->min);
    tsr_table_cell(table, "%.3g", spread->mean);
    tsr_table_cell(table, "%llu", (unsigned long long)spread->max);
    tsr_table_end_row(table);
}

/* In a matrix the fibers of one mode are the slices of the other; they are not said twice. */
static void print_modes(FILE *to, const tsr_tinfo *info)
{
    static const char *const head[] = {"mode", "groups", "number", "empty", "min", "mean", "max"};
    const int order = info->coo->order;
    if (order == 0)
        return;
    tsr_table table = {0};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        tsr_table_cell(&table, "%s", head[i]);
    tsr_table_end_row(&table);
    for (int m = 0; m < order; m++) {
        spread_row(&table, m, "slices", &info->survey.modes[m].slices);
        if (order > 2)
            spread_row(&table, m, "fibers", &info->survey.modes[m].fibers);
    }
    fputs("\nentries in a slice (one index of the mode) or fiber (along the mode) that is not empty\n", to);
    tsr_table_print(to, &table, "rl");
}

static void print_sizes(FILE *to, const tsr_tinfo *info)
{
    const tsr_cli_survey *const survey = &info->survey;
    char number[32];
    tsr_table table = {0};
    bool bound = false;
    for (int i = 0; i < survey->nsizes; i++) {
        tsr_table_cell(&table, "%s", survey->sizes[i].format);
        tsr_table_cell(&table, "%s%s", survey->sizes[i].exact ? "" : "<= ",
                       tsr_bytes_text_f(number, survey->sizes[i].nbytes));
        tsr_table_end_row(&table);
        bound = bound || !survey->sizes[i].exact;
    }
    fprintf(to, "\nmemory in named formats%s\n", bound ? " (<= is a bound; --exact tells)" : "");
    tsr_table_print(to, &table, "lr");
}

void tsr_tinfo_print(FILE *to, const tsr_tinfo *info, bool utf8)
{
    print_head(to, info);
    print_format(to, info);
    print_entries(to, info);
    if (info->data->tensor)
        print_levels(to, info->data->tensor);
    print_modes(to, info);
    print_sizes(to, info);
    if (info->density) {
        fputc('\n', to);
        tsr_density_print(to, info->density, utf8);
    }
}
