/* What the headers of a file report about the tensors in it. Nothing is computed from entries, and no array
 * is read: time and memory do not grow with the file. */
#ifndef TSR_BRIEF_H
#define TSR_BRIEF_H

#include "tsr_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TSR_BRIEF_LINES = 3 };

/* One stored array. */
typedef struct tsr_brief_array {
    char name[32];    /* in the file */
    const char *role; /* "pos", "crd", "values", "fill"; static */
    int level;        /* whose pos or crd it is; -1: of no level */
    tsr_type type;    /* of one stored number */
    uint64_t n;       /* numbers */
    char storage[64]; /* "contiguous", "chunks of 131072, shuffle, deflate 1" */
} tsr_brief_array;

/* One tensor. What a header does not report is absent: see the field. */
typedef struct tsr_brief_tensor {
    char *group;     /* the object of the file that holds the tensor, owned; "" the file itself */
    tsr_error fault; /* status not TSR_OK: the headers of this tensor are wrong; the rest is not valid */
    int order;       /* -1: not reported */
    bool has_dims;
    uint64_t dims[TSR_MAX_ORDER];
    bool has_nnz;
    uint64_t nnz;  /* stored entries; cells of dense levels count, zeros too */
    char type[24]; /* of the values: "f64", "bint8"; "" not reported */
    bool iso;      /* one value for all entries */
    tsr_structure structure;
    bool has_fill;
    tsr_format *format; /* owned; NULL: coordinates */
    int narrays;
    tsr_brief_array *arrays; /* narrays, owned */
    tsr_text attributes;     /* the names of the group's attributes, each ended by NUL */
} tsr_brief_tensor;

struct tsr_brief {
    const tsr_codec *codec;
    bool gzip; /* the whole file is compressed */
    int ntensors;
    tsr_brief_tensor *tensors; /* ntensors, owned */
    bool more;                 /* the file holds more tensors than these */
    tsr_text head; /* the first TSR_BRIEF_LINES lines of a text file as they are, each ended by '\n' */
};

/* Add an empty tensor (order -1) for the group, whose name is copied. The result is borrowed; NULL: out of
 * memory. */
tsr_brief_tensor *tsr_brief_add(tsr_brief *brief, const char *group);
/* Add an array to the tensor: TSR_NOMEM. */
tsr_status tsr_brief_add_array(tsr_brief_tensor *tensor, const tsr_brief_array *array,
                               tsr_error *err) TSR_NODISCARD;
/* Free the contents; the brief is empty afterwards. {0} is an empty brief. */
void tsr_brief_clear(tsr_brief *brief);

/* Fill *brief from the file with the codec, or with the one found by content when codec is NULL. Errors are
 * those of tsr_read, as far as headers show them; TSR_UNSUPPORTED when the codec has no `describe`. When the
 * file holds several tensors, a fault of one of them is kept in its tsr_brief_tensor. */
tsr_status tsr_describe(tsr_brief *brief, const char *path, const tsr_codec *codec,
                        const tsr_read_options *options, tsr_error *err) TSR_NODISCARD;

#ifdef __cplusplus
}
#endif
#endif
