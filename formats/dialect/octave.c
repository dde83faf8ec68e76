/* Octave's save -hdf5 and save -text: sparse and dense matrices. See dialects.md and texts.md. */
#include "dialect.h"
#include "octave_text.h"

#include <string.h>

static bool is_new_format(tsr_container *c, const char *name)
{
    int64_t one;
    return tsr_container_integers_of(&one, 1, c, name, "OCTAVE_NEW_FORMAT") > 0;
}

/* Whether the current group is a matrix with all its cells: `type` says so, `value` has them. */
static bool is_matrix(tsr_container *c)
{
    static const char last[] = "matrix";
    tsr_names type = {0};
    bool matrix = is_new_format(c, NULL) && tsr_container_look_up(c, "value") == TSR_NODE_ARRAY &&
                  tsr_container_read_names(&type, c, "type", NULL) == TSR_OK && type.n == 1;
    if (matrix) {
        const char *const text = tsr_names_get(&type, 0);
        const size_t n = strlen(text);
        matrix = n >= sizeof last - 1 && strcmp(text + n - (sizeof last - 1), last) == 0;
    }
    tsr_names_clear(&type);
    return matrix;
}

static bool is_group(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)name;
    (void)array;
    return is_matrix(c);
}

static bool is_value(tsr_container *c, const char *name, const tsr_stored *array)
{
    (void)array;
    return strcmp(name, "value") == 0 && is_matrix(c);
}

/* The cells are `value` in the group. */
static tsr_status enter_group(tsr_opened *o, tsr_error *err)
{
    o->empty = tsr_form_is_marked(o->c, o->leaf, "OCTAVE_EMPTY_MATRIX");
    TSR_TRY(tsr_container_enter(o->c, o->leaf, err));
    o->leaf = "value";
    return TSR_OK;
}

static const tsr_form dense = {.is = is_group, .by_columns = true, .look = enter_group};
static const tsr_form value = {.array = true, .is = is_value, .by_columns = true};

static const char *const members[] = {"nr", "nc", "cidx", "ridx", "data", NULL};

static const tsr_form csc = {
    .sparse = true,
    .inside = "value",
    .members = members,
    .major = 1,
    .data = "data",
    .indices = "ridx",
    .pointers = "cidx",
    .sizes = {"nr", "nc"},
};

static bool claims_member(tsr_container *c, bool group, const char *name)
{
    return group && is_new_format(c, name);
}

static const tsr_form *const forms[] = {&dense, &value, &csc, NULL};

const tsr_dialect tsr_dialect_octave = {.name = "octave", .forms = forms, .claims_member = claims_member};

/* ---- the codec ---- */

/* A path "file:NAME", cut in two. */
typedef struct target {
    char *file; /* free it with tsr_free */
    const char *object;
    bool text; /* the file is not HDF5 */
} target;

static tsr_status find_target(target *to, const char *path, tsr_error *err)
{
    tsr_container *c = NULL;
    *to = (target){0};
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read files of Octave from standard input: give a file");
    to->file = tsr_path_split(&to->object, path);
    if (!to->file)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    to->text = tsr_container_open(&c, to->file, NULL) != TSR_OK;
    tsr_container_free(c);
    return TSR_OK;
}

static tsr_status octave_read(tsr_data *out, const char *path, const tsr_read_options *options,
                              tsr_error *err)
{
    target from;
    TSR_TRY(find_target(&from, path, err));
    const tsr_status status = from.text ? tsr_octave_text_read(out, from.file, from.object, options, err)
                                        : tsr_dialect_read_object(out, path, NULL, options, err);
    tsr_free(from.file);
    return status;
}

static tsr_status octave_feed(tsr_feed **out, const char *path, const tsr_read_options *options,
                              tsr_error *err)
{
    target from;
    *out = NULL;
    TSR_TRY(find_target(&from, path, err));
    const tsr_status status = from.text ? tsr_octave_text_feed(out, from.file, from.object, options, err)
                                        : tsr_dialect_feed_object(out, path, NULL, options, err);
    tsr_free(from.file);
    return status;
}

static tsr_status octave_describe(tsr_brief *out, const char *path, const tsr_read_options *options,
                                  tsr_error *err)
{
    target from;
    TSR_TRY(find_target(&from, path, err));
    const tsr_status status = from.text ? tsr_octave_text_describe(out, from.file, from.object, options, err)
                                        : tsr_dialect_describe_objects(out, path, options, err);
    tsr_free(from.file);
    return status;
}

static int octave_probe(const tsr_probe *probe)
{
    return tsr_octave_text_probe(probe) || tsr_dialect_tell_hdf5(NULL, probe) == &tsr_dialect_octave ? 100
                                                                                                     : 0;
}

static const char *const suffixes[] = {".octave", NULL};

const tsr_codec tsr_codec_octave = {
    .name = "octave",
    .summary = "Octave's save -hdf5 and save -text: matrices (file.h5:NAME)",
    .suffixes = suffixes,
    .has_groups = true,
    .probe = octave_probe,
    .read = octave_read,
    .feed = octave_feed,
    .describe = octave_describe,
};
