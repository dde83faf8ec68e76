/* Codecs: file formats behind one table. A codec is one file of formats/file and its name in that folder's
 * list. */
#ifndef TSR_CODEC_H
#define TSR_CODEC_H

#include "tsr_input.h"
#include "tsr_observer.h"
#include "tsr_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_codec tsr_codec;

/* Why a codec reads a file. A text that can be two things is read as the named one; when the name of the file
 * chose, with a warning that tells the other; when the content alone chose, it is refused. */
typedef enum tsr_choice { TSR_CHOSEN_BY_NAME, TSR_CHOSEN_BY_SUFFIX, TSR_CHOSEN_BY_CONTENT } tsr_choice;

/* What precedes the entries of a text that has no header of its own (tns). */
typedef enum tsr_header {
    TSR_HEADER_AUTO,     /* none where the text can do without */
    TSR_HEADER_NONE,     /* entries only */
    TSR_HEADER_EXTENDED, /* "extended FROSTT": order and count, dims */
    TSR_HEADER_PARTI     /* order, dims */
} tsr_header;

/* What a file holds: coordinates or a packed tensor; exactly one is not NULL. */
typedef struct tsr_data {
    tsr_coo *coo;
    tsr_tensor *tensor;
    const tsr_codec *codec; /* that read it */
} tsr_data;
void tsr_data_clear(tsr_data *data);

/* All-zero is the default. */
typedef struct tsr_read_options {
    int nthreads;    /* 0: all */
    int index_base;  /* 0: the codec's own (1 for tns); 1: as given, files are 1-based; -1: files are 0-based
                      */
    int shape_order; /* > 0: the dims are given: entries beyond them are errors, headers must agree */
    uint64_t shape[TSR_MAX_ORDER];
    bool keep_triangle; /* codecs that would fill in the other half of a symmetric matrix leave it out */
    tsr_choice choice;  /* why this codec reads; tsr_read sets it when it chooses */
    bool no_values;     /* tns: every column is an index, the tensor is a pattern */
    tsr_input *input; /* already open (standard input that was peeked at): read from it instead of opening the
                         path; borrowed; NULL: open. Only codecs with `streams` get one */
    bool levels_only; /* the values are not needed: a packed tensor may come without them (values.data NULL,
                         values.n and width as they would be) where its levels alone tell the entries */
    bool has_type;    /* convert values while reading */
    tsr_type type;
    const tsr_observer *observer; /* warnings and progress; may be NULL */
} tsr_read_options;

typedef struct tsr_write_options {
    int nthreads;        /* 0: all */
    int deflate;         /* 1..9: compress (HDF5 chunks; gzip for text); 0: codec default */
    int index_base;      /* 0: the codec's own; -1: write 0-based (tns) */
    tsr_header header;   /* codecs with has_header */
    const char *comment; /* a line for the head of the file where the codec can hold one; may be NULL */
    const tsr_observer *observer;
} tsr_write_options;

typedef struct tsr_brief tsr_brief; /* tsr_brief.h */

/* What a codec may look at to recognise a file. */
typedef struct tsr_probe {
    const unsigned char *head; /* the file begins with these n bytes (uncompressed) */
    size_t n;
    const char *path; /* as the user gave it ("file.h5:group"), for codecs that must look deeper; NULL: the
                         input can be read once only (a pipe) */
} tsr_probe;

struct tsr_codec {
    const char *name;            /* "mtx" */
    const char *summary;         /* one line for --list-codecs */
    const char *const *suffixes; /* ".mtx", ... NULL at the end; without ".gz" */
    bool streams;                /* can read from a tsr_input (standard input, gzip), and can write to "-" */
    bool has_groups;             /* "file:object" names one of several tensors in a file */
    bool has_header;             /* tsr_write_options.header means something */
    /* 0..100: how sure the codec is that it reads this file. It may open the file where its first bytes do
     * not tell. May be NULL. */
    int (*probe)(const tsr_probe *probe);
    /* Read `path` ("-" standard input; "file.h5:group" where the codec has groups). Everything is checked. */
    tsr_status (*read)(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err);
    /* What the headers of the file report, in time and memory that do not grow with the file: see
     * tsr_describe. NULL: the codec must read a file to describe it. */
    tsr_status (*describe)(tsr_brief *out, const char *path, const tsr_read_options *options, tsr_error *err);
    /* Whether write_tensor takes this tensor as it is; when not, callers unpack it or convert it to the
     * format whose text is put into *instead (static text, NULL: coordinates). NULL function: never. */
    bool (*takes_tensor)(const tsr_tensor *tensor, const char **instead);
    /* Whether a file of this kind can hold values of the type in that many modes: TSR_UNSUPPORTED says why
     * not. Callers ask before long work. NULL: it can. */
    tsr_status (*check)(int order, tsr_type type, tsr_error *err);
    /* Write, whole or not at all. Capabilities: NULL where it cannot. *nbytes (may be NULL): bytes of the
     * file. */
    tsr_status (*write_coo)(const char *path, const tsr_coo *coo, const tsr_write_options *options,
                            uint64_t *nbytes, tsr_error *err);
    tsr_status (*write_tensor)(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err);
};

/* All codecs, NULL at the end; defined in formats/file. */
extern const tsr_codec *const tsr_codecs[];

/* A kind of file that is recognised, and that no codec reads. */
typedef struct tsr_foreign {
    const char *name;   /* "a Parquet file" */
    const char *advice; /* what to do instead: a sentence without its full stop */
    bool (*claims)(const tsr_probe *probe);
} tsr_foreign;
/* All of them, {NULL} at the end; defined in formats/file. */
extern const tsr_foreign tsr_foreign_kinds[];

/* Cut "file:object" in two: *object points behind the colon, or is NULL when the path names a file only;
 * returns the name of the file, freed with tsr_free, or NULL when memory runs out. A file of the whole name
 * comes first, then the longest existing file (or folder) before a colon, then a name before a colon that
 * ends in a suffix of a codec whose files hold objects. */
char *tsr_path_split(const char **object, const char *path);

/* By name; TSR_ARGUMENT with the list when there is none. */
tsr_status tsr_codec_by_name(const tsr_codec **out, const char *name, tsr_error *err) TSR_NODISCARD;
/* By the path's suffix (".gz" and ":group" taken off first), for writing; for "file:group" where file exists,
 * by its content. "-" has none: TSR_ARGUMENT says to use --to. */
tsr_status tsr_codec_by_suffix(const tsr_codec **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* By content, then by suffix, for reading: opens the file, looks through gzip. For "-" use tsr_read,
 * which peeks at the open input. TSR_IO, TSR_UNSUPPORTED ("looks like none of ..."). */
tsr_status tsr_codec_by_content(const tsr_codec **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* Read with the codec, or with the one found by content when codec is NULL. */
tsr_status tsr_read(tsr_data *out, const char *path, const tsr_codec *codec, const tsr_read_options *options,
                    tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
