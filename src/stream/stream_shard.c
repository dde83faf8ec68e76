/* Shards: several processes make the first pass over the entries, with files in one folder, and one process does the rest. The first
 * shard that starts writes the plan: the number of shards and the splitters. Shard i reads part i of the input, appends its
 * entries to buckets of its own, and writes its state when all of them are closed. The join reads bucket b of shard 0, 1, 2...,
 * which is the sequence of the input, and packs it as the bucket of a single process. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "stream_job.h"

typedef stream_job job;

static const char plan_name[] = "plan";
enum { NAME_NBYTES = 40 };

static void shard_name(char *name, int shard)
{
    snprintf(name, NAME_NBYTES, "shard%04d", shard);
}

static void bucket_name(char *name, int shard, int bucket)
{
    snprintf(name, NAME_NBYTES, "shard%04d-%04d", shard, bucket);
}

/* ---- the plan ---- */

/* Make the file the plan, unless there is one. */
static tsr_status publish(const char *folder, const char *name, tsr_error *err)
{
    tsr_text from = {0}, to = {0};
    tsr_text_addf(&from, "%s/%s", folder, name);
    tsr_text_addf(&to, "%s/%s", folder, plan_name);
    tsr_status status = tsr_text_status(&from, err);
    if (status == TSR_OK)
        status = tsr_text_status(&to, err);
    if (status == TSR_OK && link(from.s, to.s) != 0 && errno != EEXIST)
        status = tsr_fail_errno(err, errno, to.s, "cannot write the plan of the shards");
    if (status == TSR_OK)
        (void)unlink(from.s);
    tsr_text_clear(&from);
    tsr_text_clear(&to);
    return status;
}

static tsr_status make_plan(job *j, tsr_error *err)
{
    char name[NAME_NBYTES];
    stream_state state = {0};
    stream_sample sample = {.nlevels = j->format->nlevels};
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(stream_sample_take(&sample, j->feed, &j->map, &j->rows[0], &j->facts, err));
    TSR_TRY_OUT(stream_job_check_space(j, &sample, err));
    TSR_TRY_OUT(
        stream_splitters_new(&j->splitters, &sample, stream_job_count_buckets(j, sample.nentries), err));
    stream_state_begin(&state, j->options.identity);
    stream_state_add(&state, (uint64_t)j->options.nshards);
    stream_job_save_splitters(j, &state);
    snprintf(name, sizeof name, "plan%04d", j->options.shard);
    TSR_TRY_OUT(stream_state_save(&state, j->options.folder, name, err));
    status = publish(j->options.folder, name, err);
    stream_splitters_clear(&j->splitters); /* another shard may have been faster */
out:
    stream_sample_clear(&sample);
    stream_state_clear(&state);
    return status;
}

/* Set the splitters. *nshards: the number of shards. */
static tsr_status load_plan(int *nshards, job *j, tsr_error *err)
{
    stream_state state = {0};
    tsr_status status;
    TSR_TRY_OUT(stream_state_load(&state, j->options.folder, plan_name, j->options.identity, err));
    const uint64_t n = stream_state_get(&state);
    *nshards = n <= TSR_STREAM_MAX_SHARDS ? (int)n : 0;
    TSR_TRY_OUT(stream_job_load_splitters(j, &state, err));
    TSR_TRY_OUT(stream_state_check(&state, j->options.folder, err));
    if (*nshards == 0)
        status =
            tsr_fail(err, TSR_CORRUPT, "the plan in %s is damaged: remove that folder", j->options.folder);
out:
    stream_state_clear(&state);
    return status;
}

/* ---- a shard ---- */

/* Place number i of n + 1 that cut the input. */
static uint64_t cut_place(uint64_t length, int i, int n)
{
    const uint64_t whole = length / (uint64_t)n, rest = length % (uint64_t)n;
    return whole * (uint64_t)i + rest * (uint64_t)i / (uint64_t)n;
}

/* Hold a lock as long as *fd is open, so that no two processes make the same shard. */
static tsr_status lock_shard(int *fd, const job *j, tsr_error *err)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s/shard%04d.lock", j->options.folder, j->options.shard);
    tsr_status status = tsr_text_status(&path, err);
    if (status == TSR_OK) {
        *fd = open(path.s, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (*fd < 0)
            status = tsr_fail_errno(err, errno, path.s, "cannot lock a shard");
        else if (flock(*fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            status = tsr_fail(err, TSR_IO, "another process makes shard %d in %s", j->options.shard,
                              j->options.folder);
    }
    tsr_text_clear(&path);
    return status;
}

static void remove_file(const job *j, const char *name)
{
    tsr_text path = {0};
    tsr_text_addf(&path, "%s/%s", j->options.folder, name);
    (void)unlink(tsr_text_cstr(&path));
    tsr_text_clear(&path);
}

/* Remove what a shard that failed leaves besides its buckets: the lock, which is held, and a checkpoint. */
static void remove_traces(const job *j, bool wrote)
{
    char lock[NAME_NBYTES];
    snprintf(lock, sizeof lock, "shard%04d.lock", j->options.shard);
    if (wrote)
        remove_file(j, j->state);
    remove_file(j, lock);
}

static tsr_status save_shard(job *j, stream_buckets *buckets, tsr_error *err)
{
    stream_state state = {0};
    stream_state_begin(&state, j->options.identity);
    stream_job_save_facts(j, &state, 2);
    stream_job_save_splitters(j, &state);
    tsr_status status = stream_buckets_save(buckets, 0, &state, err);
    stream_buckets_clear(
        buckets); /* a process that sees the state finds complete files: NFS writes on closing */
    if (status == TSR_OK)
        status = stream_state_save(&state, j->options.folder, j->state, err);
    stream_state_clear(&state);
    return status;
}

static tsr_status scatter_shard(job *j, stream_state *stopped, uint64_t place, tsr_error *err)
{
    char prefix[NAME_NBYTES];
    stream_buckets buckets = {0};
    tsr_status status;
    snprintf(prefix, sizeof prefix, "shard%04d-", j->options.shard);
    const stream_buckets_plan plan = {.keep = true,
                                      .state = stopped,
                                      .n = j->splitters.n + 1,
                                      .folder = j->options.folder,
                                      .name = prefix,
                                      .nbytes = j->staging_nbytes,
                                      .nthreads = j->nthreads};
    TSR_TRY_OUT(stream_buckets_new(&buckets, &plan, &j->facts, err));
    if (stopped)
        TSR_TRY_OUT(stream_state_check(stopped, j->options.folder, err));
    TSR_TRY_OUT(tsr_feed_seek(j->feed, place, j->end_place, err));
    j->saved_place = place;
    TSR_TRY_OUT(stream_job_scatter(&buckets, j, j->feed, &j->splitters, true, err));
    j->stats.nbuckets = (uint64_t)buckets.n;
    status = save_shard(j, &buckets, err);
out:
    for (int b = 0; b < buckets.n; b++)
        buckets.bucket[b].file.keep =
            status == TSR_CANCELLED; /* there is a checkpoint, or the shard begins anew */
    stream_buckets_clear(&buckets);
    return status;
}

/* Load the state of a shard that was stopped. *done: it is complete. */
static tsr_status load_stopped(bool *done, uint64_t *place, job *j, stream_state *state, tsr_error *err)
{
    TSR_TRY(stream_state_load(state, j->options.folder, j->state, j->options.identity, err));
    *done = stream_job_load_facts(j, place, state) == 2;
    stream_splitters_clear(&j->splitters);
    TSR_TRY(stream_job_load_splitters(j, state, err));
    return stream_state_check(state, j->options.folder, err);
}

static tsr_status check_plan(job *j, tsr_error *err)
{
    int nshards;
    if (!stream_state_has(j->options.folder, plan_name)) {
        if (stream_state_has(j->options.folder, "state"))
            return tsr_fail(err, TSR_ARGUMENT,
                            "%s belongs to a run without shards that was stopped: continue it with --resume, "
                            "or remove the folder",
                            j->options.folder);
        TSR_TRY(make_plan(j, err));
    }
    TSR_TRY(load_plan(&nshards, j, err));
    if (nshards == j->options.nshards)
        return TSR_OK;
    return tsr_fail(
        err, TSR_ARGUMENT,
        "the shards in %s are numbered from 0/%d to %d/%d, not of %d: use these numbers, or remove "
        "the folder",
        j->options.folder, nshards, nshards - 1, nshards, j->options.nshards);
}

static tsr_status make_shard(job *j, tsr_error *err)
{
    const int n = j->options.nshards, shard = j->options.shard;
    char name[NAME_NBYTES];
    stream_state state = {0};
    int lock = -1;
    tsr_status status;
    bool stopped = false, held = false, wrote = false;
    if (n > 1 && !j->feed->can_seek)
        return tsr_fail(err, TSR_ARGUMENT,
                        "the input can only be read from its beginning, as compressed files, pipes and "
                        "formats such as csv are: "
                        "it cannot be cut into shards; convert it as a whole, without --shard, or write it "
                        "as .tns or .mtx first");
    shard_name(name, shard);
    j->state = name;
    j->first_place = cut_place(j->feed->length, shard, n);
    j->end_place = shard + 1 < n ? cut_place(j->feed->length, shard + 1, n) : UINT64_MAX;
    TSR_TRY_OUT(lock_shard(&lock, j, err));
    held = true;
    TSR_TRY_OUT(check_plan(j, err));
    uint64_t place = j->first_place;
    stopped = stream_state_has(j->options.folder, name);
    if (stopped)
        TSR_TRY_OUT(load_stopped(&j->stats.was_done, &place, j, &state, err));
    wrote = !j->stats.was_done;
    if (wrote)
        status = scatter_shard(j, stopped ? &state : NULL, place, err);
out:
    if (status != TSR_OK && status != TSR_CANCELLED && held)
        remove_traces(j, wrote);
    j->stats.nread = j->n;
    stream_state_clear(&state);
    if (lock >= 0)
        (void)close(lock);
    return status;
}

/* ---- the join ---- */

typedef struct joining {
    job *j;
    int nshards, nbuckets;
    uint64_t *nentries, *nbytes; /* nbuckets * nshards: those of bucket b begin at b * nshards */
    stream_file *file;           /* nshards: of the bucket that is being packed */
    stream_part *part;           /* nshards */
} joining;

/* "shard 3 of 8 is missing in F, and 2 more: run tconv with --shard=3/8". */
static tsr_status check_complete(const joining *g, tsr_error *err)
{
    const char *const folder = g->j->options.folder;
    int nmissing = 0, first = 0;
    for (int s = g->nshards - 1; s >= 0; s--) {
        char name[NAME_NBYTES];
        stream_state state = {0};
        uint64_t phase = 0;
        shard_name(name, s);
        if (stream_state_has(folder, name)) {
            TSR_TRY(stream_state_load(&state, folder, name, g->j->options.identity, err));
            phase = stream_state_get(&state);
            stream_state_clear(&state);
        }
        if (phase != 2) {
            nmissing++;
            first = s;
        }
    }
    if (nmissing == 0)
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT,
                    "%s has %d of %d shards: run the command with --shard=%d/%d instead of --join%s", folder,
                    g->nshards - nmissing, g->nshards, first, g->nshards,
                    nmissing > 1 ? ", and with the numbers of the others that are missing" : "");
}

/* Add what shard s has seen to the job, and its lengths to the tables. */
static tsr_status merge_shard(joining *g, int s, tsr_error *err)
{
    job *const j = g->j, *const one = tsr_calloc(1, sizeof *one);
    char name[NAME_NBYTES];
    stream_state state = {0};
    uint64_t place;
    bool done;
    tsr_status status;
    if (!one)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    shard_name(name, s);
    *one = (job){.options = j->options, .format = j->format, .facts = j->facts, .state = name};
    TSR_TRY_OUT(load_stopped(&done, &place, one, &state, err));
    if (one->splitters.n + 1 != g->nbuckets)
        TSR_TRY_OUT(tsr_fail(err, TSR_CORRUPT, "shard %d in %s has another plan: remove that folder", s,
                             j->options.folder));
    for (int b = 0; b < g->nbuckets; b++) {
        g->nentries[b * g->nshards + s] = stream_state_get(&state);
        g->nbytes[b * g->nshards + s] = stream_state_get(&state);
    }
    TSR_TRY_OUT(stream_state_check(&state, j->options.folder, err));
    if (j->n == 0) {
        memcpy(j->value, one->value, sizeof j->value);
        j->value_type = one->value_type;
    }
    j->n += one->n;
    j->real = j->real || one->real;
    j->stats.spilled_nbytes += one->stats.spilled_nbytes;
    for (int m = 0; m < j->facts.order; m++)
        j->max[m] = one->max[m] > j->max[m] ? one->max[m] : j->max[m];
out:
    stream_splitters_clear(&one->splitters);
    stream_state_clear(&state);
    tsr_free(one);
    return status;
}

static void remove_bucket(const joining *g, int b)
{
    for (int s = 0; b >= 0 && s < g->nshards; s++) {
        char name[NAME_NBYTES];
        bucket_name(name, s, b);
        remove_file(g->j, name);
    }
}

static tsr_status join_bucket(joining *g, int b, tsr_error *err)
{
    stream_list list = {.nparts = g->nshards, .part = g->part};
    tsr_status status = TSR_OK;
    int nopen = 0;
    for (; status == TSR_OK && nopen < g->nshards; nopen++) {
        const uint64_t nbytes = g->nbytes[b * g->nshards + nopen];
        char name[NAME_NBYTES];
        bucket_name(name, nopen, b);
        g->file[nopen] = (stream_file){.fd = -1};
        g->part[nopen] = (stream_part){.file = &g->file[nopen], .nbytes = nbytes};
        list.nentries += g->nentries[b * g->nshards + nopen];
        if (nbytes > 0)
            status = stream_file_open(&g->file[nopen], g->j->options.folder, name, nbytes, err);
    }
    if (status == TSR_OK && list.nentries > 0)
        status = stream_job_process(g->j, &list, 1, err);
    for (int s = 0; s < nopen; s++)
        stream_file_clear(&g->file[s]);
    return status;
}

/* Pack the buckets from number `first` on. */
static tsr_status join_buckets(joining *g, int first, tsr_error *err)
{
    for (int b = first; b <= g->nbuckets; b++) {
        TSR_TRY(stream_job_save_filled(g->j, NULL, b, g->nbuckets, err));
        remove_bucket(g, b - 1);
        if (b < g->nbuckets)
            TSR_TRY(join_bucket(g, b, err));
    }
    return TSR_OK;
}

/* Pack everything, or what a join that was stopped has left. */
static tsr_status join_all(joining *g, tsr_error *err)
{
    job *const j = g->j;
    stream_state state = {0};
    uint64_t place, first = 0;
    tsr_status status;
    const bool stopped = stream_state_has(j->options.folder, j->state);
    if (stopped) {
        TSR_TRY_OUT(stream_state_load(&state, j->options.folder, j->state, j->options.identity, err));
        (void)stream_job_load_facts(j, &place, &state);
        (void)stream_state_get(&state);
        first = stream_state_get(&state);
        TSR_TRY_OUT(stream_state_check(&state, j->options.folder, err));
        first = first <= (uint64_t)g->nbuckets ? first : (uint64_t)g->nbuckets;
    } else {
        TSR_TRY_OUT(stream_job_settle(j, err));
    }
    j->stats.nread = j->n;
    j->stats.nbuckets = (uint64_t)g->nbuckets;
    TSR_TRY_OUT(stream_job_start_fill(j, stopped ? &state : NULL, err));
    status = join_buckets(g, (int)first, err);
out:
    stream_state_clear(&state);
    return status;
}

static tsr_status join(job *j, tsr_error *err)
{
    joining g = {.j = j};
    void *tables = NULL, *files = NULL, *parts = NULL;
    tsr_status status;
    if (!stream_state_has(j->options.folder, plan_name))
        return tsr_fail(
            err, TSR_ARGUMENT,
            "%s has no shards: run the command with --shard=0/N, 1/N... to N-1/N instead of --join "
            "first",
            j->options.folder);
    TSR_TRY(load_plan(&g.nshards, j, err));
    TSR_TRY(check_complete(&g, err));
    g.nbuckets = j->splitters.n + 1;
    const uint64_t n = (uint64_t)g.nbuckets * (uint64_t)g.nshards;
    TSR_TRY_OUT(tsr_alloc_array(&tables, 2 * n, sizeof(uint64_t), 1, "the lengths of buckets", err));
    TSR_TRY_OUT(tsr_alloc_array(&files, (uint64_t)g.nshards, sizeof *g.file, 0, "shards", err));
    TSR_TRY_OUT(tsr_alloc_array(&parts, (uint64_t)g.nshards, sizeof *g.part, 0, "shards", err));
    g.nentries = tables;
    g.nbytes = g.nentries + n;
    g.file = files;
    g.part = parts;
    for (int s = 0; s < g.nshards; s++)
        TSR_TRY_OUT(merge_shard(&g, s, err));
    status = join_all(&g, err);
out:
    tsr_free(tables);
    tsr_free(files);
    tsr_free(parts);
    return status;
}

tsr_status stream_shard_run(bool *fills, job *j, tsr_error *err)
{
    *fills = j->options.step == TSR_STREAM_JOIN;
    return *fills ? join(j, err) : make_shard(j, err);
}
