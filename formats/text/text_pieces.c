/* Entries of a text in pieces: see text_pieces.h. Blocks are fetched one after the other, parsed on all
 * threads, and given out in the order of the file. */
#include "text_pieces.h"

#include <inttypes.h>

#include "tsr_parallel.h"

/* One block of lines, and what is in it. */
typedef struct slot {
    tsr_block block;
    char *text; /* borrowed: of the block, or the text that the header left */
    size_t nbytes;
    tsr_entry_block parsed;
    tsr_status status;
    tsr_error err;
} slot;

typedef struct batch {
    tsr_text_pieces *pieces; /* owned */
    tsr_text_totals totals;
    int nthreads, n, at; /* slots; filled; the next to give out */
    slot *slots;         /* owned */
    bool head_taken, ended;
    bool real;         /* a value was not an integer */
    uint64_t line;     /* lines before the next slot */
    tsr_array values;  /* owned: converted values of a piece */
    tsr_status failed; /* of the input, after the slots that are filled */
    tsr_error fault;
} batch;

/* ---- making and freeing ---- */

tsr_status tsr_text_pieces_new(tsr_text_pieces **out, const char *path, const tsr_read_options *options,
                               tsr_error *err)
{
    *out = tsr_calloc(1, sizeof **out);
    if (!*out)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    (*out)->options = *options;
    const tsr_status status = tsr_lines_open(&(*out)->lines, path, options, err);
    if (status != TSR_OK) {
        tsr_text_pieces_free(*out);
        *out = NULL;
    }
    return status;
}

void tsr_text_pieces_free(tsr_text_pieces *pieces)
{
    if (!pieces)
        return;
    tsr_lines_clear(&pieces->lines);
    tsr_free(pieces->head);
    tsr_free(pieces);
}

static void close_batch(void *state)
{
    batch *const b = state;
    for (int i = 0; b->slots && i < b->nthreads; i++) {
        tsr_block_clear(&b->slots[i].block);
        tsr_entry_block_clear(&b->slots[i].parsed);
    }
    tsr_free(b->slots);
    tsr_array_clear(&b->values);
    tsr_text_pieces_free(b->pieces);
    tsr_free(b);
}

/* ---- filling the slots ---- */

static void parse_one(void *arg, int t, int nthreads)
{
    batch *const b = arg;
    (void)nthreads;
    slot *const s = &b->slots[t];
    s->parsed.real = b->real;
    s->status = tsr_entries_parse(&s->parsed, &b->pieces->entries.columns, s->text, s->nbytes, &s->err);
}

/* Fetch the next block of lines into the slot; false at the end, or when the input has a fault. */
static bool fetch(batch *b, slot *s)
{
    tsr_lines *const lines = &b->pieces->lines;
    if (!b->head_taken) {
        b->head_taken = true;
        s->text = lines->text + lines->at;
        s->nbytes = lines->nbytes - lines->at;
        if (s->nbytes > 0)
            return true;
    }
    b->failed = tsr_input_next(&s->block, lines->input, &b->fault);
    s->text = s->block.text;
    s->nbytes = s->block.nbytes;
    b->ended = b->failed != TSR_OK || s->nbytes == 0;
    return !b->ended;
}

static void fill(batch *b)
{
    b->n = b->at = 0;
    while (!b->ended && b->n < b->nthreads && fetch(b, &b->slots[b->n]))
        b->n++;
    if (b->n > 0)
        tsr_parallel(b->n, parse_one, b);
}

/* ---- giving pieces out ---- */

static void count(batch *b, const slot *s)
{
    const tsr_entry_block *const p = &s->parsed;
    tsr_text_totals *const t = &b->totals;
    for (int m = 0; m < b->pieces->entries.columns.order; m++) {
        uint64_t rest = p->max[m];
        if (t->nnz == 0 && p->n > 0) { /* the first entry does not count */
            rest = 0;
            for (size_t e = 1; e < p->n; e++)
                rest = p->crd[m][e] > rest ? p->crd[m][e] : rest;
        }
        t->max[m] = p->max[m] > t->max[m] ? p->max[m] : t->max[m];
        t->rest[m] = rest > t->rest[m] ? rest : t->rest[m];
        for (size_t e = 0; e < p->n && !t->has_zero; e++)
            t->has_zero = p->crd[m][e] == 0;
    }
    t->nnz += p->n;
    t->nextra += p->nextra;
    t->nmirrored += p->nmirrored;
    b->line += p->nlines;
}

/* Check the parsed slot: its fault, and the number of entries. */
static tsr_status check(const batch *b, const slot *s, tsr_error *err)
{
    const tsr_entries *const en = &b->pieces->entries;
    const uint64_t left = en->has_nnz ? en->nnz - b->totals.nnz : UINT64_MAX;
    if (s->parsed.n > left) {
        const tsr_status status = tsr_entries_too_many(en->nnz, err);
        tsr_entries_place(err, s->text, tsr_entry_locate(&en->columns, s->text, s->nbytes, left), b->line);
        return status;
    }
    if (s->status != TSR_OK && err) {
        *err = s->err;
        if (s->parsed.fault)
            tsr_entries_place(err, s->text, s->parsed.fault, b->line);
    }
    return s->status;
}

/* Set the values of the piece, converted if the codec wants that. */
static tsr_status set_values(tsr_piece *out, batch *b, slot *s, tsr_error *err)
{
    static const unsigned char one = 1;
    const tsr_columns *const c = &b->pieces->entries.columns;
    tsr_entry_block *const p = &s->parsed;
    out->type = c->type;
    out->iso = c->type == TSR_PATTERN;
    out->values = out->iso ? &one : p->values;
    if (c->integers && b->real && !p->real) {
        tsr_entry_block_make_real(p);
        p->real = true;
    }
    if (c->integers && !p->real)
        out->type = TSR_I64;
    b->real = b->real || p->real;
    if (!b->pieces->has_type || out->type == b->pieces->type)
        return TSR_OK;
    const tsr_type to = b->pieces->type;
    if (to == TSR_PATTERN) {
        out->iso = true;
        out->values = &one;
    } else {
        const uint64_t n = out->iso ? 1 : p->n;
        if (b->values.n < n) {
            tsr_array_clear(&b->values);
            TSR_TRY(tsr_array_init(&b->values, n, tsr_type_nbytes(to), 0, "converted values", err));
        }
        TSR_TRY(tsr_values_convert(b->values.data, to, out->values, out->type, n, err));
        out->values = b->values.data;
    }
    out->type = to;
    return TSR_OK;
}

static tsr_status at_end(batch *b, tsr_reader_info *info, tsr_error *err)
{
    const tsr_text_pieces *const pieces = b->pieces;
    const tsr_entries *const en = &pieces->entries;
    const tsr_text_totals *const t = &b->totals;
    if (b->failed != TSR_OK) {
        if (err)
            *err = b->fault;
        return b->failed;
    }
    if (en->has_nnz && t->nnz < en->nnz)
        return tsr_entries_too_few(pieces->lines.path, b->line, t->nnz, en->nnz, err);
    for (int m = 0; m < info->order && !info->has_dims; m++)
        info->dims[m] = t->nnz ? t->max[m] + 1 : 0;
    if (pieces->square)
        info->dims[0] = info->dims[1] = info->dims[0] > info->dims[1] ? info->dims[0] : info->dims[1];
    info->has_dims = info->has_nnz = true;
    info->nnz = t->nnz;
    if (!pieces->has_type)
        info->type = en->columns.integers && !b->real ? TSR_I64 : en->columns.type;
    return pieces->finish ? pieces->finish(pieces, t, err) : TSR_OK;
}

static tsr_status next(tsr_piece *out, tsr_reader_info *info, void *state, tsr_error *err)
{
    batch *const b = state;
    const tsr_read_options *const options = &b->pieces->options;
    for (;;) {
        if (b->at == b->n && !b->ended)
            fill(b);
        if (b->at == b->n)
            return at_end(b, info, err);
        slot *const s = &b->slots[b->at++];
        TSR_TRY(check(b, s, err));
        TSR_TRY(set_values(out, b, s, err));
        count(b, s);
        out->n = s->parsed.n;
        for (int m = 0; m < info->order; m++)
            out->crd[m] = s->parsed.crd[m];
        TSR_TRY(tsr_progress(options->observer, "read", tsr_input_nbytes_read(b->pieces->lines.input),
                             tsr_input_nbytes(b->pieces->lines.input), err));
        if (out->n > 0)
            return TSR_OK;
    }
}

tsr_status tsr_text_pieces_open(tsr_reader_source *out, tsr_reader_info *info, tsr_text_pieces *pieces,
                                tsr_error *err)
{
    tsr_columns *const c = &pieces->entries.columns;
    batch *const b = tsr_calloc(1, sizeof *b);
    if (!b) {
        tsr_text_pieces_free(pieces);
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    }
    b->pieces = pieces;
    b->line = pieces->lines.line;
    b->nthreads = tsr_thread_count(pieces->options.nthreads);
    b->slots = tsr_calloc((size_t)b->nthreads, sizeof *b->slots);
    *out = (tsr_reader_source){.state = b, .next = next, .close = close_batch};
    if (!b->slots)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    for (int m = 0; m < c->order && !c->has_dims; m++)
        c->dims[m] = INT64_MAX;
    info->order = c->order;
    info->has_dims = c->has_dims && !pieces->square;
    if (c->has_dims)
        memcpy(info->dims, c->dims, sizeof info->dims);
    info->has_nnz = pieces->entries.has_nnz;
    info->nnz = pieces->entries.nnz;
    info->type = pieces->has_type ? pieces->type : c->type;
    info->structure = c->structure;
    return tsr_entries_check_count(&pieces->entries, &pieces->lines, err);
}
