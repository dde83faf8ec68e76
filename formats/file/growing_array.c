/* Arrays that grow: see growing_array.h. */
#include "growing_array.h"

#include <inttypes.h>

static tsr_status resize(tsr_array *array, uint64_t n, tsr_error *err)
{
    void *const data =
        n <= SIZE_MAX / 2 / array->width ? tsr_realloc(array->data, (size_t)n * array->width) : NULL;
    if (!data)
        return tsr_fail(err, TSR_NOMEM, "out of memory: %" PRIu64 " entries", n);
    array->data = data;
    array->n = n;
    return TSR_OK;
}

tsr_status tsr_array_make_room(tsr_array *array, uint64_t n, uint64_t most, tsr_error *err)
{
    enum { FIRST = 4096 };
    if (array->data && n <= array->n)
        return TSR_OK;
    uint64_t room = array->data ? array->n + array->n / 8 + FIRST : FIRST;
    room = room < n ? n : room;
    return resize(array, room < most ? room : most, err);
}

tsr_status tsr_array_shorten(tsr_array *array, uint64_t n, tsr_error *err)
{
    return array->data && array->n == n ? TSR_OK : resize(array, n, err);
}
