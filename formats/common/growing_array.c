/* Arrays that grow: see growing_array.h. */
#include "growing_array.h"

tsr_status tsr_array_make_room(tsr_array *array, uint64_t n, uint64_t most, tsr_error *err)
{
    enum { FIRST = 4096 };
    if (array->data && n <= array->n)
        return TSR_OK;
    uint64_t room = array->data ? array->n + array->n / 8 + FIRST : FIRST;
    room = room < n ? n : room;
    return tsr_array_resize(array, room < most ? room : most, array->width, "the entries", err);
}

tsr_status tsr_array_shorten(tsr_array *array, uint64_t n, tsr_error *err)
{
    return array->data && array->n == n ? TSR_OK
                                        : tsr_array_resize(array, n, array->width, "the entries", err);
}
