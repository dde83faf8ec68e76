/* Indexing analysis of HLO text: which elements of an operand an operation reads for an element of its
 * output, and the other way round, as index maps.
 *
 *     p0 = f32[4,8] parameter(0)
 *     ROOT r = f32[32] reshape(p0)          r reads p0 by (d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in
 * [0, 31]
 *
 * The text is one or several instructions, or computations `name { ... }` of them, of which ENTRY, else the
 * instructions outside all braces, else the last one, is the entry. ROOT marks a computation's root, else its
 * last instruction is it. Instructions end by themselves; a newline, a blank or a ';' between them is the
 * same. Names may begin with %, and operands may repeat their shapes. Comments and a HloModule line are
 * skipped. Names are known from where they are defined on, those of computations too.
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

/* TSR_SYNTAX with line and column for text that is no HLO; TSR_UNSUPPORTED for tuples inside tuples;
 * TSR_LIMIT for dims over 64 bits and the like. Operations and attributes are looked at later, when they are
 * asked about. */
tsr_status tsr_hlo_parse(tsr_hlo **out, const char *text, tsr_error *err) TSR_NODISCARD;
void tsr_hlo_free(tsr_hlo *hlo);

/* ---- instructions, numbered in the order of the text ---- */

/* The entry's root. */
int tsr_hlo_root(const tsr_hlo *hlo);
int tsr_hlo_ninstructions(const tsr_hlo *hlo);
/* The last instruction of that name (without %), or -1. */
int tsr_hlo_find(const tsr_hlo *hlo, const char *name);
const char *tsr_hlo_name(const tsr_hlo *hlo, int instruction);
const char *tsr_hlo_opcode(const tsr_hlo *hlo, int instruction);
int tsr_hlo_noperands(const tsr_hlo *hlo, int instruction);
int tsr_hlo_operand(const tsr_hlo *hlo, int instruction, int operand);
/* 1, or the size of the tuple. */
int tsr_hlo_noutputs(const tsr_hlo *hlo, int instruction);
/* The shape of an output: its number of dims, and dims (TSR_XLA_MAX_RANK entries; may be NULL). */
int tsr_hlo_dims(uint64_t *dims, const tsr_hlo *hlo, int instruction, int output);

/* ---- indexing ---- */

/* Where the value of a runtime symbol is read. */
typedef struct tsr_hlo_runtime {
    int instruction;
    tsr_map *map; /* from the variables of the map that has the symbol to the instruction's coordinates */
} tsr_hlo_runtime;

/* One way in which elements of one tensor are read for those of another. */
typedef struct tsr_hlo_index {
    tsr_map *map;             /* simplified, without unused symbols; NULL: unknown indexing */
    char why[96];             /* of unknown indexing: the operation, and what about it */
    int nruntime;             /* runtime symbols of map */
    tsr_hlo_runtime *runtime; /* nruntime entries, in the order of the symbols */
    tsr_map *replica;         /* which replica's tensor is read, from map's variables; NULL: the own one */
} tsr_hlo_index;

/* All the ways, none of them twice. None: nothing is read. */
typedef struct tsr_hlo_indexing {
    int n;
    tsr_hlo_index *index; /* n entries */
} tsr_hlo_indexing;
void tsr_hlo_indexing_clear(tsr_hlo_indexing *indexing);

/* How output `output` of the instruction reads operand `operand`. A fusion reads what the operations in it
 * read, one after the other. An instruction without operands (parameter, constant, iota) reads nothing, as
 * its operand 0: (d0, d1) -> (), and the other way round ()[s0, s1] -> (s0, s1).
 * A scan: an output at d reads the inputs from the first element up to d (is_reverse: from d on), which is
 * what its value depends on. XLA's own maps (2026) describe one step of the loop instead: the output at d
 * reads the input at d and what the step before carried, (d0) -> (). physical: coordinates are those of the
 * arrays in memory, dims from major to minor by their layouts. TSR_ARGUMENT when shapes and attributes do not
 * fit together, or there is no such operand; TSR_LIMIT when there are too many ways. An operation that has no
 * maps is no error: its indexing is unknown. */
tsr_status tsr_hlo_output_to_input(tsr_hlo_indexing *out, const tsr_hlo *hlo, int instruction, int output,
                                   int operand, bool physical, tsr_error *err) TSR_NODISCARD;
/* The other way: which elements of output `output` the elements of operand `operand` are read for. */
tsr_status tsr_hlo_input_to_output(tsr_hlo_indexing *out, const tsr_hlo *hlo, int instruction, int operand,
                                   int output, bool physical, tsr_error *err) TSR_NODISCARD;
/* How output `output` of `from` reads output 0 of `to`, an instruction of the same computation before it,
 * through all instructions between them. An instruction reads itself by the identity. */
tsr_status tsr_hlo_reads(tsr_hlo_indexing *out, const tsr_hlo *hlo, int from, int output, int to,
                         tsr_error *err) TSR_NODISCARD;
/* What the elements of output 0 of `from` are read for in output `output` of `to`, an instruction of the same
 * computation behind it. */
tsr_status tsr_hlo_writes(tsr_hlo_indexing *out, const tsr_hlo *hlo, int from, int to, int output,
                          tsr_error *err) TSR_NODISCARD;

/* Append one way as text: the map or `unknown indexing (why)`; then a line for each runtime symbol, `rt0 =
 * indices[d0, 0]`, and for the replica, `replica[d0 floordiv 128]`. No newline at the end. */
void tsr_hlo_print_index(tsr_text *text, const tsr_hlo *hlo, const tsr_hlo_index *index);

#ifdef __cplusplus
}
#endif
#endif
