/* HDF5 as a container: see container.h and hdf5_io.h. */
#include "hdf5_internal.h"

tsr_hdf5 *tsr_hdf5_of(tsr_container *c)
{
    return (tsr_hdf5 *)c; /* `head` is the first member */
}

tsr_container *tsr_hdf5_container(tsr_hdf5 *h5)
{
    return h5 ? &h5->head : NULL;
}

static bool claims(const char *path)
{
    (void)path;
    return true;
}

static tsr_status open_file(tsr_container **out, const char *path, tsr_error *err)
{
    tsr_hdf5 *h5;
    const tsr_status status = tsr_hdf5_open(&h5, path, err);
    *out = tsr_hdf5_container(h5);
    return status;
}

static tsr_status write_file(const char *path, const tsr_filling *what, const tsr_write_options *options,
                             uint64_t *nbytes, tsr_error *err)
{
    if (options->chunk_slices && options->deflate == 0)
        return tsr_fail_at(
            err, TSR_ARGUMENT, path, 0, 0,
            "--chunks cuts compressed arrays: add --deflate=1. HDF5 stores other arrays in one "
            "piece, of which any rows are read alone");
    return tsr_hdf5_write_new(path, what, nbytes, err);
}

static void free_file(tsr_container *c)
{
    tsr_hdf5_free(tsr_hdf5_of(c));
}

static tsr_status enter(tsr_container *c, const char *group, tsr_error *err)
{
    return tsr_hdf5_enter(tsr_hdf5_of(c), group, err);
}

static tsr_status leave(tsr_container *c, tsr_error *err)
{
    return tsr_hdf5_leave(tsr_hdf5_of(c), err);
}

static tsr_node look_up(tsr_container *c, const char *name)
{
    return tsr_hdf5_look_up(tsr_hdf5_of(c), name);
}

static tsr_status list(tsr_text *names, tsr_container *c, tsr_error *err)
{
    return tsr_hdf5_list(names, tsr_hdf5_of(c), err);
}

static tsr_status list_groups(tsr_text *paths, bool *more, tsr_container *c, const char *attribute,
                              tsr_error *err)
{
    return tsr_hdf5_list_groups(paths, more, tsr_hdf5_of(c), attribute, err);
}

static tsr_status list_attributes(tsr_text *names, tsr_container *c, tsr_error *err)
{
    return tsr_hdf5_list_attributes(names, tsr_hdf5_of(c), err);
}

static tsr_status read_text(char **out, size_t *nbytes, tsr_container *c, const char *attribute,
                            tsr_error *err)
{
    return tsr_hdf5_read_text(out, nbytes, tsr_hdf5_of(c), attribute, err);
}

static tsr_status text_of(char **out, tsr_container *c, const char *name, const char *attribute,
                          tsr_error *err)
{
    return tsr_hdf5_text_of(out, tsr_hdf5_of(c), name, attribute, err);
}

static int integers_of(int64_t *out, int most, tsr_container *c, const char *name, const char *attribute)
{
    return tsr_hdf5_integers_of(out, most, tsr_hdf5_of(c), name, attribute);
}

static tsr_status look(tsr_stored *out, char *storage, tsr_container *c, const char *name, bool wide,
                       tsr_error *err)
{
    tsr_hdf5 *const h5 = tsr_hdf5_of(c);
    if (storage)
        return wide ? tsr_hdf5_glance_wide(out, storage, h5, name, err)
                    : tsr_hdf5_glance(out, storage, h5, name, err);
    return wide ? tsr_hdf5_look_wide(out, h5, name, err) : tsr_hdf5_look(out, h5, name, err);
}

static tsr_status read_array(void *out, tsr_container *c, const tsr_stored *array, tsr_job *job,
                             tsr_error *err)
{
    return tsr_hdf5_read(out, tsr_hdf5_of(c), array, job, err);
}

static tsr_status read_ranges(void *out, tsr_container *c, const tsr_stored *array, const tsr_ranges *ranges,
                              tsr_job *job, tsr_error *err)
{
    return tsr_hdf5_read_ranges(out, tsr_hdf5_of(c), array, ranges, job, err);
}

static tsr_status read_part(void *out, tsr_container *c, const tsr_stored *array, uint64_t first, uint64_t n,
                            tsr_error *err)
{
    return tsr_hdf5_read_part(out, tsr_hdf5_of(c), array, first, n, err);
}

static tsr_status read_names(tsr_names *out, tsr_container *c, const char *name, tsr_error *err)
{
    return tsr_hdf5_read_names(out, tsr_hdf5_of(c), name, err);
}

static tsr_status write_text(tsr_container *c, const char *name, const char *attribute, const char *text,
                             tsr_error *err)
{
    tsr_hdf5 *const h5 = tsr_hdf5_of(c);
    return name ? tsr_hdf5_write_text_of(h5, name, attribute, text, err)
                : tsr_hdf5_write_text(h5, attribute, text, err);
}

static tsr_status write_integers(tsr_container *c, const char *attribute, const int64_t *values, int n,
                                 tsr_error *err)
{
    return tsr_hdf5_write_integers(tsr_hdf5_of(c), attribute, values, n, err);
}

static tsr_status write_array(tsr_container *c, const tsr_stored *array, const tsr_supply *supply,
                              int deflate, tsr_job *job, tsr_error *err)
{
    return tsr_hdf5_write_from(tsr_hdf5_of(c), array, supply, deflate, job, err);
}

static tsr_status write_texts(tsr_container *c, const char *name, const char *texts, size_t width, uint64_t n,
                              tsr_error *err)
{
    return tsr_hdf5_write_texts(tsr_hdf5_of(c), name, texts, width, n, err);
}

static tsr_status remove_member(tsr_container *c, const char *name, tsr_error *err)
{
    return tsr_hdf5_remove(tsr_hdf5_of(c), name, err);
}

const tsr_container_type tsr_container_hdf5 = {
    .name = "HDF5",
    .word = "dataset",
    .cuts = true,
    .claims = claims,
    .claims_name = claims,
    .open = open_file,
    .write = write_file,
    .free = free_file,
    .enter = enter,
    .leave = leave,
    .look_up = look_up,
    .list = list,
    .list_groups = list_groups,
    .list_attributes = list_attributes,
    .read_text = read_text,
    .text_of = text_of,
    .integers_of = integers_of,
    .look = look,
    .read = read_array,
    .read_part = read_part,
    .read_ranges = read_ranges,
    .read_names = read_names,
    .write_text = write_text,
    .write_integers = write_integers,
    .write_array = write_array,
    .write_texts = write_texts,
    .remove = remove_member,
};
