/* Finding a codec, and reading through it: see tsr_codec.h. */
#include "tsr_brief.h"

#include <string.h>

enum {
    HEAD_NBYTES = 1 << 16, /* how much of a file the codecs get to see */
    SURE = 90,             /* a magic number: beats the suffix */
};

void tsr_data_clear(tsr_data *data)
{
    tsr_coo_free(data->coo);
    tsr_tensor_free(data->tensor);
    data->coo = NULL;
    data->tensor = NULL;
}

static void add_names(tsr_text *text)
{
    for (int i = 0; tsr_codecs[i]; i++)
        tsr_text_addf(text, "%s%s", i ? ", " : "", tsr_codecs[i]->name);
}

static void add_suffixes(tsr_text *text)
{
    int n = 0;
    for (int i = 0; tsr_codecs[i]; i++)
        for (const char *const *s = tsr_codecs[i]->suffixes; *s; s++)
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
    tsr_text names = {0};
    add_names(&names);
    const tsr_status status = tsr_fail(err, TSR_ARGUMENT, "no file format is called '%.40s': there are %s",
                                       name, tsr_text_cstr(&names));
    tsr_text_clear(&names);
    return status;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether the first n bytes of path end in the suffix, in any case, with a name before it. */
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

static const tsr_codec *find_suffix(const char *path, size_t n)
{
    if (ends_in(path, n, ".gz"))
        n -= 3;
    for (int i = 0; tsr_codecs[i]; i++)
        for (const char *const *s = tsr_codecs[i]->suffixes; *s; s++)
            if (ends_in(path, n, *s))
                return tsr_codecs[i];
    return NULL;
}

/* The codec of the path's suffix, or of what stands before a ':' (group names may hold more of them), or
 * NULL. */
static const tsr_codec *suffix_codec(const char *path)
{
    const tsr_codec *found = find_suffix(path, strlen(path));
    for (const char *colon = path; !found && (colon = strchr(colon, ':')) != NULL; colon++)
        found = find_suffix(path, (size_t)(colon - path));
    return found;
}

tsr_status tsr_codec_by_suffix(const tsr_codec **out, const char *path, tsr_error *err)
{
    *out = suffix_codec(path);
    if (*out)
        return TSR_OK;
    if (strcmp(path, "-") == 0)
        return tsr_fail(err, TSR_ARGUMENT, "standard output has no suffix: name its file format with --to");
    tsr_text suffixes = {0};
    add_suffixes(&suffixes);
    const tsr_status status = tsr_fail_at(
        err, TSR_ARGUMENT, path, 0, 0, "the name ends in none of the known suffixes: %s (and .gz after them)",
        tsr_text_cstr(&suffixes));
    tsr_text_clear(&suffixes);
    return status;
}

/* Content that is sure, else the suffix, else content that is likely. */
static tsr_status choose(const tsr_codec **out, const char *path, tsr_input *input, tsr_error *err)
{
    const char *head;
    size_t n;
    const tsr_codec *best = NULL;
    int best_score = 0;
    TSR_TRY(tsr_input_peek(&head, &n, input, HEAD_NBYTES, err));
    for (int i = 0; tsr_codecs[i]; i++) {
        const int score = tsr_codecs[i]->sniff ? tsr_codecs[i]->sniff((const unsigned char *)head, n) : 0;
        if (score > best_score) {
            best = tsr_codecs[i];
            best_score = score;
        }
    }
    const tsr_codec *named = suffix_codec(path);
    *out = named && best_score < SURE ? named : best;
    if (*out)
        return TSR_OK;
    if (n == 0)
        return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "the file is empty");
    tsr_text names = {0};
    add_names(&names);
    const tsr_status status =
        tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "looks like none of the known file formats: %s",
                    tsr_text_cstr(&names));
    tsr_text_clear(&names);
    return status;
}

/* Open path, or the file before the ':' of "file.h5:group" when there is no file of the whole name. */
static tsr_status open_head(tsr_input **out, const char *path, const tsr_observer *observer, tsr_error *err)
{
    const tsr_status status = tsr_input_open(out, path, 0, observer, err);
    if (status != TSR_IO)
        return status;
    for (const char *colon = path; (colon = strchr(colon, ':')) != NULL; colon++) {
        if (!find_suffix(path, (size_t)(colon - path)))
            continue;
        tsr_text file = {0};
        tsr_text_add_n(&file, path, (size_t)(colon - path));
        tsr_status again = tsr_text_status(&file, err);
        if (again == TSR_OK)
            again = tsr_input_open(out, tsr_text_cstr(&file), 0, observer, err);
        tsr_text_clear(&file);
        return again;
    }
    return status;
}

tsr_status tsr_codec_by_content(const tsr_codec **out, const char *path, tsr_error *err)
{
    tsr_input *input;
    *out = NULL;
    TSR_TRY(open_head(&input, path, NULL, err));
    const tsr_status status = choose(out, path, input, err);
    tsr_input_free(input);
    return status;
}

/* What is done with a codec and the options, whose input may be open. */
typedef tsr_status (*use)(void *out, const char *path, const tsr_codec *codec,
                          const tsr_read_options *options, tsr_error *err);

static tsr_status read_checked(void *out, const char *path, const tsr_codec *codec,
                               const tsr_read_options *options, tsr_error *err)
{
    if (!codec->read)
        return tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "%s files can only be written", codec->name);
    const tsr_status status = codec->read(out, path, options, err);
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
                           "the headers of %s files report nothing: the file must be read", codec->name);
    brief->codec = codec;
    const tsr_status status = codec->describe(brief, path, options, err);
    if (status != TSR_OK) {
        tsr_brief_clear(brief);
        tsr_error_set_path(err, path);
    }
    return status;
}

/* Use the codec, or find it by content first: the input is then handed on where the codec streams. */
static tsr_status use_codec(void *out, const char *path, const tsr_codec *codec,
                            const tsr_read_options *options, use with, tsr_error *err)
{
    static const tsr_read_options defaults = {0};
    tsr_read_options own = options ? *options : defaults;
    tsr_input *opened = NULL;
    tsr_status status = TSR_OK;
    if (!codec) {
        if (!own.input)
            TSR_TRY(open_head(&opened, path, own.observer, err));
        status = choose(&codec, path, own.input ? own.input : opened, err);
    }
    if (status == TSR_OK && opened && codec->streams)
        own.input = opened; /* what came through a pipe cannot be opened again */
    if (status == TSR_OK && own.input && !codec->streams)
        status = tsr_fail_at(err, TSR_UNSUPPORTED, path, 0, 0, "%s cannot be read from a pipe", codec->name);
    if (status == TSR_OK)
        status = with(out, path, codec, &own, err);
    tsr_input_free(opened);
    return status;
}

tsr_status tsr_read(tsr_data *out, const char *path, const tsr_codec *codec, const tsr_read_options *options,
                    tsr_error *err)
{
    memset(out, 0, sizeof *out);
    return use_codec(out, path, codec, options, read_checked, err);
}

tsr_status tsr_describe(tsr_brief *brief, const char *path, const tsr_codec *codec,
                        const tsr_read_options *options, tsr_error *err)
{
    memset(brief, 0, sizeof *brief);
    return use_codec(brief, path, codec, options, describe_checked, err);
}
