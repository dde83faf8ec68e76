/* tbench conform: whether a program reads files as it should. The samples are files with oracles beside them. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench_commands.h"
#include "options.h"
#include "report.h"
#include "rows.h"
#include "tsr_alloc.h"
#include "tsr_input.h"
#include "tsr_num.h"
#include "tsr_process.h"

enum { MAX_ORDER = 16, MAX_WORDS = 64, MAX_SAMPLES = 4096, OUTPUT_NBYTES = 256 << 20, PATH_NBYTES = 4096 };

typedef struct conform_settings {
    tsr_cli_common common; /* first: see options.h */
    const char *reader;
    int timeout;
} conform_settings;

/* One entry of a listing: coordinates from 0 on, and a value. */
typedef struct entry {
    uint64_t crd[MAX_ORDER];
    double value[2];
} entry;

/* A listing: "shape d0 d1 ...", then a line "i j ... value" for each entry. */
typedef struct listing {
    int order;
    uint64_t dims[MAX_ORDER];
    uint64_t n, capacity;
    entry *entries; /* owned */
} listing;

typedef struct tally {
    int right, wrong, refused;
} tally;

/* ---- options ---- */

static tsr_status set_reader(void *s, const char *value, tsr_error *err)
{
    ((conform_settings *)s)->reader = value;
    return strstr(value, "%f") ? TSR_OK
                               : tsr_fail(err, TSR_ARGUMENT, "the command needs %%f, the place of the file");
}

TSR_CLI_SET_INT(conform_settings, timeout, timeout, 1, 86400)

static const tsr_cli_option options[] = {
    {.help = "What"},
    {"reader", 0, "CMD",
     "the program and its words, with blanks between them; %f is the file, or FILE:OBJECT. It prints a "
     "listing, or ends "
     "with an exit code that is not 0",
     set_reader, NULL},
    {"timeout", 0, "SECONDS", "how long the program may take for a file (default 60)", set_timeout, NULL},
    TSR_CLI_ROW_QUIET,
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tbench conform",
    .usage = "--reader='CMD %f' FOLDER",
    .summary =
        "Run a reader over the sample files of a folder, and print what it gets wrong. A sample FILE has the "
        "oracle "
        "FILE.coo.txt or FILE.OBJECT.coo.txt beside it (__ in OBJECT stands for /), or FILE.refuse.txt if "
        "the file "
        "must be refused. A listing is the line 'shape d0 d1...', and a line 'i j... value' for each entry, "
        "counted from 0, in any order; a complex value is (re+imj). Zeros do not count.",
    .notes = TSR_EXIT_CODES_HELP,
    .options = options,
    .max_operands = 1,
};

/* ---- listings ---- */

static int compare(const void *a, const void *b)
{
    return memcmp(((const entry *)a)->crd, ((const entry *)b)->crd, sizeof((const entry *)a)->crd);
}

static bool next_word(const char **word, const char **word_end, const char **p, const char *end)
{
    while (*p < end && (**p == ' ' || **p == '\t' || **p == '\r'))
        ++*p;
    *word = *p;
    while (*p < end && **p != ' ' && **p != '\t' && **p != '\r')
        ++*p;
    *word_end = *p;
    return *word < *word_end;
}

/* "1.5", or "(1.5-2j)". */
static bool parse_value(double value[2], const char *p, const char *end)
{
    value[1] = 0;
    if (p < end && *p != '(')
        return tsr_parse_f64(&value[0], p, end) == end;
    const char *const at = p < end ? tsr_parse_f64(&value[0], p + 1, end) : NULL;
    return at && tsr_parse_f64(&value[1], *at == '+' ? at + 1 : at, end) == end - 2 && end[-2] == 'j';
}

static bool parse_shape(listing *l, const char *p, const char *end)
{
    const char *word, *word_end;
    if (!next_word(&word, &word_end, &p, end) || word_end - word != 5 || memcmp(word, "shape", 5) != 0)
        return false;
    for (; next_word(&word, &word_end, &p, end); l->order++)
        if (l->order == MAX_ORDER || tsr_parse_u64(&l->dims[l->order], word, word_end) != word_end)
            return false;
    return true;
}

static bool parse_entry(entry *e, int order, const char *p, const char *end)
{
    const char *word, *word_end;
    *e = (entry){.crd = {0}};
    for (int m = 0; m < order; m++)
        if (!next_word(&word, &word_end, &p, end) || tsr_parse_u64(&e->crd[m], word, word_end) != word_end)
            return false;
    return next_word(&word, &word_end, &p, end) && parse_value(e->value, word, word_end) &&
           !next_word(&word, &word_end, &p, end);
}

/* Append an entry, unless it is 0. */
static bool add_entry(listing *l, const entry *e)
{
    if (e->value[0] == 0 && e->value[1] == 0)
        return true;
    if (l->n == l->capacity) {
        const uint64_t n = l->capacity ? 2 * l->capacity : 1024;
        entry *const grown = tsr_realloc(l->entries, n * sizeof *grown);
        if (!grown)
            return false;
        l->entries = grown;
        l->capacity = n;
    }
    l->entries[l->n++] = *e;
    return true;
}

/* Parse a listing; the number of the first wrong line, or 0. */
static uint64_t parse_listing(listing *l, const tsr_text *text)
{
    const char *p = tsr_text_cstr(text), *const all = p + text->nbytes;
    *l = (listing){.order = 0};
    for (uint64_t line = 1; p < all; line++) {
        const char *const newline = memchr(p, '\n', (size_t)(all - p)), *const end = newline ? newline : all;
        entry e;
        if (line == 1 ? !parse_shape(l, p, end)
                      : p < end && (!parse_entry(&e, l->order, p, end) || !add_entry(l, &e)))
            return line;
        p = newline ? newline + 1 : all;
    }
    qsort(l->entries, l->n, sizeof(entry), compare);
    return text->nbytes == 0;
}

/* Whether a printed number is the right one: equal, or both NaN, or, where the right one has single precision, the same
 * after rounding to it (a program may print the shortest text). */
static bool same_number(double got, double want)
{
    return got == want || (got != got && want != want) ||
           ((double)(float)want == want && (float)got == (float)want);
}

static bool same_value(const double got[2], const double want[2])
{
    return same_number(got[0], want[0]) && same_number(got[1], want[1]);
}

/* Say how the listing differs from the oracle; false: it does not. Entries of one cell may come in any order. */
static bool differs(char *text, size_t room, const listing *got, const listing *want)
{
    if (got->order != want->order || memcmp(got->dims, want->dims, sizeof got->dims) != 0) {
        snprintf(text, room, "the shape is wrong");
        return true;
    }
    if (got->n != want->n) {
        snprintf(text, room, "%" PRIu64 " entries that are not 0, not %" PRIu64, got->n, want->n);
        return true;
    }
    for (uint64_t i = 0; i < got->n; i++) {
        const entry *const e = &want->entries[i];
        bool found = compare(&got->entries[i], e) == 0 && same_value(got->entries[i].value, e->value);
        for (uint64_t k = i; !found && k > 0 && compare(&got->entries[k - 1], e) == 0; k--)
            found = same_value(got->entries[k - 1].value, e->value);
        for (uint64_t k = i + 1; !found && k < got->n && compare(&got->entries[k], e) == 0; k++)
            found = same_value(got->entries[k].value, e->value);
        if (!found) {
            snprintf(text, room, "entry %" PRIu64 " in the order of coordinates is wrong", i);
            return true;
        }
    }
    return false;
}

/* ---- one sample ---- */

typedef struct sample {
    char oracle[PATH_NBYTES], file[PATH_NBYTES]; /* file: "FILE" or "FILE:OBJECT" */
    bool refuse;
} sample;

/* Run the reader: its listing in *out. */
static tsr_status run_reader(tsr_process_end *end, tsr_text *out, const conform_settings *s, const char *file,
                             tsr_error *err)
{
    tsr_text words[MAX_WORDS] = {{0}}, program = {0};
    const char *argv[MAX_WORDS + 1] = {NULL}, *word, *word_end, *p = s->reader;
    int n = 0;
    tsr_status status = TSR_OK;
    while (next_word(&word, &word_end, &p, s->reader + strlen(s->reader)) && n < MAX_WORDS) {
        const char *at = word;
        for (; at < word_end; at++)
            if (at + 1 < word_end && at[0] == '%' && at[1] == 'f') {
                tsr_text_add(&words[n], file);
                at++;
            } else {
                tsr_text_add_n(&words[n], at, 1);
            }
        status = status == TSR_OK ? tsr_text_status(&words[n], err) : status;
        argv[n] = tsr_text_cstr(&words[n]);
        n++;
    }
    if (status == TSR_OK)
        status = tsr_process_find(&program, argv[0], err);
    argv[0] = tsr_text_cstr(&program);
    const tsr_process_options how = {.output_nbytes = OUTPUT_NBYTES,
                                     .timeout_ms = 1000 * (uint64_t)(s->timeout ? s->timeout : 60)};
    if (status == TSR_OK)
        status = tsr_process_run(end, out, NULL, argv, &how, err);
    for (int i = 0; i < n; i++)
        tsr_text_clear(&words[i]);
    tsr_text_clear(&program);
    return status;
}

/* Judge what the reader printed; `text` says what is wrong, or is empty. */
static tsr_status judge(char *text, size_t room, const sample *of, const tsr_process_end *end,
                        const tsr_text *printed, tsr_error *err)
{
    listing got = {.order = 0}, want = {.order = 0};
    tsr_text oracle = {0};
    *text = '\0';
    if (end->timed_out || end->signal) {
        snprintf(text, room, "%s", end->timed_out ? "takes too long" : "the program crashed");
        return TSR_OK;
    }
    if (of->refuse || end->exit_code != 0) {
        if (of->refuse != (end->exit_code != 0))
            snprintf(text, room, "%s", of->refuse ? "must be refused, but was read" : "refused");
        return TSR_OK;
    }
    tsr_status status = tsr_input_read(&oracle, of->oracle, OUTPUT_NBYTES, err);
    if (status == TSR_OK && parse_listing(&want, &oracle))
        status = tsr_fail_at(err, TSR_SYNTAX, of->oracle, 0, 0, "is not a listing");
    const uint64_t line = status == TSR_OK ? parse_listing(&got, printed) : 0;
    if (line)
        snprintf(text, room, "line %" PRIu64 " of the output is not part of a listing", line);
    else if (status == TSR_OK)
        (void)differs(text, room, &got, &want);
    tsr_free(got.entries);
    tsr_free(want.entries);
    tsr_text_clear(&oracle);
    return status;
}

static tsr_status try_sample(tally *t, const sample *of, const conform_settings *s, tsr_error *err)
{
    char text[200];
    tsr_text out = {0};
    tsr_process_end end = {0};
    tsr_status status = run_reader(&end, &out, s, of->file, err);
    if (status == TSR_OK)
        status = judge(text, sizeof text, of, &end, &out, err);
    tsr_text_clear(&out);
    if (status != TSR_OK)
        return status;
    if (*text == '\0')
        of->refuse ? t->refused++ : t->right++;
    else
        t->wrong++;
    if (*text)
        printf("%s: %s\n", of->file, text);
    return TSR_OK;
}

/* ---- all samples ---- */

static bool ends_with(const char *name, const char *tail)
{
    const size_t n = strlen(name), k = strlen(tail);
    return n > k && strcmp(name + n - k, tail) == 0;
}

/* The sample of an oracle: the longest name before a dot that exists, and the object after it. */
static bool find_sample(sample *out, const char *folder, const char *name)
{
    struct stat st;
    char *const file = out->file;
    const char *const tail = ends_with(name, ".coo.txt") ? ".coo.txt" : ".refuse.txt";
    if (!ends_with(name, tail) ||
        snprintf(out->oracle, sizeof out->oracle, "%s/%s", folder, name) >= (int)sizeof out->oracle)
        return false;
    out->refuse = *(tail + 1) == 'r';
    snprintf(file, sizeof out->file, "%s", out->oracle);
    file[strlen(file) - strlen(tail)] = '\0';
    const size_t all = strlen(file);
    while (stat(file, &st) != 0) {
        char *const dot = strrchr(file, '.');
        if (!dot || strchr(dot, '/'))
            return false;
        *dot = '\0';
    }
    const size_t n = strlen(file);
    if (n == all)
        return true;
    file[n] = ':'; /* what follows is the object */
    for (char *p = file + n; p < file + all; p++)
        if (*p == '\0')
            *p = '.';
    for (char *p; (p = strstr(file + n, "__")) != NULL;) {
        *p = '/';
        memmove(p + 1, p + 2, strlen(p + 2) + 1);
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const sample *)a)->oracle, ((const sample *)b)->oracle);
}

/* Append the samples of the folder and of the folders in it. */
static tsr_status find_samples(sample *samples, int *n, const char *folder, int depth, tsr_error *err)
{
    DIR *const d = opendir(folder);
    tsr_status status = TSR_OK;
    if (!d)
        return tsr_fail_at(err, TSR_IO, folder, 0, 0, "cannot open the folder");
    for (struct dirent *found; status == TSR_OK && (found = readdir(d)) != NULL && *n < MAX_SAMPLES;) {
        char path[PATH_NBYTES];
        struct stat st;
        if (found->d_name[0] == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, found->d_name) >= (int)sizeof path)
            continue;
        if (ends_with(path, ".coo.txt") || ends_with(path, ".refuse.txt"))
            *n += find_sample(&samples[*n], folder, found->d_name);
        else if (depth == 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
            status = find_samples(samples, n, path, depth + 1, err);
    }
    (void)closedir(d);
    return status;
}

static tsr_status conform(tally *t, const conform_settings *s, const char *folder, tsr_error *err)
{
    int n = 0;
    sample *const samples = tsr_calloc(MAX_SAMPLES, sizeof *samples);
    if (!samples)
        return tsr_fail(err, TSR_NOMEM, "out of memory");
    tsr_status status = find_samples(samples, &n, folder, 0, err);
    if (status == TSR_OK && n == 0)
        status = tsr_fail_at(err, TSR_ARGUMENT, folder, 0, 0,
                             "has no samples: files with FILE.coo.txt or FILE.refuse.txt beside them");
    qsort(samples, (size_t)n, sizeof *samples, by_name);
    for (int i = 0; i < n && status == TSR_OK; i++)
        status = try_sample(t, &samples[i], s, err);
    tsr_free(samples);
    return status;
}

int bench_cmd_conform(int argc, char **argv)
{
    conform_settings s = {0};
    tsr_cli_operands operands;
    tsr_cli_report report;
    tsr_error err = {0};
    tally t = {0, 0, 0};
    const int done = tsr_cli_parse(&operands, &tool, &s, argc, argv);
    if (done >= 0)
        return tsr_cli_close_stdout(tool.name, done);
    if (operands.n == 0 || !s.reader)
        return tsr_cli_usage_error(&tool, "write tbench conform --reader='CMD %%f' FOLDER");
    tsr_cli_report_init(&report, tool.name, s.common.quiet);
    const tsr_status status = conform(&t, &s, operands.text[0], &err);
    if (status == TSR_OK)
        printf("%d read as they should be, %d refused as they should be, %d wrong\n", t.right, t.refused,
               t.wrong);
    const int code = status != TSR_OK ? tsr_cli_report_error(&report, &err)
                     : t.wrong        ? TSR_EXIT_INPUT
                                      : TSR_EXIT_OK;
    tsr_cli_report_wipe(&report);
    return tsr_cli_close_stdout(tool.name, code);
}
