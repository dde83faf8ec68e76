/* Parts of a file by lists of coordinates: see tsr_picked.h. */
#include "tsr_picked.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tsr_alloc.h"
#include "tsr_num.h"
#include "tsr_parallel.h"
#include "tsr_write.h"

/* ---- lists ---- */

/* An index, or a slice START:STOP:STEP, of which numbers may be missing. */
typedef struct item {
    bool is_slice, has[3];
    int64_t part[3];
} item;

static bool ends_list(const char *p)
{
    return *p == '\0' || *p == ';';
}

static tsr_status parse_item(item *out, const char **at, const char *start, tsr_error *err)
{
    const char *p = *at;
    int n = 0;
    *out = (item){.is_slice = false};
    for (;; p++) {
        const char *const behind = tsr_parse_i64(&out->part[n], p, p + strlen(p));
        out->has[n] = behind != NULL;
        p = behind ? behind : p;
        if (*p != ':' || n == 2)
            break;
        out->is_slice = true;
        n++;
    }
    if ((!ends_list(p) && *p != ',') || (!out->is_slice && !out->has[0]))
        return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, (uint64_t)(p - start) + 1,
                           "expected indices and slices with commas between them, such as 100:200,5000");
    if (out->has[2] && out->part[2] == 0)
        return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, (uint64_t)(p - start), "the step of a slice is not 0");
    *at = p;
    return TSR_OK;
}

/* A bound of a slice as NumPy has it: negative ones count from the end, and those outside are moved to it. */
static int64_t bound(const item *it, int k, int64_t missing, int64_t lowest, int64_t highest, int64_t dim)
{
    int64_t x = it->has[k] ? it->part[k] : missing;
    if (it->has[k] && x < 0)
        x += dim;
    return x < lowest ? lowest : x > highest ? highest : x;
}

/* What an item means in a mode: n coordinates from `first` on, in steps. */
typedef struct row {
    uint64_t first, n;
    int64_t step;
} row;

static tsr_status resolve(row *out, const item *it, int mode, uint64_t dim, tsr_error *err)
{
    const int64_t d = (int64_t)dim, s = it->has[2] ? it->part[2] : 1;
    out->step = s;
    if (!it->is_slice) {
        const int64_t x = it->part[0] < 0 ? it->part[0] + d : it->part[0];
        if (x < 0 || x >= d)
            return tsr_fail(err, TSR_RANGE, "index %" PRId64 " of mode %d is beyond its size %" PRIu64,
                            it->part[0], mode, dim);
        out->first = (uint64_t)x;
        out->n = 1;
        return TSR_OK;
    }
    const int64_t low = s > 0 ? 0 : -1, high = s > 0 ? d : d - 1;
    const int64_t a = bound(it, 0, s > 0 ? low : high, low, high, d);
    const int64_t b = bound(it, 1, s > 0 ? high : low, low, high, d);
    const uint64_t width = s > 0 ? (b > a ? (uint64_t)(b - a) : 0) : (a > b ? (uint64_t)(a - b) : 0);
    const uint64_t pace = s > 0 ? (uint64_t)s : -(uint64_t)s;
    out->first = (uint64_t)a;
    out->n = width / pace + (width % pace != 0);
    return TSR_OK;
}

/* Whether a list is given for the mode, and is not ":". */
static bool has_list(const tsr_picked *s, int mode)
{
    const char *const text = s->text[mode];
    return text && !(text[0] == ':' && ends_list(text + 1));
}

tsr_status tsr_picked_parse(tsr_picked *out, const char *text, tsr_error *err)
{
    *out = (tsr_picked){.text = {NULL}};
    for (int m = 0;; m++, text++) {
        while (*text == ' ')
            text++;
        if (m == TSR_MAX_ORDER)
            return tsr_fail(err, TSR_ARGUMENT, "there are more than %d lists of coordinates", TSR_MAX_ORDER);
        out->text[m] = ends_list(text) ? NULL : text;
        text += strcspn(text, ";");
        if (!*text)
            return tsr_picked_check(out, err);
    }
}

bool tsr_picked_any(const tsr_picked *s)
{
    for (int m = 0; s && m < TSR_MAX_ORDER; m++)
        if (has_list(s, m))
            return true;
    return false;
}

tsr_status tsr_picked_check(const tsr_picked *s, tsr_error *err)
{
    item it;
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        for (const char *p = s->text[m]; p; p = ends_list(p) ? NULL : p + 1) {
            TSR_TRY(parse_item(&it, &p, s->text[m], err));
        }
    return TSR_OK;
}

/* Add up, and with `out` list, the coordinates of all items. */
static tsr_status walk(uint64_t *total, uint64_t *out, const tsr_picked *s, int mode, uint64_t dim,
                       tsr_error *err)
{
    item it;
    *total = 0;
    for (const char *p = s->text[mode]; p; p = ends_list(p) ? NULL : p + 1) {
        row r = {.n = 0};
        TSR_TRY(parse_item(&it, &p, s->text[mode], err));
        TSR_TRY(resolve(&r, &it, mode, dim, err));
        for (uint64_t i = 0; out && i < r.n; i++)
            out[*total + i] = r.first + i * (uint64_t)r.step;
        if (r.n > INT64_MAX - *total)
            return tsr_fail(err, TSR_LIMIT, "the list of mode %d has more than 2^63 coordinates", mode);
        *total += r.n;
    }
    return TSR_OK;
}

tsr_status tsr_picked_list(tsr_array *out, const tsr_picked *s, int mode, uint64_t dim, tsr_error *err)
{
    uint64_t n;
    *out = (tsr_array){.n = 0};
    TSR_TRY(walk(&n, NULL, s, mode, dim, err));
    TSR_TRY(tsr_array_init(out, n, sizeof(uint64_t), 0, "a list of coordinates", err));
    return walk(&n, out->data, s, mode, dim, err);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Sort the list and leave each coordinate once. */
static void make_rising(tsr_array *list)
{
    uint64_t *const c = list->data;
    uint64_t n = 0;
    bool rises = true;
    for (uint64_t i = 1; i < list->n; i++)
        rises = rises && c[i - 1] < c[i];
    if (rises)
        return;
    qsort(c, (size_t)list->n, sizeof *c, by_number);
    for (uint64_t i = 0; i < list->n; i++)
        if (n == 0 || c[n - 1] != c[i])
            c[n++] = c[i];
    list->n = n;
}

tsr_status tsr_picked_slices(tsr_array *out, const tsr_picked *s, int mode, uint64_t dim, tsr_error *err)
{
    TSR_TRY(tsr_picked_list(out, s, mode, dim, err));
    make_rising(out);
    return TSR_OK;
}

bool tsr_picked_in(const tsr_read_options *options, int mode)
{
    const tsr_picked *const s = options->select;
    return s && has_list(s, mode) && !options->repair && !options->check && options->shape_order == 0;
}

/* ---- in memory ---- */

/* One mode of coordinates, and the places of the result to which each of its coordinates goes. */
typedef struct move {
    const tsr_array *wanted, *slices; /* the list, and the same rising */
    uint64_t *at; /* slices->n + 1: the places of slice k are place[at[k]], ... before place[at[k + 1]] */
    uint64_t *place;
} move;

/* Sort the places of the list by the slices. */
static tsr_status find_places(move *m, tsr_error *err)
{
    const uint64_t n = m->wanted->n, nslices = m->slices->n;
    const uint64_t *const wanted = m->wanted->data;
    void *at = NULL, *place = NULL;
    TSR_TRY(tsr_alloc_array(&at, nslices + 2, sizeof *m->at, 1, "places", err));
    m->at = at;
    TSR_TRY(tsr_alloc_array(&place, n, sizeof *m->place, 0, "places", err));
    m->place = place;
    for (uint64_t i = 0; i < n; i++)
        m->at[tsr_array_seek(m->slices, 0, nslices, wanted[i]) + 2]++;
    for (uint64_t k = 1; k < nslices + 2; k++)
        m->at[k] += m->at[k - 1];
    for (uint64_t i = 0; i < n; i++)
        m->place[m->at[tsr_array_seek(m->slices, 0, nslices, wanted[i]) + 1]++] = i;
    return TSR_OK;
}

/* The places of coordinate c: [*first, *end). */
static void places_of(uint64_t *first, uint64_t *end, const move *m, uint64_t c)
{
    const uint64_t *const slices = m->slices->data, n = m->slices->n;
    *first = *end = 0;
    if (n == 0 || c < slices[0] || c > slices[n - 1])
        return;
    const uint64_t whole = slices[n - 1] - slices[0] == n - 1;
    const uint64_t k = whole ? c - slices[0] : tsr_array_seek(m->slices, 0, n, c);
    if (slices[k] != c)
        return;
    *first = m->at[k];
    *end = m->at[k + 1];
}

/* Copy the entries of `from` to the places of `to`, which has the mode's new dim; to NULL: count them. */
static uint64_t move_entries(tsr_coo *to, const tsr_coo *from, int mode, const move *m)
{
    const size_t width = from->values.width;
    uint64_t n = 0, first, end;
    for (uint64_t e = 0; e < from->nnz; e++) {
        places_of(&first, &end, m, tsr_array_get(&from->crd[mode], e));
        for (uint64_t i = first; i < end; i++, n++) {
            for (int k = 0; to && k < from->order; k++)
                tsr_array_set(&to->crd[k], n, k == mode ? m->place[i] : tsr_array_get(&from->crd[k], e));
            if (to && !from->iso)
                memcpy((char *)to->values.data + n * width, (const char *)from->values.data + e * width,
                       width);
        }
    }
    return n;
}

/* Select from a mode of coordinates, whose list is `wanted`. */
static tsr_status select_entries(tsr_coo **coo, int mode, const tsr_array *wanted, const tsr_array *slices,
                                 tsr_error *err)
{
    tsr_coo *const from = *coo, *to = NULL;
    move m = {.wanted = wanted, .slices = slices};
    uint64_t dims[TSR_MAX_ORDER];
    memcpy(dims, from->dims, sizeof dims);
    dims[mode] = wanted->n;
    tsr_status status = find_places(&m, err);
    if (status == TSR_OK)
        status = tsr_coo_new_sized(&to, (tsr_shape){from->order, dims}, from->type, from->iso,
                                   move_entries(NULL, from, mode, &m), err);
    if (status == TSR_OK) {
        (void)move_entries(to, from, mode, &m);
        if (from->iso)
            memcpy(to->values.data, from->values.data, to->values.width);
        to->has_fill = from->has_fill;
        memcpy(to->fill, from->fill, sizeof to->fill);
        to->repaired = from->repaired;
        to->natural = from->natural;
        tsr_coo_free(from);
        *coo = to;
    }
    tsr_free(m.at);
    tsr_free(m.place);
    return status;
}

/* Select from a mode of a packed tensor: slices of its first level are copied; else the entries are selected and packed again. */
static tsr_status select_packed(tsr_data *data, int mode, const tsr_array *wanted, const tsr_array *slices,
                                int nthreads, tsr_error *err)
{
    tsr_tensor *taken;
    tsr_format *format;
    if (tsr_gather_slices(&taken, data->tensor, mode, wanted, nthreads, NULL) == TSR_OK) {
        tsr_tensor_free(data->tensor);
        data->tensor = taken;
        return TSR_OK;
    }
    TSR_TRY(tsr_format_copy(&format, data->tensor->format, err));
    tsr_status status = tsr_data_unpack(data, nthreads, err);
    if (status == TSR_OK)
        status = select_entries(&data->coo, mode, wanted, slices, err);
    const tsr_pack_options how = {.nthreads = nthreads,
                                  .duplicates =
                                      tsr_format_keeps_duplicates(format) ? TSR_DUP_KEEP : TSR_DUP_ERROR};
    if (status == TSR_OK && tsr_format_suits(format, data->coo->order, data->coo->dims))
        status = tsr_data_pack(data, format, &how, NULL, err);
    tsr_format_free(format);
    return status;
}

/* The names of the mode follow the list, whose coordinates are those of the whole. */
static tsr_status select_names(tsr_data *data, int mode, const tsr_array *list, tsr_error *err)
{
    tsr_names taken = {0};
    if (!data->labels || data->labels->modes[mode].n == 0)
        return TSR_OK;
    TSR_TRY(tsr_names_take(&taken, &data->labels->modes[mode], list->data, list->n, err));
    tsr_names_clear(&data->labels->modes[mode]);
    data->labels->modes[mode] = taken;
    return TSR_OK;
}

/* Replace the coordinates of the list by their places among the slices that were read. */
static void number_slices(tsr_array *wanted, const tsr_array *slices)
{
    uint64_t *const c = wanted->data;
    for (uint64_t i = 0; i < wanted->n; i++)
        c[i] = tsr_array_seek(slices, 0, slices->n, c[i]);
}

/* Whether the list is all of the mode as it is. */
static bool is_all(const tsr_array *wanted, uint64_t dim)
{
    const uint64_t *const c = wanted->data;
    bool all = wanted->n == dim;
    for (uint64_t i = 0; all && i < dim; i++)
        all = c[i] == i;
    return all;
}

static tsr_status select_mode(tsr_data *data, int mode, const tsr_read_options *options, tsr_error *err)
{
    const tsr_picked *const s = options->select;
    const bool partly = data->slices.read && data->slices.mode == mode;
    const uint64_t now = tsr_data_dims(data)[mode], dim = partly ? data->slices.dim : now;
    tsr_array wanted = {.n = 0}, slices = {.n = 0};
    tsr_status status;
    TSR_TRY_OUT(tsr_picked_list(&wanted, s, mode, dim, err));
    TSR_TRY_OUT(select_names(data, mode, &wanted, err));
    if (partly) {
        TSR_TRY_OUT(tsr_picked_slices(&slices, s, mode, dim, err));
        number_slices(&wanted, &slices);
        tsr_array_clear(&slices);
    }
    if (!is_all(&wanted, now)) {
        TSR_TRY_OUT(tsr_array_init(&slices, wanted.n, wanted.width, 0, "slices", err));
        if (wanted.n > 0)
            memcpy(slices.data, wanted.data, (size_t)tsr_array_nbytes(&wanted));
        make_rising(&slices);
        TSR_TRY_OUT(data->tensor ? select_packed(data, mode, &wanted, &slices, options->nthreads, err)
                                 : select_entries(&data->coo, mode, &wanted, &slices, err));
    }
    status = TSR_OK;
out:
    tsr_array_clear(&wanted);
    tsr_array_clear(&slices);
    return status;
}

/* The whole of a matrix whose file has one triangle. */
static tsr_status expand(tsr_data *data, const tsr_read_options *options, tsr_error *err)
{
    const tsr_structure structure = tsr_data_structure(data);
    if (structure == TSR_GENERAL)
        return TSR_OK;
    if (options->keep_triangle)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "one triangle of a %s matrix is to be kept, but a part is taken of the whole matrix: leave "
            "--keep-symmetry out",
            tsr_structure_name(structure));
    TSR_TRY(tsr_data_unpack(data, options->nthreads, err));
    return tsr_coo_expand(data->coo, err);
}

tsr_status tsr_read_selected(tsr_data *out, const char *path, const tsr_codec *codec,
                             const tsr_read_options *options, tsr_error *err)
{
    TSR_TRY(tsr_read(out, path, codec, options, err));
    if (!tsr_picked_any(options->select))
        return TSR_OK;
    tsr_status status = expand(out, options, err);
    const int order = tsr_data_order(out);
    for (int m = 0; status == TSR_OK && m < TSR_MAX_ORDER; m++) {
        if (!has_list(options->select, m))
            continue;
        status = m < order ? select_mode(out, m, options, err)
                           : tsr_fail(err, TSR_ARGUMENT,
                                      "there is a list of coordinates for mode %d, but the tensor has %d "
                                      "modes, numbered from 0",
                                      m, order);
    }
    if (status == TSR_OK)
        return TSR_OK;
    tsr_error_set_path(err, path);
    tsr_data_clear(out);
    return status;
}
