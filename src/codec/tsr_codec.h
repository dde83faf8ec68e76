/* Codecs: readers and writers of file formats. A codec is one file in a room of formats and a name in the
 * list of formats/CMakeLists.txt. */
#ifndef TSR_CODEC_H
#define TSR_CODEC_H

#include "tsr_input.h"
#include "tsr_labels.h"
#include "tsr_observer.h"
#include "tsr_tensor.h"
#include "tsr_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tsr_codec tsr_codec;
typedef struct tsr_picked tsr_picked; /* tsr_picked.h */

/* How the codec that reads a file was chosen. It matters for a text that two codecs could read: by name, it
 * is read; by the suffix of the file, it is read with a warning that names the other codec; by content alone,
 * it is refused. */
typedef enum tsr_choice { TSR_CHOSEN_BY_NAME, TSR_CHOSEN_BY_SUFFIX, TSR_CHOSEN_BY_CONTENT } tsr_choice;

/* What to do with names where a file has them in place of indices (csv). */
typedef enum tsr_relabel {
    TSR_RELABEL_NONE, /* names are errors */
    TSR_RELABEL_EACH, /* number the names of each mode, in the order in which they come */
    TSR_RELABEL_JOINT /* number the names of all modes together, as those of the vertices of a graph */
} tsr_relabel;

/* The header to write before the entries of a text format without a header of its own (tns). */
typedef enum tsr_header {
    TSR_HEADER_AUTO,     /* a header only where the entries do not determine the dims */
    TSR_HEADER_NONE,     /* entries only */
    TSR_HEADER_EXTENDED, /* "extended FROSTT": order and count, dims */
    TSR_HEADER_PARTI     /* order, dims */
} tsr_header;

/* The contents of a file: coordinates or a packed tensor, owned; exactly one is not NULL. */
typedef struct tsr_data {
    tsr_coo *coo;
    tsr_tensor *tensor;
    const tsr_codec *codec; /* the codec that read the file */
    tsr_labels *labels;     /* the names of the indices, owned; NULL: none, or not wanted */
    /* With tsr_read_options.select the codec may have read only the wanted slices of one mode, each once, in rising order. The labels
     * are those of the whole. */
    struct {
        bool read;
        int mode;
        uint64_t dim; /* of the mode in the file */
    } slices;
} tsr_data;
/* Free the contents. */
void tsr_data_clear(tsr_data *data);

/* What coordinates and tensors have in common. The dims are borrowed. */
static inline int tsr_data_order(const tsr_data *data)
{
    return data->coo ? data->coo->order : data->tensor->order;
}
static inline const uint64_t *tsr_data_dims(const tsr_data *data)
{
    return data->coo ? data->coo->dims : data->tensor->dims;
}
static inline tsr_type tsr_data_type(const tsr_data *data)
{
    return data->coo ? data->coo->type : data->tensor->type;
}
static inline tsr_structure tsr_data_structure(const tsr_data *data)
{
    return data->coo ? data->coo->structure : data->tensor->structure;
}

/* How to read; all zero is the default. */
typedef struct tsr_read_options {
    int nthreads;    /* 0: all */
    int index_base;  /* 0: the codec's default (1 for tns); 1: files are 1-based; -1: files are 0-based */
    int shape_order; /* > 0: number of given dims: entries beyond them are errors, headers must agree */
    uint64_t shape[TSR_MAX_ORDER];
    bool keep_triangle; /* keep the stored triangle of a symmetric matrix instead of adding the other one */
    tsr_choice choice;  /* how the codec was chosen; tsr_read sets it where it chooses */
    bool no_values;     /* tns: all columns are coordinates, the tensor is a pattern */
    const char
        *columns; /* csv: the columns to read, the value last: numbers from 1 on or names of the header,
                            with commas; NULL: all */
    tsr_relabel relabel; /* csv: names in place of indices; the names become the labels */
    char separator;      /* csv: what stands between fields; 0: the first line tells */
    tsr_input *input;    /* borrowed; read from this open input instead of opening the path; NULL: open the
                       * path. Only for codecs with `streams` */
    bool levels_only;    /* the values are not needed: a packed tensor may come without them (values.data
                       * NULL, values.n and width as with values) where the levels alone determine the
                       * entries */
    bool
        only_stored; /* `feed` of codecs with `knows_stored`: TSR_UNSUPPORTED unless the file has the arrays of a packed tensor
                          * uncompressed, so that loading them is a copy */
    /* Warn of what the file format allows and other programs take for an error: entries that are not sorted. */
    bool check;
    bool repair; /* repair faults of arrays with one exact repair, each with a warning */
    bool labels; /* read the names of the indices, too */
    const tsr_picked
        *select;   /* what is wanted, for tsr_read_selected: a codec may read only that; NULL: all */
    bool has_type; /* convert values while reading */
    tsr_type type;
    const tsr_observer *observer; /* warnings and progress; may be NULL */
} tsr_read_options;

/* How to write; all zero is the default. */
typedef struct tsr_write_options {
    int nthreads;      /* 0: all */
    int deflate;       /* 1..9: compress (HDF5 chunks; gzip for text); 0: the codec's default */
    int index_base;    /* 0: the codec's default; -1: write 0-based (tns) */
    tsr_header header; /* only codecs with has_header use it */
    int version; /* of the file format where a codec writes several, times 10: 73 is 7.3; 0: the codec chooses */
    int zarr_shard; /* Zarr 3: chunks of a shard; 0: no shards */
    uint64_t
        chunk_slices; /* HDF5, Zarr: a chunk of an array has what this number of slices of the first level has on average;
                              0: chunks of 1 MiB */
    const char *comment;  /* a comment line for codecs that can store one; may be NULL */
    const tsr_sink *sink; /* takes the bytes instead of the file, for codecs with `streams`; NULL: the file */
    const tsr_labels *labels;     /* the names of the indices, for codecs with has_labels; may be NULL */
    const tsr_observer *observer; /* warnings and progress; may be NULL */
} tsr_write_options;

/* An option of codecs: how their files are read or written. One option may serve several codecs. Tools show it as --NAME. */
typedef struct tsr_codec_settings {
    tsr_read_options *read;   /* of the input */
    tsr_write_options *write; /* of the output; NULL where nothing is written */
} tsr_codec_settings;
typedef struct tsr_codec_option {
    const char *name; /* "columns" */
    const char *arg;  /* "LIST": the name of the value; "[KIND]": it may be left out; NULL: there is none */
    const char *help; /* what it does, for --help */
    bool writes;      /* it concerns the output alone; otherwise the input, or both */
    /* Set it. `value` (NULL where there is none) must live as long as the settings. TSR_ARGUMENT. */
    tsr_status (*set)(const tsr_codec_settings *to, const char *value, tsr_error *err);
} tsr_codec_option;

typedef struct tsr_brief tsr_brief;             /* tsr_brief.h */
typedef struct tsr_reader_info tsr_reader_info; /* tsr_reader.h */
typedef struct tsr_reader_source tsr_reader_source;
typedef struct tsr_feed tsr_feed;   /* tsr_feed.h */
typedef struct tsr_parts tsr_parts; /* tsr_feed.h */

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
    const char *folders;         /* ".zarr": files of the codec whose name ends so are folders; NULL: none */
    bool has_groups;             /* "file:object" names one of several tensors in a file */
    bool has_header;             /* the codec uses tsr_write_options.header */
    bool has_labels;             /* the codec writes tsr_write_options.labels */
    bool knows_stored;           /* `feed` follows tsr_read_options.only_stored */
    const tsr_codec_option *const *options; /* those that the codec has, NULL at the end; NULL: none */
    /* How sure the codec is, 0..100, that it can read this file. It may open the file where the first bytes
     * do not decide. May be NULL. */
    int (*probe)(const tsr_probe *probe);
    /* Read `path` ("-" standard input; "file.h5:group" where the codec has groups). All input is checked. */
    tsr_status (*read)(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err);
    /* Open the file to read it in pieces: see tsr_reader.h. *info is filled with what the headers report;
     * options->input stays open while the source is used. NULL: not supported. */
    tsr_status (*open)(tsr_reader_source *out, tsr_reader_info *info, const char *path,
                       const tsr_read_options *options, tsr_error *err);
    /* The same for a reader that can go back, or to any place: see tsr_feed.h. TSR_UNSUPPORTED: not this file. NULL: not
     * supported; then `open` serves. */
    tsr_status (*feed)(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err);
    /* Describe the file from the headers alone, in time and memory that do not grow with the file: see
     * tsr_describe. NULL: not supported. */
    tsr_status (*describe)(tsr_brief *out, const char *path, const tsr_read_options *options, tsr_error *err);
    /* Whether write_tensor can write this tensor as it is. Where it cannot, the caller converts the tensor
     * to the format *instead (static text), or unpacks it where *instead is NULL. NULL function: always
     * false. */
    bool (*takes_tensor)(const tsr_tensor *tensor, const char **instead);
    /* The storage format of most files, for a codec that takes several and writes in parts: a tensor whose modes are only
     * permuted stays as it is if it has this format then. NULL: there is none. */
    const char *usual;
    /* TSR_OK where a file can hold a tensor of this order and value type; TSR_UNSUPPORTED with the reason
     * where it cannot. Callers ask before long work. NULL: always TSR_OK. */
    tsr_status (*check)(int order, tsr_type type, tsr_error *err);
    /* Write a file, whole or not at all. NULL where the codec cannot write coordinates or tensors. *nbytes
     * (may be NULL): the size of the file. */
    tsr_status (*write_coo)(const char *path, const tsr_coo *coo, const tsr_write_options *options,
                            uint64_t *nbytes, tsr_error *err);
    tsr_status (*write_tensor)(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err);
    /* The same for a tensor whose arrays are loaded piece by piece; the bytes of the file are those of
     * write_tensor. May be NULL. */
    tsr_status (*write_parts)(const char *path, tsr_parts *parts, const tsr_write_options *options,
                              uint64_t *nbytes, tsr_error *err);
    /* The same for entries of a feed, which can rewind and whose facts are final (dims, nnz, type): the bytes of
     * the file are those of write_coo for these entries. May be NULL. */
    tsr_status (*write_entries)(const char *path, tsr_feed *feed, const tsr_write_options *options,
                                uint64_t *nbytes, tsr_error *err);
};

/* All codecs, NULL at the end; defined in formats/common. A program that uses the table directly keeps a copy of it,
 * so it is linked again when a codec is added. */
extern const tsr_codec *const tsr_codecs[];

/* Whether the codec has the option. */
bool tsr_codec_has_option(const tsr_codec *codec, const tsr_codec_option *option);
/* All options of all codecs in the order in which the codecs list them, each once: *i counts from 0 on. NULL: no more. */
const tsr_codec_option *tsr_codec_next_option(size_t *i);
/* Append the names of the codecs that have the option: "tns, csv". */
void tsr_codec_option_owners(tsr_text *names, const tsr_codec_option *option);
/* Set the option `name` of codecs. TSR_ARGUMENT: no codec has it, or the value is wrong. */
tsr_status tsr_codec_set_option(const tsr_codec_settings *to, const char *name, const char *value,
                                tsr_error *err) TSR_NODISCARD;

/* A kind of file that is recognised and that no codec can read. */
typedef struct tsr_foreign {
    const char *name;   /* "a Parquet file" */
    const char *advice; /* what to do instead: a sentence without its full stop */
    bool (*claims)(const tsr_probe *probe);
} tsr_foreign;
/* All such kinds, {NULL} at the end; defined in formats/foreign. */
extern const tsr_foreign tsr_foreign_kinds[];

/* Cut "file:object" in two. *object points to the text after the colon in `path`, or is NULL where the path
 * names a file only. Returns the name of the file, to free with tsr_free, or NULL where memory runs out. The
 * file is the whole path where that exists, else the longest existing file or folder before a colon, else the
 * name before a colon that ends in a suffix of a codec with objects, else the whole path. */
char *tsr_path_split(const char **object, const char *path);

/* Append what tells an input from every other one, and from itself after a change, as one line without blanks at its ends: of the
 * file its inode, size, and time of the last change in nanoseconds; of a folder those of all files in it, hashed; the object. The
 * number of the device is left out: machines that share a file system may give it different ones. TSR_IO: there is no such file;
 * TSR_UNSUPPORTED: "-", whose bytes would have to be read; TSR_LIMIT: a folder of more than a million files. */
tsr_status tsr_path_identity(tsr_text *text, const char *path, tsr_error *err) TSR_NODISCARD;

/* The codec with this name; TSR_ARGUMENT with the list of names where there is none. */
tsr_status tsr_codec_by_name(const tsr_codec **out, const char *name, tsr_error *err) TSR_NODISCARD;
/* Warn that the files of a codec without has_labels cannot store the names of
 * the indices, and how to keep them. */
void tsr_warn_dropped_labels(const tsr_observer *observer, const char *path, const tsr_codec *codec);
/* The codec for writing a path: by the suffix without ".gz" and ":group"; for "file:group" without a known
 * suffix, by the content of the existing file. TSR_ARGUMENT: unknown suffix, or "-". */
tsr_status tsr_codec_by_suffix(const tsr_codec **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* The codec for reading a path: by content, through gzip, then by suffix. The file is opened. For "-" use
 * tsr_read. TSR_IO; TSR_UNSUPPORTED: unknown file format. */
tsr_status tsr_codec_by_content(const tsr_codec **out, const char *path, tsr_error *err) TSR_NODISCARD;
/* The same for an open input: `name` only gives a suffix, no file of that name is opened. */
tsr_status tsr_codec_of_input(const tsr_codec **out, const char *name, tsr_input *input,
                              tsr_error *err) TSR_NODISCARD;
/* Read a file with the codec; NULL: choose the codec as tsr_codec_by_content does. tsr_data_clear frees
 * *out. options may be NULL: all zero. Errors: those of the codec, with the path. */
tsr_status tsr_read(tsr_data *out, const char *path, const tsr_codec *codec, const tsr_read_options *options,
                    tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
