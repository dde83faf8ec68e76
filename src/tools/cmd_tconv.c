/* tconv: read a file, pack what is in it, write another. Here is the command line; src/convert converts. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "tsr_files.h"
#include "lists.h"
#include "ranks.h"
#include "signals.h"
#include "tconv.h"
#include "tsr_machine.h"
#include "tsr_same_input.h"

typedef tsr_tconv_settings settings;

/* ---- the command line ---- */

static const tsr_duplicates duplicates_values[] = {TSR_DUP_SUM, TSR_DUP_FIRST, TSR_DUP_LAST, TSR_DUP_KEEP,
                                                   TSR_DUP_ERROR};

TSR_CLI_SET_TEXT(settings, out, c.out)

TSR_CLI_SET(format)
{
    (void)err;
    ((settings *)to)->c.format = value;
    ((settings *)to)->is_auto = strcmp(value, "auto") == 0;
    return TSR_OK;
}

TSR_CLI_SET(for)
{
    ((settings *)to)->advise.kernels = value;
    return *value ? TSR_OK
                  : tsr_fail(err, TSR_ARGUMENT, "missing kernel: write --for=spmv, or an expression");
}

TSR_CLI_SET_ADVISE(settings, advise)
TSR_CLI_SET_INT(settings, rank, advise.rank, 1, 1 << 20)
TSR_CLI_SET_BY(settings, from, c.from, tsr_cli_parse_codec)
TSR_CLI_SET_BY(settings, to, c.to, tsr_cli_parse_codec)

TSR_CLI_SET(type)
{
    settings *const s = to;
    s->c.read.has_type = true;
    return tsr_type_parse(&s->c.read.type, value, err);
}

TSR_CLI_SET(index)
{
    settings *const s = to;
    tsr_cli_index_word word = 0;
    TSR_TRY(tsr_cli_parse_index(&word, value, err));
    s->c.index_given = true;
    s->c.pack.index_width = tsr_cli_index_width(word, 0);
    return TSR_OK;
}

TSR_CLI_SET(duplicates)
{
    settings *const s = to;
    int i = 0;
    TSR_TRY(tsr_cli_parse_word(&i, value, tsr_tconv_duplicates, err));
    s->c.duplicates_given = true;
    s->c.pack.duplicates = duplicates_values[i];
    return TSR_OK;
}

TSR_CLI_SET_BY(settings, dims, c.read, tsr_cli_parse_dims)
TSR_CLI_SET_TEXT(settings, labels, c.labels)

TSR_CLI_SET(along)
{
    settings *const s = to;
    TSR_TRY(tsr_cli_parse_int(&s->c.along, value, 0, TSR_MAX_ORDER - 1, err));
    s->c.along++;
    return TSR_OK;
}

/* The list of coordinates of a mode. */
static tsr_status set_list(settings *s, int mode, const char *value, tsr_error *err)
{
    s->select.text[mode] = value;
    s->c.read.select = &s->select;
    return tsr_picked_check(&s->select, err);
}

TSR_CLI_SET(rows)
{
    return set_list(to, 0, value, err);
}

TSR_CLI_SET(cols)
{
    return set_list(to, 1, value, err);
}

TSR_CLI_SET_BY(settings, names, c.names, tsr_conversion_add_names)
TSR_CLI_SET_FLAG(settings, repair, c.read.repair)
TSR_CLI_SET_INT(settings, deflate, c.write.deflate, 1, 9)

TSR_CLI_SET(keep_symmetry)
{
    (void)value, (void)err;
    ((settings *)to)->c.keep_symmetry = true;
    ((settings *)to)->c.read.keep_triangle = true;
    return TSR_OK;
}

TSR_CLI_SET_TEXT(settings, temp, c.temp)
TSR_CLI_SET_FLAG(settings, resume, c.resume)
TSR_CLI_SET_FLAG(settings, no_clobber, no_clobber)
TSR_CLI_SET_FLAG(settings, dry_run, c.dry_run)
TSR_CLI_SET_BY(settings, shard, c, tsr_conversion_set_shard)
TSR_CLI_SET_FLAG(settings, join, c.join)

#define SET_STEP(name, kind)                                                          \
    TSR_CLI_SET(name)                                                                 \
    {                                                                                 \
        return tsr_transforms_add(&((settings *)to)->c.transforms, kind, value, err); \
    }
SET_STEP(transpose, TSR_TRANSFORM_TRANSPOSE)
SET_STEP(slice, TSR_TRANSFORM_SLICE)
SET_STEP(reverse, TSR_TRANSFORM_REVERSE)
SET_STEP(pad, TSR_TRANSFORM_PAD)
SET_STEP(reshape, TSR_TRANSFORM_RESHAPE)
SET_STEP(unfold, TSR_TRANSFORM_UNFOLD)
SET_STEP(reduce, TSR_TRANSFORM_REDUCE)
SET_STEP(permute_by, TSR_TRANSFORM_PERMUTE)
SET_STEP(concat, TSR_TRANSFORM_CONCAT)
SET_STEP(map, TSR_TRANSFORM_MAP)

TSR_CLI_SET_FLAG(settings, verbose, verbose)
TSR_CLI_SET_FLAG(settings, verify, c.verify)

static const tsr_cli_option options[] = {
    {.help = "Files"},
    TSR_CLI_ROW_OUTPUT(
        "OUT", "the output file; - is standard output (with --to). It gets its name when it is complete",
        set_out),
    {"no-clobber", 0, NULL, "refuse to write OUT where a file of that name exists", set_no_clobber, NULL},
    {"from", 0, "CODEC", "the file format of IN; by default its content determines it", set_from, NULL},
    {"to", 0, "CODEC",
     "the file format of OUT; by default the suffix determines it (.gz after a text suffix compresses)",
     set_to, NULL},
    TSR_CLI_ROW_LIST_CODECS,

    {.help = "How OUT is stored"},
    TSR_CLI_ROW_FORMAT("FORMAT",
                       "the storage format: a name (csr, csf:2,0,1), letters (dss:2,0,1), a map with levels, "
                       "or a dense layout of XLA or TLA ({1,0:T(8,128)}). By default a packed file keeps its "
                       "format, coordinates become coo, and text written as text is not sorted. auto: the "
                       "format that serves the kernels of --for on this machine",
                       set_format),
    {"for", 0, "KERNEL,...",
     "with --format=auto: the kernels, by the names of tbench list, such as mttkrp or ttv:0 (of mode 0), or "
     "one "
     "expression",
     set_for, NULL},
    TSR_CLI_ROWS_ADVISE("with --format=auto: "),
    {"rank", 0, "R", "with --format=auto: " TSR_CLI_RANK_HELP, set_rank, NULL},
    TSR_CLI_ROW_LIST_FORMATS,
    {"index", 0, "WIDTH",
     "bits of stored indices: 8, 16, 32, 64, narrow (the fewest that each array needs), or auto (the "
     "default): 32 or 64 for formats that other programs read, else narrow",
     set_index, NULL},
    {"deflate", 0, "LEVEL",
     "compress, 1 (fast) to 9 (small): HDF5, .npz, .mat, or text whose name ends in .gz", set_deflate, NULL},
    {"labels", 0, "PREFIX",
     "write the names of rows and columns, one a line, to PREFIX.0.map, PREFIX.1.map...", set_labels, NULL},
    {"keep-symmetry", 0, NULL, "keep one triangle of a symmetric matrix instead of expanding it",
     set_keep_symmetry, NULL},

    {.help = "How IN is read"},
    {"along", 0, "MODE",
     "join several inputs along this mode, each after the one before; by default they are parts of one "
     "tensor, "
     "whose entries come together",
     set_along, NULL},
    {"type", 0, "TYPE", "convert the values, if all fit:"
#define X(name, text, ctype, nbytes, class) " " text
#include "types.def"
#undef X
     ,
     set_type, NULL},
    TSR_CLI_ROW_DIMS("; an entry outside them is an error", set_dims),
    {"rows", 0, "LIST",
     "read only these rows (slices of mode 0), in this order: indices and slices as NumPy's, such as "
     "100:200,5000,-1. Of HDF5 and Zarr, where the rows lie one after the other, only their chunks are read",
     set_rows, NULL},
    {"cols", 0, "LIST", "the same for columns (slices of mode 1)", set_cols, NULL},
    {"names", 0, "FILE:MODE",
     "the names of the indices of a mode, one a line, such as FROSTT's mode-1-users.map.gz:0; may be given "
     "for "
     "several modes",
     set_names, NULL},
    {"repair", 0, NULL,
     "repair what has one exact meaning in the arrays of a matrix, with a warning: pointers that wrapped, "
     "counting from 1, "
     "slices that are not sorted",
     set_repair, NULL},
    {"duplicates", 0, "RULE",
     "what to do with several entries in one cell: sum (the default), first, last, keep, error",
     set_duplicates, NULL},

    TSR_CLI_CODEC_HEADING,

    {.help =
         "Transformations, in the order given; modes and indices count from 0, negative ones from the end"},
    {"transpose", 0, "MODES", "reorder the modes: 2,0,1 puts mode 2 first", set_transpose, NULL},
    {"slice", 0, "SLICES", "keep a part, as NumPy's [0:100:2,:,5]; a plain index drops its mode", set_slice,
     NULL},
    {"reverse", 0, "MODES", "reverse the order of indices in these modes", set_reverse, NULL},
    {"pad", 0, "WIDTHS",
     "add empty cells: LOW:HIGH for each mode, or once for all; LOW:HIGH:BETWEEN also between neighbours; "
     "negative numbers cut cells off",
     set_pad, NULL},
    {"reshape", 0, "DIMS", "give the same cells, in row-major order, these dims; one may be -1", set_reshape,
     NULL},
    {"unfold", 0, "MODES",
     "make a matrix: these modes, joined, are the rows, the remaining modes the columns", set_unfold, NULL},
    {"reduce", 0, "REDUCTION", "sum:0,2 adds along these modes, sum along all; min and max too", set_reduce,
     NULL},
    {"permute-by", 0, "FILE",
     "line i of FILE holds the index that moves to place i, in all modes; FILE:MODE permutes one mode",
     set_permute_by, NULL},
    {"concat", 0, "FILE,MODE", "append the tensor in FILE along a mode", set_concat, NULL},
    {"map", 0, "MAP", "any index map: '(d0, d1) -> (d0 + d1, d1), domain: d0 in [0, 9]'", set_map, NULL},

    {.help = "The run"},
    TSR_CLI_ROW_THREADS,
    TSR_CLI_ROW_MEMORY(
        ": what does not fit goes through temporary files. By default the limit is what the machine "
        "has left"),
    {"temp", 0, "DIR", "the folder for temporary files, by default that of OUT; see tconv(1) for their size",
     set_temp, NULL},
    {"resume", 0, NULL, "continue a run with temporary files that was stopped by SIGTERM or killed",
     set_resume, NULL},
    {"shard", 0, "I/N|auto",
     "do a part of the work: read part I (0 to N-1) of IN and leave it in the folder for temporary files, "
     "which "
     "all processes share. Run it for each I, at the same time or not, then --join. auto: I and N are the "
     "task of a Slurm array, or of srun",
     set_shard, NULL},
    {"join", 0, NULL, "make OUT of the shards; the rest of the command is that of --shard", set_join, NULL},
    {"verify", 0, NULL, "read OUT back and compare", set_verify, NULL},
    {"dry-run", 'n', NULL,
     "write nothing: read IN, pack it, and print what would be written, how, and its size", set_dry_run,
     NULL},
    {"verbose", 'v', NULL, "say which file formats were taken, and in which way entries were packed, and why",
     set_verbose, NULL},
    TSR_CLI_ROW_QUIET,
    TSR_CLI_ROW_JSON("one JSON object about what was done, instead of the last line"),
    TSR_CLI_ROW_PROGRESS,
    TSR_CLI_ROW_HELP,
    TSR_CLI_ROW_VERSION,
    {0},
};

static tsr_status set_codec_option(void *to, const char *name, const char *value, tsr_error *err)
{
    settings *const s = to;
    return tsr_codec_give(&s->c.given, &(tsr_codec_settings){&s->c.read, &s->c.write}, name, value, err);
}

static const tsr_cli_tool tool = {
    .name = "tconv",
    .usage = "IN... [--format=FORMAT] -o OUT",
    .summary = "Convert a sparse tensor between file formats and storage formats. IN and OUT may be - "
               "(standard input and output) or file.h5:group; gzip is recognised by content. The last line "
               "on standard error reports the conversion.",
    .notes = "Examples:\n"
             "  tconv in.tns --format=dsc -o out.h5          pack into (dense, compressed, compressed)\n"
             "  tconv in.mtx.gz --format='bcsr(2,3)' -o out.h5\n"
             "  tconv out.h5 -o back.tns                     and back to text\n"
             "  tconv part-*.tns --format=csf -o out.h5      the parts of one tensor\n"
             "  zcat in.tns.gz | tconv - --to=mtx -o - | head\n"
             "  tconv in.tns --slice=:,0:100 --transpose=1,0,2 -o part.tns\n\n" TSR_EXIT_CODES_HELP,
    .options = options,
    .set_more = set_codec_option,
    .once = " output from to format type index duplicates temp labels rows cols ",
    .max_operands = TSR_CLI_MAX_OPERANDS,
    .extra_operand = "these are too many input files for one command",
};

#undef SET_STEP

static bool is_stdout(const char *json_path)
{
    return !json_path || strcmp(json_path, "-") == 0;
}

/* --format=auto: ask for advice, and print the sentence. */
static tsr_status choose_advised(tsr_text *format, const tsr_data *data, void *ctx, tsr_error *err)
{
    const settings *const s = ctx;
    tsr_cli_advise ask = s->advise;
    tsr_advice advice;
    tsr_text sentence = {0};
    ask.nthreads = s->common.nthreads;
    ask.observer = s->c.read.observer;
    ask.path = s->c.in;
    TSR_TRY(tsr_cli_advice(&advice, data, &ask, err));
    tsr_advice_sentence(&sentence, &advice);
    tsr_status status = tsr_text_status(&sentence, err);
    if (status == TSR_OK && advice.chosen < 0)
        status = tsr_fail(err, TSR_UNSUPPORTED, "%s", sentence.s);
    if (status == TSR_OK && !s->common.quiet)
        fprintf(stderr, "%s\n", sentence.s);
    if (status == TSR_OK)
        tsr_text_add(format, advice.row[advice.chosen].format);
    tsr_text_clear(&sentence);
    tsr_advice_clear(&advice);
    return status;
}

/* Only after SIGTERM temporary files stay for --resume. */
static bool was_terminated(void)
{
    return tsr_cli_interrupt_code() == 128 + SIGTERM;
}

/* All ranks see the same bytes. */
static tsr_status same_inputs(const tsr_conversion_settings *s, tsr_error *err)
{
    TSR_TRY(tsr_ranks_same_input(s->ranks, s->in, err));
    for (int i = 0; i < s->nmore; i++)
        TSR_TRY(tsr_ranks_same_input(s->ranks, s->more[i], err));
    return TSR_OK;
}

static tsr_status run(tsr_tconv_job *j, tsr_error *err)
{
    const tsr_cli_common *const c = &j->s->common;
    tsr_json_output out;
    if (c->json && !is_stdout(c->json_path))
        TSR_TRY(tsr_check_output(c->json_path, j->c.s->in, err));
    tsr_cli_limit_memory(c);
    if (j->c.s->ranks)
        TSR_TRY(same_inputs(j->c.s, err));
    TSR_TRY(tsr_conversion_run(&j->c, err));
    if (j->c.s->ranks && j->c.s->ranks->rank > 0)
        return TSR_OK;
    if (!c->json && j->c.s->dry_run && !c->quiet)
        tsr_tconv_dry_report(&j->c);
    else if (!c->json && !j->c.s->dry_run)
        tsr_tconv_report(j);
    if (!c->json)
        return TSR_OK;
    TSR_TRY(tsr_json_output_begin(&out, c->json_path, false, err));
    if (j->c.s->dry_run)
        tsr_tconv_dry_json(&out.json, &j->c);
    else
        tsr_tconv_json(&out.json, j);
    return tsr_json_output_end(&out, c->json_path, TSR_OK, err);
}

/* Whether the options agree with each other: -1, or the exit code of the error that was printed. */
static int check_usage(const settings *s)
{
    tsr_error err = {0};
    if (!s->c.in)
        return tsr_cli_usage_error(
            &tool, "missing input file: write tconv IN -o OUT, where IN is a file or - for standard input");
    if (!s->c.out)
        return tsr_cli_usage_error(&tool, "missing output file: use -o OUT");
    if (tsr_conversion_check(&s->c, &err) != TSR_OK)
        return tsr_cli_usage_error(&tool, "%s", err.message);
    if (s->common.json && is_stdout(s->common.json_path) && strcmp(s->c.out, "-") == 0 && !s->c.dry_run)
        return tsr_cli_usage_error(&tool, "--json and OUT both go to standard output: use --json=FILE");
    if (s->is_auto != (s->advise.kernels != NULL))
        return tsr_cli_usage_error(&tool, "--format=auto and --for=KERNEL go together: use both");
    if (s->advise.measure && !s->is_auto)
        return tsr_cli_usage_error(&tool,
                                   "--measure works with --format=auto only: add --format=auto --for=KERNEL");
    if (s->no_clobber && access(s->c.out, F_OK) == 0)
        return tsr_cli_usage_error(&tool, "--no-clobber: '%s' exists: choose another name", s->c.out);
    return -1;
}

int tsr_cli_tconv(int argc, char *const *argv)
{
    settings s = {0};
    tsr_cli_operands operands;
    int done = tsr_cli_parse_with_codecs(&operands, &tool, true, &s, argc, argv);
    if (done >= 0)
        return tsr_cli_close_stdout(tool.name, done);
    s.c.in = operands.n > 0 ? operands.text[0] : NULL;
    s.c.more = operands.text + 1;
    s.c.nmore = operands.n > 0 ? operands.n - 1 : 0;
    s.c.choose = s.is_auto ? choose_advised : NULL;
    s.c.choose_ctx = &s;
    done = check_usage(&s);
    if (done >= 0)
        return done;
    s.c.read.labels = true;

    tsr_cli_report report;
    tsr_cli_ranks ranks = {0};
    tsr_error err = {0};
    tsr_cli_report_init(&report, tool.name, s.common.quiet);
    if (s.c.nshards == 0 && !s.c.join && tsr_cli_ranks_open(&ranks, argc, argv, &err) != TSR_OK)
        return tsr_cli_close_stdout(tool.name, tsr_cli_ranks_refuse(&ranks, &report, &err));
    const bool speaks = tsr_cli_ranks_speaks(&ranks);
    if (!speaks)
        tsr_cli_report_init(&report, tool.name, true);
    if (speaks)
        tsr_cli_report_progress(&report, &s.common.progress);
    s.c.read.nthreads = s.c.write.nthreads = s.c.pack.nthreads = s.common.nthreads;
    s.c.read.observer = s.c.write.observer = s.c.pack.observer = &report.observer;

    s.c.memory_nbytes = s.common.memory_nbytes;
    s.c.ranks = ranks.ranks;
    s.c.stays = was_terminated;
    tsr_tconv_job j = {.s = &s, .report = &report, .c = {.s = &s.c}};
    int code = TSR_EXIT_OK;
    if (run(&j, &err) != TSR_OK)
        code = !speaks ? tsr_cli_exit_code(err.status)
               : j.c.wrong.text && err.path[0] == '\0'
                   ? tsr_cli_report_text_error(&report, j.c.wrong.option, j.c.wrong.text, &err)
                   : tsr_cli_report_error(&report, &err);
    tsr_cli_report_wipe(&report);
    tsr_conversion_clear(&j.c);
    tsr_cli_ranks_close(&ranks);
    return tsr_cli_close_stdout(tool.name, code);
}
