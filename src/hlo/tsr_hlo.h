/* Indexing analysis of HLO text: which elements of an operand an operation reads for an element of its
 * output, and the reverse, as index maps.
 *
 *     p0 = f32[4,8] parameter(0)
 *     ROOT r = f32[32] reshape(p0)     r reads p0 by (d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]
 *
 * The text is one or several instructions, or computations `name { ... }` of instructions. The entry is the
 * computation marked ENTRY, else the instructions outside all braces, else the last computation. The root of
 * a computation is the instruction marked ROOT, else its last instruction. Instructions may be separated by a
 * newline, a blank or a ';'. Names may begin with %, and operands may repeat their shapes. Comments and
 * HloModule lines are skipped. Instructions and computations must be defined before their use.
 *
 * Source: the XLA document "Indexing analysis". */
#ifndef TSR_HLO_H
#define TSR_HLO_H

#include "tsr_map.h"
#include "tsr_map_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_hlo tsr_hlo;

/* Parse HLO text. TSR_SYNTAX with line and column for text that is not HLO; TSR_UNSUPPORTED for tuples inside
 * tuples; TSR_LIMIT for dims over 64 bits and other limits. Operations and attributes are checked later, by
 * the functions that need them. */
tsr_status tsr_hlo_parse(tsr_hlo **out, const char *text, tsr_error *err) TSR_NODISCARD;
void tsr_hlo_free(tsr_hlo *hlo);

/* ---- instructions, numbered in text order ---- */

/* The root of the entry. */
int tsr_hlo_root(const tsr_hlo *hlo);
int tsr_hlo_ninstructions(const tsr_hlo *hlo);
/* The last instruction with that name (without %), or -1. */
int tsr_hlo_find(const tsr_hlo *hlo, const char *name);
const char *tsr_hlo_name(const tsr_hlo *hlo, int instruction);
const char *tsr_hlo_opcode(const tsr_hlo *hlo, int instruction);
int tsr_hlo_noperands(const tsr_hlo *hlo, int instruction);
int tsr_hlo_operand(const tsr_hlo *hlo, int instruction, int operand);
/* The number of outputs: 1, or the size of the tuple. */
int tsr_hlo_noutputs(const tsr_hlo *hlo, int instruction);
/* The number of dims of an output; dims (TSR_XLA_MAX_RANK entries; may be NULL) receives the dims. */
int tsr_hlo_dims(uint64_t *dims, const tsr_hlo *hlo, int instruction, int output);

/* ---- indexing ---- */

/* The source of the value of a runtime symbol: the instruction, and the coordinates in its output. */
typedef struct tsr_hlo_runtime {
    int instruction;
    /* from the variables of the map that has the symbol to the coordinates in the instruction's output */
    tsr_map *map;
} tsr_hlo_runtime;

/* One way in which elements of one tensor are read for those of another. */
typedef struct tsr_hlo_index {
    tsr_map *map;             /* simplified, without unused symbols; NULL: unknown indexing */
    char why[96];             /* if unknown: the operation and the reason */
    int nruntime;             /* number of runtime symbols of map */
    tsr_hlo_runtime *runtime; /* nruntime entries, in the order of the symbols */
    /* from the variables of map to the replica whose tensor is read; NULL: the own replica */
    tsr_map *replica;
} tsr_hlo_index;

/* All ways, each once. No ways: nothing is read. */
typedef struct tsr_hlo_indexing {
    int n;
    tsr_hlo_index *index; /* n entries */
} tsr_hlo_indexing;
void tsr_hlo_indexing_clear(tsr_hlo_indexing *indexing);

/* An output and an operand of an instruction, by number. */
typedef struct tsr_hlo_edge {
    int instruction, output, operand;
} tsr_hlo_edge;
/* How the output reads the operand, as maps from output to operand coordinates.
 * A fusion reads the elements that its operations read, one after the other. An instruction without operands
 * (parameter, constant, iota) reads a scalar as its operand 0: (d0, d1) -> (), and in the reverse direction
 * ()[s0, s1] -> (s0, s1). A scan: an output at d reads the inputs from the first element up to d (is_reverse:
 * from d on), since its value depends on them. XLA's own maps (2026) describe one step of the loop instead:
 * the output at d reads the input at d and the carry of the step before, (d0) -> (). physical: coordinates
 * are those of the arrays in memory, dims from major to minor by their layouts. TSR_ARGUMENT if shapes and
 * attributes do not fit together, or there is no such operand; TSR_LIMIT if there are too many ways. An
 * operation without known maps is not an error: its indexing is unknown. */
tsr_status tsr_hlo_output_to_input(tsr_hlo_indexing *out, const tsr_hlo *hlo, tsr_hlo_edge edge,
                                   bool physical, tsr_error *err) TSR_NODISCARD;
/* The reverse: the elements of the output for which each element of the operand is read. */
tsr_status tsr_hlo_input_to_output(tsr_hlo_indexing *out, const tsr_hlo *hlo, tsr_hlo_edge edge,
                                   bool physical, tsr_error *err) TSR_NODISCARD;
/* How output `output` of `from` reads output 0 of `to`, an earlier instruction of the same computation,
 * through all instructions between them. The map from an instruction to itself is the identity. */
tsr_status tsr_hlo_reads(tsr_hlo_indexing *out, const tsr_hlo *hlo, int from, int output, int to,
                         tsr_error *err) TSR_NODISCARD;
/* The elements of output `output` of `to`, a later instruction of the same computation, for which the
 * elements of output 0 of `from` are read. */
tsr_status tsr_hlo_writes(tsr_hlo_indexing *out, const tsr_hlo *hlo, int from, int to, int output,
                          tsr_error *err) TSR_NODISCARD;

/* Append one way as text: the map or `unknown indexing (why)`; then a line for each runtime symbol, `rt0 =
 * indices[d0, 0]`, and for the replica, `replica[d0 floordiv 128]`. No newline at the end. */
void tsr_hlo_print_index(tsr_text *text, const tsr_hlo *hlo, const tsr_hlo_index *index);

#ifdef __cplusplus
}
#endif
#endif
