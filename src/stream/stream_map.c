/* Storage coordinates of runs: see stream_internal.h. */
#include <inttypes.h>

#include "stream_internal.h"

/* Without dims, storage coordinates serve to compare entries only. So any dims do that are large enough: the order of
 * storage coordinates does not depend on the dims, and a base only shifts them. */
static tsr_status bind_large(stream_map *map, const tsr_format *format, tsr_error *err)
{
    static const int nbits[] = {62, 48, 40, 32};
    tsr_status status = TSR_OK;
    for (size_t i = 0; i < sizeof nbits / sizeof *nbits; i++) {
        uint64_t dims[TSR_MAX_ORDER];
        map->bound = UINT64_C(1) << nbits[i];
        for (int m = 0; m < format->order; m++)
            dims[m] = map->bound;
        status = tsr_binding_new(&map->binding, format, dims, err);
        if (status == TSR_OK) {
            status = tsr_map_plan_new(&map->plan, map->binding->forward, err);
            if (status == TSR_OK)
                return TSR_OK;
            tsr_binding_free(map->binding);
            map->binding = NULL;
        }
        if (status != TSR_LIMIT)
            return status;
    }
    return status;
}

tsr_status stream_map_init(stream_map *map, const tsr_format *format, const tsr_facts *facts, tsr_error *err)
{
    *map = (stream_map){.order = format->order, .nlevels = format->nlevels};
    if (!facts->has_dims)
        return bind_large(map, format, err);
    TSR_TRY(tsr_binding_new(&map->binding, format, facts->dims, err));
    return tsr_map_plan_new(&map->plan, map->binding->forward, err);
}

void stream_map_clear(stream_map *map)
{
    tsr_map_plan_free(map->plan);
    tsr_binding_free(map->binding);
    *map = (stream_map){0};
}

tsr_status stream_rows_init(stream_rows *rows, const stream_map *map, tsr_error *err)
{
    const size_t row = STREAM_BLOCK * sizeof(int64_t);
    *rows = (stream_rows){0};
    TSR_TRY(tsr_alloc_array(&rows->memory,
                            (size_t)map->nlevels * row + tsr_map_plan_scratch_nbytes(map->plan), 1, 0,
                            "blocks of coordinates", err));
    int64_t *next = rows->memory;
    for (int l = 0; l < map->nlevels; l++, next += STREAM_BLOCK)
        rows->level[l] = next;
    rows->scratch = next;
    return TSR_OK;
}

void stream_rows_clear(stream_rows *rows)
{
    tsr_free(rows->memory);
    *rows = (stream_rows){0};
}

tsr_status stream_map_apply(stream_rows *rows, const stream_map *map, const tsr_run *run, uint64_t first,
                            size_t n, tsr_error *err)
{
    const int64_t *in[TSR_MAX_ORDER];
    for (int m = 0; m < map->order; m++) {
        const uint64_t *const crd = run->crd[m] + first;
        in[m] = (const int64_t *)crd;
        if (map->bound == 0)
            continue;
        uint64_t max = 0;
        for (size_t i = 0; i < n; i++)
            max = crd[i] > max ? crd[i] : max;
        if (max >= map->bound)
            return tsr_fail(err, TSR_LIMIT,
                            "index %" PRIu64
                            " of mode %d is too large for this format while the dims are unknown: use "
                            "--dims",
                            max, m);
    }
    tsr_map_plan_apply(map->plan, rows->level, in, n, rows->scratch);
    for (int l = 0; l < map->nlevels; l++) {
        const int64_t base = map->binding->base[l];
        for (size_t i = 0; base != 0 && i < n; i++)
            rows->level[l][i] -= base;
    }
    return TSR_OK;
}
