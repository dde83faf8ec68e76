/* advise_visit_init: the storage coordinates of the entries of each sample are found by the map of the format and sorted. Then
 * the order of the entries is that of a loop over the format, and the numbers of different prefixes are the numbers of positions
 * of the levels. A sample counts a prefix rightly if the prefix determines the group of the entry: then the sample has all
 * entries with this prefix or none. Levels whose size follows from all entries at once (slices of rows that are sorted by length,
 * diagonals) are measured instead: the sample with whole bands of slices is packed. */
#include "advise_visit.h"

#include <math.h>
#include <string.h>

#include "advise_internal.h"
#include "advise_keys.h"
#include "tsr_alloc.h"
#include "tsr_pack.h"

enum { BLOCK = TSR_LEVEL_BLOCK, LINE_NBYTES = 64 };

/* What a scan of one sample shows. */
typedef struct scan {
    uint64_t ndistinct[TSR_MAX_LEVELS];
    int whole; /* prefixes of levels [0, whole] and longer determine the group of the entry */
    bool in_order;
} scan;

/* ---- keys ---- */

/* Write the keys of all entries: the storage coordinates, then the number of the entry. */
static tsr_status make_keys(uint64_t *key, const advise_keys *keys, const tsr_sample *s,
                            const tsr_binding *binding, tsr_error *err)
{
    tsr_map_plan *plan;
    void *scratch = NULL, *room = NULL;
    const int nlevels = binding->format->nlevels;
    TSR_TRY(tsr_map_plan_new(&plan, binding->forward, err));
    tsr_status status;
    TSR_TRY_OUT(tsr_alloc_array(&scratch, tsr_map_plan_scratch_nbytes(plan) + 1, 1, 0, "a survey", err));
    TSR_TRY_OUT(tsr_alloc_array(&room, (uint64_t)(nlevels + 1) * BLOCK, sizeof(int64_t), 0, "a survey", err));
    for (uint64_t first = 0; first < s->n; first += BLOCK) {
        const size_t n = s->n - first < BLOCK ? (size_t)(s->n - first) : BLOCK;
        const int64_t *in[TSR_MAX_ORDER];
        int64_t *out[TSR_MAX_LEVELS];
        for (int m = 0; m < s->order; m++)
            in[m] = (const int64_t *)s->crd[m] + first;
        for (int l = 0; l < nlevels; l++)
            out[l] = (int64_t *)room + (size_t)l * BLOCK;
        tsr_map_plan_apply(plan, out, in, n, scratch);
        for (size_t i = 0; i < n; i++) {
            uint64_t *const to = key + (first + i) * (uint64_t)keys->nwords;
            memset(to, 0, (size_t)keys->nwords * sizeof *to);
            for (int l = 0; l < nlevels; l++)
                advise_keys_put(to, keys, l, (uint64_t)(out[l][i] - binding->base[l]));
            advise_keys_put(to, keys, nlevels, first + i);
        }
    }
out:
    tsr_free(scratch);
    tsr_free(room);
    tsr_map_plan_free(plan);
    return status;
}

/* ---- scanning ---- */

/* The group of an entry with these coordinates. */
static uint64_t group_of(const tsr_sample *s, int64_t *const *crd)
{
    uint64_t group = 0;
    if (s->kind == TSR_SAMPLE_SLICES)
        return (uint64_t)*crd[s->mode] / TSR_SAMPLE_GROUP;
    if (s->kind == TSR_SAMPLE_BANDS)
        return (uint64_t)*crd[s->mode] / TSR_SAMPLE_BAND;
    for (int m = 0; m < s->order; m++)
        group = (group ^ group >> 31) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)*crd[m] / TSR_SAMPLE_TILE;
    return group;
}

/* What the storage coordinates of a level and of those above determine, tried on some entries: with the coordinates below at
 * their least and at their greatest, is a coordinate, or the group of the entry, the same? */
enum { NPROBES = 24 };

typedef struct probing {
    const tsr_binding *binding;
    tsr_map_plan *inverse, *forward;
    void *scratch;
    int64_t crd[2][TSR_MAX_ORDER], at[TSR_MAX_LEVELS];
} probing;

/* Set the coordinates of both ends of what lies below level l of the entry whose storage coordinates are `at`. */
static void find_ends(probing *p, int l)
{
    const int n = p->binding->format->nlevels;
    for (int end = 0; end < 2; end++) {
        int64_t from[TSR_MAX_LEVELS];
        const int64_t *in[TSR_MAX_LEVELS];
        int64_t *out[TSR_MAX_ORDER];
        for (int k = 0; k < n; k++) {
            const int64_t last = p->binding->size[k] > 0 ? (int64_t)(p->binding->size[k] - 1) : 0;
            from[k] = k <= l ? p->at[k] : p->binding->base[k] + (end ? last : 0);
            in[k] = &from[k];
        }
        for (int m = 0; m < p->binding->format->order; m++)
            out[m] = &p->crd[end][m];
        tsr_map_plan_apply(p->inverse, out, in, 1, p->scratch);
    }
}

/* The ends of mode m are the same. */
static bool is_known(const probing *p, int m)
{
    return p->crd[0][m] == p->crd[1][m];
}

static bool is_whole(probing *p, const tsr_sample *s)
{
    int64_t *ends[2][TSR_MAX_ORDER];
    for (int end = 0; end < 2; end++)
        for (int m = 0; m < s->order; m++)
            ends[end][m] = &p->crd[end][m];
    return group_of(s, ends[0]) == group_of(s, ends[1]);
}

/* Raise known[m] and *whole to what the entries of the sample show. */
static void probe_entries(int *known, int *whole, probing *p, const tsr_sample *s)
{
    const int n = p->binding->format->nlevels;
    for (uint64_t k = 0; k < NPROBES && k < s->n; k++) {
        const uint64_t e = k * (s->n - 1) / NPROBES;
        const int64_t *in[TSR_MAX_ORDER];
        int64_t *out[TSR_MAX_LEVELS];
        for (int m = 0; m < s->order; m++)
            in[m] = (const int64_t *)&s->crd[m][e];
        for (int l = 0; l < n; l++)
            out[l] = &p->at[l];
        tsr_map_plan_apply(p->forward, out, in, 1, p->scratch);
        for (int l = 0; l + 1 < n; l++) {
            find_ends(p, l);
            for (int m = 0; m < s->order; m++)
                known[m] = is_known(p, m) || known[m] > l ? known[m] : l + 1;
            *whole = is_whole(p, s) || *whole > l ? *whole : l + 1;
        }
    }
}

static tsr_status probe(int *known, int *whole, const tsr_sample *s, const tsr_binding *binding,
                        tsr_error *err)
{
    probing p = {.binding = binding};
    tsr_status status;
    TSR_TRY_OUT(tsr_map_plan_new(&p.forward, binding->forward, err));
    TSR_TRY_OUT(tsr_map_plan_new(&p.inverse, binding->inverse, err));
    const size_t one = tsr_map_plan_scratch_nbytes(p.forward), other = tsr_map_plan_scratch_nbytes(p.inverse);
    TSR_TRY_OUT(tsr_alloc_array(&p.scratch, (one > other ? one : other) + 1, 1, 0, "a survey", err));
    probe_entries(known, whole, &p, s);
out:
    tsr_free(p.scratch);
    tsr_map_plan_free(p.forward);
    tsr_map_plan_free(p.inverse);
    return status;
}

/* Whether the entries of a cell of the dense tensor are all below one position of the first level: tried on some entries, with
 * the other coordinates at their least and at their greatest. */
static void probe_first_level(bool *is_exclusive, probing *p, const tsr_sample *s,
                              const advise_access *access)
{
    bool has[TSR_MAX_ORDER] = {false};
    for (int k = 0; k < access->nmodes; k++)
        has[access->mode[k]] = true;
    *is_exclusive = true;
    for (uint64_t k = 0; k < NPROBES && k < s->n; k++) {
        const uint64_t e = k * (s->n - 1) / NPROBES;
        int64_t first[2] = {0};
        for (int end = 0; end < 2; end++) {
            int64_t crd[TSR_MAX_ORDER];
            const int64_t *in[TSR_MAX_ORDER];
            int64_t *out[TSR_MAX_LEVELS];
            for (int m = 0; m < s->order; m++) {
                const int64_t last = (int64_t)(p->binding->dims[m] ? p->binding->dims[m] - 1 : 0);
                crd[m] = has[m] ? (int64_t)s->crd[m][e] : end ? last : 0;
                in[m] = &crd[m];
            }
            for (int l = 0; l < p->binding->format->nlevels; l++)
                out[l] = &p->at[l];
            tsr_map_plan_apply(p->forward, out, in, 1, p->scratch);
            first[end] = p->at[0];
        }
        *is_exclusive = *is_exclusive && first[0] == first[1];
    }
}

tsr_status advise_visit_is_exclusive(bool *is_exclusive, const advise_visit *v, const advise_access *access,
                                     tsr_error *err)
{
    probing p = {.binding = v->binding};
    tsr_status status;
    TSR_TRY_OUT(tsr_map_plan_new(&p.forward, v->binding->forward, err));
    TSR_TRY_OUT(
        tsr_alloc_array(&p.scratch, tsr_map_plan_scratch_nbytes(p.forward) + 1, 1, 0, "a survey", err));
    probe_first_level(is_exclusive, &p, &v->samples->of[0], access);
out:
    tsr_free(p.scratch);
    tsr_map_plan_free(p.forward);
    return status;
}

/* Scan the sorted keys; entry (n of them, may be NULL) is set to the order of the entries. */
static void scan_keys(scan *out, uint32_t *entry, const uint64_t *key, const advise_keys *keys,
                      const tsr_sample *s)
{
    const int n = keys->n - 1;
    *out = (scan){.in_order = true};
    for (uint64_t i = 0; i < s->n; i++) {
        const uint64_t *const k = key + i * (uint64_t)keys->nwords;
        const uint64_t e = advise_keys_get(k, keys, n);
        int change = i == 0 ? 0 : advise_keys_change(k - keys->nwords, k, keys);
        change = change > n ? n : change;
        for (int l = change; l < n; l++)
            out->ndistinct[l]++;
        out->in_order = out->in_order && e == i;
        if (entry)
            entry[i] = (uint32_t)e;
    }
}

/* Sort the entries of the sample into the order of the format, and scan them. */
static tsr_status scan_sample(scan *out, uint32_t *entry, const tsr_sample *s, const tsr_binding *binding,
                              tsr_error *err)
{
    uint64_t size[TSR_MAX_LEVELS + 1];
    advise_keys keys;
    void *key = NULL, *other = NULL;
    const int n = binding->format->nlevels;
    tsr_status status;
    memcpy(size, binding->size, (size_t)n * sizeof *size);
    size[n] = s->n;
    advise_keys_lay_out(&keys, size, n + 1);
    TSR_TRY_OUT(tsr_alloc_array(&key, s->n + 1, (size_t)keys.nwords * 8, 0, "a survey", err));
    TSR_TRY_OUT(tsr_alloc_array(&other, s->n + 1, (size_t)keys.nwords * 8, 0, "a survey", err));
    TSR_TRY_OUT(make_keys(key, &keys, s, binding, err));
    scan_keys(out, entry, advise_keys_sort(key, other, s->n, &keys), &keys, s);
out:
    tsr_free(key);
    tsr_free(other);
    return status;
}

/* ---- positions ---- */

/* The last level whose coordinate, when it changes, begins a new position at level l. */
static int opening_level(const tsr_format *format, int l)
{
    const int cut = tsr_format_cut(format, l);
    return cut < format->nlevels ? cut : format->nlevels - 1;
}

/* Estimate the prefixes of all entries from those of a sample, which has each prefix whole or not at all. */
static double scale(const tsr_sample *s, uint64_t ndistinct)
{
    if (s->n == 0)
        return 0;
    const double per_entry = (double)ndistinct / (double)s->n;
    const double hot = (double)s->nnz - s->eligible;
    return per_entry * s->eligible + (hot > 0 ? per_entry * hot / 2 : 0);
}

/* Set npos of all levels. `best` has, for each level, the sample with the most entries that counts it, or NULL. */
static void set_positions(advise_visit *v, const scan *scans, const tsr_samples *samples)
{
    const tsr_format *const format = v->binding->format;
    double parents = 1;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        const int open = opening_level(format, l);
        const double most =
            type->full ? parents * (double)v->binding->pitch[l] : parents * (double)v->binding->size[l];
        double n = -1, weight = 0;
        for (int k = 0; k < samples->n; k++) {
            const tsr_sample *const s = &samples->of[k];
            if (s->n == 0 || scans[k].whole > open || s->eligible * s->share <= weight)
                continue;
            weight = s->eligible * s->share;
            n = scale(s, scans[k].ndistinct[open]);
        }
        if (n < 0 || n > (double)samples->nnz)
            n = (double)samples->nnz;
        const bool unique = tsr_format_cut(format, l) == l;
        v->npos[l] = type->full ? most : type->branchless ? parents : unique && most < n ? most : n;
        parents = v->npos[l];
    }
}

/* ---- sizes that follow from all entries ---- */

/* The entries of the sample, with the bands that it lacks taken out. */
static tsr_status gather_bands(tsr_coo **out, const tsr_sample *s, const uint64_t *dims, tsr_error *err)
{
    const uint64_t nbands = dims[s->mode] / TSR_SAMPLE_BAND + 1;
    uint64_t shape[TSR_MAX_ORDER], n = 0;
    void *block;
    *out = NULL;
    TSR_TRY(tsr_alloc_array(&block, nbands, sizeof(uint32_t), 1, "a survey", err));
    uint32_t *const place = block;
    for (uint64_t e = 0; e < s->n; e++)
        place[s->crd[s->mode][e] / TSR_SAMPLE_BAND] = 1;
    for (uint64_t b = 0; b < nbands; b++)
        place[b] = place[b] ? (uint32_t)n++ : 0;
    memcpy(shape, dims, (size_t)s->order * sizeof *shape);
    shape[s->mode] = n < nbands ? n * TSR_SAMPLE_BAND : dims[s->mode];
    tsr_status status = tsr_coo_new_sized(out, (tsr_shape){s->order, shape}, TSR_I8, false, s->n, err);
    for (int m = 0; status == TSR_OK && m < s->order; m++)
        for (uint64_t e = 0; e < s->n; e++) {
            const uint64_t at = s->crd[m][e];
            tsr_array_set(&(*out)->crd[m], e,
                          m == s->mode
                              ? place[at / TSR_SAMPLE_BAND] * (uint64_t)TSR_SAMPLE_BAND + at % TSR_SAMPLE_BAND
                              : at);
        }
    if (status == TSR_OK && s->n > 0)
        memset((*out)->values.data, 1, (size_t)s->n);
    tsr_free(place);
    return status;
}

/* Pack whole bands of the mode that level 0 stores, and extrapolate. */
static tsr_status measure_positions(advise_visit *v, const tsr_samples *samples, tsr_type type, bool is_iso,
                                    tsr_error *err)
{
    const tsr_format *const format = v->binding->format;
    const tsr_sample *s = tsr_samples_find(samples, TSR_SAMPLE_BANDS, 0);
    tsr_coo *coo;
    tsr_tensor *packed;
    for (int m = 0; m < samples->order; m++)
        if (v->known[m] == 0)
            s = tsr_samples_find(samples, TSR_SAMPLE_BANDS, m);
    if (!s || s->n == 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "the size of this format cannot be estimated");
    TSR_TRY(gather_bands(&coo, s, samples->dims, err));
    const tsr_pack_options how = {
        .duplicates = TSR_DUP_FIRST, .nthreads = 1, .max_nbytes = UINT64_C(1) << 28};
    const double slices =
        (double)samples->dims[s->mode] / (double)(coo->dims[s->mode] ? coo->dims[s->mode] : 1);
    TSR_TRY(tsr_pack(&packed, coo, format, &how, NULL, err));
    const double more = (double)s->nnz / (double)s->n > slices ? (double)s->nnz / (double)s->n : slices;
    for (int l = 0; l < format->nlevels; l++)
        v->npos[l] = format->levels[l].type->full && l == 0 ? (double)v->binding->pitch[0]
                     : l == 0                               ? (double)packed->levels[l].npos * slices
                                                            : (double)packed->levels[l].npos * more;
    const double nvalues = v->npos[format->nlevels - 1];
    v->nbytes = (double)(tsr_tensor_nbytes(packed) - packed->npos) * more +
                (is_iso ? 0 : nvalues * (double)tsr_type_nbytes(type));
    tsr_tensor_free(packed);
    return TSR_OK;
}

/* ---- a visit ---- */

static tsr_status run(advise_visit *v, scan *scans, const tsr_format *format, tsr_type type, bool is_iso,
                      tsr_error *err)
{
    const tsr_samples *const samples = v->samples;
    const bool plain = tsr_format_is_permutation(format, NULL);
    void *block;
    TSR_TRY(tsr_binding_new(&v->binding, format, samples->dims, err));
    v->in_order = true;
    for (int k = 0; k < samples->n; k++) {
        const tsr_sample *const s = &samples->of[k];
        uint32_t *entry = NULL;
        if (plain && s->kind != TSR_SAMPLE_SLICES) { /* the slices of each mode count all prefixes */
            scans[k].whole = TSR_MAX_LEVELS;
            continue;
        }
        if (s->kind == TSR_SAMPLE_SLICES) {
            TSR_TRY(tsr_alloc_array(&block, s->n + 1, sizeof *entry, 0, "a survey", err));
            v->entry[s->mode] = entry = block;
        }
        TSR_TRY(scan_sample(&scans[k], entry, s, v->binding, err));
        TSR_TRY(probe(v->known, &scans[k].whole, s, v->binding, err));
        v->in_order = v->in_order && scans[k].in_order;
    }
    if (tsr_format_assembles(format))
        return measure_positions(v, samples, type, is_iso, err);
    set_positions(v, scans, samples);
    v->nbytes = advise_format_nbytes(v->npos, v->binding, type, is_iso);
    return TSR_OK;
}

tsr_status advise_visit_init(advise_visit *visit, const tsr_samples *samples, const tsr_format *format,
                             tsr_type type, bool is_iso, tsr_error *err)
{
    void *scans;
    *visit = (advise_visit){.samples = samples};
    TSR_TRY(tsr_alloc_array(&scans, TSR_MAX_SAMPLES, sizeof(scan), 1, "a survey", err));
    const tsr_status status = run(visit, scans, format, type, is_iso, err);
    tsr_free(scans);
    if (status != TSR_OK)
        advise_visit_clear(visit);
    return status;
}

void advise_visit_clear(advise_visit *visit)
{
    for (int m = 0; m < TSR_MAX_ORDER; m++)
        tsr_free(visit->entry[m]);
    tsr_binding_free(visit->binding);
    *visit = (advise_visit){0};
}

/* ---- uses ---- */

/* Whether entry b uses an earlier cell than entry a (-1), the same one (0), or a later one (1). */
static int compare_cells(const tsr_sample *s, const advise_access *access, uint64_t a, uint64_t b)
{
    for (int k = 0; k < access->nmodes; k++) {
        const uint64_t x = s->crd[access->mode[k]][a], y = s->crd[access->mode[k]][b];
        if (x != y)
            return y > x ? 1 : -1;
    }
    return 0;
}

/* The different cells of the dense tensor that the entries of a sample use. */
static tsr_status count_cells(uint64_t *ncells, const tsr_sample *s, const advise_access *access,
                              tsr_error *err)
{
    uint64_t slots = 64;
    void *block;
    while (slots < 2 * s->n)
        slots *= 2;
    TSR_TRY(tsr_alloc_array(&block, slots, sizeof(uint64_t), 1, "a survey", err));
    uint64_t *const seen = block;
    *ncells = 0;
    for (uint64_t e = 0; e < s->n; e++) {
        uint64_t cell = 0;
        for (int k = 0; k < access->nmodes; k++)
            cell = cell * access->dims[k] + s->crd[access->mode[k]][e];
        uint64_t at = cell * UINT64_C(0x9e3779b97f4a7c15);
        for (at = (at ^ at >> 32) & (slots - 1); seen[at] && seen[at] != cell + 1;
             at = (at + 1) & (slots - 1))
            ;
        *ncells += !seen[at];
        seen[at] = cell + 1;
    }
    tsr_free(seen);
    return TSR_OK;
}

tsr_status advise_visit_use(advise_use *use, const advise_visit *v, const advise_access *access,
                            bool counts_cells, const advise_caches *caches, tsr_error *err)
{
    const tsr_sample *s = NULL;
    int level = 0;
    *use = (advise_use){0};
    if (access->nmodes == 0)
        return TSR_OK;
    for (int k = 0; k < access->nmodes; k++) { /* the sample of the longest mode has the most groups */
        const int m = access->mode[k];
        const tsr_sample *const other = tsr_samples_find(v->samples, TSR_SAMPLE_SLICES, m);
        level = v->known[m] > level ? v->known[m] : level;
        if (!s || v->samples->dims[m] > v->samples->dims[s->mode])
            s = other;
    }
    use->times = v->npos[opening_level(v->binding->format, level)];
    if (s->n == 0)
        return TSR_OK;
    const uint32_t *const entry = v->entry[s->mode];
    uint64_t runs = 1, nback = 0;
    for (uint64_t i = 1; i < s->n; i++) {
        const int step = compare_cells(s, access, entry[i - 1], entry[i]);
        runs += step != 0;
        nback += step < 0;
    }
    use->runs = scale(s, runs);
    use->in_order = nback <= runs / 50;
    if (counts_cells) {
        uint64_t ncells;
        TSR_TRY(count_cells(&ncells, s, access, err));
        use->cells = scale(s, ncells);
    }
    tsr_reuse_query query = {.ncaches = caches->n, .nmodes = access->nmodes, .per_unit = 1};
    query.unit_nbytes = access->row_nbytes > LINE_NBYTES ? access->row_nbytes : LINE_NBYTES;
    if (access->row_nbytes < LINE_NBYTES)
        query.per_unit = (uint64_t)(LINE_NBYTES / access->row_nbytes);
    memcpy(query.mode, access->mode, sizeof query.mode);
    memcpy(query.dims, access->dims, sizeof query.dims);
    memcpy(query.capacity, caches->capacity, sizeof query.capacity);
    TSR_TRY(tsr_sample_reuse(use->misses, s, entry, caches->nthreads, &query, err));
    for (int c = 0; c < caches->n; c++)
        use->misses[c] *= (double)s->nnz;
    return TSR_OK;
}
