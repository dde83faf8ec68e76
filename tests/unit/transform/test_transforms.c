/* The plan behind tconv's transformations: how many passes a row of steps becomes, and memory running out
 * anywhere in planning and carrying it out. */
#include "tsr_test.h"

#include "transform_plan.h"
#include "tsr_codec.h"

typedef struct row {
    tsr_transform_step steps[9]; /* ended by one without text */
    int order;                   /* of what comes out */
    uint64_t dims[3];
    uint64_t nnz, ndropped;
    bool may_meet;
} row;

/* Of a 4 x 6 tensor with an entry in every other cell: 12 of them. */
static const row rows[] = {
    {{{TSR_TRANSFORM_TRANSPOSE, "1,0"}}, 2, {6, 4}, 12, 0, false},
    {{{TSR_TRANSFORM_RESHAPE, "2,3,4"}, {TSR_TRANSFORM_RESHAPE, "-1,2"}, {TSR_TRANSFORM_REVERSE, "-1"}},
     2,
     {12, 2},
     12,
     0,
     false},
    {{{TSR_TRANSFORM_SLICE, "1:3,::-2"}, {TSR_TRANSFORM_PAD, "1:0,0:2:1"}, {TSR_TRANSFORM_UNFOLD, "1"}},
     2,
     {7, 3},
     3,
     9,
     false},
    {{{TSR_TRANSFORM_REDUCE, "sum:0"}, {TSR_TRANSFORM_SLICE, "2"}}, 0, {0}, 2, 10, true},
    {{{TSR_TRANSFORM_MAP, "(i, j) -> (i + j, j), domain: i - j in [0, 9]"}}, 2, {9, 6}, 6, 6, false},
    {{{TSR_TRANSFORM_MAP, "(i, j) -> (i + j)"}}, 1, {9}, 12, 0, true},
};

static tsr_coo *sample(void)
{
    tsr_coo *coo;
    assert_ok(tsr_coo_new_sized(&coo, (tsr_shape){2, (const uint64_t[]){4, 6}}, TSR_I32, false, 12, err));
    for (uint64_t e = 0; e < 12; e++) {
        tsr_array_set(&coo->crd[0], e, e / 3);
        tsr_array_set(&coo->crd[1], e, e % 3 * 2 + e / 3 % 2);
        tsr_array_set(&coo->values, e, e + 1);
    }
    return coo;
}

static void fill(tsr_transforms *transforms, const tsr_transform_step *steps)
{
    *transforms = (tsr_transforms){0};
    for (; steps->text; steps++)
        assert_ok(tsr_transforms_add(transforms, steps->kind, steps->text, err));
}

/* Run the steps; the tensor is freed when that fails. */
static tsr_status run(tsr_coo **coo, tsr_transform_job *job, const tsr_transforms *transforms,
                      tsr_duplicates rule, tsr_error *err)
{
    static const tsr_read_options read = {.nthreads = 1, .has_type = true, .type = TSR_I32};
    const tsr_pack_options pack = {.nthreads = 1, .duplicates = rule};
    *job = (tsr_transform_job){.transforms = transforms, .read = &read, .pack = &pack, .in = "in"};
    tsr_status status = tsr_transforms_check(job, err);
    if (status == TSR_OK)
        status = tsr_transforms_run(job, coo, err);
    if (status == TSR_OK)
        return TSR_OK;
    tsr_coo_free(*coo);
    *coo = NULL;
    return status;
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        tsr_transforms transforms;
        tsr_transform_job job;
        tsr_coo *coo = sample();
        fill(&transforms, rows[k].steps);
        assert_ok(run(&coo, &job, &transforms, TSR_DUP_SUM, err));
        assert_int_equal(coo->order, rows[k].order);
        for (int m = 0; m < coo->order; m++)
            assert_int_equal(coo->dims[m], rows[k].dims[m]);
        assert_int_equal(coo->nnz, rows[k].nnz);
        assert_int_equal(job.ndropped, rows[k].ndropped);
        assert_int_equal(job.nactions, 1);
        assert_int_equal(job.may_meet, rows[k].may_meet);
        tsr_coo_free(coo);
    }
}

static void test_too_many(void **state)
{
    (void)state;
    tsr_transforms transforms = {0};
    for (int i = 0; i < TSR_MAX_TRANSFORMS; i++)
        assert_ok(tsr_transforms_add(&transforms, TSR_TRANSFORM_REVERSE, "0", err));
    assert_int_equal(tsr_transforms_add(&transforms, TSR_TRANSFORM_REVERSE, "0", NULL), TSR_LIMIT);
    tsr_coo *coo = sample();
    tsr_transform_job job;
    assert_ok(run(&coo, &job, &transforms, TSR_DUP_SUM, err));
    assert_int_equal(job.nactions, 1);
    tsr_coo *const same = sample();
    bool equal = false;
    assert_ok(tsr_coo_same(&equal, coo, same, err));
    assert_true(equal);
    tsr_coo_free(coo);
    tsr_coo_free(same);
}

/* Absent entries that are not 0 survive only where every cell of the result is one of the operand's. */
static void test_fill(void **state)
{
    (void)state;
    static const tsr_transform_step steps[] = {
        {TSR_TRANSFORM_TRANSPOSE, "1,0"}, {TSR_TRANSFORM_SLICE, "1:,::-1"},
        {TSR_TRANSFORM_PAD, "1"},         {TSR_TRANSFORM_REDUCE, "sum:0"},
        {TSR_TRANSFORM_RESHAPE, "8,3"},   {TSR_TRANSFORM_MAP, "(i, j) -> (j, i)"}};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        tsr_transforms transforms = {.n = 1, .steps = {steps[k]}};
        tsr_transform_job job;
        tsr_coo *coo = sample();
        tsr_error fault = {0};
        coo->has_fill = true;
        coo->fill[0] = 1;
        const tsr_status status = run(&coo, &job, &transforms, TSR_DUP_SUM, &fault);
        assert_int_equal(status, transform_types[steps[k].kind].keeps_fill ? TSR_OK : TSR_UNSUPPORTED);
        assert_true(status == TSR_OK ? coo->has_fill : strstr(fault.message, "not 0") != NULL);
        tsr_coo_free(coo);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    char permute[600], concat[600];
    const char *const table = tsr_test_path(tsr_test_tmp(), "table");
    tsr_test_spit(table, "3\n0\n1\n2\n", 8);
    snprintf(permute, sizeof permute, "%s:0", table);
    const char *const other = tsr_test_path(tsr_test_tmp(), "other.tns");
    tsr_test_spit(other, "4 2 5\n", 6);
    snprintf(concat, sizeof concat, "%s,-1", other);
    const tsr_transform_step steps[] = {{TSR_TRANSFORM_SLICE, "::-1,1:"},
                                        {TSR_TRANSFORM_PAD, "0,1:0"},
                                        {TSR_TRANSFORM_PERMUTE, permute},
                                        {TSR_TRANSFORM_CONCAT, concat},
                                        {TSR_TRANSFORM_UNFOLD, "1"},
                                        {TSR_TRANSFORM_REDUCE, "sum:1"},
                                        {TSR_TRANSFORM_MAP, "(i) -> (i, 0)"},
                                        {TSR_TRANSFORM_REDUCE, "max:1"},
                                        {0, NULL}};
    tsr_transforms transforms;
    tsr_transform_job job;
    fill(&transforms, steps);
    int nfailed = 0;
    tsr_faults faults = {0};
    while (tsr_faults_next(&faults)) {
        tsr_coo *coo = sample();
        tsr_error fault = {0};
        tsr_faults_arm(&faults);
        const tsr_status status = run(&coo, &job, &transforms, TSR_DUP_ERROR, &fault);
        tsr_faults_disarm(&faults);
        if (status == TSR_OK)
            assert_int_equal(coo->nnz, 6); /* columns 1 to 5, and 7 */
        else if (status != TSR_NOMEM)
            fail_msg("allocation %d: %s", (int)faults.n, fault.message);
        tsr_coo_free(coo);
        nfailed += status != TSR_OK;
    }
    assert_true(nfailed > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
