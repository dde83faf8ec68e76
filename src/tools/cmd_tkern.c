/* tkern: make a kernel from index notation and formats; show it, write it, run it, time it, check it. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "tsr_files.h"
#include "lists.h"
#include "options.h"
#include "ranks.h"
#include "schedule_text.h"
#include "tkern.h"
#include "tsr_input.h"
#include "tsr_jit.h"
#include "tsr_lower.h"
#include "tsr_machine.h"
#include "tsr_num.h"
#include "tsr_pack.h"
#include "tsr_write.h"

enum { DEFAULT_RUNS = 10, MAX_PLAN_NBYTES = 1 << 20 };

/* ---- the command line ---- */

static const char *const emit_words[] = {"c",       "c11",     "ir",    "plan", "header",
                                         "runtime", "library", "graph", NULL};
enum { EMIT_LIBRARY = 6 };
static const tsr_kernel_text emit_values[] = {TSR_KERNEL_C,     TSR_KERNEL_C11,    TSR_KERNEL_IR,
                                              TSR_KERNEL_GRAPH, TSR_KERNEL_HEADER, TSR_KERNEL_RUNTIME,
                                              TSR_KERNEL_C,     TSR_KERNEL_GRAPH};
static const char *const engine_words[] = {"auto", "compiled", "jit", "builtin", "interpreter", NULL};
static const tsr_kernel_engine engine_values[] = {TSR_ENGINE_AUTO, TSR_ENGINE_COMPILED, TSR_ENGINE_JIT,
                                                  TSR_ENGINE_BUILTIN, TSR_ENGINE_INTERPRETER};

#define ITEM(name)                                                                 \
    TSR_CLI_SET(name)                                                              \
    {                                                                              \
        tsr_tkern_items *const items = &((tsr_tkern_settings *)to)->name;          \
        if (items->n == TSR_TKERN_MAX_ITEMS)                                       \
            return tsr_fail(err, TSR_LIMIT, "given more than %d times", items->n); \
        items->text[items->n++] = value;                                           \
        return TSR_OK;                                                             \
    }

ITEM(formats)
ITEM(inputs)
ITEM(dims)
ITEM(outputs)
ITEM(scalars)
ITEM(functions)
ITEM(statements)
ITEM(kernels)
TSR_CLI_SET_FLAG(tsr_tkern_settings, drop_zeros, drop_zeros)
TSR_CLI_SET_FLAG(tsr_tkern_settings, clear_cache, clear_cache)
TSR_CLI_SET_FLAG(tsr_tkern_settings, cxx, cxx)
TSR_CLI_SET_TEXT(tsr_tkern_settings, name, name)
TSR_CLI_SET_TEXT(tsr_tkern_settings, gradient, gradient)

TSR_CLI_SET(index_type)
{
    static const char *const words[] = {"uint32", "uint64", "int32", "int64", NULL};
    tsr_tkern_settings *const s = to;
    s->has_index_type = true;
    return tsr_cli_parse_word(&s->index_type, value, words, err);
}
TSR_CLI_SET_FLAG(tsr_tkern_settings, vectors, vectors)

TSR_CLI_SET(runtime)
{
    static const char *const words[] = {"text", "header", NULL};
    int i = 0;
    TSR_TRY(tsr_cli_parse_word(&i, value, words, err));
    ((tsr_tkern_settings *)to)->runtime_header = i == 1;
    return TSR_OK;
}
TSR_CLI_SET_FLAG(tsr_tkern_settings, check, check)
TSR_CLI_SET_BY(tsr_tkern_settings, to, to, tsr_cli_parse_codec)

TSR_CLI_SET(emit)
{
    tsr_tkern_settings *const s = to;
    int i = 0;
    TSR_TRY(tsr_cli_parse_word(&i, value, emit_words, err));
    s->has_emit = i != EMIT_LIBRARY;
    s->library = i == EMIT_LIBRARY;
    s->emit = emit_values[i];
    return TSR_OK;
}

TSR_CLI_SET_BY(tsr_tkern_settings, target, target, tsr_emit_target_parse)

TSR_CLI_SET(header)
{
    (void)err;
    tsr_tkern_settings *const s = to;
    s->header = true;
    s->header_path = value;
    return TSR_OK;
}

TSR_CLI_SET(time)
{
    tsr_tkern_settings *const s = to;
    s->time = true;
    s->nruns = DEFAULT_RUNS;
    return value ? tsr_cli_parse_int(&s->nruns, value, 1, TSR_TKERN_MAX_RUNS, err) : TSR_OK;
}

TSR_CLI_SET(type)
{
    tsr_tkern_settings *const s = to;
    s->has_type = true;
    return tsr_type_parse(&s->type, value, err);
}

TSR_CLI_SET_TEXT(tsr_tkern_settings, schedule, schedule)
TSR_CLI_SET_TEXT(tsr_tkern_settings, plan, plan)

TSR_CLI_SET(semiring)
{
    const tsr_semiring *ring;
    ((tsr_tkern_settings *)to)->semiring = value;
    return tsr_semiring_parse(&ring, value, err);
}

TSR_CLI_SET_FLAG(tsr_tkern_settings, deterministic, deterministic)

TSR_CLI_SET(engine)
{
    int i = 0;
    TSR_TRY(tsr_cli_parse_word(&i, value, engine_words, err));
    ((tsr_tkern_settings *)to)->engine = engine_values[i];
    return TSR_OK;
}

static const char *const parts[] = {"both", "assemble", "compute", "pattern", "nnz", NULL};

TSR_CLI_SET(part)
{
    int i = 0;
    TSR_TRY(tsr_cli_parse_word(&i, value, parts, err));
    ((tsr_tkern_settings *)to)->part = (tsr_tkern_part)i;
    return TSR_OK;
}

TSR_CLI_SET_BY(tsr_tkern_settings, index, index, tsr_cli_parse_index)

TSR_CLI_SET(seed)
{
    const char *const end = value + strlen(value);
    if (*value && tsr_parse_u64(&((tsr_tkern_settings *)to)->seed, value, end) == end)
        return TSR_OK;
    return tsr_fail(err, TSR_ARGUMENT, "'%s' is not a number", value);
}

static const tsr_cli_option options[] = {
    {.help = "Tensors, each by its name in EXPR; these may be given several times"},
    TSR_CLI_ROW_FORMAT(
        "T:FORMAT",
        "how T is stored: a name (csr, csf:2,0,1), letters (dss:2,0,1), a map with levels, a dense layout. "
        "By default a packed file keeps its format; coordinates become compressed, or dense if a quarter of "
        "the cells have entries; all other operands are dense and row-major, and so is the result, unless it "
        "has entries only where several sparse operands have entries",
        set_formats),
    TSR_CLI_ROW_LIST_FORMATS,
    {"input", 'i', "T:FILE",
     "read T from FILE (any codec; symmetric ones are expanded). An operand without a file is dense, with "
     "generated values. For += the result may have a file; for the part compute it needs one",
     set_inputs, NULL},
    {"dims", 'd', "T:DIMS",
     "the dims of T (B:4,5,6), or the size of an index variable (r:16); several with commas: i:5,j:5",
     set_dims, NULL},
    TSR_CLI_ROW_OUTPUT(
        "T:FILE",
        "write the result T to FILE, or with - to standard output, as tns and without the summary. Without "
        "T:, a name that ends in .c: write the kernel as plain C11, with a function of that name",
        set_outputs),
    {"scalar", 0, "T=VALUE",
     "the value of a scalar operand, as in alpha=2.5 or alpha=1+2i; separate several by commas", set_scalars,
     NULL},
    {"drop-zeros", 0, NULL, "drop entries of a sparse result that are 0; by default they stay",
     set_drop_zeros, NULL},
    {"part", 0, "PART",
     "what to make of a sparse result: both (the default), assemble: all entries, with the value 0, "
     "compute: the values of the entries that the result's --input has, pattern: the entries alone, or nnz: "
     "print their number, computing blocks of rows where possible",
     set_part, NULL},
    {"to", 0, "CODEC", "the file format of the result; by default the suffix determines it", set_to, NULL},
    TSR_CLI_ROW_LIST_CODECS,

    {.help = "The kernel"},
    {"emit", 0, "TEXT",
     "print the kernel as c (the text that is compiled, with vectors), c11, header, ir (the loop program) or "
     "plan (the loops, and how threads share the result); runtime: print tessera_rt.h, the same for all "
     "kernels; library: write several kernels to NAME.c and NAME.h of -o NAME.c, which programs link, so "
     "that "
     "they need no compiler when they run",
     set_emit, NULL},
    {"statement", 'e', "TEXT",
     "with --emit=library: another kernel, as 'EXPR; T:FORMAT; T:FORMAT', or 'NAME: EXPR; ...' with the name "
     "of its "
     "function; may be given several times",
     set_statements, NULL},
    {"kernels", 0, "FILE",
     "with --emit=library: all kernels of FILE, in lines `kernel: NAME`, `expression: EXPR`, `formats: ...` "
     "(docs/kernels.md); may be given several times",
     set_kernels, NULL},
    {"header", 0, "[FILE]", "with -o NAME.c: also write the header, NAME.h or FILE", set_header, NULL},
    {"vectors", 0, NULL, "with -o NAME.c: use the vector types of gcc and clang", set_vectors, NULL},
    {"runtime", 0, "WHERE",
     "where the functions are that the C text calls: in the text, or header: in the file tessera_rt.h, which "
     "the "
     "text includes and -o NAME.c writes beside it",
     set_runtime, NULL},
    {"target", 0, "PROCESSOR",
     "write the C text for another processor: x86-64-v2, x86-64-v3, x86-64-v4, armv8-a, neoverse-v1; with "
     "--check "
     "its compiler must accept the file (for arm on other machines aarch64-linux-gnu-gcc)",
     set_target, NULL},
    {"name", 0, "NAME", "the name of the C function; by default the name of the file, or kernel", set_name,
     NULL},
    {"cxx", 0, NULL, "make the C text valid C++17, too; the default for files NAME.cpp and NAME.cc", set_cxx,
     NULL},
    {"index-type", 0, "TYPE",
     "the element type of the index arrays in the C text: uint32 (default), uint64, int32, int64",
     set_index_type, NULL},
    {"function", 0, "DEFINITION",
     "define a function for EXPR: 'relu(x) = x > 0 ? x : 0' or 'NAME(x,y) = EXPRESSION', in C, with '; zero "
     "at x=0' "
     "or '; zero at x=0, y=0' behind it if the value is absent where that argument is; may be given several "
     "times",
     set_functions, NULL},
    {"grad", 0, "NAMES",
     "compute gradients instead: with respect to each of these operands, as dA from dY, where Y is the "
     "result; "
     "each is a run of its own, which names its statements",
     set_gradient, NULL},
    TSR_CLI_ROW_SCHEDULE(set_schedule),
    {"plan", 0, "FILE", "follow the plan in FILE, which --emit=plan has printed and you may have changed",
     set_plan, NULL},
    {"list-schedule", 0, NULL, "list the items of schedules, and stop", NULL, tsr_tkern_list_schedule},
    {"semiring", 0, "NAME",
     "the meaning of + and *: plus-times, min-plus, max-plus, or-and...; docs/notation.md lists them",
     set_semiring, NULL},
    TSR_CLI_ROW_DETERMINISTIC(set_deterministic),
    {"type", 0, "TYPE",
     "the values of all tensors (f16 and bf16 are added as f32, and rounded in the file of the result):"
#define X(name, text, ctype, nbytes, class) " " text
#include "types.def"
#undef X
     ,
     set_type, NULL},
    {"index", 0, "WIDTH", "bits of stored indices, as for tconv: auto, narrow, 8, 16, 32, 64", set_index,
     NULL},
    {"list-kernels", 0, NULL, "list the built-in kernels and those in the cache, and stop", NULL,
     tsr_tkern_list},
    {"clear-cache", 0, NULL, "remove all kernels, and the programs of tbench, from the cache, and stop",
     set_clear_cache, NULL},

    {.help = "The run"},
    {"time", 0, "[N]", "run N times (10 by default) after a warm-up, and print the times", set_time, NULL},
    {"check", 0, NULL,
     "compare with the interpreter and, for small tensors, with a dense evaluation; exit code 1 if they "
     "differ",
     set_check, NULL},
    {"engine", 0, "ENGINE",
     "auto (built in, else compiled, else interpreted), compiled (built in or compiled), jit (compiled), "
     "builtin, interpreter",
     set_engine, NULL},
    {"seed", 0, "N", "the seed of generated values; 0 by default", set_seed, NULL},
    TSR_CLI_ROW_MEMORY(": the operand with the largest file is read block by block, and each block's part "
                       "added to the result"),
    TSR_CLI_ROW_THREADS,
    TSR_CLI_ROW_QUIET,
    TSR_CLI_ROW_JSON("one JSON object instead of the summary, the check and the times"),
    TSR_CLI_ROW_PROGRESS,
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tkern",
    .usage = "EXPR [-f T:FORMAT]... [-i T:FILE]... [-d T:DIMS]... [-o T:FILE]\n"
             "EXPR [-f T:FORMAT]... --emit=TEXT | -o NAME.c\n"
             "--emit=library -o NAME.c [EXPR [-f T:FORMAT]...] [-e TEXT]... [--kernels=FILE]...",
    .summary = "Generate a kernel from index notation and a storage format for each tensor; run it, time it, "
               "or print it. An index variable that is not on the left is summed over. Operands and result "
               "may be sparse or dense, in any format. Several statements are separated by ';': each reads "
               "the results of "
               "those before it.",
    .notes = "Examples:\n"
             "  tkern 'y(i) = A(i,j)*x(j)' -i A:a.mtx --time\n"
             "  tkern 'A(i,r) = B(i,j,k)*C(j,r)*D(k,r)' -f B:sss -i B:b.tns -d r:16 -o A:a.h5\n"
             "  tkern 'y(i) = A(i,j)*x(j)' -f A:'bcsr(4,4)' --emit=c\n"
             "  tkern 'y(i) = A(i,j)*x(j)' -f A:csr -o spmv.c --header\n"
             "  tkern --emit=library -o fast.c -e 'spmv: y(i) = A(i,j)*x(j); A:csr'\n\n" TSR_EXIT_CODES_HELP,
    .options = options,
    .describe_more = tsr_tkern_describe,
    .max_operands = 1,
    .extra_operand =
        "files of tensors are given as --input=T:FILE, and an expression with blanks needs quotes",
};

#undef ITEM

/* ---- the steps ---- */

/* Whether the file of the result can hold it, as far as it is known. */
static tsr_status check_target(const tsr_tkern *t, tsr_type type, tsr_error *err)
{
    const tsr_tkern_tensor *const result = &t->tensor[0];
    const tsr_status status = result->out && t->to->check ? t->to->check(result->order, type, err) : TSR_OK;
    if (status != TSR_OK)
        tsr_error_set_path(err, result->out);
    return status;
}

/* The codec of text that is entries and nothing else, for tensors of any order; NULL when there is none. */
static const tsr_codec *plain_text_codec(void)
{
    int i = 0;
    while (tsr_codecs[i] &&
           !(tsr_codecs[i]->streams && tsr_codecs[i]->has_header && tsr_codecs[i]->write_coo))
        i++;
    return tsr_codecs[i];
}

/* The codec of the result's file; standard output takes text, and nothing else may be printed there. */
static tsr_status plan_output(tsr_tkern *t, const char *out, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    const bool to_stdout = strcmp(out, "-") == 0;
    const tsr_codec *const text = to_stdout ? plain_text_codec() : NULL;
    TSR_TRY(tsr_write_plan(&t->to, out, s->to ? s->to : text ? text->name : NULL, NULL, err));
    if (to_stdout && s->common.json && (!s->common.json_path || strcmp(s->common.json_path, "-") == 0))
        return tsr_fail(err, TSR_ARGUMENT,
                        "--json and the result both go to standard output: use --json=FILE");
    if (to_stdout && (s->time || s->check || s->has_emit))
        return tsr_fail(err, TSR_ARGUMENT, "--%s prints to standard output too: write the result to a file",
                        s->time    ? "time"
                        : s->check ? "check"
                                   : "emit");
    return check_target(t, TSR_F64, err);
}

/* Compile the functions of --function. */
static tsr_status define_functions(tsr_tkern *t, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    t->wrong = (tsr_cli_place){"function", s->functions.n == 1 ? s->functions.text[0] : NULL};
    if (s->functions.n == 0)
        return TSR_OK;
    const tsr_status status = tsr_functions_new(&t->functions, s->functions.text, s->functions.n, NULL, err);
    if (s->functions.n > 1)
        err->col = 0; /* it is not known in which text */
    return status;
}

/* What can be refused before anything is read. */
static tsr_status plan(tsr_tkern *t, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    tsr_schedule schedule;
    TSR_TRY(define_functions(t, err));
    t->wrong = (tsr_cli_place){NULL, s->expression};
    TSR_TRY(tsr_program_parse(&t->notation, s->expression, tsr_functions_list(t->functions), err));
    t->wrong = (tsr_cli_place){NULL, s->schedule}; /* the message begins with "schedule" */
    TSR_TRY(tsr_schedule_parse(&schedule, s->schedule, t->notation, err));
    t->wrong = (tsr_cli_place){0};
    TSR_TRY(tsr_tkern_assign(t, err));
    if ((s->header || s->vectors) && !t->c_path)
        return tsr_fail(err, TSR_ARGUMENT, "--%s needs --output=NAME.c", s->header ? "header" : "vectors");
    const char *const out = t->tensor[0].out;
    if (s->to && !out)
        return tsr_fail(err, TSR_ARGUMENT, "--to needs --output=%s:FILE", t->tensor[0].name);
    if (out)
        TSR_TRY(plan_output(t, out, err));
    for (int i = 0; out && i < t->notation->ntensors; i++)
        TSR_TRY(tsr_check_output(out, t->tensor[i].path ? t->tensor[i].path : "-", err));
    if (s->drop_zeros && s->time)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--drop-zeros changes the result, which --time runs into: give one of them");
    t->text_only = (s->has_emit || t->c_path) && !s->time && (!s->check || s->target) && !out;
    if (s->target && (!t->text_only || (s->check && !t->c_path)))
        return tsr_fail(err, TSR_ARGUMENT,
                        "--target writes a text that this machine may not run: it needs -o NAME.c or --emit "
                        "alone, and --check needs -o NAME.c");
    if (s->part && (s->check || s->drop_zeros))
        return tsr_fail(err, TSR_ARGUMENT,
                        "--part makes one part of the result, so --check and --drop-zeros do not go with it");
    const bool runs = s->part != TSR_TKERN_BOTH && s->part != TSR_TKERN_COMPUTE;
    if (runs && (s->time || t->text_only || (s->part == TSR_TKERN_NNZ && t->tensor[0].out)))
        return tsr_fail(err, TSR_ARGUMENT, "--part=%s runs the kernel: leave out --time and %s",
                        parts[s->part], s->part == TSR_TKERN_NNZ ? "-o" : "texts alone");
    if (s->part == TSR_TKERN_COMPUTE && !t->tensor[0].path && !t->text_only)
        return tsr_fail(err, TSR_ARGUMENT, "--part=compute needs --input=%s:FILE, a file with the entries",
                        t->tensor[0].name);
    if (s->runtime_header && !t->c_path && !s->has_emit)
        return tsr_fail(err, TSR_ARGUMENT, "--runtime is about a C text: it needs --emit or -o NAME.c");
    if ((s->name || s->cxx || s->has_index_type) && !t->text_only)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--%s is about a text that is printed or written: it needs --emit or -o NAME.c alone",
                        s->name  ? "name"
                        : s->cxx ? "cxx"
                                 : "index-type");
    return TSR_OK;
}

/* The name of the C function: that of the file, or NULL. */
static const char *function_name(char *buf, size_t n, const char *c_path)
{
    if (!c_path)
        return NULL;
    const char *const slash = strrchr(c_path, '/');
    snprintf(buf, n, "%s", slash ? slash + 1 : c_path);
    *strrchr(buf, '.') = '\0'; /* assign_output: there is a point */
    return buf;
}

/* Whether the header is beside the C file and has its name. */
static bool includes_header(const tsr_tkern_settings *s)
{
    return s->header && !s->header_path && !s->name;
}

static bool is_cxx_path(const char *c_path)
{
    return c_path && strcmp(strrchr(c_path, '.'), ".c") != 0;
}

/* What the kernel is made for; tensors: notation->ntensors. */
static void describe_tensors(tsr_kernel_tensor *tensors, const tsr_tkern *t)
{
    static const uint8_t widths[] = {0, 1, 2, 4, 8, 0}; /* by tsr_cli_index_word */
    const tsr_tkern_settings *const s = t->s;
    for (int i = 0; i < t->notation->ntensors; i++) {
        const tsr_tkern_tensor *const tensor = &t->tensor[i];
        tensors[i] = (tsr_kernel_tensor){.name = tensor->name,
                                         .tensor = tensor->tensor,
                                         .format = tensor->format,
                                         .dims = tensor->dims,
                                         .type = tensor->type,
                                         .index_nbytes = s->index == 0 ? (uint8_t)(tensor->index_nbits / 8)
                                                                       : widths[s->index]};
        if (s->has_index_type)
            tensors[i].index_nbytes = s->index_type % 2 ? 8 : 4;
    }
    tensors[0].type = s->has_type && !tsr_type_is_half(s->type) ? s->type : TSR_NTYPES;
}

/* A dense result is too large: say what else it could be. */
static tsr_status too_large(const tsr_tkern *t, tsr_status status, tsr_error *err)
{
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_text text = {0};
    tsr_format *format = NULL;
    const char *operand;
    const tsr_kernel_question question = {t->s->expression, tensors, t->notation->ntensors, t->functions};
    describe_tensors(tensors, t);
    if (!t->tensor[0].format && tsr_kernel_propose_pattern(&format, &operand, &question, NULL) == TSR_OK &&
        format) {
        const size_t n = strlen(err->message);
        tsr_format_print_name(&text, format);
        snprintf(err->message + n, sizeof err->message - n, "; --format=%s:%s makes it sparse as %s is",
                 t->tensor[0].name, tsr_text_cstr(&text), operand);
    }
    tsr_format_free(format);
    tsr_text_clear(&text);
    return status;
}

/* If no format is given for the result, and a sparse one suits it: make the result sparse, and report that. */
static tsr_status propose_format(tsr_tkern *t, tsr_error *err)
{
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    tsr_tkern_tensor *const result = &t->tensor[0];
    if (result->format || result->path)
        return TSR_OK;
    describe_tensors(tensors, t);
    const tsr_kernel_question question = {t->s->expression, tensors, t->notation->ntensors, t->functions};
    TSR_TRY(tsr_kernel_propose_format(&result->format, &question, err));
    if (!result->format || t->s->common.quiet)
        return TSR_OK;
    tsr_text name = {0};
    tsr_format_print_name(&name, result->format);
    if (tsr_notation_has_ending(t->notation))
        tsr_cli_report_line(t->report, "%s is stored as %s: the statement leaves out entries", result->name,
                            tsr_text_cstr(&name));
    else
        tsr_cli_report_line(
            t->report,
            "%s is stored as %s: it has entries only where sparse operands have; --format=%s:dense "
            "makes it dense",
            result->name, tsr_text_cstr(&name), result->name);
    const tsr_status status = tsr_text_status(&name, err);
    tsr_text_clear(&name);
    return status;
}

static tsr_status make_kernel(tsr_tkern *t, tsr_error *err)
{
    const tsr_tkern_settings *const s = t->s;
    tsr_kernel_tensor tensors[TSR_NOTATION_MAX_TENSORS];
    char name[512];
    tsr_tuning tuning;
    if (s->target)
        tuning = (tsr_tuning){0}; /* that of this machine is not for another */
    else
        TSR_TRY(tsr_tuning_load(&tuning, err));
    if (s->plan)
        TSR_TRY(tsr_input_read(&t->plan, s->plan, MAX_PLAN_NBYTES, err));
    const tsr_kernel_options how = {.schedule = s->schedule,
                                    .plan = s->plan ? tsr_text_cstr(&t->plan) : NULL,
                                    .tuning = &tuning,
                                    .nthreads = s->common.nthreads,
                                    .semiring = s->semiring,
                                    .functions = t->functions,
                                    .stand_in = t->stand_in ? t->stand_in_size : 0,
                                    .engine = t->text_only ? TSR_ENGINE_INTERPRETER : s->engine,
                                    .name = s->name ? s->name : function_name(name, sizeof name, t->c_path),
                                    .target = s->target,
                                    .cxx = s->cxx || is_cxx_path(t->c_path),
                                    .signed_index = s->index_type >= 2,
                                    .values_only =
                                        s->part == TSR_TKERN_COMPUTE ? TSR_KERNEL_VALUES : TSR_KERNEL_ALL,
                                    .has_header = includes_header(s)};
    TSR_TRY(propose_format(t, err));
    describe_tensors(tensors, t);
    for (int i = 1; i < t->notation->ntensors; i++)
        t->operands[i - 1] = t->tensor[i].tensor;
    t->wrong = (tsr_cli_place){NULL, s->expression};
    const tsr_status status =
        tsr_kernel_new(&t->kernel, tsr_tkern_statement(t), tensors, t->notation->ntensors, &how, err);
    if (status == TSR_OK || err->col == 0)
        t->wrong = (tsr_cli_place){0};
    if (status == TSR_LIMIT)
        return too_large(t, status, err);
    if (status == TSR_ARGUMENT && err->path[0] != '\0')
        err->status =
            TSR_UNSUPPORTED; /* the compiler refuses the text, which is not an error of the command line */
    TSR_TRY(status);
    const tsr_kernel_info *const info = tsr_kernel_get_info(t->kernel);
    if (t->text_only && s->part == TSR_TKERN_COMPUTE && !info->values_only)
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "--part=compute: there is no program for the values of %s alone with these formats: "
                        "leave --part out",
                        t->tensor[0].name);
    if (info->warning)
        tsr_warn(&t->report->observer, NULL, 0, "the kernel is %s: %s",
                 info->engine == TSR_ENGINE_INTERPRETER ? "interpreted, which is slow"
                                                        : "compiled without a cache, so anew each time",
                 info->warning);
    return TSR_OK;
}

/* ---- running ---- */

static tsr_status run_kernel(tsr_tkern *t, tsr_error *err)
{
    const tsr_status status = tsr_kernel_result(&t->result, t->kernel, t->operands, err);
    if (status == TSR_LIMIT || status == TSR_NOMEM)
        return too_large(t, status, err);
    TSR_TRY(status);
    const bool is_given = t->tensor[0].tensor != NULL;
    if (t->s->part == TSR_TKERN_COMPUTE) { /* into the levels as they were read */
        tsr_tensor_free(t->result);
        t->result = t->tensor[0].tensor;
        t->tensor[0].tensor = NULL;
    } else if (is_given && !tsr_format_is_dense(t->tensor[0].format)) {
        tsr_tensor_free(t->result);
        t->result = NULL;
        TSR_TRY(tsr_tkern_copy(&t->result, t->tensor[0].tensor, t->s->common.nthreads, err));
        TSR_TRY(tsr_tkern_copy(&t->before, t->tensor[0].tensor, t->s->common.nthreads, err));
    } else if (is_given) {
        /* += begins with what the file holds; it stays as it is for --check */
        TSR_TRY(tsr_kernel_result(&t->before, t->kernel, t->operands, err));
        const tsr_array *const values = &t->tensor[0].tensor->values;
        if (values->n != t->result->values.n)
            return tsr_fail_at(err, TSR_UNSUPPORTED, t->tensor[0].path, 0, 0,
                               "holds %llu values, but the result has %llu", (unsigned long long)values->n,
                               (unsigned long long)t->result->values.n);
        memcpy(t->result->values.data, values->data, tsr_array_nbytes(values));
        memcpy(t->before->values.data, values->data, tsr_array_nbytes(values));
    }
    const uint64_t start = tsr_now_ns();
    TSR_TRY(t->blocks ? tsr_tkern_blocks_run(t, err) : tsr_tkern_run(t, t->result, err));
    t->run_ns = tsr_now_ns() - start;
    return t->s->part == TSR_TKERN_PATTERN ? tsr_tensor_drop_values(t->result, err) : TSR_OK;
}

/* Write the result in a form that the codec takes. */
static tsr_status write_result(tsr_tkern *t, tsr_error *err)
{
    const tsr_write_options how = {.nthreads = t->s->common.nthreads, .observer = &t->report->observer};
    tsr_data data = {.tensor = NULL};
    if (t->s->time) { /* the kernel will run again, and writing may convert the tensor */
        TSR_TRY(tsr_tkern_copy(&data.tensor, t->result, t->s->common.nthreads, err));
    } else {
        data.tensor = t->result;
        t->result = NULL;
    }
    tsr_status status = tsr_tkern_settle(t, data.tensor, err);
    if (status == TSR_OK)
        status = tsr_write(t->tensor[0].out, &data, t->to, &how, NULL, err);
    tsr_data_clear(&data);
    return status;
}

/* The result's type as far as files care: complex when an operand is. */
static tsr_type result_type(const tsr_tkern *t)
{
    if (t->s->has_type)
        return tsr_type_is_half(t->s->type) ? TSR_F32 : t->s->type;
    for (int i = 1; i < t->notation->ntensors; i++)
        if (tsr_type_class(t->tensor[i].type) == 'C')
            return t->tensor[i].type;
    return t->tensor[0].type;
}

static tsr_status run(tsr_tkern *t, int *code, tsr_error *err)
{
    const tsr_status planned = plan(t, err);
    if (t->ranks)
        return tsr_tkern_ranks(t, planned, err);
    TSR_TRY(planned);
    TSR_TRY(tsr_tkern_load(t, err));
    TSR_TRY(check_target(t, result_type(t), err));
    if (t->s->part == TSR_TKERN_NNZ)
        return tsr_tkern_count(t, make_kernel, err);
    TSR_TRY(make_kernel(t, err));
    if (t->c_path)
        TSR_TRY(tsr_tkern_write(t, err));
    if (t->s->target && t->s->check)
        TSR_TRY(tsr_tkern_compile(t->c_path, t->s->target, err));
    if (t->s->has_emit)
        TSR_TRY(tsr_tkern_emit(t, err));
    if (t->text_only)
        return TSR_OK;
    TSR_TRY(run_kernel(t, err));
    const bool to_stdout = t->tensor[0].out && strcmp(t->tensor[0].out, "-") == 0;
    const bool drops = t->s->drop_zeros;
    const bool shown = t->json || (!t->s->common.quiet && !to_stdout);
    if (shown && !drops)
        tsr_tkern_show(t);
    if (t->s->check) {
        bool same = false;
        TSR_TRY(tsr_tkern_check(&same, t, err));
        if (!same) {
            *code = TSR_EXIT_INPUT;
            return TSR_OK;
        }
    }
    if (drops)
        TSR_TRY(tsr_tkern_drop_zeros(t, err));
    if (shown && drops)
        tsr_tkern_show(t);
    if (t->tensor[0].out)
        TSR_TRY(write_result(t, err));
    return t->s->time ? tsr_tkern_time(t, err) : TSR_OK;
}

static void clear(tsr_tkern *t)
{
    tsr_tkern_blocks_close(t);
    for (int i = 0; i < TSR_NOTATION_MAX_TENSORS; i++) {
        tsr_data_clear(&t->tensor[i].data);
        tsr_format_free(t->tensor[i].format);
        tsr_tensor_free(t->tensor[i].tensor);
    }
    tsr_tensor_free(t->result);
    tsr_tensor_free(t->before);
    tsr_kernel_free(t->kernel);
    tsr_notation_free(t->notation);
    tsr_text_clear(&t->plan);
    tsr_functions_free(t->functions);
}

/* With --json: into an object, which is printed when the run is through, also where --check found a difference. */
static tsr_status run_and_tell(tsr_tkern *t, int *code, tsr_error *err)
{
    const tsr_cli_common *const c = &t->s->common;
    tsr_json_output out;
    if (!c->json || (t->ranks && t->ranks->rank > 0))
        return run(t, code, err);
    TSR_TRY(tsr_json_output_begin(&out, c->json_path, true, err));
    t->json = &out.json;
    const tsr_status status = run(t, code, err);
    return tsr_json_output_end(&out, c->json_path, status, err);
}

static int clear_cache(const tsr_cli_common *common)
{
    tsr_cli_report report;
    tsr_error err = {0};
    tsr_cli_report_init(&report, tool.name, common->quiet);
    return tsr_jit_clear(NULL, &err) == TSR_OK ? TSR_EXIT_OK : tsr_cli_report_error(&report, &err);
}

static int make_library(const tsr_tkern_settings *s)
{
    tsr_cli_report report;
    tsr_error err = {0};
    tsr_cli_report_init(&report, tool.name, s->common.quiet);
    return tsr_tkern_library(s, &err) == TSR_OK ? TSR_EXIT_OK : tsr_cli_report_error(&report, &err);
}

/* Report the error of a run; returns the exit code. */
static int refuse_run(const tsr_tkern *t, const tsr_error *err)
{
    const bool speaks = !t->ranks || t->ranks->rank == 0;
    fflush(stdout);
    const int code = !speaks ? tsr_cli_exit_code(err->status)
                     : t->wrong.text && err->path[0] == '\0'
                         ? tsr_cli_report_text_error(t->report, t->wrong.option, t->wrong.text, err)
                         : tsr_cli_report_error(t->report, err);
    return err->status == TSR_UNSUPPORTED ? TSR_EXIT_INPUT
                                          : code; /* which is not an error of the command line */
}

/* One run; returns the exit code. */
static int compute(tsr_tkern *t)
{
    tsr_error err = {0};
    int code = TSR_EXIT_OK;
    if (run_and_tell(t, &code, &err) != TSR_OK)
        code = refuse_run(t, &err);
    clear(t);
    return code;
}

/* --grad: a run for each operand; returns the exit code of the first that is not 0. */
static int compute_gradients(const tsr_tkern *t)
{
    int code = TSR_EXIT_OK;
    for (const char *name = t->s->gradient; name && code == TSR_EXIT_OK;
         name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL) {
        tsr_tkern_settings own;
        tsr_text operand = {0}, expression = {0}, format = {0};
        tsr_error err = {0};
        tsr_tkern one = {.s = t->s, .report = t->report, .wrong = {NULL, t->s->expression}};
        tsr_text_add_n(&operand, name, strcspn(name, ","));
        tsr_status status = tsr_text_status(&operand, &err);
        if (status == TSR_OK && (t->ranks || t->s->functions.n > 0 || t->s->semiring || t->s->common.json))
            status = tsr_fail(&err, TSR_UNSUPPORTED,
                              "--grad is for one process, without --function, --semiring and --json");
        if (status == TSR_OK)
            status = tsr_tkern_gradient(&own, &expression, &format, tsr_text_cstr(&operand), t->s, &err);
        one.s = &own;
        code = status == TSR_OK ? compute(&one) : refuse_run(&one, &err);
        tsr_text_clear(&operand);
        tsr_text_clear(&expression);
        tsr_text_clear(&format);
    }
    return code;
}

int tsr_cli_tkern(int argc, char *const *argv)
{
    tsr_tkern_settings s = {0};
    tsr_cli_operands operands;
    const int done = tsr_cli_parse(&operands, &tool, &s, argc, argv);
    if (done >= 0)
        return tsr_cli_close_stdout(tool.name, done);
    if (s.clear_cache)
        return tsr_cli_close_stdout(tool.name, clear_cache(&s.common));
    if (operands.n > 0)
        s.expression = operands.text[0];
    if (s.library && s.gradient)
        return tsr_cli_usage_error(&tool, "--grad does not go with --emit=library");
    if (s.library)
        return tsr_cli_close_stdout(tool.name, make_library(&s));
    if (operands.n == 0)
        return tsr_cli_usage_error(&tool, "missing expression, such as 'y(i) = A(i,j)*x(j)'");
    if (s.statements.n > 0 || s.kernels.n > 0)
        return tsr_cli_usage_error(&tool, "--statement and --kernels go with --emit=library");

    tsr_cli_report report;
    tsr_cli_ranks ranks = {0};
    tsr_error err = {0};
    int code;
    tsr_cli_report_init(&report, tool.name, s.common.quiet);
    if (tsr_cli_ranks_open(&ranks, argc, argv, &err) != TSR_OK)
        return tsr_cli_close_stdout(tool.name, tsr_cli_ranks_refuse(&ranks, &report, &err));
    tsr_cli_limit_memory(&s.common);
    const bool speaks = tsr_cli_ranks_speaks(&ranks);
    if (speaks)
        tsr_cli_report_progress(&report, &s.common.progress);
    tsr_text schedule = {0};
    s.schedule = tsr_cli_schedule(&schedule, s.schedule, s.deterministic);
    tsr_tkern t = {.s = &s, .report = &report, .ranks = ranks.ranks};
    if (tsr_text_status(&schedule, &err) != TSR_OK)
        code = tsr_cli_report_error(&report, &err);
    else
        code = s.gradient ? compute_gradients(&t) : compute(&t);
    tsr_cli_report_wipe(&report);
    tsr_text_clear(&schedule);
    tsr_cli_ranks_close(&ranks);
    return tsr_cli_close_stdout(tool.name, code);
}
