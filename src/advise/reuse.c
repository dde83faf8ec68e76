/* tsr_sample_reuse: stack distances of the references that a sample has. The distance of a reference is the number of
 * different units between it and the reference before to the same unit; a cache that replaces the least recently used unit
 * misses if the distance is at least the capacity (Mattson et al., 1970). Distances between the units of a sample, divided by
 * the share of the units that the sample has, estimate distances of all units (Waldspurger et al., "SHARDS", FAST 2015); here
 * the share is the true one, not the expected one. What streams through the caches meanwhile counts as units, too.
 *
 * A group of the sample is a run of neighbouring slices. Where the entries of a group come one after the other, more often than by chance,
 * nothing that the sample lacks comes between them: distances within such a run are taken as they are.
 *
 * A miss is sequential if the unit before it in memory was used so lately that the first cache holds it. */
#include <string.h>

#include "advise_room.h"
#include "tsr_alloc.h"

/* ---- units ---- */

/* The number of the unit among all units of the operand. */
static uint64_t unit_of(const tsr_unit_kind *kind, const tsr_sample *s, uint64_t e)
{
    uint64_t unit = 0;
    for (int k = 0; k < kind->nmodes; k++) {
        const uint64_t at = s->crd[kind->mode[k]][e];
        if (k == kind->nmodes - 1)
            return unit * (kind->dims[k] / kind->per_unit + 1) + at / kind->per_unit;
        unit = unit * kind->dims[k] + at;
    }
    return unit;
}

/* A hash table of units. */
typedef struct slot {
    uint64_t unit; /* its number among all + 1; 0: free */
    uint32_t number;
} slot;

/* The slot of the unit, or a free one. */
static slot *find_slot(slot *table, uint64_t nslots, uint64_t unit)
{
    uint64_t at = (unit + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (at = (at ^ at >> 32) & (nslots - 1); table[at].unit != 0 && table[at].unit != unit + 1;
         at = (at + 1) & (nslots - 1))
        ;
    return &table[at];
}

/* Whether the sample may lack the unit before that of entry e: the group of slices begins with this one. */
static bool begins_group(const tsr_unit_kind *kind, const tsr_sample *s, uint64_t e)
{
    const int last = kind->mode[kind->nmodes - 1];
    const uint64_t first = s->crd[last][e] / kind->per_unit * kind->per_unit;
    return s->mode == last && first % TSR_SAMPLE_GROUP < kind->per_unit;
}

/* Set after[] of all units. */
static void find_units_before(tsr_units *out, const tsr_sample *sample, slot *table, uint64_t nslots)
{
    const tsr_unit_kind *const kind = &out->kind;
    for (uint64_t e = 0; e < sample->n; e++) {
        const uint64_t unit = unit_of(kind, sample, e);
        const slot *const found = unit > 0 ? find_slot(table, nslots, unit - 1) : NULL;
        out->after[out->of[e]] = found && found->unit != 0       ? found->number
                                 : begins_group(kind, sample, e) ? TSR_UNIT_UNKNOWN
                                                                 : TSR_UNIT_UNUSED;
    }
}

/* Set group[] of all units, and the chance. `n` has a zero for each unit. */
static void find_groups(tsr_units *out, const tsr_sample *sample, uint32_t *n, slot *table, uint64_t nslots)
{
    uint32_t ngroups = 0;
    memset(table, 0, (size_t)nslots * sizeof *table);
    for (uint64_t e = 0; e < sample->n; e++) {
        slot *const at = find_slot(table, nslots, sample->crd[sample->mode][e] / TSR_SAMPLE_GROUP);
        if (at->unit == 0)
            *at = (slot){sample->crd[sample->mode][e] / TSR_SAMPLE_GROUP + 1, ngroups++};
        out->group[out->of[e]] = at->number;
        n[at->number]++;
    }
    for (uint32_t g = 0; g < ngroups; g++)
        out->chance += (double)n[g] / (double)sample->n * ((double)n[g] / (double)sample->n);
}

/* Set what is known of each unit. */
static tsr_status describe_units(tsr_units *out, const tsr_sample *sample, slot *table, uint64_t nslots,
                                 tsr_error *err)
{
    void *after, *group, *n;
    TSR_TRY(tsr_alloc_array(&after, (uint64_t)out->n + 1, sizeof *out->after, 0, "a survey", err));
    out->after = after;
    find_units_before(out, sample, table, nslots);
    if (!tsr_units_are_whole(&out->kind, sample))
        return TSR_OK;
    TSR_TRY(tsr_alloc_array(&group, (uint64_t)out->n + 1, sizeof *out->group, 0, "a survey", err));
    out->group = group;
    TSR_TRY(tsr_alloc_array(&n, sample->n + 1, sizeof(uint32_t), 1, "a survey", err));
    find_groups(out, sample, n, table, nslots);
    tsr_free(n);
    return TSR_OK;
}

tsr_status tsr_units_init(tsr_units *out, const tsr_sample *sample, const tsr_unit_kind *kind, tsr_error *err)
{
    enum { LEAST = 1 << 4 };
    uint64_t nslots = LEAST;
    void *of, *slots;
    *out = (tsr_units){.kind = *kind};
    while (nslots < 2 * sample->n)
        nslots *= 2;
    TSR_TRY(tsr_alloc_array(&of, sample->n + 1, sizeof *out->of, 0, "a survey", err));
    out->of = of;
    TSR_TRY(tsr_alloc_array(&slots, nslots, sizeof(slot), 1, "a survey", err));
    slot *const table = slots;
    for (uint64_t e = 0; e < sample->n; e++) {
        const uint64_t unit = unit_of(kind, sample, e);
        slot *const at = find_slot(table, nslots, unit);
        if (at->unit == 0)
            *at = (slot){unit + 1, out->n++};
        out->of[e] = at->number;
    }
    const tsr_status status = describe_units(out, sample, table, nslots, err);
    tsr_free(slots);
    return status;
}

bool tsr_units_are_whole(const tsr_unit_kind *kind, const tsr_sample *sample)
{
    bool has_mode = false;
    for (int k = 0; k < kind->nmodes; k++)
        has_mode = has_mode || kind->mode[k] == sample->mode;
    return has_mode;
}

void tsr_units_clear(tsr_units *units)
{
    tsr_free(units->of);
    tsr_free(units->after);
    tsr_free(units->group);
    *units = (tsr_units){0};
}

/* ---- distances ---- */

/* Marks at times from 1 on, and the sums of marks of words, of groups of words and of fields of groups. A time is marked if no later
 * reference is to the same unit. */
enum { WORD = 64, GROUP = 8 * WORD, FIELD = 16 * GROUP };
typedef struct marks {
    uint64_t *word;
    uint32_t *in_word, *in_group, *in_field;
} marks;

/* Marks at times up to n, all cleared; `sums` has room for the words, groups and fields. */
static marks lay_out_marks(uint64_t *word, uint32_t *sums, uint64_t n)
{
    const uint64_t nwords = n / WORD + 1, ngroups = n / GROUP + 1, nfields = n / FIELD + 1;
    memset(word, 0, (size_t)nwords * sizeof *word);
    memset(sums, 0, (size_t)(nwords + ngroups + nfields) * sizeof *sums);
    return (marks){word, sums, sums + nwords, sums + nwords + ngroups};
}

static int count_bits(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(v * UINT64_C(0x0101010101010101) >> 56);
}

static void flip(marks *m, uint32_t at, uint32_t by)
{
    m->word[at / WORD] ^= UINT64_C(1) << at % WORD;
    m->in_word[at / WORD] += by;
    m->in_group[at / GROUP] += by;
    m->in_field[at / FIELD] += by;
}

/* Marks after a time, the last one of which is before `now`. */
static uint32_t marks_after(const marks *m, uint32_t at, uint32_t now)
{
    const uint32_t word = at / WORD, group = at / GROUP, field = at / FIELD;
    const uint32_t last_word = now / WORD, last_group = now / GROUP, last_field = now / FIELD;
    const uint32_t end_word = (group + 1) * (GROUP / WORD), end_group = (field + 1) * (FIELD / GROUP);
    uint32_t n = (uint32_t)count_bits(m->word[word] >> at % WORD >> 1);
    for (uint32_t w = word + 1; w < end_word && w <= last_word; w++)
        n += m->in_word[w];
    for (uint32_t g = group + 1; g < end_group && g <= last_group; g++)
        n += m->in_group[g];
    for (uint32_t f = field + 1; f <= last_field; f++)
        n += m->in_field[f];
    return n;
}

typedef struct counting {
    const tsr_reuse_query *query;
    const uint32_t *entry;        /* the entries in the order of the references; NULL: as they are sampled */
    double limit[TSR_MAX_CACHES]; /* a reference at this distance or beyond misses */
    double
        stream; /* units of other data that pass with each entry of the sample, times its share of the units */
    uint64_t missed[TSR_MAX_CACHES], known[TSR_MAX_CACHES],
        sequential
            [TSR_MAX_CACHES]; /* of those missed: known whether they are sequential, and those that are */
    uint32_t *last;           /* of each unit: the time of the last reference, from 1; 0: there is none */
    const uint32_t
        *group;   /* of each unit, where runs of entries of one group are as in the tensor; else NULL */
    double share; /* of the units that the sample has */
    uint32_t run; /* the time at which the run began */
    marks marks;
} counting;

/* Units that came since the time `last`, times the share of the units that the sample has. */
static double distance_since(const counting *counts, uint32_t last, uint32_t now)
{
    const double distance =
        (double)marks_after(&counts->marks, last, now) + counts->stream * (double)(now - last);
    return counts->group && last >= counts->run ? distance * counts->share : distance;
}

/* Count a reference to the unit at this distance, at time `now`. */
static void count_distance(counting *counts, uint32_t unit, double distance, uint32_t now)
{
    const uint32_t before = counts->query->units->after[unit];
    const bool is_known = before != TSR_UNIT_UNKNOWN;
    const uint32_t last = is_known && before != TSR_UNIT_UNUSED ? counts->last[before] : 0;
    bool is_sequential = false;
    if (distance >= counts->limit[0] && last)
        is_sequential = distance_since(counts, last, now) < counts->limit[0];
    for (int c = 0; c < counts->query->ncaches; c++)
        if (distance >= counts->limit[c]) {
            counts->missed[c]++;
            counts->known[c] += is_known;
            counts->sequential[c] += is_sequential;
        }
}

/* Count the references of entries [range[0], range[1]) that miss. */
static void count_part(counting *counts, const uint64_t range[2])
{
    const tsr_reuse_query *const q = counts->query;
    marks *const m = &counts->marks;
    const uint64_t n = range[1] - range[0];
    memset(counts->last, 0, (size_t)q->units->n * sizeof *counts->last);
    *m = lay_out_marks(m->word, m->in_word, n);
    /* the loop runs more than once: before the first reference to a unit come all other units, and all that streams */
    const double all = (double)q->units->n + counts->stream * (double)n;
    uint32_t before = UINT32_MAX;
    for (uint64_t i = range[0]; i < range[1]; i++) {
        const uint32_t unit = q->units->of[counts->entry ? counts->entry[i] : i];
        const uint32_t now = (uint32_t)(i - range[0]) + 1;
        if (unit == before)
            continue; /* distance 0: the mark of the reference before stays */
        if (counts->group && (before == UINT32_MAX || counts->group[unit] != counts->group[before]))
            counts->run = now;
        before = unit;
        uint32_t *const last = &counts->last[unit];
        const double distance = *last ? distance_since(counts, *last, now) : all;
        count_distance(counts, unit, distance, now);
        if (*last)
            flip(m, *last, 0u - 1u);
        flip(m, now, 1);
        *last = now;
    }
}

/* Whether the entries of a group come one after the other, in this order, at least twice as often as by chance. */
static bool come_in_runs(const tsr_units *units, const uint32_t *entry, uint64_t n)
{
    uint64_t same = 0;
    uint32_t before = UINT32_MAX;
    for (uint64_t i = 0; units->group && i < n; i++) {
        const uint32_t group = units->group[units->of[entry ? entry[i] : i]];
        same += group == before;
        before = group;
    }
    return (double)same > 2 * units->chance * (double)n;
}

tsr_status tsr_sample_reuse(tsr_reuse *out, const tsr_sample *sample, const uint32_t *entry, int nparts,
                            const tsr_reuse_query *query, tsr_error *err)
{
    const uint64_t n = sample->n;
    const bool are_whole = tsr_units_are_whole(&query->units->kind, sample);
    const double share = are_whole ? sample->share : 1;
    /* entries that the sample stands for: the whole units, or the entries */
    const double nnz = are_whole ? share * (double)sample->nnz : (double)n;
    counting counts = {.query = query, .entry = entry};
    tsr_room own = {{0}, {0}}, *const room = query->room ? query->room : &own;
    void *last, *word, *sums;
    tsr_status status = TSR_OK;
    for (int c = 0; c < query->ncaches; c++) {
        const double hot =
            are_whole ? sample->hot_groups * TSR_SAMPLE_GROUP / (double)query->units->kind.per_unit : 0;
        const double units = query->capacity[c] / query->unit_nbytes - hot;
        counts.limit[c] = (units > 1 ? units : 1) * share;
    }
    *out = (tsr_reuse){{0}, {0}};
    if (n == 0 || sample->nnz == 0)
        return TSR_OK;
    counts.stream = nnz / (double)n * query->stream_nbytes / query->unit_nbytes;
    TSR_TRY_OUT(advise_room_get(&last, room, ADVISE_ROOM_LAST, query->units->n, sizeof(uint32_t), err));
    TSR_TRY_OUT(advise_room_get(&word, room, ADVISE_ROOM_WORDS, n / WORD + 1, sizeof(uint64_t), err));
    TSR_TRY_OUT(advise_room_get(&sums, room, ADVISE_ROOM_SUMS, n / WORD + n / GROUP + n / FIELD + 3,
                                sizeof(uint32_t), err));
    counts.last = last;
    counts.share = share;
    counts.group = come_in_runs(query->units, entry, n) ? query->units->group : NULL;
    counts.marks = lay_out_marks(word, sums, n);
    for (int part = 0; part < nparts; part++) {
        const uint64_t range[] = {n * (uint64_t)part / (uint64_t)nparts,
                                  n * ((uint64_t)part + 1) / (uint64_t)nparts};
        count_part(&counts, range);
    }
    for (int c = 0; c < query->ncaches; c++) {
        const double part = (double)counts.missed[c] / nnz;
        out->misses[c] = part < 1 ? part : 1;
        if (counts.known[c] > 0)
            out->sequential[c] = out->misses[c] * (double)counts.sequential[c] / (double)counts.known[c];
    }
out:
    advise_room_clear(&own);
    return status;
}
