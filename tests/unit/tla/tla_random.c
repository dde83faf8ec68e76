#include "tla_random.h"

enum { MAX_LEAVES = 4, MAX_SIZE = 5 };

/* A random nesting of leaves [first, last), the same for shape and stride. */
static tsr_tla nest(tsr_arena *arena, tsr_rng *rng, const tsr_tla *leaves, int first, int last, int depth)
{
    tsr_tla modes[MAX_LEAVES], out;
    int n = 0;
    if (last - first == 1 && (depth == 3 || tsr_rng_below(rng, 3) > 0))
        return leaves[first];
    for (int at = first; at < last;) {
        int end = at + 1 + (int)tsr_rng_below(rng, (uint64_t)(last - at));
        if (depth == 3)
            end = at + 1;
        modes[n++] = depth == 3 ? leaves[at] : nest(arena, rng, leaves, at, end, depth + 1);
        at = end;
    }
    assert_ok(tsr_tla_concat(&out, arena, n, modes, err));
    return out;
}

tsr_tla tla_random(tsr_arena *arena, tsr_rng *rng, tla_kind kind)
{
    tsr_tla leaves[MAX_LEAVES];
    int64_t shape[MAX_LEAVES], stride[MAX_LEAVES], step = 1;
    int order[MAX_LEAVES];
    const int n = 1 + (int)tsr_rng_below(rng, MAX_LEAVES);
    for (int i = 0; i < n; i++) {
        const int at = (int)tsr_rng_below(rng, (uint64_t)i + 1);
        order[i] = order[at];
        order[at] = i;
        shape[i] = 1 + (int64_t)tsr_rng_below(rng, MAX_SIZE);
    }
    for (int k = 0; k < n; k++) {
        if (kind == TLA_GAPS)
            step *= 1 + (int64_t)tsr_rng_below(rng, 3);
        stride[order[k]] = kind == TLA_ANY ? (int64_t)tsr_rng_below(rng, 13) : step;
        step *= shape[order[k]];
    }
    for (int i = 0; i < n; i++) {
        const tsr_tuple *s, *d;
        assert_ok(tsr_tuple_int(&s, arena, shape[i], err));
        assert_ok(tsr_tuple_int(&d, arena, stride[i], err));
        assert_ok(tsr_tla_make(&leaves[i], s, d, NULL, err));
    }
    return nest(arena, rng, leaves, 0, n, 0);
}

static void collect(const tsr_tuple **leaves, int *n, const tsr_tuple *tuple)
{
    if (tuple->kind == TSR_TUPLE_INT)
        leaves[(*n)++] = tuple;
    for (int i = 0; i < tuple->n; i++)
        collect(leaves, n, tuple->x[i]);
}

int64_t tla_oracle(const tsr_tla *layout, int64_t c)
{
    const tsr_tuple *shape[TSR_TLA_MAX_LEAVES], *stride[TSR_TLA_MAX_LEAVES];
    int n = 0, same = 0;
    int64_t offset = 0;
    collect(shape, &n, layout->shape);
    collect(stride, &same, layout->stride);
    assert_int_equal(n, same);
    for (int i = 0; i < n; i++) {
        offset += (i == n - 1 ? c : c % shape[i]->v) * stride[i]->v;
        c /= shape[i]->v;
    }
    return offset;
}

const char *tla_text(const tsr_tla *layout)
{
    static char ring[8][512];
    static int next;
    tsr_text text = {0};
    char *buf = ring[next++ % 8];
    tsr_tla_print(&text, layout);
    snprintf(buf, sizeof ring[0], "%s", tsr_text_cstr(&text));
    tsr_text_clear(&text);
    return buf;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t *tla_sorted_offsets(const tsr_tla *layout)
{
    const int64_t size = tsr_tla_size(layout);
    int64_t *offsets = malloc((size_t)size * sizeof *offsets);
    assert_non_null(offsets);
    for (int64_t c = 0; c < size; c++)
        offsets[c] = tla_oracle(layout, c);
    qsort(offsets, (size_t)size, sizeof *offsets, compare);
    return offsets;
}

bool tla_is_injective(const tsr_tla *layout)
{
    int64_t *offsets = tla_sorted_offsets(layout);
    bool injective = true;
    for (int64_t c = 1; c < tsr_tla_size(layout); c++)
        injective &= offsets[c - 1] < offsets[c];
    free(offsets);
    return injective;
}
