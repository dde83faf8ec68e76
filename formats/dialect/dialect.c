/* Finding the matrices in a container of other software: see dialect.h and dialects.md. */
#include "dialect_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tsr_shown.h"

const tsr_dialect *const tsr_dialects[] = {
#define X(name) &tsr_dialect_##name,
#include "dialects.def"
#undef X
    NULL,
};

/* ---- one object ---- */

bool tsr_form_has_text(tsr_container *c, const char *name, const char *attribute, const char *text)
{
    char *found;
    const bool has = tsr_container_text_of(&found, c, name, attribute, NULL) == TSR_OK && found &&
                     (!text || strcmp(found, text) == 0);
    tsr_free(found);
    return has;
}

bool tsr_form_is_marked(tsr_container *c, const char *name, const char *attribute)
{
    int64_t mark = 0;
    return tsr_container_integers_of(&mark, 1, c, name, attribute) == 1 && mark != 0;
}

static bool has_members(tsr_container *c, const char *const *names)
{
    for (; *names; names++)
        if (tsr_container_look_up(c, *names) != TSR_NODE_ARRAY)
            return false;
    return true;
}

/* Whether an attribute of the member shows the form. */
static bool has_mark(const tsr_form *f, tsr_container *c, const char *name)
{
    int64_t n;
    for (int i = 0; i < 2; i++)
        if (f->marks[i].attribute && tsr_form_has_text(c, name, f->marks[i].attribute, f->marks[i].text))
            return true;
    return f->rows && tsr_container_integers_of(&n, 1, c, name, f->rows) == 1;
}

/* Whether the current group has the members of the form. May enter a group. */
static bool fits_group(const tsr_form *f, tsr_container *c)
{
    if (f->is)
        return f->is(c, NULL, NULL);
    if (!f->members)
        return false;
    if (!f->inside)
        return has_members(c, f->members);
    return tsr_container_look_up(c, f->inside) == TSR_NODE_GROUP &&
           tsr_container_enter(c, f->inside, NULL) == TSR_OK && has_members(c, f->members);
}

/* The next form of groups or of arrays of all dialects; *at counts from {0, 0} on. */
typedef struct place {
    int dialect, form;
} place;
static const tsr_form *next_form(place *at, bool array)
{
    for (; tsr_dialects[at->dialect]; at->dialect++, at->form = 0) {
        const tsr_form *const *const forms = tsr_dialects[at->dialect]->forms;
        while (forms && forms[at->form])
            if (forms[at->form++]->array == array)
                return forms[at->form - 1];
    }
    return NULL;
}

/* Make the group at the path, from the root, the current group. */
static bool go_to(tsr_container *c, const char *parent, const char *name)
{
    return tsr_container_leave(c, NULL) == TSR_OK && tsr_container_enter(c, parent, NULL) == TSR_OK &&
           (!name || tsr_container_enter(c, name, NULL) == TSR_OK);
}

/* The form of the group `name` that an attribute shows. */
static const tsr_form *form_by_mark(tsr_container *c, const char *name)
{
    const tsr_form *f;
    for (place at = {0}; (f = next_form(&at, false)) != NULL;)
        if (has_mark(f, c, name))
            return f;
    return NULL;
}

static const tsr_form *form_of_group(tsr_container *c, const char *name, const char *parent)
{
    const tsr_form *found = form_by_mark(c, name), *f;
    if (found)
        return found;
    bool inside = tsr_container_enter(c, name, NULL) == TSR_OK;
    for (place at = {0}; inside && !found && (f = next_form(&at, false)) != NULL;) {
        found = fits_group(f, c) ? f : NULL;
        if (!found && f->inside)
            inside = go_to(c, parent, name);
    }
    return go_to(c, parent, NULL) ? found : NULL;
}

static const tsr_form *form_of_array(tsr_container *c, const char *name)
{
    tsr_stored array;
    char storage[TSR_STORAGE_NBYTES];
    const tsr_status status = tsr_container_glance(&array, storage, c, name, true, NULL);
    if (status != TSR_OK &&
        status != TSR_UNSUPPORTED) /* such as an array with a filter: reading it says which */
        return NULL;
    const tsr_form *f;
    for (place at = {0}; (f = next_form(&at, true)) != NULL;)
        if (has_mark(f, c, name) || (f->is && f->is(c, name, &array)))
            return f;
    return NULL;
}

const tsr_form *tsr_form_of(tsr_container *c, const char *parent, const char *name)
{
    switch (tsr_container_look_up(c, name)) {
    case TSR_NODE_GROUP:
        return form_of_group(c, name, parent);
    case TSR_NODE_ARRAY:
        return form_of_array(c, name);
    default:
        return NULL;
    }
}

/* ---- all objects ---- */

enum { MAX_DEPTH = 6, MAX_FOUND = 64, MAX_VISITED = 2000 };

typedef struct search {
    tsr_container *c;
    tsr_text *found; /* see tsr_dialect_find_objects */
    int nfound, nvisited;
    tsr_error *err;
} search;

static tsr_status search_group(search *s, const char *path, int depth)
{
    tsr_text names = {0}, child = {0};
    tsr_status status;
    TSR_TRY_OUT(tsr_container_leave(s->c, s->err));
    TSR_TRY_OUT(tsr_container_enter(s->c, path, s->err));
    TSR_TRY_OUT(tsr_container_list(&names, s->c, s->err));
    for (size_t at = 0; at < names.nbytes && s->nfound < MAX_FOUND && s->nvisited++ < MAX_VISITED;
         at += strlen(names.s + at) + 1) {
        const char *const name = names.s + at + 1;
        if (*name == '#' || strncmp(name, "__", 2) == 0)
            continue;
        const tsr_form *const form = tsr_form_of(s->c, path, name);
        tsr_text_clear(&child);
        tsr_text_addf(&child, "%s%s%s", path, *path ? "/" : "", name);
        TSR_TRY_OUT(tsr_text_status(&child, s->err));
        if (form && !form->unlisted) {
            tsr_text_add_n(s->found, form->sparse ? "s" : "d", 1);
            tsr_text_add_n(s->found, child.s, child.nbytes + 1);
            s->nfound++;
        } else if (names.s[at] == 'g' && depth < MAX_DEPTH) {
            TSR_TRY_OUT(search_group(s, child.s, depth + 1));
            TSR_TRY_OUT(tsr_container_leave(s->c, s->err));
            TSR_TRY_OUT(tsr_container_enter(s->c, path, s->err));
        }
    }
out:
    tsr_text_clear(&names);
    tsr_text_clear(&child);
    return status;
}

tsr_status tsr_dialect_find_objects(tsr_text *found, tsr_container *c, tsr_error *err)
{
    search s = {.c = c, .found = found, .err = err};
    TSR_TRY(tsr_container_leave(c, err));
    /* Zarr, archives: the root is a matrix */
    const tsr_node root = tsr_container_look_up(c, "");
    const tsr_form *const form = root != TSR_NODE_GROUP ? NULL
                                 : c->type->one_group   ? tsr_form_of(c, "", "")
                                                        : form_by_mark(c, "");
    if (root == TSR_NODE_ARRAY || form) {
        tsr_text_add_n(found, form && form->sparse ? "s" : "d", 2);
        return tsr_text_status(found, err);
    }
    TSR_TRY(search_group(&s, "", 0));
    TSR_TRY(tsr_container_leave(c, err));
    return tsr_text_status(found, err);
}

tsr_status tsr_dialect_refuse_all(tsr_container *c, tsr_error *err)
{
    enum { MOST = 12 };
    char shown[TSR_SHOWN_NBYTES];
    tsr_text names = {0}, list = {0};
    int n = 0;
    const bool listed =
        tsr_container_leave(c, NULL) == TSR_OK && tsr_container_list(&names, c, NULL) == TSR_OK;
    for (size_t at = 0; listed && at < names.nbytes && n <= MOST; at += strlen(names.s + at) + 1, n++) {
        const char *const name = names.s + at + 1;
        char *kind = NULL;
        if (n == MOST) {
            tsr_text_add(&list, ", ...");
            continue;
        }
        tsr_text_addf(&list, "%s%s", n > 0 ? ", " : ": the file has ", tsr_show(shown, name));
        if (tsr_container_text_of(&kind, c, name, "encoding-type", NULL) == TSR_OK && kind)
            tsr_text_addf(&list, " (%s)", tsr_show(shown, kind));
        tsr_free(kind);
    }
    const tsr_status status =
        tsr_fail(err, TSR_UNSUPPORTED, "has no matrix that is supported%s", tsr_text_cstr(&list));
    tsr_text_clear(&names);
    tsr_text_clear(&list);
    return status;
}

tsr_status tsr_dialect_refuse_missing(tsr_container *c, const char *path, tsr_error *err)
{
    enum { MOST = 12 };
    char shown[TSR_SHOWN_NBYTES];
    tsr_text found = {0}, list = {0};
    tsr_error ignored;
    int n = 0;
    const bool searched = tsr_dialect_find_objects(&found, c, &ignored) == TSR_OK;
    for (size_t at = 0; searched && at < found.nbytes; at += strlen(found.s + at) + 1, n++)
        if (n < MOST)
            tsr_text_addf(&list, "%s%s", n > 0 ? ", " : "; it has: ", tsr_show(shown, found.s + at + 1));
    const tsr_status status = tsr_fail(err, TSR_ARGUMENT, "has no object '%s'%s%s", tsr_show(shown, path),
                                       tsr_text_cstr(&list), n > MOST ? ", ..." : "");
    tsr_text_clear(&found);
    tsr_text_clear(&list);
    return status;
}

/* ---- whole files ---- */

/* The dialect that has the form. */
static const tsr_dialect *dialect_of(const tsr_form *form)
{
    for (const tsr_dialect *const *d = tsr_dialects; *d; d++)
        for (const tsr_form *const *f = (*d)->forms; f && *f; f++)
            if (*f == form)
                return *d;
    return NULL;
}

/* The dialect that one member of the root shows; NULL: none. */
static const tsr_dialect *dialect_of_member(tsr_container *c, bool group, const char *name)
{
    for (const tsr_dialect *const *d = tsr_dialects; *d; d++)
        if ((*d)->claims_member && (*d)->claims_member(c, group, name))
            return *d;
    return group ? dialect_of(tsr_form_of(c, "", name)) : NULL;
}

static const tsr_dialect *find_in_root(tsr_container *c)
{
    tsr_text names = {0};
    const tsr_dialect *found = NULL;
    const bool listed = tsr_container_list(&names, c, NULL) == TSR_OK;
    for (size_t at = 0; listed && at < names.nbytes && !found; at += strlen(names.s + at) + 1)
        found = dialect_of_member(c, names.s[at] == 'g', names.s + at + 1);
    tsr_text_clear(&names);
    return found;
}

/* Files before AnnData 0.7, and those of other programs with its sparse matrices, have no mark at the root: look for
 * the tables and for a sparse matrix. */
static bool has_old_anndata(tsr_container *c)
{
    tsr_text found = {0};
    bool has =
        tsr_container_look_up(c, "obs") != TSR_NODE_NONE && tsr_container_look_up(c, "var") != TSR_NODE_NONE;
    if (!has && tsr_dialect_find_objects(&found, c, NULL) == TSR_OK)
        for (size_t at = 0; at < found.nbytes && !has; at += strlen(found.s + at) + 1) {
            char *const parent = found.s + at + 1, *const slash = strrchr(parent, '/');
            if (slash)
                *slash = '\0';
            const tsr_form *const form = go_to(c, slash ? parent : "", NULL)
                                             ? tsr_form_of(c, slash ? parent : "", slash ? slash + 1 : parent)
                                             : NULL;
            has = dialect_of(form) == &tsr_dialect_h5ad;
            if (slash)
                *slash = '/';
        }
    tsr_text_clear(&found);
    return has;
}

/* Determine the dialect of an open file, whose current group is the root. */
static const tsr_dialect *tell_open_file(tsr_container *c)
{
    for (const tsr_dialect *const *d = tsr_dialects; *d; d++)
        if ((*d)->claims && (*d)->claims(c))
            return *d;
    const tsr_dialect *const found = find_in_root(c);
    return found ? found : has_old_anndata(c) ? &tsr_dialect_h5ad : NULL;
}

/* Whether the file begins like one of HDF5: at byte 0, 512, 1024... */
static bool is_hdf5(const tsr_probe *probe)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    bool found = false;
    for (size_t at = 0; !found && at + sizeof signature <= probe->n; at = at ? 2 * at : 512)
        found = memcmp(probe->head + at, signature, sizeof signature) == 0;
    return found;
}

/* Open the file of the probe; NULL: it cannot be opened. */
static tsr_container *open_probed(const tsr_probe *probe)
{
    tsr_container *c = NULL;
    const char *object;
    char *const file = probe->path ? tsr_path_split(&object, probe->path) : NULL;
    if (file && tsr_container_open(&c, file, NULL) != TSR_OK)
        c = NULL;
    tsr_free(file);
    return c;
}

const tsr_dialect *tsr_dialect_tell_hdf5(bool *hdf5, const tsr_probe *probe)
{
    const tsr_dialect *dialect = NULL;
    const bool found = is_hdf5(probe);
    if (hdf5)
        *hdf5 = found;
    if (found && probe->path && probe->n > 20 && memcmp(probe->head, "MATLAB 7.3 MAT-file", 19) == 0)
        return &tsr_dialect_mat;
    tsr_container *const c = found ? open_probed(probe) : NULL;
    if (c)
        dialect = tell_open_file(c);
    tsr_container_free(c);
    return dialect;
}

const tsr_container_type *tsr_dialect_tell_container(bool *binsparse, const tsr_probe *probe)
{
    const bool zip = probe->n >= 4 && memcmp(probe->head, "PK\3\4", 4) == 0;
    tsr_container *const c = probe->n == 0 || zip ? open_probed(probe) : NULL;
    const tsr_container_type *const type = c ? c->type : NULL;
    if (binsparse)
        *binsparse = c && !tsr_dialect_h5ad.claims(c) && tsr_dialect_binsparse.claims(c);
    tsr_container_free(c);
    return type;
}

/* ---- functions for the codecs ---- */

tsr_status tsr_dialect_read_object(tsr_data *out, const char *path, const char *usual,
                                   const tsr_read_options *options, tsr_error *err)
{
    tsr_container *c;
    char *file = NULL;
    const char *object;
    tsr_status status = tsr_container_open_object(&c, &file, &object, path, err);
    if (status == TSR_OK)
        status = tsr_dialect_read_from(out, c, object, usual, options, err);
    tsr_container_free(c);
    tsr_free(file);
    return status;
}

/* Describe the matrices of the list. The error of a matrix that cannot be described is stored with the
 * matrix. */
static tsr_status describe_found(tsr_brief *out, tsr_container *c, const tsr_text *found, tsr_error *err)
{
    for (size_t at = 0; at < found->nbytes; at += strlen(found->s + at) + 1) {
        tsr_error fault = {0};
        tsr_brief_tensor *const tensor = tsr_brief_add(out, found->s + at + 1);
        if (!tensor)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        if (tsr_dialect_describe_one(tensor, c, found->s + at + 1, &fault) == TSR_NOMEM)
            return tsr_fail(err, TSR_NOMEM, "out of memory");
        tensor->fault = fault;
    }
    return TSR_OK;
}

tsr_status tsr_dialect_describe_objects(tsr_brief *out, const char *path, const tsr_read_options *options,
                                        tsr_error *err)
{
    tsr_container *c;
    char *file = NULL;
    const char *object;
    tsr_text found = {0};
    (void)options;
    tsr_status status = tsr_container_open_object(&c, &file, &object, path, err);
    if (status == TSR_OK && object) {
        tsr_brief_tensor *const tensor = tsr_brief_add(out, object);
        status = tensor ? tsr_dialect_describe_one(tensor, c, object, err)
                        : tsr_fail(err, TSR_NOMEM, "out of memory");
    } else if (status == TSR_OK) {
        status = tsr_dialect_find_objects(&found, c, err);
        if (status == TSR_OK && found.nbytes == 0)
            status = tsr_dialect_refuse_all(c, err);
        if (status == TSR_OK)
            status = describe_found(out, c, &found, err);
    }
    tsr_text_clear(&found);
    tsr_container_free(c);
    tsr_free(file);
    return status;
}
