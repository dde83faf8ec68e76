/* The transformations of the command line of tconv: a list of steps in the order given. Each step is an
 * index map, a table, or another file to append. The steps are joined into as few passes over the entries
 * as possible: one, unless a table, a file, or a reduction that does not add stands between. */
#ifndef TSR_CLI_TRANSFORMS_H
#define TSR_CLI_TRANSFORMS_H

#include "tsr_codec.h"
#include "tsr_pack.h"

typedef enum tsr_cli_step_kind {
    TSR_CLI_TRANSPOSE,
    TSR_CLI_SLICE,
    TSR_CLI_REVERSE,
    TSR_CLI_PAD,
    TSR_CLI_RESHAPE,
    TSR_CLI_UNFOLD,
    TSR_CLI_REDUCE,
    TSR_CLI_PERMUTE,
    TSR_CLI_CONCAT,
    TSR_CLI_MAP
} tsr_cli_step_kind;

enum { TSR_CLI_MAX_STEPS = 64 };

typedef struct tsr_cli_step {
    tsr_cli_step_kind kind;
    const char *text; /* the option's argument */
} tsr_cli_step;

typedef struct tsr_cli_transforms {
    int n;
    tsr_cli_step steps[TSR_CLI_MAX_STEPS];
} tsr_cli_transforms;

/* Where an error is: if text is not NULL, in the argument of an option, in column err->col. */
typedef struct tsr_cli_place {
    const char *option, *text;
} tsr_cli_place;

typedef struct tsr_cli_transform_job {
    const tsr_cli_transforms *transforms;
    const tsr_read_options *read; /* how files to append are read */
    const tsr_pack_options *pack; /* the number of threads, and the rule for duplicates */
    const char *in;               /* the name of the first file, for messages */
    bool may_meet;                /* out: there may be duplicates, which packing has to combine */
    int nactions;                 /* out: passes over the entries */
    uint64_t ndropped;            /* out: the number of entries that were dropped */
    tsr_cli_place place;          /* out, after a failure */
} tsr_cli_transform_job;

/* Append a step; TSR_LIMIT when there are too many. */
tsr_status tsr_cli_transforms_add(tsr_cli_transforms *transforms, tsr_cli_step_kind kind, const char *text,
                                  tsr_error *err) TSR_NODISCARD;
/* The name of step i's option. */
const char *tsr_cli_transforms_option(const tsr_cli_transforms *transforms, int i);
/* Check the steps as far as possible before the tensor is known. */
tsr_status tsr_cli_transforms_check(tsr_cli_transform_job *job, tsr_error *err) TSR_NODISCARD;
/* Apply the steps. All steps are planned before any entry moves. *coo may be replaced; after a failure its
 * entries have no meaning. */
tsr_status tsr_cli_transforms_run(tsr_cli_transform_job *job, tsr_coo **coo, tsr_error *err) TSR_NODISCARD;

#endif
