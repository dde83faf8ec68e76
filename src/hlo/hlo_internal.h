/* What the files of the HLO analysis share: the parsed text, the queries that operations answer, and sets of
 * maps. */
#ifndef HLO_INTERNAL_H
#define HLO_INTERNAL_H

#include "tsr_arena.h"
#include "tsr_hlo.h"
#include "tsr_xla.h"

typedef struct hlo_shape {
    int rank;
    uint64_t dims[TSR_XLA_MAX_RANK];
    int order[TSR_XLA_MAX_RANK]; /* dims, minor to major */
    bool tiled;
} hlo_shape;

static inline tsr_shape hlo_dims(const hlo_shape *shape)
{
    return (tsr_shape){shape->rank, shape->dims};
}

/* name=value: both are spans of the copied text. */
typedef struct hlo_attribute {
    const char *name, *value;
    size_t name_nbytes, value_nbytes;
    struct hlo_attribute *next;
} hlo_attribute;

typedef struct hlo_instruction {
    const char *name, *opcode; /* in the arena */
    int computation;
    int noutputs, noperands;
    hlo_shape *shapes; /* noutputs entries, in the arena */
    int *operands;     /* noperands entries, in the arena */
    hlo_attribute *attributes;
    const char *literal; /* constant or parameter: the text in the parentheses, a span */
    size_t literal_nbytes;
    int same_bucket; /* the next instruction in the same hash bucket, or -1 */
} hlo_instruction;

typedef struct hlo_computation {
    const char *name; /* NULL: the instructions outside all braces */
    int first,
        /* its instructions are in [first, end); instructions of other computations may be among those outside
         * braces */
        end;
    int root;           /* -1: no root yet */
    bool entry, marked; /* it is the ENTRY; the root is marked ROOT */
} hlo_computation;

enum { HLO_NBUCKETS = 1 << 12, HLO_MAX_OPERANDS = 4096, HLO_MAX_INSTRUCTIONS = 1 << 20 };

struct tsr_hlo {
    tsr_arena arena;
    char *text; /* the copied text that spans point into */
    hlo_instruction *instructions;
    int ninstructions, instructions_capacity;
    hlo_computation *computations;
    int ncomputations, computations_capacity;
    int entry;
    int buckets[HLO_NBUCKETS]; /* the newest instruction of each bucket, or -1 */
};

/* ---- hlo_parse.c ---- */

/* The computation with that name, or -1. */
int hlo_find_computation(const tsr_hlo *hlo, const char *name, size_t n);

/* ---- hlo_attributes.c: each function fails with TSR_ARGUMENT and names the instruction ---- */

const hlo_attribute *hlo_attribute_of(const hlo_instruction *in, const char *name);
/* Parse {1, 0}: *n numbers >= 0, at most max. A missing attribute has 0 numbers. */
tsr_status hlo_ints(int64_t *out, int *n, int max, const hlo_instruction *in, const char *name,
                    tsr_error *err) TSR_NODISCARD;
/* The same for at most TSR_XLA_MAX_RANK dims: different numbers, each less than `below`. */
tsr_status hlo_dim_list(int *out, int *n, int below, const hlo_instruction *in, const char *name,
                        tsr_error *err) TSR_NODISCARD;
/* Parse a single number >= 0; `otherwise` if the attribute is missing. */
tsr_status hlo_int(int64_t *out, int64_t otherwise, const hlo_instruction *in, const char *name,
                   tsr_error *err) TSR_NODISCARD;
bool hlo_flag(const hlo_instruction *in, const char *name);
/* Parse slice={[5:10:1], [3:20:7]}, padding=1_4_1x4_8_0, window={size=1x512 ...}: n entries each. */
tsr_status hlo_slices(tsr_slice *out, int n, const hlo_instruction *in, tsr_error *err) TSR_NODISCARD;
tsr_status hlo_paddings(tsr_padding *out, int n, const hlo_instruction *in, tsr_error *err) TSR_NODISCARD;
tsr_status hlo_windows(tsr_index_window *out, int n, const hlo_instruction *in, tsr_error *err) TSR_NODISCARD;
/* Parse dim_labels=b01f_i01o->b01f, for nspatial + 2 dims, into the roles in c and the three lists of
 * indices. */
tsr_status hlo_dim_labels(tsr_convolution *c, int *base, int *kernel, int *output, const hlo_instruction *in,
                          tsr_error *err) TSR_NODISCARD;
/* The value of constant(42), an integer; false for other instructions. */
bool hlo_integer(int64_t *out, const hlo_instruction *in);

/* ---- hlo_indexing.c: sets of maps ---- */

enum { HLO_MAX_WAYS = 256, HLO_BUDGET = 1 << 13 };

/* The number of compositions that an analysis may still make: nested fusions could need very many. */
typedef struct hlo_work {
    const tsr_hlo *hlo;
    int budget;
} hlo_work;

void hlo_index_clear(tsr_hlo_index *index);
/* Move *index into the set, unless the set contains it already; on failure it is freed. */
tsr_status hlo_take(tsr_hlo_indexing *set, tsr_hlo_index *index, tsr_error *err) TSR_NODISCARD;
/* Move a map without symbols into the set; on failure it is freed. */
tsr_status hlo_take_map(tsr_hlo_indexing *set, tsr_map *map, tsr_error *err) TSR_NODISCARD;
/* Add unknown indexing: "<opcode>: <words>". */
tsr_status hlo_take_unknown(tsr_hlo_indexing *set, const hlo_instruction *in, const char *words,
                            tsr_error *err) TSR_NODISCARD;
/* outer after inner: the results of inner's map are the dims of outer's. Runtime symbols with known values
 * are replaced. The result is simplified, unless inner is the identity and outer is not simplified. */
tsr_status hlo_compose(tsr_hlo_index *out, hlo_work *work, const tsr_hlo_index *outer,
                       const tsr_hlo_index *inner, tsr_error *err) TSR_NODISCARD;
/* Simplify all maps, and drop unused symbols. */
tsr_status hlo_tidy(tsr_hlo_index *index, tsr_error *err) TSR_NODISCARD;
/* Replace runtime symbols by their values where these are known; if there was one, simplify and drop unused
 * symbols. */
tsr_status hlo_refine(tsr_hlo_index *index, hlo_work *work, tsr_error *err) TSR_NODISCARD;
tsr_status hlo_copy(tsr_hlo_index *out, const tsr_hlo_index *index, tsr_error *err) TSR_NODISCARD;

/* ---- hlo_ops.c: single operations ---- */

typedef struct hlo_query {
    hlo_work *work;
    const hlo_instruction *in;
    tsr_map_direction direction;
    int output, operand;
    const hlo_shape *out, *arg; /* shapes of the output and the operand */
} hlo_query;

/* The maps between an output and an operand of an instruction, on logical coordinates. */
tsr_status hlo_indexing_of(tsr_hlo_indexing *set, hlo_work *work, tsr_hlo_edge edge,
                           tsr_map_direction direction, tsr_error *err) TSR_NODISCARD;
const hlo_shape *hlo_operand_shape(const hlo_query *q, int operand);
/* Check that the output has this shape. */
tsr_status hlo_check_output(const hlo_query *q, int n, const uint64_t *dims, tsr_error *err) TSR_NODISCARD;
/* Fail because the operation cannot have this number of operands. */
tsr_status hlo_wrong_operands(const hlo_query *q, tsr_error *err) TSR_NODISCARD;
/* Check that the output has this shape, and move the map into the set; on failure it is freed. */
tsr_status hlo_take_checked(tsr_hlo_indexing *set, const hlo_query *q, tsr_map *map, int n,
                            const uint64_t *dims, tsr_error *err) TSR_NODISCARD;
/* Add the map of a scalar operand, which every output reads. */
tsr_status hlo_take_scalar(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err) TSR_NODISCARD;

typedef tsr_status hlo_answer(tsr_hlo_indexing *set, const hlo_query *q, tsr_error *err);
/* hlo_ops_window.c, hlo_fusion.c */
hlo_answer hlo_reduce_window, hlo_convolution, hlo_dynamic_slice, hlo_dynamic_update, hlo_gather, hlo_fusion;

#endif
