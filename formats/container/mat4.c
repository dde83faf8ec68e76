/* The members of a .mat file of version 4: see mat_internal.h and mat.md. A variable is a header of five integers, the name, the real parts
 * and the imaginary parts, by columns. A sparse matrix is stored as a dense one with the columns i, j, value. */
#include "mat_internal.h"

#include <inttypes.h>
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

/* Add a variable, whose header has been read, and skip its numbers. */
static tsr_status add_one(tsr_mat_index *out, tsr_file *file, const four *f, tsr_error *err)
{
    static const unsigned char types[] = {9, 7, 5, 3, 4, 2}; /* as version 5 numbers them */
    char name[257] = "";
    tsr_mat_member member = {.kind = f->kind == 2 ? TSR_MAT_TRIPLETS : TSR_MAT_DENSE,
                             .four = true,
                             .big = f->big,
                             .type = f->complex || (f->kind == 2 && f->columns == 4) ? TSR_C128 : TSR_F64,
                             .order = 2,
                             .dims = {f->rows, f->columns},
                             .n = f->rows * f->columns,
                             .number_type = types[f->storage]};
    tsr_type type = TSR_F64;
    TSR_TRY(tsr_bytes_take(&file->bytes, name, f->name_nbytes, err));
    (void)tsr_mat_number_type(&type, member.number_type);
    if (!tsr_mul_u64(&member.end, member.n, tsr_type_nbytes(type) * (f->complex ? 2 : 1)) ||
        member.end > file->bytes.left)
        return tsr_fail(err, TSR_CORRUPT,
                        "the header of '%s' says %" PRIu64 " x %" PRIu64 " values, but %" PRIu64
                        " bytes follow",
                        name, f->rows, f->columns, file->bytes.left);
    member.variable = file->nbytes - file->bytes.left;
    if (f->kind == 2) {
        TSR_TRY(look_at_dims(member.dims, f, file, err));
        member.n = f->rows - 1;
    }
    if (f->kind != 1) /* 1: a text */
        TSR_TRY(tsr_mat_index_add(out, &member, name, err));
    return tsr_file_skip(file, member.end, err);
}

tsr_status tsr_mat4_index(tsr_mat_index *out, tsr_file *file, const unsigned char *first, tsr_error *err)
{
    unsigned char head[20];
    four f;
    memcpy(head, first, sizeof head);
    for (;;) {
        if (!parse_four(&f, head) || f.storage > 5)
            return tsr_fail(err, TSR_CORRUPT, "a variable does not begin with a header of version 4");
        TSR_TRY(add_one(out, file, &f, err));
        if (tsr_mat_index_is_full(out) || file->bytes.left == 0)
            return TSR_OK;
        TSR_TRY(tsr_bytes_take(&file->bytes, head, sizeof head, err));
    }
}
