/* Tessera itself with the operand in its file, which is read block by block below a limit of memory: tbench KERNEL --memory=SIZE. */
#include <stdio.h>
#include <string.h>

#include "bench_baseline.h"
#include "options.h"
#include "tsr_alloc.h"
#include "tsr_blocks.h"
#include "tsr_pack.h"

typedef struct in_file {
    const bench_case *c;
    const char *path;
    uint64_t nbytes; /* of a block */
    int nthreads;
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    tsr_text statement;
    tsr_kernel *kernel; /* owned: made for the blocks of the first run */
    tsr_tensor *result; /* owned, as all below */
    tsr_coo *entries;
} in_file;

static bool takes(const bench_case *c)
{
    return !c->joins && c->kernel->way == BENCH_WAY_RUN;
}

static void in_file_close(void *state)
{
    in_file *const f = state;
    tsr_text_clear(&f->statement);
    tsr_kernel_free(f->kernel);
    tsr_tensor_free(f->result);
    tsr_coo_free(f->entries);
    tsr_free(f);
}

/* Make the kernel for the blocks, of which operands[] has the first. */
static tsr_status make_kernel(in_file *f, tsr_error *err)
{
    const tsr_notation *const notation = f->c->notation;
    const tsr_kernel_options options = {.nthreads = f->nthreads};
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    for (int t = 0; t < notation->ntensors; t++)
        tensors[t] = (tsr_kernel_tensor){.name = notation->tensor[t].name,
                                         .tensor = t > 0 ? f->operands[t - 1] : NULL,
                                         .type = t > 0 ? 0 : f->c->type};
    return tsr_kernel_new(&f->kernel, tsr_text_cstr(&f->statement), tensors, notation->ntensors, &options,
                          err);
}

static tsr_status run_blocks(in_file *f, tsr_blocks *blocks, tsr_error *err)
{
    const int t = f->c->sparse;
    const tsr_type type = tsr_blocks_about(blocks)->type;
    if (type != f->c->type)
        return tsr_fail(err, TSR_UNSUPPORTED, "the file has values of %s, and the case of %s",
                        tsr_type_name(type), tsr_type_name(f->c->type));
    if (!f->kernel)
        TSR_TRY(tsr_blocks_statement(&f->statement, blocks, f->c->notation, t, err));
    TSR_TRY(tsr_blocks_first(&f->operands[t - 1], blocks, f->nbytes, err));
    if (!f->kernel)
        TSR_TRY(make_kernel(f, err));
    TSR_TRY(tsr_kernel_result(&f->result, f->kernel, f->operands, err));
    const tsr_blocks_run_options how = {.kernel = f->kernel,
                                        .result = f->result,
                                        .operands = f->operands,
                                        .in_file = t - 1,
                                        .nthreads = f->nthreads};
    return tsr_blocks_run(blocks, &how, err);
}

static tsr_status in_file_run(void *state, tsr_error *err)
{
    in_file *const f = state;
    const tsr_read_options how = {.nthreads = f->nthreads};
    tsr_blocks *blocks;
    tsr_tensor_free(f->result);
    f->result = NULL;
    TSR_TRY(tsr_blocks_open(&blocks, f->path, NULL, &how, err));
    const tsr_status status = run_blocks(f, blocks, err);
    tsr_blocks_free(blocks);
    return status;
}

static tsr_status in_file_open(void **state, bench_opened *opened, const bench_case *c,
                               const bench_asked *asked, tsr_error *err)
{
    uint64_t nbytes;
    *state = NULL;
    TSR_TRY(tsr_cli_parse_nbytes(&nbytes, asked->path, err));
    in_file *const f = tsr_calloc(1, sizeof *f);
    if (!f)
        return tsr_fail(err, TSR_NOMEM, "out of memory: an operand in a file");
    f->c = c;
    f->path = asked->data;
    f->nbytes = tsr_blocks_nbytes(nbytes);
    f->nthreads = asked->nthreads;
    for (int t = 1; t < c->notation->ntensors; t++)
        f->operands[t - 1] = c->operand[t];
    *state = f;
    snprintf(opened->note_text, sizeof opened->note_text, "reads the file in each run, below %s",
             asked->path);
    opened->note = opened->note_text;
    return TSR_OK;
}

static tsr_status in_file_entries(const tsr_coo **result, void *state, tsr_error *err)
{
    in_file *const f = state;
    tsr_coo_free(f->entries);
    f->entries = NULL;
    TSR_TRY(tsr_unpack(&f->entries, f->result, f->nthreads, err));
    *result = f->entries;
    return TSR_OK;
}

const bench_baseline bench_in_file = {
    .name = "file",
    .summary = "Tessera with the operand in its file, block by block",
    .format = "",
    .takes = takes,
    .open = in_file_open,
    .run = in_file_run,
    .entries = in_file_entries,
    .close = in_file_close,
};
