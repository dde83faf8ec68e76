/* The sparse operand of a case, packed into each of the formats of a contest. */
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
    const char *text;                        /* of the format */
    tsr_tensor *tensor;                      /* NULL: not packed, or dropped */
    double pack_ns[BENCH_MAX_THREAD_COUNTS]; /* from the file's order, for each thread count of `how`; 0: not
                                                yet */
    char why[BENCH_WHY_NBYTES];              /* it could not be packed */
    bool lacks_memory;                       /* that is why */
    bool late; /* it does not fit beside the others: it has its turn after them, alone */
} bench_pack;

typedef struct bench_packs {
    bench_formats formats;
    bench_pack pack[BENCH_MAX_FORMATS];
} bench_packs;

/* Pack c's entries into all formats; those that cannot be are told in `why`, and those that do not fit beside
 * the others are late. A format may take 32 times as much as the entries, and 1 GiB in any case.
 * TSR_CANCELLED. */
tsr_status bench_packs_init(bench_packs **out, const struct bench_contest *contest, const bench_case *c,
                            tsr_error *err) TSR_NODISCARD;
void bench_packs_free(bench_packs *packs);

/* Free all packed tensors; the times stay. */
void bench_packs_drop(bench_packs *packs);
/* Whether another format than this one is packed: without it there would be more memory. */
bool bench_packs_other(const bench_packs *packs, const bench_pack *pack);
/* Pack for each thread count, timed: the least of a few. The last tensor stays. TSR_LIMIT. */
tsr_status bench_pack_time(bench_pack *pack, const struct bench_contest *contest, const bench_case *c,
                           tsr_error *err) TSR_NODISCARD;
/* Pack once, on all threads, what was dropped. TSR_LIMIT. */
tsr_status bench_pack_again(bench_pack *pack, const struct bench_contest *contest, const bench_case *c,
                            tsr_error *err) TSR_NODISCARD;

/* Only the user ends a run; any other failure is reported for that contender alone. */
bool bench_ends_all(tsr_status status);
bool bench_lacks_memory(tsr_status status);
/* The error's message, cut to BENCH_WHY_NBYTES. */
void bench_tell(char *why, const tsr_error *err);

#endif
