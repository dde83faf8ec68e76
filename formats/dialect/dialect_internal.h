/* The types and functions that the dialect*.c files share. */
#ifndef DIALECT_INTERNAL_H
#define DIALECT_INTERNAL_H

#include "dialect.h"

/* All dialects, NULL at the end. */
extern const tsr_dialect *const tsr_dialects[];

/* Whether the form is a matrix by slices or by coordinates. */
bool tsr_form_has_lists(const tsr_form *form);
/* Look at the array `coords` of the form, and check that it has a row for each mode. */
tsr_status tsr_form_look_at_coords(tsr_stored *out, const tsr_opened *o, tsr_error *err) TSR_NODISCARD;
/* The form of the object `name` in the current group, which has the path `parent`. */
const tsr_form *tsr_form_of(tsr_container *c, const char *parent, const char *name);
/* Append the matrices of a file to `found`: for each matrix 's' (sparse) or 'd' (dense), the path, and a
 * NUL. */
tsr_status tsr_dialect_find_objects(tsr_text *found, tsr_container *c, tsr_error *err) TSR_NODISCARD;
/* The error for a file without matrices: TSR_UNSUPPORTED, with a list of the members of the root. */
tsr_status tsr_dialect_refuse_all(tsr_container *c, tsr_error *err) TSR_NODISCARD;
/* The error for an object that the file does not have: TSR_ARGUMENT, with a list of the matrices that it has. */
tsr_status tsr_dialect_refuse_missing(tsr_container *c, const char *path, tsr_error *err) TSR_NODISCARD;
/* Describe an object from the headers. */
tsr_status tsr_dialect_describe_one(tsr_brief_tensor *out, tsr_container *c, const char *object,
                                    tsr_error *err) TSR_NODISCARD;

/* Find the object at `path`, read the headers and the small arrays, and enter the group that has the other arrays. The caller frees
 * *parent, to which out->leaf points. */
tsr_status tsr_dialect_open(tsr_opened *out, char **parent, tsr_container *c, const char *path,
                            tsr_error *err) TSR_NODISCARD;
/* Look at the array of an object that has all cells, and learn the dims. */
tsr_status tsr_dialect_look_at_cells(tsr_stored *array, tsr_opened *o, tsr_error *err) TSR_NODISCARD;
/* Append the path of the object to read: `object`, or, without it, that which tsr_dialect_read_object chooses. */
tsr_status tsr_dialect_choose_object(tsr_text *path, tsr_container *c, const char *object, const char *usual,
                                     tsr_error *err) TSR_NODISCARD;

/* Whether only the wanted slices of a matrix by slices are read; stored: its indices, pointers and data. */
bool tsr_dialect_reads_slices(const tsr_opened *o, const tsr_stored *stored, const tsr_read_options *options);
/* Read these slices into `in`, whose dim becomes their number. */
tsr_status tsr_dialect_read_slices(tsr_arrays *in, const tsr_opened *o, const tsr_stored *stored,
                                   tsr_job *job, const tsr_read_options *options,
                                   tsr_error *err) TSR_NODISCARD;

/* Read the names of the rows and columns of the object into new labels. */
tsr_status tsr_dialect_read_labels(tsr_labels **out, const tsr_opened *o, const char *path,
                                   const uint64_t *dims, tsr_error *err) TSR_NODISCARD;

#endif
