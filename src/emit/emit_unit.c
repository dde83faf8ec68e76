/* The translation unit and its C header. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emit_internal.h"

void emit_fail(emit *e, tsr_status status, const char *format, ...)
{
    if (e->status != TSR_OK)
        return;
    char buf[256];
    va_list args;
    va_start(args, format);
    vsnprintf(buf, sizeof buf, format, args);
    va_end(args);
    e->status = tsr_fail(e->err, status, "%s", buf);
}

void *emit_alloc(emit *e, size_t n, size_t size)
{
    void *p = e->status == TSR_OK ? tsr_arena_alloc(&e->arena, n * size + 1) : NULL;
    if (!p)
        emit_fail(e, TSR_NOMEM, "out of memory for a kernel's text");
    return p;
}

const char *emit_keep(emit *e, tsr_text *text)
{
    char *const s = emit_alloc(e, text->nbytes + 1, 1);
    if (text->failed)
        emit_fail(e, TSR_NOMEM, "out of memory for a kernel's text");
    if (s)
        memcpy(s, tsr_text_cstr(text), text->failed ? 1 : text->nbytes + 1);
    tsr_text_clear(text);
    return s ? s : "";
}

const char *emit_name_with(emit *e, const char *name, const char *after)
{
    tsr_text text = {0};
    tsr_text_addf(&text, "%s%s", name, after);
    return emit_keep(e, &text);
}

void emit_put_param(emit *e, tsr_text *out, const tsr_ir_param *p, const char *name, bool in_header)
{
    if (p->var) {
        tsr_text_addf(out, "int64_t %s", name);
        return;
    }
    const tsr_ir_array *a = p->array;
    if (a->place == TSR_IR_OUTPUT) {
        emit_use(e, EMIT_tsr_rt_output, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
        tsr_text_addf(out, "tsr_rt_output *%s_out", name);
        return;
    }
    const bool is_complex = tsr_type_class(a->elem) == 'C';
    const char *elem = emit_element_type(e, a);
    if (in_header && is_complex)
        elem = a->elem == TSR_C64 ? "tsr_c64" : "tsr_c128";
    tsr_text_addf(out, "%s%s *%s%s", a->is_const ? "const " : "", elem, in_header ? "" : "restrict ", name);
}

const char *emit_param_name(const emit *e, int i)
{
    const tsr_ir_param *const p = &e->ir->param[i];
    return p->var ? e->var_name[p->var->number] : e->array_name[p->array->number];
}

void emit_put_param_comment(tsr_text *out, const char *const *name, const char *const *what, int n)
{
    size_t widest = 0;
    for (int i = 0; i < n; i++)
        widest = strlen(name[i]) > widest ? strlen(name[i]) : widest;
    if (n > 0)
        tsr_text_add(out, "/* Returns 0, or 1 when memory ran out. Arrays that are written must not overlap "
                          "other arrays.\n");
    for (int i = 0; i < n; i++)
        tsr_text_addf(out, " *   %s%*s  %s%s\n", name[i], (int)(widest - strlen(name[i])), "", what[i],
                      i + 1 == n ? " */" : "");
}

/* The comment that says what each parameter of the program is, where the options do. */
static void put_param_comment(emit *e, tsr_text *out)
{
    const int n = e->options.param ? e->ir->nparams : 0;
    const char **const name = emit_alloc(e, (size_t)n, sizeof *name);
    for (int i = 0; i < n && name; i++) {
        const bool is_output = e->ir->param[i].array && e->ir->param[i].array->place == TSR_IR_OUTPUT;
        name[i] = is_output ? emit_name_with(e, emit_param_name(e, i), "_out") : emit_param_name(e, i);
    }
    if (e->status == TSR_OK)
        emit_put_param_comment(out, name, e->options.param, n);
}

/* Append the statement that changes a number of threads below 1 to the number of all threads. */
static void put_all_threads(emit *e, tsr_text *out)
{
    if (!e->options.threads)
        return;
    const tsr_ir_param *const p = &e->ir->param[e->options.threads - 1];
    if (!e->is_used[p->var->number])
        return;
    const char *const name = emit_param_name(e, e->options.threads - 1);
    emit_use(e, EMIT_all_threads, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
    tsr_text_addf(out, "    %s = all_threads(%s);\n", name, name);
}

void emit_put_signature(tsr_text *out, const char *before, const char *name, const char *const *param, int n)
{
    tsr_text_addf(out, "%sint %s(", before, name);
    const size_t start = strlen(before) + strlen(name) + 5;
    size_t column = start;
    for (int i = 0; i < n; i++) {
        const size_t length = strlen(param[i]);
        if (i > 0 && column + length + 3 > EMIT_COLUMNS) {
            tsr_text_addf(out, ",\n%*s", (int)start, "");
            column = start;
        } else if (i > 0) {
            tsr_text_add(out, ", ");
            column += 2;
        }
        tsr_text_add(out, param[i]);
        column += length;
    }
    tsr_text_add(out, n ? ")" : "void)");
}

/* Append the signature of the program. */
static void put_signature(emit *e, tsr_text *out, const char *before, bool in_header)
{
    const int n = e->ir->nparams + e->has_limit;
    const char **const param = emit_alloc(e, (size_t)n, sizeof *param);
    for (int i = 0; i < e->ir->nparams && param; i++) {
        tsr_text text = {0};
        emit_put_param(e, &text, &e->ir->param[i], emit_param_name(e, i), in_header);
        param[i] = emit_keep(e, &text);
    }
    if (e->has_limit && param) {
        emit_use(e, EMIT_tsr_rt_limit, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
        param[n - 1] = "tsr_rt_limit *limit";
    }
    if (e->status == TSR_OK)
        emit_put_signature(out, before, e->name, param, n);
}

/* Append the line under construction to the text. */
static void put_line(emit *e, tsr_text *out)
{
    e->body.nbytes = 0;
    e->depth = 1;
    emit_flush(e);
    tsr_text_add_n(out, e->body.s ? e->body.s : "", e->body.nbytes);
}

/* Append "(void)a, (void)b;" for parameters that the function does not read. */
static void put_unused(emit *e, tsr_text *out)
{
    int n = 0;
    for (int i = 0; i < e->ir->nparams; i++) {
        const tsr_ir_param p = e->ir->param[i];
        if (p.var ? !e->is_used[p.var->number] : !e->array_is_used[p.array->number])
            tsr_text_addf(&e->line, "%s(void)%s", n++ ? ", " : "",
                          p.var ? e->var_name[p.var->number] : e->array_name[p.array->number]);
    }
    if (n) {
        tsr_text_add(&e->line, ";");
        put_line(e, out);
    }
}

static bool has_outputs(const tsr_ir *ir)
{
    for (int i = 0; i < ir->nparams; i++)
        if (ir->param[i].array && ir->param[i].array->place == TSR_IR_OUTPUT)
            return true;
    return false;
}

/* Append the uniform entry point. */
static void put_entry(emit *e, tsr_text *out)
{
    tsr_text_add(out, e->options.visible ? "\nTSR_RT_APART static " : "\ntsr_rt_function tsr_rt_entry;\n");
    tsr_text_add(out, "int tsr_rt_entry(const tsr_rt_arg *args)\n{\n");
    if (e->ir->nparams == 0)
        tsr_text_add(out, "    (void)args;\n");
    tsr_text_addf(&e->line, "return %s(", e->name);
    for (int i = 0; i < e->ir->nparams; i++)
        tsr_text_addf(&e->line, "%sargs[%d].%s", i ? ", " : "", i, e->ir->param[i].var ? "n" : "data");
    if (e->has_limit)
        tsr_text_addf(&e->line, ", args[%d].data", e->ir->nparams);
    tsr_text_add(&e->line, ");");
    put_line(e, out);
    tsr_text_add(out, "}\n");
}

void emit_start(emit *e, const tsr_emit_options *options, tsr_error *err)
{
    *e = (emit){.err = err};
    if (options)
        e->options = *options;
}

void emit_open(emit *e, const tsr_ir *ir, const char *name)
{
    e->ir = ir;
    e->name = name ? name : ir->name;
    e->nfacts = e->nheap = e->nunchecked = e->nends = e->nbounds = 0;
    e->failed_name = e->fail_name = e->next_part = NULL;
    if (!emit_is_identifier(e->name)) {
        emit_fail(
            e, TSR_ARGUMENT,
            "'%.200s' cannot be the name of a C function: use letters, digits and '_', and not a word of C",
            e->name);
        return;
    }
    const size_t nvars = (size_t)ir->nvars, narrays = (size_t)ir->narrays;
    e->var_name = emit_alloc(e, nvars, sizeof *e->var_name);
    e->array_name = emit_alloc(e, narrays, sizeof *e->array_name);
    e->is_used = emit_alloc(e, nvars, sizeof *e->is_used);
    e->array_is_used = emit_alloc(e, narrays, sizeof *e->array_is_used);
    e->is_number = emit_alloc(e, narrays, sizeof *e->is_number);
    e->is_natural = emit_alloc(e, nvars, sizeof *e->is_natural);
    e->parts_name = emit_alloc(e, narrays, sizeof *e->parts_name);
    e->room_name = emit_alloc(e, narrays, sizeof *e->room_name);
    e->length = emit_alloc(e, narrays, sizeof *e->length);
    e->heap = emit_alloc(e, narrays, sizeof *e->heap);
    e->unchecked = emit_alloc(e, 2 * narrays, sizeof *e->unchecked);
    e->bound = emit_alloc(e, nvars, sizeof *e->bound);
    if (e->status != TSR_OK)
        return;
    emit_choose_names(e);
    emit_analyse(e);
    emit_find_numbers(e, &e->ir->body);
}

tsr_status emit_finish(emit *e, const tsr_text *out)
{
    if (e->line.failed || e->body.failed || out->failed)
        emit_fail(e, TSR_NOMEM, "out of memory for a kernel's text");
    tsr_text_clear(&e->line);
    tsr_text_clear(&e->body);
    tsr_arena_clear(&e->arena);
    return e->status;
}

/* Append the lines; short ones after the first, "A: f64 i x j, csr", are joined. */
static void put_joined(tsr_text *out, const char *lines)
{
    enum { WIDTH = 96 };
    size_t column = WIDTH; /* the first line stands alone */
    for (const char *s = lines; *s;) {
        const size_t n = strcspn(s, "\n");
        const bool joins = s != lines && column + n + 2 <= WIDTH;
        if (s != lines)
            tsr_text_add(out, joins ? "; " : "\n");
        tsr_text_add_n(out, s, n);
        column = s == lines ? WIDTH : joins ? column + 2 + n : n;
        s += n + (s[n] == '\n');
    }
}

void emit_put_lines(tsr_text *out, const char *lines)
{
    tsr_text joined = {0};
    put_joined(&joined, lines);
    emit_comment(out, 0, tsr_text_cstr(&joined));
    out->failed |= joined.failed;
    tsr_text_clear(&joined);
}

void emit_put_contract(const emit *e, tsr_text *out, const char *header, const char *name)
{
    tsr_text contract = {0};
    put_joined(&contract, header);
    if (!e->options.entry)
        tsr_text_addf(&contract, "%sCompile with: %s -O3 %s%s -c %s.%s", header[0] ? "\n" : "",
                      e->options.cxx ? "c++ -std=c++17" : "cc",
                      e->options.target ? e->options.target->flag : "-march=native",
                      e->uses_threads ? " -fopenmp" : "", name, e->options.cxx ? "cpp" : "c");
    if (contract.nbytes > 0)
        emit_comment(out, 0, tsr_text_cstr(&contract));
    out->failed |= contract.failed;
    tsr_text_clear(&contract);
}

void emit_put_function(emit *e, tsr_text *out, const char *before)
{
    put_signature(e, out, before, false);
    tsr_text_add(out, "\n{\n");
    put_unused(e, out);
    put_all_threads(e, out);
    e->body.nbytes = 0;
    e->depth = 1;
    emit_find_memory(e);
    emit_declare_memory(e);
    emit_block(e, &e->ir->body);
    emit_end_memory(e);
    tsr_text_add_n(out, e->body.s ? e->body.s : "", e->body.nbytes);
    tsr_text_add(out, "}\n");
    e->rounds = e->rounds || (e->ir->rounds_products && emit_adds_products(&e->ir->body));
}

void emit_put_text(emit *e, tsr_text *out, const tsr_text *kernel, const tsr_text *others,
                   const tsr_text *comment)
{
    tsr_text called = {0}, callers = {0};
    if (e->options.cxx && e->uses_complex)
        emit_fail(e, TSR_UNSUPPORTED, "complex values have no common form in C and C++: write C");
    emit_find_needs(e);
    emit_prelude(e, out);
    tsr_text_add(&called, tsr_text_cstr(others));
    emit_put_searches(e, &called);
    emit_put_runtime(e, &called);
    tsr_text_add(&callers, tsr_text_cstr(others));
    emit_put_prototypes(out, tsr_text_cstr(&called),
                        (const char *const[]){tsr_text_cstr(kernel), tsr_text_cstr(&callers)});
    tsr_text_add(out, tsr_text_cstr(comment));
    tsr_text_add(out, tsr_text_cstr(kernel));
    if (called.nbytes > 0)
        tsr_text_addf(out, "\n%.*s", (int)called.nbytes - 1, tsr_text_cstr(&called));
    out->failed |= kernel->failed || others->failed || called.failed || callers.failed || comment->failed;
    tsr_text_clear(&called);
    tsr_text_clear(&callers);
}

/* The whole text: the contract, what the kernel needs to be declared before it, the kernel, and what it calls. */
static void put_unit(emit *e, tsr_text *out)
{
    tsr_text kernel = {0}, comment = {0};
    e->has_limit = e->options.entry && has_outputs(e->ir);
    const bool is_hidden = e->options.entry && (!e->options.visible || e->options.is_part || e->has_limit);
    emit_put_function(e, &kernel,
                      is_hidden          ? "TSR_RT_APART static "
                      : e->options.entry ? "TSR_RT_APART "
                                         : "");
    if (e->options.entry)
        emit_use(e, EMIT_tsr_rt_entry, (tsr_ir_type){TSR_IR_IS_INDEX, TSR_F64, 1});
    emit_put_contract(e, out, e->ir->header ? e->ir->header : "", e->name);
    put_param_comment(e, &comment);
    emit_put_text(e, out, &kernel, &(tsr_text){0}, &comment);
    if (e->options.entry)
        put_entry(e, out);
    tsr_text_clear(&kernel);
    tsr_text_clear(&comment);
}

tsr_status tsr_emit_c(tsr_text *text, const tsr_ir *ir, const tsr_emit_options *options, tsr_error *err)
{
    emit e;
    emit_start(&e, options, err);
    emit_open(&e, ir, NULL);
    if (e.status == TSR_OK)
        put_unit(&e, text);
    return emit_finish(&e, text);
}

void emit_put_header(emit *e, tsr_text *out, const char *name, const tsr_text *comment,
                     const tsr_text *signature)
{
    tsr_text guard = {0};
    for (const char *c = name; *c; c++)
        tsr_text_addf(&guard, "%c", toupper((unsigned char)*c));
    tsr_text_addf(out, "#ifndef %s_H\n#define %s_H\n\n#include <stdint.h>\n\n", tsr_text_cstr(&guard),
                  tsr_text_cstr(&guard));
    if (e->uses_complex)
        tsr_text_add(out, "#ifdef __cplusplus\n#include <complex>\ntypedef std::complex<float> tsr_c64;\n"
                          "typedef std::complex<double> tsr_c128;\n#else\n"
                          "typedef float _Complex tsr_c64;\ntypedef double _Complex tsr_c128;\n#endif\n\n");
    if (e->piece[EMIT_tsr_rt_output][TSR_F64][0])
        emit_put_piece(e, out, EMIT_tsr_rt_output);
    tsr_text_add(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    if (comment->nbytes > 0)
        tsr_text_add(out, tsr_text_cstr(comment));
    else
        tsr_text_add(out, "/* Returns 0, or 1 when memory ran out. Arrays that are written must not "
                          "overlap other arrays. */\n");
    tsr_text_addf(out, "%s;\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n", tsr_text_cstr(signature));
    out->failed |= guard.failed || comment->failed || signature->failed;
    tsr_text_clear(&guard);
}

tsr_status tsr_emit_header(tsr_text *text, const tsr_ir *ir, const tsr_emit_options *options, tsr_error *err)
{
    emit e;
    emit_start(&e, options, err);
    emit_open(&e, ir, NULL);
    if (e.status == TSR_OK) {
        tsr_text comment = {0}, signature = {0};
        put_signature(&e, &signature, "", true);
        put_param_comment(&e, &comment);
        if (ir->header && ir->header[0])
            emit_comment(text, 0, ir->header);
        emit_put_header(&e, text, ir->name, &comment, &signature);
        tsr_text_clear(&comment);
        tsr_text_clear(&signature);
    }
    return emit_finish(&e, text);
}
