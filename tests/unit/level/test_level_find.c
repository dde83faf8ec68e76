/* The searches of level types: a program finds each cell of a packed tensor, and no other one, level by level. The oracle is the dense
 * matrix that was packed. */
#include "tsr_test.h"

#include "tsr_format.h"
#include "tsr_level_walk.h"
#include "tsr_pack.h"

enum { ROWS = 13, COLUMNS = 16, NOWHERE = 1000000 };

/* Formats that have each level type, and what they hold: all cells, few of each four neighbours, a triangle. */
typedef enum holds { ANY, FEW, LOWER } holds;
static const struct {
    const char *format;
    holds holds;
} rows[] = {
    {"csr", ANY},
    {"coo", ANY},
    {"csru", ANY},
    {"ell", ANY},
    {"ellc", ANY},
    {"hash", ANY},
    {"bitmap", ANY},
    {"bitmapc", ANY},
    {"bytemap", ANY},
    {"runs", ANY},
    {"srun", ANY},
    {"vbl", ANY},
    {"jad", ANY},
    {"sell(4)", ANY},
    {"sell(3,8)", ANY},
    {"dia", ANY},
    {"diap", ANY},
    {"band", ANY},
    {"bandr", ANY},
    {"sband", ANY},
    {"skyline", LOWER},
    {"nm(2,4)", FEW},
    {"bcsr(2,3)", ANY},
    {"hicoo(4)", ANY},
    {"keys(4)", ANY},
    {"strips(4)", ANY},
    {"(i, j) -> (j : dense, i : hashed)", ANY},
    {"(i, j) -> (i : hashed, j : hashed)", ANY},
    {"(i, j) -> (i floordiv 3 : dense, i mod 3 : dense, j : strided)", ANY},
    {"(i, j) -> (i : compressed, j : ranked)", ANY},
};

/* A matrix with an empty row and an empty column; values repeat, so that runs are longer than one. */
static void fill(double cell[ROWS][COLUMNS], tsr_rng *rng, holds what, uint64_t part)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            const bool stored = i != ROWS / 2 && j != 5 && tsr_rng_below(rng, 8) < part &&
                                (what != LOWER || j <= i) && (what != FEW || j % 4 == 1 || j % 4 == 2);
            cell[i][j] = stored ? 1 + (double)tsr_rng_below(rng, 3) : 0;
        }
}

static tsr_tensor *packed(double cell[ROWS][COLUMNS], const char *text, tsr_index_width width)
{
    const uint64_t dims[2] = {ROWS, COLUMNS};
    tsr_coo *coo;
    tsr_format *format;
    tsr_tensor *tensor;
    uint64_t n = 0;
    for (int c = 0; c < ROWS * COLUMNS; c++)
        n += cell[c / COLUMNS][c % COLUMNS] != 0;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, dims}, TSR_F64, false, n, err));
    n = 0;
    for (int c = 0; c < ROWS * COLUMNS; c++)
        if (cell[c / COLUMNS][c % COLUMNS] != 0) {
            tsr_array_set(&coo->crd[0], n, (uint64_t)(c / COLUMNS));
            tsr_array_set(&coo->crd[1], n, (uint64_t)(c % COLUMNS));
            ((double *)coo->values.data)[n++] = cell[c / COLUMNS][c % COLUMNS];
        }
    assert_ok(tsr_format_parse(&format, text, 2, dims, err));
    assert_ok(
        tsr_pack(&tensor, coo, format, &(tsr_pack_options){.nthreads = 1, .index_width = width}, NULL, err));
    tsr_format_free(format);
    return tensor;
}

/* A program under construction, and its arguments. */
typedef struct finder {
    tsr_ir_builder *ir;
    tsr_ir_arg arg[200];
    int n;
    uint64_t found;
    uint64_t inverse[ROWS]; /* of a first level that has all coordinates in an order of its own */
} finder;

static const tsr_ir_expr *number(finder *f, const char *what, int l, uint64_t value)
{
    char name[20];
    snprintf(name, sizeof name, "%s%d", what, l);
    f->arg[f->n++].n = (int64_t)value;
    return tsr_ir_index_param(f->ir, name);
}

static const tsr_ir_array *array(finder *f, const char *what, int l, const void *data, size_t nbytes,
                                 uint64_t n)
{
    static const tsr_type types[] = {[1] = TSR_U8, [2] = TSR_U16, [4] = TSR_U32, [8] = TSR_U64};
    char name[40];
    snprintf(name, sizeof name, "%s%d", what, l);
    f->arg[f->n++] = (tsr_ir_arg){.data = (void *)(uintptr_t)data, .n = (int64_t)(n ? n : 1)};
    return tsr_ir_array_param(f->ir, name, true, types[nbytes], data != &f->found, NULL);
}

/* Write the search in level l below walk->parent. */
static void find_in(finder *f, tsr_level_walk *walk, const tsr_level *level, int l,
                    const tsr_ir_expr *coordinate)
{
    walk->ir = f->ir;
    walk->crd_name = "c";
    walk->pos_name = (const char *[]){"p0", "p1", "p2", "p3"}[l];
    walk->nonunique = level->nonunique;
    walk->param = level->param;
    walk->size = number(f, "size", l, level->size);
    walk->pitch = number(f, "pitch", l, level->pitch);
    walk->low = number(f, "low", l, level->low);
    walk->nparents = number(f, "nparents", l, level->nparents);
    for (int k = 0; k < TSR_LEVEL_NROLES && level->type->arrays[k].name; k++) {
        const tsr_level_array *const row = &level->type->arrays[k];
        const tsr_array *const a = tsr_level_array_at(level, row->role);
        const bool is_words = row->content == TSR_HOLDS_WORDS; /* loops read them as bytes */
        walk->array[row->role] =
            array(f, row->name, l, a->data, is_words ? 1 : a->width, is_words ? 8 * a->n : a->n);
    }
    if (!level->type->has_all) {
        level->type->walker->find(walk, coordinate);
        return;
    }
    for (uint64_t p = 0; p < level->npos; p++)
        f->inverse[tsr_array_get(&level->perm, p)] = p;
    walk->position = tsr_ir_load_index(f->ir, array(f, "inverse", l, f->inverse, 8, level->npos), coordinate);
}

/* The program that finds the cell whose storage coordinates are the first parameters. */
static tsr_ir *make(finder *f, const tsr_tensor *tensor)
{
    const tsr_ir_expr *crd[TSR_MAX_LEVELS], *lo = NULL, *hi = NULL;
    int nblocks = 0;
    tsr_ir *ir;
    *f = (finder){.ir = tsr_ir_builder_new("find")};
    for (int l = 0; l < tensor->nlevels; l++)
        crd[l] = number(f, "crd_of_level", l, 0);
    const tsr_ir_array *const out = array(f, "found", 0, &f->found, 8, 1);
    const tsr_ir_expr *position = tsr_ir_index(f->ir, 0);
    for (int l = 0; l < tensor->nlevels; l++) {
        tsr_level_walk walk = {.parent = position, .lo = lo, .hi = hi};
        find_in(f, &walk, &tensor->levels[l], l, crd[l]);
        position = tsr_level_name(&walk, "at", walk.position);
        lo = walk.lo;
        hi = walk.hi;
        nblocks += walk.nblocks;
    }
    tsr_ir_store(f->ir, out, tsr_ir_index(f->ir, 0), position, false, false);
    while (nblocks-- > 0)
        tsr_ir_end(f->ir);
    assert_ok(tsr_ir_finish(&ir, f->ir, "", err));
    return ir;
}

static void check_cells(const char *text, double cell[ROWS][COLUMNS], const tsr_tensor *tensor)
{
    finder f;
    tsr_ir *const ir = make(&f, tensor);
    const double *const values = tensor->values.data;
    for (int c = 0; c < ROWS * COLUMNS; c++) {
        const int64_t at[2] = {c / COLUMNS, c % COLUMNS};
        const double value = cell[at[0]][at[1]];
        int64_t level[TSR_MAX_LEVELS];
        assert_ok(tsr_map_eval(level, tensor->binding->forward, at, err));
        f.found = NOWHERE;
        for (int l = 0; l < tensor->nlevels; l++)
            f.arg[l].n = level[l] - tensor->levels[l].base;
        assert_ok(tsr_ir_run(ir, f.arg, 0, err));
        if (f.found == NOWHERE ? value != 0 : f.found >= tensor->npos || values[f.found] != value)
            fail_msg("%s: cell (%d, %d), %g: position %d", text, (int)at[0], (int)at[1], value, (int)f.found);
    }
    tsr_ir_free(ir);
}

static void test_each_cell_is_found(void **state)
{
    (void)state;
    static const tsr_index_width widths[] = {TSR_INDEX_AUTO, TSR_INDEX_64};
    double cell[ROWS][COLUMNS];
    tsr_rng rng = {1};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (uint64_t part = 0; part <= 8; part += 2)
            for (size_t w = 0; w < 2; w++) {
                fill(cell, &rng, rows[r].holds, part);
                tsr_tensor *const tensor = packed(cell, rows[r].format, widths[w]);
                check_cells(rows[r].format, cell, tensor);
                tsr_tensor_free(tensor);
            }
}

/* A plan may search in any level whose positions do not follow from a table. */
static void test_all_types_are_searched(void **state)
{
    (void)state;
    for (const tsr_level_type *const *type = tsr_level_types; *type; type++)
        assert_true((*type)->has_all || (*type)->walker->find);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_cell_is_found),
        cmocka_unit_test(test_all_types_are_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
