/* Text codecs under any bytes: see fuzz_text.h. */
#include "fuzz_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tsr_codec.h"
#include "tsr_fuzz.h"

/* Through an input whose blocks aim at block_nbytes. */
static tsr_status read_in_blocks(tsr_data *out, const char *path, const tsr_codec *codec,
                                 tsr_read_options options, size_t block_nbytes, tsr_error *err)
{
    *out = (tsr_data){0};
    tsr_status status = tsr_input_open(&options.input, path, block_nbytes, NULL, err);
    if (status != TSR_OK)
        return status;
    status = tsr_read(out, path, codec, &options, err);
    tsr_input_free(options.input);
    return status;
}

static void must_equal(const tsr_array *a, const tsr_array *b)
{
    TSR_FUZZ_MUST(a->n == b->n && a->width == b->width);
    TSR_FUZZ_MUST(memcmp(a->data, b->data, (size_t)tsr_array_nbytes(a)) == 0);
}

static void must_be_same(const tsr_data *a, const tsr_data *b)
{
    TSR_FUZZ_MUST(!a->coo == !b->coo && !a->tensor == !b->tensor);
    if (a->tensor) {
        must_equal(&a->tensor->values, &b->tensor->values);
        return;
    }
    TSR_FUZZ_MUST(a->coo->order == b->coo->order && a->coo->type == b->coo->type &&
                  a->coo->nnz == b->coo->nnz);
    TSR_FUZZ_MUST(memcmp(a->coo->dims, b->coo->dims, sizeof a->coo->dims) == 0);
    for (int m = 0; m < a->coo->order; m++)
        must_equal(&a->coo->crd[m], &b->coo->crd[m]);
    must_equal(&a->coo->values, &b->coo->values);
}

/* The text of NaNs has no payload, so only equality as text is asked for: write, read, write again. */
static void must_come_back(const tsr_codec *codec, const tsr_coo *coo)
{
    char path[2][256];
    size_t nbytes[2];
    char *text[2];
    tsr_data back;
    const tsr_read_options options = {.has_type = true, .type = coo->type};
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "%s/fuzz_%s_%ld_%d.out", tsr_fuzz_folder(), codec->name,
                 (long)getpid(), i);
    if (!codec->write_coo || codec->write_coo(path[0], coo, NULL, NULL, NULL) != TSR_OK)
        return;
    TSR_FUZZ_MUST(tsr_read(&back, path[0], codec, &options, NULL) == TSR_OK);
    TSR_FUZZ_MUST(codec->write_coo(path[1], back.coo, NULL, NULL, NULL) == TSR_OK);
    for (int i = 0; i < 2; i++) {
        FILE *const f = fopen(path[i], "rb");
        TSR_FUZZ_MUST(f != NULL);
        fseek(f, 0, SEEK_END);
        nbytes[i] = (size_t)ftell(f);
        rewind(f);
        text[i] = malloc(nbytes[i] + 1);
        TSR_FUZZ_MUST(text[i] != NULL && fread(text[i], 1, nbytes[i], f) == nbytes[i]);
        fclose(f);
        remove(path[i]);
    }
    TSR_FUZZ_MUST(nbytes[0] == nbytes[1] && memcmp(text[0], text[1], nbytes[0]) == 0);
    free(text[0]);
    free(text[1]);
    tsr_data_clear(&back);
}

int tsr_fuzz_text_codec(const char *codec_name, const uint8_t *data, size_t nbytes)
{
    const char *const path = tsr_fuzz_file(data, nbytes);
    tsr_read_options options = {
        .nthreads = 1, .index_base = nbytes % 7 == 6 ? -1 : 0, .no_values = nbytes % 5 == 4};
    options.choice = (tsr_choice)(nbytes % 3); /* texts that can be two things are refused by content */
    options.keep_triangle = nbytes % 11 == 10;
    const tsr_codec *codec;
    tsr_data whole, parts;
    tsr_error err = {0}, parts_err = {0};
    TSR_FUZZ_MUST(tsr_codec_by_name(&codec, codec_name, NULL) == TSR_OK);
    const tsr_status status = tsr_read(&whole, path, codec, &options, &err);
    options.nthreads = 1 + (int)(nbytes % 3);
    const tsr_status parts_status = read_in_blocks(&parts, path, codec, options, 1 + nbytes % 61, &parts_err);
    if (status == TSR_CORRUPT || parts_status == TSR_CORRUPT) {
        /* Damaged gzip: small blocks may show a wrong line that a large one never gets to. */
        TSR_FUZZ_MUST(status != TSR_OK && parts_status != TSR_OK);
        return 0;
    }
    TSR_FUZZ_MUST(parts_status == status);
    if (status == TSR_OK) {
        must_be_same(&whole, &parts);
        if (whole.coo) {
            TSR_FUZZ_MUST(tsr_coo_check(whole.coo, 1, NULL) == TSR_OK);
            must_come_back(codec, whole.coo);
        } else {
            TSR_FUZZ_MUST(tsr_tensor_check(whole.tensor, 1, NULL) == TSR_OK);
        }
    } else {
        TSR_FUZZ_MUST(err.status == status && err.message[0] != '\0');
        TSR_FUZZ_MUST(err.line == parts_err.line && err.col == parts_err.col);
        TSR_FUZZ_MUST(strcmp(err.message, parts_err.message) == 0);
        TSR_FUZZ_MUST(!whole.coo && !whole.tensor && !parts.coo && !parts.tensor);
    }
    tsr_data_clear(&whole);
    tsr_data_clear(&parts);
    return 0;
}
