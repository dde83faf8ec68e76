/* What the files of kernels share. */
#ifndef DOOR_KERNEL_H
#define DOOR_KERNEL_H

#include <pthread.h>

#include "door_internal.h"
#include "tsr_notation.h"

/* A kernel for one combination of formats, types, widths and dims. */
typedef struct door_variant door_variant;
struct door_variant {
    door_variant *next; /* more recently used first */
    atomic_int nusers;  /* the list, calls that run it, and variants that borrow its program */
    door_variant *base; /* whose program it borrows, or NULL */
    tsr_kernel *kernel; /* owned */
    bool values_only;   /* for tsr_kernel_compute */
    bool is_serial;     /* its loops are for one thread: calls with more take another one */
    tsr_tensor
        *shape[TSR_NOTATION_MAX_TENSORS]; /* owned; what it was made for, without elements: the result (NULL:
                                                    the one of the options) and the operands */
};

struct tessera_kernel {
    tsr_notation *notation;
    char *expression; /* canonical; owned */
    tsr_kernel_options options;
    char *text[5]; /* owned; the texts of options: schedule, semiring, compiler, cache_dir, format */
    tsr_functions *functions; /* owned; NULL: none */
    tsr_kernel_made *made;    /* owned; options.nmade kernels of this expression, made ahead of time */
    tsr_kernel **made_base; /* owned; what a row of `made` makes; NULL: not made yet, or it cannot be used */
    bool has_type;
    tsr_type half;   /* f16 or bf16: the values of a new result are rounded to it; TSR_NTYPES: they are not */
    bool is_pattern; /* the type of the result: its entries alone are computed */
    tsr_type type;
    pthread_mutex_t lock;   /* guards the lists */
    door_variant *variants; /* at most MAX_VARIANTS */
    int nvariants;
    atomic_int nlowered;
};

/* What a variant is for. result: the result to compute into; NULL: the one that the options describe. */
typedef struct door_use {
    const tsr_tensor *result;
    const tsr_tensor *const *operands;
    bool values_only; /* the result has its levels, and tsr_kernel_compute is called */
} door_use;

/* The kernel that computes with these operands, made if necessary; give it back with door_variant_drop. */
tsr_status door_variant_find(door_variant **out, tessera_kernel *kernel, door_use use,
                             const door_call *call) TSR_NODISCARD;
void door_variant_drop(door_variant *variant);

/* Describe the tensors for tsr_kernel_new; *format is the format of the result, owned by the caller. */
tsr_status door_kernel_describe(tsr_kernel_tensor *given, tsr_format **format, const tessera_kernel *kernel,
                                door_use use, tsr_error *err) TSR_NODISCARD;

/* Warn of what went wrong when a kernel was compiled. */
void door_warn_kernel(const char *words, bool is_slow, const door_call *call);
/* After a run: warn of a compiler that has failed meanwhile. */
void door_tell_news(const door_variant *variant, const door_call *call);

/* Keep the kernels of the context's tables that have the expression. TSR_NOMEM. */
tsr_status door_take_made(tessera_kernel *kernel, const door_call *call) TSR_NODISCARD;
void door_drop_made(tessera_kernel *kernel);
/* *out: the kernel for these tensors with the program of one that was made ahead of time; NULL: none serves them. TSR_NOMEM. */
tsr_status door_made_find(tsr_kernel **out, tessera_kernel *kernel, const tsr_kernel_tensor *tensors,
                          const door_call *call) TSR_NODISCARD;

/* The tensors of a call. */
typedef struct door_operands {
    const tsr_tensor *inside[TSR_NOTATION_MAX_TENSORS];
} door_operands;
/* Take and check the operands that the caller gave. */
tsr_status door_kernel_operands(door_operands *to, const tessera_kernel *kernel,
                                const tessera_tensor *const *given, const door_call *call) TSR_NODISCARD;

/* A run begins: report the phase. TSR_CANCELLED after a request to end. */
tsr_status door_kernel_begin(const door_call *call) TSR_NODISCARD;

/* tessera_kernel_new for a text, in a call that has begun. */
tsr_status door_kernel_new(tessera_kernel **out, const char *expression,
                           const tessera_kernel_options *options, const door_call *call) TSR_NODISCARD;

#endif
