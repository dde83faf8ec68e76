/* Counting the owners of an immutable object, from any thread. The count is the number of owners besides the first, so
 * that a zeroed object has one owner. */
#ifndef TSR_OWNERS_H
#define TSR_OWNERS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One more owner. */
static inline void tsr_owner_add(int *nmore)
{
    (void)__atomic_add_fetch(nmore, 1, __ATOMIC_RELAXED);
}

/* One owner less. True: there is no owner left. */
static inline bool tsr_owner_drop(int *nmore)
{
    return __atomic_fetch_sub(nmore, 1, __ATOMIC_ACQ_REL) == 0;
}

#ifdef __cplusplus
}
#endif
#endif
