/* Runs of equal values: a position is a run of neighbouring coordinates that have the same value, bit by bit.
 * The runs of parent p are the positions pos[p] .. pos[p+1]-1.
 *
 *   filled_runs    the runs of a parent cover all its coordinates; end[q] is the coordinate after run q, and the run
 *           begins where the one before it ends. Absent cells belong to runs with the fill as value
 *   stored_runs    runs of stored values: start[q] .. end[q]-1
 *
 * Only the last level can have this type. */
#include <inttypes.h>

#include "level_internal.h"
#include "tsr_level_walk.h"

/* A run that is being made. */
typedef struct run_maker {
    tsr_level *level;
    const tsr_level_entries *e;
    bool whole, stores;         /* runs cover the parent; write the arrays, or only count */
    uint64_t n;                 /* runs so far */
    uint64_t at;                /* the coordinate after the last run of this parent */
    const unsigned char *value; /* of the last run of this parent; NULL: there is none */
} run_maker;

static const unsigned char *value_of(const tsr_level_entries *e, uint64_t i)
{
    const tsr_array *values = e->values;
    return (const unsigned char *)values->data + (values->n == 1 ? 0 : i * values->width);
}

/* Add the cells [lo, hi) with this value. */
static void add_cells(run_maker *m, uint64_t lo, uint64_t hi, const unsigned char *value)
{
    if (m->value && m->at == lo && memcmp(m->value, value, m->e->values->width) == 0) {
        m->n--; /* longer */
    } else if (m->stores && !m->whole) {
        tsr_array_set(&m->level->start, m->n, lo);
    }
    if (m->stores)
        tsr_array_set(&m->level->end, m->n, hi);
    m->n++;
    m->at = hi;
    m->value = value;
}

/* Add the gap before coordinate c. */
static void add_gap(run_maker *m, uint64_t c)
{
    if (m->whole && m->at < c)
        add_cells(m, m->at, c, m->e->fill);
}

/* Make the runs of all parents; position[i] becomes the run of entry i where m->stores. */
static void make_runs(run_maker *m)
{
    const tsr_level_entries *e = m->e;
    uint64_t i = 0;
    m->n = 0;
    for (uint64_t p = 0; p < m->level->nparents; p++) {
        const uint64_t next = i < e->n ? e->position[i] : m->level->nparents;
        if (!m->stores &&
            p < next) { /* parents without entries may be more than could be counted one by one */
            m->n += m->whole && m->level->size > 0 ? next - p : 0;
            p = next - 1;
            continue;
        }
        m->at = 0;
        m->value = NULL;
        if (m->stores)
            tsr_array_set(&m->level->pos, p, m->n);
        for (; i < e->n && e->position[i] == p; i++) {
            add_gap(m, e->coord[i]);
            add_cells(m, e->coord[i], e->coord[i] + 1, value_of(e, i));
            if (m->stores)
                e->position[i] = m->n - 1;
        }
        add_gap(m, m->level->size);
    }
    if (m->stores)
        tsr_array_set(&m->level->pos, m->level->nparents, m->n);
}

static tsr_status assemble(tsr_level *level, tsr_level_entries *e, bool whole, int index, tsr_error *err)
{
    run_maker m = {.level = level, .e = e, .whole = whole};
    for (uint64_t i = 1; i < e->n; i++)
        if (e->position[i] < e->position[i - 1])
            return tsr_fail(err, TSR_ARGUMENT,
                            "level %d (%s): the level above must store its children in order", index,
                            level->type->name);
    make_runs(&m);
    level->npos = m.n;
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_POS, level->nparents + 1, level->npos, LEVEL_UNDEFINED},
                       &e->room, index, err));
    TSR_TRY(level_make(level, (level_want){TSR_LEVEL_END, level->npos, level->size, LEVEL_UNDEFINED},
                       &e->room, index, err));
    if (!whole)
        TSR_TRY(level_make(level, (level_want){TSR_LEVEL_START, level->npos, level->size, LEVEL_UNDEFINED},
                           &e->room, index, err));
    m.stores = true;
    make_runs(&m);
    return TSR_OK;
}

static tsr_status runs_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    return assemble(level, e, true, index, err);
}

static tsr_status srun_assemble(tsr_level *level, tsr_level_entries *e, int index, tsr_error *err)
{
    return assemble(level, e, false, index, err);
}

/* The first coordinate of run q of a parent whose runs begin at `first`. */
static uint64_t start_of(const tsr_level *level, uint64_t q, uint64_t first)
{
    if (level->start.data)
        return tsr_array_get(&level->start, q);
    return q > first ? tsr_array_get(&level->end, q - 1) : 0;
}

static uint64_t runs_spread(const tsr_level *level, uint64_t position)
{
    const uint64_t first =
        level->start.data ? 0 : tsr_array_get(&level->pos, level_find(&level->pos, position));
    return tsr_array_get(&level->end, position) - start_of(level, position, first);
}

static void runs_climb(const tsr_level *level, uint64_t *position, uint64_t *coord, size_t n)
{
    uint64_t parent = 0, first = 1, end = 0;
    for (size_t i = 0; i < n; i++) {
        if (position[i] < first || position[i] >= end) {
            parent = level_find(&level->pos, position[i]);
            first = tsr_array_get(&level->pos, parent);
            end = tsr_array_get(&level->pos, parent + 1);
        }
        coord[i] += start_of(level, position[i], first);
        position[i] = parent;
    }
}

static tsr_status runs_check(const tsr_level *level, int index, bool in_group, tsr_error *err)
{
    const bool whole = !tsr_level_array_row(level->type, TSR_LEVEL_START);
    (void)in_group;
    TSR_TRY(level_check_pos(level, index, err));
    TSR_TRY(level_check_array(level, TSR_LEVEL_END, level->npos, index, err));
    if (!whole)
        TSR_TRY(level_check_array(level, TSR_LEVEL_START, level->npos, index, err));
    for (uint64_t p = 0; p < level->nparents; p++) {
        const uint64_t last = tsr_array_get(&level->pos, p + 1);
        uint64_t at = 0;
        for (uint64_t q = tsr_array_get(&level->pos, p); q < last; q++) {
            const uint64_t lo = whole ? at : tsr_array_get(&level->start, q),
                           hi = tsr_array_get(&level->end, q);
            if (lo < at || hi <= lo || hi > level->size)
                return tsr_fail(err, TSR_CORRUPT,
                                "level %d: run %" PRIu64 " of parent %" PRIu64 " is [%" PRIu64 ", %" PRIu64
                                "), but runs follow each other within [0, %" PRIu64 ")",
                                index, q, p, lo, hi, level->size);
            at = hi;
        }
        if (whole && at != level->size)
            return tsr_fail(err, TSR_CORRUPT,
                            "level %d: the runs of parent %" PRIu64 " end at %" PRIu64
                            ", but must cover %" PRIu64 " coordinates",
                            index, p, at, level->size);
    }
    return TSR_OK;
}

/* A loop over the runs of the parent; [first, end) of a run: from `before`, which is NULL where start is
 * stored. */
static void open_cells(tsr_level_walk *walk, const tsr_ir_expr *first)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *end = tsr_ir_load_index(ir, walk->array[TSR_LEVEL_END], walk->position);
    walk->coordinate = tsr_ir_for(ir, walk->crd_name, first, end, 0);
    walk->nblocks = 2;
}

static const tsr_ir_expr *open_runs(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *lo = tsr_level_name(walk, "begin", tsr_level_begin_pos(walk, walk->parent));
    const tsr_ir_expr *hi = tsr_level_begin_pos(walk, tsr_ir_add(ir, walk->parent, tsr_ir_index(ir, 1)));
    tsr_level_for_positions(walk, lo, hi);
    return lo;
}

static void srun_open(tsr_level_walk *walk)
{
    open_runs(walk);
    open_cells(walk, tsr_ir_load_index(walk->ir, walk->array[TSR_LEVEL_START], walk->position));
}

/* The first coordinate is 0 in the first run of a parent. All operands of a select are evaluated, so the load
 * is from the run itself there. */
static void runs_open(tsr_level_walk *walk)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *lo = open_runs(walk), *q = walk->position, *one = tsr_ir_index(ir, 1);
    const tsr_ir_expr *is_first = tsr_ir_op2(ir, TSR_IR_EQ, q, lo);
    const tsr_ir_expr *before = tsr_ir_select(ir, is_first, q, tsr_ir_sub(ir, q, one));
    const tsr_ir_expr *end = tsr_ir_load_index(ir, walk->array[TSR_LEVEL_END], before);
    open_cells(walk, tsr_level_name(walk, "first", tsr_ir_select(ir, is_first, tsr_ir_index(ir, 0), end)));
}

/* In the first run that ends behind the coordinate. */
static void runs_find(tsr_level_walk *walk, const tsr_ir_expr *coordinate)
{
    tsr_ir_builder *ir = walk->ir;
    const tsr_ir_expr *const one = tsr_ir_index(ir, 1), *const first =
                                                            tsr_level_begin_pos(walk, walk->parent);
    const tsr_ir_expr *const end =
        tsr_level_name(walk, "end", tsr_level_begin_pos(walk, tsr_ir_add(ir, walk->parent, one)));
    walk->position =
        tsr_level_search(walk, TSR_LEVEL_END, (tsr_ir_range){first, end}, tsr_ir_add(ir, coordinate, one));
    tsr_ir_if(ir, tsr_ir_op2(ir, TSR_IR_LT, walk->position, end));
    walk->nblocks++;
    if (!walk->array[TSR_LEVEL_START])
        return;
    tsr_ir_if(ir,
              tsr_ir_op2(ir, TSR_IR_LE, tsr_ir_load_index(ir, walk->array[TSR_LEVEL_START], walk->position),
                         coordinate));
    walk->nblocks++;
}

static const tsr_level_walker runs_walker = {.open = runs_open,
                                             .find = runs_find,
                                             .begin = tsr_level_begin_pos},
                              srun_walker = {
                                  .open = srun_open, .find = runs_find, .begin = tsr_level_begin_pos};

const tsr_level_type tsr_level_filled_runs = {
    .name = "filled_runs",
    .rule = "runs of equal values that cover each parent",
    .is_ordered = true,
    .is_grouped = true,
    .by_value = true,
    .repeats = true,
    .arrays = {{.name = "pos",
                .role = TSR_LEVEL_POS,
                .length = TSR_PER_PARENT_AND_ONE,
                .content = TSR_HOLDS_POSITIONS},
               {.name = "end", .role = TSR_LEVEL_END, .length = TSR_PER_POSITION, .content = TSR_HOLDS_ENDS}},
    .npos = level_depends,
    .assemble = runs_assemble,
    .climb = runs_climb,
    .spread = runs_spread,
    .check = runs_check,
    .walker = &runs_walker,
};

const tsr_level_type tsr_level_stored_runs = {
    .name = "stored_runs",
    .rule = "runs of equal stored values",
    .is_ordered = true,
    .is_grouped = true,
    .is_compact = true,
    .repeats = true,
    .arrays =
        {{.name = "pos",
          .role = TSR_LEVEL_POS,
          .length = TSR_PER_PARENT_AND_ONE,
          .content = TSR_HOLDS_POSITIONS},
         {.name = "start", .role = TSR_LEVEL_START, .length = TSR_PER_POSITION, .content = TSR_HOLDS_ENDS},
         {.name = "end", .role = TSR_LEVEL_END, .length = TSR_PER_POSITION, .content = TSR_HOLDS_ENDS}},
    .npos = level_depends,
    .assemble = srun_assemble,
    .climb = runs_climb,
    .spread = runs_spread,
    .check = runs_check,
    .walker = &srun_walker,
};
