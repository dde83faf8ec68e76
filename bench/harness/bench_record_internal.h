/* What writing and reading records share. */
#ifndef BENCH_RECORD_INTERNAL_H
#define BENCH_RECORD_INTERNAL_H

#include "bench_record.h"

/* The fields of bench_machine that are strings; they have the same names in JSON. */
#define BENCH_MACHINE_TEXTS(X) \
    X(cpu)                     \
    X(arch)                    \
    X(caches)                  \
    X(kernel)                  \
    X(compiler)                \
    X(flags)                   \
    X(jit_flags)               \
    X(version)                 \
    X(commit)                  \
    X(pinning)                 \
    X(started)

/* Append a row whose strings and samples are in the arena already. */
tsr_status bench_record_push(bench_record *record, const bench_row *row, tsr_error *err) TSR_NODISCARD;
/* Compute the statistics and the share of the roof from the samples. */
void bench_row_derive(const bench_record *record, bench_row *row);

#endif
