/* Arguments of transformations: lists of numbers, and tables in files. */
#include "transform_plan.h"

#include <inttypes.h>
#include <stdio.h>

#include "tsr_input.h"
#include "tsr_num.h"

/* ---- lists ---- */

/* The text at p for a message: "'x'", or that the text ends. */
static const char *found(char buf[8], const char *p)
{
    if (!*p)
        return "the end";
    snprintf(buf, 8, "'%c'", *p);
    return buf;
}

static tsr_status unexpected(const char *start, const char *p, const char *expected, tsr_error *err)
{
    char buf[8];
    return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, (uint64_t)(p - start) + 1, "expected %s, not %s", expected,
                       found(buf, p));
}

/* Parse one item at *at, and move *at behind the item. */
static tsr_status parse_item(transform_item *item, const char **at, const char *start, int max_parts,
                             bool slices, tsr_error *err)
{
    const char *p = *at;
    const char *const stop = p + strlen(p);
    *item = (transform_item){.col = (uint64_t)(p - start) + 1};
    if (slices && strncmp(p, "...", 3) == 0) {
        *at = p + 3;
        return TSR_OK;
    }
    for (;; p++) {
        int64_t *const v = &item->part[item->nparts];
        const char *const behind = tsr_parse_i64(v, p, stop);
        if (!behind && *v != 0)
            return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, (uint64_t)(p - start) + 1,
                               "the number does not fit in 64 bits");
        item->has[item->nparts++] = behind != NULL;
        if (!behind && (!slices || (item->nparts == 1 && *p != ':')))
            return unexpected(start, p, slices ? "a number, a slice such as 0:10:2, or ..." : "a number",
                              err);
        p = behind ? behind : p;
        if (*p != ':')
            break;
        if (item->nparts == max_parts)
            return unexpected(start, p, max_parts == 1 ? "a comma or the end" : "at most two colons", err);
    }
    *at = p;
    return TSR_OK;
}

tsr_status transform_items_parse(transform_items *items, const char *start, const char *text, int max_parts,
                                 bool slices, tsr_error *err)
{
    items->n = 0;
    for (const char *p = text;; p++) {
        if (items->n == TSR_MAX_ORDER)
            return tsr_fail_at(err, TSR_SYNTAX, NULL, 0, (uint64_t)(p - start) + 1,
                               "more than %d items are given, but a tensor has at most that many modes",
                               (int)TSR_MAX_ORDER);
        TSR_TRY(parse_item(&items->item[items->n++], &p, start, max_parts, slices, err));
        if (!*p)
            return TSR_OK;
        if (*p != ',')
            return unexpected(start, p, max_parts == 1 ? "a comma or the end" : "a colon, a comma or the end",
                              err);
    }
}

tsr_status transform_item_mode(int *mode, const transform_item *item, int order, tsr_error *err)
{
    const int64_t m = item->part[0];
    *mode = 0;
    if (m < -order || m >= order)
        return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, item->col,
                           order > 0 ? "mode %" PRId64
                                       " does not exist: the tensor has %d modes, numbered from 0"
                                     : "mode %" PRId64 " does not exist: the tensor has %d modes",
                           m, order);
    *mode = (int)(m < 0 ? m + order : m);
    return TSR_OK;
}

tsr_status transform_items_modes(bool *flags, int *modes, const transform_items *items, int order,
                                 tsr_error *err)
{
    for (int m = 0; m < order; m++)
        flags[m] = false;
    for (int i = 0; i < items->n; i++) {
        int mode;
        TSR_TRY(transform_item_mode(&mode, &items->item[i], order, err));
        if (flags[mode])
            return tsr_fail_at(err, TSR_ARGUMENT, NULL, 0, items->item[i].col, "mode %d is named twice",
                               mode);
        flags[mode] = true;
        if (modes)
            modes[i] = mode;
    }
    return TSR_OK;
}

/* ---- tables ---- */

typedef struct table {
    const char *path;
    uint64_t *to;        /* to[x]: the place to which x moves; UINT64_MAX: not read yet */
    uint64_t n, line, i; /* numbers wanted, lines and numbers read */
} table;

/* Line i holds the index that moves to place i. */
static tsr_status take_line(table *t, const char *p, const char *end, tsr_error *err)
{
    uint64_t x = 0;
    t->line++;
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    if (p == end || *p == '#')
        return TSR_OK;
    const char *q = tsr_parse_u64(&x, p, end);
    while (q && q < end && (*q == ' ' || *q == '\t' || *q == '\r'))
        q++;
    if (q != end)
        return tsr_fail_at(err, TSR_SYNTAX, t->path, t->line, 0,
                           "expected one index per line, a whole number from 0 on");
    if (t->i == t->n)
        return tsr_fail_at(err, TSR_CORRUPT, t->path, t->line, 0,
                           "the file has more than the %" PRIu64 " indices of the mode", t->n);
    if (x >= t->n)
        return tsr_fail_at(err, TSR_RANGE, t->path, t->line, 0,
                           "index %" PRIu64 " is beyond the mode, whose indices are 0 to %" PRIu64, x,
                           t->n - 1);
    if (t->to[x] != UINT64_MAX)
        return tsr_fail_at(err, TSR_CORRUPT, t->path, t->line, 0,
                           "index %" PRIu64 " occurs twice: every index must occur once", x);
    t->to[x] = t->i++;
    return TSR_OK;
}

static tsr_status read_lines(table *t, tsr_input *input, tsr_block *block, tsr_error *err)
{
    for (;;) {
        TSR_TRY(tsr_input_next(block, input, err));
        if (block->nbytes == 0)
            break;
        const char *const stop = block->text + block->nbytes;
        for (const char *p = block->text, *end; p < stop; p = end + 1) {
            end = memchr(p, '\n', (size_t)(stop - p));
            TSR_TRY(take_line(t, p, end, err));
        }
    }
    if (t->i < t->n)
        return tsr_fail_at(err, TSR_CORRUPT, t->path, t->line, 0,
                           "the file ends after %" PRIu64 " indices, but the mode has %" PRIu64 "", t->i,
                           t->n);
    return TSR_OK;
}

tsr_status transform_read_table(uint64_t **out, const char *path, uint64_t n, tsr_error *err)
{
    *out = NULL;
    table t = {.path = path, .n = n};
    void *p = NULL;
    tsr_input *input = NULL;
    tsr_block block = {0};
    tsr_status status = tsr_input_open(&input, path, 0, NULL, err);
    if (status == TSR_OK && tsr_input_max_text_nbytes(input) / 2 + 1 < n)
        status = tsr_fail_at(err, TSR_CORRUPT, path, 0, 0,
                             "the file is too short for the mode's %" PRIu64 " indices", n);
    if (status == TSR_OK)
        status = tsr_alloc_array(&p, n, sizeof *t.to, 0, "a table of indices", err);
    if (status == TSR_OK) {
        t.to = p;
        memset(p, 0xff, (size_t)n * sizeof *t.to);
        status = read_lines(&t, input, &block, err);
    }
    tsr_block_clear(&block);
    tsr_input_free(input);
    if (status == TSR_OK)
        *out = t.to;
    else
        tsr_free(p);
    return status;
}
