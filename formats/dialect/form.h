/* Dialects: how software stores matrices in containers, as data as far as possible. A dialect is one file, NAME.c,
 * with its codec, and a row of TSR_CODECS (../CMakeLists.txt). */
#ifndef FORM_H
#define FORM_H

#include "array_import.h"
#include "container.h"
#include "tsr_brief.h"
#include "tsr_feed.h"

typedef struct tsr_form tsr_form;

/* An object that is being read or described. */
typedef struct tsr_opened {
    tsr_container *c;
    const tsr_form *form; /* NULL: it is not a matrix */
    const char *leaf;     /* the name of the object in the current group */
    int order;            /* of slices and coordinates */
    uint64_t dims[TSR_MAX_ORDER];
    bool boolean; /* the values are truth values */
    bool empty;   /* there are no arrays, or the array holds dims instead of cells */
} tsr_opened;

/* One way to store a matrix. Fields that are NULL or false say nothing. */
struct tsr_form {
    bool array;    /* the object is an array; false: a group */
    bool sparse;   /* where a file has several matrices, the only sparse one is read */
    bool unlisted; /* read by name only */

    /* How an object is known: one of these holds. */
    struct {
        const char *attribute, *text; /* text NULL: any text */
    } marks[2];
    const char *rows;           /* an attribute that is an integer, the number of rows */
    const char *const *members; /* the group has all of these arrays; NULL at the end */
    bool (*is)(
        tsr_container *c, const char *name,
        const tsr_stored *
            array); /* the array `name` of the current group; or, where `array` is NULL, the current group itself */

    /* A matrix by slices of mode `major`: the arrays, in the group or in its group `inside`. */
    const char *inside;
    int major;
    const char *data, *indices, *pointers;
    bool may_lack_arrays; /* a matrix without entries has neither data nor indices */
    bool has_spare;       /* indices and data may be longer than the last pointer says */
    bool blocks;          /* the array `data` has three dims: blocks, their rows and columns */
    /* The matrix has the cells of these modes as rows, and those of the others as columns (array_import.h: grouped). */
    const char *axes;
    /* Coordinates, whose smallest index is `base`, and `data`: an array for each of one or two modes, or `coords`, an array with
     * a row for each of any number of modes. */
    const char *crd[2], *coords;
    uint64_t base;
    const char *assumes; /* the software that takes the entries for sorted and unique, and does not look */
    const char *fill;    /* an array of one value, that of the absent cells; it may be missing */
    /* The dims: an attribute of two integers (one of these); an array, of any number with `coords` or `axes`; two arrays of one; or
     * `rows`, and the length of the pointers. */
    const char *shape[2], *dims, *sizes[2];

    bool by_columns; /* dense: the dims of the array are those of the tensor in reverse order */

    /* Look at more of the object, in the group above; may enter it, and change o->leaf and o->form. */
    tsr_status (*look)(tsr_opened *o, tsr_error *err);
    /* Other than slices, coordinates and dense: the object is in the current group. */
    tsr_status (*read)(tsr_data *out, const tsr_opened *o, tsr_job *job, const tsr_read_options *options,
                       tsr_error *err);
    tsr_status (*describe)(tsr_brief_tensor *out, const tsr_opened *o, tsr_error *err);
    /* A feed of it, which owns the container of `o` after success; NULL: it is read only as a whole. */
    tsr_status (*feed)(tsr_feed **out, const tsr_opened *o, const tsr_read_options *options, tsr_error *err);
    /* Read the names of the rows and columns of the object at `path`. */
    tsr_status (*labels)(tsr_labels *labels, tsr_container *c, const char *path, const uint64_t *dims,
                         tsr_error *err);
};

/* What a file of the software has. */
typedef struct tsr_dialect {
    const char *name;
    const tsr_form *const *forms; /* NULL at the end; may be NULL */
    /* Whether the file is of this dialect, as the root (the current group) tells, or one member of it; may be NULL. */
    bool (*claims)(tsr_container *c);
    bool (*claims_member)(tsr_container *c, bool group, const char *name);
} tsr_dialect;

#define X(name) extern const tsr_dialect tsr_dialect_##name;
#include "dialects.def"
#undef X

/* Whether the attribute of the member (NULL: of the current group) is this text; NULL: any text. */
bool tsr_form_has_text(tsr_container *c, const char *name, const char *attribute, const char *text);
/* Whether an integer attribute is there and not 0. */
bool tsr_form_is_marked(tsr_container *c, const char *name, const char *attribute);
/* Read an array of n integers. */
tsr_status tsr_form_read_few(uint64_t *out, int n, tsr_container *c, const char *name,
                             tsr_error *err) TSR_NODISCARD;
/* Read an array of numbers; the caller owns out->array, on failure, too. */
tsr_status tsr_form_read_numbers(tsr_numbers *out, tsr_container *c, const char *name, tsr_job *job,
                                 tsr_error *err) TSR_NODISCARD;
/* Read an array of integers whose number is at most TSR_MAX_ORDER. */
tsr_status tsr_form_read_dims(int *n, uint64_t *dims, tsr_container *c, const char *name,
                              tsr_error *err) TSR_NODISCARD;
/* List an array in the description of a tensor: role "pos", "crd" or "values". */
tsr_status tsr_form_describe_array(tsr_brief_tensor *out, tsr_stored *array, tsr_container *c,
                                   const char *name, const char *role, tsr_error *err) TSR_NODISCARD;
/* Read the array `name` of `group` as names; those that cannot be read, or whose number is not `dim`, are left out. */
tsr_status tsr_form_read_list(tsr_names *out, tsr_container *c, const char *group, const char *name,
                              uint64_t dim, tsr_error *err) TSR_NODISCARD;
/* The names of the rows and columns of AnnData's elements: those of the tables obs and var. */
tsr_status tsr_anndata_read_labels(tsr_labels *labels, tsr_container *c, const char *path,
                                   const uint64_t *dims, tsr_error *err) TSR_NODISCARD;

#endif
