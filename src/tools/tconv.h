/* What the files of tconv share. */
#ifndef TSR_TCONV_H
#define TSR_TCONV_H

#include "advice_print.h"
#include "codec_rows.h"
#include "index_width.h"
#include "json.h"
#include "rows.h"
#include "tsr_transforms.h"
#include "tsr_codec.h"
#include "tsr_pack.h"
#include "tsr_ranks.h"

/* --names: for mode m the first nbytes[m] characters of text[m] name a file; NULL: none. */
typedef struct tsr_tconv_names {
    int n; /* modes with a file */
    const char *text[TSR_MAX_ORDER];
    size_t nbytes[TSR_MAX_ORDER];
} tsr_tconv_names;

/* The command line. */
typedef struct tsr_tconv_settings {
    tsr_cli_common common; /* first: see options.h */
    const char *in, *out;
    const char *format, *from, *to; /* as given, or NULL */
    const char *labels;             /* --labels: the prefix of lists of names, or NULL */
    tsr_cli_advise advise;          /* --for, --runs, --budget: of --format=auto */
    bool index_given, duplicates_given;
    tsr_cli_index_word index;
    bool keep_symmetry, verify, resume, verbose, no_clobber;
    bool join;          /* --join */
    int shard, nshards; /* --shard; nshards is 0 where it is not given */
    const char *temp;   /* the folder for temporary files, or NULL */
    tsr_transforms transforms;
    tsr_codec_given given; /* options of codecs */
    tsr_tconv_names names;
    tsr_read_options read;
    tsr_write_options write;
    tsr_pack_options pack;
} tsr_tconv_settings;

/* One conversion on its way. */
typedef struct tsr_tconv_job {
    const tsr_tconv_settings *s;
    tsr_cli_report *report;
    const tsr_codec *from, *to; /* from: NULL when found by content */
    tsr_data data;              /* what is to be written, in the end */
    bool packed, unpacked;      /* this run did that */
    bool repaired;              /* the entries are to be sorted and merged: see tsr_coo */
    int in_order;               /* before transformations */
    uint64_t in_dims[TSR_MAX_ORDER];
    tsr_transform_job transforms;
    bool only_copies; /* tsr_tconv_stream converts only if the arrays are written as they are */
    int index_nbits;  /* that the format's text asks for, or 0 */
    tsr_pack_stats stats;
    uint64_t in_nbytes, out_nbytes;
    uint64_t nbuckets, spilled_nbytes; /* see tsr_stream_stats */
    uint64_t nread;                    /* --shard: entries of the shard */
    bool resumed;                      /* a folder of a run that was stopped was there */
    bool sharded, was_done;            /* this run made a shard, or found it done: there is no output yet */
    tsr_text folder;                   /* of the shards; owned */
    double read_s, transform_s, pack_s, write_s, verify_s;
    const tsr_ranks *ranks;  /* NULL: this process works alone */
    tsr_ranks_stats *shares; /* ranks->n, where ranks did the work; owned */
    tsr_cli_place wrong;     /* the option and its text that err->col speaks of, or NULL */
} tsr_tconv_job;

/* Read, shape and write. After a failure j->wrong tells where it is. What the job owns stays in j->data. */
tsr_status tsr_tconv_convert(tsr_tconv_job *j, tsr_error *err) TSR_NODISCARD;

/* --format=auto: the format is chosen after the entries were read. */
bool tsr_tconv_is_auto(const tsr_tconv_settings *settings);
/* Whether the tensor has this storage format; NULL: no. */
bool tsr_tconv_has_format(const tsr_tensor *tensor, const char *text);

/* Whether the conversion may not fit memory. j->in_nbytes is known. */
bool tsr_tconv_should_stream(const tsr_tconv_job *j);
/* Whether IN may be large arrays that OUT takes as they are: then writing overlaps reading, and memory is not needed. */
bool tsr_tconv_may_copy(const tsr_tconv_job *j);
/* The whole conversion without the tensor in memory, after the command line was checked. *done false: the input or the output is
 * of a kind that is read or written as a whole only, and nothing was done. */
tsr_status tsr_tconv_stream(bool *done, tsr_tconv_job *j, tsr_error *err) TSR_NODISCARD;

/* Write the names of mode m to PREFIX.m.map, one a line; modes without names are left out. TSR_ARGUMENT: no mode has
 * names. labels may be NULL. */
tsr_status tsr_tconv_write_labels(const char *prefix, const tsr_labels *labels, tsr_error *err) TSR_NODISCARD;

/* Keep the value FILE:MODE of --names. TSR_ARGUMENT. */
tsr_status tsr_tconv_add_names(tsr_tconv_names *out, const char *value, tsr_error *err) TSR_NODISCARD;
/* Give the data the names of these files, one a line, which may be gzip. TSR_ARGUMENT: a mode has another number of
 * indices; errors of tsr_input. */
tsr_status tsr_tconv_read_names(tsr_data *data, const tsr_tconv_names *names, tsr_error *err) TSR_NODISCARD;

/* The words of --duplicates, by tsr_duplicates; NULL at the end. */
extern const char *const tsr_tconv_duplicates[];
/* The last line, on standard error: what was done. */
void tsr_tconv_report(const tsr_tconv_job *j);
/* The same as members of an open JSON object. */
void tsr_tconv_json(tsr_json *json, const tsr_tconv_job *j);

#endif
