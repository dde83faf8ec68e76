/* What the files of tkern share. */
#ifndef TSR_TKERN_H
#define TSR_TKERN_H

#include "index_width.h"
#include "options.h"
#include "report.h"
#include "transforms.h"
#include "tsr_codec.h"
#include "tsr_kernel.h"
#include "tsr_notation.h"

enum { TSR_TKERN_MAX_ITEMS = 64, TSR_TKERN_MAX_RUNS = 1000000 };

/* The arguments of an option of the form NAME:VALUE that may be given several times. */
typedef struct tsr_tkern_items {
    int n;
    const char *text[TSR_TKERN_MAX_ITEMS];
} tsr_tkern_items;

/* The command line. */
typedef struct tsr_tkern_settings {
    const char *expression;
    tsr_tkern_items formats, inputs, dims, outputs;
    bool has_emit, header, vectors, time, check, quiet;
    tsr_cli_progress progress;
    tsr_kernel_text emit;
    const char *header_path; /* of --header=FILE, or NULL */
    const char *to;          /* the codec of --to, or NULL */
    int nruns, nthreads;
    bool has_type;
    tsr_type type;
    const char *schedule, *semiring;
    bool deterministic; /* the schedule is, too */
    tsr_kernel_engine engine;
    tsr_cli_index_word index;
    uint64_t seed;
} tsr_tkern_settings;

/* One tensor of the expression. */
typedef struct tsr_tkern_tensor {
    const char *name;
    int order;
    const char *format_text, *path; /* of -f, -i; or NULL */
    const char *out;                /* of -o, or NULL */
    tsr_data data;                  /* from its file */
    bool has_dims;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_type type;
    tsr_format *format; /* NULL: the result's default */
    int index_nbits;    /* what the format's text asks for, or 0 */
    tsr_tensor *tensor; /* NULL while it is described only */
} tsr_tkern_tensor;

/* One run of the tool. */
typedef struct tsr_tkern {
    const tsr_tkern_settings *s;
    tsr_cli_report *report;
    tsr_notation *notation;
    tsr_tkern_tensor tensor[TSR_NOTATION_MAX_TENSORS]; /* the result first */
    uint64_t size[TSR_NOTATION_MAX_VARS];
    uint32_t known;    /* bit v: a tensor's dims tell variable v's size */
    uint32_t stand_in; /* bit v: nobody said variable v's size; it is the next, which stands for any */
    uint64_t stand_in_size;
    const char *c_path;  /* of -o FILE.c, or NULL */
    const tsr_codec *to; /* of the result's file, when it has one */
    bool text_only;      /* nothing is run: tensors may be described only */
    tsr_kernel *kernel;
    tsr_tensor *result;
    tsr_tensor *before; /* for += and --check: the result before the run */
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    uint64_t run_ns;
    tsr_cli_place wrong; /* the option (NULL: the expression) and its text that err->col speaks of */
} tsr_tkern;

/* ---- tkern_operands.c ---- */

/* Give the items of the command line to the expression's tensors. TSR_ARGUMENT. */
tsr_status tsr_tkern_assign(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* Read the files, find all sizes, pack and generate: t->tensor is complete but for the result's `tensor`,
 * which is only there when it has a file. */
tsr_status tsr_tkern_load(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_generate.c ---- */

/* A dense tensor of this format, every value in (0, 1] (integers: 1 to 9; complex: both parts), from seed,
 * name and place alone. TSR_LIMIT when it does not fit into memory. */
tsr_status tsr_tkern_generate(tsr_tensor **out, const char *name, const tsr_format *format,
                              const uint64_t *dims, tsr_type type, uint64_t seed, int nthreads,
                              tsr_error *err) TSR_NODISCARD;

/* ---- tkern_sparse.c ---- */

/* Whether the kernel of these tensors (notation->ntensors, the result dense) can also be made with a sparse
 * result: that format's text is appended, and *operand has the entries. */
bool tsr_tkern_sparse_result(tsr_text *text, int *operand, const tsr_tkern *t,
                             const tsr_kernel_tensor *tensors);

/* Where nobody said how the result is stored, and it has entries only where several sparse operands meet in
 * all of its variables: make it sparse, and say so. */
tsr_status tsr_tkern_propose_result(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_text.c ---- */

/* Append one of the kernel's texts; sizes that nobody said are "any". TSR_ARGUMENT when it depends on them.
 */
tsr_status tsr_tkern_text(tsr_text *out, const tsr_tkern *t, tsr_kernel_text what,
                          tsr_error *err) TSR_NODISCARD;
/* Write what -o NAME.c asks for. */
tsr_status tsr_tkern_write(const tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* Print what --emit asks for. */
tsr_status tsr_tkern_emit(const tsr_tkern *t, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_report.c ---- */

/* What was computed, from what, and how. */
void tsr_tkern_show(const tsr_tkern *t);
/* Run it again and again, and say how fast it is. */
tsr_status tsr_tkern_time(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* Run the kernel once; a signal meanwhile ends the process. */
tsr_status tsr_tkern_run(const tsr_tkern *t, tsr_tensor *result, tsr_error *err) TSR_NODISCARD;
/* The `show` of --list. */
void tsr_tkern_list(const tsr_cli_tool *tool);

/* ---- tkern_check.c ---- */

/* Compare the result with the interpreter's and, where the box of all variables is small, with a dense
 * oracle's. *same tells; what was compared is said. */
tsr_status tsr_tkern_check(bool *same, const tsr_tkern *t, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_oracle.c ---- */

/* The expression evaluated cell by cell: the result's cells, row by row (those of `before`, or 0, to begin
 * with), as pairs of doubles, or modulo 2^64 where is_integer. */
typedef struct tsr_tkern_cell {
    double re, im;
    uint64_t i;
} tsr_tkern_cell;
/* *cells (owned, tsr_free) has *ncells entries; NULL when the box is too large. */
tsr_status tsr_tkern_oracle(tsr_tkern_cell **cells, uint64_t *ncells, const tsr_tkern *t,
                            tsr_error *err) TSR_NODISCARD;
/* The tensor's cells, row by row; present[] (may be NULL) tells which are stored. */
tsr_status tsr_tkern_cells(tsr_tkern_cell *cells, bool *present, uint64_t ncells, const tsr_tensor *tensor,
                           int nthreads, tsr_error *err) TSR_NODISCARD;

#endif
