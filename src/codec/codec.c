/* Choosing a codec for a file, and reading with it. */
#include "codec_internal.h"

#include <string.h>

#include "tsr_brief.h"
#include "tsr_suggest.h"
#include "tsr_version.h"

enum {
    HEAD_NBYTES = 1 << 16, /* the codecs see this part of a file */
    SURE = 90,             /* a score from this one on (a magic number) beats the suffix */
    CERTAIN = 100,         /* the file is of this codec alone */
};

static void add_names(tsr_text *text)
{
    for (int i = 0; tsr_codecs[i]; i++)
        tsr_text_addf(text, "%s%s", i ? ", " : "", tsr_codecs[i]->name);
}

/* Append the suffixes of all codecs that can write. */
static void add_suffixes(tsr_text *text)
{
    int n = 0;
    for (int i = 0; tsr_codecs[i]; i++)
        for (const char *const *s = tsr_codecs[i]->suffixes;
             *s && (tsr_codecs[i]->write_coo || tsr_codecs[i]->write_tensor); s++)
            tsr_text_addf(text, "%s%s", n++ ? ", " : "", *s);
}

tsr_status tsr_codec_by_name(const tsr_codec **out, const char *name, tsr_error *err)
{
    *out = NULL;
    for (int i = 0; tsr_codecs[i]; i++)
        if (strcmp(name, tsr_codecs[i]->name) == 0) {
            *out = tsr_codecs[i];
            return TSR_OK;
        }
    tsr_suggest suggest;
    tsr_suggest_begin(&suggest, name, strlen(name));
    for (int i = 0; tsr_codecs[i]; i++)
        tsr_suggest_offer(&suggest, tsr_codecs[i]->name);
    for (int i = 0; tsr_codecs[i]; i++)
        for (const char *const *s = tsr_codecs[i]->suffixes; *s; s++)
            tsr_suggest_alias(&suggest, **s == '.' ? *s + 1 : *s, tsr_codecs[i]->name);
    return tsr_suggest_fail(&suggest, TSR_ARGUMENT, 0, "file format", err);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether the first n bytes of path end in the suffix, in upper or lower case, with a name before it. */
static bool ends_in(const char *path, size_t n, const char *suffix)
{
    const size_t k = strlen(suffix);
    if (n <= k || path[n - k - 1] == '/')
        return false;
    for (size_t i = 0; i < k; i++)
        if (lower(path[n - k + i]) != suffix[i])
            return false;
    return true;
}

/* The codec that has the longest suffix of the name: .10x.h5 comes before .h5. */
static const tsr_codec *find_suffix(const char *path, size_t n)
{
    const tsr_codec *found = NULL;
    size_t longest = 0;
    if (ends_in(path, n, ".gz"))
        n -= 3;
    for (int i = 0; tsr_codecs[i]; i++)
        for (const char *const *s = tsr_codecs[i]->suffixes; *s; s++)
            if (strlen(*s) > longest && ends_in(path, n, *s)) {
                found = tsr_codecs[i];
                longest = strlen(*s);
            }
    return found;
}

/* The codec of the path's suffix; else, for codecs with groups, of the suffix before a ':' (names of groups
 * may contain ':', too); NULL where there is none. */
static const tsr_codec *suffix_codec(const char *path)
{
    const tsr_codec *found = find_suffix(path, strlen(path));
    for (const char *colon = path; !found && (colon = strchr(colon, ':')) != NULL; colon++) {
        found = find_suffix(path, (size_t)(colon - path));
        if (found && !found->has_groups)
            found = NULL;
    }
    return found;
}

/* Open the longest file that a prefix of the path before a ':' names. *out is NULL where none can be
 * opened. */
static tsr_status open_before_colon(tsr_input **out, const char *path, const tsr_observer *observer,
                                    tsr_error *err)
{
    tsr_text file = {0};
    *out = NULL;
    tsr_text_add(&file, path);
    const tsr_status status = tsr_text_status(&file, err);
    for (char *colon;
         status == TSR_OK && !*out && (colon = strrchr(file.s, ':')) != NULL && colon > file.s;) {
        *colon = '\0';
        if (tsr_input_open(out, file.s, 0, observer, NULL) != TSR_OK)
            *out = NULL;
    }
    tsr_text_clear(&file);
    return status;
}

/* The codec, by content, of an existing file in "file:group", whatever the name of the file; NULL where
 * there is not such a file, or its codec does not have groups. */
static tsr_status group_codec(const tsr_codec **out, const char *path, tsr_error *err);

void tsr_warn_dropped_labels(const tsr_observer *observer, const char *path, const tsr_codec *codec)
{
    tsr_warn(observer, path, 0,
             "%s files cannot store names of rows and columns, which are dropped: to keep them, use tconv's "
             "--labels=PREFIX, which writes them to text files",
             codec->name);
}

tsr_status tsr_codec_by_suffix(const tsr_codec **out, const char *path, tsr_error *err)
{
    *out = suffix_codec(path);
    if (!*out)
        TSR_TRY(group_codec(out, path, err));
    if (*out)
        return TSR_OK;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT,
                        "standard output does not have a suffix: name the file format with --to");
    tsr_text suffixes = {0};
    add_suffixes(&suffixes);
    const tsr_status status = tsr_fail_at(
        err, TSR_ARGUMENT, path, 0, 0,
        "unknown suffix: use --to, or one of the known suffixes: %s (and .gz after them)%s%s",
        tsr_text_cstr(&suffixes), *tsr_left_out() ? "; this build is without " : "", tsr_left_out());
    tsr_text_clear(&suffixes);
    return status;
}

/* TSR_UNSUPPORTED, with advice, for a file of a known kind that no codec can read. */
static tsr_status refuse_foreign(const char *path, const tsr_probe *probe, tsr_error *err)
{
    for (const tsr_foreign *f = tsr_foreign_kinds; f->name; f++)
        if (f->claims(probe))
            return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "is %s, which is not supported: %s", f->name,
                               f->advice);
    return TSR_OK;
}

/* The codec that is surest to read the file; *score: how sure, 0 with NULL. */
static const tsr_codec *ask_all(int *score, const tsr_probe *probe)
{
    const tsr_codec *best = NULL;
    *score = 0;
    for (int i = 0; tsr_codecs[i]; i++) {
        const int claim = tsr_codecs[i]->probe ? tsr_codecs[i]->probe(probe) : 0;
        if (claim > *score) {
            best = tsr_codecs[i];
            *score = claim;
        }
    }
    return best;
}

/* Choose by content where a codec is sure, else by suffix, else by the most likely content. */
static tsr_status choose(const tsr_codec **out, tsr_choice *why, const char *path, tsr_input *input,
                         tsr_error *err)
{
    const char *head;
    size_t n;
    int best_score;
    TSR_TRY(tsr_input_peek(&head, &n, input, HEAD_NBYTES, err));
    const tsr_probe probe = {.head = (const unsigned char *)(head ? head : ""),
                             .n = n,
                             .path = tsr_input_is_file(input) && !tsr_input_is_gzip(input) ? path : NULL};
    const tsr_codec *const best = ask_all(&best_score, &probe);
    if (best_score < CERTAIN)
        TSR_TRY(refuse_foreign(path, &probe, err));
    const tsr_codec *named = suffix_codec(path);
    *out = named && best_score < SURE ? named : best;
    *why = named && named == *out ? TSR_CHOSEN_BY_SUFFIX : TSR_CHOSEN_BY_CONTENT;
    if (*out)
        return TSR_OK;
    if (n == 0)
        return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "the file is empty");
    tsr_text names = {0};
    add_names(&names);
    const tsr_status status =
        tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                    "unknown file format: the content does not look like any of %s", tsr_text_cstr(&names));
    tsr_text_clear(&names);
    return status;
}

static tsr_status group_codec(const tsr_codec **out, const char *path, tsr_error *err)
{
    tsr_input *input;
    tsr_choice why;
    TSR_TRY(open_before_colon(&input, path, NULL, err));
    if (input && (choose(out, &why, path, input, NULL) != TSR_OK || !(*out)->has_groups))
        *out = NULL;
    tsr_input_free(input);
    return TSR_OK;
}

/* Open the path, or, where this file does not exist, the file of "file:group", and choose the codec. *out is
 * NULL when the path leads to a folder that a codec reads. */
static tsr_status open_and_choose(tsr_input **out, const tsr_codec **codec, tsr_choice *why, const char *path,
                                  const tsr_observer *observer, tsr_error *err)
{
    tsr_status status = tsr_input_open(out, path, 0, observer, err);
    bool group = false;
    if (status == TSR_IO && strchr(path, ':')) {
        TSR_TRY(open_before_colon(out, path, observer, err));
        group = *out != NULL;
        status = group ? TSR_OK : TSR_IO;
    }
    if (status == TSR_IO) { /* a folder, which cannot be opened, may be a store */
        const tsr_probe probe = {.head = (const unsigned char *)"", .path = path};
        int score;
        *codec = ask_all(&score, &probe);
        *why = TSR_CHOSEN_BY_CONTENT;
        if (score >= CERTAIN)
            return TSR_OK;
        TSR_TRY(refuse_foreign(path, &probe, err));
    }
    TSR_TRY(status);
    status = choose(codec, why, path, *out, err);
    if (status == TSR_OK && group && !(*codec)->has_groups)
        status = tsr_fail_at(err, TSR_IO, path, 0, 0,
                             "the file does not exist, and %s files do not have groups", (*codec)->name);
    if (status != TSR_OK) {
        tsr_input_free(*out);
        *out = NULL;
    }
    return status;
}

tsr_status tsr_codec_by_content(const tsr_codec **out, const char *path, tsr_error *err)
{
    tsr_input *input;
    tsr_choice why;
    const tsr_codec *found;
    *out = NULL;
    TSR_TRY(open_and_choose(&input, &found, &why, path, NULL, err));
    tsr_input_free(input);
    *out = found;
    return TSR_OK;
}

tsr_status tsr_codec_of_input(const tsr_codec **out, const char *name, tsr_input *input, tsr_error *err)
{
    tsr_choice why;
    return choose(out, &why, name, input, err);
}

static tsr_status read_checked(void *out, const char *path, const tsr_codec *codec,
                               const tsr_read_options *options, tsr_error *err)
{
    if (!codec->read)
        return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "%s files can only be written", codec->name);
    const tsr_status status = codec->read(out, path, options, err);
    ((tsr_data *)out)->codec = codec;
    if (status != TSR_OK) {
        tsr_data_clear(out);
        tsr_error_set_path(err, path);
    }
    return status;
}

static tsr_status describe_checked(void *out, const char *path, const tsr_codec *codec,
                                   const tsr_read_options *options, tsr_error *err)
{
    tsr_brief *const brief = out;
    if (!codec->describe)
        return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0,
                           "%s files do not have headers to describe: read the file instead", codec->name);
    brief->codec = codec;
    const tsr_status status = codec->describe(brief, path, options, err);
    if (status != TSR_OK) {
        tsr_brief_clear(brief);
        tsr_error_set_path(err, path);
    }
    return status;
}

tsr_status tsr_codec_use(tsr_codec_call *call, tsr_error *err)
{
    static const tsr_read_options defaults = {0};
    tsr_read_options own = call->options ? *call->options : defaults;
    const tsr_codec *codec = call->codec;
    if (!codec && own.input)
        TSR_TRY(choose(&codec, &own.choice, call->path, own.input, err));
    else if (!codec)
        TSR_TRY(open_and_choose(&call->opened, &codec, &own.choice, call->path, own.observer, err));
    if (call->opened && codec->streams)
        own.input = call->opened; /* a pipe cannot be opened again */
    if (own.input && !codec->streams)
        return tsr_fail_at(err, TSR_UNSUPPORTED, call->path, 0, 0, "%s cannot be read from a pipe",
                           codec->name);
    return call->use(call->out, call->path, codec, &own, err);
}

tsr_status tsr_read(tsr_data *out, const char *path, const tsr_codec *codec, const tsr_read_options *options,
                    tsr_error *err)
{
    tsr_codec_call call = {path, codec, options, read_checked, out, NULL};
    memset(out, 0, sizeof *out);
    const tsr_status status = tsr_codec_use(&call, err);
    tsr_input_free(call.opened);
    return status;
}

tsr_status tsr_describe(tsr_brief *brief, const char *path, const tsr_codec *codec,
                        const tsr_read_options *options, tsr_error *err)
{
    tsr_codec_call call = {path, codec, options, describe_checked, brief, NULL};
    memset(brief, 0, sizeof *brief);
    const tsr_status status = tsr_codec_use(&call, err);
    tsr_input_free(call.opened);
    return status;
}
