/* What the files of convert share: conversion.c takes the steps of a conversion, conversion_choose.c decides what the entries become,
 * conversion_memory.c has the steps on data in memory, conversion_stream.c on entries in parts, conversion_folder.c keeps the folder of these, conversion_labels.c reads and writes lists of
 * names. */
#ifndef CONVERSION_INTERNAL_H
#define CONVERSION_INTERNAL_H

#include "tsr_conversion.h"
#include "tsr_folder.h"
#include "tsr_machine.h"
#include "tsr_stream.h"

/* The seconds since a time of tsr_now_ns. */
static inline double tsr_conversion_seconds(uint64_t start_ns)
{
    return (double)(tsr_now_ns() - start_ns) * 1e-9;
}

/* The widths of stored indices: those that are asked for, or that the format's text asks for. */
tsr_index_width tsr_conversion_width(const tsr_conversion *j);

/* What is known of the entries before they are packed. */
typedef struct tsr_conversion_known {
    tsr_feed *feed; /* they come in parts; NULL: they are in memory */
    int order;
    const uint64_t *dims; /* not needed with a feed */
    tsr_type type;
    tsr_structure structure;
    const tsr_tensor *packed; /* the tensor, or one like it without arrays; NULL: entries in any order */
    const tsr_format *own;    /* they were packed so before they changed, and it suits them still; or NULL */
    const char *natural;      /* as in tsr_coo */
    bool repaired;
} tsr_conversion_known;

/* Decide: the format to pack into; *out NULL: the data stay as they are. j->dry.why says why. Errors: those of formats; TSR_UNSUPPORTED: the
 * target cannot hold them; TSR_ARGUMENT: one triangle in a format that stores both. */
tsr_status tsr_conversion_choose(tsr_format **out, tsr_conversion *j, const tsr_conversion_known *known,
                                 tsr_error *err) TSR_NODISCARD;
/* Whether the stored triangle gets the other one. TSR_ARGUMENT: it is to be kept, but transformed. */
tsr_status tsr_conversion_expands(bool *expands, const tsr_conversion_settings *s, tsr_structure structure,
                                  tsr_error *err) TSR_NODISCARD;
/* Permute the modes of a packed tensor, if that is all that the transformations do: no entry moves. */
tsr_status tsr_conversion_relabel(bool *done, tsr_conversion *j, tsr_tensor *tensor,
                                  tsr_error *err) TSR_NODISCARD;
/* *own: a copy of the format that entries had before they changed; NULL: it does not suit what they are now. */
tsr_status tsr_conversion_keep_own(tsr_format **own, const tsr_format *format, int order,
                                   const uint64_t *dims, tsr_error *err) TSR_NODISCARD;

/* Open several inputs as one feed. *own: the format of all, where it suits what they become, or NULL. */
tsr_status tsr_conversion_open_files(tsr_feed **out, tsr_format **own, const tsr_conversion *j,
                                     const tsr_read_options *read, tsr_error *err) TSR_NODISCARD;

/* Whether the conversion may not fit memory. j->in_nbytes is known. */
bool tsr_conversion_should_stream(const tsr_conversion *j);
/* Whether IN may be large arrays that OUT takes as they are: then writing overlaps reading, and memory is not needed. */
bool tsr_conversion_may_copy(const tsr_conversion *j);
/* The end of a dry run in memory: the size of what would be written. A text is written to the null device, so that its errors are
 * found, too. */
tsr_status tsr_conversion_measure(tsr_conversion *j, tsr_error *err) TSR_NODISCARD;

/* TSR_ARGUMENT: there is a prefix, and no mode has names. */
tsr_status tsr_conversion_check_labels(const char *prefix, const tsr_labels *labels,
                                       tsr_error *err) TSR_NODISCARD;
/* Write the names of mode m to PREFIX.m.map, one a line; modes without names are left out. TSR_ARGUMENT: no mode has
 * names. labels may be NULL. */
tsr_status tsr_conversion_write_labels(const char *prefix, const tsr_labels *labels,
                                       tsr_error *err) TSR_NODISCARD;
/* Give the data the names of these files, one a line, which may be gzip. TSR_ARGUMENT: a mode has another number of
 * indices; errors of tsr_input. */
tsr_status tsr_conversion_read_names(tsr_data *data, const tsr_conversion_names *names,
                                     tsr_error *err) TSR_NODISCARD;

/* What happens to the entries on their way: symmetric matrices are expanded, then the transformations. */
typedef struct tsr_conversion_way {
    tsr_conversion *j;
    tsr_transform_pass *pass;
    tsr_stream_change change;
    bool expands;
} tsr_conversion_way;

/* A conversion on its way through the steps; what follows `agrees` is for entries in parts. */
typedef struct tsr_course {
    tsr_conversion *j;
    tsr_format *own;    /* of the input, where it was packed and its entries change */
    tsr_format *format; /* to pack into; NULL: the data stay as they are */
    bool agrees;        /* ranks take the steps together */
    tsr_conversion_way way;
    tsr_feed *feed;
    tsr_labels *labels;      /* names of the indices, or NULL */
    tsr_write_options write; /* with the labels */
    tsr_tensor
        *packed;   /* like the packed input, without arrays; NULL: it is not packed, or the entries change */
    bool permuted; /* `packed` has other modes than the input, whose arrays stay as they are */
    tsr_parts *parts;
    tsr_folder folder;
    bool shared; /* ranks have packed it together */
    bool joined; /* the folder was left by a join that was killed after its output was complete */
    tsr_ranks_stats share;
    tsr_text identity; /* empty: the run cannot be continued */
} tsr_course;

/* The steps, in this sequence; each fails with the errors of what it does. */
typedef struct tsr_conversion_steps {
    /* Open or read the input. *taken false: the input or the output is of a kind that these steps do not serve. */
    tsr_status (*open)(bool *taken, tsr_course *c, tsr_error *err);
    /* Symmetry and transformations; *known: of what they make, to choose c->format. */
    tsr_status (*change)(tsr_conversion_known *known, tsr_course *c, tsr_error *err);
    /* What the choice leaves to do before packing. *done: the output is complete. */
    tsr_status (*settle)(bool *done, tsr_course *c, tsr_error *err);
    tsr_status (*pack)(tsr_course *c, tsr_error *err); /* into c->format, if there is one */
    tsr_status (*write)(tsr_course *c, tsr_error *err);
    /* After the last step or the one that failed with `status`; returns the status of the conversion. *done false: other steps may serve. */
    tsr_status (*end)(bool *done, tsr_course *c, tsr_status status, tsr_error *err);
} tsr_conversion_steps;

extern const tsr_conversion_steps tsr_conversion_in_memory, tsr_conversion_in_parts;

/* Describe the conversion in one line, which decides about its temporary files: a run continues only one with the same line. A run
 * that reads standard input, which has no name, size and time, has an empty line, and is not continued. */
tsr_status tsr_conversion_identify(tsr_course *c, tsr_error *err) TSR_NODISCARD;
/* Make the folder for temporary files, or take over the one that an earlier run has left. */
tsr_status tsr_conversion_make_folder(tsr_course *c, tsr_error *err) TSR_NODISCARD;
/* A dry run: name the folder, and find the errors of tsr_conversion_make_folder that are there before it is made. */
tsr_status tsr_conversion_check_folder(tsr_text *path, const tsr_course *c, tsr_error *err) TSR_NODISCARD;
/* Remove the folder, or leave it where the settings say that it stays. Shards stay until they are joined. */
void tsr_conversion_end_folder(tsr_course *c, tsr_status status);
/* Whether the mark of a join that was killed after its output was complete belongs to this conversion. */
bool tsr_conversion_was_joined(const tsr_course *c);
/* The mark of a conversion that is not cut into shards: the join does all of it. */
bool tsr_conversion_is_whole(const tsr_course *c);
void tsr_conversion_mark_whole(const tsr_course *c);

#endif
