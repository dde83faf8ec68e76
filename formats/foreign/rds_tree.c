/* Reading R's serialization (XDR, versions 2 and 3) to a tree: see rds_tree.h. After "R Internals", section 1.8. A length is
 * believed only as far as bytes follow: arrays grow while they are read. */
#include "rds_tree.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "array_import.h"
#include "growing_array.h"
#include "rds_bytes.h"
#include "tsr_interrupt.h"

enum {
    MAX_DEPTH = 400,
    MAX_VALUES = 50000000,
    /* further numbers of kinds */
    CLOSURE = 3,
    ENVIRONMENT = 4,
    PROMISE = 5,
    CALL = 6,
    SPECIAL = 7,
    BUILTIN = 8,
    DOTS = 17,
    EXPRESSION = 20,
    POINTER = 22,
    WEAK = 23,
    RAW = 24,
    ALTREP = 238,
    EMPTY_ENVIRONMENT = 242,
    BASE_ENVIRONMENT = 241,
    BASE_NAMESPACE = 247,
    PERSISTENT = 248,
    NAMESPACE = 249,
    PACKAGE = 250,
    MISSING = 251,
    UNBOUND = 252,
    GLOBAL_ENVIRONMENT = 253,
    NIL = 254,
    REFERENCE = 255,
    HAS_ATTRIBUTES = 0x200,
    HAS_TAG = 0x400
};

typedef struct reader {
    tsr_r_bytes *bytes;
    tsr_r_tree *tree;
    bool sketch;
    uint64_t nvalues;
    tsr_r **seen; /* owned: what references refer to, from 1 on */
    uint64_t nseen, capacity;
    int depth;
    tsr_error *err;
} reader;

static tsr_status out_of_memory(tsr_error *err)
{
    return tsr_fail(err, TSR_NOMEM, "out of memory");
}

static tsr_status new_value(tsr_r **out, reader *r, int kind)
{
    if (++r->nvalues > MAX_VALUES)
        return tsr_fail(r->err, TSR_LIMIT, "has more than %d values", MAX_VALUES);
    *out = tsr_calloc(1, sizeof **out);
    if (!*out)
        return out_of_memory(r->err);
    (*out)->kind = kind;
    (*out)->next = r->tree->all;
    r->tree->all = *out;
    return TSR_OK;
}

static tsr_status remember(reader *r, tsr_r *value)
{
    if (r->nseen == r->capacity) {
        const uint64_t more = r->capacity ? 2 * r->capacity : 64;
        tsr_r **const seen = tsr_realloc(r->seen, more * sizeof *seen);
        if (!seen)
            return out_of_memory(r->err);
        r->seen = seen;
        r->capacity = more;
    }
    r->seen[r->nseen++] = value;
    return TSR_OK;
}

/* ---- numbers ---- */

static tsr_status take_int(int32_t *out, reader *r)
{
    unsigned char raw[4];
    TSR_TRY(tsr_r_bytes_take(r->bytes, raw, sizeof raw, r->err));
    *out = (int32_t)((uint32_t)raw[0] << 24 | (uint32_t)raw[1] << 16 | (uint32_t)raw[2] << 8 | raw[3]);
    return TSR_OK;
}

static tsr_status take_length(uint64_t *out, reader *r)
{
    int32_t n, high, low;
    TSR_TRY(take_int(&n, r));
    *out = (uint64_t)n;
    if (n >= 0)
        return TSR_OK;
    if (n != -1)
        return tsr_fail(r->err, TSR_CORRUPT, "a vector has the length %d", n);
    TSR_TRY(take_int(&high, r));
    TSR_TRY(take_int(&low, r));
    *out = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    return *out <= INT64_MAX / 16 ? TSR_OK
                                  : tsr_fail(r->err, TSR_CORRUPT, "a vector has the length %" PRIu64, *out);
}

/* Read the numbers of a value, which are of the type. */
static tsr_status take_numbers(tsr_r *v, reader *r, tsr_type type)
{
    enum { PIECE_NBYTES = 1 << 20, FEW = 16 };
    tsr_array *const out = &v->array;
    const size_t width = tsr_type_nbytes(type);
    const uint64_t piece = PIECE_NBYTES / width;
    uint64_t n;
    TSR_TRY(take_length(&n, r));
    out->width = width;
    if (r->sketch && n > FEW) {
        out->n = n;
        v->place = tsr_r_bytes_place(r->bytes);
        return tsr_r_bytes_skip(r->bytes, n * width, r->err);
    }
    for (uint64_t i = 0; i < n;) {
        const uint64_t step = n - i < piece ? n - i : piece;
        TSR_TRY(tsr_array_make_room(out, i + step, n, r->err));
        char *const to = (char *)out->data + i * width;
        TSR_TRY(tsr_r_bytes_take(r->bytes, to, step * width, r->err));
        tsr_numbers numbers = {.array = {.data = to, .n = step, .width = width}, .type = type};
        if (tsr_r_must_swap())
            tsr_numbers_swap(&numbers);
        TSR_TRY(tsr_interrupt_check(r->err));
        i += step;
    }
    return tsr_array_shorten(out, n, r->err);
}

/* ---- texts ---- */

/* Append a text (NA: an empty one) to the strings of a value; its flags were read. */
static tsr_status take_char(tsr_r *to, reader *r)
{
    enum { MOST = 1 << 26 };
    char small[256];
    int32_t n;
    TSR_TRY(take_int(&n, r));
    if (n > MOST || n < -1)
        return tsr_fail(r->err, TSR_CORRUPT, "a text has %d bytes", n);
    const size_t length = n > 0 ? (size_t)n : 0;
    char *const text = length <= sizeof small ? small : tsr_malloc(length);
    if (!text)
        return out_of_memory(r->err);
    tsr_status status = tsr_r_bytes_take(r->bytes, text, length, r->err);
    if (status == TSR_OK)
        status = tsr_names_add(&to->strings, text, length, r->err);
    if (text != small)
        tsr_free(text);
    return status;
}

/* Texts that each begin with their flags. */
static tsr_status take_chars(tsr_r *to, reader *r, uint64_t n)
{
    int32_t flags;
    for (uint64_t i = 0; i < n; i++) {
        TSR_TRY(take_int(&flags, r));
        if ((flags & 255) != TSR_R_CHAR)
            return tsr_fail(r->err, TSR_CORRUPT, "a text was expected, but a value of kind %d follows",
                            flags & 255);
        TSR_TRY(take_char(to, r));
        if (i % 65536 == 0)
            TSR_TRY(tsr_interrupt_check(r->err));
    }
    return TSR_OK;
}

/* ---- values ---- */

static tsr_status take_value(const tsr_r **out, reader *r);
static tsr_status take_kind(const tsr_r **out, reader *r, int32_t flags);

static tsr_status take_items(tsr_r *to, reader *r)
{
    uint64_t n, room = 0;
    TSR_TRY(take_length(&n, r));
    for (uint64_t i = 0; i < n; i++) {
        if (i == room) {
            room = room ? 2 * room : 16;
            tsr_r **const items = tsr_realloc(to->items, room * sizeof *items);
            if (!items)
                return out_of_memory(r->err);
            to->items = items;
        }
        const tsr_r *item;
        TSR_TRY(take_value(&item, r));
        to->items[i] = (tsr_r *)item;
        to->nitems = i + 1;
    }
    return TSR_OK;
}

/* The rest of a list of pairs, whose first flags were read. */
static tsr_status take_pairs(const tsr_r **out, reader *r, int32_t flags)
{
    tsr_r *last = NULL;
    *out = NULL;
    for (;;) {
        tsr_r *pair;
        TSR_TRY(new_value(&pair, r, TSR_R_PAIR));
        if (flags & HAS_ATTRIBUTES)
            TSR_TRY(take_value(&pair->attributes, r));
        if (flags & HAS_TAG)
            TSR_TRY(take_value(&pair->tag, r));
        TSR_TRY(take_value(&pair->car, r));
        if (last)
            last->cdr = pair;
        else
            *out = pair;
        last = pair;
        TSR_TRY(take_int(&flags, r));
        if ((flags & 255) == NIL)
            return TSR_OK;
        if ((flags & 255) != TSR_R_PAIR && (flags & 255) != CALL) /* the body of a function */
            return take_kind(&last->cdr, r, flags);
    }
}

/* A value that is an environment, a pointer or the like: what it holds is passed over, and it may be referred to. */
static tsr_status take_opaque(tsr_r **out, reader *r, int kind, int32_t flags)
{
    const tsr_r *part;
    int32_t n = 0;
    TSR_TRY(new_value(out, r, TSR_R_NULL));
    if (kind == ENVIRONMENT)
        TSR_TRY(take_int(&n, r)); /* locked */
    TSR_TRY(remember(r, *out));
    if (kind == PERSISTENT || kind == PACKAGE || kind == NAMESPACE) {
        TSR_TRY(take_int(&n, r));
        TSR_TRY(take_int(&n, r));
        return n < 0 ? tsr_fail(r->err, TSR_CORRUPT, "a name has %d parts", n)
                     : take_chars(*out, r, (uint64_t)n);
    }
    const int nparts = kind == ENVIRONMENT ? 4 : kind == POINTER ? 2 : 0;
    for (int i = 0; i < nparts; i++)
        TSR_TRY(take_value(&part, r));
    return kind != ENVIRONMENT && (flags & HAS_ATTRIBUTES) ? take_value(&part, r) : TSR_OK;
}

/* A vector that R made of another one: a sequence, or a vector in a wrapper. */
static tsr_status take_altrep(const tsr_r **out, reader *r)
{
    const tsr_r *info, *state, *attributes;
    tsr_r *made;
    TSR_TRY(take_value(&info, r));
    TSR_TRY(take_value(&state, r));
    TSR_TRY(take_value(&attributes, r));
    const char *const class = tsr_r_string(info ? info->car : NULL);
    *out = state && state->kind == TSR_R_PAIR                    ? state->car
           : state && state->kind == TSR_R_LIST && state->nitems ? state->items[0]
                                                                 : state;
    if (strncmp(class, "wrap_", 5) == 0 || strcmp(class, "deferred_string") == 0)
        return TSR_OK;
    const bool integers = strcmp(class, "compact_intseq") == 0;
    if ((!integers && strcmp(class, "compact_realseq") != 0) || !state || state->kind != TSR_R_REAL ||
        state->array.n != 3)
        return tsr_fail(r->err, TSR_UNSUPPORTED, "has a vector of R's class '%.40s', which is not supported",
                        class);
    const double *const s = state->array.data; /* the length, the first, the step */
    if (!(s[0] >= 0 && s[0] <= INT32_MAX))
        return tsr_fail(r->err, TSR_CORRUPT, "a sequence has a wrong length");
    TSR_TRY(new_value(&made, r, integers ? TSR_R_INTEGER : TSR_R_REAL));
    const uint64_t n = (uint64_t)s[0];
    TSR_TRY(tsr_array_init(&made->array, n, integers ? 4 : 8, 0, "a sequence", r->err));
    for (uint64_t i = 0; i < n; i++) {
        const double v = s[1] + (double)i * s[2];
        if (integers)
            ((int32_t *)made->array.data)[i] = v >= INT32_MIN && v <= INT32_MAX ? (int32_t)v : 0;
        else
            ((double *)made->array.data)[i] = v;
    }
    *out = made;
    return TSR_OK;
}

static tsr_status take_reference(const tsr_r **out, reader *r, int32_t flags)
{
    int32_t i = flags >> 8;
    if (i == 0)
        TSR_TRY(take_int(&i, r));
    if (i < 1 || (uint64_t)i > r->nseen)
        return tsr_fail(r->err, TSR_CORRUPT, "a reference to value %d, of %" PRIu64, i, r->nseen);
    *out = r->seen[i - 1];
    return TSR_OK;
}

static tsr_status take_symbol(tsr_r **out, reader *r)
{
    TSR_TRY(new_value(out, r, TSR_R_SYMBOL));
    TSR_TRY(take_chars(*out, r, 1));
    return remember(r, *out);
}

/* What a vector, a list or an object holds, before its attributes. */
static tsr_status take_contents(tsr_r *v, reader *r, int kind)
{
    uint64_t n;
    switch (kind) {
    case TSR_R_LOGICAL:
    case TSR_R_INTEGER:
        return take_numbers(v, r, TSR_I32);
    case TSR_R_REAL:
        return take_numbers(v, r, TSR_F64);
    case TSR_R_COMPLEX:
        return take_numbers(v, r, TSR_C128);
    case TSR_R_STRINGS:
        TSR_TRY(take_length(&n, r));
        return take_chars(v, r, n);
    case TSR_R_LIST:
    case EXPRESSION:
        return take_items(v, r);
    case TSR_R_CHAR:
        return take_char(v, r);
    case SPECIAL:
    case BUILTIN:
    case RAW:
        TSR_TRY(take_length(&n, r));
        return tsr_r_bytes_skip(r->bytes, n, r->err);
    case TSR_R_S4:
        return TSR_OK;
    default:
        return tsr_fail(r->err, TSR_UNSUPPORTED, "has a value of R's kind %d, which is not supported", kind);
    }
}

static tsr_status take_kind(const tsr_r **out, reader *r, int32_t flags)
{
    const int kind = flags & 255;
    tsr_r *v = NULL;
    tsr_status status;
    *out = NULL;
    switch (kind) {
    case TSR_R_NULL:
    case NIL:
    case EMPTY_ENVIRONMENT:
    case BASE_ENVIRONMENT:
    case BASE_NAMESPACE:
    case MISSING:
    case UNBOUND:
    case GLOBAL_ENVIRONMENT:
        return TSR_OK;
    case REFERENCE:
        return take_reference(out, r, flags);
    case TSR_R_SYMBOL:
        status = take_symbol(&v, r);
        *out = v;
        return status;
    case ENVIRONMENT:
    case POINTER:
    case WEAK:
    case PERSISTENT:
    case NAMESPACE:
    case PACKAGE:
        status = take_opaque(&v, r, kind, flags);
        *out = v;
        return status;
    case TSR_R_PAIR:
    case CALL:
    case CLOSURE:
    case PROMISE:
    case DOTS:
        return take_pairs(out, r, flags);
    case ALTREP:
        return take_altrep(out, r);
    default:
        TSR_TRY(new_value(&v, r, kind == EXPRESSION ? TSR_R_LIST : kind));
        TSR_TRY(take_contents(v, r, kind));
        *out = v;
        return kind != TSR_R_CHAR && (flags & HAS_ATTRIBUTES) ? take_value(&v->attributes, r) : TSR_OK;
    }
}

/* *out is NULL for R's NULL. */
static tsr_status take_value(const tsr_r **out, reader *r)
{
    int32_t flags;
    *out = NULL;
    if (++r->depth > MAX_DEPTH)
        return tsr_fail(r->err, TSR_LIMIT, "has values in more than %d values", MAX_DEPTH);
    TSR_TRY(take_int(&flags, r));
    const tsr_status status = take_kind(out, r, flags);
    r->depth--;
    return status;
}

/* ---- the file ---- */

static tsr_status take_head(reader *r)
{
    unsigned char magic[2];
    int32_t version, number;
    TSR_TRY(tsr_r_bytes_take(r->bytes, magic, sizeof magic, r->err));
    if (magic[0] == 'A' || magic[0] == 'B')
        return tsr_fail(r->err, TSR_UNSUPPORTED,
                        "is an .rds file in R's %s form, which is not supported: use saveRDS without "
                        "ascii and xdr",
                        magic[0] == 'A' ? "text" : "native binary");
    if (magic[0] != 'X' || magic[1] != '\n')
        return tsr_fail(r->err, TSR_SYNTAX, "is not an .rds file of R");
    TSR_TRY(take_int(&version, r));
    TSR_TRY(take_int(&number, r)); /* the version of R that wrote the file */
    TSR_TRY(take_int(&number, r)); /* the oldest that reads it */
    if (version != 2 && version != 3)
        return tsr_fail(r->err, TSR_UNSUPPORTED, "has R's serialization %d: 2 and 3 are supported", version);
    if (version == 2)
        return TSR_OK;
    TSR_TRY(take_int(&number, r)); /* the name of an encoding */
    return number < 0 || number > 64
               ? tsr_fail(r->err, TSR_CORRUPT, "the name of an encoding has %d bytes", number)
               : tsr_r_bytes_skip(r->bytes, (uint64_t)number, r->err);
}

tsr_status tsr_r_tree_read(tsr_r_tree *out, const char *path, bool sketch, tsr_error *err)
{
    reader r = {.tree = out, .sketch = sketch, .err = err};
    *out = (tsr_r_tree){.all = NULL};
    TSR_TRY(tsr_r_bytes_open(&r.bytes, path, err));
    tsr_status status = take_head(&r);
    if (status == TSR_OK)
        status = take_value(&out->root, &r);
    tsr_r_bytes_close(r.bytes);
    tsr_free(r.seen);
    return status;
}

void tsr_r_tree_clear(tsr_r_tree *tree)
{
    for (tsr_r *v = tree->all, *next; v; v = next) {
        next = v->next;
        tsr_array_clear(&v->array);
        tsr_names_clear(&v->strings);
        tsr_free(v->items);
        tsr_free(v);
    }
    *tree = (tsr_r_tree){.all = NULL};
}

const char *tsr_r_string(const tsr_r *value)
{
    return value && value->strings.n > 0 ? tsr_names_get(&value->strings, 0) : "";
}

const tsr_r *tsr_r_attribute(const tsr_r *value, const char *name)
{
    for (const tsr_r *pair = value ? value->attributes : NULL; pair; pair = pair->cdr)
        if (strcmp(tsr_r_string(pair->tag), name) == 0)
            return pair->car;
    return NULL;
}

const tsr_r *tsr_r_member(const tsr_r *value, const char *name)
{
    const tsr_r *const names = value && value->kind == TSR_R_LIST ? tsr_r_attribute(value, "names") : NULL;
    if (value && value->kind == TSR_R_S4)
        return tsr_r_attribute(value, name);
    for (uint64_t i = 0; names && i < names->strings.n && i < value->nitems; i++)
        if (strcmp(tsr_names_get(&names->strings, i), name) == 0)
            return value->items[i];
    return NULL;
}
