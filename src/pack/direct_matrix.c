/* Which formats and sources the direct conversions know, and the major coordinates of entries. */
#include "direct_internal.h"

bool direct_is_full(const tsr_level_spec *level)
{
    return level->type->full && level->pitch == 0;
}

static bool is_list(const tsr_level_spec *level)
{
    return tsr_level_is_list(level->type);
}

static bool is_single(const tsr_level_spec *level)
{
    return level->type->branchless && !level->nonunique;
}

bool direct_format(direct_top *top, int mode[2], const tsr_format *format)
{
    const tsr_level_spec *upper = &format->levels[0], *lower = &format->levels[1];
    if (format->order != 2 || format->nlevels != 2 || !tsr_format_is_permutation(format, mode))
        return false;
    if (is_list(lower) && !lower->nonunique && direct_is_full(upper))
        *top = DIRECT_FULL;
    else if (is_list(lower) && !lower->nonunique && is_list(upper) && !upper->nonunique)
        *top = DIRECT_NODES;
    else if (is_single(lower) && is_list(upper) && upper->nonunique)
        *top = DIRECT_ENTRIES;
    else
        return false;
    return true;
}

bool direct_source(direct_matrix *matrix, const tsr_source *source)
{
    tsr_tensor *tensor = source->tensor;
    int mode[TSR_MAX_LEVELS];
    *matrix = (direct_matrix){0};
    if (!tensor || !direct_format(&matrix->top, mode, tensor->format))
        return false;
    tsr_level *upper = &tensor->levels[0], *lower = &tensor->levels[1];
    matrix->major = mode[0];
    matrix->minor = mode[1];
    matrix->nmajor = tensor->dims[mode[0]];
    matrix->nminor = tensor->dims[mode[1]];
    matrix->n = tensor->npos;
    matrix->crd = &lower->crd;
    matrix->nnodes = matrix->top == DIRECT_NODES ? upper->npos : 0;
    matrix->pos = matrix->top == DIRECT_ENTRIES ? NULL : &lower->pos;
    matrix->rows = matrix->top == DIRECT_FULL ? NULL : &upper->crd;
    return true;
}

bool direct_columns(direct_matrix *matrix, const pack_job *job, const int mode[2])
{
    const tsr_source *source = job->source;
    if (!job->sorted || !source->columns[mode[0]] || !source->columns[mode[1]])
        return false;
    for (int t = 0; t < job->nthreads; t++)
        if (job->shares[t].nduplicates > 0)
            return false;
    *matrix = (direct_matrix){.top = DIRECT_ENTRIES,
                              .major = mode[0],
                              .minor = mode[1],
                              .nmajor = source->dims[mode[0]],
                              .nminor = source->dims[mode[1]],
                              .n = job->n,
                              .rows = source->columns[mode[0]],
                              .crd = source->columns[mode[1]]};
    return true;
}

/* The last node k with pos[k] <= e. */
static uint64_t find_node(const tsr_array *pos, uint64_t e)
{
    uint64_t lo = 0, hi = pos->n - 1; /* pos[lo] <= e < pos[hi] */
    while (hi - lo > 1) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (tsr_array_get(pos, mid) <= e)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* A processor does not guess the lengths of rows. So the number of a row is written to STEP places without a look at
 * the length, and the rows after it write over the places that are theirs. STEP rows of one entry each are written at once, and
 * rows without entries are passed in steps of EMPTY. */
enum { STEP = 16, EMPTY = 8 };

#define EXPAND(ctype)                                                  \
    do {                                                               \
        const ctype *restrict pos = (const ctype *)lists->data;        \
        uint64_t e = first, stop;                                      \
        while (pos[k + 1] <= e)                                        \
            k++;                                                       \
        for (; e + STEP <= end; e = stop, k++) {                       \
            if (k + STEP < lists->n && pos[k + STEP] == e + STEP) {    \
                ctype differ = (ctype)(pos[k] ^ e);                    \
                for (uint64_t i = 1; i < STEP; i++)                    \
                    differ = (ctype)(differ | (pos[k + i] ^ (e + i))); \
                for (uint64_t i = 0; !differ && i < STEP; i++)         \
                    out[e - first + i] = (uint32_t)(k + i);            \
                if (!differ) {                                         \
                    stop = e + STEP;                                   \
                    k += STEP - 1;                                     \
                    continue;                                          \
                }                                                      \
            }                                                          \
            if (k + EMPTY < lists->n && pos[k + EMPTY] <= e) {         \
                while (k + EMPTY < lists->n && pos[k + EMPTY] <= e)    \
                    k += EMPTY;                                        \
                while (pos[k + 1] <= e)                                \
                    k++;                                               \
            }                                                          \
            stop = pos[k + 1] < end ? pos[k + 1] : end;                \
            for (uint64_t i = 0; i < STEP; i++)                        \
                out[e - first + i] = (uint32_t)k;                      \
            for (e += STEP; e < stop; e++)                             \
                out[e - first] = (uint32_t)k;                          \
        }                                                              \
        k -= e > first && pos[k] > end;                                \
        for (; e < end; e = stop) {                                    \
            while (pos[k + 1] <= e)                                    \
                k++;                                                   \
            stop = pos[k + 1] < end ? pos[k + 1] : end;                \
            for (uint64_t i = e; i < stop; i++)                        \
                out[i - first] = (uint32_t)k;                          \
        }                                                              \
    } while (0)

/* out[i] = the node of entry first + i, for at least one entry. Returns the last node, or the one after it. */
static uint64_t expand(uint32_t *restrict out, uint64_t k, const tsr_array *lists, uint64_t first,
                       uint64_t end)
{
    switch (lists->width) {
    case 1:
        EXPAND(uint8_t);
        break;
    case 2:
        EXPAND(uint16_t);
        break;
    case 4:
        EXPAND(uint32_t);
        break;
    default:
        EXPAND(uint64_t);
    }
    return k;
}

static void load_majors(uint32_t *out, const tsr_array *rows, uint64_t first, uint64_t n)
{
    uint64_t block[TSR_LEVEL_BLOCK];
    if (rows->width == sizeof *out) {
        memcpy(out, (const uint32_t *)rows->data + first, n * sizeof *out);
        return;
    }
    for (uint64_t i = 0, m; i < n; i += m) {
        m = n - i < TSR_LEVEL_BLOCK ? n - i : TSR_LEVEL_BLOCK;
        tsr_array_load(block, rows, first + i, m);
        for (uint64_t k = 0; k < m; k++)
            out[i + k] = (uint32_t)block[k];
    }
}

void direct_majors(uint32_t *out, uint64_t *node, const direct_matrix *matrix, uint64_t first, uint64_t n)
{
    if (n == 0)
        return;
    if (matrix->top == DIRECT_ENTRIES) {
        load_majors(out, matrix->rows, first, n);
        return;
    }
    if (*node == 0)
        *node = find_node(matrix->pos, first);
    *node = expand(out, *node, matrix->pos, first, first + n);
    for (uint64_t i = 0; matrix->top == DIRECT_NODES && i < n; i++)
        out[i] = (uint32_t)tsr_array_get(matrix->rows, out[i]);
}
