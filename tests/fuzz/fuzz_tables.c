/* Tables that tbench reads: a bench record (JSON), or datasets.csv when the input begins with "name,". What
 * is read as a record is written, read again and written again: the same bytes; each row of a table can be
 * found by its name, and its shape generated from or refused. */
#include "tsr_fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "bench_record.h"
#include "tsr_dataset.h"

static void table(const char *text, size_t nbytes)
{
    tsr_datasets *datasets;
    tsr_error err = {0};
    const tsr_status status = tsr_datasets_parse(&datasets, text, nbytes, "datasets.csv", &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (datasets != NULL));
    TSR_FUZZ_MUST(status == TSR_OK || err.message[0] != '\0');
    for (int i = 0; datasets && i < datasets->n; i++) {
        const tsr_dataset *found;
        tsr_gen gen;
        tsr_text shape = {0};
        TSR_FUZZ_MUST(tsr_dataset_find(&found, datasets, datasets->rows[i].name, NULL) == TSR_OK);
        TSR_FUZZ_MUST(found == &datasets->rows[i]);
        tsr_dataset_print_shape(&shape, &found->shape);
        TSR_FUZZ_MUST(tsr_text_status(&shape, NULL) == TSR_OK);
        tsr_text_clear(&shape);
        if (i < 4)
            (void)!tsr_dataset_gen(&gen, found, TSR_GEN_UNIT_SCALE, NULL);
    }
    tsr_datasets_free(datasets);
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The same row; what is made from samples again may be rounded otherwise. */
static void must_be_same(const bench_row *a, const bench_row *b)
{
    TSR_FUZZ_MUST(same_text(a->kernel, b->kernel) && same_text(a->candidate, b->candidate));
    TSR_FUZZ_MUST(same_text(a->format, b->format) && same_text(a->note, b->note));
    TSR_FUZZ_MUST(same_text(a->dataset.name, b->dataset.name) && a->dataset.nnz == b->dataset.nnz);
    TSR_FUZZ_MUST(a->nsamples == b->nsamples && a->passes.n == b->passes.n && a->checked == b->checked);
}

static void record(const uint8_t *data, size_t nbytes)
{
    bench_record r, again;
    tsr_error err = {0};
    const char *const path = tsr_fuzz_file(data, nbytes);
    const tsr_status status = bench_record_read(&r, path, &err);
    TSR_FUZZ_MUST(status == TSR_OK || err.message[0] != '\0');
    if (status == TSR_OK) {
        r.path = path;
        TSR_FUZZ_MUST(bench_record_write(&r, NULL) == TSR_OK);
        TSR_FUZZ_MUST(bench_record_read(&again, path, &err) == TSR_OK);
        TSR_FUZZ_MUST(again.nrows == r.nrows && again.nroofs == r.nroofs);
        for (uint32_t i = 0; i < r.nrows; i++)
            must_be_same(&r.rows[i], &again.rows[i]);
        bench_record_clear(&again);
    }
    bench_record_clear(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    if (nbytes >= 5 && memcmp(data, "name,", 5) == 0)
        table((const char *)data, nbytes);
    else
        record(data, nbytes);
    return 0;
}
