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

static uint64_t values_nbytes(const tsr_tensor *tensor)
{
    return tensor->values.n * tensor->values.width;
}

/* "5%", "0.0013%", "1.2e-07%" */
static void print_density(FILE *to, const tsr_tensor_facts *info)
{
    if (info->survey.ncells > 0)
        fprintf(to, ", density %.3g%%", 100.0 * (double)info->survey.nnz / info->survey.ncells);
}

static void print_head(FILE *to, const tsr_tensor_facts *info)
{
    const tsr_facts_head head = tsr_facts_head_of(info->data);
    const uint64_t nnz = info->survey.nnz;
    char number[32], path[TSR_SHOWN_NBYTES];
    tsr_text dims = {0};
    tsr_cli_add_dims(&dims, head.order, head.dims);
    fprintf(to, "%s: %s, %llu nonzero%s", tsr_show(path, info->path), tsr_text_cstr(&dims),
            (unsigned long long)nnz, plural(nnz));
    tsr_text_clear(&dims);
    print_density(to, info);
    fprintf(to, ", %s", tsr_type_name(head.type));
    if (head.structure != TSR_GENERAL)
        fprintf(to, ", %s (one triangle is stored)", tsr_structure_name(head.structure));
    if (head.iso && head.type != TSR_PATTERN)
        fputs(", one value for all", to);
    fputc('\n', to);
    if (info->codec) {
        fprintf(to, "file        %s", info->codec);
        if (info->file_nbytes)
            fprintf(to, ", %s", tsr_bytes_text(number, info->file_nbytes));
        fputc('\n', to);
    }
    if (head.fill) {
        char value[TSR_VALUE_TEXT_NBYTES];
        fprintf(to, "fill        %.*s\n", (int)tsr_value_print(value, head.type, head.fill), value);
    }
}

static void print_entries(FILE *to, const tsr_tensor_facts *info)
{
    const tsr_survey *const survey = &info->survey;
    fputs("entries     ", to);
    const int order = tsr_facts_head_of(info->data).order;
    if (order == 0) {
        fputs("one\n", to);
        return;
    }
    fputs(survey->sorted ? "sorted by modes " : "not sorted", to);
    for (int m = 0; survey->sorted && m < order; m++)
        fprintf(to, "%s%d", m ? "," : "", survey->sorted_by[m]);
    if (!survey->duplicates_known)
        fputs(", duplicates not looked for (--exact)\n", to);
    else if (survey->nduplicates)
        fprintf(to, ", %llu duplicate%s\n", (unsigned long long)survey->nduplicates,
                plural(survey->nduplicates));
    else
        fputs(", no duplicates\n", to);
}

static void print_values(FILE *to, const tsr_tensor_facts *info)
{
    const tsr_value_facts *const values = &info->survey.values;
    const tsr_type type = tsr_facts_head_of(info->data).type;
    char value[TSR_VALUE_TEXT_NBYTES];
    if (values->ndifferent == 0)
        return;
    if (values->ndifferent == 1)
        fprintf(to, "values      all %.*s", (int)tsr_value_print(value, type, values->first), value);
    else
        fprintf(to, values->is_exact ? "values      %.0f different" : "values      about %.3g different",
                values->ndifferent);
    if (values->ndifferent == 1 && !tsr_facts_head_of(info->data).iso)
        fputs(": a pattern (--type=pattern) stores no values", to);
    else if (values->narrowest != type)
        fprintf(to, ", exact as %s", tsr_type_name(values->narrowest));
    fputc('\n', to);
}

static void print_format(FILE *to, const tsr_tensor_facts *info)
{
    const tsr_tensor *const t = info->data->tensor;
    char number[32];
    if (!t) {
        fprintf(to, "format      coordinates, not packed\nmemory      %s\n",
                tsr_bytes_text(number, tsr_coo_nbytes(info->data->coo)));
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
    fprintf(to, "memory      %s\n", tsr_bytes_text(number, tsr_facts_nbytes(t)));
}

static void array_cell(tsr_cli_table *table, const tsr_array *array)
{
    if (array->data)
        tsr_cli_table_cell(table, "%llu x %zu bit", (unsigned long long)array->n, array->width * 8);
    else
        tsr_cli_table_cell(table, "-");
}

/* "level 1     K = 3, slice_pos 5 x 32 bit": numbers, and arrays beside pos and crd. */
static void print_more(FILE *to, const tsr_tensor *t, int l)
{
    const tsr_level *const level = &t->levels[l];
    const char *separator = "";
    if (!level->type->assemble)
        return;
    fprintf(to, "level %-5d %s: ", l, level->type->rule);
    for (int k = 0; k < TSR_LEVEL_MAX_NUMBERS && level->type->numbers[k].name; k++, separator = ", ")
        fprintf(to, "%s%s = %lld", separator, level->type->numbers[k].name,
                (long long)level->type->numbers[k].get(level));
    for (int k = 0; k < TSR_LEVEL_NROLES && level->type->arrays[k].name; k++, separator = ", ") {
        const tsr_array *const array = tsr_level_array_at(level, level->type->arrays[k].role);
        fprintf(to, "%s%s %llu x %zu bit", separator, level->type->arrays[k].name,
                (unsigned long long)array->n, array->width * 8);
    }
    fputc('\n', to);
}

static void print_levels(FILE *to, const tsr_tensor *t)
{
    static const char *const head[] = {"level", "kind", "size", "positions", "pos", "crd", "bytes"};
    tsr_cli_table table = {0};
    char number[32];
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        tsr_cli_table_cell(&table, "%s", head[i]);
    tsr_cli_table_end_row(&table);
    for (int l = 0; l < t->nlevels; l++) {
        const tsr_level *const level = &t->levels[l];
        tsr_cli_table_cell(&table, "%d", l);
        if (level->param)
            tsr_cli_table_cell(&table, "%s(%llu)", level->type->name, (unsigned long long)level->param);
        else if (level->type->can_have_pitch && level->pitch > level->size)
            tsr_cli_table_cell(&table, "%s(pitch = %llu)", level->type->name,
                               (unsigned long long)level->pitch);
        else
            tsr_cli_table_cell(&table, "%s%s", level->type->name, level->nonunique ? "(nonunique)" : "");
        tsr_cli_table_cell(&table, "%llu", (unsigned long long)level->size);
        tsr_cli_table_cell(&table, "%llu", (unsigned long long)level->npos);
        array_cell(&table, &level->pos);
        array_cell(&table, &level->crd);
        tsr_cli_table_cell(&table, "%s", tsr_bytes_text(number, tsr_level_nbytes(level)));
        tsr_cli_table_end_row(&table);
    }
    tsr_cli_table_cell(&table, "values");
    tsr_cli_table_cell(&table, "%s%s", tsr_type_name(t->type), t->iso ? ", one for all" : "");
    tsr_cli_table_cell(&table, "%s", "");
    tsr_cli_table_cell(&table, "%llu", (unsigned long long)t->npos);
    tsr_cli_table_cell(&table, "%s", "");
    tsr_cli_table_cell(&table, "%s", "");
    tsr_cli_table_cell(&table, "%s", tsr_bytes_text(number, values_nbytes(t)));
    tsr_cli_table_end_row(&table);
    fputc('\n', to);
    tsr_cli_table_print(to, &table, "ll");
    for (int l = 0; l < t->nlevels; l++)
        print_more(to, t, l);
}

static void spread_row(tsr_cli_table *table, int mode, const char *what, const tsr_spread *spread)
{
    char total[32], empty[32];
    tsr_cli_table_cell(table, "%d", mode);
    tsr_cli_table_cell(table, "%s", what);
    tsr_cli_table_cell(table, "%s", tsr_cli_count_text(total, spread->total));
    if (!spread->known) {
        tsr_cli_table_cell(table, "-");
        tsr_cli_table_cell(table, "-");
        tsr_cli_table_cell(table, spread->estimate > 0 ? "~ %.3g" : "-", spread->estimate);
        tsr_cli_table_cell(table, "-");
        tsr_cli_table_end_row(table);
        return;
    }
    tsr_cli_table_cell(table, "%s", tsr_cli_count_text(empty, spread->total - (double)spread->used));
    tsr_cli_table_cell(table, "%llu", (unsigned long long)spread->min);
    tsr_cli_table_cell(table, "%.3g", spread->mean);
    tsr_cli_table_cell(table, "%llu", (unsigned long long)spread->max);
    tsr_cli_table_end_row(table);
}

/* In a matrix the fibers of one mode are the slices of the other, so only slices are printed. */
static void print_modes(FILE *to, const tsr_tensor_facts *info)
{
    static const char *const head[] = {"mode", "groups", "number", "empty", "min", "mean", "max"};
    const int order = tsr_facts_head_of(info->data).order;
    bool known = true, estimated = false;
    if (order == 0)
        return;
    tsr_cli_table table = {0};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        tsr_cli_table_cell(&table, "%s", head[i]);
    tsr_cli_table_end_row(&table);
    for (int m = 0; m < order; m++) {
        spread_row(&table, m, "slices", &info->survey.modes[m].slices);
        if (order > 2)
            spread_row(&table, m, "fibers", &info->survey.modes[m].fibers);
        known = known && info->survey.modes[m].slices.known && info->survey.modes[m].fibers.known;
        estimated = estimated || info->survey.modes[m].fibers.estimate > 0;
    }
    fputs("\nentries in a slice (one index of the mode) or fiber (along the mode) that is not empty\n", to);
    tsr_cli_table_print(to, &table, "rl");
    if (!known)
        fprintf(to, "- needs the entries in another order: --fibers sorts them%s\n",
                estimated ? "; ~ is estimated from a sample" : "");
}

static void print_sizes(FILE *to, const tsr_tensor_facts *info)
{
    const tsr_survey *const survey = &info->survey;
    char number[32];
    tsr_cli_table table = {0};
    bool bound = false, estimated = false;
    for (int i = 0; i < survey->nsizes; i++) {
        const tsr_format_size *const size = &survey->sizes[i];
        const bool is_estimate = !size->exact && size->estimate > 0;
        tsr_cli_table_cell(&table, "%s", size->format);
        tsr_cli_table_cell(&table, "%s%s",
                           size->exact   ? ""
                           : is_estimate ? "~ "
                                         : "<= ",
                           tsr_bytes_text_f(number, is_estimate ? size->estimate : size->nbytes));
        tsr_cli_table_end_row(&table);
        bound = bound || (!size->exact && !is_estimate);
        estimated = estimated || is_estimate;
    }
    fprintf(to, "\nmemory in named formats%s%s%s%s\n", bound || estimated ? " (" : "",
            bound ? "<= is a bound" : "", bound && estimated ? ", " : "",
            estimated ? "~ is estimated from a sample: --sizes sorts to know)"
            : bound   ? ": --sizes sorts to know)"
                      : "");
    tsr_cli_table_print(to, &table, "lr");
}

/* How many names each mode has, and the first ones. */
static void print_names(FILE *to, const tsr_labels *labels)
{
    enum { MOST = 3 };
    char shown[TSR_SHOWN_NBYTES];
    for (int m = 0; labels && m < TSR_MAX_ORDER; m++) {
        const tsr_names *const names = &labels->modes[m];
        if (names->n == 0)
            continue;
        fprintf(to, "names       mode %d: ", m);
        for (uint64_t i = 0; i < names->n && i < MOST; i++)
            fprintf(to, "%s%s", i ? ", " : "", tsr_show(shown, tsr_names_get(names, i)));
        fprintf(to, names->n > MOST ? ", ... (%llu)\n" : "\n", (unsigned long long)names->n);
    }
}

void tsr_tinfo_print(FILE *to, const tsr_tensor_facts *info, bool utf8)
{
    print_head(to, info);
    print_format(to, info);
    print_entries(to, info);
    print_values(to, info);
    print_names(to, info->data->labels);
    if (info->data->tensor)
        print_levels(to, info->data->tensor);
    if (info->spreads)
        print_modes(to, info);
    if (info->sizes)
        print_sizes(to, info);
    if (info->density) {
        fputc('\n', to);
        tsr_density_print(to, info->density, utf8);
    }
}
