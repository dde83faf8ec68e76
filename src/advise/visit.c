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

/* ---- keys ---- */

/* Write the keys of all entries: the storage coordinates, then the number of the entry. */
static tsr_status make_keys(uint64_t *key, const advise_keys *keys, const advise_visit *v,
                            const tsr_sample *s, tsr_error *err)
{
    const tsr_binding *const binding = v->binding;
    const int nlevels = binding->format->nlevels;
    void *room;
    TSR_TRY(advise_room_get(&room, v->room, ADVISE_ROOM_COORDINATES, (uint64_t)nlevels * BLOCK + 1,
                            sizeof(int64_t), err));
    for (uint64_t first = 0; first < s->n; first += BLOCK) {
        const size_t n = s->n - first < BLOCK ? (size_t)(s->n - first) : BLOCK;
        const int64_t *in[TSR_MAX_ORDER];
        int64_t *out[TSR_MAX_LEVELS];
        uint64_t number[BLOCK];
        for (int m = 0; m < s->order; m++)
            in[m] = (const int64_t *)s->crd[m] + first;
        for (int l = 0; l < nlevels; l++)
            out[l] = (int64_t *)room + (size_t)l * BLOCK;
        tsr_map_plan_apply(v->forward, out, in, n, v->scratch);
        uint64_t *const to = key + first * (uint64_t)keys->nwords;
        memset(to, 0, n * (size_t)keys->nwords * sizeof *to);
        for (int l = 0; l < nlevels; l++)
            advise_keys_put(to, keys, l, (const uint64_t *)out[l], binding->base[l], n);
        for (size_t i = 0; i < n; i++)
            number[i] = first + i;
        advise_keys_put(to, keys, nlevels, number, 0, n);
    }
    return TSR_OK;
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
    const tsr_map_plan *forward, *inverse;
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

/* The ends of mode m are at most so far apart. */
static bool is_known(const probing *p, int m, int64_t apart)
{
    const int64_t a = p->crd[0][m], b = p->crd[1][m];
    return (a < b ? b - a : a - b) <= apart;
}

static bool is_whole(probing *p, const tsr_sample *s)
{
    int64_t *ends[2][TSR_MAX_ORDER];
    for (int end = 0; end < 2; end++)
        for (int m = 0; m < s->order; m++)
            ends[end][m] = &p->crd[end][m];
    return group_of(s, ends[0]) == group_of(s, ends[1]);
}

/* Raise known[m], near[m] and *whole to what the entries of the sample show. */
static void probe_entries(advise_visit *v, int *whole, probing *p, const tsr_sample *s)
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
            for (int m = 0; m < s->order; m++) {
                v->known[m] = is_known(p, m, 0) || v->known[m] > l ? v->known[m] : l + 1;
                v->near[m] = is_known(p, m, TSR_SAMPLE_BAND) || v->near[m] > l ? v->near[m] : l + 1;
            }
            *whole = is_whole(p, s) || *whole > l ? *whole : l + 1;
        }
    }
}

/* The map of the format as plans, for all samples. */
static tsr_status make_plans(advise_visit *v, tsr_error *err)
{
    TSR_TRY(tsr_map_plan_new(&v->forward, v->binding->forward, err));
    TSR_TRY(tsr_map_plan_new(&v->inverse, v->binding->inverse, err));
    const size_t one = tsr_map_plan_scratch_nbytes(v->forward),
                 other = tsr_map_plan_scratch_nbytes(v->inverse);
    return tsr_alloc_array(&v->scratch, (one > other ? one : other) + 1, 1, 0, "a survey", err);
}

static probing probing_of(const advise_visit *v)
{
    return (probing){
        .binding = v->binding, .forward = v->forward, .inverse = v->inverse, .scratch = v->scratch};
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

bool advise_visit_is_exclusive(const advise_visit *v, const advise_access *access)
{
    probing p = probing_of(v);
    const tsr_sample *s = &v->samples->of[0];
    bool is_exclusive;
    for (int k = 1; k < v->samples->n && s->n == 0; k++)
        s = &v->samples->of[k];
    probe_first_level(&is_exclusive, &p, s, access);
    return is_exclusive;
}

/* advise_visit.lists. */
static int list_level(const tsr_format *format)
{
    int l = format->nlevels - 1;
    while (l > 0 && format->levels[l].type->full)
        l--;
    return l;
}

/* The lengths of lists, one after the other. */
typedef struct lengths {
    int level;          /* of the lists */
    bool parent_full;   /* the level above has all coordinates: lists may be empty */
    uint64_t n, before; /* elements of this list, and of the one before */
    uint64_t parent;    /* coordinate of the level above */
    uint64_t nbreaks;
} lengths;

/* A list ends, and the one of `parent` begins. */
static void end_list(lengths *of, uint64_t parent)
{
    enum { NEAR = TSR_SAMPLE_GROUP }; /* farther, the sample lacks lists between the two */
    of->nbreaks += of->n != of->before;
    of->before = of->n;
    of->n = 0;
    if (of->parent_full && parent > of->parent + 1 && parent - of->parent < NEAR) {
        of->nbreaks++;
        of->before = 0;
    }
    of->parent = parent;
}

/* Count the prefixes that have an entry of the first half; the coordinate of level `change` is another one than before. */
static void count_half(advise_scan *out, bool *has, int change, int n, bool is_first_half)
{
    for (int l = change; l < n; l++)
        has[l] = false;
    for (int l = n - 1; is_first_half && l >= 0 && !has[l]; l--) {
        has[l] = true;
        out->nhalf[l]++;
    }
}

/* Whether lists have only those of their entries that were read: a list of which none was read is as good as one of no entries. */
static bool lack_entries(const advise_visit *v)
{
    return v->samples->is_thin && v->known[v->samples->thin_mode] >= v->lists;
}

/* Scan the sorted keys of the entries of the sample, and set entry[i] to the number of the i-th. */
static void scan_keys(advise_visit *v, advise_scan *out, uint32_t *entry, const uint64_t *key,
                      const advise_keys *keys)
{
    const int n = keys->n - 1;
    const uint64_t nentries = v->samples->of[out - v->scans].n;
    lengths lists = {.level = v->lists};
    bool has[TSR_MAX_LEVELS] = {false};
    lists.parent_full =
        lists.level > 0 && (v->binding->format->levels[lists.level - 1].type->full || lack_entries(v));
    for (uint64_t i = 0; i < nentries; i++) {
        const uint64_t *const k = key + i * (uint64_t)keys->nwords;
        const uint64_t e = advise_keys_get(k, keys, n);
        const int change = i == 0 ? 0 : advise_keys_change(k - keys->nwords, k, keys);
        if (change < n)
            out->ndistinct[change]++;
        if (change < lists.level)
            end_list(&lists, advise_keys_get(k, keys, lists.level - 1));
        lists.n += change <= lists.level;
        if (v->samples->is_thin)
            count_half(out, has, change, n, e < nentries / 2);
        v->in_order = v->in_order && e == i;
        entry[i] = (uint32_t)e;
    }
    out->nbreaks = lists.nbreaks;
    for (int l = 1; l < n; l++) /* a change at a level begins a prefix of all levels below */
        out->ndistinct[l] += out->ndistinct[l - 1];
}

/* Sort the entries of a sample into the order of the format, and scan them, unless that is done. */
static tsr_status scan_sample(advise_scan **out, advise_visit *v, int sample, tsr_error *err)
{
    const tsr_sample *const s = &v->samples->of[sample];
    advise_scan *const scan = &v->scans[sample];
    uint64_t size[TSR_MAX_LEVELS + 1];
    advise_keys keys;
    void *key, *other, *entry;
    const int n = v->binding->format->nlevels;
    *out = scan;
    if (scan->done)
        return TSR_OK;
    memcpy(size, v->binding->size, (size_t)n * sizeof *size);
    size[n] = s->n;
    advise_keys_lay_out(&keys, size, n + 1);
    keys.rising = keys.nbits[n];
    const size_t key_nbytes = (size_t)keys.nwords * sizeof(uint64_t);
    TSR_TRY(
        advise_room_get(&entry, v->room, ADVISE_ROOM_ENTRIES + sample, s->n + 1, sizeof *scan->entry, err));
    TSR_TRY(advise_room_get(&key, v->room, ADVISE_ROOM_KEYS, s->n + 1, key_nbytes, err));
    TSR_TRY(advise_room_get(&other, v->room, ADVISE_ROOM_OTHER_KEYS, s->n + 1, key_nbytes, err));
    TSR_TRY(make_keys(key, &keys, v, s, err));
    scan_keys(v, scan, entry, advise_keys_sort(key, other, s->n, &keys), &keys);
    scan->entry = entry;
    scan->done = true;
    return TSR_OK;
}

/* ---- positions ---- */

/* The last level whose coordinate, when it changes, begins a new position at level l. */
static int opening_level(const tsr_format *format, int l)
{
    const int cut = tsr_format_cut(format, l);
    return cut < format->nlevels ? cut : format->nlevels - 1;
}

/* Estimate the prefixes of all entries from those of a sample, which has each prefix whole or not at all. The entries of slices that are
 * too long for a sample have half as many for each entry, except where the prefix is the whole entry. */
static double scale(const tsr_sample *s, double ndistinct)
{
    if (s->n == 0)
        return 0;
    const double per_entry = ndistinct / (double)s->n, hot = (double)s->nnz - s->eligible;
    return s->more *
           (per_entry * s->eligible + (hot > 0 ? per_entry * hot * (per_entry > 0.95 ? 1 : 0.5) : 0));
}

/* How many times as many things are different in the tensor as in the entries that were read: by the power of the entries by which they grew
 * from the first half of the entries, nhalf, to all, n. */
static double growth(const tsr_sample *s, uint64_t nhalf, uint64_t n)
{
    if (s->more <= 1 || nhalf == 0)
        return 1;
    return pow(s->more, fmin(log2((double)n / (double)nhalf), 1));
}

/* The prefixes of the levels [0, l] of all entries. */
static double scale_prefixes(const advise_visit *v, const tsr_sample *s, const advise_scan *scan, int l)
{
    const double n = scale(s, (double)scan->ndistinct[l]);
    return s->more > 1 && v->near[v->samples->thin_mode] > l
               ? n / s->more * growth(s, scan->nhalf[l], scan->ndistinct[l])
               : n;
}

/* The sample with the most entries that has each prefix of levels [0, level] whole or not at all; -1: there is none. whole[k]: with
 * the levels [0, whole[k]] a prefix determines the group of sample k. */
static int best_sample(const tsr_samples *samples, const int *whole, int level)
{
    double most = 0;
    int best = -1;
    for (int k = 0; k < samples->n; k++) {
        const tsr_sample *const s = &samples->of[k];
        const bool counts = s->n > 0 && whole[k] <= level;
        if (counts &&
            (best < 0 || s->eligible * s->share > 1.5 * most)) { /* the first ones serve more levels */
            most = s->eligible * s->share;
            best = k;
        }
    }
    return best;
}

/* Set npos of all levels, and nbreaks. */
static tsr_status set_positions(advise_visit *v, const int *whole, tsr_error *err)
{
    const tsr_samples *const samples = v->samples;
    const tsr_format *const format = v->binding->format;
    double parents = 1;
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        const int open = opening_level(format, l);
        const double most =
            type->full ? parents * (double)v->binding->pitch[l] : parents * (double)v->binding->size[l];
        double n = (double)samples->nnz;
        const int best = type->full || type->branchless ? -1 : best_sample(samples, whole, open);
        if (best >= 0) {
            advise_scan *scan;
            TSR_TRY(scan_sample(&scan, v, best, err));
            n = fmin(n, scale_prefixes(v, &samples->of[best], scan, open));
        }
        const bool unique = tsr_format_cut(format, l) == l;
        v->npos[l] = type->full ? most : type->branchless ? parents : unique && most < n ? most : n;
        parents = v->npos[l];
    }
    const int best = v->lists > 0 ? best_sample(samples, whole, v->lists - 1) : -1;
    if (best >= 0) {
        advise_scan *scan;
        TSR_TRY(scan_sample(&scan, v, best, err));
        v->nbreaks = scale(&samples->of[best], (double)scan->nbreaks);
        if (lack_entries(v))
            v->nbreaks = fmin(v->nbreaks / samples->of[best].more, v->npos[v->lists - 1]);
    }
    return TSR_OK;
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

/* Slots of padding beside slices that are too long for a sample, where `lanes` slices are made as long as the longest of them. */
static double padding_of_hot(const tsr_samples *samples, int mode, uint64_t lanes)
{
    const tsr_sample *const s = tsr_samples_find(samples, TSR_SAMPLE_SLICES, mode);
    return lanes > 1 && s->hot_buckets > 0
               ? (double)(lanes - 1) * ((double)s->nnz - s->eligible) / s->hot_buckets
               : 0;
}

/* Sort n lengths, the longest first; `other` has room for as many. */
static void sort_lengths(uint32_t *length, uint32_t *other, uint64_t n)
{
    enum { DIGIT_NBITS = 8, NDIGITS = 1 << DIGIT_NBITS };
    uint32_t most = 0;
    for (uint64_t i = 0; i < n; i++)
        most = length[i] > most ? length[i] : most;
    for (int shift = 0; shift < 32 && most >> shift; shift += DIGIT_NBITS) {
        uint64_t start[NDIGITS + 1] = {0};
        for (uint64_t i = 0; i < n; i++)
            start[NDIGITS - (length[i] >> shift & (NDIGITS - 1))]++;
        for (int d = 0; d < NDIGITS; d++)
            start[d + 1] += start[d];
        for (uint64_t i = 0; i < n; i++)
            other[start[NDIGITS - 1 - (length[i] >> shift & (NDIGITS - 1))]++] = length[i];
        memcpy(length, other, (size_t)n * sizeof *length);
    }
}

/* Slots of all slices, where windows of slices are sorted by length, and `lanes` of them are made as long as the longest. */
static tsr_status count_lanes(double *nslots, const uint32_t *slices, uint64_t n, uint64_t window,
                              uint64_t lanes, tsr_error *err)
{
    void *block;
    TSR_TRY(tsr_alloc_array(&block, n + 1, 2 * sizeof *slices, 0, "a survey", err));
    uint32_t *const sorted = block;
    memcpy(sorted, slices, (size_t)n * sizeof *slices);
    *nslots = 0;
    for (uint64_t first = 0; first < n && window > 1; first += window)
        sort_lengths(sorted + first, sorted + n, first + window < n ? window : n - first);
    for (uint64_t first = 0; first < n; first += lanes) {
        uint32_t most = 0;
        for (uint64_t i = first; i < first + lanes && i < n; i++)
            most = sorted[i] > most ? sorted[i] : most;
        *nslots += (double)lanes * most;
    }
    tsr_free(block);
    return TSR_OK;
}

/* How often a line of a dense vector, with a value for each slice, is used again where all slices are sorted by length: once for each
 * further length among the slices of the line. */
static tsr_status count_revisits(double *out, const tsr_coo *coo, int mode, tsr_error *err)
{
    enum { PER_LINE = LINE_NBYTES / sizeof(double) };
    const uint64_t n = coo->dims[mode];
    double revisits = 0;
    void *block;
    TSR_TRY(tsr_alloc_array(&block, n + 1, sizeof(uint32_t), 1, "a survey", err));
    uint32_t *const slices = block;
    for (uint64_t e = 0; e < coo->nnz; e++)
        slices[tsr_array_get(&coo->crd[mode], e)]++;
    for (uint64_t first = 0; first < n; first += PER_LINE)
        for (uint64_t i = first + 1; i < first + PER_LINE && i < n; i++) {
            bool is_new = true;
            for (uint64_t j = first; j < i; j++)
                is_new = is_new && slices[j] != slices[i];
            revisits += is_new;
        }
    tsr_free(block);
    *out = revisits;
    return TSR_OK;
}

/* Pack whole bands of the mode that level 0 stores, and extrapolate. */
static tsr_status measure_positions(advise_visit *v, const tsr_samples *samples, advise_values values,
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
    if ((double)format->levels[0].param * sizeof(double) > v->caches->capacity[1]) {
        const tsr_status status = count_revisits(&v->nrevisits, coo, s->mode, err);
        v->nrevisits *= slices;
        if (status != TSR_OK) {
            tsr_coo_free(coo);
            return status;
        }
    }
    TSR_TRY(tsr_pack(&packed, coo, format, &how, NULL, err));
    const double more = fmax(s->more * (double)s->nnz / (double)s->n, slices);
    for (int l = 0; l < format->nlevels; l++)
        v->npos[l] = format->levels[l].type->full && l == 0 ? (double)v->binding->pitch[0]
                     : l == 0                               ? (double)packed->levels[l].npos * slices
                                                            : (double)packed->levels[l].npos * more;
    const int last = format->nlevels - 1;
    const uint64_t lanes = format->levels[last].param;
    const double in_slots = (double)tsr_array_nbytes(&packed->levels[last].crd),
                 npacked = (double)packed->npos,
                 others = (double)tsr_tensor_nbytes(packed) - npacked - in_slots;
    tsr_tensor_free(packed);
    if (format->nlevels == 2 && lanes > 1 && samples->slices[s->mode] &&
        (!samples->is_thin || s->mode == samples->thin_mode)) {
        TSR_TRY(count_lanes(&v->npos[last], samples->slices[s->mode], samples->dims[s->mode],
                            format->levels[0].param, lanes, err));
        v->nbytes = others * slices + (npacked > 0 ? in_slots * v->npos[last] / npacked : 0);
    } else {
        const double padding = padding_of_hot(samples, s->mode, lanes);
        v->npos[last] += padding;
        v->nbytes = (others + in_slots) * more + padding * sizeof(uint32_t);
    }
    v->nbytes += values.is_iso && !tsr_format_has_dense_leaf(format)
                     ? 0
                     : v->npos[last] * (double)tsr_type_nbytes(values.type);
    return TSR_OK;
}

/* ---- a visit ---- */

static tsr_status run(advise_visit *v, const advise_visited *of, const tsr_format *format, tsr_error *err)
{
    const tsr_samples *const samples = of->samples;
    const bool plain = tsr_format_is_permutation(format, NULL);
    int whole[TSR_MAX_SAMPLES];
    void *block;
    TSR_TRY(tsr_alloc_array(&block, TSR_MAX_SAMPLES, sizeof *v->scans, 1, "a survey", err));
    v->scans = block;
    TSR_TRY(tsr_binding_new(&v->binding, format, samples->dims, err));
    TSR_TRY(make_plans(v, err));
    v->lists = list_level(format);
    for (int k = 0; k < samples->n; k++) {
        probing p = probing_of(v);
        whole[k] = 0;
        probe_entries(v, &whole[k], &p, &samples->of[k]);
        if (plain &&
            samples->of[k].kind != TSR_SAMPLE_SLICES) /* the slices of each mode count all prefixes */
            whole[k] = TSR_MAX_LEVELS;
    }
    if (tsr_format_assembles(format))
        return measure_positions(v, samples, of->values, err);
    TSR_TRY(set_positions(v, whole, err));
    v->nbytes = advise_format_nbytes(v->npos, v->binding, of->values.type, of->values.is_iso);
    return TSR_OK;
}

tsr_status advise_visit_init(advise_visit *visit, const advise_visited *of, const tsr_format *format,
                             tsr_error *err)
{
    *visit = (advise_visit){.samples = of->samples, .in_order = true, .caches = of->caches, .room = of->room};
    const tsr_status status = run(visit, of, format, err);
    if (status != TSR_OK)
        advise_visit_clear(visit);
    return status;
}

void advise_visit_clear(advise_visit *visit)
{
    tsr_free(visit->scans);
    tsr_free(visit->scratch);
    tsr_map_plan_free(visit->forward);
    tsr_map_plan_free(visit->inverse);
    tsr_binding_free(visit->binding);
    *visit = (advise_visit){0};
}

/* ---- uses ---- */

/* Whether entry b uses an earlier cell than entry a (-1), the same one (0), or a later one (1); width: of cells that count as one. */
static int compare_cells(const tsr_sample *s, const advise_access *access, uint64_t a, uint64_t b,
                         uint64_t width)
{
    for (int k = 0; k < access->nmodes; k++) {
        const uint64_t x = s->crd[access->mode[k]][a], y = s->crd[access->mode[k]][b];
        const bool is_one = width > 1 && k == access->nmodes - 1 && x / width == y / width;
        if (x != y && !is_one)
            return y > x ? 1 : -1;
    }
    return 0;
}

double advise_visit_times(const advise_visit *v, const advise_access *access)
{
    int level = 0;
    for (int k = 0; k < access->nmodes; k++)
        level = v->known[access->mode[k]] > level ? v->known[access->mode[k]] : level;
    return v->npos[opening_level(v->binding->format, level)];
}

/* The chance that a cache of `limit` units still has a unit that was used before the entries that were read: as if each of `units` units was
 * used at random, once in `every` entries, while `stream` others pass with each entry. In the time T a cache fills:
 * units * (1 - exp(-T / every)) + T * stream = limit. */
static double chance_of_hit(double limit, double units, double every, double stream)
{
    double low = 0, high = 64 * every;
    for (int k = 0; k < 40; k++) {
        const double t = (low + high) / 2, filled = units * (1 - exp(-t / every)) + t * stream;
        *(filled < limit ? &low : &high) = t;
    }
    return 1 - exp(-low / every);
}

/* The misses of a cache in the tensor from those in the entries that were read, of `read` units. The first uses of units among the entries
 * that were read are first uses in the tensor no more often than it has units. */
static double misses_of_all(const advise_use *use, const tsr_sample *s, double missed, double read,
                            const tsr_reuse_query *q, int c)
{
    const double first = fmin(read, missed), others = fmax(s->more * first - use->units, 0);
    const double every = s->more * (double)s->nnz / fmax(use->units, 1);
    const double hit =
        chance_of_hit(q->capacity[c] / q->unit_nbytes, use->units, every, q->stream_nbytes / q->unit_nbytes);
    return s->more * (missed - first) + fmin(s->more * first, use->units) + others * (1 - hit);
}

/* The part of the units of the sample that the first half of the entries uses: they are numbered in the order in which they come. */
static uint64_t count_units_of_half(const tsr_units *units, const tsr_sample *s)
{
    uint32_t most = 0;
    for (uint64_t e = 0; e < s->n / 2; e++)
        most = units->of[e] > most ? units->of[e] : most;
    return (uint64_t)most + 1;
}

/* How often the entries, in the order of the format, go to another cell, to another line, and to a line before. */
typedef struct steps {
    uint64_t cells, lines, back;
} steps;

static steps count_steps(const tsr_sample *s, const advise_access *access, const uint32_t *entry)
{
    steps n = {.cells = 1, .lines = 1};
    const uint64_t per_line = access->units.kind.per_unit;
    for (uint64_t i = 1; i < s->n; i++) {
        const int step = compare_cells(s, access, entry[i - 1], entry[i], 1);
        n.cells += step != 0;
        n.lines += access->units.of[entry[i - 1]] != access->units.of[entry[i]];
        n.back += step < 0 && compare_cells(s, access, entry[i - 1], entry[i], per_line) < 0;
    }
    return n;
}

static tsr_status find_use(advise_use *use, advise_visit *v, const advise_access *access, tsr_error *err)
{
    const tsr_sample *const s = access->sample;
    const advise_caches *const caches = v->caches;
    double nunits = 1 / (double)access->units.kind.per_unit; /* of the whole tensor */
    for (int k = 0; k < access->nmodes; k++)
        nunits *= (double)access->dims[k];
    advise_scan *scan;
    TSR_TRY(scan_sample(&scan, v, (int)(s - v->samples->of), err));
    const steps step = count_steps(s, access, scan->entry);
    const bool are_whole = tsr_units_are_whole(&access->units.kind, s); /* else the sample has all units */
    const double read = !are_whole ? access->units.n : s->share > 0 ? access->units.n / s->share : 0;
    const double grown = s->more > 1 ? growth(s, count_units_of_half(&access->units, s), access->units.n) : 1;
    use->runs = fmin(scale(s, (double)step.cells), use->times);
    use->cells = (are_whole ? scale(s, access->ncells) / s->more : access->ncells) * grown;
    use->units = fmin(read * grown, fmax(nunits, read));
    use->in_order = step.back <= step.cells / 50 && scale(s, (double)step.lines) <= 1.25 * s->more * read &&
                    use->units >= nunits / 4;
    if (use->in_order)
        return TSR_OK;
    tsr_reuse_query query = {.ncaches = caches->n, .units = &access->units, .room = v->room};
    query.stream_nbytes = s->nnz > 0 ? v->nbytes / (s->more * (double)s->nnz) : 0;
    query.unit_nbytes = access->row_nbytes > LINE_NBYTES ? access->row_nbytes : LINE_NBYTES;
    memcpy(query.capacity, caches->capacity, sizeof query.capacity);
    tsr_reuse reuse;
    TSR_TRY(tsr_sample_reuse(&reuse, s, scan->entry, caches->nthreads, &query, err));
    for (int c = 0; c < caches->n; c++) {
        const double missed = reuse.misses[c] * (double)s->nnz,
                     all = s->more > 1 ? misses_of_all(use, s, missed, read, &query, c) : missed,
                     sequential = reuse.misses[c] > 0 ? reuse.sequential[c] / reuse.misses[c] : 0;
        use->sequential[c] = all * sequential;
        use->misses[c] = all * (1 - sequential);
    }
    return TSR_OK;
}

tsr_status advise_visit_use(advise_use *use, advise_visit *v, const advise_access *access, tsr_error *err)
{
    *use = (advise_use){0};
    if (!access->sample)
        return TSR_OK;
    const tsr_unit_kind *const kind = &access->units.kind;
    for (int k = 0; k < v->nuses; k++) {
        const advise_found_use *const found = &v->uses[k];
        if (found->row_nbytes == access->row_nbytes && found->kind.nmodes == kind->nmodes &&
            memcmp(found->kind.mode, kind->mode, (size_t)kind->nmodes * sizeof *kind->mode) == 0) {
            *use = found->use;
            return TSR_OK;
        }
    }
    use->times = advise_visit_times(v, access);
    if (access->sample->n > 0)
        TSR_TRY(find_use(use, v, access, err));
    if (v->nuses < ADVISE_MAX_USES)
        v->uses[v->nuses++] = (advise_found_use){*kind, access->row_nbytes, *use};
    return TSR_OK;
}
