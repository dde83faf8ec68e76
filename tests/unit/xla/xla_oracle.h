/* The definition of tiling in XLA's documents, applied to an array: pad, reshape, transpose. Shares no code
 * with the library. */
#ifndef XLA_ORACLE_H
#define XLA_ORACLE_H

#include "tsr_xla.h"

/* The memory of an array in this layout: nslots entries (xla->nslots), each the row-major number of the
 * element in that slot, or -1 for padding. The caller frees (free). */
int64_t *xla_memory(const tsr_xla *xla);

#endif
