/* The sparse operand of a case, packed into each format that is compared. */
#ifndef BENCH_PACKS_H
#define BENCH_PACKS_H

#include <stdbool.h>

#include "bench_formats.h"
#include "bench_options.h"
#include "tsr_tensor.h"

enum { BENCH_WHY_NBYTES = 256 };

struct bench_contest;

/* The sparse operand in one format. */
typedef struct bench_pack {
    const char *text;   /* text of the format */
    tsr_tensor *tensor; /* NULL: not packed, or freed */
    /* packing time from the order of the file, for each thread count; 0: not measured yet */
    double pack_ns[BENCH_MAX_THREAD_COUNTS];
    /* a run and packing, as the advisor predicts them; 0: it does not */
    double predicted_ns[BENCH_MAX_THREAD_COUNTS], predicted_pack_ns[BENCH_MAX_THREAD_COUNTS];
    char why[BENCH_WHY_NBYTES]; /* the reason why it could not be packed */
    bool lacks_memory;          /* the reason is a lack of memory */
    bool late; /* it does not fit into memory beside the other formats: it is measured after them, alone */
} bench_pack;

typedef struct bench_packs {
    bench_formats formats;
    bench_pack pack[BENCH_MAX_FORMATS];
} bench_packs;

/* Pack the entries of c into all formats. A format that cannot be packed has a reason in `why`; a format that
 * does not fit beside the others is `late`. A format may take 32 times the memory of the entries, and 1 GiB
 * in any case. TSR_CANCELLED. */
tsr_status bench_packs_init(bench_packs **out, const struct bench_contest *contest, const bench_case *c,
                            tsr_error *err) TSR_NODISCARD;
void bench_packs_free(bench_packs *packs);

/* Free all packed tensors; the times are kept. */
void bench_packs_drop(bench_packs *packs);
/* Whether a format other than this one is packed, so that freeing it would give more memory. */
bool bench_packs_has_other(const bench_packs *packs, const bench_pack *pack);
/* Measure packing for each thread count: the least of a few times. The last tensor is kept. TSR_LIMIT. */
tsr_status bench_pack_time(bench_pack *pack, const struct bench_contest *contest, const bench_case *c,
                           tsr_error *err) TSR_NODISCARD;
/* Pack a format that was freed once more, on all threads. TSR_LIMIT. */
tsr_status bench_pack_again(bench_pack *pack, const struct bench_contest *contest, const bench_case *c,
                            tsr_error *err) TSR_NODISCARD;

/* Convert the values of a packed operand. */
tsr_status bench_store_as(tsr_tensor *tensor, tsr_type type, tsr_error *err) TSR_NODISCARD;

/* Only an interruption ends the command; any other error is reported for that candidate alone. */
bool bench_ends_all(tsr_status status);
bool bench_lacks_memory(tsr_status status);
/* Copy the message of the error, cut to BENCH_WHY_NBYTES. */
void bench_tell(char *why, const tsr_error *err);

#endif
