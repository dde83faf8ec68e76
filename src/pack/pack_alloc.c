/* Allocating the arrays of the tensor. New memory is slow, since the system zeroes each page, so the arrays
 * of the source are used again where the entries were turned into records. */
#include "pack_internal.h"

enum { MAX_ARRAYS = 2 * TSR_MAX_LEVELS + 1, REUSE_MIN_NBYTES = 1 << 16 };

/* An array to allocate: n and width are set. */
typedef struct want {
    tsr_array *array;
    bool zero;
    const char *what;
} want;

typedef struct wants {
    int n;
    want want[MAX_ARRAYS];
} wants;

static void add_want(wants *w, tsr_array *array, uint64_t n, size_t width, bool zero, const char *what)
{
    array->n = n;
    array->width = width;
    w->want[w->n++] = (want){array, zero, what};
}

void pack_free_arrays(tsr_source *source)
{
    for (int i = 0; i < source->narrays; i++)
        tsr_array_clear(source->arrays[i]);
}

/* The smallest array that the source owns, is large enough, and is not twice too large; or NULL. */
static tsr_array *find_reusable(tsr_source *source, uint64_t nbytes)
{
    tsr_array *best = NULL;
    for (int i = 0; i < source->narrays; i++) {
        tsr_array *array = source->arrays[i];
        const uint64_t have = tsr_array_owned_nbytes(array);
        if (have >= nbytes && have / 2 <= nbytes && (!best || have < tsr_array_nbytes(best)))
            best = array;
    }
    return best;
}

static tsr_status reuse(tsr_source *source, want *w, tsr_error *err)
{
    const uint64_t nbytes = w->array->n * w->array->width;
    tsr_array *old = w->zero || nbytes < REUSE_MIN_NBYTES ? NULL : find_reusable(source, nbytes);
    if (!old)
        return TSR_OK;
    if (tsr_array_nbytes(old) > nbytes)
        TSR_TRY(tsr_array_resize(old, nbytes, 1, w->what, err));
    w->array->data = tsr_array_take(old).data;
    return TSR_OK;
}

static tsr_status allocate(pack_job *job, wants *w, tsr_error *err)
{
    if (!job->sorted && !job->copies_values) {
        for (int k = 0; k < w->n; k++)
            TSR_TRY(reuse(job->source, &w->want[k], err));
        pack_free_arrays(job->source);
    }
    for (int k = 0; k < w->n; k++) {
        tsr_array *array = w->want[k].array;
        if (!array->data)
            TSR_TRY(tsr_array_init(array, array->n, array->width, w->want[k].zero, w->want[k].what, err));
    }
    return TSR_OK;
}

/* Plan an array, or move one of the source that is the same. */
static void want_or_move(wants *w, tsr_array *array, tsr_array *moved, uint64_t n, size_t width,
                         const char *what)
{
    if (!moved || !moved->data || moved->n != n || moved->width != width) {
        add_want(w, array, n, width, false, what);
        return;
    }
    *array = tsr_array_take(moved);
}

static void want_levels(wants *w, pack_job *job, const pack_shape *shape)
{
    for (int l = 0; l < job->nlevels; l++) {
        tsr_level *level = &job->tensor->levels[l];
        level->nparents = shape->nparents[l];
        level->npos = shape->npos[l];
        if (tsr_level_array_row(level->type, TSR_LEVEL_CRD))
            want_or_move(w, &level->crd, job->moved_crd[l], level->npos, shape->crd_width[l],
                         "the coordinates of a level");
        if (tsr_level_array_row(level->type, TSR_LEVEL_POS))
            want_or_move(w, &level->pos, job->moved_pos[l], level->nparents + 1, shape->pos_width[l],
                         "the positions of a level");
    }
    job->tensor->npos = shape->nvalues;
}

bool pack_fill_is_zero(const tsr_tensor *tensor)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    return !tensor->has_fill || memcmp(tensor->fill, zero, tsr_type_nbytes(tensor->type)) == 0;
}

bool pack_takes_values(const pack_job *job)
{
    return !job->copies_values && !job->iso && !job->source->iso && !job->dense_leaf &&
           (!job->sorted || job->source->values) && (job->nduplicates == 0 || job->keep);
}

/* Plan the array of values: the source's own array where it can be moved as it is. */
static void want_values(wants *w, pack_job *job)
{
    tsr_tensor *tensor = job->tensor;
    tensor->iso = job->iso;
    if (pack_takes_values(job)) {
        tsr_array *source = job->sorted ? job->source->values : &job->records.values;
        tensor->values = tsr_array_take(source);
        job->values_taken = true;
        return;
    }
    add_want(w, &tensor->values, job->iso ? 1 : tensor->npos, tsr_type_nbytes(tensor->type),
             job->dense_leaf && !job->writes_zeros && pack_fill_is_zero(tensor), "the values");
}

static void fill_values_share(void *arg, int t, int nthreads)
{
    const pack_job *job = arg;
    const tsr_array *values = &job->tensor->values;
    const uint64_t end = tsr_cut(values->n, t + 1, nthreads);
    for (uint64_t i = tsr_cut(values->n, t, nthreads); i < end; i++)
        memcpy((unsigned char *)values->data + i * values->width, job->tensor->fill, values->width);
}

/* Positions that were moved from a source begin with 0 already, and may be the caller's: they are
 * not written to. */
static void init_arrays(pack_job *job)
{
    tsr_tensor *tensor = job->tensor;
    for (int l = 0; l < job->nlevels; l++)
        if (tsr_level_array_row(tensor->levels[l].type, TSR_LEVEL_POS) && !tensor->levels[l].pos.borrowed)
            tsr_array_set(&tensor->levels[l].pos, 0, 0);
    if (job->iso) {
        const bool absent = job->nlevels == 0 && job->n == 0;
        memcpy(tensor->values.data, absent ? tensor->fill : job->source->value, tensor->values.width);
    } else if (job->dense_leaf && !pack_fill_is_zero(tensor)) {
        tsr_parallel(job->nthreads, fill_values_share, job);
    }
}

tsr_status pack_alloc(pack_job *job, tsr_error *err)
{
    const tsr_source *source = job->source;
    uint64_t opened[TSR_MAX_LEVELS] = {0};
    for (int t = 0; t < job->nthreads; t++)
        for (int l = 0; l < job->nlevels; l++)
            opened[l] += job->shares[t].opened[l];
    pack_shape shape;
    TSR_TRY(pack_shape_init(&shape, job, opened, err));
    job->tensor->structure = source->structure;
    job->tensor->has_fill = source->has_fill;
    memcpy(job->tensor->fill, source->fill, sizeof source->fill);
    wants w = {0};
    want_levels(&w, job, &shape);
    want_values(&w, job);
    TSR_TRY(allocate(job, &w, err));
    init_arrays(job);
    return TSR_OK;
}
