/* Tessera: sparse tensors in files, formats and kernels. This header is the library for C and bindings; tessera.hpp wraps it for C++17.
 *
 *     tessera_context *ctx = tessera_context_new();
 *     tessera_tensor *A = NULL;
 *     const tessera_read_options csr = {.size = sizeof csr, .format = "csr"};
 *     if (tessera_read(&A, "matrix.mtx", &csr, ctx) != TESSERA_OK) puts(tessera_context_text(ctx));
 *
 * Handles. Tensors, formats, kernels, layouts and contexts are opaque. A function that makes one stores it in
 * *out, and the caller frees it with the function named ..._free (NULL is fine). After a failure *out is NULL.
 *
 * Status. Functions that can fail return a tessera_status. The sentence that explains an error, and the path, the line and the column it is
 * about, are kept in the context of the call until its next call. Every `ctx` may be NULL: then there is only the status, and the defaults
 * of tessera_context_new hold.
 *
 * Options. A struct of options begins with its size in bytes, which the caller sets (`.size = sizeof options`), so that programs keep
 * running when later versions add fields at the end. All other fields are 0 by default, and a pointer to options may be NULL. Structs that
 * the library fills (tessera_level...) also begin with a size that the caller sets before the call.
 *
 * Texts. A text that a function stores in *out is UTF-8, ends with NUL, and is freed with tessera_text_free. A `const char *` that a
 * function returns is borrowed from the object that it was asked of.
 *
 * Threads. Tensors, formats, kernels and layouts do not change after they were made (tessera_kernel_run changes the values of its result):
 * any number of threads may use them at the same time. A context is used by one thread at a time, except for tessera_context_cancel and
 * tessera_context_progress, which any thread may call. The library uses several threads inside a call (tessera_context_set_threads).
 *
 * fork. A child of fork(2) may use the library: all its calls run on one thread, since the threads of the parent do not exist in the child.
 * exec(2) gives all threads back. A handle must not be used in the child while another thread of the parent was
 * inside a call with it at the time of the fork.
 *
 * The library never prints, never ends the process, and installs no signal handler. */
#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ---- */
/* The version of this header; tessera_version() is the version of the library at run time. */
#define TSR_VERSION_MAJOR 0
#define TSR_VERSION_MINOR 2
#define TSR_VERSION_PATCH 0
/* For comparisons, #if TSR_VERSION_NUMBER >= 203 for 0.2.3 or later: 10000 major + 100 minor + patch. */
#define TSR_VERSION_NUMBER (10000 * TSR_VERSION_MAJOR + 100 * TSR_VERSION_MINOR + TSR_VERSION_PATCH)
#define TSR_VERSION_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define TSR_VERSION_TEXT_EXPAND(major, minor, patch) TSR_VERSION_TEXT_OF(major, minor, patch)
#define TSR_VERSION TSR_VERSION_TEXT_EXPAND(TSR_VERSION_MAJOR, TSR_VERSION_MINOR, TSR_VERSION_PATCH)

#if defined(__GNUC__)
#define TESSERA_API __attribute__((visibility("default")))
#define TESSERA_CHECKED TESSERA_API __attribute__((warn_unused_result))
#else
#define TESSERA_API
#define TESSERA_CHECKED
#endif

/* "0.2.0"; static. */
TESSERA_API const char *tessera_version(void);

/* ---- status, types ---- */
typedef enum tessera_status {
    TESSERA_OK = 0,
    TESSERA_NOMEM = 1,       /* out of memory */
    TESSERA_IO = 2,          /* the system refused to read or write */
    TESSERA_SYNTAX = 3,      /* a text or a file is malformed */
    TESSERA_RANGE = 4,       /* a number is out of range */
    TESSERA_LIMIT = 5,       /* larger than a limit: the memory that is left, the number of modes... */
    TESSERA_DUPLICATE = 6,   /* several entries in one cell, where the caller wanted an error */
    TESSERA_UNSUPPORTED = 7, /* well-formed, but not implemented; no compiler; a file of a known other kind */
    TESSERA_ARGUMENT = 8,    /* a wrong argument of the call */
    TESSERA_CORRUPT = 9,     /* arrays or a file contradict themselves */
    TESSERA_CANCELLED = 10   /* ended by tessera_context_cancel or tessera_interrupt */
} tessera_status;
/* "malformed input"; "?" for a number that is not a status. Static. */
TESSERA_API const char *tessera_status_text(tessera_status status);

/* Types of values, and of the elements of level arrays (the integers). */
typedef enum tessera_type {
    TESSERA_F64 = 0,
    TESSERA_F32 = 1,
    TESSERA_I8 = 2,
    TESSERA_I16 = 3,
    TESSERA_I32 = 4,
    TESSERA_I64 = 5,
    TESSERA_U8 = 6,
    TESSERA_U16 = 7,
    TESSERA_U32 = 8,
    TESSERA_U64 = 9,
    TESSERA_C64 = 10,     /* two floats: real, imaginary */
    TESSERA_C128 = 11,    /* two doubles */
    TESSERA_PATTERN = 12, /* every stored entry is 1; a byte where values are spelled out */
    TESSERA_F16 = 13,     /* IEEE's float of 16 bits; stored only: kernels compute in f32 */
    TESSERA_BF16 = 14,    /* the upper half of a float; stored only */
    TESSERA_ANY_TYPE = -1 /* in options: the type that the data have */
} tessera_type;
/* "f64"; "?" for a number that is not a type. Static. */
TESSERA_API const char *tessera_type_text(tessera_type type);
/* Bytes of one element: 1, 2, 4, 8, 16; 0 for a number that is not a type. */
TESSERA_API size_t tessera_type_nbytes(tessera_type type);

/* The part of a symmetric matrix that is stored; (i, j) with i >= j is the lower triangle. */
typedef enum tessera_structure {
    TESSERA_GENERAL = 0, /* all of it */
    TESSERA_SYMMETRIC_LOWER = 1,
    TESSERA_SYMMETRIC_UPPER = 2,
    TESSERA_HERMITIAN_LOWER = 3,
    TESSERA_HERMITIAN_UPPER = 4,
    TESSERA_SKEW_LOWER = 5,
    TESSERA_SKEW_UPPER = 6
} tessera_structure;

enum { TESSERA_MAX_ORDER = 16, TESSERA_MAX_LEVELS = 32 };

TESSERA_API void tessera_text_free(char *text);

/* ---- context: errors, warnings, threads, progress, cancelling ---- */
typedef struct tessera_context tessera_context;

/* A new context: the default number of threads, no error. NULL when memory runs out. */
TESSERA_API tessera_context *tessera_context_new(void);
TESSERA_API void tessera_context_free(tessera_context *ctx);

/* While the process has a context, the library keeps the memory of freed tensors for later ones, since the system takes longer to make
 * new pages than a program to fill them: the arrays of 1 MiB or more, up to nbytes in all (256 MiB unless this is called; 0: none). The
 * limit holds for the process; memory that is too much is freed at once. Kept memory is given up before a call of this library runs
 * out of memory, and the system may take back the pages of all but the 128 MiB that were freed last. Any thread may call this at any time. */
TESSERA_API void tessera_set_kept_memory(uint64_t nbytes);

/* Memory of the caller for the arrays of tensors: pinned, shared or huge pages, a pool that counts. */
typedef struct tessera_allocator {
    size_t size; /* sizeof(tessera_allocator) */
    /* A block of nbytes > 0 bytes whose address is a multiple of `alignment` (64); NULL: there is no memory. */
    void *(*allocate)(void *user, size_t nbytes, size_t alignment);
    /* Take a block of `allocate` back, with its nbytes. */
    void (*free)(void *user, void *block, size_t nbytes);
    void *user;
} tessera_allocator;
/* From now on the arrays of every tensor that a call with this context makes lie in blocks of the allocator: one block for each array that
 * has elements, of what is read, packed, converted and computed. A tensor is finished in the library's memory first; then its arrays move,
 * one copy of each. All else (work space, names, handles) stays in the library's memory. Both functions are called by the thread of the
 * call or by the one that frees the tensor, and must work as long as one of these tensors exists, also after the context is freed.
 * TESSERA_NOMEM where `allocate` gives no block; what it gave for that tensor goes back. NULL: the library's memory, as at first. */
TESSERA_CHECKED tessera_status tessera_context_set_allocator(tessera_context *ctx,
                                                             const tessera_allocator *allocator);

/* The number of threads of each call with this context; 0 (the default) means
 * OMP_NUM_THREADS or, where that is not set, all processors that the process may use. Results do not depend on it, except for the rounding of sums in some kernels (docs/kernels.md). */
TESSERA_API void tessera_context_set_threads(tessera_context *ctx, int nthreads);

/* End the threads that calls of the calling thread have kept for its next call, which makes new ones, in some 0.1 ms. For a thread that
 * rests: where the threads that all callers have kept outnumber the processors, those of every caller wake later. */
TESSERA_API void tessera_threads_release(void);

/* The error of the last call with this context. status: TESSERA_OK after a success. message: one sentence without a full stop at the end,
 * safe to print; "" after a success. path: the input, "" where the error is not about one. line and column count from 1; 0: unknown.
 * Without a line, the column is a byte of the text that was given (an expression, a format, a layout). */
TESSERA_API tessera_status tessera_context_status(const tessera_context *ctx);
TESSERA_API const char *tessera_context_message(const tessera_context *ctx);
TESSERA_API const char *tessera_context_path(const tessera_context *ctx);
TESSERA_API uint64_t tessera_context_line(const tessera_context *ctx);
TESSERA_API uint64_t tessera_context_column(const tessera_context *ctx);
/* "path:line:column: message", the parts that are known. */
TESSERA_API const char *tessera_context_text(const tessera_context *ctx);

/* The warnings of the last call, "path:line: sentence": facts that are not errors but that a user should see once.
 * At most 100 are kept. i is in [0, nwarnings). */
TESSERA_API int tessera_context_nwarnings(const tessera_context *ctx);
TESSERA_API const char *tessera_context_warning(const tessera_context *ctx, int i);

/* The work of a call that is running in another thread. Phases: "read" and "write", in bytes of a file; "pack" and "transform", in
 * entries; "compile" (the compiler of a kernel) and "run" (a kernel), with a total of 0, but the runs that tessera_kernel_time
 * was asked for; "": not begun. */
typedef struct tessera_progress {
    size_t size;          /* sizeof(tessera_progress), set by the caller */
    const char *phase;    /* static */
    uint64_t done, total; /* total 0: unknown */
} tessera_progress;
TESSERA_API void tessera_context_progress(tessera_progress *out, const tessera_context *ctx);
/* Call `watch` during the calls with this context, at every step and a few times a second in long ones, from one thread of the library at a
 * time. A result other than 0 cancels as tessera_context_cancel does. NULL: not any more. `watch` must not call the library with this
 * context, except tessera_context_cancel. */
TESSERA_API void tessera_context_watch(tessera_context *ctx,
                                       int (*watch)(void *user, const tessera_progress *state), void *user);
/* Ask the running call to end: it undoes its work and returns TESSERA_CANCELLED within a fraction of a second. The
 * request holds for later calls, too, until tessera_context_reset. Reading, packing, converting, writing, waits for a pipe, the compiler of
 * kernels and the interpreter end early. The run of a kernel ends between its steps (`tkern --emit=plan` shows them), and where it takes
 * memory for a sparse result; compiled loops that fill a dense one go on to their end. May be called from any thread. */
TESSERA_API void tessera_context_cancel(tessera_context *ctx);
/* Take the request back, and forget the error, the warnings and the progress. */
TESSERA_API void tessera_context_reset(tessera_context *ctx);

/* For a signal handler, or to end the calls of all contexts: all waits and all long calls of the process end with TESSERA_CANCELLED until
 * tessera_interrupt(0). tessera_interrupt is async-signal-safe if it was called once with 0 before. */
TESSERA_API void tessera_interrupt(int on);

/* ---- arrays ---- */
/* One array of a tensor. As an output of the library: borrowed from the tensor, valid as long as the tensor. As an
 * input (tessera_borrow): the caller's memory. */
typedef struct tessera_array {
    const char *name;  /* "pos", "crd", "values"... of a level of this kind; ignored in inputs */
    void *data;        /* n elements, one after the other, aligned as their type */
    uint64_t n;        /* elements */
    tessera_type type; /* of an element. Indices: an integer type, signed or unsigned, of any width */
    int level;         /* whose array it is; -1: the values. Ignored in inputs */
} tessera_array;

/* ---- tensors ---- */
/* A packed tensor: dims, a storage format, the arrays of its levels, and one value for each position of the last level. */
typedef struct tessera_tensor tessera_tensor;

TESSERA_API void tessera_tensor_free(tessera_tensor *tensor);
/* One more owner of the same tensor: it exists until each owner has called tessera_tensor_free. Returns `tensor`. */
TESSERA_API tessera_tensor *tessera_tensor_share(tessera_tensor *tensor);

TESSERA_API int tessera_tensor_order(const tessera_tensor *tensor);
/* `order` numbers, borrowed. */
TESSERA_API const uint64_t *tessera_tensor_dims(const tessera_tensor *tensor);
TESSERA_API tessera_type tessera_tensor_type(const tessera_tensor *tensor);
TESSERA_API tessera_structure tessera_tensor_structure(const tessera_tensor *tensor);
/* Stored entries: positions of the last level; where that level is dense (and padding and fill are stored as well),
 * the values that are not bitwise equal to the fill, which takes a pass over the values. */
TESSERA_API uint64_t tessera_tensor_nnz(const tessera_tensor *tensor);
/* Bytes of all arrays. */
TESSERA_API uint64_t tessera_tensor_nbytes(const tessera_tensor *tensor);
/* 1: all entries have the same value, and the values have one element. */
TESSERA_API int tessera_tensor_is_iso(const tessera_tensor *tensor);
/* The value of absent cells: tessera_type_nbytes bytes. NULL: 0. */
TESSERA_API const void *tessera_tensor_fill(const tessera_tensor *tensor);
/* The name of the format, "csr", "bcsr(2,3)", "csf:2,0,1", or its text where it has no name; borrowed. */
TESSERA_API const char *tessera_tensor_format(const tessera_tensor *tensor);

/* One level. */
typedef struct tessera_level {
    size_t size;       /* sizeof(tessera_level), set by the caller */
    const char *kind;  /* "dense", "compressed", "singleton"... Static */
    uint64_t dim;      /* coordinates of this level are in [0, dim) */
    uint64_t pitch;    /* positions of each parent of a dense level; = dim unless padded */
    uint64_t nparents; /* positions of the level above; 1 for level 0 */
    uint64_t npos;     /* positions */
    int nonunique;     /* 1: a coordinate may be stored several times below one parent */
    /* that the kind has besides arrays, as tinfo --arrays shows them: K of ell; kl and ku of a band; 0: none */
    int64_t number, second_number;
} tessera_level;
TESSERA_API int tessera_tensor_nlevels(const tessera_tensor *tensor);
/* TESSERA_ARGUMENT: there is no level l. */
TESSERA_CHECKED tessera_status tessera_tensor_level(tessera_level *out, const tessera_tensor *tensor, int l,
                                                    tessera_context *ctx);

/* The arrays: those of level 0, 1, ..., each level's in the order of its kind (pos, crd), and the values last. csr has
 * pos (nrows + 1), crd, values; coo of a matrix has pos (0, nnz), crd, crd, values. The elements belong to the
 * caller, too: other libraries may change values in place, and a kernel sees them. Indices must stay as they are while the
 * tensor exists: they were checked when the tensor was made, and are not looked at again. The `offset` of dia counts from the lowest possible diagonal, as all coordinates
 * count from 0: diagonal j - i of a matrix of n rows is stored as j - i + n - 1, and tinfo shows j - i. */
TESSERA_API int tessera_tensor_narrays(const tessera_tensor *tensor);
TESSERA_CHECKED tessera_status tessera_tensor_array(tessera_array *out, const tessera_tensor *tensor, int i,
                                                    tessera_context *ctx);
/* The array of level l with this name ("pos", "crd"; "values" for any l). TESSERA_ARGUMENT: there is none. */
TESSERA_CHECKED tessera_status tessera_tensor_find(tessera_array *out, const tessera_tensor *tensor, int l,
                                                   const char *name, tessera_context *ctx);
/* The coordinates of all entries: crd[m] receives nnz numbers for mode m (order arrays; NULL: not wanted), values
 * nnz values (NULL: not wanted), in storage order. The entries are those that tessera_tensor_nnz counts. */
TESSERA_CHECKED tessera_status tessera_tensor_entries(uint64_t *const *crd, void *values,
                                                      const tessera_tensor *tensor, tessera_context *ctx);
/* Check all arrays: lengths, ranges, order, padding. TESSERA_CORRUPT with the level and the position. One pass. */
TESSERA_CHECKED tessera_status tessera_tensor_check(const tessera_tensor *tensor, tessera_context *ctx);

/* ---- names of rows and columns ---- */
/* The labels of a mode: a name for each of its indices, such as the genes and the cells of a matrix of counts. Files that hold
 * names give them (h5ad, 10x, Tessera's HDF5), tessera_convert carries them along, and tessera_write writes them where
 * the file can hold them, else it warns. All names of a mode, one after the other, each ended by a NUL: *nbytes bytes, borrowed
 * until the next tessera_tensor_set_labels. NULL: the mode has no names, or does not exist. nbytes may be NULL. */
TESSERA_API const char *tessera_tensor_labels(uint64_t *nbytes, const tessera_tensor *tensor, int mode);
/* The name of one index; borrowed. NULL: there is none. */
TESSERA_API const char *tessera_tensor_label(const tessera_tensor *tensor, int mode, uint64_t i);
/* Give the mode names, which are copied; names NULL: take them away. To be called before other threads use the tensor.
 * TESSERA_ARGUMENT: no such mode; n is not its dim. */
TESSERA_CHECKED tessera_status tessera_tensor_set_labels(tessera_tensor *tensor, int mode,
                                                         const char *const *names, uint64_t n,
                                                         tessera_context *ctx);

/* ---- tensors from the caller's memory ---- */
/* What tessera_borrow makes a tensor of. */
typedef struct tessera_parts {
    size_t size;                 /* sizeof(tessera_parts) */
    const char *format;          /* "csr", "csc", "coo", "bcsr(4,4)", "csf", "dd", "dd:1,0"... */
    int order;                   /* modes */
    const uint64_t *dims;        /* `order` numbers */
    const tessera_array *arrays; /* in the order of tessera_tensor_array. `pos` of a compressed level 0 may be
                                    {0} (the library makes 0, n) */
    int narrays;
    tessera_structure structure; /* not TESSERA_GENERAL: the arrays store one triangle */
    int is_iso;                  /* 1: the values have one element, for all entries */
    const void *fill;            /* the value of absent cells, copied; NULL: 0 */
    int unchecked; /* 1: the caller promises what tessera_tensor_check checks, and it is not called */
    /* Called once with release_arg when the last owner of the tensor frees it, from that thread; not called when
     * tessera_borrow fails. NULL: the caller keeps the memory alive. */
    void (*release)(void *release_arg);
    void *release_arg;
    /* One for each level, of which `npos` and the numbers are read, as tessera_tensor_level fills them: needed where a level is of a kind
     * whose positions do not follow from the entries alone (ell, dia, sell, hash, bitmap...). NULL: no level is. */
    const tessera_level *levels;
} tessera_parts;
/* A tensor of these arrays, which are not copied: they must stay in place until the release, and the indices as they are. Reading is all that
 * the library does with them, except that a kernel writes to the values of its result. The type of the tensor is the
 * type of the values. TESSERA_CORRUPT: arrays of wrong lengths, indices out of range, not sorted, or repeated (use
 * tessera_pack for such entries). TESSERA_ARGUMENT: a wrong number or type of arrays. */
TESSERA_CHECKED tessera_status tessera_borrow(tessera_tensor **out, const tessera_parts *parts,
                                              tessera_context *ctx);

/* A dense array of the caller. */
typedef struct tessera_dense_parts {
    size_t size; /* sizeof(tessera_dense_parts) */
    int order;
    const uint64_t *dims;
    const int64_t *strides; /* `order` distances in elements; NULL: row-major without gaps */
    tessera_type type;
    void *data;                         /* of the element at coordinates 0 */
    void (*release)(void *release_arg); /* as in tessera_parts */
    void *release_arg;
} tessera_dense_parts;
/* A dense tensor in the caller's memory, without a copy: row-major, column-major, or any other order of the modes.
 * TESSERA_UNSUPPORTED: strides that leave gaps, overlap or are negative: copy such an array first; a pattern of order
 * 0. Kernels may write to the tensor. */
TESSERA_CHECKED tessera_status tessera_borrow_dense(tessera_tensor **out, const tessera_dense_parts *parts,
                                                    tessera_context *ctx);

/* How to treat several entries in one cell. */
typedef enum tessera_duplicates {
    TESSERA_SUM = 0, /* add in input order; TESSERA_RANGE where an integer overflows */
    TESSERA_FIRST = 1,
    TESSERA_LAST = 2,
    TESSERA_KEEP = 3, /* store all; needs a format that can */
    TESSERA_ERROR = 4 /* TESSERA_DUPLICATE */
} tessera_duplicates;

/* Bits of the stored indices. */
typedef enum tessera_index_width {
    TESSERA_INDEX_AUTO = 0,    /* INTEROP for formats whose levels store whole coordinates, else NARROW */
    TESSERA_INDEX_NARROW = 1,  /* for each array the fewest of 8, 16, 32, 64 */
    TESSERA_INDEX_INTEROP = 2, /* for each array 32 where all fit an int32_t, else 64 */
    TESSERA_INDEX_8 = 3,
    TESSERA_INDEX_16 = 4,
    TESSERA_INDEX_32 = 5,
    TESSERA_INDEX_64 = 6,
    TESSERA_INDEX_SAME =
        7 /* 32 for all arrays where every element of every array fits an int32_t, else 64 for
                              all: the rule of SciPy */
} tessera_index_width;

typedef struct tessera_pack_options {
    size_t size;        /* sizeof(tessera_pack_options) */
    const char *format; /* NULL: "coo" */
    tessera_duplicates duplicates;
    tessera_index_width index_width;
    uint64_t max_nbytes; /* TESSERA_LIMIT for a larger result; 0: the memory that is left is the limit */
} tessera_pack_options;

/* Entries in any order. */
typedef struct tessera_entries {
    size_t size; /* sizeof(tessera_entries) */
    int order;
    const uint64_t *dims; /* `order` numbers */
    uint64_t nnz;
    const tessera_array *crd; /* `order` arrays of nnz coordinates from 0 on, of any integer type */
    tessera_array
        values; /* nnz values; 1 for all where n = 1; data NULL with type TESSERA_PATTERN: no values */
    tessera_structure structure;
    const void *fill; /* NULL: 0 */
} tessera_entries;
/* Sort and pack the entries; the caller's arrays are read, not kept. */
TESSERA_CHECKED tessera_status tessera_pack(tessera_tensor **out, const tessera_entries *entries,
                                            const tessera_pack_options *options, tessera_context *ctx);
/* A tensor without entries (all levels dense: zeros), for results of kernels, and as a description of tensors. */
TESSERA_CHECKED tessera_status tessera_empty(tessera_tensor **out, const char *format, int order,
                                             const uint64_t *dims, tessera_type type, tessera_context *ctx);

/* ---- converting ---- */
typedef struct tessera_convert_options {
    size_t size;        /* sizeof(tessera_convert_options) */
    const char *format; /* NULL: that of the tensor, where it suits the result */
    tessera_duplicates duplicates;
    tessera_index_width index_width;
    uint64_t max_nbytes; /* as in tessera_pack_options */
    /* Steps carried out in this order, separated by ';' or line ends, as the options of tconv:
     * "slice=:,0:100; transpose=1,0; reduce=sum:0" (docs/transformations.md). NULL: none. */
    const char *transform;
    int has_type; /* 1: convert the values to `type`, if all fit */
    tessera_type type;
    int expand; /* 1: expand one stored triangle to the whole matrix; 0: keep it */
} tessera_convert_options;
/* The same entries in another format, or transformed ones. `tensor` stays as it is. If nothing changes, *out is one
 * more owner of `tensor` (tessera_tensor_share). */
TESSERA_CHECKED tessera_status tessera_convert(tessera_tensor **out, const tessera_tensor *tensor,
                                               const tessera_convert_options *options, tessera_context *ctx);

/* The slices of a tensor at these coordinates of a mode, in this order and as often as they occur: mode `mode` of the result has
 * index->n coordinates, and the format is that of the tensor: rows of csr, columns of csc, slices of a tensor (d, then s or d). Names
 * of the mode go along. TESSERA_UNSUPPORTED: the first level of the format is not dense or not that of the mode, a level below it is neither a list nor
 * dense, or one triangle is stored. TESSERA_ARGUMENT: no such mode; the list does not hold integers, or has a coordinate outside. */
TESSERA_CHECKED tessera_status tessera_gather(tessera_tensor **out, const tessera_tensor *tensor, int mode,
                                              const tessera_array *index, tessera_context *ctx);

/* Two tensors side by side, block by block: the cells where one of them stores an entry, and the values of both there, for any function
 * of two values. Both have one format, of full levels and then a compressed one, such as csr, csc or cvec, and the same dims; a row is what
 * one parent of the last level holds. Set size, capacity, the arrays, wide and cells, and all other fields to 0. */
typedef struct tessera_pairs {
    size_t size;       /* sizeof(tessera_pairs) */
    uint64_t capacity; /* the most entries of a block: at least 512 */
    void *pos;         /* rows + 1 elements: where the rows begin in crd */
    void *crd;         /* of all blocks: an element for each entry of both tensors */
    void *
        left; /* of this block: capacity values of the type of each tensor, of a pattern bytes; the fill value where the */
    void *right; /* tensor does not store an entry */
    int wide; /* 1: pos and crd have 8 bytes an element; 0: 4, into which all positions and coordinates must fit */
    int cells; /* which are wanted: the sum of 2 for those of `left` alone, 4 of `right` alone, 8 of both; 0: all */
    /* Before the next call: NULL, or n bytes. Entry k of this block is taken out of crd and pos again where kept[k] is 0. */
    const unsigned char *kept;
    /* Set by each call: */
    uint64_t n;     /* entries of this block; 0 after the last one, when crd and pos are whole */
    uint64_t total; /* entries of the blocks before this one, without those that were taken out */
    uint64_t first, row, at_left,
        at_right; /* rows, and entries of the tensors, where this block began and ended */
} tessera_pairs;
/* Fill the next block. TESSERA_UNSUPPORTED: the formats differ, or are of another kind. TESSERA_ARGUMENT: the dims differ, capacity is too
 * small, an array is missing, or positions do not fit. Index arrays are trusted, as kernels do. */
TESSERA_CHECKED tessera_status tessera_pairs_next(tessera_pairs *pairs, const tessera_tensor *left,
                                                  const tessera_tensor *right, tessera_context *ctx);

/* ---- files ---- */
typedef struct tessera_read_options {
    size_t size; /* sizeof(tessera_read_options) */
    const char
        *format; /* NULL: that of the file; the one that suits the file, or coo, where the file holds text */
    const char *codec; /* "mtx"...; NULL: by content */
    tessera_duplicates duplicates;
    tessera_index_width index_width;
    uint64_t max_nbytes;   /* as in tessera_pack_options */
    const char *transform; /* as in tessera_convert_options */
    int has_type;          /* 1: convert the values to `type` while reading, if all fit */
    tessera_type type;
    int keep_symmetry; /* 1: keep one triangle of a symmetric matrix; 0: expand it */
    int norder;        /* > 0: number of `dims`, which the entries must fit and a header must state */
    const uint64_t *dims;
    int index_base;      /* tns: 0: files count from 1; -1: from 0 */
    int no_values;       /* tns: 1: there is no column of values */
    const char *columns; /* csv: "row,col,val" or "2,3,4"; NULL: all */
    /* options of single file formats, as tconv has them: "separator=tab", "relabel", NULL at the end; NULL: none. An
     * option that the format of the file lacks is TESSERA_ARGUMENT */
    const char *const *codec_options;
    /* Of tessera_convert_file: the memory that the call may take beside what the process holds already, at least 64 MiB; what does not
     * fit goes through temporary files. 0: what the machine has left. Calls with a limit run one after the other. */
    uint64_t memory_nbytes;
    const char *temp; /* of tessera_convert_file: the folder for temporary files; NULL: that of the output */
    /* Of tessera_convert_file, as the options of tconv. resume: temporary files stay where the call is cancelled, and a call with the
     * same arguments continues with those that are there. shard: "2/8" makes part 2 (0 to 7) of 8 in the folder for temporary files,
     * and no output; "auto": the parts are the tasks of a job of Slurm. join makes the output of the parts; all other options are
     * those of the parts. verify: read the output back and compare; TESSERA_CORRUPT. It compares in memory: TESSERA_ARGUMENT for parts, and
     * for a tensor that does not fit memory. */
    int resume;
    const char *shard;
    int join, verify;
    /* Only this part: a list of coordinates for each mode, with semicolons between them, "100:200,5000; :; 3,1". A list has indices and
     * slices as NumPy's, in the order of the result; an index may occur twice, and does not drop its mode. Where a file of HDF5 or Zarr
     * stores the slices of the mode one after the other (rows of csr, columns of csc), only the chunks that have wanted slices are
     * read. NULL: all */
    const char *select;
    int no_labels; /* 1: leave out the names of indices, which take as long as the entries of a part */
    /* Of tessera_convert_file: further inputs, which follow the first one; NULL at the end; NULL: none. along: 1 + the mode along which they
     * are joined; 0: they are parts of one tensor, whose dims are the largest, and whose entries come together */
    const char *const *more;
    int along;
} tessera_read_options;
/* Read `path`: a file, "file.h5:group", "-" (standard input), plain or gzip. */
TESSERA_CHECKED tessera_status tessera_read(tessera_tensor **out, const char *path,
                                            const tessera_read_options *options, tessera_context *ctx);

/* Bytes that are not a file: in memory, or given by a function. */
typedef struct tessera_source {
    size_t size;      /* sizeof(tessera_source) */
    const void *data; /* nbytes bytes, which are read during the call; NULL: `read` gives the bytes */
    uint64_t nbytes;  /* of all; with `read`, 0: unknown. Another number of bytes than this is TESSERA_IO */
    /* Store up to room > 0 bytes that begin at byte `offset`, and return their number: 0 at the end, -1 for an error. Each call begins
     * where the one before ended, so `offset` may be ignored. Called by one thread at a time, but not always the caller's. */
    int64_t (*read)(void *user, uint64_t offset, void *out, size_t room);
    void *user;
    const char *name;   /* for messages; its suffix counts as that of a path. NULL: "stream" */
    const char *object; /* one of several tensors, such as a group of an HDF5 file; NULL: not named */
    /* 1: `read` gives any of the nbytes bytes. Of HDF5 files and ZIP archives only what is read is asked for, by 4 kB to 8 MB, once */
    int random;
    /* Not NULL: a Zarr folder, instead of `data` and `read`. As `read`, for the file `member` ("X/data/0"); -2: there is no such file */
    int64_t (*get)(void *user, const char *member, uint64_t offset, void *out, size_t room);
} tessera_source;
/* tessera_read of these bytes. Texts, plain or gzip, are read as they come; other kinds of files are copied to a temporary file
 * ($TMPDIR, or /tmp) first. TESSERA_IO where the function fails or contradicts itself. */
TESSERA_CHECKED tessera_status tessera_read_source(tessera_tensor **out, const tessera_source *source,
                                                   const tessera_read_options *options, tessera_context *ctx);

typedef struct tessera_write_options {
    size_t size;                      /* sizeof(tessera_write_options) */
    const char *codec;                /* "mtx"...; NULL: by the suffix of the path */
    int deflate;                      /* 1..9: compress; 0: the default of the codec */
    int index_base;                   /* tns: 0: count from 1; -1: from 0 */
    const char *header;               /* tns: "none", "extended", "parti", "auto" (NULL) */
    const char *comment;              /* stored where the codec can; NULL: none */
    const char *const *codec_options; /* as in tessera_read_options: "mat-version=7.3" */
} tessera_write_options;
/* Write the tensor. The file gets its name when it is complete: after a failure the old file is still there. A codec
 * that stores other formats gets the tensor converted. */
TESSERA_CHECKED tessera_status tessera_write(const char *path, const tessera_tensor *tensor,
                                             const tessera_write_options *options, tessera_context *ctx);
/* Where the bytes of a file go, if not into a file. */
typedef struct tessera_sink {
    size_t size; /* sizeof(tessera_sink) */
    /* Take all nbytes > 0 bytes, which follow those before, and return 0; else the call ends with TESSERA_IO. Called by one thread at
     * a time. */
    int (*write)(void *user, const void *bytes, size_t nbytes);
    void *user;
    const char *name; /* for messages; its suffix tells the kind of file; .gz compresses. NULL: "stream" */
} tessera_sink;
/* tessera_write to a function. Texts go out while they are written, so that a part may have gone when the call fails; other kinds of
 * files are written to a temporary file ($TMPDIR, or /tmp) first. TESSERA_UNSUPPORTED: a kind that is a folder of files. */
TESSERA_CHECKED tessera_status tessera_write_sink(const tessera_sink *sink, const tessera_tensor *tensor,
                                                  const tessera_write_options *options, tessera_context *ctx);
/* Read `in` and write `out`, as tconv does and with the same bytes: text to text without a format is not sorted. A tensor that does not
 * fit memory goes through temporary files. `out` gets its name when it is complete; after a failure or a request to end, the old file
 * is still there, and nothing else. */
TESSERA_CHECKED tessera_status tessera_convert_file(const char *out, const char *in,
                                                    const tessera_read_options *read,
                                                    const tessera_write_options *write, tessera_context *ctx);

/* One of n processes that read a tensor together (the ranks of an MPI run), and how they exchange bytes. All ranks call these functions in
 * the same sequence, in the thread of the call. A result other than 0 is a failure, which should end all ranks: they are out of step. */
typedef struct tessera_ranks {
    size_t size; /* sizeof(tessera_ranks) */
    int rank, n; /* 0 <= rank < n <= 2^20 */
    int grid; /* 0: each rank has successive slices of mode 0; 1: a block of a grid, for many ranks. About equal numbers of entries */
    void *user;
    int (*gather)(void *user, void *out, const void *mine,
                  size_t nbytes); /* out: n times nbytes: `mine` of each */
    int (*sum)(void *user, uint64_t *numbers,
               size_t count); /* each becomes the sum over the ranks, modulo 2^64 */
    /* Send send_nbytes[r] bytes at send[r] to rank r, receive recv_nbytes[r] bytes from it at recv[r]; this rank is one of them */
    int (*exchange)(void *user, void *const *recv, const uint64_t *recv_nbytes, const void *const *send,
                    const uint64_t *send_nbytes);
} tessera_ranks;
/* Read a file together: each rank reads a part where the kind of file allows it, and gets its share of the entries with the dims of the
 * whole, as f64. cuts (NULL, or n + 1 elements; not of a grid): rank r has the slices cuts[r]... before cuts[r + 1] of mode 0. All ranks give
 * the same file and options, and return the same error. Memory: the share, and 8 bytes for each index. TESSERA_UNSUPPORTED: a scalar, complex
 * values, a fill value, a pipe; transform, select, keep_symmetry, a type, duplicates. */
TESSERA_CHECKED tessera_status tessera_read_ranks(tessera_tensor **out, uint64_t *cuts, const char *path,
                                                  const tessera_read_options *options,
                                                  const tessera_ranks *ranks, tessera_context *ctx);

typedef struct tessera_info_options {
    size_t size;       /* sizeof(tessera_info_options) */
    int brief;         /* 1: headers of a file only, at once for any size */
    int fibers;        /* 1: count entries of slices and fibers */
    int sizes;         /* 1: sizes in other formats */
    int exact;         /* 1: exact counts, by sorting where needed */
    const char *codec; /* NULL: by content */
} tessera_info_options;
/* Facts about a file as a JSON object, that of `tinfo --json` (brief: of `tinfo --brief --json`). */
TESSERA_CHECKED tessera_status tessera_info(char **json, const char *path,
                                            const tessera_info_options *options, tessera_context *ctx);
/* The same about bytes that are not a file. */
TESSERA_CHECKED tessera_status tessera_info_source(char **json, const tessera_source *source,
                                                   const tessera_info_options *options, tessera_context *ctx);
/* The same about a tensor. */
TESSERA_CHECKED tessera_status tessera_tensor_info(char **json, const tessera_tensor *tensor,
                                                   const tessera_info_options *options, tessera_context *ctx);
typedef struct tessera_advise_options {
    size_t size;         /* sizeof(tessera_advise_options) */
    const char *kernels; /* "mttkrp,spmv", "ttv:0" (of mode 0), or one expression "y(i) = A(i,j) * x(j)" */
    double
        nruns; /* runs of each kernel; 0: unknown, then the tensor's format stays unless packing pays within 10 */
    double budget; /* leave out formats with more than so many times the bytes of the smallest; 0: no limit */
    uint64_t rank; /* size of the variables that the tensor does not have; 0: 16 */
    const char
        *formats; /* compare these, with blanks between them; NULL: a list for the order of the tensor */
} tessera_advise_options;
/* Which storage format serves the kernels on this machine: *format is its name, as tessera_convert takes it, and *json (NULL: not
 * wanted) the answer of `tinfo --advise --json` with the reasons. Nothing runs: times are predicted from a sample of the entries. */
TESSERA_CHECKED tessera_status tessera_advise(char **format, char **json, const tessera_tensor *tensor,
                                              const tessera_advise_options *options, tessera_context *ctx);
/* The number of entries in each box of a grid of nrows x ncolumns over two modes (a picture): counts has
 * nrows*ncolumns numbers, row-major. A mode of -1: one row, one column. */
TESSERA_CHECKED tessera_status tessera_tensor_density(uint64_t *counts, const tessera_tensor *tensor,
                                                      const int modes[2], const uint32_t grid[2],
                                                      tessera_context *ctx);

/* What exists, as a JSON array of objects {"name":, "summary":, ...}: "formats" (also "usage"), "codecs" (also "suffixes", "reads",
 * "writes"), "types", "kernels" (built in), "notations" (of formats), "semirings". TESSERA_ARGUMENT for another word. */
TESSERA_CHECKED tessera_status tessera_list(char **json, const char *what, tessera_context *ctx);

/* ---- builders ---- */
/* Entries that come in any order, a few at a time, from several threads, until a tensor is made of all of them: in memory, or, beyond a
 * limit, in temporary files.
 *
 *     const uint64_t dims[2] = {1000, 1000};
 *     tessera_builder *b = NULL;
 *     tessera_builder_new(&b, 2, dims, TESSERA_F64, NULL, ctx);
 *     tessera_builder_add_one(b, 0, (const uint64_t[]){3, 4}, &(double){1.5}, NULL);
 *     tessera_builder_finish(&A, b, 0, &(tessera_pack_options){.size = sizeof(tessera_pack_options), .format = "csr"}, ctx);
 *
 * The sequence of the entries decides how equal ones are added, and which one is the first or the last: by `piece`, a number that the caller gives; within
 * a piece, entries of a call that returned before another call began come before those of the other one; within a call, as in its
 * arrays. So a program whose threads add at the same time gets the same bytes for any number of threads if each piece of its work has a
 * number of its own (the number of a block of rows, of an element...), and, whatever the numbers, where sums are exact. With one number for all, sums of
 * real values may differ in the last bits from run to run. */
typedef struct tessera_builder tessera_builder;
typedef struct tessera_builder_options {
    size_t size; /* sizeof(tessera_builder_options) */
    /* Memory that entries, and what is done with them, may take, at least 64 MiB: a quarter of it holds entries, which then go to
     * temporary files. A tensor that tessera_builder_finish makes is not counted. 0: no limit */
    uint64_t memory_nbytes;
    const char *temp; /* the folder for temporary files; NULL: $TMPDIR, or /tmp */
} tessera_builder_options;
/* dims: `order` numbers, 1 to TESSERA_MAX_ORDER of them; a dim of 0 becomes the largest coordinate + 1 of its mode. */
TESSERA_CHECKED tessera_status tessera_builder_new(tessera_builder **out, int order, const uint64_t *dims,
                                                   tessera_type type, const tessera_builder_options *options,
                                                   tessera_context *ctx);
/* Removes the temporary files, too. */
TESSERA_API void tessera_builder_free(tessera_builder *builder);
/* Add crd[0].n entries: `order` arrays of coordinates from 0 on, of any integer type; as many values, or 1 for all, of any type that fits the
 * builder's (of a pattern NULL). The arrays are read, not kept. Any number of threads may call this at the same time, each with a
 * context of its own or NULL; they do not wait for each other, up to 32 of them. TESSERA_CORRUPT: a coordinate is negative or beyond
 * its dim; TESSERA_RANGE: a value does not fit; TESSERA_IO: a temporary file cannot be written. After a failure none of the entries was
 * added, and the builder may be used on. */
TESSERA_CHECKED tessera_status tessera_builder_add(tessera_builder *builder, uint64_t piece,
                                                   const tessera_array *crd, const tessera_array *values,
                                                   tessera_context *ctx);
/* Add one entry: `order` coordinates, and a value of the builder's type (of a pattern NULL). As above; it takes some 30 ns, and
 * where several threads add entries one by one in the same piece, 24 bytes more for each of them. */
TESSERA_CHECKED tessera_status tessera_builder_add_one(tessera_builder *builder, uint64_t piece,
                                                       const uint64_t *crd, const void *value,
                                                       tessera_context *ctx);
/* What calls that have returned have added: entries, the bytes of them in memory, and in temporary files. Any thread may ask at any time. */
TESSERA_API uint64_t tessera_builder_nentries(const tessera_builder *builder);
TESSERA_API uint64_t tessera_builder_nbytes(const tessera_builder *builder);
TESSERA_API uint64_t tessera_builder_spilled_nbytes(const tessera_builder *builder);
/* The tensor of all entries, in any format; equal ones are treated as the options say. keep: 1: the entries stay in the builder; 0: it is empty
 * afterwards, and may be filled again. After a failure (a format that does not exist, TESSERA_DUPLICATE, TESSERA_CANCELLED...) they are still there. No other
 * thread may use the builder meanwhile. */
TESSERA_CHECKED tessera_status tessera_builder_finish(tessera_tensor **out, tessera_builder *builder,
                                                      int keep, const tessera_pack_options *options,
                                                      tessera_context *ctx);
/* The same into a file, which need not fit memory: where entries have gone to temporary files, they are sorted there, and the file is written part by
 * part. Without a format the one that suits the kind of file; texts are sorted. The file gets its name when it is complete. */
TESSERA_CHECKED tessera_status tessera_builder_finish_file(const char *path, tessera_builder *builder,
                                                           int keep, const tessera_pack_options *options,
                                                           const tessera_write_options *write,
                                                           tessera_context *ctx);
/* Forget all entries. */
TESSERA_API void tessera_builder_clear(tessera_builder *builder);

/* ---- formats ---- */
typedef struct tessera_format tessera_format;

/* Parse a format in any notation (docs/formats.md). order < 0: unknown; dims may be NULL; few formats need them. */
TESSERA_CHECKED tessera_status tessera_format_parse(tessera_format **out, const char *text, int order,
                                                    const uint64_t *dims, tessera_context *ctx);
TESSERA_API void tessera_format_free(tessera_format *format);
/* The text in a notation: "name" (NULL: the same), "letters", "long", "mlir", "ust", "xla", "tla"... dims may be NULL.
 * TESSERA_UNSUPPORTED: the notation cannot express it. */
TESSERA_CHECKED tessera_status tessera_format_print(char **text, const tessera_format *format,
                                                    const char *notation, const uint64_t *dims,
                                                    tessera_context *ctx);
TESSERA_API int tessera_format_equal(const tessera_format *a, const tessera_format *b);
TESSERA_API int tessera_format_order(const tessera_format *format);
TESSERA_API int tessera_format_nlevels(const tessera_format *format);
/* "dense", "compressed"...; static. NULL: there is no level l. */
TESSERA_API const char *tessera_format_kind(const tessera_format *format, int l);

/* ---- kernels ---- */
/* An expression in index notation (docs/notation.md) that runs on tensors of any formats, types and sizes. What is generated for one
 * combination of formats, types and index widths is kept in the kernel and used for all sizes. */
typedef struct tessera_kernel tessera_kernel;

typedef enum tessera_engine {
    /* made ahead of time (tessera_context_add_kernels) or built in, else compiled, else interpreted. Where that gives the same bits,
     * runs on small operands are interpreted while the compiler works, and do not wait (environment TSR_BACKGROUND=0: they wait) */
    TESSERA_ENGINE_AUTO = 0,
    TESSERA_ENGINE_COMPILED = 1, /* made ahead of time, built in or compiled, else TESSERA_UNSUPPORTED */
    TESSERA_ENGINE_JIT = 2,      /* compiled even where it is built in */
    TESSERA_ENGINE_BUILTIN = 3,  /* made ahead of time or built in, else TESSERA_UNSUPPORTED */
    TESSERA_ENGINE_INTERPRETER = 4
} tessera_engine;

typedef struct tessera_kernel_options {
    size_t size; /* sizeof(tessera_kernel_options) */
    /* of the result. NULL: sparse where each term has entries only where sparse operands have, and a term has two of
     * them or there are two terms, as in a product or a sum of sparse matrices; else dense, row-major ("dense") */
    const char *format;
    int has_type; /* 1: the result has `type` (pattern: entries alone); 0: the common type of the operands, of |= pattern */
    tessera_type type;
    const char *schedule; /* "parallel:i,unroll:j:4" (docs/kernels.md); NULL: automatic */
    const char *semiring; /* "min-plus"...; NULL: plus-times */
    tessera_engine engine;
    const char *compiler;  /* NULL: $TSR_CC, else cc */
    const char *cache_dir; /* NULL: the user's cache folder */
    int no_cache;          /* 1: compile without the cache */
    /* nfunctions texts, at most 16: functions that the expression uses besides those of docs/notation.md. Each is "NAME(x) = EXPRESSION" or
     * "NAME(x,y) = EXPRESSION", where EXPRESSION is a C expression of the doubles x and y with the functions of math.h and without side
     * effects. "; zero at x=0" (or y=0, or "x=0, y=0") may follow: the value is 0 wherever this argument is 0, so that the kernel skips the
     * cells where the argument has no entry. Functions need the C compiler, also where the kernel is interpreted. */
    const char *const *functions;
    int nfunctions;
} tessera_kernel_options;

/* A kernel that was made ahead of time: a row of the table NAME_kernels that `tkern --emit=library -o NAME.c` writes. */
typedef struct tessera_made_kernel {
    size_t size; /* sizeof(tessera_made_kernel) */
    const char *key;
    const char *name;
    const char *expression;
    const char *formats;
    const char *type;
    const char *index;
    const char *sizes;
    const char *schedule;
    void (*function)(void);
} tessera_made_kernel;
/* Kernels made with ctx afterwards use the n kernels of the table where one has the expression, the formats, the type and the index
 * widths of a call: no compiler is started. The table must outlive these kernels. A kernel that another version of the library made is
 * not used, and a warning says so. TESSERA_LIMIT: more than 16 tables. */
TESSERA_CHECKED tessera_status tessera_context_add_kernels(tessera_context *ctx,
                                                           const tessera_made_kernel *kernels, int n);
/* TESSERA_SYNTAX with the column: a wrong expression; without a column: a wrong function. TESSERA_ARGUMENT: a function
 * that is not 0 where its text says so. The functions of the options are compiled; nothing else is generated yet. */
TESSERA_CHECKED tessera_status tessera_kernel_new(tessera_kernel **out, const char *expression,
                                                  const tessera_kernel_options *options,
                                                  tessera_context *ctx);
/* The kernel of subscripts as in NumPy's einsum: "ij,j->i". The tensors are called A, B, C... and the result R; letters that the right side
 * lacks are summed; without "->" the result has the letters that occur once, in alphabetical order. */
TESSERA_CHECKED tessera_status tessera_einsum(tessera_kernel **out, const char *subscripts,
                                              const tessera_kernel_options *options, tessera_context *ctx);
/* *text: the statements that compute the derivative of a number with respect to an operand of the expression, for
 * tessera_kernel_new: "dA(i,j) = !!A(i,j)*(dy(i)*x(j))" of "y(i) = A(i,j)*x(j)", where dy is the derivative with respect to the result.
 * It has entries where the operand has. Values are real. Free it with tessera_text_free. TESSERA_UNSUPPORTED: several statements, a
 * reduction other than sums, min= and max=, a window of the operand, a function whose derivative is not known, a gradient that is 0. */
TESSERA_CHECKED tessera_status tessera_gradient(char **text, const char *expression, const char *operand,
                                                tessera_context *ctx);
TESSERA_API void tessera_kernel_free(tessera_kernel *kernel);
/* The expression in canonical form; borrowed. */
TESSERA_API const char *tessera_kernel_expression(const tessera_kernel *kernel);
/* The tensors of the expression in the order of first use: 0 is the result. The name is borrowed; NULL: there is no tensor t. */
TESSERA_API int tessera_kernel_ntensors(const tessera_kernel *kernel);
TESSERA_API const char *tessera_kernel_name(const tessera_kernel *kernel, int t);
/* The number of modes of tensor t; -1: there is no tensor t. */
TESSERA_API int tessera_kernel_order(const tessera_kernel *kernel, int t);

/* operands, everywhere: tessera_kernel_ntensors() - 1 tensors, without the result, in the order of tessera_kernel_name. */

/* Generate and compile what these operands need, without a run; wait until that is done. */
TESSERA_CHECKED tessera_status tessera_kernel_prepare(tessera_kernel *kernel,
                                                      const tessera_tensor *const *operands,
                                                      tessera_context *ctx);
/* A new result for these operands: dense ones are zero, sparse ones have no entries. */
TESSERA_CHECKED tessera_status tessera_kernel_result(tessera_tensor **out, tessera_kernel *kernel,
                                                     const tessera_tensor *const *operands,
                                                     tessera_context *ctx);
/* Compute into `result`: from tessera_kernel_result, or any tensor of its dims and type whose format the kernel can
 * write (a dense one in the caller's memory: tessera_borrow_dense). With += in the expression the result is added to,
 * else replaced. TESSERA_ARGUMENT: tensors that do not fit the expression or each other, a
 * result whose values share memory with an operand, or a result that has the entries of an operand (R(i,j) = 2*A(i,j)) and other ones
 * now: its index arrays are compared with those of the operand as a whole, once for each pair of tensors. A sparse result is made in the memory of
 * the entries that it has, so that a second run takes less time; if the run fails without +=, they are lost: run again, or free it. */
TESSERA_CHECKED tessera_status tessera_kernel_run(tessera_kernel *kernel, tessera_tensor *result,
                                                  const tessera_tensor *const *operands,
                                                  tessera_context *ctx);
/* tessera_kernel_run with other values, for kernels that run again and again on new vectors. tensors:
 * tessera_kernel_ntensors() of them, the result first. values[t]: where the values of tensor t are in this run, as many and of
 * the same type as in the tensor, which is then only the description of an array; NULL: in the tensor. Several threads may
 * use the same descriptions at once. The tensors stay as they are. */
TESSERA_CHECKED tessera_status tessera_kernel_run_values(tessera_kernel *kernel,
                                                         const tessera_tensor *const *tensors,
                                                         void *const *values, tessera_context *ctx);
/* tessera_kernel_result and tessera_kernel_run. */
TESSERA_CHECKED tessera_status tessera_kernel_call(tessera_tensor **out, tessera_kernel *kernel,
                                                   const tessera_tensor *const *operands,
                                                   tessera_context *ctx);
/* tessera_kernel_call where one operand, whose pointer is NULL, is in a file that need not fit memory: block after block of it is read, and its
 * part added to the result (docs/howto/multiply-a-large-file.md). read: as for tessera_convert_file, without format, select and transform.
 * TESSERA_UNSUPPORTED: the result is not the sum of what blocks give, or the file is read only as a whole. */
TESSERA_CHECKED tessera_status tessera_kernel_call_file(tessera_tensor **out, tessera_kernel *kernel,
                                                        const tessera_tensor *const *operands,
                                                        const char *path, const tessera_read_options *read,
                                                        tessera_context *ctx);
/* *out: the number of entries that a sparse result has. Where the operands that have the first index of the result have it as their first
 * mode, and dense rows outermost, blocks of about a million entries are computed one after the other, so that the whole result is never in
 * memory. TESSERA_UNSUPPORTED: the result is dense; give the kernel a sparse format. */
TESSERA_CHECKED tessera_status tessera_kernel_nnz(uint64_t *out, tessera_kernel *kernel,
                                                  const tessera_tensor *const *operands,
                                                  tessera_context *ctx);
/* The two parts of tessera_kernel_call, for a sparse result that is computed again and again from operands whose values
 * change and whose entries stay. assemble: a new result with all entries, each with the value 0. */
TESSERA_CHECKED tessera_status tessera_kernel_assemble(tessera_tensor **out, tessera_kernel *kernel,
                                                       const tessera_tensor *const *operands,
                                                       tessera_context *ctx);
/* compute: set the values of the entries that `result` has; they are bit for bit those of tessera_kernel_call, and its arrays stay at the
 * same addresses. From the second call on a result keeps where the contributions go, so that later calls take less time, in not more memory
 * than it has itself. TESSERA_ARGUMENT: the operands give other entries, and all values are 0. TESSERA_UNSUPPORTED: += into a sparse result. */
TESSERA_CHECKED tessera_status tessera_kernel_compute(tessera_kernel *kernel, tessera_tensor *result,
                                                      const tessera_tensor *const *operands,
                                                      tessera_context *ctx);

/* Texts of the code for these operands. */
typedef enum tessera_kernel_text {
    TESSERA_TEXT_C = 0,         /* the C text that is compiled */
    TESSERA_TEXT_C11 = 1,       /* plain C11 for any compiler */
    TESSERA_TEXT_IR = 2,        /* the loop program */
    TESSERA_TEXT_GRAPH = 3,     /* the plan */
    TESSERA_TEXT_HEADER = 4,    /* a C header that declares the function */
    TESSERA_TEXT_SCHEDULE = 5,  /* the schedule that was chosen */
    TESSERA_TEXT_ENGINE = 6,    /* "built in", "compiled", "compiled (cached)", "interpreted: REASON" */
    TESSERA_TEXT_C_SHORT = 7,   /* as TESSERA_TEXT_C, but the text includes the file tessera_rt.h */
    TESSERA_TEXT_C11_SHORT = 8, /* as TESSERA_TEXT_C11, but the text includes the file tessera_rt.h */
    TESSERA_TEXT_RUNTIME = 9    /* the file tessera_rt.h, the same for all kernels */
} tessera_kernel_text;
TESSERA_CHECKED tessera_status tessera_kernel_print(char **text, tessera_kernel *kernel,
                                                    tessera_kernel_text what,
                                                    const tessera_tensor *const *operands,
                                                    tessera_context *ctx);
/* How often a kernel was lowered (generated), for all operands so far; new sizes alone do not lower again. */
TESSERA_API int tessera_kernel_nlowered(const tessera_kernel *kernel);

/* The times of repeated runs. */
typedef struct tessera_times {
    size_t size; /* sizeof(tessera_times), set by the caller */
    int nruns; /* runs that were measured; in: the number of runs, 0: the number that takes about 0.2 s, at least 5 */
    double least_s, median_s, mean_s, largest_s; /* seconds of one run */
    double flops, nbytes; /* the work of one run: operations, bytes of operands and result; 0: unknown */
} tessera_times;
/* Run the kernel once, then nruns times, and measure each run. */
TESSERA_CHECKED tessera_status tessera_kernel_time(tessera_times *times, tessera_kernel *kernel,
                                                   tessera_tensor *result,
                                                   const tessera_tensor *const *operands,
                                                   tessera_context *ctx);

/* ---- layouts ---- */
/* A layout of a dense array: coordinates to offsets in elements; of XLA, f32[3,5]{1,0:T(2,2)}, of TLA and CuTe, (2,3):(3,1), or an index map
 * (docs/layouts.md). */
typedef struct tessera_layout tessera_layout;

/* rank 0 and dims NULL: the text gives the dims. */
TESSERA_CHECKED tessera_status tessera_layout_parse(tessera_layout **out, const char *text, int rank,
                                                    const int64_t *dims, tessera_context *ctx);
TESSERA_API void tessera_layout_free(tessera_layout *layout);
TESSERA_API int tessera_layout_rank(const tessera_layout *layout);
/* rank numbers, borrowed. */
TESSERA_API const int64_t *tessera_layout_dims(const tessera_layout *layout);
/* Offsets are in [0, span), padding included. */
TESSERA_API int64_t tessera_layout_span(const tessera_layout *layout);
/* The offset of an element; TESSERA_RANGE outside the dims. */
TESSERA_CHECKED tessera_status tessera_layout_offset(int64_t *offset, const tessera_layout *layout,
                                                     const int64_t *coord, tessera_context *ctx);
/* The element at an offset: rank coordinates, *padding = 0; or *padding = 1. TESSERA_UNSUPPORTED: several elements share offsets. */
TESSERA_CHECKED tessera_status tessera_layout_coord(int64_t *coord, int *padding,
                                                    const tessera_layout *layout, int64_t offset,
                                                    tessera_context *ctx);
/* The text in a notation: NULL its own, "xla", "tla", "cute", "map", "format" (a storage format whose levels are dense). */
TESSERA_CHECKED tessera_status tessera_layout_print(char **text, const tessera_layout *layout,
                                                    const char *notation, tessera_context *ctx);
/* *same: whether both give the same offset for all coordinates. */
TESSERA_CHECKED tessera_status tessera_layout_equal(int *same, const tessera_layout *a,
                                                    const tessera_layout *b, tessera_context *ctx);
/* x -> outer(inner(x)), CuTe's composition: offsets of `inner` are linear coordinates of `outer`. Both are TLA layouts, or convertible. */
TESSERA_CHECKED tessera_status tessera_layout_compose(tessera_layout **out, const tessera_layout *outer,
                                                      const tessera_layout *inner, tessera_context *ctx);

#ifdef __cplusplus
}
#endif
#endif
