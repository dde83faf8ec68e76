/* ALTO (https://github.com/IntelLabs/ALTO), as a child process: drivers/alto.cpp, compiled with its headers.
 *
 * Its own program `cpd` is not used: it multiplies by random factors that it does not output, so no answer could be
 * checked, and it reports the sum of many runs. */
#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_child.h"

enum { MAX_ORDER = 8, KEY_NBITS = 64 };

/* Append "-IFOLDER" of the folder that has alto.hpp: the given folder, or `include` in it. */
static tsr_status find_headers(tsr_text *include, const char *given, tsr_error *err)
{
    static const char *const subs[] = {"/include", ""};
    char *const folder = realpath(given, NULL);
    if (!folder)
        return tsr_fail(err, TSR_UNSUPPORTED, "%s: %s", given, strerror(errno));
    for (int i = 0; i < 2 && include->nbytes == 0; i++) {
        tsr_text header = {0};
        tsr_text_addf(&header, "%s%s/alto.hpp", folder, subs[i]);
        if (!header.failed && access(tsr_text_cstr(&header), R_OK) == 0)
            tsr_text_addf(include, "-I%s%s", folder, subs[i]);
        tsr_text_clear(&header);
    }
    free(folder);
    if (include->nbytes == 0)
        return tsr_fail(err, TSR_UNSUPPORTED, "no alto.hpp in %s or in the folder include there", given);
    return tsr_text_status(include, err);
}

/* The bits of the coordinates of a cell, as ALTO counts them. */
static int count_key_bits(const bench_case *c)
{
    int n = 0;
    for (int m = 0; m < c->coo->order; m++)
        for (uint64_t v = c->coo->dims[m] - 1; v > 0; v >>= 1)
            n++;
    return n;
}

/* Append the path of the driver for the headers and the case. */
static tsr_status make_driver(tsr_text *program, const char *include, const bench_case *c,
                              const bench_asked *asked, tsr_error *err)
{
    char order[32], rank[32];
    const char *const key =
        count_key_bits(c) <= KEY_NBITS ? "-DALTO_KEY=unsigned long long" : "-DALTO_KEY=unsigned __int128";
    snprintf(order, sizeof order, "-DALTO_ORDER=%d", c->coo->order);
    snprintf(rank, sizeof rank, "-DALTO_RANK=%d", c->rank);
    const char *const flags[] = {"-O3", "-march=native", "-fopenmp", "-D_GLIBCXX_PARALLEL",
                                 "-w",  include,         key,        order,
                                 rank,  "-lstdc++",      "-lm",      NULL};
    const bench_source source = {.text = bench_driver_find("alto.cpp"), .is_cpp = true, .flags = flags};
    return bench_child_program(program, asked, &source, err);
}

static tsr_status alto_open(void **state, bench_opened *opened, const bench_case *c, const bench_asked *asked,
                            tsr_error *err)
{
    tsr_text include = {0}, program = {0};
    tsr_status status;
    *state = NULL;
    if (c->coo->order < 2 || c->coo->order > MAX_ORDER)
        return tsr_fail(err, TSR_UNSUPPORTED, "it takes only tensors of 2 to %d modes", MAX_ORDER);
    TSR_TRY_OUT(find_headers(&include, asked->path, err));
    TSR_TRY_OUT(make_driver(&program, tsr_text_cstr(&include), c, asked, err));
    const char *const argv[] = {tsr_text_cstr(&program), NULL};
    status = bench_child_start(state, opened, argv, c, asked, err);
    opened->note = "the rank and the number of modes are compiled in; clearing the result is timed, too";
out:
    tsr_text_clear(&include);
    tsr_text_clear(&program);
    return status;
}

const bench_baseline bench_alto = {
    .name = "ALTO", /* in tables beside the format alto */
    .summary = "ALTO: mttkrp, with one tensor for all modes, its bits interleaved",
    .format = "alto",
    .path_is = "the folder of ALTO's sources, with include/alto.hpp",
    .wants_path = true,
    .takes = bench_is_mttkrp,
    .open = alto_open,
    .run = bench_child_run,
    .overwrite = bench_child_overwrite,
    .result = bench_child_result,
    .said_ns = bench_child_said_ns,
    .close = bench_child_close,
};
