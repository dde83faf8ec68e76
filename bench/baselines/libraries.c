/* Libraries, each in a child process: drivers/NAME, compiled for a kernel, with the library, when it is measured first,
 * as its users compile it. So tbench is built without them. */
#include <stdio.h>
#include <string.h>

#include "bench_child.h"

enum { MAX_KERNELS = 13, MAX_FLAGS = 6 };

typedef struct library {
    const char *driver;               /* its text in drivers: C, or C++ where it ends in .cpp */
    const char *package;              /* of Debian, with what it needs to be compiled */
    const char *kernels[MAX_KERNELS]; /* NULL at the end */
    const char *flags[MAX_FLAGS];     /* NULL at the end */
    const char *by_columns;           /* its format where several threads multiply by the transposed matrix */
} library;

/* A conversion of `tbench convert` is a kernel of this name. */
#define CSR_TO_CSC "csr:csc"

static const library graphblas = {
    .driver = "graphblas.c",
    .package = "libgraphblas-dev",
    .kernels = {"spmv", "spmm", "mattransmul", "residual", "sddmm", "spgemm", "spadd", "spadd3", "elmul",
                "masked", "triangles", CSR_TO_CSC},
    .flags = {"-lgraphblas"},
};
static const library librsb = {
    .driver = "librsb.c",
    .package = "librsb-dev",
    .kernels = {"spmv", "spmm", "mattransmul", "residual"},
    .flags = {"-lrsb"},
};
static const library eigen = {
    .driver = "eigen.cpp",
    .package = "libeigen3-dev, and a C++ compiler",
    .kernels = {"spmv", "spmm", "mattransmul", "residual", "spgemm", "spadd", "spadd3", "elmul", CSR_TO_CSC},
    .flags = {"-DNDEBUG", "-lstdc++"},
    .by_columns = "csc",
};

static bool takes(const library *l, const bench_case *c)
{
    for (int i = 0; l->kernels[i]; i++)
        if (strcmp(c->kernel->name, l->kernels[i]) == 0)
            return c->type == TSR_F64;
    return false;
}

/* Append the path of the driver. */
static tsr_status make_driver(tsr_text *program, const library *l, const char *kernel,
                              const bench_asked *asked, tsr_error *err)
{
    char define[40];
    const char *flags[MAX_FLAGS + 7] = {"-O3", "-march=native", "-fopenmp", "-w", define};
    const bench_source source = {
        .text = bench_driver_find(l->driver), .is_cpp = strstr(l->driver, ".cpp") != NULL, .flags = flags};
    int n = 5;
    snprintf(define, sizeof define, "-DBENCH_KERNEL=%s", strcmp(kernel, CSR_TO_CSC) == 0 ? "turn" : kernel);
    for (int i = 0; l->flags[i]; i++)
        flags[n++] = l->flags[i];
    flags[n] = "-lm";
    tsr_error mine = {0};
    const tsr_status status = bench_child_program(program, asked, &source, &mine);
    if (status == TSR_UNSUPPORTED || status == TSR_ARGUMENT)
        return tsr_fail(err, TSR_UNSUPPORTED, "needs %s: %s", l->package, mine.message);
    if (status != TSR_OK)
        *err = mine;
    return status;
}

static tsr_status open_library(void **state, bench_opened *opened, const library *l, const bench_case *c,
                               const bench_asked *asked, tsr_error *err)
{
    tsr_text program = {0};
    *state = NULL;
    tsr_status status = make_driver(&program, l, c->kernel->name, asked, err);
    if (status == TSR_OK) {
        const char *const argv[] = {tsr_text_cstr(&program), NULL};
        status = bench_child_start(state, opened, argv, c, asked, err);
    }
    if (l->by_columns && asked->nthreads > 1 && strcmp(c->kernel->name, "mattransmul") == 0)
        opened->format = l->by_columns;
    tsr_text_clear(&program);
    return status;
}

#define FUNCTIONS(name)                                                                    \
    static bool name##_takes(const bench_case *c)                                          \
    {                                                                                      \
        return takes(&name, c);                                                            \
    }                                                                                      \
    static tsr_status name##_open(void **state, bench_opened *opened, const bench_case *c, \
                                  const bench_asked *asked, tsr_error *err)                \
    {                                                                                      \
        return open_library(state, opened, &name, c, asked, err);                          \
    }
#define MEMBERS(name)                                                                                       \
    .takes = name##_takes, .open = name##_open, .run = bench_child_run, .overwrite = bench_child_overwrite, \
    .result = bench_child_result, .entries = bench_child_entries, .said_ns = bench_child_said_ns,           \
    .close = bench_child_close

FUNCTIONS(graphblas)
FUNCTIONS(librsb)
FUNCTIONS(eigen)

const bench_baseline bench_graphblas = {
    .name = "graphblas",
    .summary = "SuiteSparse:GraphBLAS: the kernels of matrices, bench/baselines/README.md lists them",
    .format = "its own",
    .reuses = true,
    MEMBERS(graphblas),
};
const bench_baseline bench_librsb = {
    .name = "librsb",
    .summary = "librsb: spmv, spmm, mattransmul, residual",
    .format = "its own",
    MEMBERS(librsb),
};
const bench_baseline bench_eigen = {
    .name = "eigen",
    .summary = "Eigen: spmv, spmm, mattransmul, residual, spgemm, spadd, spadd3, elmul",
    .format = "csr",
    MEMBERS(eigen),
};
