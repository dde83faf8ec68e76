/* tconv --dry-run: what would be written, how, and its size. Nothing is written. */
#include <stdio.h>

#include "lists.h"
#include "tconv.h"
#include "tsr_cells.h"

/* The storage format of the result; NULL: coordinates, or entries as they come. */
static const tsr_format *result_format(const tsr_conversion *j)
{
    return j->data.tensor ? j->data.tensor->format : j->dry.format;
}

static uint64_t count_entries(const tsr_conversion *j)
{
    const tsr_tensor *const tensor = j->data.tensor;
    return !tensor                  ? j->data.coo->nnz
           : j->packed || j->copied ? j->stats.nstored
                                    : tsr_cells_nstored(tensor, j->s->pack.nthreads);
}

/* Whether the result is packed, or was. */
static bool is_packed(const tsr_conversion *j)
{
    return !j->dry.copies && !j->dry.streams && j->stats.way;
}

/* How the result comes about. */
static const char *way(const tsr_conversion *j)
{
    return j->dry.copies                     ? "the arrays are copied as they are, one after the other"
           : j->dry.streams && j->dry.format ? "in buckets, in temporary files"
           : j->dry.streams                  ? "nothing: the entries are written as they come"
           : j->stats.way                    ? j->stats.way
           : j->unpacked                     ? "unpacked: the file holds coordinates"
                                             : "nothing: the entries stay as they are";
}

static void print_line(const char *name, tsr_text *text)
{
    printf("%-9s %s\n", name, tsr_text_cstr(text));
    tsr_text_clear(text);
}

static void add_tensor(tsr_text *text, const tsr_conversion *j)
{
    char number[32];
    const tsr_structure structure = tsr_data_structure(&j->data);
    if (j->s->transforms.n > 0 && !j->dry.copies) {
        tsr_cli_add_dims(text, j->in_order, j->in_dims);
        tsr_text_add(text, " -> ");
    }
    if (!j->dry.counted) {
        tsr_text_addf(text, "%d modes; dims and entries are known when IN was read, %s",
                      tsr_data_order(&j->data), tsr_type_name(tsr_data_type(&j->data)));
        return;
    }
    const uint64_t nnz = count_entries(j);
    tsr_cli_add_dims(text, tsr_data_order(&j->data), tsr_data_dims(&j->data));
    tsr_text_addf(text, ", %s nonzero%s, %s", tsr_cli_count_text(number, (double)nnz), nnz == 1 ? "" : "s",
                  tsr_type_name(tsr_data_type(&j->data)));
    if (structure != TSR_GENERAL)
        tsr_text_addf(text, ", %s", tsr_structure_name(structure));
}

/* "level 1 pos 32 bits, crd 16 bits; values f64" */
static void add_widths(tsr_text *text, const tsr_tensor *tensor)
{
    for (int l = 0; l < tensor->nlevels; l++) {
        const tsr_level *const level = &tensor->levels[l];
        if (level->pos.n == 0 && level->crd.n == 0)
            continue;
        tsr_text_addf(text, "level %d", l);
        if (level->pos.n > 0)
            tsr_text_addf(text, " pos %zu bits%s", level->pos.width * 8, level->crd.n > 0 ? "," : "");
        if (level->crd.n > 0)
            tsr_text_addf(text, " crd %zu bits", level->crd.width * 8);
        tsr_text_add(text, "; ");
    }
    tsr_text_addf(text, "values %s", tsr_type_name(tensor->type));
}

static void print_size(const tsr_conversion *j)
{
    char size[32];
    tsr_text text = {0};
    tsr_text_addf(&text, "%s: %s, ", j->s->out, j->to->name);
    if (j->dry.streams && !j->dry.copies)
        tsr_text_add(&text, "its size is known after packing");
    else
        tsr_text_addf(&text, "%s%s", tsr_bytes_text(size, j->out_nbytes),
                      j->dry.exact              ? ""
                      : j->s->write.deflate > 0 ? " of arrays before compression"
                                                : " of arrays, and what the file format adds");
    print_line("output", &text);
}

void tsr_tconv_dry_report(const tsr_conversion *j)
{
    tsr_text text = {0};
    char size[32];
    const tsr_format *const format = result_format(j);
    if (j->sharded) {
        printf("%s: shard %d/%d would have nothing to do: --join converts this as a whole\n", j->s->in,
               j->s->shard, j->s->nshards);
        return;
    }
    tsr_text_addf(&text, "%s", j->s->in);
    if (j->data.codec)
        tsr_text_addf(&text, ": %s", j->data.codec->name);
    if (j->in_nbytes > 0)
        tsr_text_addf(&text, ", %s", tsr_bytes_text(size, j->in_nbytes));
    print_line("input", &text);
    add_tensor(&text, j);
    print_line("tensor", &text);
    if (format)
        tsr_format_print_name_for(&text, format, tsr_data_dims(&j->data));
    else
        tsr_text_add(&text, "coordinates");
    if (j->dry.why)
        tsr_text_addf(&text, ": %s", j->dry.why);
    print_line("format", &text);
    if (j->data.tensor) {
        add_widths(&text, j->data.tensor);
        print_line("arrays", &text);
    }
    if (is_packed(j))
        (void)tsr_tconv_way(&text, &j->stats);
    else
        tsr_text_add(&text, way(j));
    print_line("packing", &text);
    if (j->dry.folder.nbytes > 0) {
        if (j->s->nshards > 0)
            tsr_text_addf(&text, "%s, where shard %d/%d stays until --join", j->dry.folder.s, j->s->shard,
                          j->s->nshards);
        else
            tsr_text_add(&text, j->dry.folder.s);
        print_line("temporary", &text);
    }
    print_size(j);
}

/* ---- --json ---- */

void tsr_tconv_dry_json(tsr_json *json, const tsr_conversion *j)
{
    tsr_text text = {0};
    const tsr_format *const format = result_format(j);
    tsr_json_bool(json, "dry_run", true);
    tsr_json_string(json, "input", j->s->in);
    tsr_json_string(json, "output", j->s->out);
    tsr_json_string(json, "codec", j->to->name);
    if (j->sharded)
        return;
    if (j->dry.counted) {
        tsr_json_dims(json, "dims", tsr_data_order(&j->data), tsr_data_dims(&j->data));
        tsr_json_u64(json, "nnz", count_entries(j));
    }
    tsr_json_string(json, "type", tsr_type_name(tsr_data_type(&j->data)));
    tsr_json_string(json, "structure", tsr_structure_name(tsr_data_structure(&j->data)));
    if (format) {
        tsr_format_print_name_for(&text, format, tsr_data_dims(&j->data));
        tsr_json_string(json, "format", tsr_text_cstr(&text));
        tsr_text_clear(&text);
    } else {
        tsr_json_null(json, "format");
    }
    tsr_json_string(json, "packing", way(j));
    if (is_packed(j) && j->stats.sort_nbytes > 0) {
        tsr_json_u64(json, "packing_traffic_bytes", (uint64_t)j->stats.way_nbytes);
        tsr_json_u64(json, "sorting_traffic_bytes", (uint64_t)j->stats.sort_nbytes);
    }
    if (j->dry.folder.nbytes > 0)
        tsr_json_string(json, "temporary_folder", j->dry.folder.s);
    if (!j->dry.streams || j->dry.copies)
        tsr_json_u64(json, j->dry.exact ? "output_bytes" : "array_bytes", j->out_nbytes);
}
