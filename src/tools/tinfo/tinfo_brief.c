/* Printing what the headers of a file report: see tinfo_brief.h. */
#include "tinfo_brief.h"

#include <string.h>

#include "lists.h"
#include "table.h"
#include "tsr_shown.h"

static const char not_told[] = "not stored in this kind of file";

/* ---- words ---- */

/* "A.h5:group"; the path may already name the group. */
static void name_of(tsr_text *name, const char *path, const tsr_brief_tensor *tensor)
{
    const size_t n = strlen(path), k = strlen(tensor->group);
    const bool named =
        k == 0 || (n > k && path[n - k - 1] == ':' && strcmp(path + n - k, tensor->group) == 0);
    tsr_text_add(name, path);
    if (!named)
        tsr_text_addf(name, ":%s", tensor->group);
}

static void print_head(FILE *to, const tsr_brief_tensor *tensor, const char *path)
{
    char shown[TSR_SHOWN_NBYTES];
    tsr_text name = {0}, dims = {0};
    name_of(&name, path, tensor);
    fprintf(to, "%s: ", tsr_show(shown, tsr_text_cstr(&name)));
    tsr_text_clear(&name);
    if (tensor->has_dims)
        tsr_cli_add_dims(&dims, tensor->order, tensor->dims);
    if (tensor->has_dims)
        fputs(tsr_text_cstr(&dims), to);
    else
        fprintf(to, "%d mode%s", tensor->order, tensor->order == 1 ? "" : "s");
    tsr_text_clear(&dims);
    const bool cells = tensor->format && tsr_format_has_dense_leaf(tensor->format);
    if (tensor->has_nnz)
        fprintf(to, ", %llu %s%s", (unsigned long long)tensor->nnz, cells ? "cell" : "stored value",
                tensor->nnz == 1 ? "" : "s");
    if (tensor->type[0])
        fprintf(to, ", %s", tensor->type);
    if (tensor->structure != TSR_GENERAL)
        fprintf(to, ", %s (one triangle is stored)", tsr_structure_name(tensor->structure));
    if (tensor->iso)
        fputs(", one value for all", to);
    fputc('\n', to);
}

static void print_file(FILE *to, const tsr_brief *brief, uint64_t file_nbytes)
{
    char number[32];
    fprintf(to, "file        %s", brief->codec->name);
    if (brief->gzip)
        fputs(", gzip", to);
    if (file_nbytes)
        fprintf(to, ", %s", tsr_bytes_text(number, file_nbytes));
    fputc('\n', to);
}

/* "csr = (i, j) -> (i : dense, j : compressed)" */
static void print_format(FILE *to, const tsr_brief_tensor *tensor)
{
    if (!tensor->format) {
        fputs("format      coordinates, not packed\n", to);
        return;
    }
    tsr_text name = {0}, text = {0};
    tsr_format_print_name_for(&name, tensor->format, tensor->dims);
    tsr_format_print_long(&text, tensor->format);
    fputs("format      ", to);
    if (strcmp(tsr_text_cstr(&name), tsr_text_cstr(&text)) != 0)
        fprintf(to, "%s = ", tsr_text_cstr(&name));
    fprintf(to, "%s\n", tsr_text_cstr(&text));
    tsr_text_clear(&name);
    tsr_text_clear(&text);
}

static void print_attributes(FILE *to, const tsr_text *names)
{
    char shown[TSR_SHOWN_NBYTES];
    if (names->nbytes == 0)
        return;
    for (size_t at = 0; at < names->nbytes; at += strlen(names->s + at) + 1)
        fprintf(to, "%s%s", at ? ", " : "attributes  ", tsr_show(shown, names->s + at));
    fputc('\n', to);
}

static void print_arrays(FILE *to, const tsr_brief_tensor *tensor)
{
    static const char *const head[] = {"array", "level", "holds", "length", "type", "bytes", "stored"};
    char number[32];
    tsr_cli_table table = {0};
    if (tensor->narrays == 0)
        return;
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        tsr_cli_table_cell(&table, "%s", head[i]);
    tsr_cli_table_end_row(&table);
    for (int i = 0; i < tensor->narrays; i++) {
        const tsr_brief_array *const array = &tensor->arrays[i];
        tsr_cli_table_cell(&table, "%s", array->name);
        if (array->level >= 0)
            tsr_cli_table_cell(&table, "%d", array->level);
        else
            tsr_cli_table_cell(&table, "%s", "");
        tsr_cli_table_cell(&table, "%s", array->role);
        tsr_cli_table_cell(&table, "%llu", (unsigned long long)array->n);
        tsr_cli_table_cell(&table, "%s", tsr_type_name(array->type));
        tsr_cli_table_cell(&table, "%s",
                           tsr_bytes_text_f(number, (double)array->n * (double)tsr_type_nbytes(array->type)));
        tsr_cli_table_cell(&table, "%s", array->storage);
        tsr_cli_table_end_row(&table);
    }
    fputc('\n', to);
    tsr_cli_table_print(to, &table, "lrlrlrl");
}

static void print_levels(FILE *to, const tsr_brief_tensor *tensor)
{
    tsr_binding *binding;
    if (!tensor->format || tsr_binding_new(&binding, tensor->format, tensor->dims, NULL) != TSR_OK)
        return;
    fputs("levels      ", to);
    for (int l = 0; l < tensor->format->nlevels; l++) {
        const tsr_level_spec *const level = &tensor->format->levels[l];
        fprintf(to, "%s%s%s %llu", l ? ", " : "", level->type->name, level->nonunique ? "(nonunique)" : "",
                (unsigned long long)binding->size[l]);
    }
    fputc('\n', to);
    tsr_binding_free(binding);
}

static void print_untold(FILE *to, const tsr_brief_tensor *tensor)
{
    if (!tensor->has_dims)
        fprintf(to, "dims        %s\n", not_told);
    if (!tensor->has_nnz)
        fprintf(to, "entries     %s\n", not_told);
    if (!tensor->type[0])
        fprintf(to, "type        %s\n", not_told);
}

static void print_lines(FILE *to, const tsr_text *head)
{
    char shown[TSR_SHOWN_NBYTES];
    for (size_t at = 0; at < head->nbytes;) {
        const size_t n = strcspn(head->s + at, "\n");
        tsr_show_n(shown, sizeof shown, head->s + at, n);
        fprintf(to, "%-12s%s\n", at ? "" : "begins", shown);
        at += n + 1;
    }
}

void tsr_tinfo_brief_print(FILE *to, const tsr_brief *brief, const char *path, uint64_t file_nbytes)
{
    char shown[TSR_SHOWN_NBYTES];
    for (int i = 0; i < brief->ntensors; i++) {
        const tsr_brief_tensor *const tensor = &brief->tensors[i];
        if (i)
            fputc('\n', to);
        if (tensor->fault.status != TSR_OK) {
            tsr_text name = {0};
            name_of(&name, path, tensor);
            fprintf(to, "%s: ", tsr_show(shown, tsr_text_cstr(&name)));
            fprintf(to, "%s\n", tensor->fault.message);
            tsr_text_clear(&name);
            continue;
        }
        print_head(to, tensor, path);
        print_file(to, brief, file_nbytes);
        print_format(to, tensor);
        print_levels(to, tensor);
        print_untold(to, tensor);
        print_attributes(to, &tensor->attributes);
        print_lines(to, &brief->head);
        print_arrays(to, tensor);
    }
    if (brief->more)
        fputs("\nthe file has more groups, which were not looked at: name one as file.h5:group\n", to);
}
