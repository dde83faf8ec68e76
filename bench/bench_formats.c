/* The storage formats that are compared: see bench_formats.h. */
#include "bench_formats.h"

#include <string.h>

#include "tsr_pack.h"

/* ---- which ---- */

/* The modes of the sparse operand: those of the result in its order, then the others, short ones first. */
static void suitable_modes(int *modes, const bench_case *c)
{
    const tsr_expr *const access = tsr_notation_access(c->notation, c->sparse);
    const int nfree = c->notation->nfree;
    for (int n = 0; n < access->nindices; n++) {
        int at = n;
        for (; at > 0; at--) {
            const int mine = access->index[n], other = access->index[modes[at - 1]];
            const bool before = mine < nfree || other < nfree ? mine < other : c->size[mine] < c->size[other];
            if (!before)
                break;
            modes[at] = modes[at - 1];
        }
        modes[at] = n;
    }
}

/* Append ":1,0,2": these modes, unless they are in order. */
static void add_suitable_modes(tsr_text *to, const bench_case *c)
{
    int modes[TSR_NOTATION_MAX_ORDER];
    bool natural = true;
    suitable_modes(modes, c);
    for (int m = 0; m < c->coo->order; m++)
        natural &= modes[m] == m;
    for (int m = 0; m < c->coo->order && !natural; m++)
        tsr_text_addf(to, "%c%d", m == 0 ? ':' : ',', modes[m]);
}

static tsr_status add(bench_formats *formats, const bench_case *c, const char *text, size_t nbytes,
                      tsr_error *err)
{
    if (formats->n == BENCH_MAX_FORMATS)
        return tsr_fail(err, TSR_LIMIT, "there are more than %d formats to compare", BENCH_MAX_FORMATS);
    tsr_text *const to = &formats->text[formats->n++];
    tsr_text_add_n(to, text, nbytes);
    if (nbytes == 3 && strncmp(text, "csf", 3) == 0)
        add_suitable_modes(to, c);
    return tsr_text_status(to, err);
}

/* The mode that suits dense, and coordinates below it: duq in order 3, duqq in order 4. */
static tsr_status add_rows(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    tsr_text text = {0};
    tsr_text_add(&text, "du");
    for (int m = 2; m < c->coo->order; m++)
        tsr_text_add(&text, "q");
    add_suitable_modes(&text, c);
    const tsr_status status = add(formats, c, tsr_text_cstr(&text), text.nbytes, err);
    tsr_text_clear(&text);
    return status;
}

/* Named formats with parameters that have no defaults, as --formats=all takes them. */
static const struct {
    const char *name, *text;
} with_parameters[] = {{"bcsr", "bcsr(2,2)"},   {"bcsrc", "bcsrc(2,2)"}, {"bcsc", "bcsc(2,2)"},
                       {"bcscc", "bcscc(2,2)"}, {"dbcsr", "dbcsr(2,2)"}, {"dbcsc", "dbcsc(2,2)"},
                       {"bcsf", "bcsf(2)"},     {"csb", "csb(4096)"},    {"csbc", "csbc(2048,32768)"},
                       {"bdia", "bdia(256)"},   {"bvec", "bvec(4)"},     {"tiled", "tiled(8,8)"},
                       {"nn", "nn(8,8)"},       {"nz", "nz(8,8)"},       {"zn", "zn(8,8)"}};

static tsr_status add_all(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    for (const tsr_named_format *named = tsr_named_formats; named->name; named++) {
        tsr_format *format = NULL;
        const char *text = named->name;
        for (size_t i = 0; i < sizeof with_parameters / sizeof *with_parameters; i++)
            if (strcmp(with_parameters[i].name, text) == 0)
                text = with_parameters[i].text;
        if (strcmp(text, "coodup") == 0 || /* coo, but for what it promises */
            tsr_format_parse(&format, text, c->coo->order, c->coo->dims, NULL) != TSR_OK)
            continue;
        const double bound = tsr_pack_nbytes_bound(format, c->coo->dims, c->type, c->coo->nnz, TSR_INDEX_32);
        tsr_format_free(format);
        if (bound <= 64.0 * (double)tsr_coo_nbytes(c->coo))
            TSR_TRY(add(formats, c, text, strlen(text), err));
    }
    return TSR_OK;
}

/* Where the item that begins at s ends. */
static const char *item_end(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        depth +=
            (*s == '(' || *s == '<' || *s == '{') - (*s == ')' || *s == '}' || (*s == '>' && s[-1] != '-'));
        if (*s == ',' && depth <= 0 && !(s[1] >= '0' && s[1] <= '9'))
            break;
    }
    return s;
}

/* The csf whose first mode is at the root, which serves all modes, where another suits this one. */
static tsr_status add_natural(bench_formats *formats, const bench_case *c, tsr_error *err)
{
    tsr_text text = {0};
    tsr_text_add(&text, "csf");
    for (int m = 0; m < c->coo->order; m++)
        tsr_text_addf(&text, "%c%d", m == 0 ? ':' : ',', m);
    bool is_there = false;
    for (int f = 0; f < formats->n; f++)
        is_there |= strcmp(tsr_text_cstr(&formats->text[f]), "csf") == 0;
    const tsr_status status = is_there ? TSR_OK : add(formats, c, tsr_text_cstr(&text), text.nbytes, err);
    tsr_text_clear(&text);
    return status;
}

tsr_status bench_formats_init(bench_formats *out, const char *text, const bench_case *c, tsr_error *err)
{
    static const char *const suitable[] = {
        "cvec,dvec", "cvec,dvec", "coo,csr,csc,dcsr,hicoo(128),csbc(2048,32768)", "coo,csf,hicoo(128)"};
    *out = (bench_formats){0};
    if (text && strcmp(text, "all") == 0)
        return add_all(out, c, err);
    const bool is_default = !text, has_modes = c->coo->order > 2 && bench_kernel_has_modes(c->kernel);
    const bool takes_trees = is_default && has_modes && !bench_kernel_takes_all_modes(c->kernel);
    if (takes_trees)
        text = "csf,dss"; /* only trees have the pattern of the result */
    if (!text)
        text = suitable[c->coo->order < 3 ? c->coo->order : 3];
    for (const char *s = text; *s;) {
        const char *const end = item_end(s);
        if (end > s)
            TSR_TRY(add(out, c, s, (size_t)(end - s), err));
        s = *end ? end + 1 : end;
    }
    if (is_default && c->coo->order > 2 && !takes_trees)
        TSR_TRY(add_rows(out, c, err));
    if (is_default && has_modes && bench_kernel_takes_all_modes(c->kernel))
        TSR_TRY(add_natural(out, c, err));
    return out->n ? TSR_OK : tsr_fail(err, TSR_ARGUMENT, "--formats=%s names no format", text);
}

void bench_formats_clear(bench_formats *formats)
{
    for (int i = 0; i < formats->n; i++)
        tsr_text_clear(&formats->text[i]);
    *formats = (bench_formats){0};
}

/* ---- the result's ---- */

/* The index of variable v in the access, or -1. */
static int find_index(const tsr_expr *access, int v)
{
    for (int m = 0; m < access->nindices; m++)
        if (access->index[m] == v)
            return m;
    return -1;
}

tsr_status bench_result_format(tsr_format **out, const bench_case *c, const tsr_format *format,
                               tsr_error *err)
{
    const tsr_expr *const result = c->notation->result, *const access =
                                                            tsr_notation_access(c->notation, c->sparse);
    int perm[TSR_MAX_ORDER], modes[TSR_MAX_ORDER], n = 0;
    char letters[TSR_MAX_ORDER + 1] = "";
    *out = NULL;
    if (c->ncells <= 16.0 * (double)c->coo->nnz || c->ncells <= 1 << 20)
        return TSR_OK;
    if (result->nindices == access->nindices &&
        memcmp(result->index, access->index, (size_t)result->nindices * sizeof *result->index) == 0)
        return tsr_format_copy(out, format, err);
    if (tsr_format_is_permutation(format, perm))
        for (int l = 0; l < format->nlevels; l++) {
            const int m = find_index(result, access->index[perm[l]]);
            if (m < 0)
                break;
            if (format->levels[l].nonunique || strcmp(format->levels[l].type->name, "singleton") == 0) {
                n = 0;
                break;
            }
            letters[n] = strcmp(format->levels[l].type->name, "dense") == 0 ? 'd' : 's';
            modes[n++] = m;
        }
    for (int m = 0; m < result->nindices; m++)
        if (find_index(access, result->index[m]) < 0) {
            letters[n] = 'd';
            modes[n++] = m;
        }
    if (n != result->nindices)
        return tsr_fail(err, TSR_UNSUPPORTED, "the result would be sparse, with no pattern to take");
    tsr_text text = {0};
    tsr_text_add(&text, letters);
    for (int m = 0; m < n; m++)
        tsr_text_addf(&text, "%c%d", m == 0 ? ':' : ',', modes[m]);
    const tsr_status status = tsr_format_parse(out, tsr_text_cstr(&text), n, NULL, err);
    tsr_text_clear(&text);
    return status;
}
