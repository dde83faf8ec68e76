/* Operands of tkern: the file, the format, the dims and the entries of each tensor. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tsr_format.h"
#include "tkern.h"
#include "tsr_num.h"
#include "tsr_pack.h"
#include "tsr_write.h"

/* ---- the arguments NAME:VALUE ---- */

/* "A, B, C". */
static void add_names(tsr_text *text, const tsr_notation *notation)
{
    for (int i = 0; i < notation->ntensors; i++)
        tsr_text_addf(text, "%s%s", i > 0 ? ", " : "", notation->tensor[i].name);
}

/* The number of the tensor in the item "NAME:VALUE", and *value; -1 if no tensor has the name. */
static int find_tensor(const char **value, const tsr_notation *notation, const char *item)
{
    const char *const colon = strchr(item, ':');
    *value = colon ? colon + 1 : NULL;
    for (int i = 0; colon && i < notation->ntensors; i++) {
        const char *const name = notation->tensor[i].name;
        if (strlen(name) == (size_t)(colon - item) && strncmp(name, item, strlen(name)) == 0)
            return i;
    }
    return -1;
}

static tsr_status no_tensor(const tsr_tkern *t, const char *option, const char *item, tsr_error *err)
{
    const char *const colon = strchr(item, ':');
    if (!colon && strcmp(option, "dims") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "--dims=%s: write NAME:SIZE, as in --dims=%s:10 or --dims=%s:4,5",
                        item, t->notation->nvars > 0 ? t->notation->var[0] : "i",
                        t->notation->tensor[t->notation->ntensors > 1 ? 1 : 0].name);
    tsr_text names = {0};
    add_names(&names, t->notation);
    const tsr_status status =
        colon
            ? tsr_fail(err, TSR_ARGUMENT, "--%s=%s: the expression has no tensor '%.*s', its tensors are %s",
                       option, item, (int)(colon - item), item, tsr_text_cstr(&names))
            : tsr_fail(err, TSR_ARGUMENT, "--%s=%s: missing name of a tensor, as in --%s=%s:%s", option, item,
                       option, t->notation->tensor[t->notation->ntensors > 1 ? 1 : 0].name, item);
    tsr_text_clear(&names);
    return status;
}

static tsr_status set_once(const char **place, const char *value, const char *option, const char *name,
                           tsr_error *err)
{
    if (*place)
        return tsr_fail(err, TSR_ARGUMENT, "--%s is given twice for %s", option, name);
    *place = value;
    return TSR_OK;
}

/* NAME:DIMS for a tensor or NAME:SIZE for a variable. */
static tsr_status assign_dims(tsr_tkern *t, const char *item, uint64_t *given, tsr_error *err)
{
    const char *value;
    const int i = find_tensor(&value, t->notation, item);
    if (i >= 0) {
        tsr_tkern_tensor *const tensor = &t->tensor[i];
        int n = 0;
        if (tensor->has_dims)
            return tsr_fail(err, TSR_ARGUMENT, "--dims is given twice for %s", tensor->name);
        TSR_TRY(tsr_cli_parse_list(tensor->dims, &n, value, TSR_MAX_ORDER, INT64_MAX, err));
        if (n != tensor->order)
            return tsr_fail(err, TSR_ARGUMENT, "--dims=%s: %s has %d indices in the expression", item,
                            tensor->name, tensor->order);
        tensor->has_dims = true;
        return TSR_OK;
    }
    for (int v = 0; value && v < t->notation->nvars; v++) {
        const char *const name = t->notation->var[v];
        if (strlen(name) != (size_t)(value - 1 - item) || strncmp(name, item, strlen(name)) != 0)
            continue;
        const char *const end = value + strlen(value);
        if (given[v] != TSR_NOTATION_UNKNOWN)
            return tsr_fail(err, TSR_ARGUMENT, "--dims is given twice for %s", name);
        if (tsr_parse_u64(&given[v], value, end) != end || given[v] > INT64_MAX)
            return tsr_fail(err, TSR_ARGUMENT, "--dims=%s: '%s' is not a size of a variable", item, value);
        return TSR_OK;
    }
    return no_tensor(t, "dims", item, err);
}

/* The end of the first item of "i:5,j:5,B:4,5,6": a comma after which a name and a colon follow, or the end.
 */
static const char *item_end(const char *items)
{
    for (const char *comma = strchr(items, ','); comma; comma = strchr(comma + 1, ',')) {
        const size_t word = strcspn(comma + 1, ",:");
        if (comma[1 + word] == ':')
            return comma;
    }
    return items + strlen(items);
}

/* -d: one item or several, separated by commas. */
static tsr_status assign_all_dims(tsr_tkern *t, const char *items, tsr_error *err)
{
    tsr_status status = TSR_OK;
    for (const char *end; status == TSR_OK; items = end + 1) {
        tsr_text item = {0};
        end = item_end(items);
        tsr_text_add_n(&item, items, (size_t)(end - items));
        status = tsr_text_status(&item, err);
        if (status == TSR_OK)
            status = assign_dims(t, tsr_text_cstr(&item), t->size, err);
        tsr_text_clear(&item);
        if (*end == '\0')
            break;
    }
    return status;
}

static tsr_status assign_output(tsr_tkern *t, const char *item, tsr_error *err)
{
    const char *value;
    const size_t n = strlen(item);
    const int i = find_tensor(&value, t->notation, item);
    if (i > 0)
        return tsr_fail(err, TSR_ARGUMENT, "--output=%s: %s is an operand; the result is %s", item,
                        t->tensor[i].name, t->tensor[0].name);
    if (i == 0 || strcmp(item, "-") == 0)
        return set_once(&t->tensor[0].out, i == 0 ? value : item, "output", t->tensor[0].name, err);
    if (!(n > 2 && strcmp(item + n - 2, ".c") == 0) && !(n > 3 && strcmp(item + n - 3, ".cc") == 0) &&
        !(n > 4 && strcmp(item + n - 4, ".cpp") == 0))
        return tsr_fail(
            err, TSR_ARGUMENT,
            "--output=%s: write %s:%s for a file with the result, or NAME.c for a file with the kernel", item,
            t->tensor[0].name, item);
    if (t->c_path)
        return tsr_fail(err, TSR_ARGUMENT, "--output names two files for the kernel, %s and %s: give one",
                        t->c_path, item);
    t->c_path = item;
    return TSR_OK;
}

/* --scalar: NAME=VALUE, several separated by commas. */
static tsr_status assign_scalars(tsr_tkern *t, const char *items, tsr_error *err)
{
    for (const char *item = items; item; item = strchr(item, ',') ? strchr(item, ',') + 1 : NULL) {
        const size_t n = strcspn(item, "=,");
        int i = 1;
        while (i < t->notation->ntensors &&
               (strlen(t->tensor[i].name) != n || strncmp(t->tensor[i].name, item, n) != 0))
            i++;
        if (item[n] != '=')
            return tsr_fail(err, TSR_ARGUMENT, "--scalar=%s: write NAME=VALUE, as in alpha=2.5", items);
        if (i == t->notation->ntensors || t->tensor[i].order > 0)
            return tsr_fail(err, TSR_ARGUMENT, "--scalar=%s: the expression has no scalar operand '%.*s'",
                            items, (int)(n < 100 ? n : 100), item);
        TSR_TRY(set_once(&t->tensor[i].value, item + n + 1, "scalar", t->tensor[i].name, err));
    }
    return TSR_OK;
}

tsr_status tsr_tkern_assign(tsr_tkern *t, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    const char *value;
    for (int i = 0; i < t->notation->ntensors; i++) {
        t->tensor[i].name = t->notation->tensor[i].name;
        t->tensor[i].order = t->notation->tensor[i].order;
    }
    for (int i = 0; i < s->formats.n; i++) {
        const int n = find_tensor(&value, t->notation, s->formats.text[i]);
        if (n < 0)
            return no_tensor(t, "format", s->formats.text[i], err);
        TSR_TRY(set_once(&t->tensor[n].format_text, value, "format", t->tensor[n].name, err));
    }
    for (int i = 0; i < s->inputs.n; i++) {
        const int n = find_tensor(&value, t->notation, s->inputs.text[i]);
        if (n < 0)
            return no_tensor(t, "input", s->inputs.text[i], err);
        if (n == 0 && !t->notation->accumulate && s->part != TSR_TKERN_COMPUTE)
            return tsr_fail(
                err, TSR_ARGUMENT,
                "--input=%s: %s is the result, and only += starts from the values of a file (--part=compute "
                "from the entries)",
                s->inputs.text[i], t->tensor[0].name);
        for (int k = 0; k < t->notation->ntensors && strcmp(value, "-") == 0; k++)
            if (k != n && t->tensor[k].path && strcmp(t->tensor[k].path, "-") == 0)
                return tsr_fail(err, TSR_ARGUMENT,
                                "--input=%s: %s is read from standard input, too: give one of them a file",
                                s->inputs.text[i], t->tensor[k].name);
        TSR_TRY(set_once(&t->tensor[n].path, value, "input", t->tensor[n].name, err));
    }
    for (int i = 0; i < s->outputs.n; i++)
        TSR_TRY(assign_output(t, s->outputs.text[i], err));
    for (int v = 0; v < TSR_NOTATION_MAX_VARS; v++)
        t->size[v] = TSR_NOTATION_UNKNOWN;
    for (int i = 0; i < s->dims.n; i++)
        TSR_TRY(assign_all_dims(t, s->dims.text[i], err));
    for (int i = 0; i < s->scalars.n; i++)
        TSR_TRY(assign_scalars(t, s->scalars.text[i], err));
    return TSR_OK;
}

/* ---- files ---- */

/* If the expression has fewer indices than the file has modes, drop modes of size 1: a matrix with one
 * column or row becomes a vector. */
static void drop_unit_modes(tsr_coo *coo, int order)
{
    for (int m = coo->order - 1; m >= 0 && coo->order > order; m--) {
        if (coo->dims[m] != 1)
            continue;
        tsr_array_clear(&coo->crd[m]);
        for (int k = m; k < coo->order - 1; k++) {
            coo->dims[k] = coo->dims[k + 1];
            coo->crd[k] = coo->crd[k + 1];
        }
        coo->order--;
        coo->dims[coo->order] = 0;
        memset(&coo->crd[coo->order], 0, sizeof coo->crd[0]);
        coo->natural = NULL;
    }
}

tsr_read_options tsr_tkern_read_options(const tsr_tkern *t, const tsr_tkern_tensor *tensor)
{
    tsr_read_options how = {.nthreads = t->s->common.nthreads,
                            .has_type = t->s->has_type,
                            .type = t->s->type,
                            .observer = &t->report->observer};
    if (tensor->has_dims) {
        how.shape_order = tensor->order;
        memcpy(how.shape, tensor->dims, sizeof how.shape);
    }
    return how;
}

static tsr_status read_tensor(tsr_tkern *t, tsr_tkern_tensor *tensor, tsr_error *err)
{
    const tsr_read_options how = tsr_tkern_read_options(t, tensor);
    tsr_data *const data = &tensor->data;
    TSR_TRY(tsr_read(data, tensor->path, NULL, &how, err));
    const tsr_structure structure = tsr_data_structure(data);
    const int order = tsr_data_order(data);
    if (structure != TSR_GENERAL || order != tensor->order)
        TSR_TRY(tsr_data_unpack(data, t->s->common.nthreads, err));
    if (data->coo && structure != TSR_GENERAL)
        TSR_TRY(tsr_coo_expand(data->coo, err));
    if (data->coo)
        drop_unit_modes(data->coo, tensor->order);
    const int found = tsr_data_order(data);
    if (found != tensor->order)
        return tsr_fail_at(err, TSR_UNSUPPORTED, tensor->path, 0, 0,
                           "holds a tensor of %d mode%s, but %s has %d in the expression", found,
                           found == 1 ? "" : "s", tensor->name, tensor->order);
    tensor->type = tsr_data_type(data);
    memcpy(tensor->dims, tsr_data_dims(data), (size_t)tensor->order * sizeof *tensor->dims);
    tensor->has_dims = true;
    return TSR_OK;
}

/* ---- sizes ---- */

/* Call for every access of the expression, from left to right. */
static void visit_accesses(tsr_tkern *t, const tsr_expr *e, void (*visit)(tsr_tkern *, const tsr_expr *))
{
    if (!e)
        return;
    if (e->kind == TSR_EXPR_ACCESS)
        visit(t, e);
    visit_accesses(t, e->a, visit);
    visit_accesses(t, e->b, visit);
}

static void note_known(tsr_tkern *t, const tsr_expr *access)
{
    const tsr_tkern_tensor *const tensor = &t->tensor[access->tensor];
    for (int m = 0; m < access->nindices; m++)
        if (tensor->has_dims || tsr_expr_window(access, m))
            t->known |= UINT32_C(1) << access->index[m];
}

/* If -d gives the sizes of all variables of the access, these are the dims of the tensor, whatever its
 * file says. */
static void set_given_dims(tsr_tkern *t, const tsr_expr *access)
{
    tsr_tkern_tensor *const tensor = &t->tensor[access->tensor];
    uint64_t dims[TSR_MAX_ORDER] = {0};
    for (int m = 0; m < access->nindices; m++) {
        dims[m] = t->size[access->index[m]];
        if (dims[m] == TSR_NOTATION_UNKNOWN || tsr_expr_window(access, m))
            return;
    }
    if (!tensor->has_dims && access->nindices > 0) {
        memcpy(tensor->dims, dims, sizeof dims);
        tensor->has_dims = true;
    }
}

static void set_dims(tsr_tkern *t, const tsr_expr *access)
{
    tsr_tkern_tensor *const tensor = &t->tensor[access->tensor];
    for (int m = 0; m < access->nindices; m++) {
        const tsr_mode_window *const window = tsr_expr_window(access, m);
        if (!window)
            tensor->dims[m] = t->size[access->index[m]];
        else if (tensor->dims[m] < window->behind) /* the dim is unknown: the least that the window needs */
            tensor->dims[m] = window->behind;
    }
    tensor->has_dims = true;
}

/* The size that stands for unknown sizes if only text is made: large, not divisible by any block, and
 * unlikely to be met by chance. n: the number of such variables in the result; a result with up to 4 of
 * them has fewer than 2^59 cells. */
static uint64_t stand_in_size(int n)
{
    static const uint64_t primes[] = {1000003, 1000003, 1000003, 800011, 27551};
    return primes[n < 4 ? n : 4];
}

/* Bit v: the size of variable v is unknown. */
static uint32_t unknown_sizes(const tsr_tkern *t)
{
    uint32_t unknown = 0;
    for (int v = 0; v < t->notation->nvars; v++)
        unknown |= (uint32_t)(t->size[v] == TSR_NOTATION_UNKNOWN && !(t->known >> v & 1)) << v;
    return unknown;
}

/* Where a size is unknown: a format that is wrong for any sizes is the error to report first. */
static tsr_status check_formats(tsr_tkern *t, tsr_error *err)
{
    for (int i = 0; i < t->notation->ntensors; i++) {
        const tsr_tkern_tensor *const tensor = &t->tensor[i];
        tsr_format *format = NULL;
        int nbits;
        if (!tensor->format_text)
            continue;
        const tsr_status status = tsr_format_parse_sized(
            &format, &nbits, tensor->format_text,
            (tsr_shape){tsr_notation_access(t->notation, i)->nindices, NULL}, tensor->type, err);
        tsr_format_free(format);
        if (status != TSR_OK) {
            t->wrong = (tsr_cli_place){"format", tensor->format_text};
            return status;
        }
    }
    return TSR_OK;
}

/* Note that the size of an index of a band in e is known where that of the other is. Returns whether it did so. */
static bool note_band(tsr_tkern *t, const tsr_expr *e)
{
    if (!e || !e->has_band)
        return false;
    if (e->kind != TSR_EXPR_BAND)
        return note_band(t, e->a) || note_band(t, e->b);
    const uint32_t unknown = unknown_sizes(t) & e->vars;
    t->known |= unknown == e->vars ? 0 : unknown;
    return unknown && unknown != e->vars;
}

/* The size of an index that only bands have follows from the tensors, so that -d cannot give another one. */
static tsr_status check_bands(const tsr_tkern *t, const uint64_t *const *dims, const uint64_t *given,
                              tsr_error *err)
{
    uint64_t size[TSR_NOTATION_MAX_VARS], tensors[TSR_NOTATION_MAX_VARS];
    uint32_t held = t->notation->result->vars;
    for (int i = 1; i < t->notation->ntensors; i++)
        held |= tsr_notation_tensor_vars(t->notation, i);
    for (int v = 0; v < t->notation->nvars; v++)
        tensors[v] = held >> v & 1 ? given[v] : TSR_NOTATION_UNKNOWN;
    TSR_TRY(tsr_notation_sizes(size, t->notation, dims, tensors, err));
    for (int v = 0; v < t->notation->nvars; v++)
        if (size[v] != t->size[v])
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, t->notation->var_col[v],
                               "%s is given as %" PRIu64
                               ", but no tensor has it: its size is that of the other "
                               "index of the band, %" PRIu64,
                               t->notation->var[v], t->size[v], size[v]);
    return TSR_OK;
}

/* Determine all sizes and dims. On entry t->size holds the sizes that -d gives. */
static tsr_status find_sizes(tsr_tkern *t, tsr_error *err)
{
    const tsr_notation *const notation = t->notation;
    const uint64_t *dims[TSR_NOTATION_MAX_TENSORS] = {NULL};
    uint64_t given[TSR_NOTATION_MAX_VARS];
    for (int i = 0; i < notation->ntensors; i++)
        dims[i] = t->tensor[i].has_dims ? t->tensor[i].dims : NULL;
    memcpy(given, t->size, sizeof given);
    t->wrong = (tsr_cli_place){NULL, t->s->expression};
    visit_accesses(t, notation->result, note_known);
    visit_accesses(t, notation->rhs, note_known);
    visit_accesses(t, tsr_notation_condition(notation), note_known);
    while (note_band(t, notation->rhs)) {
    }
    t->stand_in = unknown_sizes(t);
    int nfree = 0;
    for (int v = 0; v < notation->nfree; v++)
        nfree += (int)(t->stand_in >> v & 1);
    t->stand_in_size = stand_in_size(nfree);
    for (int v = 0; v < notation->nvars; v++) {
        if (!(t->stand_in >> v & 1))
            continue;
        if (!t->text_only)
            TSR_TRY(check_formats(t, err));
        if (!t->text_only)
            return tsr_fail_at(
                err, TSR_ARGUMENT, NULL, 0, notation->nstatements > 0 ? 0 : notation->var_col[v],
                "the size of %s is unknown: use --dims=%s:SIZE, or --input for a tensor that has this index",
                notation->var[v], notation->var[v]);
        given[v] = t->stand_in_size;
    }
    TSR_TRY(tsr_notation_sizes(t->size, notation, dims, given, err));
    if (notation->rhs->has_band)
        TSR_TRY(check_bands(t, dims, given, err));
    t->wrong = (tsr_cli_place){0};
    visit_accesses(t, notation->result, set_dims);
    visit_accesses(t, notation->rhs, set_dims);
    visit_accesses(t, tsr_notation_condition(notation), set_dims);
    return TSR_OK;
}

/* ---- formats ---- */

/* The storage order of the modes of tensor i if no format is given: first the modes that the result has
 * first, in the order of the result, so that a thread owns the elements that it adds to; then the other
 * modes, short ones first, so that long runs share them. */
static void choose_modes(int *modes, const tsr_tkern *t, int i)
{
    const tsr_expr *const access = tsr_notation_access(t->notation, i);
    const uint64_t *const dims = t->tensor[i].dims;
    for (int n = 0; n < access->nindices; n++) {
        int at = n;
        for (; at > 0; at--) {
            const int other = access->index[modes[at - 1]], mine = access->index[n];
            const bool free = mine < t->notation->nfree, other_free = other < t->notation->nfree;
            const bool before = free != other_free ? free
                                : free             ? mine < other
                                                   : dims[n] < dims[modes[at - 1]];
            if (!before)
                break;
            modes[at] = modes[at - 1];
        }
        modes[at] = n;
    }
}

/* The format for coordinates from a file: dense if at least a quarter of the cells have entries. Otherwise
 * all levels are compressed, except the first, which is dense if it has at most four rows per entry. */
static tsr_status suitable_format(tsr_format **out, const tsr_tkern *t, int i, tsr_error *err)
{
    const tsr_tkern_tensor *const tensor = &t->tensor[i];
    const double nnz = (double)tensor->data.coo->nnz;
    double ncells = 1;
    for (int m = 0; m < tensor->order; m++)
        ncells *= (double)tensor->dims[m];
    if (ncells <= 4 * nnz || tensor->order == 0)
        return tsr_format_dense(out, tensor->order, NULL, err);
    int modes[TSR_MAX_ORDER];
    choose_modes(modes, t, i);
    const bool dense_rows = tensor->order == 2 && (double)tensor->dims[modes[0]] <= 4 * nnz;
    return tsr_format_nested(out, tensor->order, dense_rows ? 1 : 0, modes, err);
}

static tsr_status choose_format(tsr_tkern *t, int i, tsr_error *err)
{
    tsr_tkern_tensor *const tensor = &t->tensor[i];
    if (tensor->format_text) {
        const tsr_status status =
            tsr_format_parse_sized(&tensor->format, &tensor->index_nbits, tensor->format_text,
                                   (tsr_shape){tensor->order, tensor->dims}, tensor->type, err);
        if (status != TSR_OK)
            t->wrong = (tsr_cli_place){"format", tensor->format_text};
        return status;
    }
    if (tensor->data.tensor)
        return tsr_format_copy(&tensor->format, tensor->data.tensor->format, err);
    if (i == 0)
        return TSR_OK;
    return tensor->data.coo ? suitable_format(&tensor->format, t, i, err)
                            : tsr_format_dense(&tensor->format, tensor->order, NULL, err);
}

/* ---- contents ---- */

/* Pack the data of a file into the format. Takes ownership of the data. */
static tsr_status pack(tsr_tkern *t, tsr_tkern_tensor *tensor, tsr_error *err)
{
    const tsr_pack_options how = {.nthreads = t->s->common.nthreads,
                                  .duplicates = tsr_format_keeps_duplicates(tensor->format) ? TSR_DUP_KEEP
                                                                                            : TSR_DUP_SUM,
                                  .index_width = tsr_cli_index_width(t->s->index, tensor->index_nbits),
                                  .observer = &t->report->observer};
    tsr_data data = tensor->data;
    tensor->data = (tsr_data){0};
    if (data.tensor && t->s->index == 0 && tensor->index_nbits == 0 &&
        tsr_format_equal(data.tensor->format, tensor->format)) {
        tensor->tensor = data.tensor;
        return TSR_OK;
    }
    const tsr_status status =
        data.coo ? tsr_pack(&tensor->tensor, data.coo, tensor->format, &how, NULL, err)
                 : tsr_convert(&tensor->tensor, data.tensor, tensor->format, &how, NULL, err);
    if (status != TSR_OK)
        tsr_error_set_path(err, tensor->path);
    return status;
}

/* A result that starts from the values of a file: one value per cell. */
static tsr_status load_result(tsr_tkern *t, tsr_type type, tsr_error *err)
{
    tsr_tkern_tensor *const result = &t->tensor[0];
    if (!result->path)
        result->type = type;
    TSR_TRY(choose_format(t, 0, err));
    if (!result->path)
        return TSR_OK;
    if (!result->format)
        TSR_TRY(tsr_format_dense(&result->format, result->order, NULL, err));
    return pack(t, result, err);
}

/* Read RE, IMi, RE+IMi or RE-IMi; false for any other text. */
static bool parse_complex(double value[2], const char *p, const char *end)
{
    const char *q = tsr_parse_f64(&value[0], p, end);
    value[1] = 0;
    if (!q || q == p || q == end)
        return q == end && q != p;
    if (*q == 'i') {
        value[1] = value[0];
        value[0] = 0;
        return q + 1 == end;
    }
    if (*q != '+' && *q != '-')
        return false;
    q = tsr_parse_f64(&value[1], p = q, end);
    return q && q != p && q + 1 == end && *q == 'i';
}

/* A scalar whose value --scalar gives. Other operands are converted to the type of a value that their type cannot hold. */
static tsr_status load_scalar(tsr_tkern_tensor *tensor, tsr_error *err)
{
    const char *const end = tensor->value + strcspn(tensor->value, ",");
    double value[2];
    tsr_coo *coo;
    if (tensor->path)
        return tsr_fail(err, TSR_ARGUMENT, "%s has a file and a value: give --input or --scalar",
                        tensor->name);
    if (end == tensor->value || !parse_complex(value, tensor->value, end))
        return tsr_fail(err, TSR_ARGUMENT, "--scalar=%s=%.*s: '%.*s' is not a number such as 2.5 or 1+2i",
                        tensor->name, (int)(end - tensor->value), tensor->value, (int)(end - tensor->value),
                        tensor->value);
    const bool is_whole = value[0] == floor(value[0]) && fabs(value[0]) < 0x1p53;
    if (value[1] != 0 && tsr_type_class(tensor->type) != 'C')
        tensor->type = TSR_C128;
    else if (!is_whole && strchr("IU", tsr_type_class(tensor->type)))
        tensor->type = TSR_F64;
    const bool is_complex = tsr_type_class(tensor->type) == 'C';
    TSR_TRY(tsr_coo_new_sized(&coo, (tsr_shape){0, NULL}, is_complex ? TSR_C128 : TSR_F64, false, 1, err));
    memcpy(coo->values.data, value, (is_complex ? 2 : 1) * sizeof *value);
    tsr_status status = tsr_coo_retype(coo, tensor->type, err);
    if (status == TSR_OK)
        return tsr_pack(&tensor->tensor, coo, tensor->format, &(tsr_pack_options){0}, NULL, err);
    tsr_coo_free(coo);
    return status;
}

static tsr_status load_operand(tsr_tkern *t, int i, tsr_type type, tsr_error *err)
{
    tsr_tkern_tensor *const tensor = &t->tensor[i];
    if (!tensor->path)
        tensor->type = type;
    TSR_TRY(choose_format(t, i, err));
    if (tensor->value)
        return load_scalar(tensor, err);
    if (tensor->path)
        return pack(t, tensor, err);
    if (t->text_only)
        return TSR_OK;
    if (!tsr_format_is_dense(tensor->format))
        return tsr_fail(err, TSR_ARGUMENT, "%s is stored sparse and has no file: use --input=%s:FILE",
                        tensor->name, tensor->name);
    return tsr_tkern_generate(
        &tensor->tensor, &(tsr_tkern_random){tensor->name, tensor->format, tensor->dims, type, t->s->seed},
        t->s->common.nthreads, err);
}

/* The type of generated operands: --type, or that of the first operand from a file that has values; f32 beside halves. */
static tsr_type choose_type(const tsr_tkern *t)
{
    if (t->s->has_type)
        return t->s->type == TSR_PATTERN ? TSR_F64 : t->s->type;
    for (int i = 1; i < t->notation->ntensors; i++)
        if (t->tensor[i].path && t->tensor[i].type != TSR_PATTERN)
            return tsr_type_is_half(t->tensor[i].type) ? TSR_F32 : t->tensor[i].type;
    return TSR_F64;
}

tsr_status tsr_tkern_load(tsr_tkern *t, tsr_error *err)
{
    visit_accesses(t, t->notation->result, set_given_dims);
    visit_accesses(t, t->notation->rhs, set_given_dims);
    visit_accesses(t, tsr_notation_condition(t->notation), set_given_dims);
    TSR_TRY(tsr_tkern_blocks_open(t, err));
    const int in_blocks = tsr_tkern_blocks_operand(t);
    for (int i = 0; i < t->notation->ntensors; i++)
        if (t->tensor[i].path && (in_blocks == 0 || i != in_blocks))
            TSR_TRY(read_tensor(t, &t->tensor[i], err));
    TSR_TRY(find_sizes(t, err));
    const tsr_type type = choose_type(t);
    for (int i = 1; i < t->notation->ntensors; i++)
        if (i != in_blocks)
            TSR_TRY(load_operand(t, i, type, err));
    if (in_blocks > 0)
        TSR_TRY(tsr_tkern_blocks_first(t, err));
    return load_result(t, type, err);
}
