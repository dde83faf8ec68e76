/* Finding the matrices in an HDF5 file of other software: see hdf5_dialect.h and hdf5_dialects.md. */
#include "hdf5_dialect_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_shown.h"

/* ---- one object ---- */

static bool text_is(tsr_hdf5 *h5, const char *name, const char *attribute, const char *text)
{
    char *found;
    const bool same =
        tsr_hdf5_text_of(&found, h5, name, attribute, NULL) == TSR_OK && found && strcmp(found, text) == 0;
    tsr_free(found);
    return same;
}

static bool has_text(tsr_hdf5 *h5, const char *name, const char *attribute)
{
    char *found;
    const bool has = tsr_hdf5_text_of(&found, h5, name, attribute, NULL) == TSR_OK && found;
    tsr_free(found);
    return has;
}

static bool has_members(tsr_hdf5 *h5, const char *const *names)
{
    for (; *names; names++)
        if (tsr_hdf5_look_up(h5, *names) != TSR_HDF5_DATASET)
            return false;
    return true;
}

/* Whether the current group is a matrix of Octave with all its cells: `type` says so, `value` has them. */
static bool is_octave_matrix(tsr_hdf5 *h5)
{
    int64_t one;
    tsr_names type = {0};
    static const char last[] = "matrix";
    bool matrix = tsr_hdf5_integers_of(&one, 1, h5, NULL, "OCTAVE_NEW_FORMAT") > 0 &&
                  tsr_hdf5_look_up(h5, "value") == TSR_HDF5_DATASET &&
                  tsr_hdf5_read_names(&type, h5, "type", NULL) == TSR_OK && type.n == 1;
    if (matrix) {
        const char *const text = tsr_names_get(&type, 0);
        const size_t n = strlen(text);
        matrix = n >= sizeof last - 1 && strcmp(text + n - (sizeof last - 1), last) == 0;
    }
    tsr_names_clear(&type);
    return matrix;
}

/* The form of the group `name`, from the members of the group. Enters the group, and then `parent` again. */
static tsr_hdf5_form form_by_members(tsr_hdf5 *h5, const char *name, const char *parent)
{
    static const char *const tenx[] = {"data", "indices", "indptr", "shape", NULL};
    static const char *const sptensor[] = {"subs", "vals", "size", NULL};
    static const char *const octave[] = {"nr", "nc", "cidx", "ridx", "data", NULL};
    tsr_hdf5_form form = TSR_HDF5_NO_FORM;
    if (tsr_hdf5_enter(h5, name, NULL) != TSR_OK)
        return form;
    if (has_members(h5, tenx))
        form = TSR_HDF5_TENX_CSC;
    else if (has_members(h5, sptensor))
        form = TSR_HDF5_SPTENSOR;
    else if (is_octave_matrix(h5))
        form = TSR_HDF5_OCTAVE_DENSE;
    else if (tsr_hdf5_look_up(h5, "value") == TSR_HDF5_GROUP && tsr_hdf5_enter(h5, "value", NULL) == TSR_OK &&
             has_members(h5, octave))
        form = TSR_HDF5_OCTAVE_CSC;
    if (tsr_hdf5_leave(h5, NULL) != TSR_OK || tsr_hdf5_enter(h5, parent, NULL) != TSR_OK)
        return TSR_HDF5_NO_FORM;
    return form;
}

static tsr_hdf5_form form_of_group(tsr_hdf5 *h5, const char *name, const char *parent)
{
    int64_t n;
    if (text_is(h5, name, "encoding-type", "csr_matrix") || text_is(h5, name, "h5sparse_format", "csr"))
        return TSR_HDF5_ANNDATA_CSR;
    if (text_is(h5, name, "encoding-type", "csc_matrix") || text_is(h5, name, "h5sparse_format", "csc"))
        return TSR_HDF5_ANNDATA_CSC;
    if (tsr_hdf5_integers_of(&n, 1, h5, name, "MATLAB_sparse") == 1)
        return TSR_HDF5_MATLAB_CSC;
    return form_by_members(h5, name, parent);
}

static tsr_hdf5_form form_of_dataset(tsr_hdf5 *h5, const char *name)
{
    tsr_hdf5_array array;
    char storage[TSR_HDF5_STORAGE_NBYTES];
    const tsr_status status = tsr_hdf5_glance_wide(&array, storage, h5, name, NULL);
    if (status != TSR_OK &&
        status != TSR_UNSUPPORTED) /* such as an array with a filter: reading it says which */
        return TSR_HDF5_NO_FORM;
    if (has_text(h5, name, "MATLAB_class"))
        return TSR_HDF5_MATLAB_DENSE;
    if (strcmp(name, "value") == 0 && is_octave_matrix(h5))
        return TSR_HDF5_OCTAVE_DENSE;
    return array.ndims > 1 ? TSR_HDF5_DENSE : TSR_HDF5_PLAIN_DENSE;
}

tsr_hdf5_form tsr_hdf5_form_of(tsr_hdf5 *h5, const char *parent, const char *name)
{
    switch (tsr_hdf5_look_up(h5, name)) {
    case TSR_HDF5_GROUP:
        return form_of_group(h5, name, parent);
    case TSR_HDF5_DATASET:
        return form_of_dataset(h5, name);
    default:
        return TSR_HDF5_NO_FORM;
    }
}

/* ---- all objects ---- */

enum { MAX_DEPTH = 6, MAX_FOUND = 64, MAX_VISITED = 2000 };

typedef struct search {
    tsr_hdf5 *h5;
    tsr_text *found; /* see tsr_hdf5_find_objects */
    int nfound, nvisited;
    tsr_error *err;
} search;

/* Whether to list an object. Plain arrays are not listed: columns of tables of AnnData, texts of MATLAB. */
static bool is_matrix(tsr_hdf5_form form)
{
    return form != TSR_HDF5_NO_FORM && form != TSR_HDF5_PLAIN_DENSE;
}

static tsr_status search_group(search *s, const char *path, int depth)
{
    tsr_text names = {0}, child = {0};
    tsr_status status;
    TSR_TRY_OUT(tsr_hdf5_leave(s->h5, s->err));
    TSR_TRY_OUT(tsr_hdf5_enter(s->h5, path, s->err));
    TSR_TRY_OUT(tsr_hdf5_list(&names, s->h5, s->err));
    for (size_t at = 0; at < names.nbytes && s->nfound < MAX_FOUND && s->nvisited++ < MAX_VISITED;
         at += strlen(names.s + at) + 1) {
        const char *const name = names.s + at + 1;
        if (*name == '#' || strncmp(name, "__", 2) == 0)
            continue;
        const tsr_hdf5_form form = tsr_hdf5_form_of(s->h5, path, name);
        tsr_text_clear(&child);
        tsr_text_addf(&child, "%s%s%s", path, *path ? "/" : "", name);
        TSR_TRY_OUT(tsr_text_status(&child, s->err));
        if (is_matrix(form)) {
            tsr_text_add_n(s->found, &(const char){(char)('a' + form)}, 1);
            tsr_text_add_n(s->found, child.s, child.nbytes + 1);
            s->nfound++;
        } else if (names.s[at] == 'g' && depth < MAX_DEPTH) {
            TSR_TRY_OUT(search_group(s, child.s, depth + 1));
            TSR_TRY_OUT(tsr_hdf5_leave(s->h5, s->err));
            TSR_TRY_OUT(tsr_hdf5_enter(s->h5, path, s->err));
        }
    }
out:
    tsr_text_clear(&names);
    tsr_text_clear(&child);
    return status;
}

tsr_status tsr_hdf5_find_objects(tsr_text *found, tsr_hdf5 *h5, tsr_error *err)
{
    search s = {.h5 = h5, .found = found, .err = err};
    TSR_TRY(search_group(&s, "", 0));
    TSR_TRY(tsr_hdf5_leave(h5, err));
    return tsr_text_status(found, err);
}

tsr_status tsr_hdf5_refuse_all(tsr_hdf5 *h5, tsr_error *err)
{
    enum { MOST = 12 };
    char shown[TSR_SHOWN_NBYTES];
    tsr_text names = {0}, list = {0};
    int n = 0;
    const bool listed = tsr_hdf5_leave(h5, NULL) == TSR_OK && tsr_hdf5_list(&names, h5, NULL) == TSR_OK;
    for (size_t at = 0; listed && at < names.nbytes && n <= MOST; at += strlen(names.s + at) + 1, n++) {
        const char *const name = names.s + at + 1;
        char *kind = NULL;
        if (n == MOST) {
            tsr_text_add(&list, ", ...");
            continue;
        }
        tsr_text_addf(&list, "%s%s", n > 0 ? ", " : ": the file has ", tsr_show(shown, name));
        if (tsr_hdf5_text_of(&kind, h5, name, "encoding-type", NULL) == TSR_OK && kind)
            tsr_text_addf(&list, " (%s)", tsr_show(shown, kind));
        tsr_free(kind);
    }
    const tsr_status status =
        tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported%s", tsr_text_cstr(&list));
    tsr_text_clear(&names);
    tsr_text_clear(&list);
    return status;
}

/* ---- whole files ---- */

static bool is_group(tsr_hdf5 *h5, const char *name)
{
    return tsr_hdf5_look_up(h5, name) == TSR_HDF5_GROUP;
}

/* A form that shows the dialect of the file, from one child of the root. */
static tsr_hdf5_form form_of_child(tsr_hdf5 *h5, bool group, const char *name)
{
    int64_t one;
    if (!group)
        return has_text(h5, name, "MATLAB_class") ? TSR_HDF5_MATLAB_CSC : TSR_HDF5_NO_FORM;
    const tsr_hdf5_form form = tsr_hdf5_form_of(h5, "", name);
    if (tsr_hdf5_integers_of(&one, 1, h5, name, "OCTAVE_NEW_FORMAT") > 0)
        return TSR_HDF5_OCTAVE_CSC;
    if (form != TSR_HDF5_NO_FORM)
        return form;
    return has_text(h5, name, "MATLAB_class") ? TSR_HDF5_MATLAB_CSC : TSR_HDF5_NO_FORM;
}

static tsr_hdf5_form find_in_root(tsr_hdf5 *h5)
{
    tsr_text names = {0};
    tsr_hdf5_form found = TSR_HDF5_NO_FORM;
    const bool listed = tsr_hdf5_list(&names, h5, NULL) == TSR_OK;
    for (size_t at = 0; listed && at < names.nbytes && found == TSR_HDF5_NO_FORM;
         at += strlen(names.s + at) + 1)
        found = form_of_child(h5, names.s[at] == 'g', names.s + at + 1);
    tsr_text_clear(&names);
    return found;
}

/* Files before AnnData 0.7, and those of other programs with its sparse matrices, have no mark at the root: look for
 * the tables and for a sparse matrix. */
static bool has_old_anndata(tsr_hdf5 *h5)
{
    tsr_text found = {0};
    bool has =
        tsr_hdf5_look_up(h5, "obs") != TSR_HDF5_NOTHING && tsr_hdf5_look_up(h5, "var") != TSR_HDF5_NOTHING;
    if (!has && tsr_hdf5_find_objects(&found, h5, NULL) == TSR_OK)
        for (size_t at = 0; at < found.nbytes && !has; at += strlen(found.s + at) + 1)
            has = found.s[at] == 'a' + TSR_HDF5_ANNDATA_CSR || found.s[at] == 'a' + TSR_HDF5_ANNDATA_CSC;
    tsr_text_clear(&found);
    return has;
}

/* Determine the dialect of an open file, whose current group is the root. */
static tsr_hdf5_dialect tell_open_file(tsr_hdf5 *h5)
{
    tsr_text groups = {0};
    bool more;
    bool binsparse = has_text(h5, NULL, "binsparse");
    if (!binsparse && tsr_hdf5_list_groups(&groups, &more, h5, "binsparse", NULL) == TSR_OK)
        binsparse = groups.nbytes > 0;
    tsr_text_clear(&groups);
    if (binsparse)
        return TSR_HDF5_BINSPARSE;
    if (text_is(h5, NULL, "encoding-type", "anndata"))
        return TSR_HDF5_ANNDATA;
    if (tsr_hdf5_look_up(h5, "matrix") == TSR_HDF5_DATASET && is_group(h5, "row_attrs"))
        return TSR_HDF5_LOOM;
    switch (find_in_root(h5)) {
    case TSR_HDF5_ANNDATA_CSR:
    case TSR_HDF5_ANNDATA_CSC:
        return TSR_HDF5_ANNDATA;
    case TSR_HDF5_TENX_CSC:
        return TSR_HDF5_TENX;
    case TSR_HDF5_MATLAB_CSC:
    case TSR_HDF5_SPTENSOR:
        return TSR_HDF5_MATLAB;
    case TSR_HDF5_OCTAVE_CSC:
        return TSR_HDF5_OCTAVE;
    default:
        return has_old_anndata(h5) ? TSR_HDF5_ANNDATA : TSR_HDF5_OTHER;
    }
}

tsr_hdf5_dialect tsr_hdf5_tell_probe(bool *hdf5, const tsr_probe *probe)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    tsr_hdf5_dialect dialect = TSR_HDF5_OTHER;
    const char *object;
    tsr_hdf5 *h5 = NULL;
    bool found = false;
    for (size_t at = 0; !found && at + sizeof signature <= probe->n; at = at ? 2 * at : 512)
        found = memcmp(probe->head + at, signature, sizeof signature) == 0;
    if (hdf5)
        *hdf5 = found;
    if (!found || !probe->path)
        return dialect;
    if (probe->n > 20 && memcmp(probe->head, "MATLAB 7.3 MAT-file", 19) == 0)
        return TSR_HDF5_MATLAB;
    char *const file = tsr_path_split(&object, probe->path);
    if (file && tsr_hdf5_open(&h5, file, NULL) == TSR_OK)
        dialect = tell_open_file(h5);
    tsr_hdf5_free(h5);
    tsr_free(file);
    return dialect;
}

/* ---- functions for the codecs ---- */

tsr_status tsr_hdf5_open_object(tsr_hdf5 **h5, char **file, const char **object, const char *path,
                                tsr_error *err)
{
    *h5 = NULL;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "cannot read HDF5 from standard input: give a file");
    *file = tsr_path_split(object, path);
    return *file ? tsr_hdf5_open(h5, *file, err) : tsr_fail(err, TSR_NOMEM, "out of memory");
}

tsr_status tsr_hdf5_read_object(tsr_data *out, const char *path, const char *usual,
                                const tsr_read_options *options, tsr_error *err)
{
    tsr_hdf5 *h5;
    char *file = NULL;
    const char *object;
    tsr_status status = tsr_hdf5_open_object(&h5, &file, &object, path, err);
    if (status == TSR_OK)
        status = tsr_hdf5_read_from(out, h5, object, usual, options, err);
    tsr_hdf5_free(h5);
    tsr_free(file);
    return status;
}

/* Describe the matrices of the list. The error of a matrix that cannot be described is stored with the
 * matrix. */
static tsr_status describe_found(tsr_brief *out, tsr_hdf5 *h5, const tsr_text *found, tsr_error *err)
{
    for (size_t at = 0; at < found->nbytes; at += strlen(found->s + at) + 1) {
        tsr_error fault = {0};
        tsr_brief_tensor *const tensor = tsr_brief_add(out, found->s + at + 1);
        if (!tensor)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        if (tsr_hdf5_describe_one(tensor, h5, found->s + at + 1, &fault) == TSR_NOMEM)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        tensor->fault = fault;
    }
    return TSR_OK;
}

tsr_status tsr_hdf5_describe_objects(tsr_brief *out, const char *path, const tsr_read_options *options,
                                     tsr_error *err)
{
    tsr_hdf5 *h5;
    char *file = NULL;
    const char *object;
    tsr_text found = {0};
    (void)options;
    tsr_status status = tsr_hdf5_open_object(&h5, &file, &object, path, err);
    if (status == TSR_OK && object) {
        tsr_brief_tensor *const tensor = tsr_brief_add(out, object);
        status = tensor ? tsr_hdf5_describe_one(tensor, h5, object, err)
                        : tsr_fail(err, TSR_NOMEM, "out of memory");
    } else if (status == TSR_OK) {
        status = tsr_hdf5_find_objects(&found, h5, err);
        if (status == TSR_OK && found.nbytes == 0)
            status = tsr_hdf5_refuse_all(h5, err);
        if (status == TSR_OK)
            status = describe_found(out, h5, &found, err);
    }
    tsr_text_clear(&found);
    tsr_hdf5_free(h5);
    tsr_free(file);
    return status;
}
