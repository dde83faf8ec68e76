/* What the binsparse*.c files share: a descriptor, which is what the JSON text of a Binsparse tensor says. */
#ifndef BINSPARSE_INTERNAL_H
#define BINSPARSE_INTERNAL_H

#include "hdf5_io.h"
#include "tsr_brief.h"

/* How one storage dimension is kept. */
typedef enum tsr_bsp_kind {
    TSR_BSP_DENSE,
    TSR_BSP_SPARSE, /* begins a sparse level: indices_k, and pointers_to_k unless k = 0 */
    TSR_BSP_TUPLE   /* goes on with the sparse level above: indices_k */
} tsr_bsp_kind;

/* An array's type string. */
typedef struct tsr_bsp_type {
    bool present;
    tsr_type type; /* of one number: F32, F64, an integer; U8 for bint8 */
    bool bint8;
    bool complex; /* two numbers a value */
    bool iso;     /* one value for all */
} tsr_bsp_type;

typedef struct tsr_bsp_descriptor {
    int order; /* storage dimensions = entries of shape: 0..TSR_MAX_LEVELS */
    uint64_t shape[TSR_MAX_LEVELS];
    int transpose[TSR_MAX_LEVELS]; /* transpose[k]: the dimension of shape stored at storage dimension k */
    tsr_bsp_kind kind[TSR_MAX_LEVELS];
    bool unsorted[TSR_MAX_LEVELS]; /* of the sparse level that begins here */
    uint64_t nstored;
    uint64_t index_base; /* 0 or 1 */
    tsr_structure structure;
    bool has_fill;
    tsr_bsp_type pointers[TSR_MAX_LEVELS], indices[TSR_MAX_LEVELS], values, fill;
} tsr_bsp_descriptor;

/* What the `tessera` attribute says: the format of which the Binsparse tensor holds the storage coordinates.
 */
typedef struct tsr_bsp_origin {
    char *format; /* owned */
    int order;
    uint64_t shape[TSR_MAX_ORDER];
    tsr_structure structure;
} tsr_bsp_origin;

/* The descriptor in the JSON text of n bytes. TSR_SYNTAX (not JSON, a key missing or of the wrong kind),
 * TSR_UNSUPPORTED (a version or a format that we do not know), TSR_LIMIT, TSR_CORRUPT (what it says cannot
 * be). */
tsr_status tsr_bsp_parse(tsr_bsp_descriptor *out, const char *text, size_t n, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_bsp_parse_origin(tsr_bsp_origin *out, const char *text, size_t n,
                                tsr_error *err) TSR_NODISCARD;
void tsr_bsp_origin_clear(tsr_bsp_origin *origin);
/* Append the JSON text. TSR_NOMEM. */
tsr_status tsr_bsp_print(tsr_text *text, const tsr_bsp_descriptor *descriptor, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_bsp_print_origin(tsr_text *text, const tsr_bsp_origin *origin, tsr_error *err) TSR_NODISCARD;

/* The long format text of the level tree: a permutation of the descriptor's dimensions. */
tsr_status tsr_bsp_format(tsr_format **out, const tsr_bsp_descriptor *descriptor,
                          tsr_error *err) TSR_NODISCARD;
/* The kinds of a format's levels; false when Binsparse has no word for one of them. */
bool tsr_bsp_kinds(tsr_bsp_kind *kinds, const tsr_format *format);

/* Read from an open file whose current group is the tensor's. */
tsr_status tsr_bsp_read(tsr_data *out, tsr_hdf5 *h5, const tsr_read_options *options,
                        tsr_error *err) TSR_NODISCARD;
/* Describe the tensor of the current group. */
tsr_status tsr_bsp_describe(tsr_brief_tensor *out, tsr_hdf5 *h5, const tsr_read_options *options,
                            tsr_error *err) TSR_NODISCARD;
/* Write into the current group of a file that is open for writing. */
tsr_status tsr_bsp_write(tsr_hdf5 *h5, const tsr_tensor *tensor, const tsr_write_options *options,
                         tsr_error *err) TSR_NODISCARD;

#endif
