/* Transformations as text: a list of steps, carried out in the order given. Each step is an index map, a table, or another file
 * to append. The steps are joined into as few passes over the entries as possible: one, unless a table, a file, or a reduction
 * that does not add stands between.
 *
 *     tsr_transforms steps = {0};
 *     TSR_TRY(tsr_transforms_add(&steps, TSR_TRANSFORM_SLICE, ":,0:100", err));
 *     TSR_TRY(tsr_transforms_add(&steps, TSR_TRANSFORM_TRANSPOSE, "1,0", err));
 *     tsr_transform_job job = {.transforms = &steps, .read = &read, .pack = &pack, .in = "A.mtx"};
 *     TSR_TRY(tsr_transforms_run(&job, &coo, err));
 */
#ifndef TSR_TRANSFORMS_H
#define TSR_TRANSFORMS_H

#include "tsr_codec.h"
#include "tsr_pack.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of steps, and the text of each. Modes and indices count from 0, negative ones from the end; the result is that of
 * NumPy's function on the same tensor written out in full. */
typedef enum tsr_transform_kind {
    TSR_TRANSFORM_TRANSPOSE, /* "2,0,1": all modes in the new order */
    TSR_TRANSFORM_SLICE, /* "0:100:2,:,5": START:STOP:STEP for each mode, "..." for whole modes; an index drops the mode */
    TSR_TRANSFORM_REVERSE, /* "0,2": these modes run backwards */
    TSR_TRANSFORM_PAD, /* "1:2,0": LOW:HIGH:BETWEEN for each mode, or once for all; negative numbers cut off */
    TSR_TRANSFORM_RESHAPE, /* "6,-1": new dims for the same cells in row-major order */
    TSR_TRANSFORM_UNFOLD,  /* "1": a matrix; these modes joined are the rows */
    TSR_TRANSFORM_REDUCE,  /* "sum:0,2", "sum", min and max: along these modes, or all */
    TSR_TRANSFORM_PERMUTE, /* "FILE" or "FILE:MODE": line i holds the index that moves to place i */
    TSR_TRANSFORM_CONCAT,  /* "FILE,MODE": append the tensor in a file along a mode */
    TSR_TRANSFORM_MAP      /* an index map: "(d0, d1) -> (d0 + d1, d1), domain: d0 in [0, 9]" */
} tsr_transform_kind;

enum { TSR_MAX_TRANSFORMS = 64 };

typedef struct tsr_transform_step {
    tsr_transform_kind kind;
    const char *text; /* borrowed */
} tsr_transform_step;

/* {0}: no steps. */
typedef struct tsr_transforms {
    int n;
    tsr_transform_step steps[TSR_MAX_TRANSFORMS];
} tsr_transforms;

/* Where an error is: in column err->col of the text of a step, which has this name ("slice"); text NULL: not in a step. */
typedef struct tsr_transform_place {
    const char *option, *text;
} tsr_transform_place;

typedef struct tsr_transform_job {
    const tsr_transforms *transforms;
    const tsr_read_options *read; /* how files to append are read */
    const tsr_pack_options *pack; /* the number of threads, and the rule for duplicates */
    const char *in;               /* the name of the first file, for messages */
    tsr_labels *labels;           /* of the tensor, changed with the entries; may be NULL */
    bool may_meet;                /* out: there may be duplicates, which packing has to combine */
    int nactions;                 /* out: passes over the entries */
    uint64_t ndropped;            /* out: the number of entries that were dropped */
    tsr_transform_place place;    /* out, after a failure */
} tsr_transform_job;

/* Append a step; TSR_LIMIT when there are more than TSR_MAX_TRANSFORMS. */
tsr_status tsr_transforms_add(tsr_transforms *transforms, tsr_transform_kind kind, const char *text,
                              tsr_error *err) TSR_NODISCARD;
/* The kind with this name ("slice", "permute-by"); TSR_ARGUMENT with the list of names where there is none. */
tsr_status tsr_transform_kind_parse(tsr_transform_kind *out, const char *name, tsr_error *err) TSR_NODISCARD;
/* The name of the kind of step i: "slice", "permute-by". */
const char *tsr_transforms_option(const tsr_transforms *transforms, int i);
/* Check the steps as far as possible before the tensor is known. TSR_SYNTAX, TSR_ARGUMENT; TSR_IO for files. */
tsr_status tsr_transforms_check(tsr_transform_job *job, tsr_error *err) TSR_NODISCARD;
/* Apply the steps. All steps are planned before any entry moves. *coo may be replaced; after a failure its entries have no
 * meaning. The same errors, TSR_RANGE, TSR_LIMIT, TSR_UNSUPPORTED and those of tsr_read. */
tsr_status tsr_transforms_run(tsr_transform_job *job, tsr_coo **coo, tsr_error *err) TSR_NODISCARD;

/* Whether all steps, if there are any, only permute the modes. */
bool tsr_transforms_permute(const tsr_transforms *transforms);
/* Apply the steps to a packed tensor without moving an entry, where they only permute the modes: the levels and the arrays
 * stay, and the map of the format gives the new modes (csr becomes csc). *done = false: the steps do more, or the tensor is not
 * general; nothing has changed. Errors as above. */
tsr_status tsr_transforms_relabel(bool *done, tsr_transform_job *job, tsr_tensor *tensor,
                                  tsr_error *err) TSR_NODISCARD;

/* tsr_transforms_run for the entries of a tensor that comes in parts: the steps are planned once, for a tensor like `like`, whose entries
 * do not matter, and applied to some of the entries at a time. TSR_UNSUPPORTED: a step needs all entries (concat, and
 * reductions that are not sums of duplicates). The job is borrowed; job->ndropped counts all parts. */
typedef struct tsr_transform_pass tsr_transform_pass;
tsr_status tsr_transform_pass_new(tsr_transform_pass **out, tsr_transform_job *job, const tsr_coo *like,
                                  tsr_error *err) TSR_NODISCARD;
/* The order of the result; dims: room for TSR_MAX_ORDER. */
int tsr_transform_pass_dims(uint64_t *dims, const tsr_transform_pass *pass);
tsr_status tsr_transform_pass_apply(tsr_transform_pass *pass, tsr_coo **coo, tsr_error *err) TSR_NODISCARD;
void tsr_transform_pass_free(tsr_transform_pass *pass);

#ifdef __cplusplus
}
#endif
#endif
