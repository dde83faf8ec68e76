/* What the files share that read a Binsparse tensor. */
#ifndef BINSPARSE_READING_H
#define BINSPARSE_READING_H

#include "array_import.h"
#include "binsparse_internal.h"

/* The arrays of the wanted slices, as they are in the file, and the positions of each level that these slices have. */
typedef struct tsr_bsp_part {
    tsr_array pointers[TSR_MAX_LEVELS], indices[TSR_MAX_LEVELS]; /* owned */
    tsr_ranges ranges; /* of the positions of the last level that was treated; owned */
} tsr_bsp_part;

/* The state of reading one tensor. */
typedef struct tsr_bsp_reading {
    tsr_container *c;
    const tsr_read_options *options;
    tsr_bsp_descriptor d;
    bool mapped; /* the group has the attribute `tessera`: */
    tsr_bsp_origin origin;
    tsr_stored pointers[TSR_MAX_LEVELS], indices[TSR_MAX_LEVELS], values, fill;
    uint64_t npos[TSR_MAX_LEVELS + 1]; /* npos[k]: parent positions of storage dimension k; npos[order]:
                                        * values */
    tsr_job job;
    uint32_t watched;   /* bit l: level l was checked while it was read */
    tsr_bsp_part *part; /* not NULL: only the wanted slices are read; d and npos are those of the part */
    /* Arrays that were read at once, and not taken yet; owned. */
    int nahead;
    struct {
        const tsr_stored *array;
        tsr_array read;
    } ahead[TSR_MAX_WANTED];
    tsr_brief_tensor *brief; /* not NULL: describe only; arrays are listed here, and array data are not
                              * read */
} tsr_bsp_reading;

/* Values that were read, before they are moved into a tensor or coordinates. */
typedef struct tsr_bsp_values {
    tsr_type type;
    bool iso;
    tsr_array array;
    bool has_fill;
    unsigned char fill[TSR_MAX_VALUE_NBYTES];
} tsr_bsp_values;

/* Read the arrays of the levels, and the values, at once; tsr_bsp_read_raw takes them. Drop those that were not taken. */
tsr_status tsr_bsp_read_ahead(tsr_bsp_reading *r, tsr_error *err) TSR_NODISCARD;
void tsr_bsp_drop_ahead(tsr_bsp_reading *r);
/* Read an array as it is in the file. */
tsr_status tsr_bsp_read_raw(tsr_array *out, tsr_bsp_reading *r, const tsr_stored *array,
                            tsr_error *err) TSR_NODISCARD;
/* Read an array of indices or pointers as 0-based unsigned numbers of the width in the file. */
tsr_status tsr_bsp_read_index(tsr_array *out, tsr_bsp_reading *r, const tsr_stored *array,
                              tsr_error *err) TSR_NODISCARD;
/* The pointers of level k of a tensor that is checked afterwards. */
tsr_status tsr_bsp_read_pointers(tsr_array *out, tsr_bsp_reading *r, int k, tsr_error *err) TSR_NODISCARD;
/* Read the coordinates of level k, whose pos stands, and check them while they arrive, where the type of the level can: r->watched. */
tsr_status tsr_bsp_read_coordinates(tsr_tensor *tensor, tsr_bsp_reading *r, int k,
                                    tsr_error *err) TSR_NODISCARD;
/* The check of the tensor gave `status`: say so if that is for a negative coordinate or pointer. */
tsr_status tsr_bsp_refuse_negative(tsr_status status, tsr_tensor *tensor, tsr_bsp_reading *r,
                                   tsr_error *err) TSR_NODISCARD;
static inline uint64_t tsr_bsp_level_size(const tsr_bsp_descriptor *d, int k)
{
    return d->shape[d->transpose[k]];
}
/* Read the values. full_leaf: the last level has all cells. The caller owns v->array. */
tsr_status tsr_bsp_take_values(tsr_bsp_values *v, tsr_bsp_reading *r, bool full_leaf,
                               tsr_error *err) TSR_NODISCARD;

/* Where only slices of the first level are wanted, and its level and the levels below it are of the plain kinds: load their arrays into
 * new r->part, make d and npos those of the part, and set out->slices. Else leave r->part NULL. */
tsr_status tsr_bsp_select(tsr_data *out, tsr_bsp_reading *r, tsr_error *err) TSR_NODISCARD;
/* NULL is fine. */
void tsr_bsp_part_free(tsr_bsp_part *part);

/* Reading failed with *why (TSR_CORRUPT). With options->repair, repair what has one exact repair in a matrix by slices or in a list of
 * coordinates, and read it. Else fill *err with *why, and with what --repair would do. Returns the status. */
tsr_status tsr_bsp_repair(tsr_data *out, tsr_bsp_reading *r, const tsr_error *why,
                          tsr_error *err) TSR_NODISCARD;

#endif
