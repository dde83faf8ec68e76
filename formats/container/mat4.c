/* Reading MATLAB's .mat of version 4: see mat5.h and mat.md. A variable is a header of five integers, the name, the real parts
 * and the imaginary parts, by columns. A sparse matrix is stored as a dense one with the columns i, j, value. */
#include "mat5_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_checked.h"

/* The header of a variable: five integers. */
typedef struct four {
    bool big;
    unsigned storage, kind; /* digits of the first integer */
    uint64_t rows, columns, name_nbytes;
    bool complex;
} four;

/* Whether 20 bytes are the header of a variable, in either byte order. */
static bool parse_four(four *out, const unsigned char *h)
{
    for (int order = 0; order < 2; order++) {
        const bool is_big = order == 1;
        uint32_t w[5];
        for (int i = 0; i < 5; i++)
            w[i] = tsr_mat_word(h + 4 * i, is_big);
        *out = (four){.big = is_big,
                      .storage = w[0] / 10 % 10,
                      .kind = w[0] % 10,
                      .rows = w[1],
                      .columns = w[2],
                      .complex = w[3] == 1,
                      .name_nbytes = w[4]};
        if (w[0] / 1000 == (is_big ? 1u : 0u) && w[0] % 1000 < 60 && out->kind <= 2 && w[1] <= INT32_MAX &&
            w[2] <= INT32_MAX && w[3] <= 1 && w[4] >= 2 && w[4] <= 256)
            return true;
    }
    return false;
}

bool tsr_mat4_is_header(const unsigned char *h)
{
    four f;
    return parse_four(&f, h);
}

/* The dims of a sparse matrix: the last row of the first two columns. */
static tsr_status look_at_dims(uint64_t *dims, const four *f, const tsr_file *file, tsr_error *err)
{
    if (f->storage != 0 || f->rows == 0 || (f->columns != 3 && f->columns != 4))
        return tsr_fail(err, TSR_CORRUPT, "a sparse matrix of version 4 must be a list of i, j, value");
    for (uint64_t m = 0; m < 2; m++) {
        tsr_numbers last = {.array = {.n = 1, .width = 8}, .type = TSR_F64};
        double dim = -1;
        if (tsr_file_peek(&dim, 8, file, ((m + 1) * f->rows - 1) * 8) != 8)
            return tsr_fail(err, TSR_CORRUPT, "a sparse matrix of version 4 is truncated");
        last.array.data = &dim;
        if (tsr_must_swap(f->big))
            tsr_numbers_swap(&last);
        if (!(dim >= 0 && dim <= INT32_MAX) || dim != (double)(int64_t)dim)
            return tsr_fail(err, TSR_CORRUPT, "a dimension of a sparse matrix is not an integer");
        dims[m] = (uint64_t)dim;
    }
    return TSR_OK;
}

/* Read the columns of a sparse matrix, each without the last row, which has the dims. */
static tsr_status read_list(tsr_arrays *in, const four *f, tsr_mat_element *e, tsr_error *err)
{
    static const char *const names[] = {"i", "j"};
    const uint64_t n = f->rows - 1;
    in->base = 1;
    for (int m = 0; m < 2; m++) {
        tsr_error why = {0};
        in->crd[m].name = names[m];
        const tsr_status status = tsr_mat_read_real(&in->crd[m], TSR_I32, e, n, &why);
        if (status == TSR_RANGE || status == TSR_UNSUPPORTED)
            return tsr_fail(err, TSR_CORRUPT, "array '%s' has indices that are not integers below 2^31",
                            names[m]);
        if (status != TSR_OK && err)
            *err = why;
        TSR_TRY(status);
        TSR_TRY(tsr_mat_take(NULL, e, 8, err));
    }
    in->values.name = "value";
    TSR_TRY(tsr_mat_read_real(&in->values, f->columns == 4 ? TSR_C128 : TSR_F64, e, n, err));
    if (f->columns == 3)
        return TSR_OK;
    TSR_TRY(tsr_mat_take(NULL, e, 8, err));
    return tsr_mat_read_imaginary(&in->values, e, err);
}

static tsr_status describe_four(tsr_brief *brief, const char *path, const four *f, const uint64_t *dims,
                                tsr_error *err)
{
    tsr_brief_tensor *const to = tsr_brief_add(brief, path);
    const bool sparse = f->kind == 2;
    if (!to)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    to->order = 2;
    to->has_dims = to->has_nnz = true;
    to->dims[0] = dims[0];
    to->dims[1] = dims[1];
    to->nnz = sparse ? f->rows - 1 : f->rows * f->columns;
    snprintf(to->type, sizeof to->type, "%s", f->complex || (sparse && f->columns == 4) ? "c128" : "f64");
    return sparse ? TSR_OK : tsr_format_dense(&to->format, 2, (const int[]){1, 0}, err);
}

/* Read the values of a variable, and make the tensor. */
static tsr_status read_four(tsr_mat_visit *v, const four *f, const uint64_t *dims, tsr_mat_element *e,
                            tsr_error *err)
{
    tsr_arrays in = {.order = 2, .fortran = true, .dims = {dims[0], dims[1]}};
    tsr_status status;
    if (f->kind == 2) {
        TSR_TRY_OUT(read_list(&in, f, e, err));
        return tsr_arrays_coordinates(v->out, &in, v->options, err);
    }
    in.values.name = "re";
    TSR_TRY_OUT(tsr_mat_read_real(&in.values, f->complex ? TSR_C128 : TSR_F64, e, f->rows * f->columns, err));
    if (f->complex)
        TSR_TRY_OUT(tsr_mat_read_imaginary(&in.values, e, err));
    return tsr_arrays_dense(v->out, &in, v->options, err);
out:
    tsr_arrays_clear(&in);
    return status;
}

/* Read or describe a variable, whose header has been read. */
static tsr_status visit_one(tsr_mat_visit *v, tsr_file *file, const four *f, tsr_error *err)
{
    static const unsigned char types[] = {9, 7, 5, 3, 4, 2}; /* as version 5 numbers them */
    char name[257] = "";
    uint64_t dims[2] = {f->rows, f->columns}, nbytes;
    tsr_mat_stream stream = {.file = file, .big = f->big};
    tsr_mat_element all = {.type = types[f->storage], .stream = &stream};
    tsr_type type = TSR_F64;
    TSR_TRY(tsr_bytes_take(&file->bytes, name, f->name_nbytes, err));
    (void)tsr_mat_number_type(&type, all.type);
    if (!tsr_mul_u64(&nbytes, f->rows * f->columns, tsr_type_nbytes(type) * (f->complex ? 2 : 1)) ||
        nbytes > file->bytes.left)
        return tsr_fail(err, TSR_CORRUPT,
                        "the header of '%s' says %" PRIu64 " x %" PRIu64 " values, but %" PRIu64
                        " bytes follow",
                        name, f->rows, f->columns, file->bytes.left);
    all.nbytes = stream.nbytes = stream.stored_left = nbytes;
    if (f->kind == 1 || !tsr_mat_wants(v, name)) /* 1: a text */
        return tsr_mat_stream_end(&stream, err);
    if (f->kind == 2)
        TSR_TRY(look_at_dims(dims, f, file, err));
    TSR_TRY(v->out ? read_four(v, f, dims, &all, err) : describe_four(v->brief, name, f, dims, err));
    return tsr_mat_stream_end(&stream, err);
}

tsr_status tsr_mat4_visit(tsr_mat_visit *v, tsr_file *file, const unsigned char *first, tsr_error *err)
{
    unsigned char head[20];
    four f;
    memcpy(head, first, sizeof head);
    for (;;) {
        if (!parse_four(&f, head) || f.storage > 5)
            return tsr_fail(err, TSR_CORRUPT, "a variable does not begin with a header of version 4");
        TSR_TRY(visit_one(v, file, &f, err));
        if (v->done || file->bytes.left == 0)
            return TSR_OK;
        TSR_TRY(tsr_bytes_take(&file->bytes, head, sizeof head, err));
    }
}
