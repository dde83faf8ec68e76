/* advise_room_get: see advise_room.h. */
#include "advise_room.h"

#include "tsr_alloc.h"

tsr_status advise_room_get(void **out, tsr_room *room, int number, uint64_t n, size_t size, tsr_error *err)
{
    if (room->nbytes[number] < n * size) {
        tsr_free(room->block[number]);
        room->block[number] = NULL;
        room->nbytes[number] = 0;
        TSR_TRY(tsr_alloc_array(&room->block[number], n + n / 8, size, 0, "a survey", err));
        room->nbytes[number] = (n + n / 8) * size;
    }
    *out = room->block[number];
    return TSR_OK;
}

void advise_room_clear(tsr_room *room)
{
    for (int k = 0; k < ADVISE_NROOMS; k++)
        tsr_free(room->block[k]);
    *room = (tsr_room){{0}, {0}};
}
