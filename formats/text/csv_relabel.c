/* CSV with names in place of indices: see csv_relabel.h. One thread reads: the number of a name depends on all
 * lines before. */
#include "csv_relabel.h"

#include <inttypes.h>
#include <string.h>

#include "growing_array.h"
#include "tsr_num.h"
#include "tsr_shown.h"

/* ---- a table of names ---- */

/* Open addressing: slots hold the number of a name plus 1, 0 is empty. At most half of them are used. */
typedef struct table {
    tsr_names names;
    uint64_t *slots;
    uint64_t nslots; /* a power of 2 */
} table;

static void clear_table(table *t)
{
    tsr_names_clear(&t->names);
    tsr_free(t->slots);
}

/* FNV-1a of 64 bits, with a last mixing step. */
static uint64_t hash(const char *p, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

/* The slot of the name: the one that holds it, or the empty one where it belongs. */
static uint64_t find_slot(const table *t, const char *p, size_t n)
{
    uint64_t i = hash(p, n) & (t->nslots - 1);
    for (; t->slots[i]; i = (i + 1) & (t->nslots - 1)) {
        const char *const name = tsr_names_get(&t->names, t->slots[i] - 1);
        if (strncmp(name, p, n) == 0 && name[n] == '\0')
            break;
    }
    return i;
}

static tsr_status grow_table(table *t, tsr_error *err)
{
    enum { FIRST = 1024 };
    table larger = {.names = t->names, .nslots = t->nslots ? 2 * t->nslots : FIRST};
    larger.slots = tsr_calloc(larger.nslots, sizeof *larger.slots);
    if (!larger.slots)
        return tsr_fail(err, TSR_NOMEM, "out of memory: a table of %" PRIu64 " names", t->names.n);
    for (uint64_t i = 0; i < t->names.n; i++) {
        const char *const name = tsr_names_get(&t->names, i);
        larger.slots[find_slot(&larger, name, strlen(name))] = i + 1;
    }
    tsr_free(t->slots);
    *t = larger;
    return TSR_OK;
}

/* The number of the name, which is new if the table does not have it. */
static tsr_status number_of(uint64_t *number, table *t, const char *p, size_t n, tsr_error *err)
{
    if (2 * (t->names.n + 1) > t->nslots)
        TSR_TRY(grow_table(t, err));
    const uint64_t i = find_slot(t, p, n);
    if (!t->slots[i]) {
        TSR_TRY(tsr_names_add(&t->names, p, n, err));
        t->slots[i] = t->names.n;
    }
    *number = t->slots[i] - 1;
    return TSR_OK;
}

/* ---- entries ---- */

typedef struct reading {
    const tsr_columns *columns;
    tsr_lines *lines;
    bool joint, has_values, reals;
    table tables[TSR_MAX_ORDER];
    tsr_coo *coo;
} reading;

static tsr_status reserve(reading *r, tsr_error *err)
{
    tsr_coo *const coo = r->coo;
    for (int m = 0; m < coo->order; m++)
        TSR_TRY(tsr_array_make_room(&coo->crd[m], coo->nnz + 1, UINT64_MAX, err));
    return r->has_values ? tsr_array_make_room(&coo->values, coo->nnz + 1, UINT64_MAX, err) : TSR_OK;
}

static tsr_status bad_field(const reading *r, const char *at, const char *end, const char *expected,
                            tsr_error *err)
{
    char text[TSR_TOKEN_NBYTES];
    return tsr_fail_at(err, TSR_SYNTAX, r->lines->path, r->lines->line, tsr_lines_col(r->lines, at),
                       "expected %s, found '%s'", expected, tsr_token_text(text, at, end));
}

/* Split a line into the fields of all columns. */
static tsr_status split(const char *spans[][2], const reading *r, const char *p, const char *end,
                        tsr_error *err)
{
    const tsr_fields *const f = r->columns->fields;
    const char *at = p;
    int n = 0;
    for (; n < f->ncolumns && tsr_next_field(&spans[n][0], &spans[n][1], &at, end, f->separator); n++)
        if (spans[n][0] == spans[n][1])
            return tsr_fail_at(err, TSR_SYNTAX, r->lines->path, r->lines->line, 0,
                               "field %d of this line is empty", n + 1);
    if (n == f->ncolumns && !at)
        return TSR_OK;
    return tsr_fail_at(err, TSR_SYNTAX, r->lines->path, r->lines->line, 0,
                       "this line has %s fields than the %d of the first one",
                       n < f->ncolumns ? "fewer" : "more", f->ncolumns);
}

static tsr_status take_value(reading *r, const char *p, const char *end, tsr_error *err)
{
    double *const to = (double *)r->coo->values.data + r->coo->nnz;
    const int64_t most = INT64_C(1) << 53; /* doubles hold whole numbers of this size exactly */
    int64_t whole = 0;
    if (tsr_parse_f64(to, p, end) != end)
        return bad_field(r, p, end, "a value", err);
    const bool integer = tsr_parse_i64(&whole, p, end) == end;
    if (integer && (whole > most || whole < -most))
        return tsr_fail_at(err, TSR_RANGE, r->lines->path, r->lines->line, tsr_lines_col(r->lines, p),
                           "integers over 2^53 are not supported with --relabel");
    r->reals = r->reals || !integer;
    return TSR_OK;
}

/* Make the doubled quotes of a quoted name single ones, in the line, which is not read again. Returns the end of the name. */
static const char *undouble(const char *begin, const char *end)
{
    char *const name = (char *)(uintptr_t)begin;
    const size_t n = (size_t)(end - begin);
    size_t kept = 0;
    if (!memchr(begin, '"', n) || begin[-1] != '"')
        return end;
    for (size_t i = 0; i < n; i++) {
        name[kept++] = name[i];
        i += name[i] == '"';
    }
    return name + kept;
}

static tsr_status take_line(reading *r, const char *p, const char *end, tsr_error *err)
{
    const char *spans[TSR_MAX_FIELDS][2];
    const tsr_fields *const f = r->columns->fields;
    TSR_TRY(split(spans, r, p, end, err));
    TSR_TRY(reserve(r, err));
    for (int m = 0; m < r->coo->order; m++) {
        const char **const span = spans[f->column[m]];
        uint64_t number;
        if (memchr(span[0], '\0', (size_t)(span[1] - span[0]))) /* names end with such a byte */
            return tsr_fail_at(err, TSR_SYNTAX, r->lines->path, r->lines->line,
                               tsr_lines_col(r->lines, span[0]),
                               "the name has a byte 0: the file must be text in UTF-8");
        span[1] = span[0] > p ? undouble(span[0], span[1]) : span[1];
        TSR_TRY(number_of(&number, &r->tables[r->joint ? 0 : m], span[0], (size_t)(span[1] - span[0]), err));
        tsr_array_set(&r->coo->crd[m], r->coo->nnz, number);
    }
    if (r->has_values)
        TSR_TRY(take_value(r, spans[f->column[f->n - 1]][0], spans[f->column[f->n - 1]][1], err));
    r->coo->nnz++;
    return TSR_OK;
}

static tsr_status read_lines(reading *r, const tsr_read_options *options, tsr_error *err)
{
    enum { EACH = 1 << 16 };
    const char *p, *end;
    for (uint64_t n = 0;; n++) {
        TSR_TRY(tsr_lines_next(&p, &end, r->lines, err));
        if (!p)
            return TSR_OK;
        if (n % EACH == 0)
            TSR_TRY(tsr_progress(options->observer, "read", tsr_input_nbytes_read(r->lines->input),
                                 tsr_input_nbytes(r->lines->input), err));
        const char *at = p;
        while (at < end && (tsr_is_blank(*at) || *at == '\r'))
            at++;
        if (at <
            end) /* not a comment: comments stand before the first line, and names may begin with '#' and '%' */
            TSR_TRY(take_line(r, p, end, err));
    }
}

/* ---- the result ---- */

/* Set the dims, and move the names to the labels. */
static tsr_status finish(tsr_data *out, reading *r, const tsr_read_options *options, tsr_error *err)
{
    tsr_coo *const coo = r->coo;
    out->labels = tsr_labels_new();
    if (!out->labels)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int m = 0; m < coo->order; m++) {
        const tsr_names *const names = &r->tables[r->joint ? 0 : m].names;
        coo->dims[m] = names->n;
        for (uint64_t i = 0; i < names->n; i++)
            TSR_TRY(tsr_names_add(&out->labels->modes[m], tsr_names_get(names, i),
                                  strlen(tsr_names_get(names, i)), err));
        TSR_TRY(tsr_array_shorten(&coo->crd[m], coo->nnz, err));
    }
    if (r->has_values)
        TSR_TRY(tsr_array_shorten(&coo->values, coo->nnz, err));
    const tsr_type type = options->has_type ? options->type : r->reals ? TSR_F64 : TSR_I64;
    return r->has_values || options->has_type ? tsr_coo_retype(coo, type, err) : TSR_OK;
}

tsr_status tsr_csv_relabel(tsr_data *out, const tsr_columns *columns, tsr_lines *lines,
                           const tsr_read_options *options, tsr_error *err)
{
    static const uint64_t none[TSR_MAX_ORDER];
    reading r = {.columns = columns,
                 .lines = lines,
                 .joint = options->relabel == TSR_RELABEL_JOINT,
                 .has_values = columns->type != TSR_PATTERN};
    tsr_status status =
        options->shape_order > 0
            ? tsr_fail(err, TSR_ARGUMENT, "the names determine the dims: leave --dims or --relabel out")
            : tsr_coo_new(&out->coo, (tsr_shape){columns->order, none}, r.has_values ? TSR_F64 : TSR_PATTERN,
                          err);
    r.coo = out->coo;
    if (status == TSR_OK && !r.has_values) {
        r.coo->iso = true;
        tsr_array_clear(&r.coo->values);
        status = tsr_array_init(&r.coo->values, 1, 1, 1, "values", err);
        if (status == TSR_OK)
            tsr_array_set(&r.coo->values, 0, 1);
    }
    if (status == TSR_OK)
        status = read_lines(&r, options, err);
    if (status == TSR_OK)
        status = finish(out, &r, options, err);
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        clear_table(&r.tables[m]);
    return status;
}
