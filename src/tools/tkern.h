/* What the files of tkern share. */
#ifndef TSR_TKERN_H
#define TSR_TKERN_H

#include "index_width.h"
#include "json.h"
#include "options.h"
#include "report.h"
#include "tsr_codec.h"
#include "tsr_emit.h"
#include "tsr_kernel.h"
#include "tsr_notation.h"
#include "tsr_oracle.h"
#include "tsr_ranks.h"

enum { TSR_TKERN_MAX_ITEMS = 64, TSR_TKERN_MAX_RUNS = 1000000 };

/* The arguments of an option of the form NAME:VALUE that may be given several times. */
typedef struct tsr_tkern_items {
    int n;
    const char *text[TSR_TKERN_MAX_ITEMS];
} tsr_tkern_items;

/* What a run makes of a sparse result: entries and values, the entries alone, or the values of the entries that a file has. */
typedef enum tsr_tkern_part {
    TSR_TKERN_BOTH,
    TSR_TKERN_ASSEMBLE,
    TSR_TKERN_COMPUTE,
    TSR_TKERN_PATTERN, /* the entries alone, without values */
    TSR_TKERN_NNZ      /* their number alone */
} tsr_tkern_part;

/* The command line. */
typedef struct tsr_tkern_settings {
    tsr_cli_common common; /* first: see options.h */
    const char *expression;
    tsr_tkern_items formats, inputs, dims, outputs, scalars, functions, statements, kernels;
    bool library; /* --emit=library */
    bool has_emit, header, vectors, time, check, drop_zeros, clear_cache;
    tsr_kernel_text emit;
    const tsr_emit_target *target; /* of --target; NULL: this machine */
    const char *name;              /* of --name, or NULL */
    bool cxx, has_index_type, runtime_header;
    int index_type;          /* of --index-type: 0 uint32, 1 uint64, 2 int32, 3 int64 */
    const char *header_path; /* of --header=FILE, or NULL */
    const char *to;          /* the codec of --to, or NULL */
    int nruns;
    tsr_tkern_part part;
    bool has_type;
    tsr_type type;
    const char *schedule, *semiring;
    const char *gradient; /* of --grad: names of operands, or NULL */
    const char *plan;     /* the file of --plan, or NULL */
    bool deterministic;   /* the schedule is, too */
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
    const char *value;              /* of --scalar, or NULL */
    tsr_data data;                  /* from its file */
    bool has_dims;
    uint64_t dims[TSR_MAX_ORDER];
    tsr_type type;
    tsr_format *format; /* NULL: the result's default */
    int index_nbits;    /* the width that the text of the format asks for, or 0 */
    tsr_tensor *tensor; /* NULL while the tensor is only described */
} tsr_tkern_tensor;

typedef struct tsr_tkern_blocks tsr_tkern_blocks; /* tkern_blocks.c */

/* One run of the tool. */
typedef struct tsr_tkern {
    const tsr_tkern_settings *s;
    tsr_cli_report *report;
    tsr_functions *functions; /* of --function; NULL: none */
    tsr_notation *notation;
    tsr_tkern_tensor tensor[TSR_NOTATION_MAX_TENSORS]; /* the result first */
    uint64_t size[TSR_NOTATION_MAX_VARS];
    uint32_t known;    /* bit v: the dims of a tensor determine the size of variable v */
    uint32_t stand_in; /* bit v: the size of variable v is unknown; stand_in_size takes its place */
    uint64_t stand_in_size;
    const char *c_path;  /* of -o FILE.c, or NULL */
    const tsr_codec *to; /* of the file of the result, if there is one */
    bool text_only;      /* nothing is run, so tensors need not hold entries */
    tsr_text plan;       /* of --plan */
    tsr_kernel *kernel;
    tsr_tensor *result;
    tsr_tensor *before; /* for += and --check: the result before the run */
    const tsr_tensor *operands[TSR_NOTATION_MAX_TENSORS];
    uint64_t run_ns;
    const tsr_ranks *ranks;   /* this process is one of several; NULL: it works alone */
    tsr_json *json;           /* --json: an open object, which takes what is otherwise printed; or NULL */
    uint64_t ndropped;        /* zeros that --drop-zeros dropped */
    tsr_tkern_blocks *blocks; /* --memory: an operand is read in blocks, owned; NULL: all are in memory */
    tsr_cli_place wrong;      /* the option (NULL: the expression) and the text in which err->col counts */
} tsr_tkern;

/* ---- tkern_operands.c ---- */

/* How the file of a tensor is read. */
tsr_read_options tsr_tkern_read_options(const tsr_tkern *t, const tsr_tkern_tensor *tensor);
/* Assign the arguments of -f, -i, -o and -d to the tensors of the expression. TSR_ARGUMENT. */
tsr_status tsr_tkern_assign(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* Read the files, determine all sizes, pack the operands and generate those without a file. Afterwards
 * every t->tensor is complete; the result has a `tensor` only if it was read from a file. */
tsr_status tsr_tkern_load(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_blocks.c ---- */

/* With --memory: open the operand that is read in blocks, set its dims and type, and check that the statement can be cut. */
tsr_status tsr_tkern_blocks_open(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* The number of that operand, its entries, and the blocks that were read; 0: there is none. */
int tsr_tkern_blocks_operand(const tsr_tkern *t);
uint64_t tsr_tkern_blocks_nnz(const tsr_tkern *t);
uint64_t tsr_tkern_blocks_count(const tsr_tkern *t);
/* The statement of the kernel: that of the command line, or the one that adds a block. */
const char *tsr_tkern_statement(tsr_tkern *t);
/* Read the first block, for which the kernel is made, when all other operands are in memory. */
tsr_status tsr_tkern_blocks_first(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* Add all blocks to the result. */
tsr_status tsr_tkern_blocks_run(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
void tsr_tkern_blocks_close(tsr_tkern *t);
/* Print the number of entries of the result. make: makes t->kernel for t->tensor. */
tsr_status tsr_tkern_count(tsr_tkern *t, tsr_status (*make)(tsr_tkern *t, tsr_error *err),
                           tsr_error *err) TSR_NODISCARD;

/* ---- tkern_generate.c ---- */

/* A dense tensor of this format. Every value is in (0, 1] (integers: 1 to 9; complex: both parts) and
 * depends on the seed, the name and the cell only. TSR_LIMIT if it does not fit into memory. */
typedef struct tsr_tkern_random {
    const char *name; /* of the tensor */
    const tsr_format *format;
    const uint64_t *dims;
    tsr_type type;
    uint64_t seed;
} tsr_tkern_random;
tsr_status tsr_tkern_generate(tsr_tensor **out, const tsr_tkern_random *want, int nthreads,
                              tsr_error *err) TSR_NODISCARD;

/* A dense, row-major tensor whose values are not set. */
tsr_status tsr_cli_dense_tensor(tsr_tensor **out, tsr_shape shape, tsr_type type,
                                tsr_error *err) TSR_NODISCARD;
/* The f64 values that tsr_tkern_generate gives to n cells of a tensor of this name, counted in row-major order. */
typedef struct tsr_tkern_cells {
    const char *name;
    uint64_t seed, first, n;
} tsr_tkern_cells;
void tsr_tkern_random_cells(double *out, const tsr_tkern_cells *cells);

/* ---- tkern_result.c ---- */

/* Give the values the type in which the file has them: a pattern of `|=`, f16 and bf16 of --type. */
tsr_status tsr_tkern_settle(const tsr_tkern *t, tsr_tensor *result, tsr_error *err) TSR_NODISCARD;
/* Drop the entries of a sparse result whose value is 0. */
tsr_status tsr_tkern_drop_zeros(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* Print how many entries a sparse result has, and where; nothing for a dense result. */
void tsr_tkern_show_entries(const tsr_tkern *t);

/* ---- tkern_ranks.c ---- */

/* Compute, report and write the result with the other ranks; after the command line was planned. */
tsr_status tsr_tkern_ranks(tsr_tkern *t, tsr_status planned, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_text.c ---- */

/* Write the C file of -o NAME.c, the header if --header is given, and tessera_rt.h if the text includes it. */
tsr_status tsr_tkern_write(const tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* Print the text that --emit names. */
/* Compile the C file for the target, as --check asks; TSR_UNSUPPORTED where there is no compiler for it. */
tsr_status tsr_tkern_compile(const char *path, const tsr_emit_target *target, tsr_error *err) TSR_NODISCARD;
tsr_status tsr_tkern_emit(const tsr_tkern *t, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_library.c ---- */

/* Write the two files of --emit=library. */
tsr_status tsr_tkern_library(const tsr_tkern_settings *s, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_gradient.c ---- */

/* *to: the settings of the run that computes the gradient with respect to the operand; its expression is in `expression`, and a text of it in
 * `format`. TSR_ARGUMENT,
 * TSR_UNSUPPORTED. */
tsr_status tsr_tkern_gradient(tsr_tkern_settings *to, tsr_text *expression, tsr_text *format,
                              const char *operand, const tsr_tkern_settings *s, tsr_error *err) TSR_NODISCARD;

/* ---- tkern_report.c ---- */

/* Print the summary: the tensors, sum and norm of the result, time, schedule. */
void tsr_tkern_show(const tsr_tkern *t);
/* Time the kernel (--time) and print the times and the rates. */
tsr_status tsr_tkern_time(tsr_tkern *t, tsr_error *err) TSR_NODISCARD;
/* The number of threads that the kernel runs on. */
int tsr_tkern_threads(const tsr_tkern *t);
/* Run the kernel once; a signal meanwhile ends the process. */
tsr_status tsr_tkern_run(const tsr_tkern *t, tsr_tensor *result, tsr_error *err) TSR_NODISCARD;
/* A tensor with the same entries and format. */
tsr_status tsr_tkern_copy(tsr_tensor **out, const tsr_tensor *tensor, int nthreads,
                          tsr_error *err) TSR_NODISCARD;
/* The `show` of --list-kernels. */
void tsr_tkern_list(const tsr_cli_tool *tool);
/* The `show` function of --list-schedule. */
void tsr_tkern_list_schedule(const tsr_cli_tool *tool);
/* The items of schedules in --describe-options. */
void tsr_tkern_describe(const char *table);

/* The sum of all values (two parts where they are complex) and the norm. */
typedef struct tsr_tkern_sums {
    double sum[2], norm;
} tsr_tkern_sums;
tsr_tkern_sums tsr_tkern_sum(const tsr_tensor *tensor);

/* What --time measured: the least and the median run, and the rates of the least. */
typedef struct tsr_tkern_timing {
    double min_ns, median_ns;
    tsr_kernel_work work;
    double bandwidth; /* bytes per second that a triad reaches here; 0: unknown */
} tsr_tkern_timing;

/* ---- tkern_json.c: the same as members of t->json ---- */

void tsr_tkern_json_show(const tsr_tkern *t);
void tsr_tkern_json_timing(const tsr_tkern *t, const tsr_tkern_timing *timing);
/* against: "interpreter" or "oracle"; c NULL: there was nothing to compare, because of `why`. */
void tsr_tkern_json_comparison(const tsr_tkern *t, const char *against, const tsr_comparison *c,
                               const char *why);

/* ---- tkern_check.c ---- */

/* Compare the result with the interpreter and, if the box of all variables is small, with the dense
 * oracle. Prints what was compared; *same: no difference beyond rounding. */
tsr_status tsr_tkern_check(bool *same, const tsr_tkern *t, tsr_error *err) TSR_NODISCARD;

#endif
