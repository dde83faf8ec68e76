/* From one matrix format, or coordinates in order, to another with the same order of the modes. The values and the minor coordinates are the
 * same arrays and move to the result; only the top is made anew. */
#include "direct_internal.h"

typedef struct mover {
    pack_job *job;
    direct_matrix from;
    direct_top to;
    uint64_t nnodes;                  /* DIRECT_NODES: major coordinates that have entries */
    uint64_t counts[TSR_MAX_THREADS]; /* of them, in the share of each thread */
} mover;

/* ---- major coordinates that have entries ---- */

/* A share of the rows (DIRECT_FULL) or of the entries (DIRECT_ENTRIES), in blocks: call node(m, t, row, first) for
 * each row that has entries and begins in the share, where `first` is the first of them. */
typedef struct node_list {
    uint64_t row[TSR_LEVEL_BLOCK], first[TSR_LEVEL_BLOCK];
    size_t n;
} node_list;

/* The rows among [first, first + n) that have entries. */
static void list_full(node_list *list, const direct_matrix *from, uint64_t first, size_t n)
{
    uint64_t pos[TSR_LEVEL_BLOCK + 1];
    tsr_array_load(pos, from->pos, first, n + 1);
    list->n = 0;
    for (size_t i = 0; i < n; i++) {
        list->row[list->n] = first + i;
        list->first[list->n] = pos[i];
        list->n += pos[i + 1] > pos[i];
    }
}

/* The rows that begin among entries [first, first + n). */
static void list_entries(node_list *list, const direct_matrix *from, uint64_t first, size_t n)
{
    uint64_t row[TSR_LEVEL_BLOCK + 1];
    const uint64_t before = first > 0;
    tsr_array_load(row + 1 - before, from->rows, first - before, n + before);
    if (!before)
        row[0] = row[1] + 1; /* another row */
    list->n = 0;
    for (size_t i = 0; i < n; i++) {
        list->row[list->n] = row[i + 1];
        list->first[list->n] = first + i;
        list->n += row[i + 1] != row[i];
    }
}

static void list_nodes(node_list *list, const direct_matrix *from, uint64_t first, size_t n)
{
    tsr_array_load(list->row, from->rows, first, n);
    tsr_array_load(list->first, from->pos, first, n);
    list->n = n;
}

/* The number of places that are cut into shares: rows, entries or nodes. */
static uint64_t nplaces(const direct_matrix *from)
{
    return from->top == DIRECT_FULL ? from->nmajor : from->top == DIRECT_NODES ? from->nnodes : from->n;
}

static void list_places(node_list *list, const direct_matrix *from, uint64_t first, size_t n)
{
    if (from->top == DIRECT_FULL)
        list_full(list, from, first, n);
    else if (from->top == DIRECT_NODES)
        list_nodes(list, from, first, n);
    else
        list_entries(list, from, first, n);
}

static void count_nodes(void *arg, int t, int nthreads)
{
    mover *m = arg;
    node_list list;
    const uint64_t end = tsr_cut(nplaces(&m->from), t + 1, nthreads);
    size_t n;
    m->counts[t] = 0;
    for (uint64_t first = tsr_cut(nplaces(&m->from), t, nthreads); first < end; first += n) {
        n = end - first < TSR_LEVEL_BLOCK ? (size_t)(end - first) : TSR_LEVEL_BLOCK;
        list_places(&list, &m->from, first, n);
        m->counts[t] += list.n;
    }
}

/* m->counts[t]: the nodes before the share of thread t. */
static void find_nodes(mover *m)
{
    if (m->from.top == DIRECT_NODES) {
        m->nnodes = m->from.nnodes;
        for (int t = 0; t < m->job->nthreads; t++)
            m->counts[t] = tsr_cut(m->nnodes, t, m->job->nthreads);
        return;
    }
    tsr_parallel(m->job->nthreads, count_nodes, m);
    m->nnodes = 0;
    for (int t = 0; t < m->job->nthreads; t++) {
        const uint64_t count = m->counts[t];
        m->counts[t] = m->nnodes;
        m->nnodes += count;
    }
}

/* ---- filling the top ---- */

/* DIRECT_NODES: the coordinates and beginnings of the nodes. */
static void fill_nodes(void *arg, int t, int nthreads)
{
    mover *m = arg;
    tsr_level *levels = m->job->tensor->levels;
    node_list list;
    const uint64_t end = tsr_cut(nplaces(&m->from), t + 1, nthreads);
    uint64_t node = m->counts[t];
    size_t n;
    for (uint64_t first = tsr_cut(nplaces(&m->from), t, nthreads); first < end; first += n) {
        n = end - first < TSR_LEVEL_BLOCK ? (size_t)(end - first) : TSR_LEVEL_BLOCK;
        list_places(&list, &m->from, first, n);
        tsr_array_store(&levels[0].crd, node, list.row, list.n);
        tsr_array_store(&levels[1].pos, node, list.first, list.n);
        node += list.n;
    }
}

/* pos[first..last] = value. */
static void set_range(tsr_array *pos, uint64_t first, uint64_t last, uint64_t value)
{
    for (uint64_t i = first; i <= last && i >= first; i++)
        tsr_array_set(pos, i, value);
}

/* DIRECT_FULL: pos of the rows up to the beginning of each node, from the end of the node before. */
static void fill_rows(void *arg, int t, int nthreads)
{
    mover *m = arg;
    const direct_matrix *from = &m->from;
    tsr_array *pos = &m->job->tensor->levels[1].pos;
    node_list list;
    const uint64_t begin = tsr_cut(nplaces(from), t, nthreads), end = tsr_cut(nplaces(from), t + 1, nthreads);
    uint64_t next = begin > 0 ? tsr_array_get(from->rows, begin - 1) + 1 : 0; /* the first row without pos */
    size_t n;
    for (uint64_t first = begin; first < end; first += n) {
        n = end - first < TSR_LEVEL_BLOCK ? (size_t)(end - first) : TSR_LEVEL_BLOCK;
        list_places(&list, from, first, n);
        for (size_t i = 0; i < list.n; i++) {
            for (; next <= list.row[i]; next++)
                tsr_array_set(pos, next, list.first[i]);
        }
    }
    if (t == nthreads - 1)
        set_range(pos, next, from->nmajor, from->n);
}

/* ---- the same, where rows and positions have 32 bits: without a branch an entry, which no processor would guess ---- */

static void clear_ends(void *arg, int t, int nthreads)
{
    const mover *m = arg;
    uint32_t *const pos = m->job->tensor->levels[1].pos.data;
    const uint64_t first = tsr_cut(m->from.nmajor, t, nthreads),
                   end = tsr_cut(m->from.nmajor, t + 1, nthreads);
    memset(pos + first + 1, 0, (size_t)(end - first) * sizeof *pos);
}

/* pos[row + 1] = the end of each row that has entries and ends in the share. */
static void mark_ends(void *arg, int t, int nthreads)
{
    const mover *m = arg;
    const uint64_t begin = tsr_cut(m->from.n, t, nthreads);
    const uint32_t *restrict rows = m->from.rows->data;
    uint32_t *restrict pos = m->job->tensor->levels[1].pos.data;
    uint64_t end = tsr_cut(m->from.n, t + 1, nthreads);
    for (; end > begin && end < m->from.n && rows[end - 1] == rows[end]; end--)
        ; /* the row goes on in the next share */
    for (uint64_t e = begin; e < end; e++)
        pos[rows[e] + 1] = (uint32_t)(e + 1);
}

/* Rows without entries end where the row before does. */
static void carry_ends(void *arg, int t, int nthreads)
{
    const mover *m = arg;
    const uint64_t first = tsr_cut(m->from.nmajor, t, nthreads),
                   end = tsr_cut(m->from.nmajor, t + 1, nthreads);
    uint32_t *const pos = m->job->tensor->levels[1].pos.data;
    uint32_t at = (uint32_t)tsr_array_seek(m->from.rows, 0, m->from.n, first);
    for (uint64_t i = first + 1; i <= end; i++) {
        at = pos[i] > at ? pos[i] : at;
        pos[i] = at;
    }
}

static void fill_ends(mover *m)
{
    tsr_parallel(m->job->nthreads, clear_ends, m);
    tsr_parallel(m->job->nthreads, mark_ends, m);
    tsr_parallel(m->job->nthreads, carry_ends, m);
}

/* DIRECT_ENTRIES: a major coordinate for each entry. */
static void fill_majors(void *arg, int t, int nthreads)
{
    mover *m = arg;
    tsr_array *crd = &m->job->tensor->levels[0].crd;
    const uint64_t begin = tsr_cut(m->from.n, t, nthreads), end = tsr_cut(m->from.n, t + 1, nthreads);
    uint32_t block[TSR_LEVEL_BLOCK];
    uint64_t wide[TSR_LEVEL_BLOCK], node = 0, n;
    if (crd->width == sizeof *block) {
        direct_majors((uint32_t *)crd->data + begin, &node, &m->from, begin, end - begin);
        return;
    }
    for (uint64_t first = begin; first < end; first += n) {
        n = end - first < TSR_LEVEL_BLOCK ? end - first : TSR_LEVEL_BLOCK;
        direct_majors(block, &node, &m->from, first, n);
        for (uint64_t i = 0; i < n; i++)
            wide[i] = block[i];
        tsr_array_store(crd, first, wide, n);
    }
}

/* ---- arrays that are kept ---- */

typedef struct copier {
    tsr_array *to;
    const tsr_array *from;
} copier;

static void copy_share(void *arg, int t, int nthreads)
{
    const copier *c = arg;
    const uint64_t first = tsr_cut(c->to->n, t, nthreads);
    tsr_array_copy(c->to, first, c->from, first, tsr_cut(c->to->n, t + 1, nthreads));
}

void direct_keep(pack_job *job, tsr_array *to, const tsr_array *from)
{
    copier c = {to, from};
    if (from->data)
        tsr_parallel(job->nthreads, copy_share, &c);
}

static void fill_top(mover *m)
{
    pack_job *job = m->job;
    tsr_level *levels = job->tensor->levels;
    const bool same = m->from.top == m->to;
    if (m->to != DIRECT_FULL)
        tsr_array_set(&levels[0].pos, 1, m->to == DIRECT_NODES ? m->nnodes : m->from.n);
    if (same && m->to != DIRECT_ENTRIES)
        direct_keep(job, &levels[1].pos, m->from.pos);
    if (same && m->to != DIRECT_FULL)
        direct_keep(job, &levels[0].crd, m->from.rows);
    if (same)
        return;
    const tsr_array *const rows = m->from.rows, *const pos = &levels[1].pos;
    if (m->to == DIRECT_FULL && m->from.top == DIRECT_ENTRIES && rows->width == 4 && pos->width == 4) {
        fill_ends(m);
    } else if (m->to == DIRECT_FULL) {
        tsr_parallel(job->nthreads, fill_rows, m);
    } else if (m->to == DIRECT_ENTRIES) {
        tsr_parallel(job->nthreads, fill_majors, m);
    } else {
        tsr_parallel(job->nthreads, fill_nodes, m);
        tsr_array_set(&levels[1].pos, m->nnodes, m->from.n);
    }
}

/* The arrays that stay as they are, where their widths do. */
static void move_arrays(mover *m)
{
    pack_job *job = m->job;
    job->moved_crd[1] = m->from.crd;
    if (m->from.top != m->to)
        return;
    job->moved_pos[1] = m->from.pos;
    job->moved_crd[0] = m->from.rows;
}

static bool is_case(mover *m, const pack_job *job)
{
    int mode[TSR_MAX_LEVELS];
    return direct_format(&m->to, mode, job->format) &&
           (job->source->tensor ? direct_source(&m->from, job->source)
                                : direct_columns(&m->from, job, mode)) &&
           mode[0] == m->from.major && m->from.nmajor <= UINT32_MAX && m->from.n > 0 && !job->keep;
}

double direct_move_nbytes(const pack_job *job)
{
    mover m;
    if (!is_case(&m, job))
        return INFINITY;
    return m.to == DIRECT_NODES ? (double)nplaces(&m.from) * sizeof(uint32_t)
                                : 0; /* nodes are counted first */
}

tsr_status direct_move(bool *done, pack_job *job, tsr_error *err)
{
    mover m = {.job = job};
    if (!is_case(&m, job))
        return TSR_OK;
    job->sorted = true; /* so the values move */
    if (m.to == DIRECT_NODES)
        find_nodes(&m);
    for (int t = 0; t < job->nthreads; t++)
        memset(job->shares[t].opened, 0, sizeof job->shares[t].opened);
    job->shares[0].opened[0] = m.to == DIRECT_NODES ? m.nnodes : m.to == DIRECT_ENTRIES ? m.from.n : 0;
    job->shares[0].opened[1] = m.to == DIRECT_ENTRIES ? 0 : m.from.n;
    move_arrays(&m);
    TSR_TRY(pack_alloc(job, err));
    direct_keep(job, &job->tensor->levels[1].crd, m.from.crd);
    fill_top(&m);
    *done = true;
    return TSR_OK;
}
