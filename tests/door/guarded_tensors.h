/* Tensors of every kind and size whose arrays are guarded, and all named formats: what
 * test_door_inputs converts, computes with and writes. */
#ifndef DOOR_GUARDED_TENSORS_H
#define DOOR_GUARDED_TENSORS_H

#include "guarded.h"

static bool all_cases;

/* ---- tensors ---- */

typedef struct shape {
    const char *name;
    int order;
    uint64_t dims[4];
    uint64_t n;
    bool always; /* without `all`, too */
    /* The coordinates of entry e. */
    void (*place)(uint64_t *crd, const struct shape *s, uint64_t e);
} shape;

/* Different cells, far apart: a step through all cells that has no factor in common with their
 * number. */
static void scattered(uint64_t *crd, const shape *s, uint64_t e)
{
    uint64_t ncells = 1;
    for (int m = 0; m < s->order; m++)
        ncells *= s->dims[m];
    uint64_t cell = (e * 1000003u + 17) % ncells;
    for (int m = s->order - 1; m >= 0; m--) {
        crd[m] = cell % s->dims[m];
        cell /= s->dims[m];
    }
}

/* Row e / 20, and every second column left of the diagonal: at most 2 of 4 neighbours, as
 * nm(2,4) wants them. */
static void below(uint64_t *crd, const shape *s, uint64_t e)
{
    crd[0] = e / 20 + 40;
    crd[1] = crd[0] - e % 20 * 2;
    (void)s;
}

static void above(uint64_t *crd, const shape *s, uint64_t e)
{
    below(crd, s, e);
    const uint64_t i = crd[0];
    crd[0] = crd[1];
    crd[1] = i;
}

static const shape shapes[] = {
    {"a full matrix", 2, {131, 187}, 9000, true, scattered},
    {"a wide matrix", 2, {20021, 30011}, 17000, true, scattered},
    {"a matrix with fewer entries than rows", 2, {40009, 30011}, 17000, true, scattered},
    {"a lower triangle", 2, {1040, 1040}, 20000, false, below},
    {"an upper triangle", 2, {1040, 1040}, 20000, false, above},
    {"a matrix without entries", 2, {300, 200}, 0, false, scattered},
    {"a matrix without rows", 2, {0, 200}, 0, false, scattered},
    {"a small matrix", 2, {3, 4}, 5, true, scattered},
    {"a tensor", 3, {23, 47, 51}, 20000, true, scattered},
    {"a sparse tensor", 3, {5003, 4001, 3001}, 60000, false, scattered},
    {"a tensor of order 4", 4, {61, 43, 37, 29}, 30000, false, scattered},
    {"a vector", 1, {200003}, 50000, true, scattered},
    {"a scalar", 0, {0}, 1, true, scattered},
    {"a matrix of 10 MB", 2, {1201, 1301}, 1250000, false, scattered},
    {"a sparse matrix of 10 MB", 2, {900001, 900007}, 1250000, false, scattered},
};

/* Small whole numbers, so that sums in any order have the same bits. */
static void fill_value(void *values, tessera_type type, uint64_t e)
{
    const int number = (int)(e % 100) + 1;
    switch (type) {
    case TESSERA_F64:
        ((double *)values)[e] = number;
        break;
    case TESSERA_F32:
        ((float *)values)[e] = (float)number;
        break;
    case TESSERA_I8:
        ((int8_t *)values)[e] = (int8_t)number;
        break;
    case TESSERA_I64:
        ((int64_t *)values)[e] = number;
        break;
    case TESSERA_C128:
        ((double *)values)[2 * e] = number;
        ((double *)values)[2 * e + 1] = -1;
        break;
    default:
        ((unsigned char *)values)[e] = 1;
    }
}

/* Formats with dense blocks of scattered entries take far more: they are left out where they
 * take most of the time. */
static uint64_t max_nbytes(const shape *s)
{
    return s->n > 1000000 ? 64 << 20 : 2 << 20;
}

/* Pack the entries of a shape; the arrays of coordinates and values are guarded, too. NULL: the
 * format cannot hold them in memory that a test should take. */
static tessera_tensor *make(const shape *s, const char *format, tessera_type type)
{
    guards in = {0};
    uint64_t *crd[4] = {0}, at[4] = {0};
    tessera_array arrays[4];
    tessera_tensor *out = NULL;
    unsigned char *const values = malloc((size_t)s->n * 16 + 1);
    assert_non_null(values);
    for (int m = 0; m < s->order; m++)
        assert_non_null(crd[m] = malloc((size_t)s->n * sizeof **crd + 1));
    for (uint64_t e = 0; e < s->n; e++) {
        if (s->order > 0)
            s->place(at, s, e);
        for (int m = 0; m < s->order; m++)
            crd[m][e] = at[m];
        fill_value(values, type, e);
    }
    for (int m = 0; m < s->order; m++)
        arrays[m] = (tessera_array){
            .data = guard(&in, crd[m], (size_t)s->n * sizeof **crd), .n = s->n, .type = TESSERA_U64};
    const tessera_entries entries = {
        .size = sizeof entries,
        .order = s->order,
        .dims = guard(&in, s->dims, (size_t)s->order * sizeof *s->dims),
        .nnz = s->n,
        .crd = guard(&in, arrays, (size_t)s->order * sizeof *arrays),
        .values = {.data = guard(&in, values, (size_t)s->n * tessera_type_nbytes(type)),
                   .n = s->n,
                   .type = type},
    };
    const tessera_pack_options options = {
        .size = sizeof options, .format = guard_text(&in, format), .max_nbytes = max_nbytes(s)};
    const tessera_status status =
        tessera_pack(&out, guard(&in, &entries, sizeof entries), guard(&in, &options, sizeof options), ctx);
    if (status == TESSERA_OK)
        guard_result(&in, out);
    guard_clear(&in);
    for (int m = 0; m < s->order; m++)
        free(crd[m]);
    free(values);
    return out;
}

/* ---- formats ---- */

enum { MAX_FORMATS = 128, FORMAT_NBYTES = 48 };
static char formats[MAX_FORMATS][FORMAT_NBYTES];
static int nformats;

/* What stands for the parameters of "bcsr(r,c)". */
static const struct {
    const char *parameters, *numbers;
} parameters[] = {
    {"", ""},
    {"(r,c)", "(2,4)"},
    {"(b)", "(4)"},
    {"(n,m)", "(2,4)"},
    {"(c,sigma=1)", "(8,32)"},
    {"(b=16)", "(4)"},
    {"(b=128)", "(16)"},
    {"(b=256)", "(32)"},
    {"(b=4096)", ""},
};

static void add_format(const char *name, const char *text)
{
    assert_true(nformats < MAX_FORMATS);
    snprintf(formats[nformats++], FORMAT_NBYTES, "%s%s", name, text);
}

/* All formats that have a name, and other orders of their modes. */
static void list_formats(void)
{
    static const char *const more[] = {"csr:1,0",   "csf:2,0,1", "csf:1,2,0", "ss:1,0",
                                       "dss:2,1,0", "coo:1,0",   "coo:2,1,0", "dense:1,0"};
    char *json, usage[FORMAT_NBYTES];
    door_ok(tessera_list(&json, "formats", ctx));
    for (const char *at = json; (at = strstr(at, "\"usage\": \"")); at++) {
        assert_int_equal(sscanf(at, "\"usage\": \"%47[^\"]", usage), 1);
        char *const open = strchr(usage, '(');
        int p = 0;
        while (p < LENGTH(parameters) && strcmp(open ? open : "", parameters[p].parameters) != 0)
            p++;
        if (p == LENGTH(parameters))
            fail_msg("write numbers for %s into the table `parameters`", usage);
        if (open)
            *open = '\0';
        add_format(usage, parameters[p].numbers);
    }
    tessera_text_free(json);
    for (int f = 0; f < LENGTH(more); f++)
        add_format(more[f], "");
    assert_true(nformats > 60);
}

/* A guarded tensor of a shape; NULL where the format cannot hold it. */
static tessera_tensor *make_guarded(guards *set, const shape *s, const char *format, tessera_type type)
{
    guard_say("pack %s as %s of %s", s->name, format, tessera_type_text(type));
    tessera_tensor *const packed = make(s, format, type);
    if (!packed)
        return NULL;
    tessera_tensor *const out = guard_tensor(set, packed);
    tessera_tensor_free(packed);
    return out;
}

#endif
