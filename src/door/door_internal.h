/* Declarations shared by the files of door: the public functions of include/tessera/tessera.h over the modules of
 * the library. Public names begin with tessera_, names of modules with tsr_, names of this folder with door_. */
#ifndef DOOR_INTERNAL_H
#define DOOR_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "tessera.h"
#include "tsr_codec.h"
#include "tsr_format.h"
#include "tsr_interrupt.h"
#include "tsr_kernel.h"
#include "tsr_pack.h"
#include "tsr_tensor.h"
#include "tsr_transforms.h"
#include "tsr_write.h"

enum { DOOR_MAX_WARNINGS = 100, DOOR_NBINDINGS = 8, DOOR_NTABLES = 16 };

/* A format bound to dims by an earlier call, since making it takes longer than all the rest of lending small arrays. */
typedef struct door_binding {
    char *text; /* of the format; NULL: dense, with these modes; owned */
    int modes[TSR_MAX_ORDER];
    tsr_binding *binding; /* owned, with its format; NULL: no entry */
} door_binding;

struct tessera_context {
    int nthreads;
    tsr_error err; /* of the last call */
    char text[sizeof(tsr_error) + 64];
    atomic_bool cancelled;
    _Atomic(const char *) phase; /* static text; of the running call */
    atomic_ullong done, total;
    tsr_observer observer;
    int (*watch)(void *user, const tessera_progress *state); /* NULL: not asked for */
    void *watch_user;
    tessera_allocator allocator; /* allocate NULL: the library's memory */
    struct tsr_jit_pool *pool;   /* owned; compilers that work while kernels are interpreted */
    int nwarnings;
    char *warning[DOOR_MAX_WARNINGS]; /* owned */
    door_binding bindings[DOOR_NBINDINGS];
    int next_binding; /* the entry to replace next */
    /* owned; nscratch tensors for tessera_kernel_run_values, kept for the next run; NULL: none */
    tsr_tensor *scratch;
    int nscratch;
    struct {
        const tessera_made_kernel *row;
        int n;
    } table[DOOR_NTABLES]; /* of kernels made ahead of time; borrowed */
    int ntables;
};

/* A call of a public function: what its steps need from the context. */
typedef struct door_call {
    tessera_context *ctx; /* may be NULL */
    tsr_error *err;       /* NULL without a context */
    int nthreads;
    const tsr_observer *observer;
    tsr_interrupt_scope outer; /* that of the thread before the call */
} door_call;

/* Begin a call: forget the error and the warnings of the call before. */
door_call door_begin(tessera_context *ctx);
/* End a call with the status, which becomes the status of the context. */
tessera_status door_end(const door_call *call, tsr_status status);
/* TSR_CANCELLED after a request to end. */
tsr_status door_check_cancelled(const door_call *call) TSR_NODISCARD;
/* TSR_ARGUMENT where a pointer that must be given is NULL: "missing <what>". */
tsr_status door_need(const void *pointer, const char *what, tsr_error *err) TSR_NODISCARD;

/* Copy the caller's struct of options `given` (may be NULL) to `own`, of `nbytes` bytes; what the caller's version
 * lacks is 0. The struct begins with its size. TSR_ARGUMENT: the size is less than that of a size_t.
 * TSR_UNSUPPORTED: the caller's version has fields that this library does not know, and they are not 0. */
tsr_status door_options(void *own, size_t nbytes, const void *given, const char *what,
                        tsr_error *err) TSR_NODISCARD;
/* Copy the struct `own` of nbytes bytes to the caller's struct, which begins with its size: as many bytes as it
 * has. The size stays. TSR_ARGUMENT as above. */
tsr_status door_fill(void *given, const void *own, size_t nbytes, const char *what,
                     tsr_error *err) TSR_NODISCARD;

/* ---- tensors ---- */

/* The blocks of an allocator that hold the arrays of a tensor. */
typedef struct door_blocks door_blocks;
void door_blocks_free(door_blocks *blocks);

struct tessera_tensor {
    atomic_int nowners;
    tsr_tensor *inside; /* owned */
    tsr_labels *labels; /* owned; NULL: none */
    void (*release)(void *release_arg);
    void *release_arg;
    door_blocks *blocks;    /* owned; NULL: the arrays are in the library's memory, or a caller's */
    _Atomic(char *) format; /* the name, made when it is asked for; owned */
};

/* A handle of the tensor, which is consumed, on failure, too. Its arrays are where the context wants them. */
tsr_status door_tensor_new(tessera_tensor **out, tsr_tensor *inside, const door_call *call) TSR_NODISCARD;
/* A handle of the tensor and the labels of the data, which are consumed, on failure, too. */
tsr_status door_data_new(tessera_tensor **out, tsr_data *data, const door_call *call) TSR_NODISCARD;
/* Move the arrays of a new tensor into the memory of the context's allocator, if there is one; TSR_NOMEM: some have moved. */
tsr_status door_settle_new(tessera_tensor *tensor, const door_call *call) TSR_NODISCARD;
/* The same for the arrays that a kernel has replaced, with the allocator of the tensor. */
tsr_status door_settle_again(tessera_tensor *tensor, const door_call *call) TSR_NODISCARD;
/* A copy of labels; NULL where no mode has names. `from` may be NULL. */
tsr_status door_labels_copy(tsr_labels **out, const tsr_labels *from, tsr_error *err) TSR_NODISCARD;
/* Whether the type is one for indices: an integer. */
bool door_is_index_type(tessera_type type);
/* Element i of an array of indices; negative numbers become larger than any dim. */
uint64_t door_index_at(const tessera_array *array, uint64_t i);
/* TSR_ARGUMENT unless there are `order` dims, each at most 2^63 - 1. */
tsr_status door_check_dims(int order, const uint64_t *dims, tsr_error *err) TSR_NODISCARD;
/* TSR_ARGUMENT unless the number is a value type. */
tsr_status door_check_type(tessera_type type, tsr_error *err) TSR_NODISCARD;
/* The binding of a format to dims, shared: that of the text, or of a dense format with these modes (`order` of them). */
typedef struct door_binding_key {
    const char *text; /* NULL: dense */
    const int *modes; /* dense: NULL is 0, 1, 2... */
    int order;
    const uint64_t *dims;
} door_binding_key;
tsr_status door_bind(tsr_binding **out, const door_binding_key *key, const door_call *call) TSR_NODISCARD;
/* Give a binding back, with its format. */
void door_unbind(tsr_binding *binding);

/* TSR_CORRUPT where a caller has changed the positions of a level that was borrowed, as functions of SciPy do that drop
 * entries in place: the last position is not the number of entries any more. Costs nothing: one element per level. */
tsr_status door_check_ends(const tsr_tensor *tensor, tsr_error *err) TSR_NODISCARD;

/* A new tensor of the caller's arrays; the handle calls `release` when it is freed. */
typedef struct door_release {
    void (*function)(void *arg);
    void *arg;
} door_release;
tsr_status door_borrowed_new(tessera_tensor **out, tsr_tensor *inside, const door_release *release,
                             tsr_error *err) TSR_NODISCARD;

/* ---- shaping: symmetry, transformations, types, formats ---- */

/* What is to be made of the contents of a file, or of a tensor. */
typedef struct door_shape {
    const char *format; /* NULL: the own one */
    tessera_duplicates duplicates;
    tessera_index_width index_width;
    uint64_t max_nbytes;
    const char *transform; /* NULL: none */
    bool has_type;
    tessera_type type;
    bool keep_symmetry;
    const char *in;               /* the name of the input, for messages */
    const tsr_read_options *read; /* how files to append are read; NULL: with the defaults */
    bool *unchanged;              /* out, may be NULL: the data already are what is asked for */
} door_shape;
/* Shape the data in place. Afterwards it holds a tensor. */
tsr_status door_shape_data(tsr_data *data, const door_shape *shape, const door_call *call) TSR_NODISCARD;
/* Shape the data, and give the tensor out. The data are used up, on failure, too. */
tsr_status door_shape_new(tessera_tensor **out, tsr_data *data, const door_shape *shape,
                          const door_call *call) TSR_NODISCARD;
/* Cut "slice=:,0:100; transpose=1,0" into steps; `text` is changed, and the steps borrow from it. */
tsr_status door_parse_steps(tsr_transforms *steps, char *text, tsr_error *err) TSR_NODISCARD;
/* Name the step in an error that is about one. */
void door_name_place(tsr_status status, const tsr_transform_place *place, tsr_error *err);
/* The internal width for tensors with at most nnz entries and these dims. */
tsr_index_width door_index_width(tessera_index_width width, int order, const uint64_t *dims, uint64_t nnz);
tsr_status door_check_choices(tessera_duplicates duplicates, tessera_index_width width,
                              tsr_error *err) TSR_NODISCARD;

#endif
