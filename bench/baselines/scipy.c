/* SciPy (python3-scipy), in a child process, on one thread: sums and products of compressed rows; of blocks and diagonals where the
 * first row of Tessera has them. */
#include <stdio.h>
#include <string.h>

#include "bench_child.h"
#include "tsr_process.h"

enum { FIND_TIMEOUT_MS = 30000 };

static const char *const kernels[] = {"spmv",  "spmm",   "mattransmul", "residual", "spgemm",
                                      "spadd", "spadd3", "elmul",       "masked",   "triangles"};

/* Whether text[0..n) is a format that the driver makes. */
static bool has_format(const char *text, size_t n)
{
    static const char *const formats[] = {"csr", "csc", "coo", "shuffled", "dia", NULL};
    for (int i = 0; formats[i]; i++)
        if (strlen(formats[i]) == n && strncmp(text, formats[i], n) == 0)
            return true;
    return n > 5 && strncmp(text, "bcsr(", 5) == 0;
}

/* Whether SciPy has operands of its own kind for the format: blocks or diagonals, for what it does not compute by compressed rows. */
static bool has_own(const bench_case *c, const char *format)
{
    static const char *const kernels_of[] = {"spmv", "spmm", "spgemm", "spadd", "spadd3"};
    bool any = false;
    for (size_t i = 0; i < sizeof kernels_of / sizeof *kernels_of; i++)
        any = any || strcmp(c->kernel->name, kernels_of[i]) == 0;
    return any && format && (strcmp(format, "dia") == 0 || strncmp(format, "bcsr(", 5) == 0);
}

static bool takes(const bench_case *c)
{
    const char *const colon = strchr(c->kernel->name, ':'); /* a conversion */
    if (colon)
        return c->type == TSR_F64 && c->coo->order == 2 &&
               has_format(c->kernel->name, (size_t)(colon - c->kernel->name)) &&
               has_format(colon + 1, strlen(colon + 1));
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(c->kernel->name, kernels[i]) == 0)
            return c->type == TSR_F64;
    return false;
}

/* Append the path of the program `name` and the version of its SciPy. */
static tsr_status ask(tsr_text *program, tsr_text *version, const char *name, tsr_error *err)
{
    static const char script[] = "import numpy, scipy.sparse; print(scipy.__version__)";
    const tsr_process_options options = {.output_nbytes = 64, .timeout_ms = FIND_TIMEOUT_MS};
    tsr_text said = {0};
    tsr_process_end end = {0};
    TSR_TRY(tsr_process_find(program, name, err));
    const char *const argv[] = {tsr_text_cstr(program), "-c", script, NULL};
    tsr_status status = tsr_process_run(&end, &said, NULL, argv, &options, err);
    if (status == TSR_OK && end.timed_out)
        status =
            tsr_fail(err, TSR_UNSUPPORTED, "%s did not answer within %d s", name, FIND_TIMEOUT_MS / 1000);
    else if (status == TSR_OK && (end.exit_code != 0 || said.nbytes == 0))
        status = tsr_fail(err, TSR_UNSUPPORTED, "%s has no scipy", name);
    if (status == TSR_OK)
        tsr_text_add_n(version, said.s, strcspn(said.s, "\n"));
    tsr_text_clear(&said);
    return status == TSR_OK ? tsr_text_status(version, err) : status;
}

/* Find python3: `path`, else the one in $PATH, else the system's, which has the packages of the system. */
static tsr_status look(tsr_text *program, tsr_text *version, const char *path, tsr_error *err)
{
    tsr_error second = {0};
    if (path)
        return ask(program, version, path, err);
    const tsr_status status = ask(program, version, "python3", err);
    if (status != TSR_UNSUPPORTED)
        return status;
    tsr_text_clear(program);
    return ask(program, version, "/usr/bin/python3", &second) == TSR_OK ? TSR_OK : status;
}

static tsr_status scipy_find(tsr_text *version, const char *path, tsr_error *err)
{
    tsr_text program = {0};
    const tsr_status status = look(&program, version, path, err);
    tsr_text_clear(&program);
    return status;
}

static tsr_status scipy_open(void **state, bench_opened *opened, const bench_case *c,
                             const bench_asked *asked, tsr_error *err)
{
    static const char name[] = "scipy_driver.py";
    tsr_text program = {0}, version = {0}, driver = {0}, kernel = {0};
    tsr_text_add(&kernel, c->kernel->name);
    if (has_own(c, asked->format)) {
        snprintf(opened->format_text, sizeof opened->format_text, "%s", asked->format);
        opened->format = opened->format_text;
        tsr_text_addf(&kernel, "@%s", opened->format);
    }
    tsr_status status = look(&program, &version, asked->path, err);
    if (status == TSR_OK)
        status = bench_child_file(&driver, asked, name, bench_driver_find(name), err);
    if (status == TSR_OK) {
        const char *const argv[] = {tsr_text_cstr(&program), tsr_text_cstr(&driver), tsr_text_cstr(&kernel),
                                    NULL};
        status = bench_child_start(state, opened, argv, c, asked, err);
    }
    const char *const threads = asked->nthreads > 1 ? "runs on one thread" : "";
    snprintf(opened->note_text, sizeof opened->note_text, "%s%s%s%s", threads,
             *threads && opened->format ? "; " : "", opened->format ? "has operands in " : "",
             opened->format ? opened->format : "");
    opened->note = opened->note_text[0] ? opened->note_text : NULL;
    tsr_text_clear(&program);
    tsr_text_clear(&version);
    tsr_text_clear(&driver);
    tsr_text_clear(&kernel);
    return status;
}

const bench_baseline bench_scipy = {
    .name = "scipy",
    .summary = "SciPy: spmv, spmm, mattransmul, residual, spgemm (sorted), spadd, spadd3, elmul, masked, "
               "triangles, compressed rows, conversions, on one thread",
    .format = "csr",
    .path_is = "a python3 that has scipy",
    .one_thread = true,
    .takes = takes,
    .find = scipy_find,
    .open = scipy_open,
    .run = bench_child_run,
    .overwrite = bench_child_overwrite,
    .result = bench_child_result,
    .entries = bench_child_entries,
    .said_ns = bench_child_said_ns,
    .close = bench_child_close,
};
