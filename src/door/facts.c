/* Facts about a tensor as JSON: see tsr_facts.h. */
#include "tsr_facts.h"

tsr_facts_head tsr_facts_head_of(const tsr_data *data)
{
    const tsr_tensor *const t = data->tensor;
    const tsr_coo *const coo = data->coo;
    if (t)
        return (tsr_facts_head){t->order,     t->dims,
                                t->type,      t->iso || t->type == TSR_PATTERN,
                                t->structure, t->has_fill ? t->fill : NULL};
    return (tsr_facts_head){coo->order, coo->dims,      coo->type,
                            coo->iso,   coo->structure, coo->has_fill ? coo->fill : NULL};
}

uint64_t tsr_facts_nbytes(const tsr_tensor *tensor)
{
    uint64_t nbytes = tensor->values.n * tensor->values.width;
    for (int l = 0; l < tensor->nlevels; l++)
        nbytes += tsr_level_nbytes(&tensor->levels[l]);
    return nbytes;
}

#include <inttypes.h>
#include <stdio.h>

#include "tsr_advice.h"
#include "tsr_cell_reader.h"

/* ---- arrays ---- */

static void put_values(tsr_json *json, tsr_type type, const tsr_array *values, bool iso, uint64_t n)
{
    const char *const bytes = values->data;
    tsr_json_open(json, "values", '[', true);
    for (uint64_t i = 0; i < n; i++)
        tsr_json_value(json, NULL, type, bytes + (iso ? 0 : i) * values->width);
    tsr_json_close(json, ']');
}

/* The elements of an array of a level: padding as -1, differences of modes with their sign, words of bits in
 * hexadecimal digits. */
static void put_level_array(tsr_json *json, const tsr_level *level, const tsr_level_array *row)
{
    const tsr_array *const array = tsr_level_array_at(level, row->role);
    if (!array->data)
        return;
    const uint64_t padding = UINT64_MAX >> (64 - 8 * array->width);
    tsr_json_open(json, row->name, '[', true);
    for (uint64_t i = 0; i < array->n; i++) {
        const uint64_t v = tsr_array_get(array, i);
        char word[24];
        snprintf(word, sizeof word, "0x%016" PRIx64, v);
        if (row->content == TSR_HOLDS_WORDS)
            tsr_json_string(json, NULL, word);
        else if (row->content == TSR_HOLDS_MARKED && v == padding)
            tsr_json_i64(json, NULL, -1);
        else if (row->is_signed)
            tsr_json_i64(json, NULL, (int64_t)v + level->base);
        else
            tsr_json_u64(json, NULL, v);
    }
    tsr_json_close(json, ']');
}

static void put_numbers(tsr_json *json, const tsr_level *level)
{
    if (level->type->can_have_pitch && level->pitch > level->size)
        tsr_json_u64(json, "pitch", level->pitch);
    if (level->param)
        tsr_json_u64(json, "param", level->param);
    for (int k = 0; k < TSR_LEVEL_MAX_NUMBERS && level->type->numbers[k].name; k++)
        tsr_json_i64(json, level->type->numbers[k].name, level->type->numbers[k].get(level));
}

static void put_codes(tsr_json *json, const tsr_level *level)
{
    const tsr_level_type *const type = level->type;
    const uint64_t n = type->ncodes ? type->ncodes(level) : 0;
    if (n == 0)
        return;
    tsr_json_open(json, "nibbles", '[', true);
    for (uint64_t i = 0; i < n; i++)
        tsr_json_u64(json, NULL, type->code(level, i));
    tsr_json_close(json, ']');
}

static void put_level_arrays(tsr_json *json, const tsr_level *level)
{
    const tsr_level_type *const type = level->type;
    tsr_json_open(json, NULL, '{', true);
    tsr_json_string(json, "kind", type->name);
    tsr_json_u64(json, "size", level->size);
    put_numbers(json, level);
    if (level->nonunique)
        tsr_json_bool(json, "nonunique", true);
    for (int k = 0; k < TSR_LEVEL_NROLES && type->arrays[k].name; k++)
        if (!type->arrays[k].is_hidden)
            put_level_array(json, level, &type->arrays[k]);
    put_codes(json, level);
    tsr_json_close(json, '}');
}

void tsr_facts_arrays(tsr_json *json, const tsr_data *data)
{
    if (data->tensor) {
        const tsr_tensor *const t = data->tensor;
        tsr_json_open(json, "levels", '[', false);
        for (int l = 0; l < t->nlevels; l++)
            put_level_arrays(json, &t->levels[l]);
        tsr_json_close(json, ']');
        put_values(json, t->type, &t->values, t->iso, t->npos);
    } else {
        const tsr_coo *const coo = data->coo;
        tsr_json_open(json, "modes", '[', false);
        for (int m = 0; m < coo->order; m++) {
            tsr_json_open(json, NULL, '{', true);
            tsr_json_u64(json, "size", coo->dims[m]);
            tsr_json_indices(json, "crd", &coo->crd[m]);
            tsr_json_close(json, '}');
        }
        tsr_json_close(json, ']');
        put_values(json, coo->type, &coo->values, coo->iso, coo->nnz);
    }
}

/* The positions of an entry in all levels: from the last one up. */
static void put_positions(tsr_json *json, const tsr_tensor *t, uint64_t position)
{
    uint64_t at[TSR_MAX_LEVELS];
    for (int l = t->nlevels - 1; l >= 0; l--) {
        uint64_t coord = 0; /* where positions repeat: the first of the run */
        at[l] = position;
        t->levels[l].type->climb(&t->levels[l], &position, &coord, 1);
    }
    tsr_json_open(json, "at", '[', true);
    for (int l = 0; l < t->nlevels; l++)
        tsr_json_u64(json, NULL, at[l]);
    tsr_json_close(json, ']');
}

static void put_entry(tsr_json *json, const tsr_tensor *t, const tsr_cell_block *block, size_t i)
{
    tsr_json_open(json, NULL, '{', true);
    tsr_json_open(json, "crd", '[', true);
    for (int m = 0; m < t->order; m++)
        tsr_json_u64(json, NULL, block->crd[m][i]);
    tsr_json_close(json, ']');
    put_positions(json, t, block->position[i]);
    tsr_json_close(json, '}');
}

tsr_status tsr_facts_entries(tsr_json *json, const tsr_tensor *tensor, tsr_error *err)
{
    tsr_cell_reader *reader;
    TSR_TRY(tsr_cell_reader_new(&reader, tensor, 1, err));
    const uint64_t n = tsr_cell_reader_nentries(reader);
    tsr_status status = TSR_OK;
    tsr_json_open(json, "entries", '[', false);
    for (uint64_t first = 0; first < n && status == TSR_OK; first += TSR_LEVEL_BLOCK) {
        tsr_cell_block block;
        const uint64_t left = n - first;
        status = tsr_cell_reader_load(&block, reader, 0, first,
                                      (size_t)(left < TSR_LEVEL_BLOCK ? left : TSR_LEVEL_BLOCK), err);
        for (size_t i = 0; status == TSR_OK && i < block.n; i++)
            put_entry(json, tensor, &block, i);
    }
    tsr_json_close(json, ']');
    tsr_cell_reader_free(reader);
    return status;
}

/* ---- facts ---- */

static void put_spread(tsr_json *json, const char *key, const tsr_spread *spread)
{
    tsr_json_open(json, key, '{', true);
    tsr_json_f64(json, "total", spread->total);
    if (!spread->known) {
        static const char *const unknown[] = {"used", "empty", "min", "mean", "max"};
        for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
            tsr_json_null(json, unknown[i]);
        if (spread->estimate > 0)
            tsr_json_f64(json, "estimated_mean", spread->estimate);
        tsr_json_close(json, '}');
        return;
    }
    tsr_json_u64(json, "used", spread->used);
    tsr_json_f64(json, "empty", spread->total - (double)spread->used);
    tsr_json_u64(json, "min", spread->min);
    tsr_json_f64(json, "mean", spread->mean);
    tsr_json_u64(json, "max", spread->max);
    tsr_json_close(json, '}');
}

static void put_array_facts(tsr_json *json, const char *key, const tsr_array *array)
{
    if (!array->data)
        return;
    tsr_json_open(json, key, '{', true);
    tsr_json_u64(json, "n", array->n);
    tsr_json_u64(json, "bits", array->width * 8);
    tsr_json_close(json, '}');
}

static void put_level(tsr_json *json, const tsr_level *level)
{
    tsr_json_open(json, NULL, '{', true);
    tsr_json_string(json, "kind", level->type->name);
    tsr_json_u64(json, "size", level->size);
    put_numbers(json, level);
    tsr_json_bool(json, "nonunique", level->nonunique);
    tsr_json_u64(json, "positions", level->npos);
    tsr_json_u64(json, "bytes", tsr_level_nbytes(level));
    for (int k = 0; k < TSR_LEVEL_NROLES && level->type->arrays[k].name; k++)
        put_array_facts(json, level->type->arrays[k].name,
                        tsr_level_array_at(level, level->type->arrays[k].role));
    tsr_json_close(json, '}');
}

static void put_tensor(tsr_json *json, const tsr_tensor *t)
{
    tsr_text name = {0}, text = {0};
    tsr_format_print_name_for(&name, t->format, t->dims);
    tsr_format_print_long(&text, t->format);
    tsr_json_string(json, "format", tsr_text_cstr(&name));
    tsr_json_string(json, "format_long", tsr_text_cstr(&text));
    tsr_text_clear(&name);
    tsr_text_clear(&text);
    tsr_json_u64(json, "bytes", tsr_facts_nbytes(t));
    tsr_json_open(json, "levels", '[', false);
    for (int l = 0; l < t->nlevels; l++)
        put_level(json, &t->levels[l]);
    tsr_json_close(json, ']');
    tsr_json_open(json, "values", '{', true);
    tsr_json_u64(json, "n", t->values.n);
    tsr_json_u64(json, "bits", t->values.width * 8);
    tsr_json_close(json, '}');
}

static void put_head(tsr_json *json, const tsr_tensor_facts *info)
{
    const tsr_facts_head head = tsr_facts_head_of(info->data);
    if (info->path)
        tsr_json_string(json, "file", info->path);
    if (info->codec)
        tsr_json_string(json, "codec", info->codec);
    if (info->file_nbytes)
        tsr_json_u64(json, "file_bytes", info->file_nbytes);
    tsr_json_u64(json, "order", (uint64_t)head.order);
    tsr_json_dims(json, "dims", head.order, head.dims);
    tsr_json_u64(json, "nnz", info->survey.nnz);
    tsr_json_f64(json, "density",
                 info->survey.ncells > 0 ? (double)info->survey.nnz / info->survey.ncells : 0);
    tsr_json_string(json, "type", tsr_type_name(head.type));
    tsr_json_bool(json, "iso", head.iso);
    tsr_json_string(json, "structure", tsr_structure_name(head.structure));
    if (head.fill)
        tsr_json_value(json, "fill", head.type, head.fill);
    if (info->survey.duplicates_known)
        tsr_json_u64(json, "duplicates", info->survey.nduplicates);
    else
        tsr_json_null(json, "duplicates");
    if (info->survey.sorted) {
        tsr_json_open(json, "sorted_by", '[', true);
        for (int m = 0; m < head.order; m++)
            tsr_json_u64(json, NULL, (uint64_t)info->survey.sorted_by[m]);
        tsr_json_close(json, ']');
    } else {
        tsr_json_null(json, "sorted_by");
    }
    if (info->values) {
        tsr_value_facts_json(json, &info->survey.values);
        tsr_json_string(json, "exact_type", tsr_type_name(info->survey.values.narrowest));
    }
}

static void put_modes(tsr_json *json, const tsr_tensor_facts *info)
{
    const tsr_facts_head head = tsr_facts_head_of(info->data);
    tsr_json_open(json, "modes", '[', false);
    for (int m = 0; m < head.order; m++) {
        tsr_json_open(json, NULL, '{', false);
        tsr_json_u64(json, "dim", head.dims[m]);
        put_spread(json, "slices", &info->survey.modes[m].slices);
        put_spread(json, "fibers", &info->survey.modes[m].fibers);
        tsr_json_close(json, '}');
    }
    tsr_json_close(json, ']');
}

static void put_sizes(tsr_json *json, const tsr_tensor_facts *info)
{
    tsr_json_open(json, "formats", '[', false);
    for (int i = 0; i < info->survey.nsizes; i++) {
        tsr_json_open(json, NULL, '{', true);
        tsr_json_string(json, "format", info->survey.sizes[i].format);
        tsr_json_f64(json, "bytes", info->survey.sizes[i].nbytes);
        tsr_json_bool(json, "exact", info->survey.sizes[i].exact);
        if (info->survey.sizes[i].estimate > 0)
            tsr_json_f64(json, "estimate", info->survey.sizes[i].estimate);
        tsr_json_close(json, '}');
    }
    tsr_json_close(json, ']');
}

void tsr_facts_json(tsr_json *json, const tsr_tensor_facts *info)
{
    put_head(json, info);
    if (info->data->tensor) {
        put_tensor(json, info->data->tensor);
    } else {
        tsr_json_null(json, "format");
        tsr_json_u64(json, "bytes", tsr_coo_nbytes(info->data->coo));
    }
    if (info->spreads)
        put_modes(json, info);
    if (info->sizes)
        put_sizes(json, info);
}
