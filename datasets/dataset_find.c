/* From names to rows, and from rows to files: see tsr_dataset.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gen_fixed.h"
#include "tsr_dataset.h"
#include "tsr_suggest.h"

/* ---- rows ---- */

static bool has_word(const char *list, const char *word, size_t nword)
{
    for (const char *p = list; *p;) {
        const size_t n = strcspn(p, ";");
        if (n == nword && memcmp(p, word, n) == 0)
            return true;
        p += n + (p[n] == ';');
    }
    return false;
}

bool tsr_dataset_is_in(const tsr_dataset *dataset, const char *suite)
{
    return has_word(dataset->suites, suite, strlen(suite));
}

tsr_status tsr_dataset_find(const tsr_dataset **out, const tsr_datasets *datasets, const char *name,
                            tsr_error *err)
{
    *out = NULL;
    for (int i = 0; i < datasets->n; i++)
        if (strcmp(datasets->rows[i].name, name) == 0) {
            *out = &datasets->rows[i];
            return TSR_OK;
        }
    tsr_suggest suggest;
    tsr_text near = {0};
    tsr_suggest_begin(&suggest, name, strcspn(name, ":"));
    for (int i = 0; i < datasets->n; i++)
        tsr_suggest_offer(&suggest, datasets->rows[i].name);
    tsr_gen_offer_names(&suggest);
    tsr_suggest_print(&near, &suggest, "");
    const tsr_status status =
        tsr_fail(err, TSR_ARGUMENT, "unknown dataset '%.100s'%s", name,
                 near.nbytes ? tsr_text_cstr(&near) : "; tbench fetch --list names those that are known");
    tsr_text_clear(&near);
    tsr_suggest_clear(&suggest);
    return status;
}

tsr_status tsr_dataset_gen(tsr_gen *gen, const tsr_dataset *dataset, uint64_t scale, tsr_error *err)
{
    bool known;
    if (dataset->statistics == TSR_DATASET_EXACT) {
        TSR_TRY(tsr_gen_parse(gen, &known, dataset->name, err));
        if (!known)
            return tsr_fail(err, TSR_ARGUMENT, "%s must be generated exactly, but no generator has that name",
                            dataset->name);
        if (scale != TSR_GEN_UNIT_SCALE)
            return tsr_fail(err, TSR_ARGUMENT, "%s is an exact tensor and cannot be scaled", dataset->name);
        return TSR_OK;
    }
    *gen = (tsr_gen){.kind = TSR_GEN_RANDOM, .shape = dataset->shape};
    return tsr_gen_shape_scale(&gen->shape, scale, err);
}

tsr_status tsr_dataset_split(tsr_text *name, uint64_t *scale, const char *text, tsr_error *err)
{
    const char *const at = strrchr(text, '@');
    *scale = TSR_GEN_UNIT_SCALE;
    if (!at) {
        tsr_text_add(name, text);
        return tsr_text_status(name, err);
    }
    tsr_text_add_n(name, text, (size_t)(at - text));
    const char *const end = text + strlen(text);
    if (tsr_gen_parse_decimal(scale, at + 1, end, 9) != end || *scale == 0)
        return tsr_fail(err, TSR_ARGUMENT, "'%.40s' is not a scale such as 0.01", at + 1);
    return tsr_text_status(name, err);
}

/* ---- the data folder ---- */

tsr_status tsr_data_folder(tsr_text *folder, tsr_error *err)
{
    const char *s = getenv("TSR_DATA");
    if (s && *s) {
        tsr_text_add(folder, s);
        return tsr_text_status(folder, err);
    }
    s = getenv("XDG_DATA_HOME");
    if (s && *s == '/') {
        tsr_text_addf(folder, "%s/tessera", s);
        return tsr_text_status(folder, err);
    }
    s = getenv("HOME");
    if (!s || !*s)
        return tsr_fail(err, TSR_ARGUMENT, "no data folder: set TSR_DATA, XDG_DATA_HOME or HOME");
    tsr_text_addf(folder, "%s/.local/share/tessera", s);
    return tsr_text_status(folder, err);
}

tsr_status tsr_data_folder_make(const char *folder, tsr_error *err)
{
    tsr_text path = {0};
    tsr_text_add(&path, folder);
    tsr_status status = tsr_text_status(&path, err);
    for (char *p = path.s; status == TSR_OK && *p; p++) {
        const bool whole = p[1] == '\0';
        if (!whole && (*p != '/' || p == path.s))
            continue;
        if (!whole)
            *p = '\0';
        if (mkdir(path.s, 0777) != 0 && errno != EEXIST)
            status = tsr_fail_errno(err, errno, path.s, "cannot make the folder");
        if (!whole)
            *p = '/';
    }
    tsr_text_clear(&path);
    return status;
}

void tsr_dataset_path(tsr_text *path, const char *folder, const tsr_dataset *dataset)
{
    tsr_text_addf(path, "%s/%s.%s", folder, dataset->name, dataset->shape.order == 2 ? "mtx" : "tns");
}

/* ---- resolving ---- */

/* "real", "generated", "stand-in". */
static const char *kind_name(tsr_dataset_kind kind)
{
    static const char *const names[] = {"real", "generated", "stand-in"};
    return names[kind];
}

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* All that the bytes of a generated tensor depend on, in 64 bits. A change of the generators that changes
 * their output must change the version. */
static uint64_t fingerprint(const tsr_gen *gen, uint64_t seed)
{
    enum { VERSION = 1 };
    const tsr_gen_shape *s = &gen->shape;
    uint64_t h = gen_child_seed(VERSION, seed);
    const uint64_t words[] = {
        (uint64_t)gen->kind, (uint64_t)s->order, s->nnz,       s->has_fiber, s->run, s->band, s->values,
        gen->width,          gen->block,         gen->per_row, gen->m,       gen->n, gen->k};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        h = gen_child_seed(h, words[i]);
    for (int m = 0; m < s->order; m++) {
        h = gen_child_seed(h, s->dims[m]);
        h = gen_child_seed(h, s->skew[m]);
        h = gen_child_seed(h, s->has_fiber ? s->fiber[m] : 0);
    }
    return h;
}

static tsr_status generate(tsr_resolved *out, const tsr_gen *gen, const char *folder,
                           const tsr_resolve_options *options, tsr_error *err)
{
    tsr_text made_by = {0};
    out->nnz = gen->shape.nnz;
    tsr_text_addf(&out->path, "%s/generated", folder);
    TSR_TRY(tsr_text_status(&out->path, err));
    if (options->max_nnz == 0 || gen->shape.nnz <= options->max_nnz)
        TSR_TRY(tsr_data_folder_make(out->path.s, err));
    tsr_text_add(&out->path, "/");
    tsr_text_addf(&out->path, "%016" PRIx64 "-", fingerprint(gen, options->seed));
    tsr_gen_file_name(&out->path, tsr_text_cstr(&out->name), &gen->shape);
    TSR_TRY(tsr_text_status(&out->path, err));
    if (is_file(out->path.s))
        return TSR_OK;
    if (options->max_nnz > 0 && gen->shape.nnz > options->max_nnz)
        return tsr_fail(err, TSR_LIMIT,
                        "%s is not in %.200s, and a generated one would have %" PRIu64
                        " entries, more than %" PRIu64 ": fetch it, or ask for a smaller one (NAME@0.01)",
                        out->name.s, folder, gen->shape.nnz, options->max_nnz);
    tsr_text_addf(&made_by, "%s %s, generated by Tessera with seed %" PRIu64, kind_name(out->kind),
                  out->name.s, options->seed);
    tsr_status status = tsr_text_status(&made_by, err);
    const tsr_gen_options gen_options = {.seed = options->seed,
                                         .nthreads = options->nthreads,
                                         .comment = made_by.s,
                                         .observer = options->observer};
    if (status == TSR_OK)
        status = tsr_gen_write(out->path.s, gen, &gen_options, NULL, err);
    tsr_text_clear(&made_by);
    return status;
}

/* options: with a folder. *name: room for the name without its scale. */
static tsr_status resolve(tsr_resolved *out, const tsr_datasets *datasets, const char *text, tsr_text *name,
                          const tsr_resolve_options *options, tsr_error *err)
{
    const char *const folder = options->folder;
    tsr_gen gen;
    bool known;
    uint64_t scale;
    const tsr_dataset *dataset;
    tsr_text_add(&out->name, text);
    TSR_TRY(tsr_text_status(&out->name, err));
    TSR_TRY(tsr_gen_parse(&gen, &known, text, err));
    if (known && tsr_dataset_find(&dataset, datasets, text, NULL) != TSR_OK) {
        out->kind = TSR_DATASET_GENERATED;
        return generate(out, &gen, folder, options, err);
    }
    TSR_TRY(tsr_dataset_split(name, &scale, text, err));
    TSR_TRY(tsr_dataset_find(&dataset, datasets, tsr_text_cstr(name), err));
    if (scale == TSR_GEN_UNIT_SCALE) {
        tsr_dataset_path(&out->path, folder, dataset);
        TSR_TRY(tsr_text_status(&out->path, err));
        out->kind = TSR_DATASET_REAL;
        out->nnz = dataset->shape.nnz;
        if (is_file(out->path.s))
            return TSR_OK;
        tsr_text_clear(&out->path);
    }
    out->kind = dataset->statistics == TSR_DATASET_EXACT ? TSR_DATASET_GENERATED : TSR_DATASET_STANDIN;
    TSR_TRY(tsr_dataset_gen(&gen, dataset, scale, err));
    return generate(out, &gen, folder, options, err);
}

tsr_status tsr_dataset_resolve(tsr_resolved *out, const tsr_datasets *datasets, const char *text,
                               const tsr_resolve_options *options, tsr_error *err)
{
    static const tsr_resolve_options defaults = {0};
    tsr_resolve_options with = options ? *options : defaults;
    tsr_text folder = {0}, name = {0};
    tsr_status status = TSR_OK;
    tsr_resolved_clear(out);
    if (with.folder)
        tsr_text_add(&folder, with.folder);
    else
        TSR_TRY_OUT(tsr_data_folder(&folder, err));
    TSR_TRY_OUT(tsr_text_status(&folder, err));
    with.folder = folder.s;
    status = resolve(out, datasets, text, &name, &with, err);
out:
    tsr_text_clear(&folder);
    tsr_text_clear(&name);
    if (status != TSR_OK)
        tsr_resolved_clear(out);
    return status;
}

void tsr_resolved_clear(tsr_resolved *resolved)
{
    tsr_text_clear(&resolved->path);
    tsr_text_clear(&resolved->name);
    *resolved = (tsr_resolved){0};
}
