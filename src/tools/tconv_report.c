/* What tconv says when it is done. */
#include <stddef.h>

#include "lists.h"
#include "tconv.h"
#include "tsr_cells.h"

const char *const tsr_tconv_duplicates[] = {"sum", "first", "last", "keep", "error", NULL};

/* What was written. */
typedef struct written {
    int order;
    const uint64_t *dims;
    uint64_t nnz;
    tsr_type type;
    tsr_structure structure;
    tsr_text format; /* the name of the storage format, or of the codec for coordinates; owned */
} written;

static written describe(const tsr_conversion *j)
{
    const tsr_coo *const coo = j->data.coo;
    const tsr_tensor *const tensor = j->data.tensor;
    written w = {0};
    if (coo) {
        w = (written){coo->order, coo->dims, coo->nnz, coo->type, coo->structure, {0}};
        tsr_text_add(&w.format, j->to->name);
    } else {
        const uint64_t nnz =
            j->packed || j->copied ? j->stats.nstored : tsr_cells_nstored(tensor, j->s->pack.nthreads);
        w = (written){tensor->order, tensor->dims, nnz, tensor->type, tensor->structure, {0}};
        tsr_format_print_name_for(&w.format, tensor->format, tensor->dims);
    }
    return w;
}

/* ---- the last line ---- */

static void add_rate(tsr_text *text, const char *phase, double seconds, double amount, bool bytes)
{
    char rate[32];
    tsr_text_addf(text, ", %s %.2f s", phase, seconds);
    if (amount <= 0 || seconds < 1e-4)
        return;
    tsr_text_addf(text, " (%s/s)",
                  bytes ? tsr_bytes_text_f(rate, amount / seconds)
                        : tsr_cli_count_text(rate, amount / seconds));
}

static void add_rates(tsr_text *text, const tsr_conversion *j, uint64_t nnz)
{
    add_rate(text, "read", j->read_s, (double)j->in_nbytes, true);
    if (j->s->transforms.n > 0)
        add_rate(text, "transform", j->transform_s, 0, false);
    if (j->s->choose)
        add_rate(text, "advice", j->choose_s, 0, false);
    if (j->packed)
        add_rate(text, "pack", j->pack_s, (double)j->stats.nentries, false);
    else if (j->unpacked)
        add_rate(text, "unpack", j->pack_s, (double)nnz, false);
    add_rate(text, "write", j->write_s, (double)j->out_nbytes, true);
    if (j->s->verify)
        add_rate(text, "verify", j->verify_s, 0, true);
}

/* "in.tns: shard 2 of 8 (2/8): 1.2 M nonzeros, 13 MB in out.h5.tessera-tmp" */
static void report_shard(const tsr_tconv_job *j)
{
    const tsr_conversion *const c = &j->c;
    const tsr_conversion_settings *const s = c->s;
    char number[32], bytes[32];
    if (s->join)
        tsr_cli_report_line(j->report, "%s: the shards were joined before, and %s is complete", s->in,
                            s->out);
    else if (!c->folder.nbytes)
        tsr_cli_report_line(j->report, "%s: shard %d/%d has nothing to do: --join converts this as a whole",
                            s->in, s->shard, s->nshards);
    else if (c->was_done)
        tsr_cli_report_line(j->report, "%s: shard %d/%d was done before", s->in, s->shard, s->nshards);
    else
        tsr_cli_report_line(j->report, "%s: shard %d/%d: %s nonzero%s, %s in %s, %.2f s", s->in, s->shard,
                            s->nshards, tsr_cli_count_text(number, (double)c->nread),
                            c->nread == 1 ? "" : "s", tsr_bytes_text(bytes, c->spilled_nbytes), c->folder.s,
                            c->pack_s);
}

static void put_shard(tsr_json *json, const tsr_conversion *j)
{
    tsr_json_string(json, "input", j->s->in);
    tsr_json_u64(json, "shard", (uint64_t)j->s->shard);
    tsr_json_u64(json, "shards", (uint64_t)j->s->nshards);
    tsr_json_bool(json, "was_done", j->was_done);
    tsr_json_u64(json, "nnz", j->nread);
    tsr_json_u64(json, "temporary_bytes", j->spilled_nbytes);
}

const char *tsr_tconv_way(tsr_text *text, const tsr_pack_stats *stats)
{
    char own[32], sorting[32];
    tsr_text_add(text, stats->way);
    if (stats->sort_nbytes > 0 && stats->way_nbytes > 0)
        tsr_text_addf(text, " (about %s of memory traffic; sorting: %s)",
                      tsr_bytes_text(own, (uint64_t)stats->way_nbytes),
                      tsr_bytes_text(sorting, (uint64_t)stats->sort_nbytes));
    return tsr_text_cstr(text);
}

/* "read as tns, written as binsparse; packed: ...": for --verbose. */
static void report_way(const tsr_tconv_job *j)
{
    const tsr_conversion *const c = &j->c;
    const char *const from = c->data.codec ? c->data.codec->name : NULL;
    tsr_text way = {0};
    tsr_cli_report_line(j->report, "%s%s%swritten as %s; %s%s", from ? "read as " : "", from ? from : "",
                        from ? ", " : "", c->to->name, c->stats.way ? "packed: " : "",
                        c->stats.way      ? tsr_tconv_way(&way, &c->stats)
                        : c->nbuckets > 0 ? "packed in buckets, in temporary files"
                                          : "nothing was packed: the entries are written as they are");
    tsr_text_clear(&way);
}

/* "in.tns: 4 x 5 x 6, 6 nonzeros, f64 -> out.h5 (csf), 94 bytes -> 8.1 KB, read ..., pack ..., write ..." */
void tsr_tconv_report(const tsr_tconv_job *j)
{
    const tsr_conversion *const c = &j->c;
    const tsr_conversion_settings *const s = c->s;
    const bool merged = c->stats.nduplicates > 0;
    if (c->sharded) {
        report_shard(j);
        return;
    }
    written w = describe(c);
    tsr_text text = {0};
    char number[32];
    tsr_text_addf(&text, "%s", s->in);
    if (s->nmore > 0)
        tsr_text_addf(&text, " and %d more", s->nmore);
    tsr_text_add(&text, ": ");
    if (s->transforms.n > 0) {
        tsr_cli_add_dims(&text, c->in_order, c->in_dims);
        tsr_text_add(&text, " -> ");
    }
    tsr_cli_add_dims(&text, w.order, w.dims);
    tsr_text_addf(&text, ", %s nonzero%s, %s", tsr_cli_count_text(number, (double)w.nnz),
                  w.nnz == 1 ? "" : "s", tsr_type_name(w.type));
    if (merged)
        tsr_text_addf(&text, ", %s duplicate%s (%s)",
                      tsr_cli_count_text(number, (double)c->stats.nduplicates),
                      c->stats.nduplicates == 1 ? "" : "s", tsr_tconv_duplicates[s->pack.duplicates]);
    if (c->transforms.ndropped > 0)
        tsr_text_addf(&text, ", %s dropped", tsr_cli_count_text(number, (double)c->transforms.ndropped));
    tsr_text_addf(&text, " -> %s (%s", s->out, tsr_text_cstr(&w.format));
    if (w.structure != TSR_GENERAL)
        tsr_text_addf(&text, ", %s", tsr_structure_name(w.structure));
    tsr_text_add(&text, "), ");
    if (c->in_nbytes > 0)
        tsr_text_addf(&text, "%s -> ", tsr_bytes_text(number, c->in_nbytes));
    tsr_text_add(&text, tsr_bytes_text(number, c->out_nbytes));
    if (c->shares)
        tsr_text_addf(&text, ", %d ranks", c->s->ranks->n);
    add_rates(&text, c, w.nnz);
    tsr_cli_report_line(j->report, "%s", tsr_text_cstr(&text));
    if (j->s->verbose)
        report_way(j);
    tsr_text_clear(&w.format);
    tsr_text_clear(&text);
}

/* ---- --json ---- */

static void put_seconds(tsr_json *json, const tsr_conversion *j)
{
    tsr_json_open(json, "seconds", '{', true);
    tsr_json_f64(json, "read", j->read_s);
    if (j->s->transforms.n > 0)
        tsr_json_f64(json, "transform", j->transform_s);
    if (j->packed || j->unpacked)
        tsr_json_f64(json, j->packed ? "pack" : "unpack", j->pack_s);
    tsr_json_f64(json, "write", j->write_s);
    if (j->s->verify)
        tsr_json_f64(json, "verify", j->verify_s);
    tsr_json_close(json, '}');
}

/* What each rank did. */
static void put_ranks(tsr_json *json, const tsr_conversion *j)
{
    static const struct {
        const char *name;
        size_t offset;
    } counters[] = {{"nnz", offsetof(tsr_ranks_stats, nentries)},
                    {"sent_nnz", offsetof(tsr_ranks_stats, moved)},
                    {"sent_bytes", offsetof(tsr_ranks_stats, sent_nbytes)},
                    {"received_bytes", offsetof(tsr_ranks_stats, received_nbytes)},
                    {"written_bytes", offsetof(tsr_ranks_stats, written_nbytes)}};
    tsr_json_open(json, "ranks", '{', false);
    tsr_json_u64(json, "rounds", (uint64_t)j->shares[0].rounds);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
        tsr_json_open(json, counters[i].name, '[', true);
        for (int r = 0; r < j->s->ranks->n; r++) {
            uint64_t count;
            memcpy(&count, (const char *)&j->shares[r] + counters[i].offset, sizeof count);
            tsr_json_u64(json, NULL, count);
        }
        tsr_json_close(json, ']');
    }
    tsr_json_close(json, '}');
}

void tsr_tconv_json(tsr_json *json, const tsr_tconv_job *j)
{
    const tsr_conversion *const c = &j->c;
    if (c->sharded) {
        put_shard(json, c);
        return;
    }
    written w = describe(c);
    tsr_json_string(json, "input", c->s->in);
    tsr_json_string(json, "output", c->s->out);
    if (c->s->transforms.n > 0)
        tsr_json_dims(json, "input_dims", c->in_order, c->in_dims);
    tsr_json_dims(json, "dims", w.order, w.dims);
    tsr_json_u64(json, "nnz", w.nnz);
    tsr_json_string(json, "type", tsr_type_name(w.type));
    tsr_json_string(json, "structure", tsr_structure_name(w.structure));
    tsr_json_string(json, "codec", c->to->name);
    if (c->data.tensor)
        tsr_json_string(json, "format", tsr_text_cstr(&w.format));
    else
        tsr_json_null(json, "format");
    tsr_json_u64(json, "duplicates", c->stats.nduplicates);
    tsr_json_u64(json, "dropped", c->transforms.ndropped);
    if (c->in_nbytes > 0)
        tsr_json_u64(json, "input_bytes", c->in_nbytes);
    tsr_json_u64(json, "output_bytes", c->out_nbytes);
    tsr_json_bool(json, "verified", c->s->verify);
    if (c->shares)
        put_ranks(json, c);
    put_seconds(json, c);
    tsr_text_clear(&w.format);
}
