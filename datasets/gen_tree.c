/* A random tensor, slice by slice.
 *
 * A node is the set of entries that share their first m coordinates; it has to hold n entries, and hands them
 * on to children, one for each coordinate of mode m that it uses. All of mode 0, and a node of more than
 * GEN_LOCAL entries, goes through every coordinate of its mode in order and deals the entries out in
 * proportion to Zipf's law (gen_share): nothing is kept. A smaller node draws coordinates, sorts them, and
 * deals its entries out to those that are different. In either case no child gets more entries than it has
 * cells, and the numbers add up, so the tensor has the number of entries that was asked for. Each node has a
 * random stream of its own, given by its coordinates.
 *
 * Fibers: let P(m) be the number of different prefixes of m + 1 coordinates. A node of n entries of which
 * 1 + (n - 1) t children are wanted, t = (P(m) - P(m-1)) / (nnz - P(m-1)), gives P(m) of them in all. */
#include <string.h>

#include "gen_internal.h"
#include "gen_zipf.h"
#include "tsr_alloc.h"

enum {
    GEN_LOCAL = 1 << 19, /* entries of a node that is drawn and sorted */
    NROUNDS = 4,         /* of drawing, until what is still missing is spread evenly */
    NPICKS = (NROUNDS + 1) * GEN_LOCAL,
    NCHUNK = 1 << 12, /* entries handed to the sink at once by a leaf that keeps nothing */
};

#define NATURAL UINT64_MAX /* of `split`: as many children as there are different draws */

typedef struct tree_level {
    gen_zipf zipf;
    gen_share share;   /* of the node of this level that is being dealt out */
    uint64_t split;    /* t in units of 2^-32, or NATURAL */
    uint64_t capacity; /* cells of a child: the product of the later dims, UINT64_MAX when larger */
    uint32_t *picks;   /* NPICKS */
    uint32_t *counts;  /* GEN_LOCAL, of the children in picks */
} tree_level;

typedef struct tree {
    const tsr_gen_shape *shape;
    gen_sink *sink;
    tree_level *levels; /* one per mode */
    uint32_t *spare;    /* NPICKS, for sorting */
    uint64_t prefix[TSR_MAX_ORDER];
} tree;

/* A node: what it must hold. */
typedef struct tree_node {
    int mode;
    uint64_t n; /* entries, 1 <= n <= cells */
    uint64_t seed;
    bool corner; /* it holds the last cell of all */
} tree_node;

static tsr_status walk(tree *t, tree_node node, tsr_error *err);

static tree_node child_of(const tree *t, const tree_node *node, uint64_t crd, uint64_t n)
{
    return (tree_node){.mode = node->mode + 1,
                       .n = n,
                       .seed = gen_child_seed(node->seed, crd),
                       .corner = node->corner && crd == t->shape->dims[node->mode] - 1};
}

/* ---- dealt out over all coordinates ---- */

/* Entries for each coordinate, asked for in order: tokens (one for each child that is wanted, several to the
 * heavy ones) by Zipf's law, entries in proportion to tokens, and what does not fit where there is room. */
typedef struct dealing {
    uint64_t tokens, ntokens_dealt, entries; /* in all; so far; in all */
    uint64_t excess, room, room_passed;      /* above capacity; free below it; so far */
} dealing;

static uint64_t upto(const dealing *d)
{
    return d->tokens == d->entries ? d->ntokens_dealt : gen_muldiv(d->entries, d->ntokens_dealt, d->tokens);
}

/* What coordinate crd gets, whatever the capacity. */
static uint64_t deal_raw(const tree *t, const tree_node *node, dealing *d, uint64_t crd)
{
    const tree_level *level = &t->levels[node->mode];
    const uint64_t before = upto(d);
    d->ntokens_dealt += gen_share_of(&level->share, &level->zipf, crd);
    d->ntokens_dealt += node->corner && crd == t->shape->dims[node->mode] - 1;
    return upto(d) - before;
}

static uint64_t deal(const tree *t, const tree_node *node, dealing *d, uint64_t crd)
{
    const uint64_t capacity = t->levels[node->mode].capacity, n = deal_raw(t, node, d, crd);
    if (d->excess == 0)
        return n;
    if (n >= capacity)
        return capacity;
    const uint64_t before = gen_muldiv(d->excess, d->room_passed, d->room);
    d->room_passed += capacity - n;
    return n + gen_muldiv(d->excess, d->room_passed, d->room) - before;
}

static void deal_begin(tree *t, const tree_node *node, dealing *d)
{
    tree_level *level = &t->levels[node->mode];
    const uint64_t dim = t->shape->dims[node->mode];
    *d = (dealing){.tokens = node->n, .entries = node->n};
    if (node->mode > 0 && level->split != NATURAL && level->capacity > 1)
        d->tokens = 1 + gen_muldiv(node->n - 1, level->split, UINT64_C(1) << 32);
    gen_share_init(&level->share, &level->zipf, d->tokens - node->corner, gen_mix(node->seed));
    if (level->capacity >= node->n)
        return;
    for (uint64_t crd = 0; crd < dim; crd++) {
        const uint64_t n = deal_raw(t, node, d, crd);
        d->excess += n > level->capacity ? n - level->capacity : 0;
        d->room += n < level->capacity ? level->capacity - n : 0;
    }
    d->ntokens_dealt = 0;
}

static tsr_status walk_all(tree *t, const tree_node *node, tsr_error *err)
{
    const int mode = node->mode;
    const bool leaf = mode == t->shape->order - 1;
    uint32_t last[NCHUNK];
    size_t nlast = 0;
    gen_rng rng = {gen_child_seed(node->seed, UINT64_MAX)};
    dealing d;
    deal_begin(t, node, &d);
    for (uint64_t crd = 0; crd < t->shape->dims[mode]; crd++) {
        const uint64_t n = deal(t, node, &d, crd);
        if (n == 0)
            continue;
        if (leaf) {
            last[nlast++] = (uint32_t)crd;
        } else {
            t->prefix[mode] = crd;
            TSR_TRY(walk(t, child_of(t, node, crd, n), err));
        }
        if (nlast == NCHUNK) {
            TSR_TRY(gen_sink_fiber(t->sink, (tsr_shape){mode, t->prefix}, last, nlast, &rng, err));
            nlast = 0;
        }
    }
    return gen_sink_fiber(t->sink, (tsr_shape){mode, t->prefix}, last, nlast, &rng, err);
}

/* ---- drawn ---- */

/* Where the last coordinates of a leaf may lie. */
static void leaf_range(uint64_t *lo, uint64_t *hi, const tree *t, const tree_node *node)
{
    const tsr_gen_shape *shape = t->shape;
    const uint64_t dim = shape->dims[shape->order - 1];
    *lo = 0;
    *hi = dim;
    if (shape->band == 0 || shape->order == 1)
        return;
    uint64_t width = gen_muldiv(dim, shape->band, 1000000) + 1;
    width = width < 2 * node->n ? 2 * node->n : width; /* room for what must lie in it */
    if (width >= dim)
        return;
    const uint64_t centre = gen_muldiv(dim, 2 * t->prefix[0] + 1, 2 * shape->dims[0]);
    *lo = centre > width / 2 ? centre - width / 2 : 0;
    *lo = *lo > dim - width || node->corner ? dim - width : *lo;
    *hi = *lo + width;
}

static uint64_t draw(const tree *t, const tree_node *node, uint64_t lo, uint64_t hi, gen_rng *rng)
{
    if (hi - lo < t->shape->dims[node->mode])
        return lo + gen_below(rng, hi - lo);
    return gen_zipf_draw(&t->levels[node->mode].zipf, rng);
}

static uint64_t draw_run(const tsr_gen_shape *shape, gen_rng *rng)
{
    if (shape->run <= 1000)
        return 1;
    return 1 + gen_below(rng, 2 * shape->run - 1000) / 1000; /* uniform, of mean run / 1000 */
}

static tsr_status walk_leaf(tree *t, const tree_node *node, tsr_error *err)
{
    const size_t n = (size_t)node->n;
    uint32_t *a = t->levels[node->mode].picks;
    size_t have = 0;
    uint64_t lo, hi;
    gen_rng rng = {node->seed};
    leaf_range(&lo, &hi, t, node);
    if (node->corner)
        a[have++] = (uint32_t)(t->shape->dims[node->mode] - 1);
    for (int round = 0; round < NROUNDS && have < n; round++) {
        for (size_t m = have; have < n; m = have) {
            const uint64_t first = draw(t, node, lo, hi, &rng), length = draw_run(t->shape, &rng);
            while (have < n && have - m < length && first + (have - m) < hi) {
                a[have] = (uint32_t)(first + (have - m));
                have++;
            }
        }
        gen_sort(a, have, t->spare);
        have = gen_unique(a, have);
    }
    if (have < n) {
        gen_fill(a, have, n - have, lo, hi);
        gen_sort(a, n, t->spare);
    }
    return gen_sink_fiber(t->sink, (tsr_shape){node->mode, t->prefix}, a, n, &rng, err);
}

/* Draw coordinates until enough are different. Sorted into picks, each as often as it was drawn; *ndifferent.
 */
static size_t draw_children(tree *t, const tree_node *node, size_t *ndifferent, gen_rng *rng)
{
    const tree_level *level = &t->levels[node->mode];
    const uint64_t dim = t->shape->dims[node->mode];
    uint32_t *a = level->picks;
    const uint64_t least = node->n / level->capacity + (node->n % level->capacity > 0); /* that have room */
    uint64_t want = least, first = node->n;
    if (level->split != NATURAL) {
        want = 1 + gen_muldiv(node->n - 1, level->split, UINT64_C(1) << 32) +
               (((node->n - 1) * level->split & UINT32_MAX) > (gen_next(rng) & UINT32_MAX));
        want = want < least ? least : want > dim ? dim : want;
        want = want > node->n ? node->n : want;
        first = want;
    }
    size_t have = 0, different = 0;
    if (node->corner)
        a[have++] = (uint32_t)(dim - 1);
    for (int round = 0; round < NROUNDS && (round == 0 || different < want); round++) {
        const size_t end = round == 0 ? (size_t)first : have + (size_t)want - different;
        while (have < end)
            a[have++] = (uint32_t)gen_zipf_draw(&level->zipf, rng);
        gen_sort(a, have, t->spare);
        different = have > 0;
        for (size_t i = 1; i < have; i++)
            different += a[i] != a[i - 1];
    }
    if (different < want) {
        memcpy(t->spare, a, have * sizeof *a);
        (void)gen_unique(t->spare, have);
        gen_fill(t->spare, different, (size_t)want - different, 0, dim);
        memcpy(a + have, t->spare + different, ((size_t)want - different) * sizeof *a);
        have += (size_t)want - different;
        different = (size_t)want;
        gen_sort(a, have, t->spare);
    }
    *ndifferent = different;
    return have;
}

/* Entries for each of the nchildren different picks: one each, the others in proportion to how often it was
 * drawn; then what is above capacity where there is room. picks is left with each child once. */
static void count_children(const tree_level *level, const tree_node *node, size_t npicks, size_t nchildren)
{
    uint32_t *a = level->picks, *counts = level->counts;
    const uint64_t more = node->n - nchildren;
    uint64_t excess = 0, room = 0, passed = 0;
    size_t child = 0;
    for (size_t i = 0, end; i < npicks; i = end, child++) {
        for (end = i + 1; end < npicks && a[end] == a[i];)
            end++;
        uint64_t n = 1 + more * end / npicks - more * i / npicks;
        if (n > level->capacity) {
            excess += n - level->capacity;
            n = level->capacity;
        }
        room += level->capacity < node->n ? level->capacity - n : 0;
        counts[child] = (uint32_t)n;
        a[child] = a[i];
    }
    for (child = 0; excess > 0 && child < nchildren; child++) {
        const uint64_t before = gen_muldiv(excess, passed, room);
        passed += level->capacity - counts[child];
        counts[child] += (uint32_t)(gen_muldiv(excess, passed, room) - before);
    }
}

static tsr_status walk_drawn(tree *t, const tree_node *node, tsr_error *err)
{
    const tree_level *level = &t->levels[node->mode];
    size_t nchildren;
    gen_rng rng = {node->seed};
    const size_t npicks = draw_children(t, node, &nchildren, &rng);
    count_children(level, node, npicks, nchildren);
    for (size_t i = 0; i < nchildren; i++) {
        t->prefix[node->mode] = level->picks[i];
        TSR_TRY(walk(t, child_of(t, node, level->picks[i], level->counts[i]), err));
    }
    return TSR_OK;
}

static tsr_status walk(tree *t, tree_node node, tsr_error *err)
{
    if (node.mode == 0 || node.n > GEN_LOCAL)
        return walk_all(t, &node, err);
    return node.mode == t->shape->order - 1 ? walk_leaf(t, &node, err) : walk_drawn(t, &node, err);
}

/* ---- beginning ---- */

/* Slices of mode 0 that get an entry. */
static uint64_t count_slices(tree *t, const tree_node *root)
{
    uint64_t n = 0;
    dealing d;
    deal_begin(t, root, &d);
    for (uint64_t crd = 0; crd < t->shape->dims[0]; crd++)
        n += deal(t, root, &d, crd) > 0;
    return n;
}

/* t of every mode, from the mean number of entries per prefix. */
static void set_splits(tree *t, const tree_node *root)
{
    const tsr_gen_shape *shape = t->shape;
    for (int m = 0; m < shape->order; m++)
        t->levels[m].split = NATURAL;
    if (!shape->has_fiber)
        return;
    uint64_t parents = count_slices(t, root);
    for (int m = 1; m < shape->order - 1; m++) {
        uint64_t prefixes = gen_muldiv(shape->nnz, 1000, shape->fiber[m]);
        prefixes = prefixes < parents ? parents : prefixes;
        t->levels[m].split = parents < shape->nnz
                                 ? gen_muldiv(prefixes - parents, UINT64_C(1) << 32, shape->nnz - parents)
                                 : 0;
        parents = prefixes;
    }
}

static tsr_status allocate(tree *t, tsr_error *err)
{
    const int order = t->shape->order;
    void *p;
    TSR_TRY(tsr_alloc_array(&p, (uint64_t)order, sizeof *t->levels, 1, "the levels of a generator", err));
    t->levels = p;
    TSR_TRY(tsr_alloc_array(&p, NPICKS, sizeof *t->spare, 0, "a generator's sorting", err));
    t->spare = p;
    for (int m = 1; m < order; m++) {
        TSR_TRY(tsr_alloc_array(&p, NPICKS, sizeof *t->spare, 0, "a generator's draws", err));
        t->levels[m].picks = p;
        TSR_TRY(tsr_alloc_array(&p, GEN_LOCAL, sizeof *t->spare, 0, "a generator's counts", err));
        t->levels[m].counts = p;
    }
    return TSR_OK;
}

tsr_status gen_tree(gen_sink *sink, const tsr_gen_shape *shape, uint64_t seed, tsr_error *err)
{
    tree t = {.shape = shape, .sink = sink};
    const tree_node root = {.mode = 0, .n = shape->nnz, .seed = gen_mix(seed), .corner = true};
    tsr_status status = allocate(&t, err);
    if (status == TSR_OK) {
        uint64_t capacity = 1;
        for (int m = shape->order - 1; m >= 0; m--) {
            t.levels[m].capacity = capacity;
            capacity = gen_saturating_mul(capacity, shape->dims[m]);
            gen_zipf_init(&t.levels[m].zipf, shape->dims[m], shape->skew[m],
                          gen_child_seed(seed, UINT64_C(1) << 40 | (uint64_t)m));
        }
        set_splits(&t, &root);
        status = walk(&t, root, err);
    }
    for (int m = 0; t.levels && m < shape->order; m++) {
        tsr_free(t.levels[m].picks);
        tsr_free(t.levels[m].counts);
    }
    tsr_free(t.levels);
    tsr_free(t.spare);
    return status;
}
