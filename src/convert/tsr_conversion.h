/* From file to file: read, shape (symmetry, transformations, packing), write, verify. Where the tensor may not fit memory, the same
 * file is made through temporary files: the entries are read run by run, packed in buckets, and written piece by piece. tconv and
 * the public functions convert by these calls.
 *
 * With a limit of memory (tsr_memory_set_limit) the caller names it in the settings, too. */
#ifndef TSR_CONVERSION_H
#define TSR_CONVERSION_H

#include "tsr_codec.h"
#include "tsr_codec_given.h"
#include "tsr_pack.h"
#include "tsr_ranks.h"
#include "tsr_transforms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Files with the names of the indices: for mode m the first nbytes[m] characters of text[m] name one; NULL: none. */
typedef struct tsr_conversion_names {
    int n; /* modes with a file */
    const char *text[TSR_MAX_ORDER];
    size_t nbytes[TSR_MAX_ORDER];
} tsr_conversion_names;

/* Entries that a caller has, instead of those of a file. */
typedef struct tsr_conversion_source {
    bool large; /* they come in parts, where the output can be written so */
    tsr_status (*feed)(tsr_feed **out, void *ctx, tsr_error *err);
    tsr_status (*data)(tsr_data *data, void *ctx, tsr_error *err);
    void *ctx;
} tsr_conversion_source;

/* What is asked for; all zero but `in` and `out` is the default. Texts are borrowed. */
typedef struct tsr_conversion_settings {
    const char *in, *out;
    const char *const *more; /* nmore further inputs, which follow `in`; borrowed */
    int nmore;
    int along; /* with `more`: 1 + the mode along which they are joined; 0: they are parts of one tensor */
    const tsr_conversion_source *source; /* not NULL: `in` is its name in messages */
    const char *format, *from, *to;      /* the storage format, the codecs; NULL: chosen */
    const char *labels;                  /* the prefix of lists of names that are written, or NULL */
    bool index_given;                    /* pack.index_width is asked for */
    bool index_same;       /* or 32 bits for all arrays if all their elements fit an int32_t, else 64 */
    bool duplicates_given; /* pack.duplicates is asked for */
    bool keep_symmetry;    /* keep one triangle */
    bool verify;           /* read `out` back and compare */
    bool dry_run;          /* write nothing: find what would be written, and its size */
    bool resume;           /* continue a run with temporary files that was stopped */
    bool join;             /* make `out` of the shards */
    int shard, nshards;    /* make a shard; nshards is 0 where it is not wanted */
    const char *temp;      /* the folder for temporary files, or NULL: that of `out` */
    tsr_transforms transforms;
    tsr_codec_given given; /* options of codecs */
    tsr_conversion_names names;
    tsr_read_options read;
    tsr_write_options write;
    tsr_pack_options pack;  /* its nthreads are those of all steps */
    uint64_t memory_nbytes; /* the limit of memory; 0: not given */
    /* Choose the storage format after the entries were read, instead of `format`; NULL: not wanted. */
    tsr_status (*choose)(tsr_text *format, const tsr_data *data, void *choose_ctx, tsr_error *err);
    void *choose_ctx;
    bool (*stays)(void);    /* after TSR_CANCELLED: whether temporary files stay for `resume`; NULL: never */
    const tsr_ranks *ranks; /* NULL: this process works alone */
} tsr_conversion_settings;

/* What a dry run finds beside the facts of a conversion. */
typedef struct tsr_conversion_dry {
    const char *why; /* why the storage format was chosen; static; NULL: the entries stay as they are */
    bool streams;    /* the tensor would not be in memory: */
    bool copies;     /* the arrays of the input would be copied as they are, or the entries read run by run */
    bool counted;    /* the dims and the number of entries are known */
    bool exact;      /* out_nbytes is the size of the file; else that of the arrays */
    tsr_format *format; /* with streams: to pack into; owned */
    tsr_text folder;    /* with streams: the folder for temporary files; owned */
} tsr_conversion_dry;

/* One conversion on its way, and how it went. */
typedef struct tsr_conversion {
    const tsr_conversion_settings *s;
    const tsr_codec *from, *to; /* from: NULL when found by content */
    tsr_data data;              /* what is to be written, in the end; owned */
    bool packed, unpacked;      /* this run did that */
    bool copied;   /* the arrays of the input were written as they are; there are none in `data` */
    bool repaired; /* the entries are to be sorted and merged: see tsr_coo */
    int in_order;  /* before transformations */
    uint64_t in_dims[TSR_MAX_ORDER];
    tsr_transform_job transforms;
    bool only_copies;     /* without the tensor in memory only if the arrays are written as they are */
    int index_nbits;      /* that the format's text asks for, or 0 */
    tsr_pack_stats stats; /* nstored: also of what was copied */
    uint64_t in_nbytes, out_nbytes;
    uint64_t nbuckets, spilled_nbytes; /* see tsr_stream_stats */
    uint64_t nread;                    /* entries of the shard */
    bool resumed;                      /* a folder of a run that was stopped was there */
    bool sharded, was_done;            /* this run made a shard, or found it done: there is no output yet */
    tsr_text folder;                   /* of the shards; owned */
    double read_s, transform_s, choose_s, pack_s, write_s, verify_s;
    tsr_ranks_stats *shares; /* ranks->n, where ranks did the work; owned */
    tsr_conversion_dry dry;
    tsr_transform_place wrong; /* the setting and its text that err->col speaks of, or NULL */
} tsr_conversion;

/* Take the text of a shard: "I/N", or "auto" for the task of a job of Slurm. TSR_ARGUMENT. */
tsr_status tsr_conversion_set_shard(tsr_conversion_settings *s, const char *text,
                                    tsr_error *err) TSR_NODISCARD;
/* Whether the settings agree with each other; nothing is read. TSR_ARGUMENT. */
tsr_status tsr_conversion_check(const tsr_conversion_settings *s, tsr_error *err) TSR_NODISCARD;
/* Convert. j: all zero but `s`; cleared by the caller, also after a failure. Errors: those of reading, transforming, packing and
 * writing; those of tsr_conversion_check; TSR_CORRUPT where `verify` finds a difference. */
tsr_status tsr_conversion_run(tsr_conversion *j, tsr_error *err) TSR_NODISCARD;
void tsr_conversion_clear(tsr_conversion *j);

/* Keep the value FILE:MODE of names. TSR_ARGUMENT. */
tsr_status tsr_conversion_add_names(tsr_conversion_names *out, const char *value,
                                    tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
