/* Declarations shared by the binsparse*.c files: the descriptor, which holds the contents of the JSON text
 * of a Binsparse tensor. */
#ifndef BINSPARSE_INTERNAL_H
#define BINSPARSE_INTERNAL_H

#include "container.h"
#include "tsr_brief.h"
#include "tsr_feed.h"

enum { TSR_BSP_MAX_NAME = 31 }; /* of an array */

/* How one storage dimension is stored. */
typedef enum tsr_bsp_kind {
    TSR_BSP_DENSE,
    TSR_BSP_SPARSE, /* the first dimension of a sparse level: indices_k, and pointers_to_k unless k = 0 */
    TSR_BSP_TUPLE   /* a further dimension of the sparse level above: indices_k */
} tsr_bsp_kind;

/* The type string of an array. */
typedef struct tsr_bsp_type {
    bool present;
    tsr_type type; /* of one number: F32, F64, an integer; U8 for bint8 */
    bool bint8;
    bool complex; /* two numbers per value */
    bool iso;     /* one value for all */
} tsr_bsp_type;

/* Arrays of a descriptor have `order` elements. */
typedef struct tsr_bsp_descriptor {
    int order; /* number of storage dimensions: 0..TSR_MAX_LEVELS */
    uint64_t shape[TSR_MAX_LEVELS];
    int transpose[TSR_MAX_LEVELS]; /* transpose[k]: the dimension of shape stored at storage dimension k */
    tsr_bsp_kind kind[TSR_MAX_LEVELS];
    bool unsorted[TSR_MAX_LEVELS]; /* the sparse level that begins here is not sorted */
    uint64_t nstored;              /* number_of_stored_values */
    uint64_t index_base;           /* 0 or 1 */
    tsr_structure structure;
    bool has_fill;
    tsr_bsp_type pointers[TSR_MAX_LEVELS], indices[TSR_MAX_LEVELS], values, fill;
} tsr_bsp_descriptor;

/* The contents of the `tessera` attribute: the format whose storage coordinates the Binsparse tensor
 * holds. */
typedef struct tsr_bsp_origin {
    char *format; /* format text, owned */
    int order;
    uint64_t shape[TSR_MAX_ORDER];
    tsr_structure structure;
    /* of formats that Binsparse cannot express (tsr_bsp_is_foreign); 0: the format is not one of these */
    int nlevels;
    uint64_t npos[TSR_MAX_LEVELS];
    int64_t numbers[TSR_MAX_LEVELS][TSR_LEVEL_MAX_NUMBERS]; /* as the level type lists them; else 0 */
} tsr_bsp_origin;

/* Parse the JSON text of n bytes. TSR_SYNTAX: not JSON, or a key is missing or has the wrong type.
 * TSR_UNSUPPORTED: an unknown version or format. TSR_LIMIT: too many dimensions. TSR_CORRUPT: a
 * contradiction, such as a transpose that is not a permutation. TSR_NOMEM. */
tsr_status tsr_bsp_parse(tsr_bsp_descriptor *out, const char *text, size_t n, tsr_error *err) TSR_NODISCARD;
/* The same for the `tessera` attribute; tsr_bsp_origin_clear frees the result, on failure, too. */
tsr_status tsr_bsp_parse_origin(tsr_bsp_origin *out, const char *text, size_t n,
                                tsr_error *err) TSR_NODISCARD;
void tsr_bsp_origin_clear(tsr_bsp_origin *origin);
/* Append the JSON text. TSR_NOMEM. */
tsr_status tsr_bsp_print(tsr_text *text, const tsr_bsp_descriptor *descriptor, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_bsp_print_origin(tsr_text *text, const tsr_bsp_origin *origin, tsr_error *err) TSR_NODISCARD;

/* The format with the levels of the descriptor, a permutation of its dimensions. */
tsr_status tsr_bsp_format(tsr_format **out, const tsr_bsp_descriptor *descriptor,
                          tsr_error *err) TSR_NODISCARD;
/* Whether Binsparse cannot express the levels: their arrays are stored beside the values. */
bool tsr_bsp_is_foreign(const tsr_format *format);
/* kinds: format->nlevels kinds, one per level. False: Binsparse cannot express one of the levels. */
bool tsr_bsp_kinds(tsr_bsp_kind *kinds, const tsr_format *format);
/* "level_1_slice_pos": the dataset of an array that Binsparse does not have a name for. */
void tsr_bsp_array_name(char name[TSR_BSP_MAX_NAME + 1], int level, const tsr_level_array *row);

/* Read the tensor in the current group of an open file. */
tsr_status tsr_bsp_read(tsr_data *out, tsr_container *c, const tsr_read_options *options,
                        tsr_error *err) TSR_NODISCARD;
/* The same tensor in parts, which own c from now on; it is closed on failure, too. TSR_UNSUPPORTED: kinds of values that are read
 * as a whole only. */
tsr_status tsr_bsp_open_parts(tsr_parts **out, tsr_container *c, const tsr_read_options *options,
                              tsr_error *err) TSR_NODISCARD;
/* Describe the tensor in the current group from the headers alone. */
tsr_status tsr_bsp_describe(tsr_brief_tensor *out, tsr_container *c, const tsr_read_options *options,
                            tsr_error *err) TSR_NODISCARD;
/* Write into the current group of a file that is open for writing. parts: NULL, or where the arrays of the tensor are
 * loaded from. */
tsr_status tsr_bsp_write(tsr_container *c, const tsr_tensor *tensor, tsr_parts *parts,
                         const tsr_write_options *options, tsr_error *err) TSR_NODISCARD;

#endif
