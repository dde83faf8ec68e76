/* Generators from text: "banded:n=1000000,width=7". */
#include <inttypes.h>
#include <string.h>

#include "gen_internal.h"
#include "tsr_num.h"

/* ---- numbers ---- */

const char *tsr_gen_parse_decimal(uint64_t *out, const char *p, const char *end, int ndecimals)
{
    uint64_t v = 0;
    int ndigits = 0, after = -1; /* digits in all; behind the point, -1 before it */
    for (; p < end; p++) {
        if (*p == '.' && after < 0) {
            after = 0;
            continue;
        }
        if (*p < '0' || *p > '9')
            break;
        if (after == ndecimals && *p != '0')
            return NULL;
        if (after == ndecimals)
            continue;
        if (v > (UINT64_MAX - 9) / 10)
            return NULL;
        v = 10 * v + (uint64_t)(*p - '0');
        ndigits++;
        after += after >= 0;
    }
    for (int i = after < 0 ? 0 : after; i < ndecimals; i++) {
        if (v > UINT64_MAX / 10)
            return NULL;
        v *= 10;
    }
    *out = v;
    return ndigits > 0 ? p : NULL;
}

/* ---- keys ---- */

/* What "key=value,..." may say, all kinds together; 0 where it does not. */
typedef struct settings {
    tsr_gen_shape shape;
    bool has_skew;
    uint64_t n, width, block, per_row, scale, cut;
} settings;

static bool set_u64(uint64_t *out, const char *p, const char *end)
{
    return tsr_parse_u64(out, p, end) == end && *p != '+';
}

static bool set_dims(settings *s, const char *p, const char *end)
{
    for (s->shape.order = 0; s->shape.order < TSR_MAX_ORDER;) {
        p = tsr_parse_u64(&s->shape.dims[s->shape.order], p, end);
        if (!p)
            return false;
        s->shape.order++;
        if (p == end)
            return true;
        if (*p++ != 'x')
            return false;
    }
    return false;
}

static bool set_skew(settings *s, const char *p, const char *end)
{
    uint64_t v;
    if (tsr_gen_parse_decimal(&v, p, end, 3) != end || v > TSR_GEN_MAX_SKEW)
        return false;
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        s->shape.skew[m] = (uint32_t)v;
    s->has_skew = true;
    return true;
}

static bool set_values(settings *s, const char *p, const char *end)
{
    for (int i = 0; i < TSR_GEN_NVALUES; i++)
        if (strlen(tsr_gen_values_names[i]) == (size_t)(end - p) &&
            memcmp(p, tsr_gen_values_names[i], (size_t)(end - p)) == 0) {
            s->shape.values = (tsr_gen_values)i;
            return true;
        }
    return false;
}

static bool set_key(settings *s, const char *key, const char *p, const char *end)
{
    if (strcmp(key, "dims") == 0 || strcmp(key, "grid") == 0)
        return set_dims(s, p, end);
    if (strcmp(key, "nnz") == 0)
        return set_u64(&s->shape.nnz, p, end);
    if (strcmp(key, "skew") == 0)
        return set_skew(s, p, end);
    if (strcmp(key, "values") == 0)
        return set_values(s, p, end);
    if (strcmp(key, "n") == 0)
        return set_u64(&s->n, p, end);
    if (strcmp(key, "width") == 0 || strcmp(key, "points") == 0)
        return set_u64(&s->width, p, end);
    if (strcmp(key, "block") == 0 || strcmp(key, "unknowns") == 0)
        return set_u64(&s->block, p, end);
    if (strcmp(key, "scale") == 0)
        return set_u64(&s->scale, p, end);
    if (strcmp(key, "cut") == 0)
        return set_u64(&s->cut, p, end);
    return set_u64(&s->per_row, p, end);
}

/* ---- kinds ---- */

static tsr_status make_random(tsr_gen *gen, const settings *s, tsr_error *err)
{
    gen->kind = TSR_GEN_RANDOM;
    if (s->shape.order == 0 || s->shape.nnz == 0)
        return tsr_fail(err, TSR_ARGUMENT, "dims=IxJx... and nnz=N are needed");
    return TSR_OK;
}

static tsr_status make_uniform(tsr_gen *gen, const settings *s, tsr_error *err)
{
    return make_random(gen, s, err);
}

static tsr_status make_power_law(tsr_gen *gen, const settings *s, tsr_error *err)
{
    for (int m = 0; m < TSR_MAX_ORDER && !s->has_skew; m++)
        gen->shape.skew[m] = 1000;
    return make_random(gen, s, err);
}

static tsr_status check_n(const settings *s, tsr_error *err)
{
    if (s->n < 1 || s->n > TSR_GEN_MAX_DIM)
        return tsr_fail(err, TSR_ARGUMENT, "n=N is needed, 1 to %" PRIu64, TSR_GEN_MAX_DIM);
    return TSR_OK;
}

/* The size of a square matrix that a pattern fills. */
static void set_square(tsr_gen *gen, uint64_t n, uint64_t nnz)
{
    gen->shape.order = 2;
    gen->shape.dims[0] = gen->shape.dims[1] = n;
    gen->shape.nnz = nnz;
}

static tsr_status make_banded(tsr_gen *gen, const settings *s, tsr_error *err)
{
    gen->kind = TSR_GEN_BANDED;
    gen->width = s->width ? s->width : 3;
    TSR_TRY(check_n(s, err));
    if (gen->width % 2 == 0 || gen->width / 2 >= s->n)
        return tsr_fail(err, TSR_ARGUMENT, "the width of a band is an odd number, at most %" PRIu64,
                        2 * s->n - 1);
    const uint64_t half = gen->width / 2;
    set_square(gen, s->n, s->n * gen->width - half * (half + 1));
    return TSR_OK;
}

static tsr_status make_block(tsr_gen *gen, const settings *s, tsr_error *err)
{
    gen->kind = TSR_GEN_BLOCK;
    gen->block = s->block ? s->block : 4;
    gen->per_row = s->per_row ? s->per_row : 4;
    TSR_TRY(check_n(s, err));
    if (s->n % gen->block != 0)
        return tsr_fail(err, TSR_ARGUMENT, "n=%" PRIu64 " is not a multiple of block=%" PRIu64, s->n,
                        gen->block);
    if (gen->per_row > s->n / gen->block)
        return tsr_fail(err, TSR_ARGUMENT, "per-row=%" PRIu64 ": a row has only %" PRIu64 " blocks",
                        gen->per_row, s->n / gen->block);
    set_square(gen, s->n, gen_saturating_mul(s->n, gen->per_row * gen->block)); /* at most n * n */
    return TSR_OK;
}

static tsr_status make_stencil(tsr_gen *gen, const settings *s, tsr_error *err)
{
    enum { MOST_UNKNOWNS = 64 };
    const int order = s->shape.order;
    uint64_t size[3] = {1, 1, 1}, nodes = 1;
    gen->kind = TSR_GEN_STENCIL;
    gen->block = s->block ? s->block : 1;
    gen->per_row = s->cut;
    gen->width = s->width ? s->width : order == 3 ? 7 : order == 2 ? 5 : 3;
    if (order < 1 || order > 3)
        return tsr_fail(err, TSR_ARGUMENT, "grid=I, IxJ or IxJxK is needed");
    for (int d = 0; d < order; d++) {
        size[d] = s->shape.dims[d];
        nodes = gen_saturating_mul(nodes, size[d]);
    }
    const bool fits = order == 1   ? gen->width == 3
                      : order == 2 ? gen->width == 5 || gen->width == 9
                                   : gen->width == 7 || gen->width == 27;
    if (!fits)
        return tsr_fail(err, TSR_ARGUMENT,
                        "points=%" PRIu64 " on a grid of %d dims: 3 (1 dim), 5 or 9 (2), 7 or 27 (3)",
                        gen->width, order);
    if (gen->block > MOST_UNKNOWNS || gen->per_row >= gen->block)
        return tsr_fail(err, TSR_ARGUMENT,
                        "unknowns=%" PRIu64 ",cut=%" PRIu64
                        ": unknowns are 1 to %d, cut is less than unknowns",
                        gen->block, gen->per_row, MOST_UNKNOWNS);
    gen->m = size[0], gen->n = size[1], gen->k = size[2];
    if (nodes == 0 || nodes > TSR_GEN_MAX_DIM / gen->block)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the grid has %" PRIu64 " nodes: 1 to %" PRIu64 " can be generated", nodes,
                        TSR_GEN_MAX_DIM / gen->block);
    set_square(gen, nodes * gen->block - gen->per_row, gen_stencil_nnz(gen));
    return TSR_OK;
}

static tsr_status make_arrow(tsr_gen *gen, const settings *s, tsr_error *err)
{
    TSR_TRY(make_banded(gen, s, err));
    gen->kind = TSR_GEN_ARROW;
    gen->shape.nnz +=
        2 * (s->n - 1 - gen->width / 2); /* the rows whose band does not reach the last column */
    return TSR_OK;
}

static tsr_status make_rmat(tsr_gen *gen, const settings *s, tsr_error *err)
{
    enum { MOST_SCALE = 30 };
    gen->kind = TSR_GEN_RMAT;
    gen->m = s->scale;
    gen->per_row = s->per_row ? s->per_row : 16;
    if (s->scale < 1 || s->scale > MOST_SCALE)
        return tsr_fail(err, TSR_ARGUMENT, "scale=S is needed, 1 to %d, for 2^S rows", MOST_SCALE);
    if (gen->per_row > UINT64_C(1) << s->scale)
        return tsr_fail(err, TSR_ARGUMENT, "per-row=%" PRIu64 ": a row has only %" PRIu64 " cells",
                        gen->per_row, UINT64_C(1) << s->scale);
    set_square(gen, UINT64_C(1) << s->scale, gen->per_row << s->scale);
    return TSR_OK;
}

typedef struct kind {
    const char *name;
    const char *keys; /* each between blanks */
    tsr_status (*make)(tsr_gen *gen, const settings *s, tsr_error *err);
} kind;

static const kind kinds[] = {
    {"uniform", " dims nnz values ", make_uniform},
    {"power-law", " dims nnz skew values ", make_power_law},
    {"banded", " n width values ", make_banded},
    {"block", " n block per-row values ", make_block},
    {"stencil", " grid points unknowns cut values ", make_stencil},
    {"arrow", " n width values ", make_arrow},
    {"rmat", " scale per-row values ", make_rmat},
};

const char tsr_gen_help[] =
    "uniform:dims=IxJx...,nnz=N\tevery cell equally likely\n"
    "power-law:dims=IxJx...,nnz=N,skew=S\teach mode's marginal by Zipf's law r^-S (1)\n"
    "banded:n=N,width=W\tall of W (3) diagonals of a square matrix\n"
    "block:n=N,block=B,per-row=P\tP (4) dense B x B (4 x 4) blocks in each row of blocks\n"
    "stencil:grid=IxJxK,points=P,unknowns=U\tP points (5 or 9 in 2-D, 7 or 27 in 3-D), U (1) unknowns a "
    "node; "
    "cut=C leaves C of the first node out\n"
    "arrow:n=N,width=W\ta band of W (3) diagonals, a full last row and column\n"
    "rmat:scale=S,per-row=P\tan R-MAT graph of 2^S rows, P (16) entries a row on average\n"
    "matmul_M-N-K\tthe tensor of the product of M x K and K x N matrices, exact\n";

static bool has_key(const kind *k, const char *key)
{
    const size_t n = strlen(key);
    for (const char *p = k->keys; n > 0 && (p = strstr(p, key)); p += n)
        if (p[-1] == ' ' && p[n] == ' ')
            return true;
    return false;
}

static tsr_status parse_keys(settings *s, const kind *k, const char *p, tsr_error *err)
{
    while (*p) {
        char key[16] = "";
        const size_t nkey = strcspn(p, "=,");
        if (nkey < sizeof key)
            memcpy(key, p, nkey);
        if (p[nkey] != '=' || !has_key(k, key))
            return tsr_fail(err, TSR_ARGUMENT, "%s: unknown parameter '%.*s' (known:%.*s, each with =VALUE)",
                            k->name, (int)(nkey < 40 ? nkey : 40), p, (int)strlen(k->keys) - 1, k->keys);
        const char *const value = p + nkey + 1;
        const size_t n = strcspn(value, ",");
        if (!set_key(s, key, value, value + n))
            return tsr_fail(err, TSR_ARGUMENT, "%s: invalid value '%.*s' for %s", k->name,
                            (int)(n < 40 ? n : 40), value, key);
        p = value + n + (value[n] == ',');
    }
    return TSR_OK;
}

/* "matmul_M-N-K". */
static tsr_status parse_matmul(tsr_gen *gen, const char *p, tsr_error *err)
{
    uint64_t v[3];
    const char *const all = p, *const end = p + strlen(p);
    for (int i = 0; i < 3; i++) {
        p = p < end && *p != '+' ? tsr_parse_u64(&v[i], p, end) : NULL;
        if (!p || v[i] == 0 || v[i] > UINT16_MAX || *p != (i < 2 ? '-' : '\0'))
            return tsr_fail(err, TSR_ARGUMENT, "'matmul_%.40s' is not matmul_M-N-K with sizes of 1 to %d",
                            all, UINT16_MAX);
        p += i < 2;
    }
    *gen = (tsr_gen){.kind = TSR_GEN_MATMUL, .m = v[0], .n = v[1], .k = v[2]};
    gen->shape = (tsr_gen_shape){.order = 3,
                                 .dims = {v[0] * v[2], v[2] * v[1], v[0] * v[1]},
                                 .nnz = v[0] * v[1] * v[2],
                                 .values = TSR_GEN_BINARY};
    return tsr_gen_shape_check(&gen->shape, err);
}

void tsr_gen_offer_names(tsr_suggest *suggest)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        tsr_suggest_offer(suggest, kinds[i].name);
}

tsr_status tsr_gen_parse(tsr_gen *gen, bool *known, const char *text, tsr_error *err)
{
    static const char matmul[] = "matmul_";
    *gen = (tsr_gen){.kind = TSR_GEN_RANDOM};
    *known = strncmp(text, matmul, sizeof matmul - 1) == 0;
    if (*known)
        return parse_matmul(gen, text + sizeof matmul - 1, err);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t n = strlen(kinds[i].name);
        if (strncmp(text, kinds[i].name, n) != 0 || (text[n] != '\0' && text[n] != ':'))
            continue;
        settings s = {.shape = {.values = TSR_GEN_REAL}};
        *known = true;
        if (text[n] == ':')
            TSR_TRY(parse_keys(&s, &kinds[i], text + n + 1, err));
        gen->shape = s.shape;
        tsr_error inner = {0};
        tsr_status status = kinds[i].make(gen, &s, &inner);
        if (status == TSR_OK)
            status = tsr_gen_shape_check(&gen->shape, &inner);
        return status == TSR_OK ? TSR_OK : tsr_fail(err, status, "%s: %s", kinds[i].name, inner.message);
    }
    return TSR_OK;
}
