/* --memory: the operand with the largest file is read block by block, and the others stay in memory. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tkern.h"
#include "tsr_blocks.h"
#include "tsr_cells.h"
#include "tsr_files.h"
#include "tsr_memory.h"

struct tsr_tkern_blocks {
    tsr_blocks *blocks; /* owned */
    int operand;        /* number of the tensor */
    tsr_text statement; /* adds a block to the result */
};

static tsr_status check_settings(const tsr_tkern *t, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    const struct {
        bool given;
        const char *option;
    } refused[] = {
        {s->has_emit, "emit"},      {t->c_path != NULL, "output=NAME.c"}, {s->check, "check"},
        {s->time, "time"},          {s->part != TSR_TKERN_BOTH, "part"},  {s->plan != NULL, "plan"},
        {t->ranks != NULL, "ranks"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].given)
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "--memory runs once over the blocks of a file, so --%s does not go with it",
                            refused[i].option);
    return TSR_OK;
}

/* The operand with the largest file; 0: no operand has a file. */
static int largest(const tsr_tkern *t)
{
    int best = 0;
    uint64_t most = 0;
    for (int i = 1; i < t->notation->ntensors; i++) {
        const char *const path = t->tensor[i].path;
        const uint64_t nbytes = path ? tsr_file_nbytes(path) : 0;
        if (path && (best == 0 || nbytes > most)) {
            best = i;
            most = nbytes;
        }
    }
    return best;
}

static tsr_status open_file(tsr_tkern *t, tsr_tkern_tensor *tensor, tsr_error *err)
{
    const tsr_read_options how = tsr_tkern_read_options(t, tensor);
    if (tensor->format_text)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "%s is read in blocks as its file stores it: leave out --format=%s:%s", tensor->name,
                        tensor->name, tensor->format_text);
    TSR_TRY(tsr_blocks_open(&t->blocks->blocks, tensor->path, NULL, &how, err));
    const tsr_facts *const facts = tsr_blocks_about(t->blocks->blocks);
    if (facts->order != tensor->order)
        return tsr_fail_at(err, TSR_UNSUPPORTED, tensor->path, 0, 0,
                           "holds a tensor of %d mode%s, but %s has %d in the expression", facts->order,
                           facts->order == 1 ? "" : "s", tensor->name, tensor->order);
    tensor->type = facts->type;
    memcpy(tensor->dims, facts->dims, (size_t)tensor->order * sizeof *tensor->dims);
    tensor->has_dims = true;
    return TSR_OK;
}

tsr_status tsr_tkern_blocks_open(tsr_tkern *t, tsr_error *err)
{
    if (t->s->common.memory_nbytes == 0)
        return TSR_OK;
    TSR_TRY(check_settings(t, err));
    const int i = largest(t);
    if (i == 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--memory reads an operand in blocks: give it a file with --input");
    t->blocks = tsr_calloc(1, sizeof *t->blocks);
    if (!t->blocks)
        return tsr_fail(err, TSR_NOMEM, "out of memory: blocks");
    t->blocks->operand = i;
    TSR_TRY(open_file(t, &t->tensor[i], err));
    t->wrong = (tsr_cli_place){NULL, t->s->expression};
    TSR_TRY(tsr_blocks_statement(&t->blocks->statement, t->blocks->blocks, t->notation, i, err));
    t->wrong = (tsr_cli_place){0};
    return TSR_OK;
}

int tsr_tkern_blocks_operand(const tsr_tkern *t)
{
    return t->blocks ? t->blocks->operand : 0;
}

uint64_t tsr_tkern_blocks_count(const tsr_tkern *t)
{
    return tsr_blocks_count(t->blocks->blocks);
}

uint64_t tsr_tkern_blocks_nnz(const tsr_tkern *t)
{
    return tsr_blocks_about(t->blocks->blocks)->nnz;
}

const char *tsr_tkern_statement(tsr_tkern *t)
{
    return t->blocks ? tsr_text_cstr(&t->blocks->statement) : t->s->expression;
}

tsr_status tsr_tkern_blocks_first(tsr_tkern *t, tsr_error *err)
{
    tsr_tkern_tensor *const tensor = &t->tensor[t->blocks->operand];
    const tsr_tensor *block;
    tsr_memory_room room;
    tsr_memory_find_room(&room);
    tsr_status status = tsr_blocks_first(&block, t->blocks->blocks, tsr_blocks_nbytes(room.nbytes), err);
    if (status == TSR_OK)
        status = tsr_tensor_view(&tensor->tensor, block, err);
    if (status == TSR_OK)
        return tsr_format_copy(&tensor->format, block->format, err);
    tsr_error_set_path(err, tensor->path);
    return status;
}

tsr_status tsr_tkern_blocks_run(tsr_tkern *t, tsr_error *err)
{
    const tsr_blocks_run_options run = {.kernel = t->kernel,
                                        .result = t->result,
                                        .operands = t->operands,
                                        .in_file = t->blocks->operand - 1,
                                        .nthreads = t->s->common.nthreads,
                                        .observer = &t->report->observer};
    const tsr_status status = tsr_blocks_run(t->blocks->blocks, &run, err);
    tsr_cli_report_wipe(t->report);
    return status;
}

void tsr_tkern_blocks_close(tsr_tkern *t)
{
    if (!t->blocks)
        return;
    tsr_blocks_free(t->blocks->blocks);
    tsr_text_clear(&t->blocks->statement);
    tsr_free(t->blocks);
    t->blocks = NULL;
}

/* ---- the number of entries ---- */

typedef struct counting {
    tsr_tkern *t;
    tsr_status (*make)(tsr_tkern *t, tsr_error *err);
} counting;

/* Make the kernel for these operands, unless the one before has their dims. */
static tsr_status make_for(counting *c, const tsr_tensor *const *operands, tsr_error *err)
{
    tsr_tkern *const t = c->t;
    const tsr_expr *const result = t->notation->result;
    bool same = t->kernel != NULL;
    for (int i = 1; i < t->notation->ntensors; i++) {
        const tsr_expr *const access = tsr_notation_access(t->notation, i);
        tsr_tkern_tensor *const own = &t->tensor[i];
        same = same && (own->order == 0 || own->dims[0] == operands[i - 1]->dims[0]);
        memcpy(own->dims, operands[i - 1]->dims, (size_t)own->order * sizeof *own->dims);
        own->tensor =
            (tsr_tensor *)(uintptr_t)operands[i - 1]; /* the kernel reads it; tsr_tkern_count gives it back */
        if (own->order > 0 && result->nindices > 0 && access->index[0] == result->index[0] &&
            !tsr_expr_window(access, 0) && !tsr_expr_window(result, 0))
            t->tensor[0].dims[0] = own->dims[0];
    }
    if (same)
        return TSR_OK;
    tsr_kernel_free(t->kernel);
    t->kernel = NULL;
    return c->make(t, err);
}

static tsr_status count_entries(uint64_t *nnz, void *arg, const tsr_tensor *const *operands, tsr_error *err)
{
    counting *const c = arg;
    tsr_tensor *result = NULL;
    TSR_TRY(make_for(c, operands, err));
    tsr_status status = tsr_kernel_result(&result, c->t->kernel, operands, err);
    if (status == TSR_OK && tsr_format_is_dense(result->format))
        status = tsr_fail(err, TSR_UNSUPPORTED,
                          "a dense %s has all cells, so its entries are not counted: give it a sparse format",
                          c->t->tensor[0].name);
    if (status == TSR_OK)
        status = tsr_kernel_run(c->t->kernel, result, operands, c->t->s->common.nthreads, err);
    if (status == TSR_OK)
        *nnz = tsr_cells_nstored(result, c->t->s->common.nthreads);
    tsr_tensor_free(result);
    return status;
}

/* A storage format whose bytes follow from the number of entries: the arrays that it has for each entry, and for rows or columns. */
static const struct sized {
    const char *name;
    int order;     /* of the tensors; 0: any */
    int crds;      /* coordinates of an entry; -1: one for each mode */
    int pos;       /* 1 + the mode whose coordinates have positions; 0: none */
    bool is_dense; /* each cell has a value */
} sized[] = {
    {"csr", 2, 1, 1, false}, {"csc", 2, 1, 2, false}, {"coo", 0, -1, 0, false}, {"dense", 0, 0, 0, true}};

static double nbytes_in(const struct sized *in, const tsr_tkern_tensor *result, uint64_t nnz, tsr_type type)
{
    double ncells = 1, index = nnz > UINT32_MAX ? 8 : 4;
    for (int m = 0; m < result->order; m++) {
        ncells *= (double)result->dims[m];
        index = result->dims[m] > UINT32_MAX ? 8 : index;
    }
    const double value = (double)tsr_type_nbytes(type), n = (double)nnz;
    const double pos = in->pos ? ((double)result->dims[in->pos - 1] + 1) * index : 0;
    return in->is_dense ? ncells * value
                        : pos + n * (index * (in->crds < 0 ? result->order : in->crds) + value);
}

/* Report the number of entries, and the bytes of the result in some formats. */
static void report_count(const tsr_tkern *t, uint64_t nnz)
{
    const tsr_tkern_tensor *const result = &t->tensor[0];
    const tsr_type type = t->tensor[0].type;
    char buf[32];
    if (t->json) {
        tsr_json_u64(t->json, "nnz", nnz);
        tsr_json_open(t->json, "nbytes", '{', true);
    } else {
        printf("%" PRIu64 "\n", nnz);
    }
    for (size_t k = 0; k < sizeof sized / sizeof *sized; k++) {
        const double nbytes = nbytes_in(&sized[k], result, nnz, type);
        if (sized[k].order && sized[k].order != result->order)
            continue;
        if (t->json)
            tsr_json_f64(t->json, sized[k].name, nbytes);
        else if (!t->s->common.quiet)
            printf("%-5s  %s\n", sized[k].name, tsr_bytes_text_f(buf, nbytes));
    }
    if (t->json)
        tsr_json_close(t->json, '}');
}

tsr_status tsr_tkern_count(tsr_tkern *t, tsr_status (*make)(tsr_tkern *t, tsr_error *err), tsr_error *err)
{
    counting c = {t, make};
    tsr_tensor *whole[TSR_NOTATION_MAX_TENSORS];
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    uint64_t nnz;
    for (int i = 1; i < t->notation->ntensors; i++)
        operands[i - 1] = whole[i] = t->tensor[i].tensor;
    const tsr_blocks_counter counter = {t->notation, operands, t->s->common.nthreads, count_entries, &c};
    const tsr_status status = tsr_blocks_count_entries(&nnz, &counter, err);
    for (int i = 1; i < t->notation->ntensors; i++)
        t->tensor[i].tensor = whole[i];
    TSR_TRY(status);
    report_count(t, nnz);
    return TSR_OK;
}
