/* Lines formatted on all threads: see text_writer.h.
 *
 * Each thread takes the next batch of items, formats it into a buffer of its own, and writes it at its turn,
 * in order. A thread waits only for batches that were taken before its own, whose threads are running. */
#include "text_writer.h"
#include "turns.h"

#include <inttypes.h>

#include "tsr_num.h"
#include "tsr_parallel.h"

enum {
    BATCH_NBYTES = 1 << 19, /* the largest text of a batch */
    LOAD = 256,             /* entries whose coordinates are loaded together */
};

typedef struct engine {
    const tsr_text_job *job;
    tsr_output *output;
    const tsr_observer *observer;
    uint64_t batch, nbatches; /* items per batch, number of batches */
    tsr_turns turns;          /* of the batches */
    uint64_t next;            /* the next batch to give out */
    tsr_status status;        /* of the first batch, in order, that failed */
    tsr_error *err;
} engine;

static uint64_t batch_end(const engine *e, uint64_t b)
{
    return b + 1 == e->nbatches ? e->job->n : (b + 1) * e->batch;
}

/* Write batch b at its turn. False: a thread failed, and all must stop. */
static bool write_batch(engine *e, uint64_t b, const char *text, size_t nbytes, tsr_status formatted,
                        const tsr_error *err)
{
    pthread_mutex_lock(&e->turns.lock);
    if (tsr_turns_wait(&e->turns, b)) {
        e->status = formatted;
        if (formatted != TSR_OK && e->err)
            *e->err = *err;
        if (e->status == TSR_OK)
            e->status = tsr_output_write(e->output, text, nbytes, e->err);
        if (e->status == TSR_OK && (b & 15) == 15)
            e->status = tsr_progress(e->observer, "write", batch_end(e, b), e->job->n, e->err);
        if (e->status == TSR_OK)
            tsr_turns_pass(&e->turns);
        else
            tsr_turns_stop(&e->turns);
    }
    const bool go_on = !e->turns.stopped;
    pthread_mutex_unlock(&e->turns.lock);
    return go_on;
}

static void work(void *arg, int t, int nthreads)
{
    (void)t;
    (void)nthreads;
    engine *const e = arg;
    void *buf;
    tsr_error err = {0};
    const tsr_status allocated =
        tsr_alloc_array(&buf, e->batch, e->job->max_nbytes, 0, "a batch of text", &err);
    for (bool go_on = true; go_on;) {
        pthread_mutex_lock(&e->turns.lock);
        const uint64_t b = e->next;
        e->next += b < e->nbatches;
        pthread_mutex_unlock(&e->turns.lock);
        if (b == e->nbatches)
            break;
        size_t nbytes = 0;
        tsr_status status = allocated;
        if (status == TSR_OK)
            status =
                e->job->format(&nbytes, buf, e->job->ctx, b * e->batch, batch_end(e, b) - b * e->batch, &err);
        go_on = write_batch(e, b, buf, nbytes, status, &err);
    }
    tsr_free(buf);
}

static tsr_status run_job(tsr_output *output, const tsr_text_job *job, int nthreads,
                          const tsr_observer *observer, tsr_error *err)
{
    engine e = {.job = job, .output = output, .observer = observer, .err = err};
    e.batch = BATCH_NBYTES / job->max_nbytes + 1;
    e.nbatches = job->n / e.batch + (job->n % e.batch != 0);
    const int most = tsr_thread_count(nthreads);
    tsr_turns_init(&e.turns);
    tsr_parallel(e.nbatches < (uint64_t)most ? (int)e.nbatches : most, work, &e);
    tsr_turns_clear(&e.turns);
    return e.status;
}

/* --- Entries as lines -------------------------------------------------------------------------------------
 */

static inline char *put_u64(char *p, uint64_t v)
{
    return p + tsr_print_u64(p, v);
}

/* Append ".0" to a real that was printed as a whole number. */
static char *mark_real(const char *start, char *p)
{
    for (const char *q = start; q < p; q++)
        if (*q != '-' && (*q < '0' || *q > '9'))
            return p;
    *p++ = '.';
    *p++ = '0';
    return p;
}

static char *put_value(char *p, const tsr_entry_lines *lines, const void *v)
{
    const tsr_type type = lines->coo->type;
    char *const start = p;
    if (type == TSR_F64) {
        double x;
        memcpy(&x, v, sizeof x);
        p += tsr_print_f64(p, x);
    } else {
        p += tsr_value_print(p, type, v);
    }
    return lines->mark_reals && tsr_type_class(type) == 'R' ? mark_real(start, p) : p;
}

static char *put_line(char *p, const tsr_entry_lines *lines, const uint64_t *crd, const void *v)
{
    const int order = lines->coo->order;
    for (int m = 0; m < order; m++) {
        p = put_u64(p, crd[m] + lines->base);
        *p++ = m + 1 < order || lines->has_values ? ' ' : '\n';
    }
    if (lines->has_values) {
        p = put_value(p, lines, v);
        *p++ = '\n';
    }
    return p;
}

/* Whether the structure stores an upper triangle; below: whether the mirror image is conjugated or
 * negated. */
static bool is_upper(tsr_structure s)
{
    return s == TSR_SYMMETRIC_UPPER || s == TSR_HERMITIAN_UPPER || s == TSR_SKEW_UPPER;
}

static bool is_hermitian(tsr_structure s)
{
    return s == TSR_HERMITIAN_LOWER || s == TSR_HERMITIAN_UPPER;
}

static bool is_skew(tsr_structure s)
{
    return s == TSR_SKEW_LOWER || s == TSR_SKEW_UPPER;
}

/* Replace an entry of a symmetric matrix by its mirror image. */
static tsr_status mirror(const tsr_coo *coo, uint64_t crd[2], void *v, tsr_error *err)
{
    const uint64_t row = crd[0];
    crd[0] = crd[1];
    crd[1] = row;
    if (is_hermitian(coo->structure))
        tsr_value_conjugate(coo->type, v);
    if (is_skew(coo->structure) && !tsr_value_negate(coo->type, v))
        return tsr_fail(err, TSR_RANGE,
                        "the value at (%" PRIu64 ", %" PRIu64
                        ") of a skew-symmetric matrix cannot be negated",
                        crd[1] + 1, crd[0] + 1);
    return TSR_OK;
}

/* Write the line or the two lines of an entry of a symmetric matrix. */
static tsr_status put_symmetric(char **p, const tsr_entry_lines *lines, uint64_t crd[2], const void *value,
                                tsr_error *err)
{
    const tsr_coo *const coo = lines->coo;
    unsigned char v[TSR_MAX_VALUE_NBYTES];
    memcpy(v, value, tsr_type_nbytes(coo->type));
    if (crd[0] == crd[1] && is_skew(coo->structure))
        return tsr_fail(err, TSR_CORRUPT,
                        "entry (%" PRIu64 ", %" PRIu64 ") is on the diagonal of a skew-symmetric matrix",
                        crd[0] + 1, crd[1] + 1);
    const bool off_diagonal = crd[0] != crd[1];
    if (lines->write != TSR_GENERAL) {
        if (off_diagonal && is_upper(coo->structure))
            TSR_TRY(mirror(coo, crd, v, err));
        *p = put_line(*p, lines, crd, v);
        return TSR_OK;
    }
    *p = put_line(*p, lines, crd, v);
    if (off_diagonal) {
        TSR_TRY(mirror(coo, crd, v, err));
        *p = put_line(*p, lines, crd, v);
    }
    return TSR_OK;
}

static tsr_status format_entries(size_t *nbytes, char *buf, const void *ctx, uint64_t first, uint64_t n,
                                 tsr_error *err)
{
    const tsr_entry_lines *const lines = ctx;
    const tsr_coo *const coo = lines->coo;
    const size_t step = coo->iso ? 0 : coo->values.width;
    uint64_t wide[TSR_MAX_ORDER][LOAD];
    char *p = buf;
    for (uint64_t done = 0; done < n; done += LOAD) {
        const size_t k = n - done < LOAD ? (size_t)(n - done) : LOAD;
        for (int m = 0; m < coo->order; m++)
            tsr_array_load(wide[m], &coo->crd[m], first + done, k);
        const char *v = (const char *)coo->values.data + (first + done) * step;
        for (size_t i = 0; i < k; i++, v += step) {
            uint64_t crd[TSR_MAX_ORDER];
            for (int m = 0; m < coo->order; m++)
                crd[m] = wide[m][i];
            if (coo->structure == TSR_GENERAL)
                p = put_line(p, lines, crd, v);
            else
                TSR_TRY(put_symmetric(&p, lines, crd, v, err));
        }
    }
    *nbytes = (size_t)(p - buf);
    return TSR_OK;
}

tsr_text_job tsr_entry_lines_job(const tsr_entry_lines *lines)
{
    const size_t line_nbytes = (size_t)lines->coo->order * (TSR_U64_NBYTES + 1) + TSR_VALUE_TEXT_NBYTES + 3;
    const bool twice = lines->coo->structure != TSR_GENERAL && lines->write == TSR_GENERAL;
    return (tsr_text_job){.n = lines->coo->nnz,
                          .max_nbytes = twice ? 2 * line_nbytes : line_nbytes,
                          .ctx = lines,
                          .format = format_entries};
}

/* --- Checks ------------------------------------------------------------------------------------------------
 */

tsr_status tsr_text_check_fill(const tsr_coo *coo, const char *codec, tsr_error *err)
{
    static const unsigned char zero[TSR_MAX_VALUE_NBYTES];
    char text[TSR_VALUE_TEXT_NBYTES];
    if (!coo->has_fill || memcmp(coo->fill, zero, tsr_type_nbytes(coo->type)) == 0)
        return TSR_OK;
    const size_t n = tsr_value_print(text, coo->type, coo->fill);
    return tsr_fail(err, TSR_UNSUPPORTED,
                    "the fill of this tensor is %.*s, but %s files support only a fill of 0", (int)n, text,
                    codec);
}

/* --- Entries of readers ------------------------------------------------------------------------------------
 */

tsr_status tsr_entry_count(tsr_entry_counts *counts, tsr_feed *feed, tsr_error *err)
{
    const int order = feed->facts.order;
    *counts = (tsr_entry_counts){0};
    for (;;) {
        tsr_run run;
        TSR_TRY(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            return tsr_feed_seek(feed, 0, UINT64_MAX, err);
        counts->nentries += run.n;
        for (int m = 0; m < order; m++)
            for (uint64_t i = 0; i < run.n; i++)
                counts->max[m] = run.crd[m][i] > counts->max[m] ? run.crd[m][i] : counts->max[m];
        for (uint64_t i = 0; order == 2 && i < run.n; i++)
            counts->ndiagonal += run.crd[0][i] == run.crd[1][i];
    }
}

/* The run as coordinates, which borrow it. */
static void view_run(tsr_coo *coo, const tsr_run *run, const tsr_facts *facts)
{
    memset(coo, 0, sizeof *coo);
    coo->order = facts->order;
    memcpy(coo->dims, facts->dims, sizeof coo->dims);
    coo->nnz = run->n;
    for (int m = 0; m < facts->order; m++)
        coo->crd[m] =
            (tsr_array){.data = (void *)(uintptr_t)run->crd[m], .n = run->n, .width = sizeof(uint64_t)};
    coo->type = run->type;
    coo->iso = facts->iso;
    coo->values = (tsr_array){.data = (void *)(uintptr_t)run->values,
                              .n = facts->iso ? 1 : run->n,
                              .width = tsr_type_nbytes(run->type)};
    coo->structure = facts->structure;
}

static tsr_status write_runs(tsr_output *output, tsr_feed *feed, const tsr_entry_lines *lines,
                             const tsr_write_options *options, tsr_error *err)
{
    for (;;) {
        tsr_run run;
        tsr_coo coo;
        tsr_entry_lines these = *lines;
        TSR_TRY(tsr_feed_next(&run, feed, err));
        if (run.n == 0)
            return TSR_OK;
        view_run(&coo, &run, &feed->facts);
        these.coo = &coo;
        const tsr_text_job job = tsr_entry_lines_job(&these);
        TSR_TRY(run_job(output, &job, options->nthreads, NULL, err));
        TSR_TRY(tsr_progress(options->observer, "write", feed->place, feed->length, err));
    }
}

/* --- Files ---------------------------------------------------------------------------------------------------
 */

/* What a file holds after its head: pieces of a job, or the entries of a feed. */
typedef struct file_body {
    const tsr_text_job *job; /* NULL: the feed */
    tsr_feed *feed;
    const tsr_entry_lines *lines;
} file_body;

static tsr_status write_file(const char *path, const tsr_text *head, const file_body *body,
                             const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    const tsr_output_options how = {
        .gzip_level = options->deflate, .nthreads = options->nthreads, .sink = options->sink};
    tsr_output *output;
    tsr_status status = tsr_text_status(head, err);
    TSR_TRY(status);
    TSR_TRY(tsr_output_open(&output, path, &how, err));
    TSR_TRY_OUT(tsr_output_write(output, tsr_text_cstr(head), head->nbytes, err));
    if (body->job)
        TSR_TRY_OUT(run_job(output, body->job, options->nthreads, options->observer, err));
    else
        TSR_TRY_OUT(write_runs(output, body->feed, body->lines, options, err));
    TSR_TRY_OUT(tsr_output_commit(output, err));
    if (nbytes)
        *nbytes = tsr_output_nbytes(output);
out:
    tsr_output_free(output);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}

tsr_status tsr_text_write(const char *path, const tsr_text *head, const tsr_text_job *job,
                          const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    return write_file(path, head, &(file_body){.job = job}, options, nbytes, err);
}

tsr_status tsr_text_write_entries(const char *path, tsr_feed *feed, const tsr_entry_lines *lines,
                                  const tsr_write_options *options, uint64_t *nbytes, tsr_error *err)
{
    return write_file(path, lines->head, &(file_body){.feed = feed, .lines = lines}, options, nbytes, err);
}

/* Whether the largest coordinate of the mode (of both modes for a symmetric matrix) is dim - 1. */
static bool reaches_size(const tsr_coo *coo, int mode)
{
    enum { STEP = 1024 };
    uint64_t crd[STEP];
    const bool symmetric = coo->structure != TSR_GENERAL;
    for (int m = symmetric ? 0 : mode; m < (symmetric ? 2 : mode + 1); m++)
        for (uint64_t first = 0; first < coo->nnz; first += STEP) {
            const size_t n = coo->nnz - first < STEP ? (size_t)(coo->nnz - first) : STEP;
            tsr_array_load(crd, &coo->crd[m], first, n);
            for (size_t i = 0; i < n; i++)
                if (crd[i] + 1 == coo->dims[mode])
                    return true;
        }
    return false;
}

bool tsr_entries_tell_dims(const tsr_coo *coo)
{
    bool tells = coo->nnz > 0;
    for (int m = 0; m < coo->order && tells; m++)
        tells = reaches_size(coo, m);
    return tells;
}

void tsr_warn_lost_dims(const char *path, tsr_shape shape, const char *advice,
                        const tsr_write_options *options)
{
    tsr_text dims = {0};
    for (int m = 0; m < shape.ndims; m++)
        tsr_text_addf(&dims, "%s%" PRIu64, m ? "x" : "", shape.dims[m]);
    tsr_warn(options->observer, path, 0, "the entries do not determine the dims %s, which are lost: %s",
             tsr_text_cstr(&dims), advice);
    tsr_text_clear(&dims);
}
