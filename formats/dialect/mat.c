/* MATLAB's .mat: version 7.3 (HDF5) and those before (../container/mat_container.c); sparse and dense variables, fields of structs
 * (file.mat:Problem/A). See dialects.md and mat.md. */
#include "codec_options.h"
#include "dialect.h"
#include "mat5.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_memory.h"

/* Truth values have a class of their own; in files they are bytes. */
static tsr_status look_at_class(tsr_opened *o, tsr_error *err)
{
    (void)err;
    o->boolean = tsr_form_has_text(o->c, o->leaf, "MATLAB_class", "logical");
    return TSR_OK;
}

static tsr_status look_at_dense(tsr_opened *o, tsr_error *err)
{
    o->empty = tsr_form_is_marked(o->c, o->leaf, "MATLAB_empty");
    return look_at_class(o, err);
}

static const tsr_form csc = {
    .sparse = true,
    .rows = "MATLAB_sparse",
    .major = 1,
    .data = "data",
    .indices = "ir",
    .pointers = "jc",
    .may_lack_arrays = true,
    .has_spare = true,
    .look = look_at_class,
};

/* Version 4. */
static const tsr_form triplets = {
    .sparse = true,
    .marks = {{"MATLAB_triplets", NULL}},
    .shape = {"MATLAB_triplets"},
    .crd = {"i", "j"},
    .base = 1,
    .data = "value",
};

static const tsr_form dense = {
    .array = true,
    .marks = {{"MATLAB_class", NULL}},
    .by_columns = true,
    .look = look_at_dense,
};

/* ---- structs of the Tensor Toolbox: `subs` has a row for each mode, with coordinates from 1 on; `vals`; `size` ---- */

static const char *const sptensor_members[] = {"subs", "vals", "size", NULL};

static const tsr_form sptensor = {
    .sparse = true,
    .members = sptensor_members,
    .dims = "size",
    .coords = "subs",
    .base = 1,
    .data = "vals",
};

static bool claims_member(tsr_container *c, bool group, const char *name)
{
    (void)group;
    return tsr_form_has_text(c, name, "MATLAB_class", NULL);
}

static const tsr_form *const forms[] = {&csc, &triplets, &dense, &sptensor, NULL};

const tsr_dialect tsr_dialect_mat = {.name = "matlab", .forms = forms, .claims_member = claims_member};

/* ---- the codec ---- */

TSR_DIALECT_READS(mat, "Problem/A")

static int mat_probe(const tsr_probe *probe)
{
    return tsr_dialect_tell_hdf5(NULL, probe) == &tsr_dialect_mat ? 100
                                                                  : tsr_mat_claim(probe->head, probe->n);
}

/* ---- writing ---- */

static tsr_status mat_write(const char *path, const tsr_tensor *tensor, const tsr_write_options *options,
                            uint64_t *nbytes, tsr_error *err)
{
    static const tsr_write_options none;
    const char *object, *instead;
    tsr_write_options own = options ? *options : none;
    if (own.version == 70 && own.deflate == 0)
        own.deflate = 6;
    if (own.version == 50)
        own.deflate = 0;
    if (!tsr_mat_takes_tensor(tensor, &instead))
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "cannot write this tensor to .mat: csc, and dense by columns, without a fill value are "
            "supported");
    char *const file = tsr_path_split(&object, path);
    tsr_status status =
        file ? tsr_mat_check_target(file, object, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
    const bool hdf5 = own.version == 73 || (own.version == 0 && !tsr_mat5_fits(tensor));
    const char *const name = object ? object : "A";
    if (status == TSR_OK)
        status = hdf5 ? tsr_mat73_write(file, name, tensor, &own, nbytes, err)
                      : tsr_mat5_write(file, name, tensor, &own, nbytes, err);
    tsr_free(file);
    return status;
}

static const char *const suffixes[] = {".mat", NULL};

static const tsr_codec_option *const options[] = {&tsr_option_mat_version, NULL};

const tsr_codec tsr_codec_mat = {
    .name = "mat",
    .summary =
        "MATLAB 4, 5, 7 and 7.3: variables, also in structs (file.mat:Problem/A); 5, 7 and 7.3 are written",
    .suffixes = suffixes,
    .options = options,
    .has_groups = true,
    .probe = mat_probe,
    .read = mat_read,
    .feed = mat_feed,
    .describe = tsr_dialect_describe_objects,
    .takes_tensor = tsr_mat_takes_tensor,
    .check = tsr_mat_check,
    .write_tensor = mat_write,
};
