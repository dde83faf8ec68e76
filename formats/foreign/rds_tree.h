/* The values of R in an .rds file, as a tree. See rds.md. */
#ifndef RDS_TREE_H
#define RDS_TREE_H

#include "tsr_labels.h"

/* The kinds of values that the reader looks at, with R's numbers. */
enum {
    TSR_R_NULL = 0, /* and every other value that holds nothing that is read */
    TSR_R_SYMBOL = 1,
    TSR_R_PAIR = 2,
    TSR_R_CHAR = 9,
    TSR_R_LOGICAL = 10,
    TSR_R_INTEGER = 13,
    TSR_R_REAL = 14,
    TSR_R_COMPLEX = 15,
    TSR_R_STRINGS = 16,
    TSR_R_LIST = 19,
    TSR_R_S4 = 25
};

typedef struct tsr_r tsr_r;
struct tsr_r {
    int kind;
    tsr_array
        array; /* numbers in the byte order of this machine: 4 bytes (logical, integer), 8 (real), 16 (complex) */
    uint64_t
        place; /* of a sketch: where the numbers of an array without data begin, in bytes after decompression */
    tsr_names strings; /* of STRINGS; of SYMBOL and CHAR: one */
    tsr_r **items;     /* of LIST: nitems; owned memory of borrowed values */
    uint64_t nitems;
    const tsr_r *tag, *car, *cdr; /* of PAIR */
    const tsr_r *attributes;      /* pairs; NULL: none */
    tsr_r *next;                  /* of all values of the tree */
};

/* A file that was read. */
typedef struct tsr_r_tree {
    tsr_r *all;
    const tsr_r *root;
} tsr_r_tree;

/* Read the file, which may be compressed by gzip, bzip2 or xz. sketch: arrays of more than a few numbers are passed over: they have n,
 * width and place, and no data. The caller clears *out, on failure, too. TSR_IO, TSR_SYNTAX (not such a
 * file), TSR_CORRUPT, TSR_UNSUPPORTED (texts of R's version 1, byte code), TSR_LIMIT. */
tsr_status tsr_r_tree_read(tsr_r_tree *out, const char *path, bool sketch, tsr_error *err) TSR_NODISCARD;
void tsr_r_tree_clear(tsr_r_tree *tree);

/* An attribute of a value, or a slot of an object; NULL: none. */
const tsr_r *tsr_r_attribute(const tsr_r *value, const char *name);
/* The first string of a value; "": it has none. */
const char *tsr_r_string(const tsr_r *value);
/* The element of a list, or the slot of an object, that has the name; NULL: none. */
const tsr_r *tsr_r_member(const tsr_r *value, const char *name);

#endif
