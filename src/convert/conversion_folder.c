/* The folder of temporary files of a conversion, what is left in it for --resume and --join, and the line that says which conversion it
 * belongs to. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conversion_internal.h"
#include "tsr_files.h"
#include "tsr_input.h"

typedef tsr_conversion_settings settings;
typedef tsr_conversion job;
typedef tsr_course conversion;

/* The folder for temporary files: DIR/OUT.tessera-tmp, for each rank one of its own. */
static tsr_status name_folder(tsr_text *path, const job *j, tsr_error *err)
{
    const settings *const s = j->s;
    const char *const slash = strrchr(s->out, '/'), *const name = slash ? slash + 1 : s->out;
    if (s->temp)
        tsr_text_addf(path, "%s/", s->temp);
    else
        tsr_text_add_n(path, s->out, (size_t)(name - s->out));
    tsr_text_addf(path, "%s.tessera-tmp", name);
    if (j->s->ranks)
        tsr_text_addf(path, "-rank%d", j->s->ranks->rank);
    return tsr_text_status(path, err);
}

/* Marks the folder of a join whose output is complete, while the folder is removed. */
static const char joined_name[] = "joined";
/* Marks the folder of a conversion that is not cut: the join does all of it. */
static const char whole_name[] = "whole";

static bool is_removed(int fd, const char *path)
{
    struct stat mine, there;
    return fstat(fd, &mine) != 0 || stat(path, &there) != 0 || mine.st_ino != there.st_ino ||
           mine.st_dev != there.st_dev;
}

/* Open the folder and lock it. *gone: another run is removing it, or has done so. */
static tsr_status lock_folder(bool *gone, conversion *c, tsr_error *err)
{
    const char *const path = tsr_text_cstr(&c->folder.path);
    const settings *const s = c->j->s;
    *gone = false;
    c->folder.fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (c->folder.fd < 0) {
        *gone = errno == ENOENT;
        return tsr_fail_errno(err, errno, path, "cannot open the folder for temporary files");
    }
    const bool used =
        flock(c->folder.fd, (s->nshards > 0 ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    *gone = (used && s->nshards > 0) || is_removed(c->folder.fd, path);
    if (used || *gone)
        return tsr_fail_at(err, TSR_IO, path, 0, 0,
                           s->join ? "shards are being made in this folder: wait until they are done"
                                   : "another run uses this folder for temporary files");
    return TSR_OK;
}

/* Take over the folder that another run has left, which is locked. */
static tsr_status take_folder(conversion *c, bool found, tsr_error *err)
{
    const char *const path = tsr_text_cstr(&c->folder.path);
    const settings *const s = c->j->s;
    if (s->nshards > 0 && !s->dry_run) /* of a job before */
        (void)unlinkat(c->folder.fd, joined_name, 0);
    if (s->nshards > 0 || s->join || c->j->s->ranks) /* what ranks leave that were killed is overwritten */
        return TSR_OK;
    if (found && faccessat(c->folder.fd, "plan", F_OK, 0) == 0)
        return tsr_fail_at(
            err, TSR_IO, path, 0, 0,
            "this folder holds shards: use --join when they are complete, or remove the folder");
    c->j->resumed = found && s->resume;
    if (found && !s->resume)
        return tsr_fail_at(
            err, TSR_IO, path, 0, 0,
            "a run that was stopped has left this folder: use --resume to continue it, or remove the folder");
    return TSR_OK;
}

static tsr_status refuse_join(const char *path, tsr_error *err)
{
    return tsr_fail_at(err, TSR_ARGUMENT, path, 0, 0,
                       "there are no shards: run the command with --shard=0/N, 1/N... to N-1/N "
                       "instead of --join first");
}

tsr_status tsr_conversion_check_folder(tsr_text *path, const conversion *c, tsr_error *err)
{
    conversion trial = {.j = c->j, .folder = {.fd = -1}};
    bool gone;
    if (strcmp(c->j->s->out, "-") == 0)
        return TSR_OK;
    TSR_TRY(name_folder(path, c->j, err));
    if (access(path->s, F_OK) != 0)
        return c->j->s->join ? refuse_join(path->s, err) : tsr_check_output(path->s, c->j->s->in, err);
    trial.folder.path = *path; /* borrowed */
    tsr_status status = lock_folder(&gone, &trial, err);
    if (status == TSR_OK)
        status = take_folder(&trial, true, err);
    if (trial.folder.fd >= 0)
        (void)close(trial.folder.fd);
    return status;
}

tsr_status tsr_conversion_make_folder(conversion *c, tsr_error *err)
{
    if (strcmp(c->j->s->out, "-") == 0)
        return tsr_folder_new_temporary(&c->folder, err);
    enum { TRIES = 100 };
    static const struct timespec pause = {0, 10000000};
    const bool join = c->j->s->join;
    bool gone = true;
    c->folder.fd = -1;
    tsr_status status = name_folder(&c->folder.path, c->j, err);
    for (int k = 0; gone && (status == TSR_OK || k > 0) && k < TRIES; k++) {
        const char *const path = c->folder.path.s;
        if (k > 0) /* a join, or a shard that failed, has removed the folder meanwhile */
            (void)nanosleep(&pause, NULL);
        if (c->folder.fd >= 0)
            (void)close(c->folder.fd);
        c->folder.fd = -1;
        gone = false;
        const bool made = !join && mkdir(path, 0700) == 0;
        if (join && access(path, F_OK) != 0)
            status = refuse_join(path, err);
        else if (!join && !made && errno != EEXIST)
            status = tsr_fail_errno(err, errno, path, "cannot make a folder for temporary files");
        else
            status = lock_folder(&gone, c, err);
        if (status == TSR_OK)
            status = take_folder(c, !made, err);
    }
    if (status != TSR_OK) { /* it is not ours */
        if (c->folder.fd >= 0)
            (void)close(c->folder.fd);
        tsr_text_clear(&c->folder.path);
    }
    return status;
}

/* Remove what a shard that failed leaves, unless other shards use the folder. */
static void end_shard(conversion *c, tsr_status status)
{
    if (!c->folder.path.nbytes)
        return;
    bool used = status == TSR_OK || status == TSR_CANCELLED || flock(c->folder.fd, LOCK_EX | LOCK_NB) != 0;
    DIR *const dir = used ? NULL : opendir(c->folder.path.s);
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        used = used || strncmp(e->d_name, "shard", 5) == 0;
    if (dir)
        (void)closedir(dir);
    if (!used) {
        tsr_folder_remove(&c->folder);
        return;
    }
    (void)close(c->folder.fd);
    tsr_text_clear(&c->folder.path);
}

/* After a join: remove all files, the mark at the end, so that a join that is run again after a kill finds it. */
static void empty_joined(conversion *c)
{
    if (c->folder.path.nbytes == 0)
        return;
    (void)renameat(c->folder.fd, "plan", c->folder.fd, joined_name);
    DIR *const dir = opendir(c->folder.path.s);
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        if (strcmp(e->d_name, joined_name) != 0)
            (void)unlinkat(c->folder.fd, e->d_name, 0);
    if (dir)
        (void)closedir(dir);
}

void tsr_conversion_end_folder(conversion *c, tsr_status status)
{
    if (c->j->s->nshards > 0 || (c->j->s->join && status != TSR_OK)) {
        end_shard(c, c->j->s->join ? TSR_OK : status);
        return;
    }
    if (c->j->s->join && (c->j->out_nbytes > 0 || c->joined))
        empty_joined(c);
    else if (c->folder.path.nbytes)
        (void)unlinkat(c->folder.fd, "plan", 0);
    if (status != TSR_CANCELLED || !c->j->s->stays || !c->j->s->stays() || !c->identity.nbytes) {
        if (c->folder.path.nbytes) /* first, so that a kill meanwhile leaves nothing to continue */
            (void)unlinkat(c->folder.fd, "state", 0);
        tsr_folder_remove(&c->folder);
        return;
    }
    if (c->folder.path.nbytes)
        (void)close(c->folder.fd);
    tsr_text_clear(&c->folder.path);
}

static void add_word(tsr_text *text, const char *name, const char *value)
{
    tsr_text_addf(text, " %s=", name);
    for (const char *p = value ? value : "-"; *p; p++) /* one line */
        tsr_text_addf(text, *p > ' ' && *p < 0x7f ? "%c" : "\\%02x", (unsigned char)*p);
}

/* The other files that the transformations read: FILE,MODE and FILE:MODE, where the mode may be missing. */
static tsr_status add_files(tsr_text *text, const settings *s, tsr_error *err)
{
    for (int i = 0; i < s->transforms.n; i++) {
        const tsr_transform_step *const step = &s->transforms.steps[i];
        tsr_text name = {0};
        tsr_status status = TSR_OK;
        if (step->kind == TSR_TRANSFORM_CONCAT || step->kind == TSR_TRANSFORM_PERMUTE) {
            const char *const end = strrchr(step->text, step->kind == TSR_TRANSFORM_CONCAT ? ',' : ':');
            tsr_text_add_n(&name, step->text, end ? (size_t)(end - step->text) : strlen(step->text));
            tsr_text_add(text, " ");
            status = tsr_path_identity(text, tsr_text_cstr(&name), err);
        }
        tsr_text_clear(&name);
        TSR_TRY(status);
    }
    return TSR_OK;
}

tsr_status tsr_conversion_identify(conversion *c, tsr_error *err)
{
    const settings *const s = c->j->s;
    tsr_text *const text = &c->identity;
    tsr_text format = {0};
    if (strcmp(s->out, "-") == 0 || strcmp(s->in, "-") == 0 || s->ranks || s->source)
        return TSR_OK;
    add_word(text, "in", s->in);
    tsr_text_add(text, " ");
    TSR_TRY(tsr_path_identity(text, s->in, err));
    for (int i = 0; i < s->nmore; i++) {
        add_word(text, "and", s->more[i]);
        tsr_text_add(text, " ");
        TSR_TRY(tsr_path_identity(text, s->more[i], err));
    }
    if (s->nmore > 0)
        tsr_text_addf(text, " along=%d", s->along);
    TSR_TRY(add_files(text, s, err));
    tsr_format_print_long(&format, c->format);
    add_word(text, "format", tsr_text_cstr(&format));
    tsr_text_clear(&format);
    add_word(text, "from", s->from);
    add_word(text, "columns", s->read.columns);
    tsr_text_addf(text, " %d %d %d", s->read.separator, (int)s->read.relabel, s->read.no_values);
    tsr_text_addf(text, " %d %d %d %d %d %d %d", (int)s->pack.duplicates, (int)s->pack.index_width,
                  s->index_given, c->j->index_nbits, s->read.has_type ? (int)s->read.type : -1,
                  s->read.index_base, s->keep_symmetry);
    for (int m = 0; m < s->read.shape_order; m++)
        tsr_text_addf(text, " %" PRIu64, s->read.shape[m]);
    for (int i = 0; i < s->transforms.n; i++)
        add_word(text, tsr_transforms_option(&s->transforms, i), s->transforms.steps[i].text);
    return tsr_text_status(text, err);
}

bool tsr_conversion_was_joined(const conversion *c)
{
    enum { MOST_NBYTES = 1 << 20 };
    tsr_text path = {0}, mark = {0};
    if (!c->j->s->join || access(c->j->s->out, F_OK) != 0 || c->identity.nbytes == 0)
        return false;
    tsr_text_addf(&path, "%s/%s", tsr_text_cstr(&c->folder.path), joined_name);
    const bool same = tsr_text_status(&path, NULL) == TSR_OK &&
                      tsr_input_read(&mark, path.s, MOST_NBYTES, NULL) == TSR_OK &&
                      strstr(tsr_text_cstr(&mark), c->identity.s) != NULL;
    tsr_text_clear(&path);
    tsr_text_clear(&mark);
    return same;
}

bool tsr_conversion_is_whole(const conversion *c)
{
    return faccessat(c->folder.fd, whole_name, F_OK, 0) == 0;
}

void tsr_conversion_mark_whole(const conversion *c)
{
    if (c->folder.path.nbytes)
        (void)close(openat(c->folder.fd, whole_name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
}
