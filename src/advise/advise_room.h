/* Memory that is used again and again: a thread that predicts many formats takes each array once, not once for each format. */
#ifndef ADVISE_ROOM_H
#define ADVISE_ROOM_H

#include "tsr_sample.h"

/* What an array of the room is for: two that are used at the same time have two numbers. */
enum {
    ADVISE_ROOM_KEYS,
    ADVISE_ROOM_OTHER_KEYS,
    ADVISE_ROOM_LAST,
    ADVISE_ROOM_WORDS,
    ADVISE_ROOM_SUMS,
    ADVISE_ROOM_COORDINATES,
    ADVISE_ROOM_ENTRIES, /* and one more for each sample */
    ADVISE_NROOMS = ADVISE_ROOM_ENTRIES + TSR_MAX_SAMPLES
};

typedef struct tsr_room {
    void *block[ADVISE_NROOMS];
    uint64_t nbytes[ADVISE_NROOMS];
} tsr_room;

/* An array of n elements, whose values are not defined; it is valid until the next call with the same number. TSR_NOMEM. */
tsr_status advise_room_get(void **out, tsr_room *room, int number, uint64_t n, size_t size,
                           tsr_error *err) TSR_NODISCARD;
void advise_room_clear(tsr_room *room);

#endif
