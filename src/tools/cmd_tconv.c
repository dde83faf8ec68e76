/* tconv: read a file, pack what is in it, write another. The steps are read, shape (symmetry,
 * transformations, packing) and write; each knows only the tables of codecs and formats. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "format_text.h"
#include "index_width.h"
#include "lists.h"
#include "options.h"
#include "report.h"
#include "transforms.h"
#include "tsr_cells.h"
#include "tsr_codec.h"
#include "tsr_memory.h"
#include "tsr_pack.h"

/* What coordinates are packed into when the target holds packed tensors and nobody says otherwise. */
static const char default_format[] = "coo";

typedef struct settings {
    tsr_cli_progress progress;
    const char *in, *out;
    const char *format, *from, *to; /* as given, or NULL */
    bool index_given, duplicates_given;
    tsr_cli_index_word index;
    bool keep_symmetry, verify, quiet;
    int nthreads;
    tsr_cli_transforms transforms;
    tsr_read_options read;
    tsr_write_options write;
    tsr_pack_options pack;
} settings;

/* One conversion on its way. */
typedef struct job {
    const settings *s;
    tsr_cli_report *report;
    const tsr_codec *from, *to; /* from: NULL when found by content */
    tsr_data data;              /* what is to be written, in the end */
    bool packed, unpacked;      /* this run did that */
    int in_order;               /* before transformations */
    uint64_t in_dims[TSR_MAX_ORDER];
    tsr_cli_transform_job transforms;
    int index_nbits; /* that the format's text asks for, or 0 */
    tsr_pack_stats stats;
    uint64_t in_nbytes, out_nbytes;
    double read_s, transform_s, pack_s, write_s, verify_s;
    tsr_cli_place wrong; /* the option and its text that err->col speaks of, or NULL */
} job;

/* ---- the command line ---- */

static const char *const duplicates_words[] = {"sum", "first", "last", "keep", "error", NULL};
static const tsr_duplicates duplicates_values[] = {TSR_DUP_SUM, TSR_DUP_FIRST, TSR_DUP_LAST, TSR_DUP_KEEP,
                                                   TSR_DUP_ERROR};

#define SET(name) static tsr_status set_##name(void *to, const char *value, tsr_error *err)

SET(progress)
{
    return tsr_cli_parse_progress(&((settings *)to)->progress, value, err);
}

SET(out)
{
    (void)err;
    ((settings *)to)->out = value;
    return TSR_OK;
}

SET(format)
{
    (void)err;
    ((settings *)to)->format = value;
    return TSR_OK;
}

SET(from)
{
    const tsr_codec *codec = NULL;
    ((settings *)to)->from = value;
    return tsr_codec_by_name(&codec, value, err);
}

SET(to)
{
    const tsr_codec *codec = NULL;
    ((settings *)to)->to = value;
    return tsr_codec_by_name(&codec, value, err);
}

SET(type)
{
    settings *const s = to;
    s->read.has_type = true;
    return tsr_type_parse(&s->read.type, value, err);
}

SET(index)
{
    settings *const s = to;
    s->index_given = true;
    return tsr_cli_parse_index(&s->index, value, err);
}

SET(duplicates)
{
    settings *const s = to;
    int i = 0;
    TSR_TRY(tsr_cli_parse_word(&i, value, duplicates_words, err));
    s->duplicates_given = true;
    s->pack.duplicates = duplicates_values[i];
    return TSR_OK;
}

SET(shape)
{
    tsr_read_options *const read = &((settings *)to)->read;
    return tsr_cli_parse_list(read->shape, &read->shape_order, value, TSR_MAX_ORDER, INT64_MAX, err);
}

SET(index_base)
{
    settings *const s = to;
    uint64_t base[2] = {1, 1};
    int n = 0;
    TSR_TRY(tsr_cli_parse_list(base, &n, value, 2, 1, err));
    s->read.index_base = base[0] == 0 ? -1 : 1;
    if (n == 2)
        s->write.index_base = base[1] == 0 ? -1 : 1;
    return TSR_OK;
}

SET(no_values)
{
    (void)value, (void)err;
    ((settings *)to)->read.no_values = true;
    return TSR_OK;
}

static const char *const header_words[] = {"auto", "none", "extended", "parti", NULL};
static const tsr_header header_values[] = {TSR_HEADER_AUTO, TSR_HEADER_NONE, TSR_HEADER_EXTENDED,
                                           TSR_HEADER_PARTI};

SET(header)
{
    settings *const s = to;
    int i = 0;
    TSR_TRY(tsr_cli_parse_word(&i, value, header_words, err));
    s->write.header = header_values[i];
    return TSR_OK;
}

SET(deflate)
{
    return tsr_cli_parse_int(&((settings *)to)->write.deflate, value, 1, 9, err);
}

SET(keep_symmetry)
{
    (void)value, (void)err;
    ((settings *)to)->keep_symmetry = true;
    ((settings *)to)->read.keep_triangle = true;
    return TSR_OK;
}

#define SET_STEP(name, kind)                                                            \
    SET(name)                                                                           \
    {                                                                                   \
        return tsr_cli_transforms_add(&((settings *)to)->transforms, kind, value, err); \
    }
SET_STEP(transpose, TSR_CLI_TRANSPOSE)
SET_STEP(slice, TSR_CLI_SLICE)
SET_STEP(reverse, TSR_CLI_REVERSE)
SET_STEP(pad, TSR_CLI_PAD)
SET_STEP(reshape, TSR_CLI_RESHAPE)
SET_STEP(unfold, TSR_CLI_UNFOLD)
SET_STEP(reduce, TSR_CLI_REDUCE)
SET_STEP(permute_by, TSR_CLI_PERMUTE)
SET_STEP(concat, TSR_CLI_CONCAT)
SET_STEP(map, TSR_CLI_MAP)

SET(threads)
{
    return tsr_cli_parse_int(&((settings *)to)->nthreads, value, 1, 256, err);
}

SET(verify)
{
    (void)value, (void)err;
    ((settings *)to)->verify = true;
    return TSR_OK;
}

SET(quiet)
{
    (void)value, (void)err;
    ((settings *)to)->quiet = true;
    return TSR_OK;
}

static const tsr_cli_option options[] = {
    {.help = "Files"},
    {"output", 'o', "OUT", "the file to write; - is standard output (with --to). It appears when it is whole",
     set_out, NULL},
    {"from", 0, "CODEC", "how to read IN; without it the content tells", set_from, NULL},
    {"to", 0, "CODEC", "how to write OUT; without it the suffix tells (.gz after a text suffix compresses)",
     set_to, NULL},
    {"list-codecs", 0, NULL, "list the file formats and stop", NULL, tsr_cli_show_codecs},

    {.help = "How OUT is stored"},
    {"format", 'f', "FORMAT",
     "the storage format: a name (csr, csf:2,0,1), letters (dss:2,0,1), a map with "
     "levels, or a dense layout of XLA or TLA ({1,0:T(8,128)}). Without it a "
     "packed file keeps its own, coordinates become coo, and text written as text is not sorted",
     set_format, NULL},
    {"list-formats", 0, NULL, "list the named storage formats and stop", NULL, tsr_cli_show_formats},
    {"index", 0, "WIDTH",
     "bits of stored indices: 8, 16, 32, 64, narrow (the fewest that each array needs), or auto (the "
     "default): "
     "32 or 64 where other programs read the format, else narrow",
     set_index, NULL},
    {"header", 0, "KIND",
     "what stands before the entries of tns, which tells the dims: none, extended (FROSTT's extension, "
     "MLIR), parti; "
     "auto (the default): extended where there are no entries, else none",
     set_header, NULL},
    {"deflate", 0, "LEVEL", "compress, 1 (fast) to 9 (small): HDF5, or text whose name ends in .gz",
     set_deflate, NULL},
    {"keep-symmetry", 0, NULL, "keep one triangle of a symmetric matrix instead of expanding it",
     set_keep_symmetry, NULL},

    {.help = "How IN is read"},
    {"type", 0, "TYPE", "convert the values, if all fit:"
#define X(name, text, ctype, nbytes, class) " " text
#include "types.def"
#undef X
     ,
     set_type, NULL},
    {"shape", 0, "DIMS",
     "the dims, such as 4,5,6, where the file does not hold them; entries beyond are errors", set_shape,
     NULL},
    {"index-base", 0, "BASE", "0 or 1: the first index in IN, for tns; BASE,BASE sets that of OUT too",
     set_index_base, NULL},
    {"no-values", 0, NULL, "IN has no column of values (tns): the tensor is a pattern", set_no_values, NULL},
    {"duplicates", 0, "RULE",
     "what to do with several entries at one place: sum (the default), first, last, keep, error",
     set_duplicates, NULL},

    {.help =
         "Transformations, in the order given; modes and indices count from 0, negative ones from the end"},
    {"transpose", 0, "MODES", "reorder the modes: 2,0,1 puts mode 2 first", set_transpose, NULL},
    {"slice", 0, "SLICES", "keep a part, as NumPy's [0:100:2,:,5]; a plain index drops its mode", set_slice,
     NULL},
    {"reverse", 0, "MODES", "let these modes run backwards", set_reverse, NULL},
    {"pad", 0, "WIDTHS",
     "add room: LOW:HIGH for each mode, or once for all; LOW:HIGH:BETWEEN puts cells between neighbours too, "
     "negative numbers cut off",
     set_pad, NULL},
    {"reshape", 0, "DIMS", "other dims for the same cells in row-major order; one may be -1", set_reshape,
     NULL},
    {"unfold", 0, "MODES", "make a matrix: these modes joined are its rows, the others its columns",
     set_unfold, NULL},
    {"reduce", 0, "REDUCTION", "sum:0,2 adds along these modes, sum along all; min and max too", set_reduce,
     NULL},
    {"permute-by", 0, "FILE",
     "line i of FILE is the index that moves to place i, in all modes; FILE:MODE in one", set_permute_by,
     NULL},
    {"concat", 0, "FILE,MODE", "append the tensor in FILE along a mode", set_concat, NULL},
    {"map", 0, "MAP", "any index map: '(d0, d1) -> (d0 + d1, d1), domain: d0 in [0, 9]'", set_map, NULL},

    {.help = "The run"},
    {"threads", 'j', "N", "use N threads instead of all processors", set_threads, NULL},
    {"verify", 0, NULL, "read OUT back and compare", set_verify, NULL},
    {"quiet", 'q', NULL, "print errors only", set_quiet, NULL},
    {"progress", 0, "WHEN", TSR_CLI_PROGRESS_HELP, set_progress, NULL},
    {"help", 'h', NULL, "print this and stop", NULL, tsr_cli_show_help},
    {"version", 'V', NULL, "print the version and stop", NULL, tsr_cli_show_version},
    {0},
};

static const tsr_cli_tool tool = {
    .name = "tconv",
    .usage = "IN [--format=FORMAT] -o OUT",
    .summary =
        "Convert a sparse tensor between file formats and storage formats. IN and OUT may be - (standard "
        "input and output) or file.h5:group; gzip is recognised by content. The last line on standard "
        "error says what was done.",
    .notes = "Examples:\n"
             "  tconv in.tns --format=dsc -o out.h5          pack into (dense, compressed, compressed)\n"
             "  tconv in.mtx.gz --format='bcsr(2,3)' -o out.h5\n"
             "  tconv out.h5 -o back.tns                     and back to text\n"
             "  zcat in.tns.gz | tconv - --to=mtx -o - | head\n"
             "  tconv in.tns --slice=:,0:100 --transpose=1,0,2 -o part.tns\n\n" TSR_EXIT_CODES_HELP,
    .options = options,
    .max_operands = 1,
};

#undef SET_STEP
#undef SET

/* ---- the steps ---- */

/* Parse a format text for the job's data; a failure is remembered as being inside that text. */
static tsr_status parse_format(tsr_format **out, job *j, const char *text, int order, const uint64_t *dims,
                               tsr_type type, tsr_error *err)
{
    const tsr_status status = tsr_cli_format_parse(out, &j->index_nbits, text, order, dims, type, err);
    if (status != TSR_OK)
        j->wrong = (tsr_cli_place){"format", text};
    return status;
}

/* The order is known after reading only, but a misspelt format is one for any order. */
static tsr_status check_format_text(job *j, tsr_error *err)
{
    tsr_format *format = NULL;
    int index_nbits;
    tsr_error fault = {0};
    const int order = j->s->read.shape_order > 0 ? j->s->read.shape_order : -1;
    const tsr_status status =
        tsr_cli_format_parse(&format, &index_nbits, j->s->format, order, NULL, TSR_F64, &fault);
    tsr_format_free(format);
    if (status != TSR_SYNTAX)
        return TSR_OK;
    *err = fault;
    j->wrong = (tsr_cli_place){"format", j->s->format};
    return status;
}

static bool ends_in_gz(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".gz") == 0;
}

static tsr_status check_transforms(job *j, tsr_error *err)
{
    j->transforms = (tsr_cli_transform_job){
        .transforms = &j->s->transforms, .read = &j->s->read, .pack = &j->s->pack, .in = j->s->in};
    const tsr_status status = tsr_cli_transforms_check(&j->transforms, err);
    j->wrong = j->transforms.place;
    return status;
}

/* What can be refused before anything is read. */
static tsr_status plan(job *j, tsr_error *err)
{
    const settings *const s = j->s;
    if (s->from)
        TSR_TRY(tsr_codec_by_name(&j->from, s->from, err));
    if (s->to)
        TSR_TRY(tsr_codec_by_name(&j->to, s->to, err));
    else
        TSR_TRY(tsr_codec_by_suffix(&j->to, s->out, err));
    if (!j->to->write_coo && !j->to->write_tensor)
        return tsr_fail(
            err, TSR_UNSUPPORTED,
            "%s files can be read, not written: choose another file format with --to or the suffix",
            j->to->name);
    if (!s->to && !j->to->streams && ends_in_gz(s->out))
        return tsr_fail_at(err, TSR_ARGUMENT, s->out, 0, 0,
                           "%s files are not gzipped as a whole; use --deflate", j->to->name);
    if (s->write.header != TSR_HEADER_AUTO && !j->to->has_header)
        return tsr_fail(err, TSR_ARGUMENT, "--header is for tns files, not for %s", j->to->name);
    if (s->write.deflate > 0 && j->to->streams && strcmp(s->out, "-") != 0 && !ends_in_gz(s->out))
        return tsr_fail_at(err, TSR_ARGUMENT, s->out, 0, 0,
                           "--deflate would make a gzip file: add .gz to the name, or leave --deflate out");
    if (strcmp(s->out, "-") == 0 && !j->to->streams)
        return tsr_fail(
            err, TSR_ARGUMENT,
            "%s cannot be written to standard output: write to a file, or use --to=mtx or --to=tns",
            j->to->name);
    TSR_TRY(tsr_cli_check_output(s->out, s->in, err));
    TSR_TRY(check_transforms(j, err));
    return s->format ? check_format_text(j, err) : TSR_OK;
}

static tsr_status read_input(job *j, tsr_error *err)
{
    const double start = tsr_cli_now();
    j->in_nbytes = tsr_cli_file_nbytes(j->s->in);
    TSR_TRY(tsr_read(&j->data, j->s->in, j->from, &j->s->read, err));
    j->read_s = tsr_cli_now() - start;
    return TSR_OK;
}

/* What the target cannot hold is refused before the work. */
static tsr_status check_target(const job *j, tsr_error *err)
{
    const tsr_data *const data = &j->data;
    const tsr_status status = j->to->check
                                  ? j->to->check(data->coo ? data->coo->order : data->tensor->order,
                                                 data->coo ? data->coo->type : data->tensor->type, err)
                                  : TSR_OK;
    if (status != TSR_OK)
        tsr_error_set_path(err, j->s->out);
    return status;
}

static tsr_status unpack(job *j, tsr_error *err)
{
    tsr_coo *coo = NULL;
    TSR_TRY(tsr_unpack(&coo, j->data.tensor, j->s->nthreads, err));
    tsr_data_clear(&j->data);
    j->data.coo = coo;
    j->unpacked = true;
    return TSR_OK;
}

/* Pack the data, coordinates or tensor, into `format`. */
static tsr_status pack(job *j, const tsr_format *format, tsr_error *err)
{
    tsr_pack_options how = j->s->pack;
    how.index_width = tsr_cli_index_width(j->s->index, j->s->index_given ? 0 : j->index_nbits);
    tsr_tensor *packed = NULL;
    tsr_data data = j->data;
    j->data = (tsr_data){0}; /* both calls use theirs up */
    const tsr_status status = data.coo ? tsr_pack(&packed, data.coo, format, &how, &j->stats, err)
                                       : tsr_convert(&packed, data.tensor, format, &how, &j->stats, err);
    if (status != TSR_OK && status != TSR_ARGUMENT)
        tsr_error_set_path(err, j->s->in);
    TSR_TRY(status);
    j->packed = true;
    j->data.tensor = packed;
    return TSR_OK;
}

/* The format to pack into: *out, NULL when the data can stay as it is. */
static tsr_status choose_format(tsr_format **out, job *j, const tsr_format *own, tsr_error *err)
{
    const settings *const s = j->s;
    const tsr_data *const data = &j->data;
    const int order = data->coo ? data->coo->order : data->tensor->order;
    const uint64_t *const dims = data->coo ? data->coo->dims : data->tensor->dims;
    const tsr_type type = data->coo ? data->coo->type : data->tensor->type;
    const bool repack = s->index_given || s->duplicates_given;
    *out = NULL;
    if (s->format) {
        TSR_TRY(parse_format(out, j, s->format, order, dims, type, err));
        if (data->tensor && !repack && j->index_nbits == 0 && tsr_format_equal(*out, data->tensor->format)) {
            tsr_format_free(*out);
            *out = NULL;
        }
        return TSR_OK;
    }
    if (data->tensor)
        return repack ? tsr_format_copy(out, data->tensor->format, err) : TSR_OK;
    if (own)
        return tsr_format_copy(out, own, err);
    if (!j->to->write_coo) {
        const char *const natural = data->coo->natural ? data->coo->natural : default_format;
        return tsr_format_parse(out, natural, order, dims, err);
    }
    if ((s->duplicates_given || j->transforms.may_meet) && s->pack.duplicates != TSR_DUP_KEEP)
        return tsr_format_parse(out, default_format, order, dims, err);
    return TSR_OK;
}

/* Bring packed data into a form that the target's codec writes. */
static tsr_status suit_target(job *j, tsr_error *err)
{
    if (!j->data.tensor)
        return TSR_OK;
    const char *instead = NULL;
    const tsr_codec *const to = j->to;
    if (!to->write_tensor)
        return unpack(j, err);
    if (!to->takes_tensor || to->takes_tensor(j->data.tensor, &instead))
        return TSR_OK;
    if (!instead)
        return unpack(j, err);
    tsr_format *format = NULL;
    TSR_TRY(tsr_format_parse(&format, instead, j->data.tensor->order, j->data.tensor->dims, err));
    const tsr_status status = pack(j, format, err);
    tsr_format_free(format);
    return status;
}

/* Carry out the transformations on coordinates. */
static tsr_status transform(job *j, tsr_error *err)
{
    const double start = tsr_cli_now();
    const tsr_status status = tsr_cli_transforms_run(&j->transforms, &j->data.coo, err);
    j->wrong = j->transforms.place;
    j->transform_s = tsr_cli_now() - start;
    return status;
}

/* Drop a format that does not fit the data any more. */
static void drop_unfit(tsr_format **format, const tsr_coo *coo)
{
    tsr_binding *binding = NULL;
    if (!*format ||
        ((*format)->order == coo->order && tsr_binding_new(&binding, *format, coo->dims, NULL) == TSR_OK)) {
        tsr_binding_free(binding);
        return;
    }
    tsr_format_free(*format);
    *format = NULL;
}

/* Symmetry and transformations, which need coordinates; *own = the format that these were stored in, when it
 * suits what comes out. */
static tsr_status prepare_data(tsr_format **own, job *j, tsr_error *err)
{
    const settings *const s = j->s;
    const tsr_structure structure = j->data.coo ? j->data.coo->structure : j->data.tensor->structure;
    const bool transforms = s->transforms.n > 0;
    if (transforms && structure != TSR_GENERAL && s->keep_symmetry)
        return tsr_fail(err, TSR_ARGUMENT,
                        "--keep-symmetry keeps one triangle, but --%s needs the whole of a %s matrix",
                        tsr_cli_transforms_option(&s->transforms, 0), tsr_structure_name(structure));
    const bool expands = structure != TSR_GENERAL && !s->keep_symmetry;
    if (!expands && !transforms)
        return TSR_OK;
    if (j->data.tensor) {
        TSR_TRY(tsr_format_copy(own, j->data.tensor->format, err));
        TSR_TRY(unpack(j, err));
    }
    if (expands)
        TSR_TRY(tsr_coo_expand(j->data.coo, err));
    j->in_order = j->data.coo->order;
    memcpy(j->in_dims, j->data.coo->dims, sizeof j->in_dims);
    if (transforms) {
        TSR_TRY(transform(j, err));
        drop_unfit(own, j->data.coo);
    }
    return TSR_OK;
}

/* A dense level holds both triangles, so it cannot keep one. */
static tsr_status check_triangle(const job *j, const tsr_format *format, tsr_error *err)
{
    const tsr_structure structure = j->data.coo ? j->data.coo->structure : j->data.tensor->structure;
    if (!format || structure == TSR_GENERAL || !tsr_format_has_dense_leaf(format) ||
        !tsr_format_is_permutation(format, NULL))
        return TSR_OK;
    return tsr_fail(
        err, TSR_ARGUMENT,
        "--keep-symmetry keeps one triangle, but the last level of this format is dense and stores "
        "both: leave --keep-symmetry out, or choose a sparse format");
}

/* Symmetry, transformations, packing, and what the target needs. */
static tsr_status shape_data(job *j, tsr_error *err)
{
    const double start = tsr_cli_now();
    tsr_format *own = NULL, *format = NULL;
    tsr_status status = TSR_OK;
    TSR_TRY_OUT(prepare_data(&own, j, err));
    TSR_TRY_OUT(check_target(j, err));
    TSR_TRY_OUT(choose_format(&format, j, own, err));
    TSR_TRY_OUT(check_triangle(j, format, err));
    if (format)
        TSR_TRY_OUT(pack(j, format, err));
    TSR_TRY_OUT(suit_target(j, err));
    j->pack_s = tsr_cli_now() - start - j->transform_s;
out:
    tsr_format_free(own);
    tsr_format_free(format);
    return status;
}

static tsr_status write_output(job *j, tsr_error *err)
{
    const double start = tsr_cli_now();
    const settings *const s = j->s;
    if (tsr_cli_interrupted())
        return tsr_fail(err, TSR_CANCELLED, "interrupted");
    if (j->data.tensor) {
        TSR_TRY(j->to->write_tensor(s->out, j->data.tensor, &s->write, &j->out_nbytes, err));
    } else if (j->to->write_coo) {
        TSR_TRY(j->to->write_coo(s->out, j->data.coo, &s->write, &j->out_nbytes, err));
    } else {
        return tsr_fail(err, TSR_UNSUPPORTED,
                        "%s files cannot hold this tensor: choose another file format, or another storage "
                        "format with --format",
                        j->to->name);
    }
    j->write_s = tsr_cli_now() - start;
    return TSR_OK;
}

/* What verifying will hold beside what is written: the same again, as it is read, and where it is packed the
 * entries of both. Told before OUT is written. */
static tsr_status check_verify_memory(const job *j, tsr_error *err)
{
    const tsr_tensor *const tensor = j->data.tensor;
    double nbytes = 0;
    if (tensor) {
        const bool counted = j->packed || !tsr_format_has_dense_leaf(tensor->format);
        const uint64_t nnz = j->packed ? j->stats.nstored : counted ? tensor->npos : 0;
        nbytes = (double)tsr_tensor_nbytes(tensor) +
                 2 * (double)tsr_coo_nbytes_for(tensor->order, tensor->dims, tensor->type, nnz);
    } else {
        nbytes = (double)tsr_coo_nbytes(j->data.coo);
    }
    return tsr_memory_check(nbytes, "--verify", err);
}

/* Read the output back and compare it with what was to be written. */
static tsr_status verify_output(job *j, tsr_error *err)
{
    const double start = tsr_cli_now();
    tsr_data back = {0};
    tsr_coo *mine = NULL, *other = NULL;
    tsr_status status = TSR_OK;
    bool same = false;
    const tsr_type type = j->data.coo ? j->data.coo->type : j->data.tensor->type;
    tsr_read_options read = {.nthreads = j->s->nthreads,
                             .index_base = j->s->write.index_base,
                             .has_type = true,
                             .type = type,
                             .observer = j->s->read.observer};
    if (j->to->has_header) { /* the dims may not be in the text */
        read.shape_order = j->data.coo ? j->data.coo->order : j->data.tensor->order;
        memcpy(read.shape, j->data.coo ? j->data.coo->dims : j->data.tensor->dims, sizeof read.shape);
    }
    if (j->data.tensor)
        TSR_TRY_OUT(tsr_unpack(&mine, j->data.tensor, j->s->nthreads, err));
    TSR_TRY_OUT(tsr_read(&back, j->s->out, j->to, &read, err));
    if (back.tensor)
        TSR_TRY_OUT(tsr_unpack(&other, back.tensor, j->s->nthreads, err));
    tsr_error difference = {0};
    status = tsr_coo_same(&same, mine ? mine : j->data.coo, other ? other : back.coo, &difference);
    if (status != TSR_OK)
        *err = difference;
    else if (!same)
        status = tsr_fail_at(err, TSR_CORRUPT, j->s->out, 0, 0,
                             "the file differs from what was written when it is read back: %s",
                             difference.message);
    j->verify_s = tsr_cli_now() - start;
out:
    tsr_coo_free(mine);
    tsr_coo_free(other);
    tsr_data_clear(&back);
    return status;
}

/* ---- the last line ---- */

static void add_rate(tsr_text *text, const char *phase, double seconds, double amount, bool bytes)
{
    char rate[32];
    tsr_text_addf(text, ", %s %.2f s", phase, seconds);
    if (amount <= 0 || seconds < 1e-4)
        return;
    tsr_text_addf(text, " (%s/s)",
                  bytes ? tsr_bytes_text_f(rate, amount / seconds)
                        : tsr_cli_count_text(rate, amount / seconds));
}

/* "in.tns: 4 x 5 x 6, 6 nonzeros, f64 -> out.h5 (csf), 94 bytes -> 8.1 KB, read ..., pack ..., write ..." */
static void say_done(job *j)
{
    const settings *const s = j->s;
    const tsr_coo *const coo = j->data.coo;
    const tsr_tensor *const tensor = j->data.tensor;
    const bool merged = j->stats.nduplicates > 0;
    tsr_text text = {0};
    char number[32];
    tsr_text_addf(&text, "%s: ", s->in);
    if (s->transforms.n > 0) {
        tsr_cli_add_dims(&text, j->in_order, j->in_dims);
        tsr_text_add(&text, " -> ");
    }
    tsr_cli_add_dims(&text, coo ? coo->order : tensor->order, coo ? coo->dims : tensor->dims);
    const uint64_t nnz = coo         ? coo->nnz
                         : j->packed ? j->stats.nstored
                                     : tsr_cells_nstored(tensor, s->pack.nthreads);
    tsr_text_addf(&text, ", %s nonzero%s, %s", tsr_cli_count_text(number, (double)nnz), nnz == 1 ? "" : "s",
                  tsr_type_name(coo ? coo->type : tensor->type));
    if (merged)
        tsr_text_addf(&text, ", %s duplicate%s (%s)",
                      tsr_cli_count_text(number, (double)j->stats.nduplicates),
                      j->stats.nduplicates == 1 ? "" : "s", duplicates_words[s->pack.duplicates]);
    if (j->transforms.ndropped > 0)
        tsr_text_addf(&text, ", %s dropped", tsr_cli_count_text(number, (double)j->transforms.ndropped));
    tsr_text_addf(&text, " -> %s (", s->out);
    if (tensor)
        tsr_format_print_name_for(&text, tensor->format, tensor->dims);
    else
        tsr_text_add(&text, j->to->name);
    const tsr_structure structure = coo ? coo->structure : tensor->structure;
    if (structure != TSR_GENERAL)
        tsr_text_addf(&text, ", %s", tsr_structure_name(structure));
    tsr_text_add(&text, "), ");
    if (j->in_nbytes > 0)
        tsr_text_addf(&text, "%s -> ", tsr_bytes_text(number, j->in_nbytes));
    tsr_text_add(&text, tsr_bytes_text(number, j->out_nbytes));
    add_rate(&text, "read", j->read_s, (double)j->in_nbytes, true);
    if (s->transforms.n > 0)
        add_rate(&text, "transform", j->transform_s, 0, false);
    if (j->packed)
        add_rate(&text, "pack", j->pack_s, (double)j->stats.nentries, false);
    else if (j->unpacked)
        add_rate(&text, "unpack", j->pack_s, (double)nnz, false);
    add_rate(&text, "write", j->write_s, (double)j->out_nbytes, true);
    if (s->verify)
        add_rate(&text, "verify", j->verify_s, 0, true);
    tsr_cli_report_line(j->report, "%s", tsr_text_cstr(&text));
    tsr_text_clear(&text);
}

static tsr_status run(job *j, tsr_error *err)
{
    TSR_TRY(plan(j, err));
    TSR_TRY(read_input(j, err));
    TSR_TRY(shape_data(j, err));
    if (j->s->verify)
        TSR_TRY(check_verify_memory(j, err));
    TSR_TRY(write_output(j, err));
    if (j->s->verify)
        TSR_TRY(verify_output(j, err));
    say_done(j);
    return TSR_OK;
}

int tsr_cli_tconv(int argc, char *const *argv)
{
    settings s = {0};
    tsr_cli_operands operands;
    const int done = tsr_cli_parse(&operands, &tool, &s, argc, argv);
    if (done >= 0)
        return tsr_cli_close_stdout(tool.name, done);
    if (operands.n == 0)
        return tsr_cli_usage_error(
            &tool, "missing input file: write tconv IN -o OUT, where IN is a file or - for standard input");
    if (!s.out)
        return tsr_cli_usage_error(&tool, "missing output file: use -o OUT");
    if (s.verify && strcmp(s.out, "-") == 0)
        return tsr_cli_usage_error(&tool, "--verify cannot read standard output back: write to a file");
    s.in = operands.text[0];

    tsr_cli_report report;
    tsr_cli_report_init(&report, tool.name, s.quiet);
    tsr_cli_report_progress(&report, &s.progress);
    s.read.nthreads = s.write.nthreads = s.pack.nthreads = s.nthreads;
    s.read.observer = s.write.observer = s.pack.observer = &report.observer;

    job j = {.s = &s, .report = &report};
    tsr_error err = {0};
    int code = TSR_EXIT_OK;
    if (run(&j, &err) != TSR_OK)
        code = j.wrong.text && err.path[0] == '\0'
                   ? tsr_cli_report_text_error(&report, j.wrong.option, j.wrong.text, &err)
                   : tsr_cli_report_error(&report, &err);
    tsr_cli_report_wipe(&report);
    tsr_data_clear(&j.data);
    return tsr_cli_close_stdout(tool.name, code);
}
