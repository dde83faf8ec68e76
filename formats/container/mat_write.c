/* Writing MATLAB's .mat of version 5, or 7 with compression: one variable. See mat.md. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "held_arrays.h"
#include "array_import.h"
#include "mat5.h"
#include "tsr_output.h"
#include "tsr_shown.h"

enum {
    HEAD_NBYTES = 128,
    INT8 = 1,
    UINT8 = 2,
    INT32 = 5,
    UINT32 = 6,
    DOUBLE = 9,
    MATRIX = 14,
    COMPRESSED = 15,
    CLASS_SPARSE = 5,
    CLASS_DOUBLE = 6,
    FLAG_COMPLEX = 8,
    FLAG_LOGICAL = 2,
    MAX_PIECES = 5,
    MOST_NBYTES = INT32_MAX /* of a variable */
};

/* An array of the variable: a tag, the data, and zeros to a multiple of 8 bytes. */
typedef struct piece {
    uint32_t type;
    uint64_t nbytes;
    const void *data;
    tsr_array copy; /* owned; the data may be in it */
} piece;

typedef struct variable {
    tsr_text head; /* the flags, the dims and the name */
    int n;
    piece pieces[MAX_PIECES];
    uint64_t nbytes; /* of the head and the pieces */
} variable;

static void clear_variable(variable *v)
{
    tsr_text_clear(&v->head);
    for (int i = 0; i < v->n; i++)
        tsr_array_clear(&v->pieces[i].copy);
}

/* ---- elements ---- */

static void put_word(tsr_text *text, uint32_t v)
{
    tsr_text_add_n(text, (const char *)&v, sizeof v); /* in the byte order of this machine: see put_file */
}

static void put_padding(tsr_text *text, uint64_t nbytes)
{
    static const char zeros[8];
    tsr_text_add_n(text, zeros, (size_t)((8 - nbytes % 8) % 8));
}

static uint64_t padded(uint64_t nbytes)
{
    return 8 + (nbytes + 7) / 8 * 8;
}

static void put_head(variable *v, const tsr_tensor *tensor, unsigned class, unsigned flags, const char *name)
{
    tsr_text *const head = &v->head;
    put_word(head, UINT32);
    put_word(head, 8);
    put_word(head, class | flags << 8);
    put_word(head, class == CLASS_SPARSE ? (uint32_t)(tensor->npos ? tensor->npos : 1) : 0); /* nzmax */
    put_word(head, INT32);
    put_word(head, 8);
    put_word(head, (uint32_t)tensor->dims[0]);
    put_word(head, (uint32_t)tensor->dims[1]);
    put_word(head, INT8);
    put_word(head, (uint32_t)strlen(name));
    tsr_text_add(head, name);
    put_padding(head, strlen(name));
}

static void add_piece(variable *v, uint32_t type, const void *data, uint64_t nbytes)
{
    v->pieces[v->n].type = type;
    v->pieces[v->n].data = data;
    v->pieces[v->n++].nbytes = nbytes;
}

static tsr_status add_indices(variable *v, const tsr_array *array, tsr_error *err)
{
    const void *data;
    TSR_TRY(tsr_indices_as(&data, &v->pieces[v->n].copy, array, 4, err));
    add_piece(v, INT32, data, 4 * array->n);
    return TSR_OK;
}

/* ---- values ---- */

/* Part k (0 real, 1 imaginary) of all values as doubles. */
static tsr_status add_doubles(variable *v, const tsr_tensor *tensor, int k, tsr_error *err)
{
    tsr_array *const to = &v->pieces[v->n].copy;
    const bool complex = tsr_type_class(tensor->type) == 'C';
    const uint64_t n = tensor->npos, stored = tensor->values.n;
    if (tensor->type == TSR_F64 && !tensor->iso) {
        add_piece(v, DOUBLE, tensor->values.data, 8 * n);
        return TSR_OK;
    }
    TSR_TRY(tsr_array_init(to, n, 8, 0, "values", err));
    v->n++; /* the copy is freed with the variable */
    double *const out = to->data;
    if (complex)
        for (uint64_t i = 0; i < n; i++) {
            double pair[2];
            const char *const at =
                (const char *)tensor->values.data + (tensor->iso ? 0 : i) * tensor->values.width;
            TSR_TRY(tsr_values_convert(pair, TSR_C128, at, tensor->type, 1, err));
            out[i] = pair[k];
        }
    else if (n > 0)
        TSR_TRY(
            tsr_values_convert(out, TSR_F64, tensor->values.data, tensor->type, tensor->iso ? 1 : n, err));
    for (uint64_t i = 1; i < n && tensor->iso && !complex; i++)
        out[i] = out[0];
    if (stored > 0 && n > 0 && (tensor->type == TSR_I64 || tensor->type == TSR_U64))
        TSR_TRY(tsr_check_exact(out, &tensor->values, tensor->type, "sparse matrices of MATLAB have", err));
    v->pieces[v->n - 1].type = DOUBLE;
    v->pieces[v->n - 1].data = out;
    v->pieces[v->n - 1].nbytes = 8 * n;
    return TSR_OK;
}

static tsr_status add_ones(variable *v, uint64_t n, tsr_error *err)
{
    TSR_TRY(tsr_array_init(&v->pieces[v->n].copy, n, 1, 0, "values", err));
    memset(v->pieces[v->n].copy.data, 1, n);
    add_piece(v, UINT8, v->pieces[v->n].copy.data, n);
    return TSR_OK;
}

/* Dense values keep their type, as classes 6 to 15 of MATLAB. */
static const struct {
    unsigned class;
    uint32_t element;
} dense_types[TSR_NTYPES] = {
    [TSR_F64] = {6, 9},   [TSR_F32] = {7, 7},  [TSR_I8] = {8, 1},   [TSR_U8] = {9, 2},
    [TSR_I16] = {10, 3},  [TSR_U16] = {11, 4}, [TSR_I32] = {12, 5}, [TSR_U32] = {13, 6},
    [TSR_I64] = {14, 12}, [TSR_U64] = {15, 13}}; /* MATLAB has no class of others, which become doubles */

static bool is_dense(const tsr_tensor *tensor)
{
    return tsr_format_is_dense(tensor->format);
}

static tsr_status make_variable(variable *v, const tsr_tensor *tensor, const char *name, tsr_error *err)
{
    const bool complex = tsr_type_class(tensor->type) == 'C', pattern = tensor->type == TSR_PATTERN;
    *v = (variable){.n = 0};
    if (is_dense(tensor) && dense_types[tensor->type].class) {
        put_head(v, tensor, dense_types[tensor->type].class, 0, name);
        add_piece(v, dense_types[tensor->type].element, tensor->values.data,
                  tsr_array_nbytes(&tensor->values));
        return TSR_OK;
    }
    const unsigned flags = complex ? FLAG_COMPLEX : pattern ? FLAG_LOGICAL : 0;
    put_head(v, tensor, is_dense(tensor) ? CLASS_DOUBLE : CLASS_SPARSE, flags, name);
    if (!is_dense(tensor)) {
        TSR_TRY(add_indices(v, &tensor->levels[1].crd, err));
        TSR_TRY(add_indices(v, &tensor->levels[1].pos, err));
    }
    if (pattern)
        return add_ones(v, tensor->npos, err);
    TSR_TRY(add_doubles(v, tensor, 0, err));
    return complex ? add_doubles(v, tensor, 1, err) : TSR_OK;
}

/* ---- the file ---- */

/* Where the bytes of the variable go: to the file, or through zlib to `packed`. */
typedef struct sink {
    tsr_output *output;
    bool packs;
    z_stream z;
    tsr_text packed;
} sink;

static tsr_status put_bytes(sink *s, const void *data, uint64_t nbytes, int flush, tsr_error *err)
{
    enum { STEP = 1 << 24 };
    unsigned char out[1 << 14];
    const unsigned char *p = data;
    if (!s->packs) {
        for (uint64_t n; nbytes > 0; nbytes -= n, p += n) {
            n = nbytes < STEP ? nbytes : STEP;
            TSR_TRY(tsr_output_write(s->output, p, (size_t)n, err));
        }
        return TSR_OK;
    }
    s->z.next_in = (Bytef *)(uintptr_t)p; /* zlib does not change the bytes */
    s->z.avail_in = (uInt)nbytes;         /* a variable has fewer than 2^31 bytes */
    do {
        s->z.next_out = out;
        s->z.avail_out = sizeof out;
        (void)deflate(&s->z, flush);
        tsr_text_add_n(&s->packed, (const char *)out, sizeof out - s->z.avail_out);
    } while (s->z.avail_out == 0);
    return tsr_text_status(&s->packed, err);
}

static tsr_status put_variable(sink *s, const variable *v, tsr_error *err)
{
    static const char zeros[8];
    const uint32_t tag[2] = {MATRIX, (uint32_t)v->nbytes};
    TSR_TRY(put_bytes(s, tag, sizeof tag, Z_NO_FLUSH, err));
    TSR_TRY(put_bytes(s, v->head.s, v->head.nbytes, Z_NO_FLUSH, err));
    for (int i = 0; i < v->n; i++) {
        const piece *const p = &v->pieces[i];
        const uint32_t part[2] = {p->type, (uint32_t)p->nbytes};
        TSR_TRY(put_bytes(s, part, sizeof part, Z_NO_FLUSH, err));
        TSR_TRY(put_bytes(s, p->data, p->nbytes, Z_NO_FLUSH, err));
        TSR_TRY(put_bytes(s, zeros, padded(p->nbytes) - 8 - p->nbytes, Z_NO_FLUSH, err));
    }
    return s->packs ? put_bytes(s, NULL, 0, Z_FINISH, err) : TSR_OK;
}

static tsr_status put_file(tsr_output *output, const variable *v, int level, tsr_error *err)
{
    static const char words[] = "MATLAB 5.0 MAT-file, written by Tessera";
    unsigned char head[HEAD_NBYTES];
    sink s = {.output = output, .packs = level > 0};
    const uint16_t version = 0x0100, order = 'M' << 8 | 'I'; /* "IM" where the first byte is the lowest */
    memset(head, ' ', 116);
    memcpy(head, words, sizeof words - 1);
    memset(head + 116, 0, 8);
    memcpy(head + 124, &version, 2);
    memcpy(head + 126, &order, 2);
    TSR_TRY(tsr_output_write(output, head, sizeof head, err));
    if (!s.packs)
        return put_variable(&s, v, err);
    if (deflateInit(&s.z, level) != Z_OK)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = put_variable(&s, v, err);
    deflateEnd(&s.z);
    const uint32_t tag[2] = {COMPRESSED, (uint32_t)s.packed.nbytes};
    if (status == TSR_OK)
        status = tsr_output_write(output, tag, sizeof tag, err);
    if (status == TSR_OK)
        status = tsr_output_write(output, s.packed.s, s.packed.nbytes, err);
    tsr_text_clear(&s.packed);
    return status;
}

/* ---- functions of the codec ---- */

bool tsr_mat_takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    int perm[TSR_MAX_LEVELS], ndense;
    const tsr_format *const f = tensor->format;
    *instead = "csc";
    if (tensor->order != 2 || tensor->has_fill || tensor->structure != TSR_GENERAL ||
        !tsr_format_is_permutation(f, perm) || tsr_format_has_pitch(f) || perm[0] != 1)
        return false;
    if (is_dense(tensor))
        return tensor->type != TSR_PATTERN && !tensor->iso;
    return tsr_format_is_nested(f, &ndense) && ndense == 1;
}

tsr_status tsr_mat_check(int order, tsr_type type, tsr_error *err)
{
    (void)type;
    return order == 2
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED,
                          "cannot write a tensor of %d modes to .mat, which has sparse matrices: make a "
                          "matrix with --unfold",
                          order);
}

/* A name of MATLAB: a letter, then letters, digits and underscores, at most 63 characters. */
static bool is_name(const char *name)
{
    const size_t n = strlen(name);
    const char first = (char)(name[0] | 32);
    return n > 0 && n <= 63 && first >= 'a' && first <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == n;
}

tsr_status tsr_mat_check_target(const char *file, const char *object, tsr_error *err)
{
    struct stat st;
    char shown[TSR_SHOWN_NBYTES];
    if (object && !is_name(object))
        return tsr_fail(err, TSR_ARGUMENT,
                        "'%s' is not a name of a MATLAB variable (a letter, then letters, digits and _)",
                        tsr_show(shown, object));
    if (object && stat(file, &st) == 0 && st.st_size > 0)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot add a variable to a .mat file that exists: write a new file, and load both in "
            "MATLAB");
    return TSR_OK;
}

/* The bytes of the values and indices, as version 5 stores them. */
static double stored_nbytes(const tsr_tensor *tensor)
{
    const double n = (double)tensor->npos;
    if (is_dense(tensor))
        return n * (double)tensor->values.width;
    const double each = tensor->type == TSR_PATTERN ? 1 : tsr_type_class(tensor->type) == 'C' ? 16 : 8;
    return n * (4 + each) + 4 * ((double)tensor->dims[1] + 1);
}

bool tsr_mat5_fits(const tsr_tensor *tensor)
{
    return tensor->dims[0] <= INT32_MAX && tensor->dims[1] <= INT32_MAX && tensor->npos <= INT32_MAX &&
           stored_nbytes(tensor) + 4096 <= MOST_NBYTES;
}

static tsr_status write_variable(const char *file, const variable *v, const tsr_write_options *options,
                                 uint64_t *nbytes, tsr_error *err)
{
    const tsr_output_options plain = {.gzip_level = -1, .nthreads = options->nthreads};
    tsr_output *output = NULL;
    tsr_status status = tsr_output_open(&output, file, &plain, err);
    if (status == TSR_OK)
        status = put_file(output, v, options->deflate, err);
    if (status == TSR_OK)
        status = tsr_output_commit(output, err);
    if (status == TSR_OK && nbytes)
        *nbytes = tsr_output_nbytes(output);
    tsr_output_free(output);
    return status;
}

tsr_status tsr_mat5_write(const char *file, const char *name, const tsr_tensor *tensor,
                          const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    variable v = {.n = 0};
    if (!tsr_mat5_fits(tensor))
        return tsr_fail(
            err, TSR_LIMIT,
            "a variable of a .mat file of version 5 or 7 has fewer than 2^31 rows, columns, entries and "
            "bytes: use --mat-version=7.3");
    tsr_status status = make_variable(&v, tensor, name, err);
    if (status == TSR_OK)
        status = tsr_text_status(&v.head, err);
    v.nbytes = v.head.nbytes;
    for (int i = 0; i < v.n; i++)
        v.nbytes += padded(v.pieces[i].nbytes);
    if (status == TSR_OK)
        status = write_variable(file, &v, options, nbytes, err);
    clear_variable(&v);
    return status;
}
