/* Tensors built by hand: see given.h. */
#include "given.h"

#include "tsr_test.h"

static tsr_array array_of(const given_numbers *list, size_t width)
{
    tsr_array array = {0};
    if (list->n < 0)
        return array;
    assert_ok(tsr_array_init(&array, (uint64_t)list->n, width, 0, "an array", err));
    for (int k = 0; k < list->n; k++)
        tsr_array_set(&array, (uint64_t)k, (uint64_t)list->v[k]);
    return array;
}

tsr_tensor *given_build(const given *g, size_t width)
{
    tsr_format *format = NULL;
    tsr_tensor *t = NULL;
    assert_ok(tsr_format_parse(&format, g->format, g->order, g->dims, err));
    assert_ok(tsr_tensor_new(&t, format, g->dims, g->type, err));
    tsr_format_free(format);
    uint64_t nparents = 1;
    for (int l = 0; l < t->nlevels; l++) {
        tsr_level *level = &t->levels[l];
        level->nparents = nparents;
        if (tsr_level_array_row(level->type, TSR_LEVEL_POS))
            level->pos = array_of(&g->pos[l], width);
        if (tsr_level_array_row(level->type, TSR_LEVEL_CRD))
            level->crd = array_of(&g->crd[l], width);
        level->npos = level->crd.data ? level->crd.n : nparents * level->pitch;
        nparents = level->npos;
    }
    t->npos = nparents;
    t->structure = g->structure;
    t->iso = g->iso;
    assert_ok(tsr_array_init(&t->values, (uint64_t)g->nvalues, tsr_type_nbytes(g->type), 0, "values", err));
    for (int k = 0; k < g->nvalues; k++)
        if (g->type == TSR_F64)
            ((double *)t->values.data)[k] = g->values[k];
        else
            ((uint8_t *)t->values.data)[k] = (uint8_t)g->values[k];
    t->has_fill = g->fill != 0;
    memcpy(t->fill, &g->fill, sizeof g->fill);
    return t;
}
