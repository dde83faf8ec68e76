/* Rows of a matrix into levels that are made from counts instead of from all entries: ELLPACK, SELL, diagonals, bands.
 * Entries are read where the source has them, and memory is taken per row or diagonal, not per entry.
 *
 * Two families of formats:
 *   - slots: the upper level holds the rows, in any order; each entry of a row gets the next slot of the row.
 *   - cells: both levels place a coordinate +-i +-j + constant without a look at other entries: the position is
 *     place of the upper one * pitch of the lower one + place of the lower one.
 * The first pass counts, then the levels make their arrays, and the last pass stores coordinates and values. */
#include "direct_internal.h"

/* The coordinate of a level: i * times[0] + j * times[1] + shift, i being the major coordinate of the source. */
typedef struct affine {
    int64_t times[2];
    int64_t shift;
} affine;

typedef struct rows_job {
    pack_job *job;
    direct_matrix from;
    affine at[2]; /* per level */
    uint32_t *
        count[2]; /* per level: entries of each coordinate, NULL where they are not needed; slots: [1] has the
                            entries of each parent */
    uint32_t *place[2]; /* per level: the position of each coordinate; NULL: the coordinate itself */
    uint64_t *cut;      /* nthreads + 1: rows with about equally many entries and rows in each share */
    pack_room room;
    const unsigned char *values; /* of the source */
    size_t width;                /* of a value; 0 where iso */
} rows_job;

/* ---- recognition ---- */

/* The coordinate of level l. False: it has another form. */
static bool find_affine(affine *at, const pack_job *job, const direct_matrix *from, int l)
{
    tsr_digit digit[2];
    int64_t constant;
    const int n = tsr_map_result_digits(digit, 2, &constant, job->format->map, l);
    if (n < 1 || job->binding->size[l] == 0)
        return false;
    *at = (affine){.shift = constant - job->binding->base[l]};
    for (int k = 0; k < n; k++) {
        if (digit[k].div != 1 || digit[k].mod != 0 || (digit[k].k != 1 && digit[k].k != -1))
            return false;
        at->times[digit[k].dim == from->major ? 0 : 1] += digit[k].k;
    }
    return true;
}

static bool is_row(const affine *at)
{
    return at->times[0] == 1 && at->times[1] == 0 && at->shift == 0;
}

static bool is_column(const affine *at)
{
    return at->times[0] == 0 && at->times[1] == 1 && at->shift == 0;
}

/* Whether tables with an element per coordinate are small beside the entries. */
static bool has_small_tables(const pack_job *job)
{
    enum { ALWAYS = 4096 };
    for (int l = 0; l < 2; l++)
        if (job->binding->size[l] > UINT32_MAX || job->binding->size[l] > job->n + ALWAYS)
            return false;
    return job->n < UINT32_MAX;
}

/* Whether rows go to slots. */
static bool is_slots(const rows_job *r, const tsr_format *format)
{
    const tsr_level_spec *level = format->levels;
    return level[1].type->assemble_slots && (direct_is_full(&level[0]) || level[0].type->assemble_counts) &&
           is_row(&r->at[0]) && is_column(&r->at[1]);
}

/* Whether entries go to cells: levels that place coordinates, of which one at least makes arrays. */
static bool is_cells(const pack_job *job)
{
    const tsr_level_spec *level = job->format->levels;
    bool makes_arrays = false;
    for (int l = 0; l < 2; l++) {
        const tsr_level_type *type = level[l].type;
        const bool counts = type->assemble_counts && !type->sorted_by_count;
        if (!counts && !direct_is_full(&level[l]))
            return false;
        makes_arrays = makes_arrays || counts;
    }
    return makes_arrays && !job->source->iso;
}

static bool is_case(rows_job *r, const pack_job *job)
{
    const tsr_format *format = job->format;
    if (format->order != 2 || format->nlevels != 2 || !tsr_format_assembles(format) || job->keep ||
        !direct_source(&r->from, job->source) || r->from.top != DIRECT_FULL || r->from.n == 0 ||
        r->from.crd->width != sizeof(uint32_t) || !has_small_tables(job) ||
        (!job->source->iso && !job->source->values))
        return false;
    for (int l = 0; l < 2; l++)
        if (format->levels[l].nonunique || !find_affine(&r->at[l], job, &r->from, l))
            return false;
    return is_slots(r, format) || is_cells(job);
}

/* ---- counting ---- */

/* count[c] = entries of row c. */
static void count_rows(void *arg, int t, int nthreads)
{
    const rows_job *r = arg;
    uint64_t pos[TSR_LEVEL_BLOCK + 1], n;
    const uint64_t end = tsr_cut(r->from.nmajor, t + 1, nthreads);
    for (uint64_t first = tsr_cut(r->from.nmajor, t, nthreads); first < end; first += n) {
        n = end - first < TSR_LEVEL_BLOCK ? end - first : TSR_LEVEL_BLOCK;
        tsr_array_load(pos, r->from.pos, first, n + 1);
        for (uint64_t i = 0; i < n; i++)
            r->count[0][first + i] = (uint32_t)(pos[i + 1] - pos[i]);
    }
}

/* A block of rows: entries [pos[k], pos[k + 1]) are those of row first + k. */
typedef struct row_block {
    uint64_t first, n;
    uint64_t pos[TSR_LEVEL_BLOCK + 1];
} row_block;

/* Load the rows from `first` on, before `end`. False: there are none, or the run is cancelled. */
static bool next_rows(row_block *rows, const rows_job *r, int t, pack_pass pass, uint64_t end)
{
    const uint64_t begin = r->cut[t];
    if (rows->first >= end || !pack_step(r->job, t, pass, rows->first - begin, end - begin))
        return false;
    rows->n = end - rows->first < TSR_LEVEL_BLOCK ? end - rows->first : TSR_LEVEL_BLOCK;
    tsr_array_load(rows->pos, r->from.pos, rows->first, rows->n + 1);
    return true;
}

/* Mark the coordinates of level l that occur. Threads may mark one coordinate at the same time. */
static void mark_level(const rows_job *r, int t, int l)
{
    _Atomic uint32_t *const mark = (_Atomic uint32_t *)(void *)r->count[l];
    const uint32_t *restrict crd = r->from.crd->data;
    const affine at = r->at[l];
    row_block rows = {.first = r->cut[t]};
    for (; next_rows(&rows, r, t, PACK_COUNT, r->cut[t + 1]); rows.first += rows.n)
        for (uint64_t k = 0; k < rows.n; k++) {
            const int64_t shift = (int64_t)(rows.first + k) * at.times[0] + at.shift;
            for (uint64_t e = rows.pos[k]; e < rows.pos[k + 1]; e++) {
                _Atomic uint32_t *m = &mark[shift + (int64_t)crd[e] * at.times[1]];
                if (!atomic_load_explicit(m, memory_order_relaxed))
                    atomic_store_explicit(m, 1, memory_order_relaxed);
            }
        }
}

static void mark_levels(void *arg, int t, int nthreads)
{
    const rows_job *r = arg;
    (void)nthreads;
    for (int l = 0; l < 2; l++)
        if (r->count[l])
            mark_level(r, t, l);
}

/* Cut the rows into shares with about equally many entries and rows. */
static void cut_rows(rows_job *r)
{
    const int nthreads = r->job->nthreads;
    const uint64_t nrows = r->from.nmajor, total = nrows + r->from.n;
    for (int t = 0; t <= nthreads; t++) {
        const uint64_t wanted = tsr_cut(total, t, nthreads);
        uint64_t lo = 0, hi = nrows; /* the first row with pos[row] + row >= wanted */
        while (lo < hi) {
            const uint64_t mid = lo + (hi - lo) / 2;
            if (tsr_array_get(r->from.pos, mid) + mid < wanted)
                lo = mid + 1;
            else
                hi = mid;
        }
        r->cut[t] = lo;
    }
    r->cut[nthreads] = nrows;
}

/* ---- storing ---- */

#define STORE(ctype)                                    \
    do {                                                \
        const ctype *restrict v = (const void *)values; \
        ctype *restrict w = (ctype *)to->values.data;   \
        for (uint64_t k = 0; k < n; k++, at += step) {  \
            to_crd[at] = crd[k];                        \
            w[at] = v[k];                               \
        }                                               \
    } while (0)

/* Store the n entries of a row from `at` on, `step` apart. */
static void store_row(const rows_job *r, uint64_t first, uint64_t n, uint64_t at, uint64_t step)
{
    tsr_tensor *to = r->job->tensor;
    tsr_array *array = &to->levels[1].crd;
    const uint32_t *restrict crd = (const uint32_t *)r->from.crd->data + first;
    const unsigned char *values = r->values + first * r->width;
    uint32_t *restrict to_crd = array->data;
    if (array->width == sizeof *to_crd && r->width == 8) {
        STORE(uint64_t);
    } else if (array->width == sizeof *to_crd && r->width == 4) {
        STORE(uint32_t);
    } else {
        for (uint64_t k = 0; k < n; k++, at += step) {
            tsr_array_set(array, at, crd[k]);
            memcpy((unsigned char *)to->values.data + at * r->width, values + k * r->width, r->width);
        }
    }
}

static void pad_share(void *arg, int t, int nthreads)
{
    const rows_job *r = arg;
    const tsr_array *crd = &r->job->tensor->levels[1].crd;
    const uint64_t begin = tsr_cut(crd->n, t, nthreads), end = tsr_cut(crd->n, t + 1, nthreads);
    memset((unsigned char *)crd->data + begin * crd->width, 0xff, (size_t)((end - begin) * crd->width));
}

static void store_slots(void *arg, int t, int nthreads)
{
    const rows_job *r = arg;
    const tsr_level *level = &r->job->tensor->levels[1];
    uint64_t at[TSR_LEVEL_BLOCK];
    row_block rows = {.first = r->cut[t]};
    (void)nthreads;
    for (; next_rows(&rows, r, t, PACK_FILL, r->cut[t + 1]); rows.first += rows.n) {
        for (uint64_t k = 0; k < rows.n; k++)
            at[k] = r->place[0] ? r->place[0][rows.first + k] : rows.first + k;
        const uint64_t step = level->type->slots(level, at, (size_t)rows.n);
        for (uint64_t k = 0; k < rows.n; k++)
            store_row(r, rows.pos[k], rows.pos[k + 1] - rows.pos[k], at[k], step);
    }
}

/* The positions of n entries of row i with these columns. */
static void find_cells(uint64_t *restrict position, const rows_job *r, uint64_t i,
                       const uint32_t *restrict crd, size_t n)
{
    const affine upper = r->at[0], lower = r->at[1];
    const int64_t up = (int64_t)i * upper.times[0] + upper.shift,
                  low = (int64_t)i * lower.times[0] + lower.shift;
    const uint64_t pitch = r->job->tensor->levels[1].pitch;
    const uint32_t *restrict up_place = r->place[0], *restrict low_place = r->place[1];
    for (size_t k = 0; k < n; k++) {
        const int64_t c = crd[k], a = up + c * upper.times[1], b = low + c * lower.times[1];
        position[k] =
            (up_place ? up_place[a] : (uint64_t)a) * pitch + (low_place ? low_place[b] : (uint64_t)b);
    }
}

static void store_cells(void *arg, int t, int nthreads)
{
    const rows_job *r = arg;
    unsigned char *to = r->job->tensor->values.data;
    const uint32_t *crd = r->from.crd->data;
    uint64_t position[TSR_LEVEL_BLOCK];
    size_t filled = 0;
    row_block rows = {.first = r->cut[t]};
    uint64_t from = tsr_array_get(r->from.pos, rows.first); /* the entry of position[0] */
    (void)nthreads;
    for (; next_rows(&rows, r, t, PACK_FILL, r->cut[t + 1]); rows.first += rows.n)
        for (uint64_t k = 0; k < rows.n; k++)
            for (uint64_t e = rows.pos[k], n; e < rows.pos[k + 1]; e += n) {
                const uint64_t left = rows.pos[k + 1] - e, room = TSR_LEVEL_BLOCK - filled;
                n = left < room ? left : room;
                find_cells(position + filled, r, rows.first + k, crd + e, (size_t)n);
                filled += (size_t)n;
                if (filled == TSR_LEVEL_BLOCK) {
                    tsr_array_scatter(to, r->values + from * r->width, r->width, position, filled);
                    from += filled;
                    filled = 0;
                }
            }
    tsr_array_scatter(to, r->values + from * r->width, r->width, position, filled);
}

/* ---- the tensor ---- */

static tsr_status make_table(uint32_t **out, uint64_t n, tsr_error *err)
{
    void *memory;
    TSR_TRY(tsr_alloc_array(&memory, n, sizeof **out, 1, "counting rows", err));
    *out = memory;
    return TSR_OK;
}

/* Make level l from count[l], where it needs that, and place[l]. */
static tsr_status make_level(rows_job *r, int l, tsr_error *err)
{
    const tsr_level_room room = pack_room_open(&r->room);
    tsr_level *level = &r->job->tensor->levels[l];
    level->nparents = l > 0 ? level[-1].npos : 1;
    if (level->type->assemble_counts) {
        TSR_TRY(make_table(&r->place[l], level->size, err));
        return level->type->assemble_counts(level, r->place[l], r->count[l], &room, l, err);
    }
    if (level->type->assemble_slots)
        return level->type->assemble_slots(level, r->count[1], &room, l, err);
    if (level->type->npos(&level->npos, level->nparents, level->pitch) && level->npos <= INT64_MAX)
        return TSR_OK;
    return tsr_fail(err, TSR_LIMIT, "level %d would have more than 2^63 - 1 positions", l);
}

/* The values: all of them the fill, or the one value where iso. */
static tsr_status make_values(rows_job *r, tsr_error *err)
{
    pack_job *job = r->job;
    tsr_tensor *tensor = job->tensor;
    const tsr_source *source = job->source;
    const size_t width = tsr_type_nbytes(tensor->type);
    tensor->structure = source->structure;
    tensor->has_fill = source->has_fill;
    memcpy(tensor->fill, source->fill, sizeof source->fill);
    tensor->iso = job->iso;
    tensor->npos = tensor->levels[1].npos;
    TSR_TRY(pack_room_take(&r->room, (double)width * (job->iso ? 1 : (double)tensor->npos), err));
    TSR_TRY(tsr_array_init(&tensor->values, job->iso ? 1 : tensor->npos, width, !source->has_fill,
                           "the values", err));
    if (job->iso)
        memcpy(tensor->values.data, source->value, width);
    for (uint64_t p = 0; !job->iso && source->has_fill && p < tensor->npos; p++)
        memcpy((unsigned char *)tensor->values.data + p * width, source->fill, width);
    r->width = job->iso ? 0 : width;
    r->values = job->iso ? (const unsigned char *)"" : source->values->data;
    return TSR_OK;
}

static tsr_status run_slots(rows_job *r, tsr_error *err)
{
    pack_job *job = r->job;
    const uint64_t nrows = r->from.nmajor;
    TSR_TRY(make_table(&r->count[0], nrows, err));
    tsr_parallel(job->nthreads, count_rows, r);
    TSR_TRY(make_level(r, 0, err));
    TSR_TRY(make_table(&r->count[1], job->tensor->levels[0].npos, err));
    for (uint64_t i = 0; i < nrows; i++)
        r->count[1][r->place[0] ? r->place[0][i] : i] = r->count[0][i];
    TSR_TRY(make_level(r, 1, err));
    TSR_TRY(make_values(r, err));
    tsr_parallel(job->nthreads, pad_share, r);
    tsr_parallel(job->nthreads, store_slots, r);
    return TSR_OK;
}

static tsr_status run_cells(rows_job *r, tsr_error *err)
{
    pack_job *job = r->job;
    for (int l = 0; l < 2; l++)
        if (job->tensor->levels[l].type->assemble_counts)
            TSR_TRY(make_table(&r->count[l], job->tensor->levels[l].size, err));
    tsr_parallel(job->nthreads, mark_levels, r);
    TSR_TRY(pack_end_pass(job, PACK_COUNT, err));
    for (int l = 0; l < 2; l++)
        TSR_TRY(make_level(r, l, err));
    TSR_TRY(make_values(r, err));
    tsr_parallel(job->nthreads, store_cells, r);
    return TSR_OK;
}

static tsr_status run(rows_job *r, tsr_error *err)
{
    void *out;
    TSR_TRY(tsr_alloc_array(&out, (uint64_t)r->job->nthreads + 1, sizeof *r->cut, 0, "threads", err));
    r->cut = out;
    cut_rows(r);
    return is_slots(r, r->job->format) ? run_slots(r, err) : run_cells(r, err);
}

/* ---- the way over rows ---- */

/* The mode that result r of the map is; -1: it is not a mode alone. */
static int lone_mode(const tsr_map *map, int r)
{
    tsr_digit digit;
    int64_t constant;
    const bool is_lone = tsr_map_result_digits(&digit, 1, &constant, map, r) == 1 && constant == 0 &&
                         digit.k == 1 && digit.div == 1 && digit.mod == 0;
    return is_lone ? digit.dim : -1;
}

/* Whether results 1, 2... of the map are the digits of a mode from the highest to the lowest, as in (i, j floordiv 4, j mod 4): then
 * entries that are in order by rows are in storage order. */
static bool is_row_order(const tsr_map *map, int nresults, int mode)
{
    tsr_digit digit = {0};
    for (int r = 1; r < nresults; r++) {
        const tsr_digit above = digit;
        int64_t constant;
        if (tsr_map_result_digits(&digit, 1, &constant, map, r) != 1 || constant != 0 || digit.k != 1 ||
            digit.dim != mode ||
            (r == 1 ? digit.mod != 0 : digit.mod == 0 || digit.mod * digit.div != above.div))
            return false;
    }
    return nresults > 1 && digit.div == 1;
}

/* The mode whose rows are the entries in storage order, where levels are made from all entries in order; -1: the format is
 * not of this kind. */
static int sorted_major(const tsr_format *format)
{
    if (format->order != 2 || format->nlevels < 2 || !tsr_format_assembles(format))
        return -1;
    const int upper = lone_mode(format->map, 0);
    return upper >= 0 && is_row_order(format->map, format->nlevels, 1 - upper) ? upper : -1;
}

/* The mode whose rows this file takes; -1: the format is not a case for it. */
static int wanted_major(const tsr_format *format, bool iso)
{
    const tsr_level_spec *level = format->levels;
    if (format->order != 2 || format->nlevels != 2)
        return -1;
    const int upper = lone_mode(format->map, 0), lower = lone_mode(format->map, 1);
    if (level[1].type->assemble_slots)
        return lower >= 0 && (direct_is_full(&level[0]) || level[0].type->assemble_counts) ? upper : -1;
    if (level[0].type->assemble_counts && direct_is_full(&level[1]) && !iso)
        return lower;
    return level[1].type->assemble_counts && direct_is_full(&level[0]) && !iso ? upper : -1;
}

/* Whether the entries of the source come by rows of this mode already. */
static bool has_rows(const tsr_source *source, int major, bool takes_rows)
{
    direct_matrix from;
    if (direct_source(&from, source))
        return from.major == major && (from.top == DIRECT_FULL || !takes_rows);
    return source->tensor && !takes_rows; /* it may have, and its rows would need memory */
}

bool direct_wants_rows(int mode[2], const tsr_source *source, const tsr_format *format,
                       tsr_duplicates duplicates)
{
    enum { MIN_ENTRIES = 1 << 15 };
    if (source->order != 2 || source->nnz < MIN_ENTRIES || duplicates == TSR_DUP_KEEP ||
        source->dims[0] > source->nnz || source->dims[1] > source->nnz)
        return false;
    const int wanted = wanted_major(format, source->iso), major = wanted >= 0 ? wanted : sorted_major(format);
    if (major < 0 || has_rows(source, major, wanted >= 0))
        return false;
    mode[0] = major;
    mode[1] = 1 - major;
    return true;
}

double direct_rows_nbytes(const pack_job *job)
{
    rows_job r = {0};
    return is_case(&r, job) ? direct_read_nbytes(job, r.from.n) : INFINITY;
}

tsr_status direct_rows(bool *done, pack_job *job, tsr_error *err)
{
    rows_job r = {.job = job, .room = {.job = job}};
    if (!is_case(&r, job))
        return TSR_OK;
    const tsr_status status = run(&r, err);
    for (int l = 0; l < 2; l++) {
        tsr_free(r.count[l]);
        tsr_free(r.place[l]);
    }
    tsr_free(r.cut);
    *done = status == TSR_OK;
    return status;
}
