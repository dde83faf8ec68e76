/* TACO, the Tensor Algebra Compiler (F. Kjolstad, S. Kamil, S. Chou, D. Lugato, S. Amarasinghe, "The tensor
 * algebra compiler", OOPSLA 2017), through its command-line program, which writes C. That C, compiled with
 * taco's own flags together with drivers/taco.c, is the child that is measured. taco's own -time is not used:
 * it measures the first of its N runs and then N - 1 empty runs, and its packing time includes a compiler.
 *
 * taco makes a loop parallel where it can. Where it does not, and there is more than one thread, tbench
 * requests it (option -s) in the ways that taco may accept; the first way that gives a parallel loop is
 * measured. Where several operands are sparse, and in conversions (of formats with dense, compressed and singleton levels,
 * in an order of modes that taco takes), each run assembles the result, too, as runs of Tessera do: by
 * taco's function evaluate; by assemble and compute where tbench requests a way, or a workspace for the row of a sum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_baseline.h"
#include "bench_child.h"
#include "bench_formats.h"
#include "tsr_input.h"
#include "tsr_process.h"

enum { TIMEOUT_MS = 60000, MAX_SOURCE_NBYTES = 1 << 24, WORDS_NBYTES = 200 };

/* taco's own flags: $TACO_CFLAGS, or these, and -fopenmp. */
#define TACO_CFLAGS "-O3 -ffast-math -std=c99"
enum { MAX_FLAGS = 40 };

/* The request for the outermost loop. */
enum { NOTHING, INSERT, ATOMICS };

static const struct {
    int schedule;
    /* the first level of a tensor with at least three modes is dense: then INSERT is possible */
    bool dense_root;
} ways[] = {{NOTHING, false}, {INSERT, false}, {INSERT, true}, {ATOMICS, false}};
enum { NWAYS = sizeof ways / sizeof *ways };

/* The C text and the formats for a case. */
typedef struct taco_kernel {
    tsr_format *stored[TSR_NOTATION_MAX_TENSORS]; /* of each tensor, 0 is the result; NULL: dense */
    bool is_fused;                                /* a run is taco's function evaluate */
    tsr_text source;
} taco_kernel;

static void kernel_clear(taco_kernel *k)
{
    for (int t = 0; t < TSR_NOTATION_MAX_TENSORS; t++)
        tsr_format_free(k->stored[t]);
    tsr_text_clear(&k->source);
    *k = (taco_kernel){0};
}

/* ---- limits of taco ---- */

static tsr_status check_numbers(const tsr_expr *e, tsr_error *err)
{
    if (e->kind == TSR_EXPR_NUMBER) {
        const size_t n = strlen(e->spelling);
        if (strspn(e->spelling, "0123456789.") != n || e->spelling[0] == '.' || e->spelling[n - 1] == '.')
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "taco cannot read the number %s: write digits, or digits.digits", e->spelling);
    }
    if (e->a)
        TSR_TRY(check_numbers(e->a, err));
    return e->b ? check_numbers(e->b, err) : TSR_OK;
}

static tsr_status fits(double n, const char *what, const char *name, tsr_error *err)
{
    return n < INT32_MAX
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED, "taco counts in 32 bits, but %s has %.4g %s", name, n, what);
}

static tsr_status check_sizes(const bench_case *c, tsr_error *err)
{
    const tsr_notation *const notation = c->notation;
    TSR_TRY(fits((double)c->coo->nnz, "entries", notation->tensor[c->sparse].name, err));
    for (int v = 0; v < notation->nvars; v++)
        TSR_TRY(fits((double)c->size[v], "values", notation->var[v], err));
    for (int t = 1; t < notation->ntensors; t++) {
        const tsr_expr *const access = tsr_notation_access(notation, t);
        double ncells = 1;
        if (c->siblings[t])
            TSR_TRY(fits((double)c->siblings[t]->nnz, "entries", notation->tensor[t].name, err));
        for (int m = 0; m < access->nindices; m++)
            ncells *= (double)c->size[access->index[m]];
        if (!c->entries[t])
            TSR_TRY(fits(ncells, "cells", notation->tensor[t].name, err));
    }
    return TSR_OK;
}

/* ---- formats ---- */

/* The variable of the first level, over which taco's outermost loop runs. */
static int outermost(const taco_kernel *k, const bench_case *c)
{
    int modes[TSR_MAX_ORDER] = {0};
    (void)tsr_format_is_permutation(k->stored[c->sparse], modes);
    return tsr_notation_access(c->notation, c->sparse)->index[modes[0]];
}

static tsr_status make_format(tsr_format **out, const bench_case *c, bool dense_root, tsr_error *err)
{
    int modes[TSR_MAX_ORDER];
    bench_formats_modes(modes, c);
    return tsr_format_nested(out, c->coo->order, dense_root ? 1 : 0, modes, err);
}

/* Other sparse operands are stored as the first one, or, with fewer modes, as csr. */
static tsr_status choose_others(taco_kernel *k, const bench_case *c, tsr_error *err)
{
    static const int modes[] = {0, 1};
    for (int t = 1; t < c->notation->ntensors; t++)
        if (c->siblings[t] && c->siblings[t]->order == c->coo->order)
            TSR_TRY(tsr_format_copy(&k->stored[t], k->stored[c->sparse], err));
        else if (c->siblings[t])
            TSR_TRY(tsr_format_nested(&k->stored[t], 2, 1, modes, err));
    return TSR_OK;
}

/* The target of a conversion FROM:TO; NULL: the case is a kernel. */
static const char *pair_target(const bench_case *c)
{
    const char *const colon = strchr(c->kernel->name, ':');
    return colon ? colon + 1 : NULL;
}

/* Whether each run assembles the result. */
static bool assembles(const taco_kernel *k, const bench_case *c)
{
    return (c->assembles || pair_target(c)) && k->stored[0];
}

/* Whether taco has the levels of the format. */
static bool has_levels(const tsr_format *format)
{
    int modes[TSR_MAX_LEVELS];
    bool has = tsr_format_is_permutation(format, modes);
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_type *const type = format->levels[l].type;
        has = has && (type->full || tsr_level_is_list(type) || type->branchless) &&
              format->levels[l].pitch == 0;
    }
    return has;
}

/* The formats of a conversion. */
static tsr_status choose_pair(taco_kernel *k, const bench_case *c, tsr_error *err)
{
    char from[64];
    const char *const to = pair_target(c);
    snprintf(from, sizeof from, "%.*s", (int)(to - 1 - c->kernel->name), c->kernel->name);
    TSR_TRY(tsr_format_parse(&k->stored[c->sparse], from, c->coo->order, c->coo->dims, err));
    TSR_TRY(tsr_format_parse(&k->stored[0], to, c->coo->order, c->coo->dims, err));
    return has_levels(k->stored[c->sparse]) && has_levels(k->stored[0])
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED, "taco has dense, compressed and singleton levels alone");
}

/* csr or csc, unless nearly all rows are empty; csf, or csf with a dense level at its root. */
static tsr_status choose_formats(taco_kernel *k, const bench_case *c, bool dense_root, tsr_error *err)
{
    tsr_format **const operand = &k->stored[c->sparse];
    if (pair_target(c))
        return choose_pair(k, c, err);
    TSR_TRY(make_format(operand, c, false, err));
    const double nroots = (double)c->size[outermost(k, c)], nnz = (double)c->coo->nnz;
    if (dense_root && (c->coo->order < 3 || nroots > nnz))
        return tsr_fail(err, TSR_UNSUPPORTED, "its first level would be mostly empty");
    if (dense_root || (c->coo->order == 2 && nroots <= 16 * nnz)) {
        tsr_format_free(*operand);
        TSR_TRY(make_format(operand, c, true, err));
    }
    TSR_TRY(choose_others(k, c, err));
    TSR_TRY(bench_result_format(&k->stored[0], c, *operand, err));
    return k->stored[0] ? TSR_OK : fits(c->ncells, "cells", c->notation->tensor[0].name, err);
}

/* Append "ds", taco's letters for the levels of the format: u and c are s and q whose coordinates may repeat. */
static void add_levels(tsr_text *to, const tsr_format *format)
{
    for (int l = 0; l < format->nlevels; l++) {
        const tsr_level_spec *const level = &format->levels[l];
        tsr_text_add(to, level->type->full                ? "d"
                         : tsr_level_is_list(level->type) ? (level->nonunique ? "u" : "s")
                         : level->nonunique               ? "c"
                                                          : "q");
    }
}

/* Append "1,0", the modes of a format that only permutes them. */
static void add_modes(tsr_text *to, const tsr_format *format)
{
    int modes[TSR_MAX_ORDER];
    if (tsr_format_is_permutation(format, modes))
        for (int l = 0; l < format->nlevels; l++)
            tsr_text_addf(to, "%s%d", l ? "," : "", modes[l]);
}

/* Append "-f=A:ds:1,0". */
static void add_format_option(tsr_text *to, const char *name, const tsr_format *format)
{
    tsr_text_addf(to, "-f=%s:", name);
    add_levels(to, format);
    tsr_text_add(to, ":");
    add_modes(to, format);
}

/* Whether contributions to the row of a sparse result are summed: taco appends each contribution, unless a workspace
 * is requested. */
static bool sums_rows(const taco_kernel *k, const bench_case *c)
{
    const tsr_notation *const notation = c->notation;
    return c->joins && k->stored[0] && notation->nvars > notation->result->nindices;
}

static void add_workspace_option(tsr_text *to, const bench_case *c)
{
    const tsr_expr *const result = c->notation->result;
    const char *const last = c->notation->var[result->index[result->nindices - 1]];
    tsr_text_add(to, "-s=precompute(");
    tsr_expr_print(to, c->notation, c->notation->rhs);
    tsr_text_addf(to, ",%s,%s)", last, last);
}

static void add_schedule_option(tsr_text *to, const taco_kernel *k, const bench_case *c, int schedule)
{
    tsr_text_add(to, "-s=");
    if (schedule == INSERT)
        tsr_text_addf(to, "assemble(%s,Insert),", c->notation->tensor[0].name);
    tsr_text_addf(to, "parallelize(%s,CPUThread,%s)", c->notation->var[outermost(k, c)],
                  schedule == INSERT ? "NoRaces" : "Atomics");
}

/* ---- running taco ---- */

/* The last line that is not blank, without unprintable characters. */
static void last_words(char out[WORDS_NBYTES], const char *said)
{
    size_t end = strlen(said), n = 0;
    while (end > 0 && strchr(" \t\r\n", said[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && said[start - 1] != '\n')
        start--;
    start += strspn(said + start, " ");
    for (; start < end && n + 1 < WORDS_NBYTES; start++)
        out[n++] = said[start] >= ' ' && said[start] <= '~' ? said[start] : ' ';
    out[n] = '\0';
}

static tsr_status run_taco(tsr_text *said, const char *const *argv, tsr_error *err)
{
    static const tsr_process_options options = {.timeout_ms = TIMEOUT_MS};
    char words[WORDS_NBYTES];
    tsr_process_end end;
    TSR_TRY(tsr_process_run(&end, said, said, argv, &options, err));
    TSR_TRY(tsr_text_status(said, err));
    last_words(words, tsr_text_cstr(said));
    const char *const colon = words[0] ? ": " : "";
    if (end.timed_out)
        return tsr_fail(err, TSR_UNSUPPORTED, "taco was stopped: it wrote no kernel within %d s%s%s",
                        TIMEOUT_MS / 1000, colon, words);
    if (end.exit_code > 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "taco refuses, with exit code %d%s%s", end.exit_code, colon,
                        words);
    if (end.exit_code != 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "taco was ended by signal %d%s%s", end.signal, colon, words);
    return TSR_OK;
}

/* Find the version, "0.1+git 2b8ece4c"; "" if taco does not report it. */
static void find_version(char *version, size_t room, const char *program)
{
    static const char label[] = "TACO version: ";
    const char *const argv[] = {program, "-version", NULL};
    tsr_text said = {0};
    version[0] = '\0';
    if (run_taco(&said, argv, NULL) == TSR_OK &&
        strncmp(tsr_text_cstr(&said), label, sizeof label - 1) == 0) {
        const char *const from = said.s + sizeof label - 1;
        snprintf(version, room, "%.*s", (int)strcspn(from, "\r\n"), from);
    }
    tsr_text_clear(&said);
}

static tsr_status read_source(tsr_text *source, const char *path, tsr_error *err)
{
    TSR_TRY(tsr_input_read(source, path, MAX_SOURCE_NBYTES, err));
    return strstr(tsr_text_cstr(source), "int compute(")
               ? TSR_OK
               : tsr_fail(err, TSR_UNSUPPORTED, "taco reported success but wrote no function compute");
}

/* Run: program EXPRESSION -f=... -s=... -write-source=FILE */
static tsr_status write_source(taco_kernel *k, const bench_case *c, const char *program, const char *file,
                               int schedule, tsr_error *err)
{
    enum { EXPRESSION, OUTPUT, MORE, NTEXTS = MORE + TSR_NOTATION_MAX_TENSORS + 2 };
    tsr_text text[NTEXTS] = {0}, said = {0};
    const char *argv[NTEXTS + 2] = {program};
    int n = MORE;
    tsr_status status = TSR_OK;
    tsr_notation_print(&text[EXPRESSION], c->notation);
    tsr_text_addf(&text[OUTPUT], "-write-source=%s", file);
    for (int t = 1; t <= c->notation->ntensors; t++) { /* the result is the last one */
        const int tensor = t % c->notation->ntensors;
        if (k->stored[tensor])
            add_format_option(&text[n++], c->notation->tensor[tensor].name, k->stored[tensor]);
    }
    if (sums_rows(k, c))
        add_workspace_option(&text[n++], c);
    if (schedule != NOTHING)
        add_schedule_option(&text[n++], k, c, schedule);
    for (int i = 0; i < n; i++) {
        TSR_TRY_OUT(tsr_text_status(&text[i], err));
        argv[1 + i] = text[i].s;
    }
    TSR_TRY_OUT(run_taco(&said, argv, err));
    status = read_source(&k->source, file, err);
out:
    for (int i = 0; i < NTEXTS; i++)
        tsr_text_clear(&text[i]);
    tsr_text_clear(&said);
    return status;
}

/* ---- one kernel ---- */

/* Whether the function compute has a parallel loop; loops that only set zeros have schedule(static), the
 * others schedule(runtime). */
static bool is_parallel(const taco_kernel *k)
{
    const char *const start = strstr(tsr_text_cstr(&k->source), "int compute("),
                      *const end = strstr(start, "\nint "), *const loop = strstr(start, "schedule(runtime)");
    return loop && (!end || loop < end);
}

/* Try one way. TSR_UNSUPPORTED if taco refuses it. */
static tsr_status try_way(taco_kernel *k, const bench_case *c, const bench_asked *asked, const char *file,
                          int way, tsr_error *err)
{
    kernel_clear(k);
    TSR_TRY(choose_formats(k, c, ways[way].dense_root, err));
    if (ways[way].schedule == (k->stored[0] ? ATOMICS : INSERT))
        return tsr_fail(err, TSR_UNSUPPORTED, "this schedule is only for %s results",
                        k->stored[0] ? "dense" : "sparse");
    k->is_fused = assembles(k, c) && ways[way].schedule == NOTHING && !sums_rows(k, c);
    const tsr_status status = write_source(k, c, asked->path, file, ways[way].schedule, err);
    (void)unlink(file);
    return status;
}

static tsr_status make_kernel(taco_kernel *k, bool *is_serial, const bench_case *c, const bench_asked *asked,
                              const char *file, tsr_error *err)
{
    *is_serial = false;
    TSR_TRY(try_way(k, c, asked, file, 0, err));
    if (asked->nthreads == 1 || is_parallel(k))
        return TSR_OK;
    for (int w = 1; w < NWAYS; w++) {
        const tsr_status status = try_way(k, c, asked, file, w, err);
        if (status == TSR_OK && is_parallel(k))
            return TSR_OK;
        if (status != TSR_OK && status != TSR_UNSUPPORTED)
            return status;
    }
    *is_serial = true;
    return try_way(k, c, asked, file, 0, err);
}

/* ---- the program of the child ---- */

/* Append "#define TACO_COMPUTE(t) compute(t[0], t[2])": taco's functions have their own order of
 * parameters. */
static tsr_status add_call(tsr_text *to, const char *macro, const char *function, const taco_kernel *k,
                           const bench_case *c, tsr_error *err)
{
    char start[32];
    snprintf(start, sizeof start, "int %s(", function);
    const char *p = strstr(tsr_text_cstr(&k->source), start), *const end = p ? strchr(p, ')') : NULL;
    tsr_text_addf(to, "#define %s(t) %s(", macro, function);
    for (int n = 0; end && (p = strchr(p, '*')) != NULL && p < end; n++) {
        char name[64];
        p++;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, ",) "), p);
        const int t = tsr_notation_find_tensor(c->notation, name);
        if (t < 0)
            return tsr_fail(err, TSR_UNSUPPORTED,
                            "taco's function %s takes %s, which is not in the expression", function, name);
        tsr_text_addf(to, "%st[%d]", n ? ", " : "", t);
    }
    tsr_text_add(to, ")\n");
    return end ? TSR_OK : tsr_fail(err, TSR_UNSUPPORTED, "taco wrote no function %s", function);
}

/* Append ' {"ds", {0,1}, 0}': the levels of tensor t, their modes, and whether it is a further sparse operand. */
static void add_stored(tsr_text *to, const taco_kernel *k, const bench_case *c, int t)
{
    const tsr_format *const format = k->stored[t];
    const int order = c->notation->tensor[t].order;
    tsr_text_add(to, t ? ", {\"" : " {\"");
    if (format)
        add_levels(to, format);
    for (int m = 0; m < order && !format; m++)
        tsr_text_add(to, "d");
    tsr_text_add(to, "\", {");
    if (format)
        add_modes(to, format);
    for (int m = 0; m < order && !format; m++)
        tsr_text_addf(to, "%d,", m);
    tsr_text_addf(to, "%s}, %d}", order ? "" : "0", c->siblings[t] != NULL);
}

/* Append the definitions that drivers/taco.c needs. */
static tsr_status add_request(tsr_text *to, const taco_kernel *k, const bench_case *c, tsr_error *err)
{
    tsr_text_addf(to, "\n#define TACO_SPARSE %d\n#define TACO_ASSEMBLES %d\n#define TACO_STORED", c->sparse,
                  assembles(k, c));
    for (int t = 0; t < c->notation->ntensors; t++)
        add_stored(to, k, c, t);
    tsr_text_add(to, "\n");
    if (k->is_fused)
        TSR_TRY(add_call(to, "TACO_EVALUATE", "evaluate", k, c, err));
    TSR_TRY(add_call(to, "TACO_ASSEMBLE", "assemble", k, c, err));
    TSR_TRY(add_call(to, "TACO_COMPUTE", "compute", k, c, err));
    tsr_text_add(to, bench_driver_find("taco.c"));
    return tsr_text_status(to, err);
}

static const char *taco_cflags(void)
{
    const char *const given = getenv("TACO_CFLAGS");
    return given ? given : TACO_CFLAGS;
}

/* Split the compiler's flags into argv; words: a copy of the text, which argv points into. */
static tsr_status split_flags(const char **argv, tsr_text *words, tsr_error *err)
{
    static const char *const more[] = {"-fopenmp", "-w", "-lm"};
    enum { NMORE = sizeof more / sizeof *more };
    int n = 0;
    tsr_text_add(words, taco_cflags());
    tsr_text_add(words, " ");
    TSR_TRY(tsr_text_status(words, err));
    for (char *p = words->s + strspn(words->s, " "); *p; n++) {
        if (n == MAX_FLAGS - NMORE - 1)
            return tsr_fail(err, TSR_UNSUPPORTED, "TACO_CFLAGS has more than %d words", n);
        argv[n] = p;
        p += strcspn(p, " ");
        *p++ = '\0';
        p += strspn(p, " ");
    }
    memcpy(argv + n, more, sizeof more);
    argv[n + NMORE] = NULL;
    return TSR_OK;
}

static tsr_status make_program(tsr_text *program, const taco_kernel *k, const bench_case *c,
                               const bench_asked *asked, tsr_error *err)
{
    const char *flags[MAX_FLAGS];
    tsr_text text = {0}, words = {0};
    tsr_error mine = {0};
    tsr_text_add(&text, "#include \"bench_driver.h\"\n");
    tsr_text_add(&text, tsr_text_cstr(&k->source));
    tsr_status status = add_request(&text, k, c, err);
    if (status == TSR_OK)
        status = split_flags(flags, &words, err);
    if (status == TSR_OK) {
        status = bench_child_program(program, asked, &(bench_source){.text = text.s, .flags = flags}, &mine);
        if (status == TSR_ARGUMENT)
            (void)tsr_fail(err, status, "the C of taco does not compile: %.400s", mine.message);
        else if (status != TSR_OK && err)
            *err = mine;
    }
    tsr_text_clear(&text);
    tsr_text_clear(&words);
    return status;
}

static void add_note(bench_opened *opened, bool is_serial)
{
    snprintf(opened->note_text, sizeof opened->note_text, "%scompiled as taco does, with %s -fopenmp",
             is_serial ? "on one thread, since taco finds no parallel loop; " : "", taco_cflags());
    opened->note = opened->note_text;
}

static tsr_status start(void **state, bench_opened *opened, const taco_kernel *k, const bench_case *c,
                        const bench_asked *asked, tsr_error *err)
{
    tsr_text program = {0};
    tsr_status status = make_program(&program, k, c, asked, err);
    if (status == TSR_OK)
        status = bench_child_start(state, opened, (const char *const[]){program.s, NULL}, c, asked, err);
    tsr_text_clear(&program);
    return status;
}

static tsr_status taco_open(void **state, bench_opened *opened, const bench_case *c, const bench_asked *asked,
                            tsr_error *err)
{
    taco_kernel k = {0};
    tsr_text file = {0}, format = {0}, program = {0};
    bench_asked found = *asked;
    bool is_serial;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(check_numbers(c->notation->rhs, err));
    TSR_TRY_OUT(check_sizes(c, err));
    TSR_TRY_OUT(tsr_process_find(&program, asked->path, err));
    found.path = program.s;
    TSR_TRY_OUT(bench_child_file(&file, asked, "taco-kernel.c", "", err));
    TSR_TRY_OUT(make_kernel(&k, &is_serial, c, &found, file.s, err));
    TSR_TRY_OUT(start(state, opened, &k, c, asked, err));
    add_note(opened, is_serial);
    find_version(opened->version, sizeof opened->version, program.s);
    tsr_format_print_name(&format, k.stored[c->sparse]);
    snprintf(opened->format_text, sizeof opened->format_text, "%s", tsr_text_cstr(&format));
    opened->format = opened->format_text;
out:
    kernel_clear(&k);
    tsr_text_clear(&file);
    tsr_text_clear(&format);
    tsr_text_clear(&program);
    return status;
}

/* taco itself reports what it does not take. */
static bool taco_takes(const bench_case *c)
{
    (void)c;
    return true;
}

const bench_baseline bench_taco = {
    .name = "taco",
    .summary = "TACO: every expression that it takes, as the C that it writes",
    .format = "csf", /* `opened` gives the actual format */
    .path_is = "taco's command-line program",
    .one_thread = true,
    .wants_path = true,
    .takes = taco_takes,
    .open = taco_open,
    .run = bench_child_run,
    .overwrite = bench_child_overwrite,
    .result = bench_child_result,
    .entries = bench_child_entries,
    .said_ns = bench_child_said_ns,
    .close = bench_child_close,
};
