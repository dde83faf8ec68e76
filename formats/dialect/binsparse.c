/* The Binsparse codec: HDF5 files, Zarr stores and .npz archives according to the specification of the GraphBLAS community. See
 * binsparse.md. */
#include "binsparse_internal.h"
#include "codec_options.h"
#include "dialect.h"
#include "tsr_shown.h"

#include <stdio.h>
#include <string.h>

/* ---- which files are of this dialect ---- */

static bool claims(tsr_container *c)
{
    tsr_text groups = {0};
    bool more, has = tsr_form_has_text(c, NULL, "binsparse", NULL);
    if (!has && tsr_container_list_groups(&groups, &more, c, "binsparse", NULL) == TSR_OK)
        has = groups.nbytes > 0;
    tsr_text_clear(&groups);
    return has;
}

const tsr_dialect tsr_dialect_binsparse = {.name = "binsparse", .claims = claims};

/* ---- reading ---- */

/* HDF5 files of unknown kinds come here too, to be refused. */
static int probe_file(const tsr_probe *probe)
{
    bool hdf5, binsparse = false;
    const tsr_dialect *const dialect = tsr_dialect_tell_hdf5(&hdf5, probe);
    if (!hdf5)
        return tsr_dialect_tell_container(&binsparse, probe) && binsparse ? 100 : 0;
    return dialect == &tsr_dialect_binsparse ? 100 : 95;
}

/* ---- names of rows and columns: datasets labels_0, labels_1... beside the arrays ---- */

static void name_labels(char name[32], int mode)
{
    snprintf(name, 32, "labels_%d", mode);
}

/* Read the names of the modes from the current group; lists of another length than the dim are left out. */
static tsr_status read_labels(tsr_data *data, tsr_container *c, tsr_error *err)
{
    const int order = tsr_data_order(data);
    const uint64_t *const dims = tsr_data_dims(data);
    char name[32];
    for (int m = 0; m < order; m++) {
        name_labels(name, m);
        if (tsr_container_look_up(c, name) != TSR_NODE_ARRAY)
            continue;
        if (!data->labels)
            data->labels = tsr_labels_new();
        if (!data->labels)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        TSR_TRY(tsr_container_read_names(&data->labels->modes[m], c, name, err));
        const bool partly = data->slices.read && data->slices.mode == m;
        if (data->labels->modes[m].n != (partly ? data->slices.dim : dims[m]))
            tsr_names_clear(&data->labels->modes[m]);
    }
    return TSR_OK;
}

/* Write the names of the modes into the current group, in place of those of a tensor that was there before. */
static tsr_status write_labels(tsr_container *c, const tsr_tensor *tensor, const tsr_labels *labels,
                               tsr_error *err)
{
    char name[32];
    for (int m = 0; m < TSR_MAX_ORDER; m++) {
        const tsr_names *const names = m < tensor->order ? tsr_labels_of(labels, m, tensor->dims[m]) : NULL;
        name_labels(name, m);
        TSR_TRY(tsr_container_remove(c, name, err));
        if (names)
            TSR_TRY(tsr_dialect_write_labels(c, name, names, err));
    }
    return TSR_OK;
}

/* Enter the group that the path of the user names. Where it is missing, the error lists those that hold tensors. */
static tsr_status enter_group(tsr_container *c, const char *group, tsr_error *err)
{
    char shown[TSR_SHOWN_NBYTES];
    tsr_text paths = {0};
    tsr_error ignored;
    const tsr_status status = tsr_container_enter(c, group, err);
    if (status == TSR_ARGUMENT && tsr_container_leave(c, &ignored) == TSR_OK &&
        tsr_container_find_groups(&paths, c, "binsparse", &ignored) == TSR_OK && paths.nbytes > 0)
        tsr_fail(err, TSR_ARGUMENT, "there is no group '%s'; the groups with tensors are: %s",
                 tsr_show(shown, group), paths.s);
    tsr_text_clear(&paths);
    return status;
}

static tsr_status read_file(tsr_data *out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    const char *group;
    tsr_container *c = NULL;
    *out = (tsr_data){0};
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "HDF5 cannot be read from standard input: give a file");
    char *file = tsr_path_split(&group, path);
    tsr_status status = file ? tsr_container_open(&c, file, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    if (status == TSR_OK && group)
        status = enter_group(c, group, err);
    if (status == TSR_OK)
        status = tsr_bsp_read(out, c, options, err);
    if (status == TSR_OK && options && options->labels)
        status = read_labels(out, c, err);
    tsr_container_free(c);
    tsr_free(file);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}

static bool has_labels(tsr_container *c)
{
    char name[32];
    for (int m = 0; m < TSR_MAX_ORDER; m++) {
        name_labels(name, m);
        if (tsr_container_look_up(c, name) != TSR_NODE_NONE)
            return true;
    }
    return false;
}

static tsr_status feed_file(tsr_feed **out, const char *path, const tsr_read_options *options, tsr_error *err)
{
    const char *group;
    tsr_container *c = NULL;
    tsr_parts *parts = NULL;
    char *file = tsr_path_split(&group, path);
    tsr_status status = file ? tsr_container_open(&c, file, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    *out = NULL;
    if (status == TSR_OK && group)
        status = enter_group(c, group, err);
    if (status == TSR_OK && !c->type->read_part)
        status = tsr_fail(err, TSR_UNSUPPORTED, "this kind of file is read only as a whole");
    if (status == TSR_OK && options->repair)
        status = tsr_fail(err, TSR_UNSUPPORTED, "a tensor is repaired as a whole");
    if (status == TSR_OK && has_labels(c))
        status = tsr_fail(err, TSR_UNSUPPORTED, "a tensor with names of rows and columns is read as a whole");
    if (status != TSR_OK)
        tsr_container_free(c);
    else
        status = tsr_bsp_open_parts(&parts, c, options, err);
    if (status == TSR_OK)
        status = tsr_feed_of_parts(out, parts, err);
    tsr_free(file);
    if (status != TSR_OK)
        tsr_error_set_path(err, path);
    return status;
}

/* ---- describing ---- */

/* Describe the tensor in `group` (NULL: the root). The file is opened for each group, since an open file
 * cannot leave its current group. */
static tsr_status describe_group(tsr_brief *out, const char *file, const char *group,
                                 const tsr_read_options *options, tsr_error *err)
{
    tsr_container *c = NULL;
    tsr_brief_tensor *const tensor = tsr_brief_add(out, group ? group : "");
    if (!tensor)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = tsr_container_open(&c, file, err);
    if (status == TSR_OK && group)
        status = enter_group(c, group, err);
    if (status == TSR_OK)
        status = tsr_bsp_describe(tensor, c, options, err);
    tsr_container_free(c);
    return status;
}

/* *groups: the names of the groups that hold a tensor, each ended by NUL; first "" where the root holds one.
 * *more: there are more groups than were listed. */
static tsr_status find_tensors(tsr_text *groups, bool *more, const char *file, tsr_error *err)
{
    tsr_container *c = NULL;
    char *text = NULL;
    size_t n;
    TSR_TRY(tsr_container_open(&c, file, err));
    tsr_status status = tsr_container_read_text(&text, &n, c, "binsparse", err);
    if (text)
        tsr_text_add_n(groups, "", 1);
    tsr_free(text);
    if (status == TSR_OK)
        status = tsr_container_list_groups(groups, more, c, "binsparse", err);
    tsr_container_free(c);
    return status;
}

/* Describe the tensors of several groups. An error in one of them is kept with this tensor, except TSR_NOMEM
 * and TSR_IO, which end the call. */
static tsr_status describe_each(tsr_brief *out, const char *file, const tsr_text *groups,
                                const tsr_read_options *options, tsr_error *err)
{
    for (size_t at = 0; at < groups->nbytes; at += strlen(groups->s + at) + 1) {
        tsr_error fault = {0};
        const tsr_status status =
            describe_group(out, file, groups->s[at] ? groups->s + at : NULL, options, &fault);
        if (status == TSR_NOMEM || status == TSR_IO) {
            if (err)
                *err = fault;
            return status;
        }
        out->tensors[out->ntensors - 1].fault = fault;
    }
    return TSR_OK;
}

static tsr_status describe_all(tsr_brief *out, const char *file, const tsr_read_options *options,
                               tsr_error *err)
{
    tsr_text groups = {0};
    tsr_status status = find_tensors(&groups, &out->more, file, err);
    const size_t first = groups.nbytes ? strlen(groups.s) + 1 : 0;
    if (status == TSR_OK && groups.nbytes > first)
        status = describe_each(out, file, &groups, options, err);
    else if (status == TSR_OK)
        status = describe_group(out, file, first > 1 ? groups.s : NULL, options, err);
    tsr_text_clear(&groups);
    return status;
}

static tsr_status describe_file(tsr_brief *out, const char *path, const tsr_read_options *options,
                                tsr_error *err)
{
    const char *group;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "HDF5 cannot be read from standard input: give a file");
    char *file = tsr_path_split(&group, path);
    tsr_status status = TSR_OK;
    if (!file)
        status = tsr_fail(err, TSR_NOMEM, "out of memory");
    else if (group)
        status = describe_group(out, file, group, options, err);
    else
        status = describe_all(out, file, options, err);
    tsr_free(file);
    return status;
}

/* ---- writing ---- */

static bool takes_tensor(const tsr_tensor *tensor, const char **instead)
{
    tsr_bsp_kind kinds[TSR_MAX_LEVELS];
    *instead = NULL;
    return tsr_bsp_kinds(kinds, tensor->format) || tsr_bsp_is_foreign(tensor->format);
}

typedef struct writing {
    const tsr_tensor *tensor;
    tsr_parts *parts; /* NULL: the arrays are in memory */
    const tsr_write_options *options;
} writing;

static tsr_status write_group(tsr_container *c, const char *group, const void *ctx, tsr_error *err)
{
    const writing *const w = ctx;
    if (group)
        TSR_TRY(tsr_container_enter(c, group, err));
    TSR_TRY(tsr_bsp_write(c, w->tensor, w->parts, w->options, err));
    return write_labels(c, w->tensor, w->options ? w->options->labels : NULL, err);
}

static tsr_status write_tensor(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                               uint64_t *nbytes, tsr_error *err)
{
    const writing w = {.tensor = tensor, .options = options};
    return tsr_container_write(path, &(tsr_filling){.write = write_group, .ctx = &w}, options, nbytes, err);
}

static tsr_status fill_file(const char *path, const void *ctx, tsr_error *err)
{
    const writing *const w = ctx;
    return w->parts->fill(w->parts, path, err);
}

static tsr_status write_parts(const char *path, tsr_parts *parts, const tsr_write_options *options,
                              uint64_t *nbytes, tsr_error *err)
{
    const writing w = {.tensor = parts->tensor, .parts = parts, .options = options};
    const tsr_filling file = {.write = write_group, .finish = parts->fill ? fill_file : NULL, .ctx = &w};
    return tsr_container_write(path, &file, options, nbytes, err);
}

static const char *const suffixes[] = {".h5", ".hdf5", ".bsp.zarr", ".bsp.zarr.zip", ".bsp.npz", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_zarr_version, &tsr_option_zarr_shards,
                                                  &tsr_option_chunks, NULL};

const tsr_codec tsr_codec_binsparse = {
    .name = "binsparse",
    .summary = "Binsparse in HDF5, Zarr or .npz (file.h5, file.h5:group): any nesting of dense and "
               "compressed levels",
    .suffixes = suffixes,
    .options = options,
    .streams = false,
    .folders = ".zarr",
    .has_groups = true,
    .has_labels = true,
    .probe = probe_file,
    .read = read_file,
    .feed = feed_file,
    .describe = describe_file,
    .takes_tensor = takes_tensor,
    .write_tensor = write_tensor,
    .write_parts = write_parts,
};
