/* HLO texts: what parses can be analysed from every side; each map that comes out prints as text that parses
 * back to an equal map, belongs to the shapes that it is between, and leads inside them. */
#include "tsr_fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "map_internal.h"
#include "tsr_hlo.h"
#include "tsr_xla.h"

enum { MAX_WORK_NBYTES = 700, MAX_INSTRUCTIONS = 40, NPOINTS = 8 };

static void check_text(const tsr_map *map)
{
    tsr_text text = {0};
    tsr_map *back;
    tsr_map_print(&text, map);
    TSR_FUZZ_MUST(tsr_map_parse(&back, tsr_text_cstr(&text), NULL) == TSR_OK);
    TSR_FUZZ_MUST(tsr_map_equal(map, back));
    tsr_map_free(back);
    tsr_text_clear(&text);
}

static bool is_inside(const tsr_map *map, const int64_t *x)
{
    for (int c = 0; c < map->nconstraints; c++) {
        const tsr_map one = {.nvars = map->nvars, .nresults = 1, .results = {map->constraints[c].x}};
        int64_t y;
        if (tsr_map_eval(&y, &one, x, NULL) != TSR_OK || y < map->constraints[c].in.lo ||
            y > map->constraints[c].in.hi)
            return false;
    }
    return !tsr_map_is_known_empty(map);
}

/* Some points of the domain: the results are coordinates of the shape. */
static void check_points(const tsr_map *map, int rank, const uint64_t *dims)
{
    int64_t x[TSR_MAP_MAX_VARS], y[TSR_MAP_MAX_RESULTS];
    for (uint64_t i = 0; i < NPOINTS; i++) {
        for (int v = 0; v < map->nvars; v++) {
            const tsr_interval b = map->vars[v].bounds;
            const uint64_t n = (uint64_t)b.hi - (uint64_t)b.lo + 1,
                           mix = (i * 2654435761u + (uint64_t)v * 40503u) >> 3;
            x[v] = i == 0 ? b.lo : i == 1 ? b.hi : (int64_t)((uint64_t)b.lo + (n ? mix % n : mix));
        }
        if (!is_inside(map, x) || tsr_map_eval(y, map, x, NULL) != TSR_OK)
            continue;
        for (int d = 0; d < rank; d++)
            TSR_FUZZ_MUST(y[d] >= 0 && (uint64_t)y[d] < dims[d]);
    }
}

/* Maps from output 0 of instruction a to output 0 of instruction b. bounded: they lead inside the shape of b. */
static void check_ways(tsr_hlo_indexing *ways, const tsr_hlo *hlo, int a, int b, bool bounded)
{
    uint64_t dims[TSR_XLA_MAX_RANK];
    const int rank = tsr_hlo_dims(dims, hlo, b, 0), ndims = tsr_hlo_dims(NULL, hlo, a, 0);
    for (int i = 0; i < ways->n; i++) {
        const tsr_hlo_index *way = &ways->index[i];
        TSR_FUZZ_MUST((way->map == NULL) == (way->why[0] != '\0'));
        if (!way->map)
            continue;
        check_text(way->map);
        TSR_FUZZ_MUST(tsr_map_ndims(way->map) == ndims && tsr_map_nresults(way->map) == rank);
        for (int r = 0; r < way->nruntime; r++)
            TSR_FUZZ_MUST(tsr_map_nvars(way->runtime[r].map) == tsr_map_nvars(way->map));
        if (bounded)
            check_points(way->map, rank, dims);
    }
    tsr_text text = {0};
    for (int i = 0; i < ways->n; i++)
        tsr_hlo_print_index(&text, hlo, &ways->index[i]);
    tsr_text_clear(&text);
    tsr_hlo_indexing_clear(ways);
}

/* Output coordinates outside a block that is put in lead outside it. */
static bool updates(const tsr_hlo *hlo)
{
    bool any = false;
    for (int i = 0; i < tsr_hlo_ninstructions(hlo); i++)
        any |= strcmp(tsr_hlo_opcode(hlo, i), "dynamic-update-slice") == 0;
    return any;
}

static void check_instruction(const tsr_hlo *hlo, int i)
{
    const bool bounded = !updates(hlo);
    for (int j = 0; j < tsr_hlo_noperands(hlo, i); j++) {
        const int from = tsr_hlo_operand(hlo, i, j);
        tsr_hlo_indexing ways;
        if (tsr_hlo_noutputs(hlo, i) == 0 || tsr_hlo_noutputs(hlo, from) != 1)
            continue;
        if (tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){i, 0, j}, false, NULL) == TSR_OK)
            check_ways(&ways, hlo, i, from, bounded);
        if (tsr_hlo_input_to_output(&ways, hlo, (tsr_hlo_edge){i, 0, j}, false, NULL) == TSR_OK)
            check_ways(&ways, hlo, from, i, bounded);
        if (tsr_hlo_output_to_input(&ways, hlo, (tsr_hlo_edge){i, 0, j}, true, NULL) == TSR_OK)
            tsr_hlo_indexing_clear(&ways);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    char *const text = tsr_fuzz_text(data, nbytes);
    tsr_hlo *hlo;
    tsr_error err = {0};
    const tsr_status status = tsr_hlo_parse(&hlo, text, &err);
    TSR_FUZZ_MUST((status == TSR_OK) == (hlo != NULL));
    if (status != TSR_OK)
        TSR_FUZZ_MUST(err.status == status && err.message[0] != '\0');
    const int n = hlo ? tsr_hlo_ninstructions(hlo) : 0;
    if (hlo && nbytes <= MAX_WORK_NBYTES && n <= MAX_INSTRUCTIONS) {
        const int root = tsr_hlo_root(hlo);
        for (int i = 0; i < n; i++)
            check_instruction(hlo, i);
        for (int i = 0; i < n && tsr_hlo_noutputs(hlo, root) > 0; i++) {
            tsr_hlo_indexing ways;
            if (tsr_hlo_reads(&ways, hlo, root, 0, i, NULL) == TSR_OK)
                check_ways(&ways, hlo, root, i, false);
            if (tsr_hlo_writes(&ways, hlo, i, root, 0, NULL) == TSR_OK)
                check_ways(&ways, hlo, i, root, false);
        }
    }
    tsr_hlo_free(hlo);
    free(text);
    return 0;
}
