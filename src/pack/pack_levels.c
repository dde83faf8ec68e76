/* Packing level by level. A level type that assembles looks at all entries before its arrays are allocated
 * (tsr_level_type.assemble), so each level is made from the coordinates and the parents' positions of all
 * entries. Other levels of such a format are filled block by block, as in pack_fill.c.
 *
 * Memory beside the tensor: per entry 16 bytes; one more where a level of the format is a list or a tuple; and a value
 * where duplicates are combined or the values of the source are not in one array. */
#include <inttypes.h>

#include "pack_internal.h"

typedef struct level_job {
    pack_job *job;
    uint64_t n;         /* entries without duplicates */
    uint64_t *coord;    /* n: at the level that is being made */
    uint64_t *position; /* n: of the parents; then of the level */
    uint8_t *lead;      /* n; NULL: no level of the format needs it */
    int l;              /* the level that is loaded */
    tsr_array
        values; /* n, or 1 where iso; borrowed from the source or the records where they are in this sequence */
    pack_room room; /* the bytes of the arrays so far */
    unsigned char fill[TSR_MAX_VALUE_NBYTES];
} level_job;

/* ---- the entries ---- */

/* Add the value of entry e to the value before it, as the policy for duplicates asks. */
static tsr_status merge_value(level_job *j, uint64_t at, uint64_t e, const unsigned char *value,
                              tsr_error *err)
{
    const pack_job *job = j->job;
    unsigned char *before = (unsigned char *)j->values.data + at * j->values.width;
    if (job->options.duplicates == TSR_DUP_LAST)
        memcpy(before, value, j->values.width);
    if (job->options.duplicates != TSR_DUP_SUM || pack_add(job, before, value))
        return TSR_OK;
    char entry[PACK_ENTRY_NBYTES];
    return tsr_fail(err, TSR_RANGE, "the sum of the duplicates of entry %s does not fit %s",
                    pack_entry_text(entry, j->job, 0, e), tsr_type_name(job->source->value_type));
}

/* The entries [first, end), at most a block of them, in storage order, with the buffers of share t; 0: failed. */
static size_t load(level_job *j, int t, uint64_t **coord, uint64_t first, uint64_t end, bool with_values)
{
    pack_job *job = j->job;
    const size_t n = end - first < PACK_BLOCK ? (size_t)(end - first) : PACK_BLOCK;
    for (int l = 0; l < job->nlevels; l++)
        coord[l] = job->rows[t].level[l] + 1;
    return pack_load_block(job, t, coord, first, n, with_values) ? n : 0;
}

static bool is_duplicate(const level_job *j, uint64_t first, size_t i)
{
    return !j->job->keep && first + i > 0 && j->job->rows[0].lead[i] == j->job->duplicate_lead;
}

/* The error of share 0, which loaded a block. */
static tsr_status fail_load(const level_job *j, tsr_error *err)
{
    const tsr_error *found = &j->job->shares[0].err;
    if (err)
        *err = *found;
    return found->status;
}

/* lead and values of the entries where duplicates are added up or left out. */
static tsr_status collect_merged(level_job *j, tsr_error *err)
{
    const pack_job *job = j->job;
    const size_t width = j->values.width;
    uint64_t *coord[TSR_MAX_LEVELS], at = 0;
    for (uint64_t first = 0; first < job->n;) {
        const size_t n = load(j, 0, coord, first, job->n, !job->iso);
        if (n == 0)
            return fail_load(j, err);
        const unsigned char *values = job->rows[0].values;
        for (size_t i = 0; i < n; i++) {
            const unsigned char *value = values + (job->source->iso ? 0 : i * width);
            if (is_duplicate(j, first, i)) {
                if (!job->iso)
                    TSR_TRY(merge_value(j, at - 1, first + i, value, err));
                continue;
            }
            if (j->lead)
                j->lead[at] = job->rows[0].lead[i];
            if (!job->iso)
                memcpy((unsigned char *)j->values.data + at * width, value, width);
            at++;
        }
        first += n;
    }
    return TSR_OK;
}

/* Share t of lead and values, where each entry is one of the result. */
static void collect_share(void *arg, int t, int nthreads)
{
    level_job *j = arg;
    const pack_job *job = j->job;
    const size_t width = j->values.width;
    const bool has_values = !job->iso && !j->values.borrowed, one = job->source->iso;
    uint64_t *coord[TSR_MAX_LEVELS];
    const uint64_t end = tsr_cut(job->n, t + 1, nthreads);
    size_t n;
    for (uint64_t first = tsr_cut(job->n, t, nthreads); first < end; first += n) {
        n = load(j, t, coord, first, end, has_values);
        if (n == 0)
            return; /* the share holds the error */
        if (j->lead)
            memcpy(j->lead + first, job->rows[t].lead, n);
        if (has_values && !one)
            memcpy((unsigned char *)j->values.data + first * width, job->rows[t].values, n * width);
        for (size_t i = 0; has_values && one && i < n; i++)
            memcpy((unsigned char *)j->values.data + (first + i) * width, job->rows[t].values, width);
    }
}

static tsr_status collect(level_job *j, tsr_error *err)
{
    if (j->n < j->job->n)
        return collect_merged(j, err);
    if (!j->lead && (j->job->iso || j->values.borrowed))
        return TSR_OK;
    return pack_run_with(j->job, collect_share, j, err);
}

/* Share t of the coordinates of level j->l, where each entry is one of the result. */
static void load_level_share(void *arg, int t, int nthreads)
{
    level_job *j = arg;
    uint64_t *coord[TSR_MAX_LEVELS];
    const uint64_t end = tsr_cut(j->n, t + 1, nthreads);
    size_t n;
    for (uint64_t first = tsr_cut(j->n, t, nthreads); first < end; first += n) {
        n = load(j, t, coord, first, end, false);
        if (n == 0)
            return;
        memcpy(j->coord + first, coord[j->l], n * sizeof *j->coord);
    }
}

/* coord = the coordinates of level l. */
static tsr_status load_level(level_job *j, int l, tsr_error *err)
{
    uint64_t *coord[TSR_MAX_LEVELS], at = 0;
    j->l = l;
    if (j->n == j->job->n)
        return pack_run_with(j->job, load_level_share, j, err);
    for (uint64_t first = 0; first < j->job->n;) {
        const size_t n = load(j, 0, coord, first, j->job->n, false);
        if (n == 0)
            return fail_load(j, err);
        for (size_t i = 0; i < n; i++)
            if (!is_duplicate(j, first, i))
                j->coord[at++] = coord[l][i];
        first += n;
    }
    return TSR_OK;
}

/* ---- levels ---- */

/* The positions that a level which is filled in order has. */
static tsr_status count_level(level_job *j, int l, tsr_error *err)
{
    tsr_level *level = &j->job->tensor->levels[l];
    if (!level->type->npos(&level->npos, level->nparents, level->pitch) ||
        (level->npos != UINT64_MAX && level->npos > INT64_MAX))
        return tsr_fail(err, TSR_LIMIT, "level %d would have more than 2^63 - 1 positions", l);
    if (level->npos != UINT64_MAX)
        return TSR_OK;
    level->npos = 0;
    for (uint64_t first = 0; first < j->n; first += TSR_LEVEL_BLOCK) {
        const tsr_level_block block = {.n = j->n - first < TSR_LEVEL_BLOCK ? (size_t)(j->n - first)
                                                                           : TSR_LEVEL_BLOCK,
                                       .lead = j->lead ? j->lead + first : NULL,
                                       .cut = j->job->cut[l]};
        level->npos += level->type->count(&block);
    }
    return TSR_OK;
}

static tsr_status fail_second_child(const level_job *j, int l, uint64_t e, tsr_error *err)
{
    return tsr_fail(err, TSR_ARGUMENT,
                    "level %d is a singleton, which stores one coordinate per parent, but the entry with "
                    "coordinate %" PRIu64 " there needs a second one: use another format",
                    l, j->coord[e]);
}

/* Fill a level that does not assemble. */
static tsr_status fill_level(level_job *j, int l, const tsr_level_room *room, tsr_error *err)
{
    tsr_level *level = &j->job->tensor->levels[l];
    tsr_level_cursor cursor = {0};
    TSR_TRY(count_level(j, l, err));
    for (int k = 0; k < TSR_LEVEL_NROLES && level->type->arrays[k].name; k++) {
        const tsr_level_array *row = &level->type->arrays[k];
        uint64_t n;
        if (!tsr_level_array_length(&n, row, level->nparents, level->npos))
            return tsr_fail(err, TSR_LIMIT, "level %d: %s is too long", l, row->name);
        TSR_TRY(tsr_level_array_make(level, row, n, room, l, err));
    }
    if (level->pos.data)
        tsr_array_set(&level->pos, 0, 0);
    for (uint64_t first = 0; first < j->n; first += TSR_LEVEL_BLOCK) {
        tsr_level_block block = {.n = j->n - first < TSR_LEVEL_BLOCK ? (size_t)(j->n - first)
                                                                     : TSR_LEVEL_BLOCK,
                                 .coord = j->coord + first,
                                 .lead = j->lead ? j->lead + first : NULL,
                                 .cut = j->job->cut[l],
                                 .position = j->position + first};
        const size_t done = level->type->fill(level, &cursor, &block);
        if (done < block.n)
            return fail_second_child(j, l, first + done, err);
    }
    if (level->type->finish)
        level->type->finish(level, &cursor);
    return TSR_OK;
}

static tsr_status make_level(level_job *j, int l, tsr_error *err)
{
    pack_job *job = j->job;
    tsr_level *level = &job->tensor->levels[l];
    level->nparents = l > 0 ? level[-1].npos : 1;
    TSR_TRY(load_level(j, l, err));
    const tsr_level_room room = pack_room_open(&j->room);
    if (!level->type->assemble)
        return fill_level(j, l, &room, err);
    tsr_level_entries entries = {.n = j->n,
                                 .coord = j->coord,
                                 .position = j->position,
                                 .values = &j->values,
                                 .fill = j->fill,
                                 .above = l > 0 ? level - 1 : NULL,
                                 .room = room};
    return level->type->assemble(level, &entries, l, err);
}

/* ---- values ---- */

/* Share t of the values at their positions, which differ. */
static void scatter_share(void *arg, int t, int nthreads)
{
    const level_job *j = arg;
    unsigned char *to = j->job->tensor->values.data;
    const size_t width = j->values.width;
    const uint64_t end = tsr_cut(j->n, t + 1, nthreads);
    size_t n;
    for (uint64_t first = tsr_cut(j->n, t, nthreads); first < end; first += n) {
        n = end - first < TSR_LEVEL_BLOCK ? (size_t)(end - first) : TSR_LEVEL_BLOCK;
        tsr_array_scatter(to, (unsigned char *)j->values.data + first * width, width, j->position + first, n);
    }
}

static tsr_status store_values(level_job *j, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    pack_job *job = j->job;
    tsr_tensor *tensor = job->tensor;
    const size_t width = tsr_type_nbytes(tensor->type);
    tensor->npos = tensor->levels[tensor->nlevels - 1].npos;
    tensor->iso = job->iso;
    TSR_TRY(pack_room_take(&j->room, (double)width * (job->iso ? 1 : (double)tensor->npos), err));
    const bool zero_fill = memcmp(j->fill, zero, width) == 0;
    TSR_TRY(
        tsr_array_init(&tensor->values, job->iso ? 1 : tensor->npos, width, zero_fill, "the values", err));
    unsigned char *to = tensor->values.data;
    if (job->iso) {
        memcpy(to, j->values.data, width);
        return TSR_OK;
    }
    for (uint64_t p = 0; !zero_fill && p < tensor->npos; p++)
        memcpy(to + p * width, j->fill, width);
    if (tensor->levels[tensor->nlevels - 1].type->repeats) /* entries of a run share a position */
        scatter_share(j, 0, 1);
    else
        tsr_parallel(job->nthreads, scatter_share, j);
    return TSR_OK;
}

/* ---- all of it ---- */

/* The values of the entries: those of the source or of the sorted records where each one is a value of the result. */
static tsr_status make_entry_values(level_job *j, tsr_error *err)
{
    const pack_job *job = j->job;
    const tsr_array *values = job->sorted ? job->source->values : &job->records.values;
    const size_t width = tsr_type_nbytes(job->source->value_type);
    if (!job->iso && !job->source->iso && values && values->n == j->n && j->n == job->n) {
        j->values = *values;
        j->values.borrowed = true;
        return TSR_OK;
    }
    TSR_TRY(pack_room_take(&j->room, job->iso ? 0 : (double)j->n * (double)width, err));
    TSR_TRY(tsr_array_init(&j->values, job->iso ? 1 : j->n, width, 0, "packing", err));
    if (job->iso)
        memcpy(j->values.data, job->source->value, width);
    return TSR_OK;
}

/* Whether a level of the format is filled in order, and its positions depend on the entries. */
static bool needs_lead(const pack_job *job)
{
    bool needs = false;
    for (int l = 0; l < job->nlevels; l++)
        needs = needs || (!job->format->levels[l].type->assemble && !job->format->levels[l].type->full);
    return needs;
}

static tsr_status allocate(level_job *j, tsr_error *err)
{
    void *out;
    const bool leads = needs_lead(j->job);
    TSR_TRY(pack_room_take(&j->room, (double)j->n * (leads ? 17 : 16), err));
    TSR_TRY(tsr_alloc_array(&out, j->n, sizeof *j->coord, 0, "packing", err));
    j->coord = out;
    TSR_TRY(tsr_alloc_array(&out, j->n, sizeof *j->position, 1, "packing", err));
    j->position = out;
    if (leads) {
        TSR_TRY(tsr_alloc_array(&out, j->n, 1, 0, "packing", err));
        j->lead = out;
    }
    return make_entry_values(j, err);
}

static tsr_status make_all(level_job *j, tsr_error *err)
{
    pack_job *job = j->job;
    job->tensor->structure = job->source->structure;
    job->tensor->has_fill = job->source->has_fill;
    memcpy(job->tensor->fill, job->source->fill, sizeof job->source->fill);
    if (job->source->has_fill)
        memcpy(j->fill, job->source->fill, sizeof j->fill);
    TSR_TRY(allocate(j, err));
    TSR_TRY(collect(j, err));
    for (int l = 0; l < job->nlevels; l++) {
        TSR_TRY(make_level(j, l, err));
        if (!pack_step(job, 0, PACK_FILL, (uint64_t)l + 1, (uint64_t)job->nlevels))
            return TSR_OK; /* pack_end_pass reports it */
    }
    return store_values(j, err);
}

tsr_status pack_levels(pack_job *job, tsr_error *err)
{
    if (!job->sorted)
        pack_free_arrays(job->source); /* the records have all of it */
    level_job j = {.job = job, .room = {.job = job}, .n = job->keep ? job->n : job->n - job->nduplicates};
    const tsr_status status = make_all(&j, err);
    tsr_free(j.coord);
    tsr_free(j.position);
    tsr_free(j.lead);
    tsr_array_clear(&j.values);
    return status;
}
