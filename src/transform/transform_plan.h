/* What the transforms_*.c files share: the plan to which steps are added. */
#ifndef TSR_TRANSFORM_PLAN_H
#define TSR_TRANSFORM_PLAN_H

#include "tsr_transforms.h"
#include "tsr_map_ops.h"

typedef enum transform_action_kind {
    TRANSFORM_MOVE,    /* move every entry to where a map takes it */
    TRANSFORM_TABLE,   /* permute one mode by a table */
    TRANSFORM_APPEND,  /* append the entries of another tensor */
    TRANSFORM_COMBINE, /* add the entries in each cell */
    TRANSFORM_EXTREME  /* take the smallest or largest value; absent entries count as 0 */
} transform_action_kind;

typedef struct transform_action {
    transform_action_kind kind;
    tsr_map *map;                 /* move: owned */
    uint64_t dims[TSR_MAX_ORDER]; /* move: of the result */
    uint64_t *table;              /* table: owned */
    tsr_coo *other;               /* append: owned */
    tsr_labels *labels;           /* append: of `other`; owned, may be NULL */
    int mode;                     /* table and append */
    tsr_duplicates rule;          /* combine */
    bool largest;                 /* extreme */
    uint64_t ncells;              /* extreme: the number of cells that become one cell of the result */
} transform_action;

/* The tensor as it will be after the steps so far. */
typedef struct transform_plan {
    tsr_transform_job *job;
    int order;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_type type;
    bool has_fill;
    tsr_map *map; /* from the coordinates after the last action to the present ones; NULL: identity */
    int nactions, capacity;
    transform_action *actions;
} transform_plan;

static inline tsr_shape transform_shape(const transform_plan *plan)
{
    return (tsr_shape){plan->order, plan->dims};
}

/* Append `step`, a map from the coordinates of the plan to those of a tensor of out_dims. Takes ownership
 * of `step`. */
tsr_status transform_plan_map(transform_plan *plan, tsr_map *step, int out_order, const uint64_t *out_dims,
                              tsr_error *err) TSR_NODISCARD;
/* Turn the maps so far into a pass of their own. */
tsr_status transform_plan_flush(transform_plan *plan, tsr_error *err) TSR_NODISCARD;
/* Append an action (after a flush). Takes ownership of what the action owns. */
tsr_status transform_plan_action(transform_plan *plan, const transform_action *action,
                                 tsr_error *err) TSR_NODISCARD;

/* One kind of step. */
typedef struct transform_type {
    const char *option;
    /* Find errors that do not depend on the tensor; may be NULL. */
    tsr_status (*check)(const char *text, tsr_error *err);
    tsr_status (*plan)(transform_plan *plan, const char *text, tsr_error *err);
    bool
        keeps_fill; /* every cell of the result is a cell of the operand, so the step is right for any fill */
} transform_type;
extern const transform_type transform_types[]; /* by tsr_transform_kind */

/* ---- arguments: lists of numbers ---- */

enum { TRANSFORM_MAX_PARTS = 3 };

/* "5", "0:100:2", "::-1", "...": numbers between colons, which may be missing. */
typedef struct transform_item {
    uint64_t col; /* where it stands in the argument */
    int nparts;   /* 0: "..." */
    bool has[TRANSFORM_MAX_PARTS];
    int64_t part[TRANSFORM_MAX_PARTS];
} transform_item;

typedef struct transform_items {
    int n;
    transform_item item[TSR_MAX_ORDER];
} transform_items;

/* Items between commas. max_parts = 1: every item is a number. Only slices may have missing numbers and
 * "...". TSR_SYNTAX with the column in `text`, which begins at `start`. */
tsr_status transform_items_parse(transform_items *items, const char *start, const char *text, int max_parts,
                                 bool slices, tsr_error *err) TSR_NODISCARD;
/* The mode that a number stands for among `order` modes; negative numbers count from the end.
 * TSR_ARGUMENT. */
tsr_status transform_item_mode(int *mode, const transform_item *item, int order,
                               tsr_error *err) TSR_NODISCARD;
/* Flags of the modes in a list of numbers, each at most once. modes (may be NULL): the modes in the order
 * of the list. */
tsr_status transform_items_modes(bool *flags, int *modes, const transform_items *items, int order,
                                 tsr_error *err) TSR_NODISCARD;
/* The table in the file `path`: a permutation of 0..n-1, one number per line. */
tsr_status transform_read_table(uint64_t **out, const char *path, uint64_t n, tsr_error *err) TSR_NODISCARD;

/* Make the labels of coo, which the action has not changed yet, those of the result: a name stays with the index that it
 * names. A mode of the result that mixes several modes has no names. */
tsr_status transform_act_on_labels(tsr_labels *labels, const tsr_coo *coo, const transform_action *action,
                                   tsr_error *err) TSR_NODISCARD;

#endif
