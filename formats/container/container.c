/* The kinds of containers, and which of them a file is: see container.h. */
#include "container.h"

#include <string.h>
#include <time.h>

const tsr_container_type *const tsr_container_types[] = {&tsr_container_npz, &tsr_container_zarr,
                                                         &tsr_container_mat, &tsr_container_hdf5, NULL};

/* The first kind that claims the path; the last kind claims all. */
static const tsr_container_type *kind_of(const char *path, bool is_there)
{
    const tsr_container_type *const *type = tsr_container_types;
    while (type[1] && !(is_there && (*type)->claims(path)) && !(!is_there && (*type)->claims_name(path)))
        type++;
    return *type;
}

tsr_status tsr_container_open(tsr_container **out, const char *file, tsr_error *err)
{
    *out = NULL;
    return kind_of(file, true)->open(out, file, err);
}

tsr_status tsr_container_open_object(tsr_container **out, char **file, const char **object, const char *path,
                                     tsr_error *err)
{
    *out = NULL;
    *file = NULL;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read this kind of file from standard input: give a file");
    *file = tsr_path_split(object, path);
    return *file ? tsr_container_open(out, *file, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
}

tsr_status tsr_container_write(const char *path, const tsr_filling *what, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const char *object;
    char *const file = tsr_path_split(&object, path);
    if (!file)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    const tsr_container_type *const type = kind_of(file, false);
    tsr_free(file);
    const tsr_status status = type->write(path, what, options ? options : &none, nbytes, err);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}

tsr_status tsr_container_read_all(tsr_container *c, const tsr_wanted *arrays, int n, tsr_job *job,
                                  tsr_error *err)
{
    if (c->type->read_all)
        return c->type->read_all(c, arrays, n, job, err);
    for (int i = 0; i < n; i++)
        TSR_TRY(tsr_container_read(arrays[i].out, c, arrays[i].array, job, err));
    return TSR_OK;
}

tsr_status tsr_job_step(tsr_job *job, uint64_t nbytes, tsr_error *err)
{
    enum { STEP_NS = 100000000 }; /* at most 10 reports per second */
    job->done += nbytes;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const int64_t now = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    if (job->last_ns && now - job->last_ns < STEP_NS && job->done < job->total)
        return TSR_OK;
    job->last_ns = now;
    return tsr_progress(job->observer, job->phase, job->done, job->total, err);
}

void tsr_container_free(tsr_container *c)
{
    if (c)
        c->type->free(c);
}

tsr_status tsr_container_find_groups(tsr_text *paths, tsr_container *c, const char *attribute, tsr_error *err)
{
    enum { MAX_NAMED = 8 };
    tsr_text found = {0};
    bool more;
    tsr_status status = tsr_container_list_groups(&found, &more, c, attribute, err);
    int n = 0;
    for (size_t at = 0; status == TSR_OK && at < found.nbytes && n < MAX_NAMED; n++) {
        tsr_text_addf(paths, "%s%s", n ? ", " : "", found.s + at);
        at += strlen(found.s + at) + 1;
    }
    tsr_text_clear(&found);
    return status == TSR_OK ? tsr_text_status(paths, err) : status;
}
