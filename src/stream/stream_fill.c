/* Sorted entries to level arrays in temporary files: see stream_internal.h. The state of a level is what the next entry
 * needs: the number of positions, and up to which parent pos is written. Positions are stored in the width that the number of all
 * entries needs, since the width in the tensor depends on the last one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream_fill.h"
#include "tsr_memory.h"

enum { ROOM = 1 << 16 };

/* ---- errors ---- */

/* The logical coordinates of a storage cell as "(3, 4)". */
static const char *entry_text(char *buf, size_t room, const stream_fill *f, const uint64_t *coord)
{
    int64_t result[TSR_MAX_LEVELS], mode[TSR_MAX_ORDER] = {0};
    for (int l = 0; l < f->nlevels; l++)
        result[l] = (int64_t)coord[l] + f->binding->base[l];
    if (tsr_map_eval(mode, f->binding->inverse, result, NULL) != TSR_OK)
        return "(?)";
    size_t at = (size_t)snprintf(buf, room, "(");
    for (int m = 0; m < f->facts.order; m++)
        at += (size_t)snprintf(buf + at, room - at, "%s%" PRId64, m > 0 ? ", " : "", mode[m]);
    snprintf(buf + at, room - at, ")");
    return buf;
}
enum { ENTRY_NBYTES = TSR_MAX_ORDER * 22 + 3 };

static tsr_status fail_second_child(const stream_fill *f, int level, uint64_t *const *coord, size_t i,
                                    tsr_error *err)
{
    char text[ENTRY_NBYTES];
    uint64_t cell[TSR_MAX_LEVELS];
    for (int l = 0; l < f->nlevels; l++)
        cell[l] = coord[l][i];
    return tsr_fail(err, TSR_ARGUMENT,
                    "level %d is a singleton, which stores one coordinate per parent, but entry %s "
                    "needs a second one: use another format",
                    level, entry_text(text, sizeof text, f, cell));
}

/* ---- opening ---- */

/* Make the file, or memory that grows where there is no folder. */
static tsr_status make_file(stream_file *file, const stream_fill *f, const char *name, tsr_error *err)
{
    if (!f->folder) {
        *file = (stream_file){.fd = -1, .grows = true};
        return TSR_OK;
    }
    TSR_TRY(stream_file_new(file, f->folder, name, ROOM, err));
    file->keep = f->keep_files;
    return f->continues ? TSR_OK : stream_file_continue(file, 0, err);
}

tsr_status stream_fill_width(size_t *width, const stream_fill *f, int l, const char *array, uint64_t max,
                             tsr_error *err)
{
    const size_t kept = array[0] == 'p' ? f->facts.pos_nbytes[l] : f->facts.crd_nbytes[l];
    if (kept > 0 && kept >= tsr_width_for(max)) {
        *width = kept;
        return TSR_OK;
    }
    return tsr_pack_fit_width(width, tsr_pack_policy(f->pack.index_width, f->binding->format), max, array, l,
                              err);
}

static tsr_status open_level(stream_fill *f, int l, tsr_error *err)
{
    fill_level *const level = &f->level[l];
    const tsr_format *const format = f->binding->format;
    const uint64_t size = f->binding->size[l];
    char name[32];
    level->type = format->levels[l].type;
    if (level->type->assemble)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "%s levels are packed in memory only: give more memory, or use another format",
                        level->type->name);
    level->cut = tsr_format_cut(format, l);
    if (l > 0 && f->level[l - 1].cut > level->cut)
        level->cut = f->level[l - 1].cut; /* as in tsr_pack */
    if (tsr_level_has(level->type, TSR_LEVEL_CRD)) {
        TSR_TRY(stream_fill_width(&level->crd_width, f, l, "crd", size > 0 ? size - 1 : 0, err));
        snprintf(name, sizeof name, "crd%d", l);
        TSR_TRY(make_file(&level->crd, f, name, err));
    }
    if (tsr_level_has(level->type, TSR_LEVEL_POS)) {
        level->pos_width = f->folder ? tsr_width_for(f->facts.nnz) : sizeof(uint64_t);
        snprintf(name, sizeof name, "pos%d", l);
        TSR_TRY(make_file(&level->pos, f, name, err));
    }
    return TSR_OK;
}

/* Whether the cache of the system would hold the arrays as another copy, which exceeds the memory that may be used. */
static bool exceeds_memory(const stream_fill *f)
{
    const double nbytes = (double)f->facts.nnz * (double)(4 + (f->explicit_values ? f->width : 0));
    bool exceeds = nbytes > (double)tsr_memory_limit();
#ifdef TSR_FAULTS
    exceeds = exceeds || getenv("TSR_STREAM_BUCKET");
#endif
    return exceeds && f->folder && !f->is_piece;
}

static uint64_t writer_nbytes(const tsr_stream_options *options)
{
    enum { PART = 6, MOST = 64 << 20 };
    const uint64_t part = options->memory_nbytes / PART;
    return part > 0 && part < MOST ? part : MOST;
}

tsr_status stream_fill_new(stream_fill **out, const tsr_binding *binding, const tsr_facts *facts,
                           const tsr_stream_options *options, bool continues, tsr_error *err)
{
    stream_fill *const f = tsr_calloc(1, sizeof *f);
    tsr_status status;
    *out = NULL;
    if (!f)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    f->binding = binding;
    f->facts = *facts;
    if (!options->keeps_widths) {
        memset(f->facts.pos_nbytes, 0, sizeof f->facts.pos_nbytes);
        memset(f->facts.crd_nbytes, 0, sizeof f->facts.crd_nbytes);
    }
    f->pack = options->pack;
    f->folder = options->folder;
    f->keep_files = options->identity != NULL;
    f->continues = continues;
    f->is_piece = options->ranks != NULL;
    f->nlevels = binding->format->nlevels;
    f->keep = f->pack.duplicates == TSR_DUP_KEEP;
    f->dense_leaf = tsr_format_has_dense_leaf(binding->format);
    f->explicit_values = facts->type != TSR_PATTERN || f->dense_leaf;
    f->width = tsr_type_nbytes(facts->type);
    f->values.fd = -1;
    for (int l = 0; l < TSR_MAX_LEVELS; l++)
        f->level[l].pos.fd = f->level[l].crd.fd = -1;
    for (int l = 0; l < f->nlevels; l++)
        TSR_TRY_OUT(open_level(f, l, err));
    if (f->explicit_values)
        TSR_TRY_OUT(make_file(&f->values, f, "values", err));
    if (exceeds_memory(f))
        f->writer = stream_writer_new(writer_nbytes(options));
    *out = f;
    return TSR_OK;
out:
    stream_fill_free(f);
    return status;
}

void stream_fill_free(stream_fill *f)
{
    if (!f)
        return;
    stream_writer_free(f->writer);
    for (int l = 0; l < TSR_MAX_LEVELS; l++) {
        stream_file_clear(&f->level[l].pos);
        stream_file_clear(&f->level[l].crd);
    }
    stream_file_clear(&f->values);
    tsr_free(f);
}

tsr_status stream_fill_new_piece(stream_fill **out, const stream_fill *like, tsr_error *err)
{
    const tsr_stream_options options = {.pack = like->pack,
                                        .keeps_widths = true}; /* the facts have them or not */
    TSR_TRY(stream_fill_new(out, like->binding, &like->facts, &options, false, err));
    (*out)->is_piece = true;
    return TSR_OK;
}

static void empty(stream_file *file)
{
    file->nbuf = 0;
    file->nbytes = 0;
}

void stream_fill_reset(stream_fill *f, uint64_t most_nbytes)
{
    for (int l = 0; l < f->nlevels; l++) {
        fill_level *const level = &f->level[l];
        level->npos = level->written = level->begin = 0;
        empty(&level->pos);
        empty(&level->crd);
    }
    empty(&f->values);
    f->nvalues = f->nentries = f->nduplicates = f->first_duplicate = 0;
    f->piece = (stream_piece){0};
    f->most_nbytes = most_nbytes;
    f->overflows = false;
}

/* ---- checkpoints ---- */

static tsr_status save_file(stream_file *file, stream_state *state, tsr_error *err)
{
    stream_state_add(state, file->nbytes);
    return file->fd >= 0 ? stream_file_sync(file, err) : TSR_OK;
}

static tsr_status continue_file(stream_file *file, stream_state *state, tsr_error *err)
{
    const uint64_t nbytes = stream_state_get(state);
    return file->fd >= 0 ? stream_file_continue(file, nbytes, err) : TSR_OK;
}

tsr_status stream_fill_save(stream_fill *f, stream_state *state, tsr_error *err)
{
    TSR_TRY(stream_writer_wait(f->writer, err));
    for (int l = 0; l < f->nlevels; l++) {
        fill_level *const level = &f->level[l];
        stream_state_add(state, level->npos);
        stream_state_add(state, level->written);
        stream_state_add(state, f->last[l]);
        TSR_TRY(save_file(&level->pos, state, err));
        TSR_TRY(save_file(&level->crd, state, err));
    }
    stream_state_add(state, f->nentries);
    stream_state_add(state, f->nduplicates);
    stream_state_add(state, f->first_duplicate);
    stream_state_add(state, f->nvalues);
    stream_state_add_bytes(state, f->iso_value, sizeof f->iso_value);
    return save_file(&f->values, state, err);
}

tsr_status stream_fill_continue(stream_fill *f, stream_state *state, tsr_error *err)
{
    for (int l = 0; l < f->nlevels; l++) {
        fill_level *const level = &f->level[l];
        level->npos = stream_state_get(state);
        level->written = stream_state_get(state);
        f->last[l] = stream_state_get(state);
        TSR_TRY(continue_file(&level->pos, state, err));
        TSR_TRY(continue_file(&level->crd, state, err));
    }
    f->nentries = stream_state_get(state);
    f->nduplicates = stream_state_get(state);
    f->first_duplicate = stream_state_get(state);
    f->nvalues = stream_state_get(state);
    stream_state_get_bytes(state, f->iso_value, sizeof f->iso_value);
    return continue_file(&f->values, state, err);
}

/* ---- adding ---- */

/* Set lead of n entries, and copy where an entry is a duplicate. */
static void find_leads(stream_fill *f, uint64_t *const *coord, size_t n)
{
    memset(f->lead, f->nlevels, n);
    for (int l = f->nlevels - 1; l >= 0; l--) {
        const uint64_t *const c = coord[l];
        f->lead[0] = c[0] != f->last[l] ? (uint8_t)l : f->lead[0];
        for (size_t i = 1; i < n; i++)
            f->lead[i] = c[i] != c[i - 1] ? (uint8_t)l : f->lead[i];
        f->last[l] = c[n - 1];
    }
    if (f->nentries == 0)
        f->lead[0] = 0;
    for (size_t i = 0; i < n; i++)
        f->copy[i] = f->lead[i] == f->nlevels;
    if (f->nentries == 0)
        f->copy[0] = 0;
}

/* Remember the duplicates of the block. */
static tsr_status judge_duplicates(stream_fill *f, uint64_t *const *coord, size_t *ncopies, size_t n,
                                   tsr_error *err)
{
    *ncopies = 0;
    for (size_t i = 0; i < n; i++) {
        if (!f->copy[i])
            continue;
        if (f->nduplicates + *ncopies == 0)
            f->first_duplicate = f->nentries + i;
        if (f->pack.duplicates == TSR_DUP_ERROR) {
            char text[ENTRY_NBYTES];
            uint64_t cell[TSR_MAX_LEVELS];
            for (int l = 0; l < f->nlevels; l++)
                cell[l] = coord[l][i];
            return tsr_fail(err, TSR_DUPLICATE, "entry %s (counted from 0) occurs more than once",
                            entry_text(text, sizeof text, f, cell));
        }
        ++*ncopies;
    }
    f->nduplicates += *ncopies;
    return TSR_OK;
}

/* Combine a duplicate with the value of the entry before it. */
static tsr_status combine(stream_fill *f, void *value, const void *copy, uint64_t *const *coord, size_t i,
                          tsr_error *err)
{
    char text[ENTRY_NBYTES];
    uint64_t cell[TSR_MAX_LEVELS];
    if (f->pack.duplicates == TSR_DUP_LAST)
        memcpy(value, copy, f->width);
    if (f->pack.duplicates != TSR_DUP_SUM || tsr_value_add(f->facts.type, value, copy))
        return TSR_OK;
    for (int l = 0; l < f->nlevels; l++)
        cell[l] = coord[l][i];
    return tsr_fail(err, TSR_RANGE, "the sum of the duplicates of entry %s does not fit %s",
                    entry_text(text, sizeof text, f, cell), tsr_type_name(f->facts.type));
}

/* kept: the values of the entries that are not duplicates, which are combined into them; those at the beginning are
 * combined into the last value of the file. */
static tsr_status combine_values(stream_fill *f, uint64_t *const *coord, const unsigned char *values,
                                 size_t step, size_t n, tsr_error *err)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned char *const value = values + i * step;
        if (!f->copy[i] || f->keep)
            memcpy(f->kept + k++ * f->width, value, f->width);
        else
            TSR_TRY(combine(f, k > 0 ? f->kept + (k - 1) * f->width : stream_file_last(&f->values, f->width),
                            value, coord, i, err));
    }
    return TSR_OK;
}

/* Remove the duplicates from the coordinates and leads. Returns the number of entries left. */
static size_t drop_copies(stream_fill *f, uint64_t *const *coord, size_t n)
{
    size_t k = 0;
    for (int l = 0; l <= f->nlevels; l++) {
        k = 0;
        for (size_t i = 0; i < n; i++)
            if (!f->copy[i]) {
                if (l < f->nlevels)
                    coord[l][k] = coord[l][i];
                else
                    f->lead[k] = f->lead[i];
                k++;
            }
    }
    return k;
}

tsr_status stream_fill_flush_pos(fill_level *level, pos_run *run, tsr_error *err)
{
    uint64_t room[TSR_LEVEL_BLOCK];
    const size_t n = run->n;
    tsr_array narrow = {.data = room, .n = n, .width = level->pos_width};
    if (n == 0)
        return TSR_OK;
    run->n = 0;
    tsr_array_store(&narrow, 0, run->pos, n);
    return stream_file_add(&level->pos, room, n * level->pos_width, err);
}

/* n times the same element. In memory a gap may be too long. */
static tsr_status repeat(stream_fill *f, stream_file *file, const void *element, size_t width, uint64_t n,
                         tsr_error *err)
{
    f->overflows =
        f->overflows ||
        (f->most_nbytes > 0 && (n > f->most_nbytes / width || file->nbytes + n * width > f->most_nbytes));
    if (f->overflows)
        return tsr_fail(err, TSR_LIMIT, "the arrays of a piece are too long");
    return stream_file_repeat(file, element, width, n, err);
}

tsr_status stream_fill_write_pos(stream_fill *f, fill_level *level, pos_run *run, uint64_t parent,
                                 tsr_error *err)
{
    const uint64_t n = parent + 1 - level->written;
    uint64_t element = 0;
    tsr_array narrow = {.data = &element, .n = 1, .width = level->pos_width};
    level->written = parent + 1;
    if (n == 1) {
        run->pos[run->n++] = level->npos;
        return TSR_OK;
    }
    TSR_TRY(stream_fill_flush_pos(level, run, err));
    tsr_array_set(&narrow, 0, level->npos);
    return repeat(f, &level->pos, &element, level->pos_width, n, err);
}

static tsr_status add_crd(stream_fill *f, fill_level *level, size_t n, tsr_error *err)
{
    uint64_t room[TSR_LEVEL_BLOCK];
    tsr_array narrow = {.data = room, .n = n, .width = level->crd_width};
    tsr_array_store(&narrow, 0, f->opened, n);
    return stream_file_add(&level->crd, room, n * level->crd_width, err);
}

/* Replace the positions of the parents in f->position by those of level l, and store what is new. */
static tsr_status descend(stream_fill *f, int l, uint64_t *const *coord, size_t n, tsr_error *err)
{
    fill_level *const level = &f->level[l];
    const uint64_t *const c = coord[l];
    uint64_t *const position = f->position;
    size_t nopened = 0;
    pos_run run;
    run.n = 0;
    if (level->type->full) {
        for (size_t i = 0; i < n; i++)
            position[i] = position[i] * f->binding->pitch[l] + c[i];
        return TSR_OK;
    }
    if (f->is_piece && f->nentries == 0 && !level->type->branchless)
        level->begin = level->written = position[0];
    for (size_t i = 0; i < n; i++) {
        if (f->lead[i] <= level->cut) {
            if (!level->type->branchless && level->written <= position[i])
                TSR_TRY(stream_fill_write_pos(f, level, &run, position[i], err));
            if (level->type->branchless && position[i] < level->npos)
                return fail_second_child(f, l, coord, i, err);
            f->opened[nopened++] = c[i];
            level->npos++;
        }
        if (!level->type->branchless)
            position[i] = level->npos - 1;
    }
    TSR_TRY(stream_fill_flush_pos(level, &run, err));
    return add_crd(f, level, nopened, err);
}

/* Values at positions of a dense last level: cells between them hold the fill. */
static tsr_status scatter_values(stream_fill *f, const unsigned char *values, size_t step, size_t n,
                                 tsr_error *err)
{
    if (f->is_piece && f->nentries == 0)
        f->piece.begin_values = f->nvalues = f->position[0];
    for (size_t i = 0; i < n; i++) {
        TSR_TRY(repeat(f, &f->values, f->facts.fill, f->width, f->position[i] - f->nvalues, err));
        TSR_TRY(stream_file_add(&f->values, values + i * step, f->width, err));
        f->nvalues = f->position[i] + 1;
    }
    return TSR_OK;
}

static tsr_status add_values(stream_fill *f, const unsigned char *values, size_t step, size_t n,
                             tsr_error *err)
{
    if (f->dense_leaf)
        return scatter_values(f, values, step, n, err);
    f->nvalues += n;
    return step ? stream_file_add(&f->values, values, n * f->width, err)
                : stream_file_repeat(&f->values, values, f->width, n, err);
}

tsr_status stream_fill_add(stream_fill *f, uint64_t *const *coord, const void *values, size_t n,
                           tsr_error *err)
{
    size_t ncopies, left = n, step = f->facts.iso ? 0 : f->width;
    const unsigned char *value = values;
    if (f->facts.iso && f->nentries == 0)
        memcpy(f->iso_value, values, f->width);
    if (n == 0)
        return TSR_OK;
    find_leads(f, coord, n);
    TSR_TRY(judge_duplicates(f, coord, &ncopies, n, err));
    if (ncopies > 0 && !f->keep) {
        if (f->explicit_values)
            TSR_TRY(combine_values(f, coord, value, step, n, err));
        value = f->kept;
        step = f->width;
        left = drop_copies(f, coord, n);
    }
    memset(f->position, 0, left * sizeof *f->position);
    for (int l = 0; l < f->nlevels && left > 0; l++) {
        TSR_TRY(descend(f, l, coord, left, err));
        if (f->nentries == 0) {
            f->piece.first[l] = coord[l][0];
            f->piece.first_position[l] = f->position[0];
        }
        f->piece.last_position[l] = f->position[left - 1];
    }
    if (f->explicit_values && left > 0)
        TSR_TRY(add_values(f, value, step, left, err));
    f->nentries += n;
    return TSR_OK;
}

/* ---- questions ---- */

const tsr_binding *stream_fill_binding(const stream_fill *f)
{
    return f->binding;
}

bool stream_fill_overflows(const stream_fill *f)
{
    return f->overflows;
}

uint8_t stream_fill_cut(const stream_fill *f, int l)
{
    return f->level[l].cut;
}

tsr_status stream_fill_check_child(const stream_fill *f, const stream_piece *piece, int level, tsr_error *err)
{
    uint64_t *coord[TSR_MAX_LEVELS];
    uint64_t cell[TSR_MAX_LEVELS];
    memcpy(cell, piece->first, sizeof cell);
    for (int l = 0; l < f->nlevels; l++)
        coord[l] = &cell[l];
    return fail_second_child(f, level, coord, 0, err);
}

tsr_status stream_fill_hand_over(stream_file *to, stream_file *from, tsr_error *err)
{
    if (from->fd < 0)
        return TSR_OK;
    TSR_TRY(stream_file_flush(from, err));
    *to = *from;
    *from = (stream_file){.fd = -1};
    return TSR_OK;
}
